import type { patientPerson } from '@caseway/contract/patients';
import type { ChangeOf } from '@caseway/contract/record';
import { openFactsOf, showOpenly } from './open-facts.ts';
import { type PatientFacts, prepareFacts } from './patient-facts.ts';
import { keysOfRecord, type OpenFacts, type PatientRecord } from './patient-record.ts';

/* What a person enters about a patient, in the terms of the patient table. Pure. */

export type Given = ChangeOf<typeof patientPerson>;

const columnOf = {
  sex: 'sexAtBirth',
  ethnicity: 'ethnicity',
  language: 'languageCode',
  street: 'street',
  street2: 'street2',
  city: 'city',
  county: 'countyFips',
  state: 'stateFips',
  postalCode: 'postalCode',
} as const satisfies Partial<Record<keyof Given, keyof OpenFacts>>;
const parts = { lastName: 'last', firstName: 'first', middleName: 'middle', nameSuffix: 'suffix' } as const;
/** Fields that reports also set. An older report does not replace what a person has entered since. */
const told: readonly (keyof Given)[] = [
  'street',
  'street2',
  'city',
  'county',
  'state',
  'postalCode',
  'phone',
  'email',
];

/** The first of a list replaced; nothing: it is left out. */
const withFirst = (list: readonly string[], first: string | null): string[] => [
  ...(first === null ? [] : [first]),
  ...list.slice(1).filter((one) => one !== first),
];

/** Facts as they are with what is given; another first or last name stays beside the new one. */
export function withGiven<F extends Omit<PatientFacts, 'identifiers'>>(facts: F, given: Given): F {
  const next = { ...facts };
  const named = Object.entries(parts).filter(([field]) => field in given);
  if (named.length > 0) {
    const [main = {}, ...others] = facts.names;
    const name = {
      ...main,
      ...Object.fromEntries(named.map(([field, part]) => [part, given[field as keyof Given]])),
    };
    const isKnown = (other: typeof main) => other.last === name.last && other.first === name.first;
    const former = (main.last || main.first) && !isKnown(main) ? [main] : [];
    next.names = [name, ...former, ...others.filter((other) => !isKnown(other))];
  }
  if ('birthDate' in given)
    Object.assign(next, {
      birthDate: given.birthDate,
      birthDatePrecision: given.birthDate === null ? null : 'day',
      bornFrom: null,
      bornTo: null,
    });
  for (const [field, column] of Object.entries(columnOf))
    if (field in given) Object.assign(next, { [column]: given[field as keyof Given] });
  if ('race' in given) {
    next.race = given.race ?? null;
    // Several were answered, and they stay.
    if (given.race !== 'multiple') next.races = given.race ? [given.race] : [];
  }
  if ('phone' in given) next.phones = withFirst(facts.phones, given.phone ?? null);
  if ('email' in given) next.emails = withFirst(facts.emails, given.email?.toLowerCase() ?? null);
  return next;
}

/**
 * Corrects a stored patient. What a person corrects holds for everyone who sees the patient, so also for readers who may not
 * see restricted families, unless nothing else is known of the patient. Returns the facts that those readers are shown,
 * before and after; nothing where they are shown everything. [P18]
 */
export function correctPatient(
  patient: PatientRecord,
  given: Given,
  { now, restricted }: { now: string; restricted: readonly string[] },
): { before: OpenFacts; after: OpenFacts } | undefined {
  const before = { ...patient };
  const openly = openFactsOf(patient, restricted);
  const informed = told.some((field) => field in given) ? { informedAt: now } : {};
  Object.assign(patient, withGiven(patient as PatientFacts, given), informed);
  patient.changed = true;
  if (!patient.keysChanged) {
    patient.keysChanged = true;
    patient.keysBefore = keysOfRecord(before);
  }
  patient.prepared = prepareFacts(patient);
  if (!before.openly) return isHidden(before, openly) ? { before: openly, after: openly } : undefined;
  const after = { ...withGiven(openly, given), ...informed };
  showOpenly(patient, before, after);
  return { before: openly, after };
}

/** Nothing of them is shown openly, although something is known. */
const isHidden = (patient: PatientRecord, openly: OpenFacts): boolean =>
  patient.names.length > 0 && openly.names.length === 0;

/** The values of the form's fields, from facts. */
export const givenFrom = (facts: OpenFacts): Required<Given> => {
  const [name] = facts.names;
  return {
    lastName: name?.last ?? null,
    firstName: name?.first ?? null,
    middleName: name?.middle ?? null,
    nameSuffix: name?.suffix ?? null,
    birthDate: facts.birthDate,
    sex: facts.sexAtBirth,
    race: facts.race,
    ethnicity: facts.ethnicity,
    language: facts.languageCode,
    street: facts.street,
    street2: facts.street2,
    city: facts.city,
    county: facts.countyFips,
    state: facts.stateFips,
    postalCode: facts.postalCode,
    phone: facts.phones[0] ?? null,
    email: facts.emails[0] ?? null,
  };
};
