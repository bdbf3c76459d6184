import type { patientPerson } from '@caseway/contract/patients';
import type { ChangeOf } from '@caseway/contract/record';
import type { Name } from './matching.ts';
import { openFactsOf, showOpenly } from './open-facts.ts';
import { type PatientFacts, prepareFacts } from './patient-facts.ts';
import { keysOfRecord, type OpenFacts, type PatientRecord } from './patient-record.ts';

/* What a person enters about a patient, in the terms of the patient table. Pure. */

export type Given = ChangeOf<typeof patientPerson>;

const columnOf = {
  sex: 'sexAtBirth',
  gender: 'genderIdentity',
  deceasedOn: 'deceasedOn',
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
  'phones',
  'emails',
];

/** A name as one text: `Okafor, Ada Grace`. */
export const nameText = ({ last, first, middle }: Name): string =>
  [last, [first, middle].filter(Boolean).join(' ')].filter(Boolean).join(', ');

function nameFrom(text: string): Name {
  const [last, ...rest] = text.split(',').map((part) => part.trim());
  return { last: last || null, first: rest.filter(Boolean).join(' ') || null };
}

/**
 * A list after a change, given what the writer saw of it. Entries that the writer did not see stay, and an entry
 * that this list does not have is only added if the writer entered it.
 */
const listAfter = (list: readonly string[], from: readonly string[], to: readonly string[]): string[] => {
  const kept = to.filter((one) => list.includes(one) || !from.includes(one));
  return [...new Set([...kept, ...list.filter((one) => !from.includes(one) && !to.includes(one))])];
};

function namesAfter(names: readonly Name[], { given, shown, exact }: Correction): Name[] {
  const [main = {}, ...others] = names;
  const named = Object.entries(parts).filter(([field]) => field in given);
  const name = {
    ...main,
    ...Object.fromEntries(named.map(([field, part]) => [part, given[field as keyof Given]])),
  };
  const isKnown = (other: Name) => other.last === name.last && other.first === name.first;
  // An undone value does not become a former name.
  const former =
    (main.last || main.first) && !isKnown(main) && !(exact && 'otherNames' in given) ? [main] : [];
  const after = given.otherNames
    ? listAfter(others.map(nameText), shown?.otherNames ?? [], given.otherNames).flatMap((text) => {
        const known = others.filter((other) => nameText(other) === text);
        return known.length > 0 ? known : [nameFrom(text)];
      })
    : others;
  return [name, ...former, ...after.filter((other) => !isKnown(other))];
}

/** A person's entry, with the lists as they saw them; `exact`: it undoes a version. */
export interface Correction {
  given: Given;
  shown?: Given;
  exact?: boolean;
}

/** Facts after a correction; another first or last name is kept beside the new one. */
export function withGiven<F extends Omit<PatientFacts, 'identifiers'>>(facts: F, correction: Correction): F {
  const { given, shown } = correction;
  const next = { ...facts };
  if ('otherNames' in given || Object.keys(parts).some((field) => field in given))
    next.names = namesAfter(facts.names, correction);
  if ('birthDate' in given)
    Object.assign(next, {
      birthDate: given.birthDate,
      birthDatePrecision: given.birthDate === null ? null : 'day',
      bornFrom: null,
      bornTo: null,
    });
  for (const [field, column] of Object.entries(columnOf))
    if (field in given) Object.assign(next, { [column]: given[field as keyof Given] });
  if ('deceased' in given) next.deceased = given.deceased ? given.deceased === 'yes' : null;
  if (given.deceasedOn) next.deceased = true;
  if ('race' in given) {
    next.race = given.race ?? null;
    // Several were answered, and they stay.
    if (given.race !== 'multiple') next.races = given.race ? [given.race] : [];
  }
  if (given.phones) next.phones = listAfter(facts.phones, shown?.phones ?? [], given.phones);
  if (given.emails) {
    const emails = given.emails.map((one) => one.toLowerCase());
    next.emails = listAfter(facts.emails, shown?.emails ?? [], emails);
  }
  return next;
}

/**
 * Corrects a stored patient. A person's correction applies for everyone who sees the patient, including readers who
 * may not see restricted families, unless nothing else is known about the patient. Returns the facts that those
 * readers see, before and after; nothing if they see everything. [P18]
 */
export function correctPatient(
  patient: PatientRecord,
  correction: Correction,
  { now, restricted }: { now: string; restricted: readonly string[] },
): { before: OpenFacts; after: OpenFacts } | undefined {
  const before = { ...patient };
  const openly = openFactsOf(patient, restricted);
  const informed = told.some((field) => field in correction.given) ? { informedAt: now } : {};
  Object.assign(patient, withGiven(patient as PatientFacts, correction), informed);
  patient.changed = true;
  if (!patient.keysChanged) {
    patient.keysChanged = true;
    patient.keysBefore = keysOfRecord(before);
  }
  patient.prepared = prepareFacts(patient);
  if (!before.openly) return isHidden(before, openly) ? { before: openly, after: openly } : undefined;
  const after = { ...withGiven(openly, correction), ...informed };
  showOpenly(patient, before, after);
  return { before: openly, after };
}

/** Nothing about them is shown openly, although something is known. */
const isHidden = (patient: PatientRecord, openly: OpenFacts): boolean =>
  patient.names.length > 0 && openly.names.length === 0;

/** Other names in the form in which people see and enter them. */
export const otherNamesOf = (names: readonly Name[]): string[] => [...new Set(names.map(nameText))];

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
    gender: facts.genderIdentity,
    deceased: facts.deceased === null ? null : facts.deceased ? 'yes' : 'no',
    deceasedOn: facts.deceasedOn,
    otherNames: otherNamesOf(facts.names.slice(1)),
    phones: facts.phones,
    emails: facts.emails,
  };
};
