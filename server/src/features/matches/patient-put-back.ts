import { isDeepStrictEqual } from 'node:util';
import { type PersonIdentifier, sameIdentifier } from '../patients/matching.ts';
import { areRestricted, openFactsOf, showOpenly } from '../patients/open-facts.ts';
import { type OpenFacts, type PatientRecord, recordedWith, seenBy } from '../patients/patient-record.ts';

/*
 * What a merge changed in the older patient's row and numbers, and how undo reverses it. Later changes by reports or
 * people stay; everything else is restored.
 */

/** Parts of the importer's record that are not columns of the row; the rest has to be restored. */
type Beside =
  | 'id' | 'isNew' | 'changed' | 'keysChanged' | 'keysBefore' | 'prepared' | 'identifiers' | 'newIdentifiers'
  | 'retoldIdentifiers' | 'sightBefore'; // biome-ignore format: a list
export type PatientSnapshot = Omit<PatientRecord, Beside>;

/**
 * How each column is restored. `value`: if it is unchanged since the merge. `list`: without the entries that the
 * merge added, with those it dropped, also after later changes. The name of a group: all of the group together or
 * nothing, because half of one address joined to half of another is wrong. `openly` is restored separately.
 */
const kinds: Record<keyof PatientSnapshot, 'value' | 'list' | 'birth' | 'race' | 'address' | 'openly'> = {
  names: 'list', birthDate: 'birth', birthDatePrecision: 'birth', bornFrom: 'birth', bornTo: 'birth', sexAtBirth: 'value',
  genderIdentity: 'value', sexualOrientation: 'value', races: 'race', race: 'race', ethnicity: 'value',
  rawDemographics: 'list', languageCode: 'value', deceased: 'value', deceasedOn: 'value', street: 'address',
  street2: 'address', city: 'address', stateFips: 'address', postalCode: 'address', countyFips: 'address',
  countryCode: 'address', phones: 'list', emails: 'list', organizationIds: 'list', facilityIds: 'list',
  informedAt: 'value', diseaseFamilies: 'list', restrictedAt: 'list', toldBy: 'value', openly: 'openly',
}; // biome-ignore format: a table
const fields = Object.keys(kinds) as (keyof PatientSnapshot)[];

/** The columns that show whether a group is unchanged since the merge; the other columns follow them. */
const decisive: Partial<Record<string, readonly (keyof OpenFacts)[]>> = {
  birth: ['birthDate', 'bornFrom'],
  race: ['race'],
  address: ['street', 'city', 'postalCode'],
};

/** The columns of a record's row, to be stored. */
export const snapshot = (patient: PatientRecord): PatientSnapshot =>
  Object.fromEntries(fields.map((field) => [field, patient[field]])) as unknown as PatientSnapshot;

/** A value as JSON returns it. The order of its properties is ignored, because PostgreSQL does not keep it. */
const asStored = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));
const isSame = (a: unknown, b: unknown) => isDeepStrictEqual(asStored(a), asStored(b));
const isAmong = (entries: readonly unknown[], entry: unknown) => entries.some((one) => isSame(one, entry));

function entriesPutBack(now: unknown, before: unknown, after: unknown): unknown {
  if (isSame(now, after)) return before;
  if (Array.isArray(now) && Array.isArray(before) && Array.isArray(after)) {
    // In their former order, with new entries before or after them as they are now.
    const isNew = (entry: unknown) => !isAmong(after, entry);
    const first = now.findIndex((entry) => !isNew(entry));
    const [ahead, rest] = first < 0 ? [now, []] : [now.slice(0, first), now.slice(first)];
    const behind = rest.filter(isNew);
    const stays = before.filter((entry) =>
      isNew(entry) ? !isAmong([...ahead, ...behind], entry) : isAmong(now, entry),
    );
    return [...ahead, ...stays, ...behind];
  }
  return Object.fromEntries(
    entriesPutBack(
      Object.entries(now as object),
      Object.entries(before as object),
      Object.entries(after as object),
    ) as [string, unknown][],
  );
}

type Columns = Partial<PatientSnapshot>;

/** The restored fields of `now`. Fields that an earlier version did not store stay. */
function columnsPutBack(now: Columns, before: Columns, after: Columns): Columns {
  const become: Record<string, unknown> = { ...now };
  const isLeft = (field: keyof Columns) => isSame(now[field], after[field]);
  const isChanged = (field: keyof Columns) => !isSame(before[field], after[field]);
  for (const field of Object.keys(now) as (keyof Columns)[]) {
    const kind = kinds[field];
    const group = decisive[kind] ?? [];
    if (kind === 'openly' || before[field] === undefined) continue;
    if (kind === 'list') become[field] = entriesPutBack(now[field], before[field], after[field]);
    else if (group.some(isChanged) ? group.every(isLeft) : isChanged(field) && isLeft(field))
      become[field] = before[field];
  }
  return become as Columns;
}

/** A number of the older record, with its sources before and after the merge. */
export interface Retold {
  before: PersonIdentifier;
  after: PersonIdentifier;
}

export const retoldIn = (before: readonly PersonIdentifier[], after: readonly PersonIdentifier[]): Retold[] =>
  before.map((one) => ({ before: one, after: after.find((other) => sameIdentifier(one, other))! }));

