import { type Contact, contactRecord, contactsOfCase } from '@caseway/contract/contacts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { RecordsOf } from '../../record/RecordsOf.tsx';
import { useMay } from '../../session/permissions.ts';
import { useFormats } from '../../words/formats.ts';
import { ContactToday, NoteVisit, whoIs } from './ContactToday.tsx';
import { useContactWords } from './contact-words.ts';
import { EditContact } from './EditContact.tsx';

/** The people exposed to a case; nothing for users who may not read contacts. */
export function CaseContacts({ caseId }: { caseId: string }) {
  const may = useMay();
  return may(contactRecord.access.read) ? <Contacts caseId={caseId} /> : null;
}

function Contacts({ caseId }: { caseId: string }) {
  const { t } = useTranslation('contacts');
  const query = useApi(contactsOfCase, { params: { id: caseId } }, { keepPrevious: false });
  const mayWrite = useMay()(contactRecord.access.write);
  const [visited, setVisited] = useState<Contact | null>(null);
  return (
    <>
      <RecordsOf
        query={query}
        rows={({ contacts }) => contacts}
        words={{ title: t('list.title'), none: t('ofCase.none'), add: t('edit.add') }}
        one={(contact) => (
          <One key={contact.id} contact={contact} onNote={mayWrite ? setVisited : undefined} />
        )}
        form={
          mayWrite
            ? (close) => <EditContact stored={null} caseId={caseId} onSaved={close} onClose={close} />
            : undefined
        }
      />
      {visited ? <NoteVisit row={visited} onClose={() => setVisited(null)} /> : null}
    </>
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
