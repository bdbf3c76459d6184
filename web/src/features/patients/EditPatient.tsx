import { type PersonAnswer, patientGrid, patientPerson } from '@caseway/contract/patients';
import { anyRecord } from '@caseway/contract/record';
import { alikePatients } from '@caseway/contract/same-person';
import { readTimeline } from '@caseway/contract/timeline';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useEffect, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { answered, EditRecord } from '../../record/EditRecord.tsx';
import { type FormValues, formShape } from '../../record/form-values.ts';
import { offerUndo } from '../../record/offer-undo.ts';
import { RecordFields } from '../../record/RecordFields.tsx';
import { useRecordText } from '../../record/use-record-text.ts';
import { notify } from '../../session/notify.ts';
import { useFormats } from '../../words/formats.ts';
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

/** Milliseconds without typing after which it is looked for people who may be the same. */
const restMs = 600;
const compared = [
  'lastName',
  'firstName',
  'middleName',
  'nameSuffix',
  'birthDate',
  'sex',
  'street',
  'city',
  'postalCode',
  'phones',
] as const;
const shapes = formShape(record, compared);

/** The patients who may be the person that is being entered, as soon as enough of them is known. */
function Alike() {
  const { t } = useTranslation('patients');
  const formats = useFormats();
  const values = useFormContext<FormValues>().watch();
  const given = Object.fromEntries(
    compared.flatMap((name) => {
      const { success, data } = shapes[name]!.safeParse(values[name]);
      return success && data !== null ? [[name, data]] : [];
    }),
  );
  const asked = useRested(JSON.stringify(given));
  const body = JSON.parse(asked) as typeof given;
  const tells =
    Boolean(body.lastName && (body.firstName || body.birthDate)) ||
    (Array.isArray(body.phones) && body.phones.length > 0);
  const { data } = useApi(alikePatients, { body }, { enabled: tells });
  const alike = tells ? (data?.patients ?? []) : [];
  return (
    <Box role="status">
      {alike.length === 0 ? null : (
        <Alert severity="warning">
          {t('alike.title')}
          <Box component="ul" sx={{ margin: 0, paddingLeft: 4 }}>
            {alike.map(({ id, certain, birthDate, city, ...name }) => (
              <li key={id}>
                <Link to={`/patients/${id}`} target="_blank">
                  {listName(name) || t('record.nameless')}
                </Link>
                {[
                  birthDate && formats.dayInWords(birthDate),
                  city,
                  t(certain ? 'alike.certain' : 'alike.perhaps'),
                ]
                  .filter(Boolean)
                  .map((part) => ` · ${part}`)
                  .join('')}
              </li>
            ))}
          </Box>
        </Alert>
      )}
    </Box>
  );
}

/** A text as it was when it last stayed the same for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
