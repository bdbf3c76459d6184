import { isDeepStrictEqual } from 'node:util';
import { type PersonIdentifier, sameIdentifier } from '../patients/matching.ts';
import { areRestricted, openFactsOf, showOpenly } from '../patients/open-facts.ts';
import { type OpenFacts, type PatientRecord, recordedWith, seenBy } from '../patients/patient-record.ts';

/*
 * What a merge made of the older patient's row and numbers, and how undo takes it back. What a later report or a person
 * has changed since is theirs; everything else becomes what it was.
 */

/** What of the importer's record is no column of the row: the rest has to be put back. */
type Beside =
  | 'id' | 'isNew' | 'changed' | 'keysChanged' | 'keysBefore' | 'prepared' | 'identifiers' | 'newIdentifiers'
  | 'retoldIdentifiers' | 'sightBefore'; // biome-ignore format: a list
export type PatientSnapshot = Omit<PatientRecord, Beside>;

/**
 * How each column is put back. `value`: where it is still as the merge left it. `list`: without the entries that the merge
 * added, with those it dropped, also after later changes. The name of a group: all of the group together or nothing,
 * because half of one address joined to half of another is wrong. `openly` is put back on its own.
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

/** The columns that show whether a group is still as the merge left it; the other columns follow them. */
const decisive: Partial<Record<string, readonly (keyof OpenFacts)[]>> = {
  birth: ['birthDate', 'bornFrom'],
  race: ['race'],
  address: ['street', 'city', 'postalCode'],
};

/** The columns of a record's row, to be kept. */
export const snapshot = (patient: PatientRecord): PatientSnapshot =>
  Object.fromEntries(fields.map((field) => [field, patient[field]])) as unknown as PatientSnapshot;

/** A value as JSON gives it back. The order of its properties means nothing: PostgreSQL keeps none. */
const asStored = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));
const isSame = (a: unknown, b: unknown) => isDeepStrictEqual(asStored(a), asStored(b));
const isAmong = (entries: readonly unknown[], entry: unknown) => entries.some((one) => isSame(one, entry));

function entriesPutBack(now: unknown, before: unknown, after: unknown): unknown {
  if (isSame(now, after)) return before;
  if (Array.isArray(now) && Array.isArray(before) && Array.isArray(after)) {
    // In the order that they had, with what is new before or behind them, as it is now.
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

/** The fields of `now` as they become. What an earlier version has not kept stays. */
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

/** A number of the older record, with who had told it before the merge and after it. */
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
  /** The numbers that it brought. */
  identifiers: readonly PersonIdentifier[];
  /** The numbers that were there. Left out by earlier versions. */
  retold?: readonly Retold[];
}

/** What a record of a person says of who has seen the person, and with what. */
export interface RecordOfPerson {
  organizationId: string | null;
  facilityId: string | null;
  family: string | null;
}

/**
 * Restores a patient as it was before a merge, except for later changes. `records`: those that it keeps; the places that
 * reported one of them still see it. Returns the numbers that are removed.
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
  // Of somebody who was known by restricted reports alone, and is not any more, nothing of these is open.
  const isHidden = areRestricted(patient.diseaseFamilies, restricted);
  const untold =
    areRestricted(before.diseaseFamilies, restricted) && !isHidden ? before.diseaseFamilies : null;
  const gone = putNumbersBack(patient, identifiers, retold, untold, {
    before: viewersOf(before),
    after: viewersOf(after),
    now: viewersOf(patient),
  });
  // The keys are compared with those that are stored.
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

/** The organizations and facilities that see a person before a merge, after it, and when it is undone. */
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
 * Those that the merge brought go, unless somebody else has told them since, of the older record; the others are told by
 * those who had told them, and who have since. `untold`: the families of all reports that had told them; `viewers`: who saw
 * the person, whom null stands for.
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
