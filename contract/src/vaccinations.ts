import { z } from 'zod';
import { addDays, day as daySchema } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { is } from './expression.ts';
import { doses, routes, sites } from './incident-reports.ts';
import { patientRecordOfPeople } from './patient-record.ts';
import {
  askedIf,
  byServer,
  choice,
  coded,
  day,
  elsewhere,
  type Field,
  inColumn,
  listOf,
  needed,
  neededIf,
  onCreation,
  reference,
  text,
} from './record.ts';
import { manufacturers, vaccineCodes } from './vaccine-codes.ts';

/**
 * `here`: given by the place that records it; `record`: from a card or another registry; `patient`: reported
 * by the person.
 */
export const vaccinationSources = ['here', 'record', 'patient'] as const;
/** `entered-in-error`: not given, or not to this person. */
export const vaccinationStates = ['given', 'entered-in-error'] as const;

const isOther = is('vaccine', 'other');
const isError = is('state', 'entered-in-error');
/** Read by the server in addition to the record. */
const known = <W, S>(field: Field<W, S, false, 'always', 'column'>) => elsewhere(byServer(field));

const fields = {
  patient: inColumn('patient_id', onCreation(needed(reference()))),
  vaccine: needed(choice(vaccineCodes)),
  otherVaccine: askedIf(isOther, neededIf(isOther, text(200))),
  givenOn: needed(day()),
  dose: choice(doses),
  manufacturer: choice(manufacturers),
  lot: text(60),
  site: choice(sites),
  route: choice(routes),
  /** Where it was given, and by whom. */
  facility: reference('facilities'),
  provider: text(200),
  source: needed(choice(vaccinationSources)),
  state: needed(choice(vaccinationStates)),
  /** Why it was entered in error. */
  errorReason: askedIf(isError, neededIf(isError, text(500))),
  createdOn: byServer(needed(day())),
  lastName: known(coded(z.string())),
  firstName: known(coded(z.string())),
  birthDate: known(day()),
};

const access = { read: 'vaccinations/read', write: 'vaccinations/write' } as const;

/** The list of all: who was given a lot, and when. */
export const vaccinationGrid = listOf(fields, {
  id: 'vaccinations',
  permission: access.read,
  exportable: 'vaccinations/export',
  columns: {
    givenOn: { width: 116 },
    lastName: { sensitive: true, width: 140 },
    firstName: { sensitive: true, width: 130 },
    birthDate: { sensitive: true, width: 116 },
    vaccine: { width: 260 },
    dose: { width: 96 },
    manufacturer: { width: 150 },
    lot: { width: 130 },
    facility: { width: 200 },
    source: { width: 170 },
    state: { width: 140 },
    otherVaccine: { width: 200, hidden: true },
    provider: { width: 170, hidden: true },
    site: { width: 130, hidden: true },
    route: { width: 140, hidden: true },
    createdOn: { width: 116, hidden: true },
  },
  sortedBy: 'givenOn',
  newestFirst: true,
  filters: ['locationFilter'],
  narrows: { locationFilter: 'facility' },
  defaultRange: (today) => ({ start: addDays(today, -364), end: today }),
  rangeFields: ['givenOn', 'createdOn'],
});
export const vaccinationRow = vaccinationGrid.row;
export type Vaccination = z.infer<typeof vaccinationRow>;

/** A vaccine given to a person, as recorded by staff. */
export const vaccinationRecord = patientRecordOfPeople({
  id: 'vaccinations',
  kind: 'vaccination',
  noun: 'vaccination',
  table: 'vaccination',
  access,
  about: { field: 'patient', kind: 'patient' },
  alone: true,
  name: 'vaccine',
  fields,
  grid: vaccinationGrid,
  answer: vaccinationRow,
  form: [
    'patient',
    'vaccine',
    'otherVaccine',
    'givenOn',
    'dose',
    'source',
    'manufacturer',
    'lot',
    'site',
    'route',
    'facility',
    'provider',
    'state',
    'errorReason',
  ],
  begins: { state: 'given' },
  timeline: { at: ['givenOn'], shows: ['dose', 'state'] },
});

const id = z.uuid();

/** A person's vaccinations, newest first; those entered in error are last. */
export const vaccinationsOfPatient = endpoint({
  method: 'GET',
  path: '/api/web/patients/:id/vaccinations',
  access: access.read,
  deed: 'read',
  summary: 'The vaccinations of a person',
  patientData: true,
  params: z.strictObject({ id }),
  response: z.object({ vaccinations: z.array(vaccinationRow) }),
});

const ownVaccination = z.object({
  id,
  vaccine: z.string(),
  otherVaccine: z.string().nullable(),
  givenOn: daySchema,
  dose: z.string().nullable(),
  manufacturer: z.string().nullable(),
  lot: z.string().nullable(),
  /** The name of the place. */
  facility: z.string().nullable(),
  source: z.string(),
});
export type OwnVaccination = z.infer<typeof ownVaccination>;

/** What patients see in the portal, without entries made in error. */
export const listOwnVaccinations = endpoint({
  method: 'GET',
  path: '/api/patient/vaccinations',
  access: 'patient',
  deed: 'read',
  child: 'vaccinations',
  summary: 'The vaccinations of the signed-in patient, the newest first',
  patientData: true,
  response: z.object({ vaccinations: z.array(ownVaccination) }),
});

/** The code of what is wrong with the day of a vaccination or of what followed it; null if nothing is. */
export const dayFault = (
  on: string,
  { today, birthDate }: { today: string; birthDate: string | null },
): 'future' | 'before-1900' | 'before-birth' | null =>
  on > today
    ? 'future'
    : on < '1900-01-01'
      ? 'before-1900'
      : birthDate !== null && on < birthDate
        ? 'before-birth'
        : null;

/**
 * Fault codes of a vaccination beyond its conditions, worded under `vaccinations:fault.<code>`. `birthDate`
 * is the person's, if known.
 */
export function vaccinationFaults(
  { givenOn }: { givenOn: string },
  known: { today: string; birthDate: string | null },
): { field: 'givenOn'; code: string }[] {
  const wrong = dayFault(givenOn, known);
  return wrong === null ? [] : [{ field: 'givenOn', code: wrong }];
}
