import type { TelemedicineVisit } from '@caseway/contract/telemedicine';
import { useTranslation } from 'react-i18next';
import { CaseField } from '../../record/CaseField.tsx';
import { answered, EditRecord } from '../../record/EditRecord.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { PersonField } from '../../record/PersonField.tsx';
import { RecordFields } from '../../record/RecordFields.tsx';
import { useFaultKey } from '../../record/use-fault-key.ts';
import { notify } from '../../session/notify.ts';
import { oldVisits, useVisitText, useVisitWords, visit } from './visit-words.ts';

/** The form in lines: what is short shares one. */
const lines = {
  fields: visit.fields,
  form: [
    'patient',
    'caseRecord',
    ['visitType', 'taskCategory'],
    ['program', 'facility'],
    ['language', 'interpreter'],
    'wantedBy',
    'note',
  ],
};
/** From a case, which is known. */
const ofCase = { ...lines, form: lines.form.filter((line) => line !== 'caseRecord') };
const helped: ReadonlySet<string> = new Set(['patient', 'caseRecord', 'facility', 'wantedBy']);

/** Asks for a visit of a person, or changes one; the time is booked on the visit itself. */
export function EditVisit({
  stored,
  about,
  onSaved,
  onClose,
}: {
  /** Null: a new one. */
  stored: TelemedicineVisit | null;
  /** The person whom a new one is about, and the case of theirs, as far as these are known. */
  about?: { id: string; label: string; caseId?: string };
  onSaved: (saved: TelemedicineVisit) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('telemedicine');
  const words = useVisitWords();
  return (
    <EditRecord
      record={visit}
      stored={stored && answered(stored)}
      preset={about ? { patient: about.id, ...(about.caseId && { caseRecord: about.caseId }) } : {}}
      title={stored ? t('edit.changeTitle', { number: stored.number }) : t('edit.add')}
      submit={t(stored ? 'common:action.save' : 'edit.next')}
      wide
      words={words}
      text={useVisitText(stored)}
      old={oldVisits}
      faultKey={useFaultKey('telemedicine')}
      onSaved={(answer, undo) => {
        const saved = answer as unknown as TelemedicineVisit;
        if (undo)
          offerUndo('telemedicine:edit.saved', undo, { undone: 'telemedicine:edit.undone', old: oldVisits });
        else notify('success', 'telemedicine:edit.made', { values: { number: saved.number } });
        onSaved(saved);
      }}
      onClose={onClose}
    >
      <RecordFields
        record={about?.caseId ? ofCase : lines}
        isNew={stored === null}
        words={words}
        help={(name) => (helped.has(name) ? t(`edit.help.${name}`) : undefined)}
        own={{
          patient: (shown) => <PersonField {...shown} {...(about && { chosen: about })} />,
          caseRecord: (shown) => <CaseField {...shown} />,
        }}
      />
    </EditRecord>
  );
}
