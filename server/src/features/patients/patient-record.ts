import {
  blockKeys,
  type Name,
  type PersonIdentifier,
  type PreparedPerson,
  sameIdentifier,
} from './matching.ts';
import { type PatientFacts, prepareFacts } from './patient-facts.ts';
import { keysOfPatient } from './search-keys.ts';

/** A patient in the importer's form while a batch is planned: the row, its identifiers, and what changed. */
export interface PatientRecord extends PatientFacts {
  id: string;
  isNew: boolean;
  changed: boolean;
  /** Whether a value that finds it has changed. */
  keysChanged: boolean;
  /** The time of the newest report with address, telephone and the like. */
  informedAt: string | null;
  organizationIds: string[];
  facilityIds: string[];
  /** The organizations and facilities that have only records of restricted families. [P18] */
  restrictedAt: string[];
  /** Families of the results and cases; `-` for a result without a known one. [P18] */
  diseaseFamilies: string[];
  /**
   * The organizations and facilities that have reported everything on the row; null: only the tenant has, or
   * everyone who sees the person. Others who see the person see only name, birth date and sex. [P23]
   */
  toldBy: string[] | null;
  /** The facts known without reports of restricted families; null: everything on the row. [P18] */
  openly: OpenFacts | null;
  newIdentifiers: PersonIdentifier[];
  /** Stored identifiers that another place also reported. */
  retoldIdentifiers: PersonIdentifier[];
  prepared: PreparedPerson;
  /** What decided who saw the stored record; undefined if it was not read completely. */
  sightBefore?: string;
  /** The stored keys; undefined as long as they have not changed, or if none were stored. */
  keysBefore?: PatientKeys;
}

/** The columns of a patient's row, without identifiers: each identifier has its own readers. */
export type OpenFacts = Omit<PatientFacts, 'identifiers'> & { informedAt: string | null };

/** The columns that a patient is found by: compared with reports, and searched by people. */
export interface PatientKeys {
  comparison: readonly string[];
  search: readonly string[];
}

export const keysOfRecord = (patient: PatientRecord): PatientKeys => ({
  comparison: blockKeys(patient.prepared),
  search: [...new Set([...searchKeysOf(patient, patient.identifiers), ...openKeysOf(patient)])],
});

/** The keys by which readers who may not see restricted families find the person, if they differ. [P18] */
export const openKeysOf = ({ openly, identifiers }: PatientRecord): string[] =>
  openly
    ? searchKeysOf(
        openly,
        identifiers.filter(({ toldIn }) => !toldIn),
      ).toSorted()
    : [];

function searchKeysOf(
  { names: [name, ...otherNames], birthDate, phones, emails }: OpenFacts,
  identifiers: readonly PersonIdentifier[],
): string[] {
  return keysOfPatient({
    lastName: name?.last ?? null,
    firstName: name?.first ?? null,
    middleName: name?.middle ?? null,
    otherNames,
    birthDate,
    phones,
    emails,
    identifiers,
  });
}

/** A new patient from the first report about it. */
export function newPatient(id: string, facts: PatientFacts, informedAt: string | null): PatientRecord {
  const identifiers = facts.identifiers.map((identifier) => ({ ...identifier }));
  return {
    ...facts,
    id,
    isNew: true,
    changed: true,
    keysChanged: true,
    informedAt,
    organizationIds: [],
    facilityIds: [],
    restrictedAt: [],
    diseaseFamilies: [],
    toldBy: null,
    openly: null,
    identifiers,
    newIdentifiers: [...identifiers],
    retoldIdentifiers: [],
    prepared: prepareFacts(facts),
    keysBefore: { comparison: [], search: [] },
  };
}

const phonesKept = 8;
/** Unknown: HL7 writes `U` for an unknown sex. */
const blank = (value: unknown) =>
  value === null || value === '' || value === 'UNK' || value === 'ASKU' || value === 'U';
