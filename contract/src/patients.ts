import { z } from 'zod';
import { zipCode } from './codes.ts';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { code, day as dayColumn, fact, id as idColumn, text as textColumn } from './fact.ts';
import { gridOver } from './fact-grid.ts';
import { gridSearch } from './grid.ts';
import { patientRecordOfPeople } from './patient-record.ts';
import {
  type ChangeOf,
  choice,
  coded,
  day as dayField,
  elsewhere,
  email,
  entry,
  inColumn,
  phone,
  several,
  text as textField,
  writtenSchema,
} from './record.ts';

/** One row for each person; a record that became part of another one is no person. */
export const patients = fact('patient', {
  id: idColumn,
  lastName: textColumn('record'),
  firstName: textColumn('record'),
  middleName: textColumn('record'),
  birthDate: dayColumn('record'),
  sex: code('sex'),
  gender: code('gender'),
  race: code('race'),
  ethnicity: code('ethnicity'),
  languageCode: code('languages'),
  street: textColumn('record'),
  city: textColumn('record'),
  countyFips: code('counties'),
  stateFips: code('states'),
  postalCode: textColumn('record'),
  /** The newest of each. */
  phone: textColumn('record'),
  email: textColumn('record'),
  deceased: code(['yes', 'no']),
});

const text = z.string().nullable();
const count = z.number().int().nullable();

/** A row of the patient database. Ids and codes are those of the look-ups that the columns name. */
export const patientRow = z.object({
  id: z.uuid(),
  lastName: text,
  firstName: text,
  middleName: text,
  birthDate: day.nullable(),
  sex: text,
  gender: text,
  race: text,
  ethnicity: text,
  language: text,
  street: text,
  city: text,
  county: text,
  state: text,
  postalCode: text,
  phone: text,
  email: text,
  deceased: text,
  /** Those that the reader may see, one after another. */
  identifiers: text,
  /** Those that the reader may see; null for readers who may read none. */
  cases: count,
  results: count,
  lastResultOn: day.nullable(),
});
export type PatientRow = z.infer<typeof patientRow>;

export const patientGrid = gridOver(patients, {
  id: 'patients',
  permission: 'patients/read',
  exportable: 'patients/export',
  columns: {
    lastName: { sensitive: true, width: 150 },
    firstName: { sensitive: true, width: 130 },
    birthDate: { sensitive: true, width: 116 },
    sex: { width: 110 },
    county: { of: 'countyFips', width: 140 },
    city: { width: 140 },
    phone: { sensitive: true, as: 'phone', width: 150 },
    cases: { beside: 'number', width: 84 },
    results: { beside: 'number', width: 90 },
    lastResultOn: { beside: 'date', width: 130 },
    middleName: { sensitive: true, width: 130, hidden: true },
    identifiers: { beside: 'text', sensitive: true, width: 220, hidden: true },
    email: { sensitive: true, width: 200, hidden: true },
    street: { sensitive: true, width: 190, hidden: true },
    postalCode: { sensitive: true, whole: true, width: 110, hidden: true },
    state: { of: 'stateFips', width: 130, hidden: true },
    race: { width: 180, hidden: true },
    ethnicity: { width: 160, hidden: true },
    gender: { width: 150, hidden: true },
    language: { of: 'languageCode', width: 140, hidden: true },
    deceased: { width: 110, hidden: true },
  },
  defaultSort: [
    { field: 'lastName', sort: 'asc' },
    { field: 'firstName', sort: 'asc' },
  ],
  card: { title: ['lastName', 'firstName'], lines: ['birthDate', 'county', 'phone', 'lastResultOn'] },
  filters: { county: 'countyFips', language: 'languageCode' },
  row: patientRow,
});

export const searchPatients = gridSearch(patientGrid);

// — One person —

/** A person, as people see and correct what is known of one. */
const person = patientRow.extend({
  version: z.number().int(),
  nameSuffix: z.string().nullable(),
  street2: z.string().nullable(),
  birthDatePrecision: z.enum(['day', 'month', 'year']).nullable(),
  /** Others that reports or people have given, as `last, first middle`. */
  otherNames: z.array(z.string()),
  phones: z.array(z.string()),
  emails: z.array(z.string()),
  numbers: z.array(z.object({ kind: z.string(), assigner: z.string(), value: z.string() })),
  deceasedOn: day.nullable(),
  /** Whether the reader is shown everything that the places which know the person have told. */
  told: z.boolean(),
});
export type PersonAnswer = z.infer<typeof person>;

export const patientPerson = patientRecordOfPeople({
  id: 'patients',
  kind: 'patient',
  noun: 'patient',
  table: 'patient',
  access: { read: 'patients/read', write: 'patients/write' },
  alone: true,
  name: 'lastName',
  fields: {
    lastName: textField(100),
    firstName: textField(100),
    middleName: textField(100),
    nameSuffix: textField(20),
    birthDate: dayField(),
    sex: inColumn('sex_at_birth', entry('sex')),
    gender: inColumn('gender_identity', entry('gender')),
    deceased: elsewhere(choice(['yes', 'no'])),
    deceasedOn: dayField(),
    otherNames: several(textField(200), 50),
    street: textField(200),
    street2: textField(200),
    city: textField(100),
    county: inColumn('county_fips', entry('counties')),
    state: inColumn('state_fips', entry('states')),
    postalCode: coded(zipCode),
    phones: several(phone(), 8),
    emails: several(email(), 8),
    language: inColumn('language_code', entry('languages')),
    race: entry('race'),
    ethnicity: entry('ethnicity'),
  },
  grid: patientGrid,
  answer: person,
  form: [
    'lastName',
    'firstName',
    'middleName',
    'nameSuffix',
    'otherNames',
    'birthDate',
    'sex',
    'gender',
    'street',
    'street2',
    'city',
    'county',
    'state',
    'postalCode',
    'phones',
    'emails',
    'language',
    'race',
    'ethnicity',
    'deceased',
    'deceasedOn',
  ],
});

/** The person whose record another one became a part of. */
export const mergedPatient = endpoint({
  method: 'GET',
  path: '/api/web/patients/:id/merged',
  access: 'patients/read',
  deed: 'read',
  summary: 'The patient into whom a patient was merged',
  patientData: true,
  params: z.strictObject({ id: z.uuid() }),
  response: patientRow.pick({ id: true, lastName: true, firstName: true }),
});

/** What is compared of a person who is being entered, as far as it is known. */
const entered = writtenSchema(patientPerson.fields)
  .pick({
    lastName: true,
    firstName: true,
    middleName: true,
    nameSuffix: true,
    birthDate: true,
    sex: true,
    street: true,
    city: true,
    postalCode: true,
    phones: true,
  })
  .partial();

/** How many are answered at most, the likeliest first. */
export const alikeLimit = 5;

/** The patients whom the reader sees, and who may be the one that is being entered. */
export const alikePatients = endpoint({
  method: 'POST',
  path: '/api/web/patients/alike',
  access: 'patients/write',
  deed: 'search',
  summary: 'Patients who may be the person that is being entered',
  patientData: true,
  body: entered as unknown as z.ZodType<Partial<ChangeOf<typeof patientPerson>>>,
  response: z.object({
    patients: z.array(
      patientRow
        .pick({ id: true, lastName: true, firstName: true, birthDate: true, sex: true, city: true })
        .extend({ certain: z.boolean() }),
    ),
  }),
});
