import { type Contact, contactRecord, contactsOfCase } from '@caseway/contract/contacts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { ContactToday, NoteVisit, whoIs } from './ContactToday.tsx';
import { useContactWords } from './contact-words.ts';
import { EditContact } from './EditContact.tsx';

/** The people who were exposed to a case; nothing for people who may not read contacts. */
export function CaseContacts({ caseId }: { caseId: string }) {
  const may = useMay();
  return may(contactRecord.access.read) ? <Contacts caseId={caseId} /> : null;
}

function Contacts({ caseId }: { caseId: string }) {
  const { t } = useTranslation('contacts');
  const query = useApi(contactsOfCase, { params: { id: caseId } }, { keepPrevious: false });
  const mayWrite = useMay()(contactRecord.access.write);
  const [adding, setAdding] = useState(false);
  const [visited, setVisited] = useState<Contact | null>(null);
  return (
    <Section title={t('list.title')}>
      <Answered query={query} height={80}>
        {({ contacts }) =>
          contacts.length === 0 ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('ofCase.none')}
            </Typography>
          ) : (
            <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
              {contacts.map((one) => (
                <One key={one.id} contact={one} onNote={mayWrite ? setVisited : undefined} />
              ))}
            </Box>
          )
        }
      </Answered>
      {mayWrite ? (
        <Button
          size="small"
          variant="outlined"
          startIcon={<Plus size={14} aria-hidden />}
          onClick={() => setAdding(true)}
          sx={{ justifySelf: 'start' }}
        >
          {t('edit.add')}
        </Button>
      ) : null}
      {visited ? <NoteVisit row={visited} onClose={() => setVisited(null)} /> : null}
      {adding ? (
        <EditContact
          stored={null}
          caseId={caseId}
          onSaved={() => setAdding(false)}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </Section>
  );
}

function One({ contact, onNote }: { contact: Contact; onNote: ((row: Contact) => void) | undefined }) {
  const { t } = useTranslation('contacts');
  const words = useContactWords();
  const formats = useFormats();
  const { id, status, exposure, followUntil, lastSeenOn } = contact;
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <Box component={Link} to={`/contacts/${id}`} sx={{ color: 'primary.main' }}>
          {whoIs(contact)}
        </Box>
        <ContactToday row={contact} onNote={onNote} />
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {[
          words.choice('status', status),
          words.choice('exposure', exposure),
          followUntil && t('ofCase.until', { day: formats.dayInWords(followUntil) }),
          lastSeenOn && t('ofCase.seen', { day: formats.dayInWords(lastSeenOn) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
    </Box>
  );
}
