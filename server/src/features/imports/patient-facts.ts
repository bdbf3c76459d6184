import { addDays } from '@caseway/contract/date-range';
import { keysOfPatient } from '../../platform/search-keys.ts';
import {
  blockKeys,
  identifying,
  type Name,
  type PersonIdentifier,
  type PreparedPerson,
  prepare,
} from './matching.ts';
import type {
  Address,
  Age,
  Answer,
  CaseReportRow,
  Heritage,
  Identifier,
  LabReport,
  ObservationValue,
  PersonName,
  Phone,
  ReportPatient,
  Time,
} from './report.ts';

/** What one report tells about a person, in the terms of the patient table. Null is what it does not tell. */
export interface PatientFacts {
  /** The name it goes by first, then every other one; empty for an anonymous report. */
  names: Name[];
  birthDate: string | null;
  birthDatePrecision: 'day' | 'month' | 'year' | null;
  /** The first and the last day of birth that a stated age allows; null where a birth date is told, or neither. */
  bornFrom: string | null;
  bornTo: string | null;
  sexAtBirth: string | null;
  genderIdentity: string | null;
  sexualOrientation: string | null;
  races: string[];
  /** The one category counted: `multiple` when several were answered. */
  race: string | null;
  ethnicity: string | null;
  rawDemographics: Record<string, unknown>;
  languageCode: string | null;
  deceased: boolean | null;
  deceasedOn: string | null;
  street: string | null;
  street2: string | null;
  city: string | null;
  stateFips: string | null;
  postalCode: string | null;
  countyFips: string | null;
  countryCode: string | null;
  phones: string[];
  emails: string[];
  identifiers: PersonIdentifier[];
}

/** Where an address lies, as far as the reference data knows. */
export interface Geography {
  /** Two-digit FIPS code of a state given as USPS code, FIPS code or name. */
  stateFips(state: string): string | null;
  /** ISO 3166-1 alpha-2 code of a country given as a code or a name. */
  countryCode(country: string): string | null;
  /** Five-digit FIPS code of the county, from whatever is told of it; null when it cannot be told. */
  countyFips(address: { stateFips: string | null; county?: string; city?: string }): string | null;
}

/** Maps an answer to a demographic question to its code of the code lists, by code or word; null when it has none. */
export type DemographicCode = (
  list: 'genderIdentity' | 'sexualOrientation' | 'language',
  codes: readonly { code?: string; text?: string }[],
) => string | null;

export interface FactsContext {
  geography: Geography;
  demographicCode: DemographicCode;
  /** False where the tenant keeps neither gender identity nor sexual orientation. */
  genderIdentityKept: boolean;
  /** Today in the tenant's time zone. */
  today(): string;
}

/** HL7 table 0203 types that number a person; the others number a visit, an account, a birth certificate … */
const personal = new Set(
  'MR PI PT PN SS MA MC MCD MCR DL PPN NI NIIP NH JHN SR WC MI EI EN RRI HC U'.split(' '),
);
/** Those that mean the same whoever sends them. */
const universal = new Set(['SS', 'MA', 'MC', 'MCD', 'MCR', 'DL', 'PPN']);

/** HL7 table 0190 types that are no place of residence. */
const notResidence = new Set(['BA', 'B', 'O', 'F', 'N']);

const nameOf = (name: PersonName): Name => ({
  last: name.family ?? null,
  first: name.given ?? null,
  middle: name.middle ?? null,
  suffix: name.suffix ?? null,
});

/** Words that stand where a name belongs. A pseudonym (HL7 table 0200: S) is no name either. */
const noName =
  /^(unknown|unk|anonymous|anon|no ?name|n\/?a|none|not (available|given|provided)|-+|\.+|\*+|x+|patient|test)$/i;
const isNamed = ({ family, given, type }: PersonName): boolean =>
  type !== 'S' && [family, given].some((part) => part !== undefined && !noName.test(part));

