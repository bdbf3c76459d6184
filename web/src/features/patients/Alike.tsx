import { patientPerson } from '@caseway/contract/patients';
import { anyRecord } from '@caseway/contract/record';
import { alikePatients } from '@caseway/contract/same-person';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useEffect, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { type FormValues, formShape } from '../../record/form-values.ts';
import { useFormats } from '../../words/formats.ts';
import { listName } from './patient-words.ts';

/** Milliseconds without typing before it searches for possible duplicates. */
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
const shapes = formShape(anyRecord(patientPerson), compared);

/** The patients who may be the person being entered, once enough is known. */
export function Alike() {
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

/** A text as it was when it last rested for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
