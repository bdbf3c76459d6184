import { type PersonAnswer, patientGrid, patientPerson } from '@caseway/contract/patients';
import { anyRecord } from '@caseway/contract/record';
import { readTimeline } from '@caseway/contract/timeline';
import { useTranslation } from 'react-i18next';
import { useLookup } from '../../data/use-lookup.ts';
import { answered, EditRecord } from '../../record/EditRecord.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { RecordFields } from '../../record/RecordFields.tsx';
import { useRecordText } from '../../record/use-record-text.ts';
import { notify } from '../../session/notify.ts';
import { Alike } from './Alike.tsx';
import { listName, usePatientWords } from './patient-words.ts';

const record = anyRecord(patientPerson);
const { endpoints } = patientPerson;
/** What a change of a person makes old: a case has their name, and much else. */
export const oldPatients = [
  { path: `/api/web/grid/${patientGrid.id}/search` },
  { path: '/api/web/grid/case-reports/search' },
  { path: '/api/web/case-reports/:id' },
  { path: '/api/web/patient-matches' },
  endpoints.read,
  endpoints.history,
  readTimeline,
];

/** The form in lines: what is short shares one. */
const lines = {
  fields: record.fields,
  form: [
    ['lastName', 'firstName'],
    ['middleName', 'nameSuffix'],
    'otherNames',
    ['birthDate', 'sex'],
    ['street', 'street2'],
    ['city', 'state'],
    ['county', 'postalCode'],
    ['phones', 'emails'],
    ['language', 'ethnicity'],
    ['race', 'gender'],
    ['deceased', 'deceasedOn'],
  ],
};

const withoutGender = {
  ...lines,
  form: lines.form.map((line) => (line.includes('gender') ? 'race' : line)),
};
const helped: ReadonlySet<string> = new Set(['otherNames', 'phones', 'emails', 'deceasedOn']);

/** Enters a person, or corrects one. */
export function EditPatient({
  person,
  onSaved,
  onClose,
}: {
  /** Null: a new one. */
  person: PersonAnswer | null;
  onSaved: (saved: PersonAnswer) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('patients');
  const words = usePatientWords();
  const text = useRecordText(record, words);
  // Where the tenant keeps none, there is nothing to choose from.
  const keepsGender = useLookup('gender').options.length > 0;
  return (
    <EditRecord
      record={record}
      stored={person && answered(person)}
      title={person ? t('edit.correctTitle', { name: listName(person) }) : t('edit.add')}
      submit={t(person ? 'edit.save' : 'edit.add')}
      words={words}
      text={text}
      old={oldPatients}
      onSaved={(answer, undo) => {
        const saved = answer as unknown as PersonAnswer;
        const values = { name: listName(saved) };
        if (undo) offerUndo('patients:edit.saved', undo, { values, old: oldPatients });
        else notify('success', 'patients:edit.made', { values });
        onSaved(saved);
      }}
      onClose={onClose}
    >
      {person ? null : <Alike />}
      <RecordFields
        record={keepsGender ? lines : withoutGender}
        words={words}
        help={(name) => (helped.has(name) ? t(`edit.help.${name}`) : undefined)}
      />
    </EditRecord>
  );
}