function birthOf(birth: Time | undefined): Pick<PatientFacts, 'birthDate' | 'birthDatePrecision'> {
  if (!birth) return { birthDate: null, birthDatePrecision: null };
  // The calendar value as sent: a birthday has no time zone.
  const precision = birth.precision === 'year' || birth.precision === 'month' ? birth.precision : 'day';
  const rest = precision === 'year' ? '-01-01' : precision === 'month' ? '-01' : '';
  return { birthDate: birth.value + rest, birthDatePrecision: precision };
}

const daysPerUnit: Record<Age['unit'], number> = {
  a: 365.25, mo: 365.25 / 12, wk: 7, d: 1, h: 1 / 24, min: 1 / 1440,
}; // biome-ignore format: one line reads as the table

/** Between which days somebody was born who was of an age on a day. */
function bornBetween(
  birth: Time | undefined,
  age: Age | undefined,
  on: string,
): Pick<PatientFacts, 'bornFrom' | 'bornTo'> {
  if (birth || !age) return { bornFrom: null, bornTo: null };
  const unit = daysPerUnit[age.unit];
  return {
    bornFrom: addDays(on, -Math.ceil((age.value + 1) * unit)),
    bornTo: addDays(on, -Math.floor(age.value * unit)),
  };
}

function raceOf(heritages: readonly Heritage[]): Pick<PatientFacts, 'races' | 'race'> {
  const codes = [...new Set(heritages.map(({ cdc }) => cdc).filter((code) => code !== undefined))];
  const answered = codes.filter((code) => code !== 'UNK' && code !== 'ASKU');
  return { races: codes, race: answered.length > 1 ? 'multiple' : (answered[0] ?? codes[0] ?? null) };
}

const phoneText = (phone: Phone) => phone.e164 ?? phone.raw;

function identifiersOf(identifiers: readonly Identifier[], sender: string): PersonIdentifier[] {
  return identifiers.flatMap(({ value, type, assigner }) => {
    const kind = (type ?? 'U').toUpperCase();
    if (!personal.has(kind)) return [];
    // A number that does not say who gave it was given by whoever sent it.
    const by = universal.has(kind) ? '' : (assigner?.id ?? assigner?.name ?? sender);
    return [{ kind, assigner: by.trim().toLowerCase(), value: value.trim() }];
  });
}

function addressFacts(address: Address | undefined, { geography }: FactsContext) {
  if (!address)
    return {
      street: null,
      street2: null,
      city: null,
      stateFips: null,
      postalCode: null,
      countyFips: null,
      countryCode: null,
    };
  const stateFips =
    (address.state ? geography.stateFips(address.state) : null) ?? address.countyFips?.slice(0, 2) ?? null;
  return {
    street: address.street ?? null,
    street2: address.street2 ?? null,
    city: address.city ?? null,
    stateFips,
    postalCode: address.zip ?? null,
    countyFips: geography.countyFips({
      stateFips,
      county: address.countyFips ?? address.county,
      city: address.city,
    }),
    countryCode: address.country ? geography.countryCode(address.country) : null,
  };
}

const residenceOf = (addresses: readonly Address[]): Address | undefined =>
  addresses.find(({ type }) => type === 'H' || type === 'C' || type === 'P') ??
  addresses.find(({ type }) => type === undefined || !notResidence.has(type));

/**
 * Whether facts say who somebody is, so that the same told twice is told about one person: a number that identifies,
 * or a whole name with a birth date to the day.
 */
export const tellsWho = ({ identifiers, names, birthDate, birthDatePrecision }: PatientFacts): boolean =>
  identifiers.some(identifying) ||
  (birthDate !== null &&
    birthDatePrecision === 'day' &&
    names.some(({ last, first }) => Boolean(last && first)));

