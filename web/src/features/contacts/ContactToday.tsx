import { type Contact, contactFollowUp } from '@caseway/contract/contacts';
import IconButton from '@mui/material/IconButton';
import { CalendarClock, CircleCheck, CircleX, type LucideIcon, Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AddFollowUp } from '../../record/AddFollowUp.tsx';
import { IconMark } from '../../ui/IconMark.tsx';
import { contacts, useContactWords } from './contact-words.ts';

const marks: Readonly<Record<string, readonly [LucideIcon, color: string]>> = {
  due: [CalendarClock, 'warning.main'],
  seen: [CircleCheck, 'success.main'],
  answered: [CircleCheck, 'success.main'],
  'not-seen': [CircleX, 'error.main'],
  'not-attempted': [CircleX, 'error.main'],
};

/** Who it is, in any list or question. */
export const whoIs = ({ name, number }: Pick<Contact, 'name' | 'number'>): string => name ?? number;

/** What today is for a contact, in words and with a mark; with a button that notes a visit, for people who may. */
export function ContactToday({
  row,
  onNote,
}: {
  row: Contact;
  onNote?: ((row: Contact) => void) | undefined;
}) {
  const { t } = useTranslation('contacts');
  const words = useContactWords();
  if (row.today === null) return null;
  const [icon, color] = marks[row.today] ?? [CalendarClock, 'text.secondary'];
  return (
    <>
      <IconMark icon={icon} color={color}>
        {words.choice('today', row.today)}
      </IconMark>
      {onNote ? (
        <IconButton
          size="small"
          tabIndex={-1}
          title={t('visit.note')}
          aria-label={t('visit.noteOf', { name: whoIs(row) })}
          onClick={() => onNote(row)}
          sx={{ width: 28, height: 28 }}
        >
          <Pencil size={14} aria-hidden />
        </IconButton>
      ) : null}
    </>
  );
}

/** Notes a visit of one contact. */
export function NoteVisit({ row, onClose }: { row: Contact; onClose: () => void }) {
  return (
    <AddFollowUp of={contactFollowUp} id={row.id} name={whoIs(row)} old={contacts.old} onClose={onClose} />
  );
}
