import { type Contact, contactGrid, contactRecord } from '@caseway/contract/contacts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RecordList } from '../../record/RecordList.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useMay } from '../../session/permissions.ts';
import { useGrid } from '../../view/use-grid.ts';
import { ContactToday, NoteVisit } from './ContactToday.tsx';
import { contacts as shown, useContactWords } from './contact-words.ts';
import { EditContact } from './EditContact.tsx';

const contacts = bulkRecord(contactRecord);

/**
 * Who is due today, who was not seen, and all others; users who may write contacts add them and record
 * visits.
 */
export default function Contacts() {
  const { t } = useTranslation('contacts');
  const words = useContactWords();
  const state = useGrid(contactGrid);
  const many = useMany<Contact>(contacts, state, {
    ...words,
    nameOf: ({ number }) => number,
    none: (name) => (name === 'investigator' ? t('record.nobody') : undefined),
  });
  const mayWrite = useMay()(contactRecord.access.write);
  const [visited, setVisited] = useState<Contact | null>(null);
  return (
    <RecordList
      grid={contactGrid}
      state={state}
      words={words}
      edits={shown}
      add={{
        needs: contactRecord.access.write,
        form: (handlers) => <EditContact stored={null} {...handlers} />,
      }}
      cells={{
        today: (row: Contact) => <ContactToday row={row} onNote={mayWrite ? setVisited : undefined} />,
      }}
      {...(mayWrite && { rowKeys: { v: (row: Contact) => row.today !== null && setVisited(row) } })}
      {...many}
      below={visited ? <NoteVisit row={visited} onClose={() => setVisited(null)} /> : null}
    />
  );
}
