import { anyRecord } from '@caseway/contract/record';
import { readTimeline } from '@caseway/contract/timeline';
import { type Vaccination, vaccinationRecord, vaccinationsOfPatient } from '@caseway/contract/vaccinations';
import { useTranslation } from 'react-i18next';
import { answered, EditRecord } from '../../record/EditRecord.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { RecordFields } from '../../record/RecordFields.tsx';
import { useFaultKey } from '../../record/use-fault-key.ts';
import { useRecordText } from '../../record/use-record-text.ts';
import { notify } from '../../session/notify.ts';
import { useVaccinationWords } from './vaccination-words.ts';

export const vaccination = anyRecord(vaccinationRecord);
const { endpoints } = vaccinationRecord;
/** What a change of a vaccination makes stale. */
export const oldVaccinations = [vaccinationsOfPatient, endpoints.history, endpoints.search, readTimeline];

/** The form's lines; short fields share one. Marking an error is separate; this form can undo it. */
const lines = [
  'vaccine',
  'otherVaccine',
  ['givenOn', 'dose'],
  'source',
  ['manufacturer', 'lot'],
  ['site', 'route'],
  ['facility', 'provider'],
] as const;
const ofError = ['state', 'errorReason'] as const;

/** A vaccination's form; `stored` null: a new one for the person. */
export function EditVaccination({
  stored,
  patientId,
  onClose,
}: {
  stored: Vaccination | null;
  patientId: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('vaccinations');
  const faultKey = useFaultKey('vaccinations');
  const words = useVaccinationWords();
  const text = useRecordText(vaccination, words);
  const isError = stored?.state === 'entered-in-error';
  return (
    <EditRecord
      record={vaccination}
      stored={stored && answered(stored)}
      preset={{ patient: patientId }}
      title={t(stored ? 'screen.editTitle' : 'screen.addTitle')}
      submit={t(stored ? 'common:action.save' : 'screen.add')}
      words={words}
      text={text}
      old={oldVaccinations}
      faultKey={faultKey}
      onSaved={(_, takeBack) => {
        onClose();
        if (takeBack) offerUndo('vaccinations:done.saved', takeBack, { old: oldVaccinations });
        else notify('success', 'vaccinations:done.made');
      }}
      onClose={onClose}
    >
      <RecordFields
        record={{
          fields: vaccination.fields,
          form: [...lines, ...(isError ? ofError : [])],
        }}
        isNew={stored === null}
        words={words}
      />
    </EditRecord>
  );
}