/** The codes and words an answer holds. */
export const answerCodes = (values: readonly ObservationValue[]): { code?: string; text?: string }[] =>
  values.flatMap((value) =>
    value.kind === 'coded'
      ? [...value.coded.codes, { text: value.coded.text }]
      : value.kind === 'text'
        ? [{ text: value.text }]
        : [],
  );

/** What a laboratory report tells about its patient. `sender` names who assigned identifiers that do not say so. */
export function factsOfReport(report: LabReport, sender: string, context: FactsContext): PatientFacts {
  const { patient } = report;
  const answers = [...report.answers, ...report.orders.flatMap((order) => order.answers)];
  const asked = (question: Answer['question'], list: 'genderIdentity' | 'sexualOrientation') => {
    const answer = context.genderIdentityKept
      ? answers.find((candidate) => candidate.question === question)
      : undefined;
    return answer ? context.demographicCode(list, answerCodes(answer.values)) : null;
  };
  const died = answers.some((answer) => answer.question === 'died' && saysYes(answer.values));
  const named = patient.names.filter(isNamed);
  return {
    names: named.map(nameOf),
    ...birthOf(patient.birth),
    ...bornBetween(patient.birth, report.age, dayOfReport(report) ?? context.today()),
    sexAtBirth: patient.sex ?? null,
    genderIdentity: asked('gender-identity', 'genderIdentity'),
    sexualOrientation: asked('sexual-orientation', 'sexualOrientation'),
    ...raceOf(patient.races),
    ethnicity: patient.ethnicities.find(({ cdc }) => cdc !== undefined)?.cdc ?? null,
    rawDemographics: rawDemographics(patient),
    languageCode: patient.language
      ? context.demographicCode('language', [...patient.language.codes, { text: patient.language.text }])
      : null,
    deceased: patient.deceased ?? (died ? true : null),
    deceasedOn: patient.death?.day ?? null,
    ...addressFacts(residenceOf(patient.addresses), context),
    phones: [
      ...new Set(
        patient.phones.filter(({ equipment }) => equipment !== 'FX' && equipment !== 'BP').map(phoneText),
      ),
    ],
    emails: [...new Set(patient.emails.map((email) => email.toLowerCase()))],
    identifiers: identifiersOf(patient.identifiers, sender),
  };
}

/** The day on which an age was stated: when the specimen was taken, else reported. */
const dayOfReport = ({ header, orders }: LabReport): string | undefined =>
  orders.map(({ specimens, collected }) => specimens[0]?.collected?.day ?? collected?.day).find(Boolean) ??
  orders.map(({ reported }) => reported?.day).find(Boolean) ??
  header.sent?.day;

/** The day a case is reckoned by, of those its row tells. */
export const dayOfRow = ({
  specimenCollected,
  onset,
  reported,
  diagnosed,
  hospitalized,
}: CaseReportRow): string | undefined =>
  specimenCollected?.day ?? onset?.day ?? reported?.day ?? diagnosed?.day ?? hospitalized?.day;

/** What one row of a line list tells about its person. */
export function factsOfCase(row: CaseReportRow, sender: string, context: FactsContext): PatientFacts {
  // A short number is a place in the list, and the next list begins at 1 again.
  const identifies = row.patientId !== undefined && !/^\d{1,5}$/.test(row.patientId);
  const identifiers: Identifier[] = identifies ? [{ value: row.patientId!, type: 'PI' }] : [];
  return {
    names: row.name && isNamed(row.name) ? [nameOf(row.name)] : [],
    ...birthOf(row.birth),
    ...bornBetween(row.birth, row.age, dayOfRow(row) ?? context.today()),
    sexAtBirth: row.sex ?? null,
    genderIdentity: null,
    sexualOrientation: null,
    ...raceOf(row.races),
    ethnicity: row.ethnicities.find(({ cdc }) => cdc !== undefined)?.cdc ?? null,
    rawDemographics: rawDemographics(row),
    languageCode: null,
    deceased: row.outcome === 'died' ? true : null,
    deceasedOn: row.outcome === 'died' ? (row.outcomeDate?.day ?? null) : null,
    ...addressFacts(row.address, context),
    phones: [...new Set(row.phones.map(phoneText))],
    emails: [...new Set(row.emails.map((email) => email.toLowerCase()))],
    identifiers: identifiersOf(identifiers, sender),
  };
}