const sameName = (a: Name, b: Name) =>
  (['last', 'first', 'middle', 'suffix'] as const).every(
    (part) => (a[part] ?? '').toLowerCase() === (b[part] ?? '').toLowerCase(),
  );

/**
 * Updates a patient with another report. Blank fields are filled, whatever the report's age; address, telephones and
 * the like are taken from the newest report. The name stays, and another spelling is kept beside it: people decide
 * which of several names is the main one. Birth date and sex are only filled or made more precise. Returns whether
 * it brought anything except numbers.
 */
export function updatePatient(
  patient: PatientRecord,
  facts: PatientFacts,
  reportedAt: string | null,
): boolean {
  let brought = false;
  const before = { ...patient };
  const newer = !patient.informedAt || (reportedAt !== null && reportedAt >= patient.informedAt);
  const set = <K extends keyof PatientFacts>(field: K, value: PatientFacts[K], findable = false) => {
    if (patient[field] === value) return;
    (patient as PatientFacts)[field] = value;
    patient.changed = true;
    brought = true;
    if (findable) patient.keysChanged = true;
  };
  const fill = <K extends keyof PatientFacts>(field: K, findable = false) => {
    const known = patient[field];
    // "Unknown" fills a blank field, and any answer replaces "unknown".
    if (facts[field] !== null && (known === null || (blank(known) && !blank(facts[field]))))
      set(field, facts[field], findable);
  };

  for (const name of facts.names)
    if (!patient.names.some((known) => sameName(known, name))) set('names', [...patient.names, name], true);
  const finer = { year: 0, month: 1, day: 2 };
  if (
    facts.birthDate &&
    (!patient.birthDate ||
      finer[facts.birthDatePrecision ?? 'day'] > finer[patient.birthDatePrecision ?? 'day'])
  ) {
    set('birthDate', facts.birthDate, true);
    set('birthDatePrecision', facts.birthDatePrecision);
    set('bornFrom', null);
    set('bornTo', null);
  }
  if (!patient.birthDate && !patient.bornFrom && facts.bornFrom) {
    set('bornFrom', facts.bornFrom, true);
    set('bornTo', facts.bornTo);
  }
  fill('sexAtBirth', true);
  fill('genderIdentity');
  fill('sexualOrientation');
  if (blank(patient.race) && facts.race !== null && (patient.race === null || !blank(facts.race))) {
    set('races', facts.races);
    set('race', facts.race);
  }
  fill('ethnicity');
  for (const [question, words] of Object.entries(facts.rawDemographics))
    if (!(question in patient.rawDemographics))
      set('rawDemographics', { ...patient.rawDemographics, [question]: words });
  fill('languageCode');
  fill('deceased');
  fill('deceasedOn');

  // An address is replaced as a whole, because half of an old one with half of a new one is no address.
  const told = [facts.street, facts.city, facts.postalCode].some((part) => part !== null);
  const known = [patient.street, patient.city, patient.postalCode].some((part) => part !== null);
  const moves =
    facts.street !== null &&
    newer &&
    (facts.street !== patient.street || facts.postalCode !== patient.postalCode);
  if (told && (!known || moves || (newer && patient.street === null))) {
    set('street', facts.street);
    set('street2', facts.street2);
    set('city', facts.city, true);
    set('stateFips', facts.stateFips);
    set('postalCode', facts.postalCode, true);
    set(
      'countyFips',
      facts.countyFips ?? (facts.postalCode === patient.postalCode ? patient.countyFips : null),
    );
    set('countryCode', facts.countryCode);
  } else {
    for (const field of ['stateFips', 'countyFips', 'countryCode'] as const)
      if (!told || facts.postalCode === patient.postalCode) fill(field);
  }

  const merged = (mine: string[], theirs: string[]) => {
    const all = [...new Set(newer ? [...theirs, ...mine] : [...mine, ...theirs])].slice(0, phonesKept);
    return all.length === mine.length && all.every((entry, index) => entry === mine[index]) ? mine : all;
  };
  set('phones', merged(patient.phones, facts.phones), true);
  set('emails', merged(patient.emails, facts.emails));
  for (const identifier of facts.identifiers)
    if (!patient.identifiers.some((known) => sameIdentifier(known, identifier))) {
      const added = { ...identifier };
      patient.identifiers = [...patient.identifiers, added];
      patient.newIdentifiers.push(added);
      patient.keysChanged = true;
    }
  if (newer && reportedAt !== null && patient.informedAt !== reportedAt) {
    patient.informedAt = reportedAt;
    patient.changed = true;
  }
  if (patient.keysChanged && !before.keysChanged) patient.keysBefore = keysOfRecord(before);
  // The street is also compared, although people are not found by it.
  if (patient.keysChanged || patient.street !== before.street) patient.prepared = prepareFacts(patient);
  return brought;
}

