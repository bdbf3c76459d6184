import type { Contact } from '@caseway/contract/contacts';
import { type FormHandlers, RecordForm } from '../../record/RecordForm.tsx';
import { useFormats } from '../../words/formats.ts';
import { contacts } from './contact-words.ts';

/** Adds a contact, of this case or one to choose, or changes one. */
export function EditContact({
  stored,
  caseId,
  ...handlers
}: FormHandlers<Contact> & {
  /** Null for a new one. */
  stored: Contact | null;
  caseId?: string;
}) {
  const { today } = useFormats();
  return (
    <RecordForm
      of={contacts}
      stored={stored}
      preset={{ lastExposedOn: today, ...(caseId !== undefined && { caseRecord: caseId }) }}
      chosen={stored?.patient ? { id: stored.patient, label: stored.name ?? stored.number } : undefined}
      {...handlers}
    />
  );
}
