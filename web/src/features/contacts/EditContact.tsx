import type { Contact } from '@caseway/contract/contacts';
import { useTranslation } from 'react-i18next';
import { CaseField } from '../../record/CaseField.tsx';
import { answered, EditRecord } from '../../record/EditRecord.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { PersonField } from '../../record/PersonField.tsx';
import { RecordFields } from '../../record/RecordFields.tsx';
import { notify } from '../../session/notify.ts';
import { useFormats } from '../../words/formats.ts';
import { contact, oldContacts, useContactText, useContactWords } from './contact-words.ts';

/** The form in lines: what is short shares one. */
const lines = {
  fields: contact.fields,
  form: [
    'patient',
    'description',
    ['sex', 'age'],
    'phone',
    ['exposure', 'relation'],
    ['firstExposedOn', 'lastExposedOn'],
    ['risk', 'otherUntil'],
    'note',
  ],
};
const helped: ReadonlySet<string> = new Set(['patient', 'description', 'otherUntil']);

/** Adds a contact, of the case with this id or one that is chosen, or changes one. */
export function EditContact({
  stored,
  caseId,
  onSaved,
  onClose,
}: {
  /** Null: a new one. */
  stored: Contact | null;
  caseId?: string;
  onSaved: (saved: Contact) => void;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation('contacts');
  const words = useContactWords();
  const text = useContactText(stored);
  const { today } = useFormats();
  const faultKey = (code: string) =>
    i18n.exists(`contacts:fault.${code}`) ? `contacts:fault.${code}` : `fault.${code}`;
  const chosen = stored?.patient ? { id: stored.patient, label: stored.name ?? stored.number } : undefined;
  return (
    <EditRecord
      record={contact}
      stored={stored && answered(stored)}
      preset={{ lastExposedOn: today, ...(caseId !== undefined && { caseRecord: caseId }) }}
      title={stored ? t('edit.changeTitle', { number: stored.number }) : t('edit.add')}
      submit={t(stored ? 'common:action.save' : 'edit.add')}
      wide
      words={words}
      text={text}
      old={oldContacts}
      faultKey={faultKey}
      onSaved={(answer, undo) => {
        const saved = answer as unknown as Contact;
        if (undo)
          offerUndo('contacts:edit.saved', undo, { undone: 'contacts:edit.undone', old: oldContacts });
        else notify('success', 'contacts:edit.made', { values: { number: saved.number } });
        onSaved(saved);
      }}
      onClose={onClose}
    >
      {stored === null && caseId === undefined ? (
        <CaseField
          name="caseRecord"
          label={words.column('caseRecord')}
          help={t('edit.help.caseRecord')}
          required
        />
      ) : null}
      <RecordFields
        record={lines}
        isNew={stored === null}
        words={words}
        help={(name) => (helped.has(name) ? t(`edit.help.${name}`) : undefined)}
        own={{ patient: (shown) => <PersonField {...shown} {...(chosen && { chosen })} /> }}
      />
    </EditRecord>
  );
}
