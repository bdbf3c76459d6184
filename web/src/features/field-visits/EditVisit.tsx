import type { FieldVisit } from '@caseway/contract/field-visits';
import { useTranslation } from 'react-i18next';
import { CaseField } from '../../record/CaseField.tsx';
import { answered, EditRecord } from '../../record/EditRecord.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { PersonField } from '../../record/PersonField.tsx';
import { RecordFields } from '../../record/RecordFields.tsx';
import { notify } from '../../session/notify.ts';
import { useFormats } from '../../words/formats.ts';
import { fieldVisit, oldVisits, useVisitText, useVisitWords } from './visit-words.ts';

/** The form in lines: what is short shares one. */
const lines = {
  fields: fieldVisit.fields,
  form: [
    'patient',
    'caseRecord',
    'visitType',
    ['plannedFor', 'dueOn'],
    'address',
    'program',
    ['twoWorkers', 'noLetter'],
    'note',
  ],
};
const helped: ReadonlySet<string> = new Set(['patient', 'caseRecord', 'address', 'twoWorkers', 'noLetter']);

/** The person of a new visit and its case, as far as they are known. */
export interface VisitAbout {
  id: string;
  label: string;
  caseId?: string;
}

/** Adds a visit, or changes one. */
export function EditVisit({
  stored,
  about,
  onSaved,
  onClose,
}: {
  /** Null: a new one. */
  stored: FieldVisit | null;
  about?: VisitAbout;
  onSaved: (saved: FieldVisit) => void;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation('field-visits');
  const words = useVisitWords();
  const text = useVisitText(stored);
  const { today } = useFormats();
  const faultKey = (code: string) =>
    i18n.exists(`field-visits:fault.${code}`) ? `field-visits:fault.${code}` : `fault.${code}`;
  const chosen = about && { id: about.id, label: about.label };
  // Of a case that is known, nobody has to be asked which.
  const form = about?.caseId === undefined ? lines.form : lines.form.filter((name) => name !== 'caseRecord');
  return (
    <EditRecord
      record={fieldVisit}
      stored={stored && answered(stored)}
      preset={{
        plannedFor: today,
        ...(about && { patient: about.id }),
        ...(about?.caseId !== undefined && { caseRecord: about.caseId }),
      }}
      title={stored ? t('edit.changeTitle', { number: stored.number }) : t('edit.add')}
      submit={t(stored ? 'common:action.save' : 'edit.add')}
      wide
      words={words}
      text={text}
      old={oldVisits}
      faultKey={faultKey}
      onSaved={(answer, undo) => {
        const saved = answer as unknown as FieldVisit;
        if (undo)
          offerUndo('field-visits:edit.saved', undo, { undone: 'field-visits:edit.undone', old: oldVisits });
        else notify('success', 'field-visits:edit.made', { values: { number: saved.number } });
        onSaved(saved);
      }}
      onClose={onClose}
    >
      <RecordFields
        record={{ ...lines, form }}
        isNew={stored === null}
        words={words}
        help={(name) => (helped.has(name) ? t(`edit.help.${name}`) : undefined)}
        own={{
          patient: (shown) => <PersonField {...shown} {...(chosen && { chosen })} />,
          caseRecord: (shown) => <CaseField {...shown} />,
        }}
      />
    </EditRecord>
  );
}
