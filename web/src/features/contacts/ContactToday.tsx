import { type Contact, contactFollowUp } from '@caseway/contract/contacts';
import { useTranslation } from 'react-i18next';
import { AddFollowUp } from '../../record/AddFollowUp.tsx';
import { FollowUpToday } from '../../record/FollowUpToday.tsx';
import { contacts, useContactWords } from './contact-words.ts';

/** Who it is, in any list or question. */
export const whoIs = ({ name, number }: Pick<Contact, 'name' | 'number'>): string => name ?? number;

/** What today is for a contact; with a button that notes a visit, for people who may. */
export function ContactToday({
  row,
  onNote,
}: {
  row: Contact;
  onNote?: ((row: Contact) => void) | undefined;
}) {
  const { t } = useTranslation('contacts');
  const words = useContactWords();
  return (
    <FollowUpToday
      today={row.today}
      words={{
        today: (code) => words.choice('today', code),
        note: t('visit.note'),
        noteOf: t('visit.noteOf', { name: whoIs(row) }),
      }}
      onNote={onNote && (() => onNote(row))}
    />
  );
}

/** Notes a visit of one contact. */
export function NoteVisit({ row, onClose }: { row: Contact; onClose: () => void }) {
  return (
    <AddFollowUp of={contactFollowUp} id={row.id} name={whoIs(row)} old={contacts.old} onClose={onClose} />
  );
}
