import type { Contact } from '@caseway/contract/contacts';
import { type FormHandlers, RecordForm } from '../../record/RecordForm.tsx';
import { useFormats } from '../../words/formats.ts';
import { contacts } from './contact-words.ts';

/** The form in lines: what is short shares one. */
const lines = [
  'caseRecord',
  'patient',
  'description',
  ['sex', 'age'],
  'phone',
  ['exposure', 'relation'],
  ['firstExposedOn', 'lastExposedOn'],
  ['risk', 'otherUntil'],
  'note',
];

/** Adds a contact, of the case with this id or one that is chosen, or changes one. */
export function EditContact({
  stored,
  caseId,
  ...handlers
}: FormHandlers<Contact> & {
  /** Null: a new one. */
  stored: Contact | null;
  caseId?: string;
}) {
  const { today } = useFormats();
  return (
    <RecordForm
      of={contacts}
      stored={stored}
      form={lines}
      preset={{ lastExposedOn: today, ...(caseId !== undefined && { caseRecord: caseId }) }}
      chosen={stored?.patient ? { id: stored.patient, label: stored.name ?? stored.number } : undefined}
      {...handlers}
    />
  );
}