function rawDemographics({
  races,
  ethnicities,
}: Pick<ReportPatient, 'races' | 'ethnicities'>): Record<string, unknown> {
  const words = (heritages: readonly Heritage[]) => heritages.map(({ raw }) => raw.text);
  return {
    ...(races.length > 0 && { race: words(races) }),
    ...(ethnicities.length > 0 && { ethnicity: words(ethnicities) }),
  };
}

/** HL7 table 0136 and SNOMED CT: yes. */
export const saysYes = (values: readonly ObservationValue[]): boolean =>
  answerCodes(values).some(
    ({ code, text }) => code === 'Y' || code === '373066001' || /^(y|yes|true)$/i.test(text ?? ''),
  );

/** HL7 table 0136 and SNOMED CT: no. */
export const saysNo = (values: readonly ObservationValue[]): boolean =>
  answerCodes(values).some(
    ({ code, text }) => code === 'N' || code === '373067005' || /^(n|no|false)$/i.test(text ?? ''),
  );

/**
 * The age in whole years on a day: from the birth date when its day is known or, otherwise, from what the sender
 * stated. Null when neither says, or when the birth lies after the day.
 */
export function ageInYears(
  facts: Pick<PatientFacts, 'birthDate' | 'birthDatePrecision'>,
  stated: Age | undefined,
  on: string | null,
): number | null {
  if (facts.birthDate && facts.birthDatePrecision === 'day' && on) {
    const years =
      Number(on.slice(0, 4)) -
      Number(facts.birthDate.slice(0, 4)) -
      (on.slice(5) < facts.birthDate.slice(5) ? 1 : 0);
    return years >= 0 && years <= 150 ? years : null;
  }
  if (stated) {
    const perYear = { a: 1, mo: 12, wk: 365.25 / 7, d: 365.25, h: 8766, min: 525_960 }[stated.unit];
    return Math.floor(stated.value / perYear);
  }
  // Only the year is known: half of them have had their birthday.
  if (facts.birthDate && on) return Math.max(0, Number(on.slice(0, 4)) - Number(facts.birthDate.slice(0, 4)));
  return null;
}

// — A patient's record —

/** A patient as the importer holds it while a batch is worked out: the row, its identifiers, and what changed. */
export interface PatientRecord extends PatientFacts {
  id: string;
  isNew: boolean;
  changed: boolean;
  /** Whether something changed by which it is found. */
  keysChanged: boolean;
  /** When the report was made that last told address, telephone and the like. */
  informedAt: string | null;
  organizationIds: string[];
  facilityIds: string[];
  /** Families of which there are results or cases; `-` for a result of none that is told. [P18] */
  diseaseFamilies: string[];
  /**
   * The organizations and facilities that have told everything that stands on the row; null: the tenant alone has, or all
   * who see the person. Others of them are shown name, birth date and sex. [P23]
   */
  toldBy: string[] | null;
  /** What is known without reports of restricted families; null: everything on the row. [P18] */
  openly: OpenFacts | null;
  newIdentifiers: PersonIdentifier[];
  /** Stored ones that somebody else reported as well. */
  retoldIdentifiers: PersonIdentifier[];
  prepared: PreparedPerson;
  /** The keys that are stored for it; undefined as long as they have not changed, or where nobody has kept them. */
  keysBefore?: PatientKeys;
}

/** What a patient's row holds, identifiers aside: each of these says itself who may see it. */
export type OpenFacts = Omit<PatientFacts, 'identifiers'> & { informedAt: string | null };

/** By which a patient is found: compared with reports, and searched by people. */
export interface PatientKeys {
  comparison: readonly string[];
  search: readonly string[];
}

