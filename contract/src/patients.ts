import { z } from 'zod';
import { zipCode } from './codes.ts';
import { code, day as dayColumn, fact, id as idColumn, text as textColumn } from './fact.ts';
import { gridOver } from './fact-grid.ts';
import { gridSearch } from './grid.ts';
import { answerOver, patientRecordOfPeople } from './patient-record.ts';
import {
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

/** The patient database. Of cases and results those count that the reader sees; null for readers who may read none. */
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
    // Those that the reader may see, one after another.
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
});
export type PatientRow = z.infer<typeof patientGrid.row>;

export const searchPatients = gridSearch(patientGrid);

// — One person —

/** What is known of a person, in the order of their form. */
const fields = {
  lastName: textField(100),
  firstName: textField(100),
  middleName: textField(100),
  nameSuffix: textField(20),
  // As `last, first middle`.
  otherNames: several(textField(200), 50),
  birthDate: dayField(),
  sex: inColumn('sex_at_birth', entry('sex')),
  gender: inColumn('gender_identity', entry('gender')),
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
  deceased: elsewhere(choice(['yes', 'no'])),
  deceasedOn: dayField(),
};

/** A person, as people see and correct what is known of one. */
export const patientPerson = patientRecordOfPeople({
  id: 'patients',
  kind: 'patient',
  noun: 'patient',
  table: 'patient',
  access: { read: 'patients/read', write: 'patients/write' },
  alone: true,
  name: 'lastName',
  fields,
  grid: patientGrid,
  answer: answerOver(patientGrid, fields, {
    birthDatePrecision: z.enum(['day', 'month', 'year']).nullable(),
    numbers: z.array(z.object({ kind: z.string(), assigner: z.string(), value: z.string() })),
    /** Whether the reader is shown everything that the places which know the person have told. */
    told: z.boolean(),
  }),
});
export type PersonAnswer = z.infer<typeof patientPerson.answer>;
