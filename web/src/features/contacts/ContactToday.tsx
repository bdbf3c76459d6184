import { type Contact, contactFollowUp } from '@caseway/contract/contacts';
import { useTranslation } from 'react-i18next';
import { AddFollowUp } from '../../record/AddFollowUp.tsx';
import { FollowUpToday } from '../../record/FollowUpToday.tsx';
import { contacts, useContactWords } from './contact-words.ts';

/** A name for the contact in lists and questions. */
export const whoIs = ({ name, number }: Pick<Contact, 'name' | 'number'>): string => name ?? number;

/** Today's state of a contact; for users with permission, also a button that records a visit. */
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

/** Records a visit to a contact. */
export function NoteVisit({ row, onClose }: { row: Contact; onClose: () => void }) {
  return (
    <AddFollowUp of={contactFollowUp} id={row.id} name={whoIs(row)} old={contacts.old} onClose={onClose} />
  );
}