export const keysOfRecord = (patient: PatientRecord): PatientKeys => ({
  comparison: blockKeys(patient.prepared),
  search: [...new Set([...searchKeysOf(patient, patient.identifiers), ...openKeysOf(patient)])],
});

/** The keys by which readers who may not see restricted families find the person, where they are not all. [P18] */
export const openKeysOf = ({ openly, identifiers }: PatientRecord): string[] =>
  openly
    ? searchKeysOf(
        openly,
        identifiers.filter(({ toldIn }) => !toldIn),
      )
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

export const prepareFacts = (facts: PatientFacts): PreparedPerson =>
  prepare({ ...facts, sex: facts.sexAtBirth, phones: facts.phones });

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
/** Nothing is known: `U` is what HL7 writes for an unknown sex. */
const blank = (value: unknown) =>
  value === null || value === '' || value === 'UNK' || value === 'ASKU' || value === 'U';
const sameName = (a: Name, b: Name) =>
  (['last', 'first', 'middle', 'suffix'] as const).every(
    (part) => (a[part] ?? '').toLowerCase() === (b[part] ?? '').toLowerCase(),
  );

/**
 * Brings a patient up to date with another report. What was blank is filled, whatever the report's age; address,
 * telephones and the like are taken from the newest report. The name stays, another spelling is kept beside it: which
 * of several names somebody goes by is for people to say. Birth date and sex are only filled or made more precise.
 * Answers whether it brought anything but numbers.
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
    // «Unknown» fills what nobody has asked, and any answer fills «unknown».
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

  // An address is taken as a whole: half of an old one beside half of a new one is nobody's.
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
    if (
      !patient.identifiers.some(
        ({ kind, assigner, value }) =>
          kind === identifier.kind && assigner === identifier.assigner && value === identifier.value,
      )
    ) {
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
  // The street is compared as well, though nobody is found by it.
  if (patient.keysChanged || patient.street !== before.street) patient.prepared = prepareFacts(patient);
  return brought;
}

/** Those who saw a person before a report, and whether the report brought anything. */
export interface Telling {
  isNew: boolean;
  brought: boolean;
  viewers: readonly string[];
}

/**
 * Notes who has told what stands on a patient's row, after a report that these organizations and facilities have told;
 * none: the tenant, which may tell everybody. [P23]
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
    const isTold = told.some(
      ({ kind, assigner, value }) =>
        kind === identifier.kind && assigner === identifier.assigner && value === identifier.value,
    );
    const isFresh = isNew || patient.newIdentifiers.includes(identifier);
    const known = identifier.toldBy ?? (isFresh ? [] : everybody);
    const now = known === null ? null : [...new Set([...known, ...(isTold ? tellers : [])])];
    if (JSON.stringify(now) === JSON.stringify(identifier.toldBy ?? null)) continue;
    identifier.toldBy = now;
    if (!patient.newIdentifiers.includes(identifier)) patient.retoldIdentifiers.push(identifier);
  }
}

/** Notes that there is a record of a disease family about this person, or of none that is told. [P18] */
export function recordedWith(patient: PatientRecord, family: string | null): void {
  const noted = family ?? '-';
  if (patient.diseaseFamilies.includes(noted)) return;
  patient.diseaseFamilies = [...patient.diseaseFamilies, noted];
  patient.changed = true;
}

/** Notes that an organisation or facility has tested or reported this person. */
export function seenBy(
  patient: PatientRecord,
  organizationId: string | null,
  facilityId: string | null,
): void {
  if (organizationId && !patient.organizationIds.includes(organizationId)) {
    patient.organizationIds = [...patient.organizationIds, organizationId];
    patient.changed = true;
  }
  if (facilityId && !patient.facilityIds.includes(facilityId)) {
    patient.facilityIds = [...patient.facilityIds, facilityId];
    patient.changed = true;
  }
}