/** The places that saw a person before a report, and whether the report brought anything. */
export interface Telling {
  isNew: boolean;
  brought: boolean;
  viewers: readonly string[];
}

/**
 * Records who has reported the facts on a patient's row, after a report from these organizations and facilities;
 * none: the tenant, whose reports are for everyone. [P23]
 */
export function toldBy(
  patient: PatientRecord,
  { isNew, brought, viewers }: Telling,
  tellers: readonly string[],
  told: readonly PersonIdentifier[],
): void {
  if (tellers.length === 0) return;
  const everybody = viewers.length === 0 ? null : [...viewers];
  const before = patient.toldBy ?? everybody;
  const after = isNew
    ? [...tellers]
    : !brought
      ? before
      : before === null
        ? [...tellers]
        : before.filter((one) => tellers.includes(one));
  if (JSON.stringify(after) !== JSON.stringify(patient.toldBy)) {
    patient.toldBy = after;
    patient.changed = true;
  }
  for (const identifier of patient.identifiers) {
    const isTold = told.some((one) => sameIdentifier(one, identifier));
    const isFresh = isNew || patient.newIdentifiers.includes(identifier);
    const known = identifier.toldBy ?? (isFresh ? [] : everybody);
    const now = known === null ? null : [...new Set([...known, ...(isTold ? tellers : [])])];
    if (JSON.stringify(now) === JSON.stringify(identifier.toldBy ?? null)) continue;
    identifier.toldBy = now;
    if (!patient.newIdentifiers.includes(identifier)) patient.retoldIdentifiers.push(identifier);
  }
}

/** Records that there is a record of a disease family about this person, or one without a known family. [P18] */
export function recordedWith(patient: PatientRecord, family: string | null): void {
  const noted = family ?? '-';
  if (patient.diseaseFamilies.includes(noted)) return;
  patient.diseaseFamilies = [...patient.diseaseFamilies, noted];
  patient.changed = true;
}

/**
 * Records that an organisation and a facility have tested or reported this person, by a record of a restricted
 * family or not.
 */
export function seenBy(
  patient: PatientRecord,
  organizationId: string | null,
  facilityId: string | null,
  isRestricted: boolean,
): void {
  for (const [place, known] of [
    [organizationId, patient.organizationIds],
    [facilityId, patient.facilityIds],
  ] as const) {
    if (place === null) continue;
    const isKnown = known.includes(place);
    const isRestrictedNow = isRestricted && (!isKnown || patient.restrictedAt.includes(place));
    if (isKnown && isRestrictedNow === patient.restrictedAt.includes(place)) continue;
    const others = patient.restrictedAt.filter((one) => one !== place);
    patient.restrictedAt = isRestrictedNow ? [...others, place] : others;
    if (!isKnown && known === patient.organizationIds) patient.organizationIds = [...known, place];
    else if (!isKnown) patient.facilityIds = [...known, place];
    patient.changed = true;
  }
}