/** What a merge did to the older patient. */
export interface PatientMerged {
  before: PatientSnapshot;
  after: PatientSnapshot;
  /** The numbers that the merge added. */
  identifiers: readonly PersonIdentifier[];
  /** The numbers that existed before. Earlier versions left them out. */
  retold?: readonly Retold[];
}

/** What a record reveals about who has seen the person, and with which families. */
export interface RecordOfPerson {
  organizationId: string | null;
  facilityId: string | null;
  family: string | null;
}

/**
 * Restores a patient as it was before a merge, except for later changes. `records`: the records that it keeps; the
 * places that reported one of them still see the patient. Returns the removed numbers.
 */
export function putPatientBack(
  patient: PatientRecord,
  { before, after, identifiers, retold = [] }: PatientMerged,
  records: readonly RecordOfPerson[],
  restricted: readonly string[],
): PersonIdentifier[] {
  const isOpenAsLeft = isSame(patient.openly, after.openly);
  const open = openFactsOf(patient, restricted);
  Object.assign(patient, columnsPutBack(snapshot(patient), before, after));
  const among = (known: readonly string[], place: string | null) =>
    place !== null && known.includes(place) ? place : null;
  for (const { organizationId, facilityId, family } of records) {
    seenBy(
      patient,
      among(after.organizationIds, organizationId),
      among(after.facilityIds, facilityId),
      restricted.includes(family ?? ''),
    );
    if (after.diseaseFamilies.includes(family ?? '-')) recordedWith(patient, family);
  }
  // A person who was known only by restricted reports, and no longer is, shows nothing of these openly.
  const isHidden = areRestricted(patient.diseaseFamilies, restricted);
  const untold =
    areRestricted(before.diseaseFamilies, restricted) && !isHidden ? before.diseaseFamilies : null;
  const gone = putNumbersBack(patient, identifiers, retold, untold, {
    before: viewersOf(before),
    after: viewersOf(after),
    now: viewersOf(patient),
  });
  // The keys are compared with the stored ones.
  patient.keysChanged = true;
  if (isHidden) patient.openly = null;
  else if (isOpenAsLeft && untold === null) patient.openly = before.openly;
  else
    showOpenly(
      patient,
      patient,
      columnsPutBack(open, openFactsOf(before, restricted), openFactsOf(after, restricted)) as OpenFacts,
    );
  return gone;
}

const tellingOf = ({ toldBy = null, toldIn = null }: PersonIdentifier) => ({ toldBy, toldIn });

/** The organizations and facilities that see a person before a merge, after it, and after its undo. */
interface Viewers {
  before: readonly string[];
  after: readonly string[];
  now: readonly string[];
}
const viewersOf = ({ organizationIds, facilityIds }: PatientSnapshot) => [...organizationIds, ...facilityIds];

/** Null means all places that saw the person at the time of the report, not those that reported the person later. */
function tellersPutBack(
  now: readonly string[] | null,
  before: readonly string[] | null,
  after: readonly string[] | null,
  viewers: Viewers,
): readonly string[] | null {
  const isForAll = before === null && viewers.now.every((one) => viewers.before.includes(one));
  if (now === null || isForAll) return before;
  return entriesPutBack(now, before ?? viewers.before, after ?? viewers.after) as string[];
}

/**
 * Numbers that the merge added are removed, unless someone else has reported them since for the older record; the
 * others keep their former and later sources. `untold`: the families of all reports that contained them; `viewers`:
 * who saw the person, which null stands for.
 */
function putNumbersBack(
  patient: PatientRecord,
  brought: readonly PersonIdentifier[],
  retold: readonly Retold[],
  untold: readonly string[] | null,
  viewers: Viewers,
): PersonIdentifier[] {
  const gone: PersonIdentifier[] = [];
  const take = (identifier: PersonIdentifier, { toldBy, toldIn }: ReturnType<typeof tellingOf>) => {
    if (isSame(tellingOf(identifier), { toldBy, toldIn })) return;
    identifier.toldBy = toldBy;
    identifier.toldIn = toldIn;
    patient.retoldIdentifiers.push(identifier);
  };
  for (const identifier of patient.identifiers) {
    const now = tellingOf(identifier);
    const change = retold.find(({ after }) => sameIdentifier(after, identifier));
    const fresh = brought.find((one) => sameIdentifier(one, identifier));
    if (change) {
      const [before, after] = [tellingOf(change.before), tellingOf(change.after)];
      take(identifier, {
        toldBy: tellersPutBack(now.toldBy, before.toldBy, after.toldBy, viewers),
        toldIn: isSame(now.toldIn, after.toldIn) ? (before.toldIn ?? untold) : now.toldIn,
      });
    } else if (fresh) {
      const after = tellingOf(fresh);
      const since = now.toldBy?.filter((one) => !after.toldBy?.includes(one)) ?? [];
      if (isSame(now, after)) gone.push(identifier);
      else take(identifier, { toldBy: since.length > 0 ? since : now.toldBy, toldIn: now.toldIn });
    }
  }
  patient.identifiers = patient.identifiers.filter((one) => !gone.includes(one));
  return gone;
}
