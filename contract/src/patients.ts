import { z } from 'zod';
import { zipCode } from './codes.ts';
import { answerOf, patientRecordOfPeople } from './patient-record.ts';
import {
  beside,
  choice,
  coded,
  count,
  day,
  elsewhere,
  email,
  entry,
  inColumn,
  known,
  listed,
  ofOne,
  phone,
  several,
  text,
} from './record.ts';
import { factOf, listOver } from './record-fact.ts';

const sensitive = { sensitive: true };
const hidden = { hidden: true };
const both = { ...sensitive, ...hidden };

/** What is known of a person, in the order of the form and the list. */
const fields = {
  lastName: listed(150, text(100), sensitive),
  firstName: listed(130, text(100), sensitive),
  middleName: listed(130, text(100), both),
  nameSuffix: text(20),
  // As `last, first middle`.
  otherNames: several(text(200), 50),
  birthDate: listed(116, ofOne(day()), sensitive),
  sex: listed(110, inColumn('sex_at_birth', entry('sex'))),
  street: listed(190, text(200), both),
  street2: text(200),
  city: listed(140, text(100)),
  state: listed(130, inColumn('state_fips', entry('states')), hidden),
  county: listed(140, inColumn('county_fips', entry('counties'))),
  postalCode: listed(110, coded(zipCode), { ...both, whole: true }),
  /** The newest number or address, and all of them. */
  phone: listed(150, known(phone()), sensitive),
  phones: several(phone(), 8),
  email: listed(200, known(email()), both),
  emails: several(email(), 8),
  language: listed(140, inColumn('language_code', entry('languages')), hidden),
  ethnicity: listed(160, entry('ethnicity'), hidden),
  race: listed(180, entry('race'), hidden),
  gender: listed(150, inColumn('gender_identity', entry('gender')), hidden),
  deceased: listed(110, elsewhere(choice(['yes', 'no'])), hidden),
  deceasedOn: day(),
  /** The number of cases and results the reader sees; null for readers who may read none. */
  cases: listed(84, beside(count())),
  results: listed(90, beside(count())),
  lastResultOn: listed(130, beside(day())),
  // Those the reader may see, listed one after another.
  identifiers: listed(220, beside(text(500)), both),
};

/** One row per person; a record merged into another is no longer a person. */
export const patients = factOf('patient', fields);

/** The patient database. */
export const patientGrid = listOver(patients, fields, {
  id: 'patients',
  permission: 'patients/read',
  exportable: 'patients/export',
  sortedBy: ['lastName', 'firstName'],
  card: { title: ['lastName', 'firstName'], lines: ['birthDate', 'county', 'phone', 'lastResultOn'] },
  filters: ['county', 'language'],
});
export type PatientRow = z.infer<typeof patientGrid.row>;

/** One person, with the details that users see and correct. */
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
  answer: answerOf(fields, {
    birthDatePrecision: z.enum(['day', 'month', 'year']).nullable(),
    numbers: z.array(z.object({ kind: z.string(), assigner: z.string(), value: z.string() })),
    /** Whether the reader sees everything that the places which know the person have reported. */
    told: z.boolean(),
  }),
});
export type PersonAnswer = z.infer<typeof patientPerson.answer>;
