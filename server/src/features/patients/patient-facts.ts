import { addDays } from '@caseway/contract/date-range';
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
  RowPerson,
  Time,
} from '../reported/report.ts';
import { identifying, type Name, type PersonIdentifier, type PreparedPerson, prepare } from './matching.ts';

/** The facts of one report about a person, in the terms of the patient table. Null if the report does not say. */
export interface PatientFacts {
  /** The main name first, then every other one; empty for an anonymous report. */
  names: Name[];
  birthDate: string | null;
  birthDatePrecision: 'day' | 'month' | 'year' | null;
  /** The first and last possible day of birth for a stated age; null if a birth date is given, or neither. */
  bornFrom: string | null;
  bornTo: string | null;
  sexAtBirth: string | null;
  genderIdentity: string | null;
  sexualOrientation: string | null;
  races: string[];
  /** The one category that is counted: `multiple` if several were answered. */
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

/** Nothing is known of them yet. */
export const nobody: PatientFacts = {
  names: [],
  birthDate: null,
  birthDatePrecision: null,
  bornFrom: null,
  bornTo: null,
  sexAtBirth: null,
  genderIdentity: null,
  sexualOrientation: null,
  races: [],
  race: null,
  ethnicity: null,
  rawDemographics: {},
  languageCode: null,
  deceased: null,
  deceasedOn: null,
  street: null,
  street2: null,
  city: null,
  stateFips: null,
  postalCode: null,
  countyFips: null,
  countryCode: null,
  phones: [],
  emails: [],
  identifiers: [],
};

/** The location of an address, as far as the reference data has it. */
export interface Geography {
  /** Two-digit FIPS code of a state given as USPS code, FIPS code or name. */
  stateFips(state: string): string | null;
  /** ISO 3166-1 alpha-2 code of a country given as a code or a name. */
  countryCode(country: string): string | null;
  /** Five-digit FIPS code of the county, from any part of the address; null if unknown. */
  countyFips(address: { stateFips: string | null; county?: string; city?: string }): string | null;
}

/** Maps an answer to a demographic question to a code of the code lists, by code or word; null if there is none. */
export type DemographicCode = (
  list: 'genderIdentity' | 'sexualOrientation' | 'language',
  codes: readonly { code?: string; text?: string }[],
) => string | null;

export interface FactsContext {
  geography: Geography;
  demographicCode: DemographicCode;
  /** False if the tenant records neither gender identity nor sexual orientation. */
  genderIdentityKept: boolean;
  /** Today in the tenant's time zone. */
  today(): string;
}

/** HL7 table 0203 types that number a person; others number a visit, an account, a birth certificate … */
const personal = new Set(
  'MR PI PT PN SS MA MC MCD MCR DL PPN NI NIIP NH JHN SR WC MI EI EN RRI HC U'.split(' '),
);
/** Wordings with the same meaning as the sender's. */
const universal = new Set(['SS', 'MA', 'MC', 'MCD', 'MCR', 'DL', 'PPN']);

/** HL7 table 0190 types that are not a place of residence. */
const notResidence = new Set(['BA', 'B', 'O', 'F', 'N']);

const nameOf = (name: PersonName): Name => ({
  last: name.family ?? null,
  first: name.given ?? null,
  middle: name.middle ?? null,
  suffix: name.suffix ?? null,
});

/** Words instead of a name. A pseudonym (HL7 table 0200: S) is not a name either. */
const noName =
  /^(unknown|unk|anonymous|anon|no ?name|n\/?a|none|not (available|given|provided)|-+|\.+|\*+|x+|patient|test)$/i;
const isNamed = ({ family, given, type }: PersonName): boolean =>
  type !== 'S' && [family, given].some((part) => part !== undefined && !noName.test(part));

function birthOf(birth: Time | undefined): Pick<PatientFacts, 'birthDate' | 'birthDatePrecision'> {
  if (!birth) return { birthDate: null, birthDatePrecision: null };
  // The calendar date as sent, because a birthday has no time zone.
  const precision = birth.precision === 'year' || birth.precision === 'month' ? birth.precision : 'day';
  const rest = precision === 'year' ? '-01-01' : precision === 'month' ? '-01' : '';
  return { birthDate: birth.value + rest, birthDatePrecision: precision };
}

const daysPerUnit: Record<Age['unit'], number> = {
  a: 365.25, mo: 365.25 / 12, wk: 7, d: 1, h: 1 / 24, min: 1 / 1440,
}; // biome-ignore format: one line reads as the table

/** The first and last possible day of birth of a person with an age on a day. */
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
    // A number without an issuer was issued by the sender.
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
 * Whether facts identify a person, so that two equal reports are about one person: an identifying number, or a whole
 * name with an exact birth date.
 */
export const tellsWho = ({ identifiers, names, birthDate, birthDatePrecision }: PatientFacts): boolean =>
  identifiers.some(identifying) ||
  (birthDate !== null &&
    birthDatePrecision === 'day' &&
    names.some(({ last, first }) => Boolean(last && first)));

/** The codes and words in an answer. */
export const answerCodes = (values: readonly ObservationValue[]): { code?: string; text?: string }[] =>
  values.flatMap((value) =>
    value.kind === 'coded'
      ? [...value.coded.codes, { text: value.coded.text }]
      : value.kind === 'text'
        ? [{ text: value.text }]
        : [],
  );

/**
 * The facts of a laboratory report about its patient. `sender` is the assigner of identifiers that do not name one.
 */
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

/** The day for a stated age: when the specimen was taken, or else when it was reported. */
const dayOfReport = ({ header, orders }: LabReport): string | undefined =>
  orders.map(({ specimens, collected }) => specimens[0]?.collected?.day ?? collected?.day).find(Boolean) ??
  orders.map(({ reported }) => reported?.day).find(Boolean) ??
  header.sent?.day;

/** The day that a case is counted by, from the days in its row. */
export const dayOfRow = ({
  specimenCollected,
  onset,
  reported,
  diagnosed,
  hospitalized,
}: CaseReportRow): string | undefined =>
  specimenCollected?.day ?? onset?.day ?? reported?.day ?? diagnosed?.day ?? hospitalized?.day;

/** The facts of one row of a line list about its person. */
export const factsOfCase = (row: CaseReportRow, sender: string, context: FactsContext): PatientFacts => ({
  ...factsOfRow(row, dayOfRow(row), sender, context),
  deceased: row.outcome === 'died' ? true : null,
  deceasedOn: row.outcome === 'died' ? (row.outcomeDate?.day ?? null) : null,
});

/** The facts of one row of any list about its person. `day`: the day for a stated age. */
export function factsOfRow(
  row: RowPerson,
  day: string | undefined,
  sender: string,
  context: FactsContext,
): PatientFacts {
  // A short number is a position in the list, and the next list begins at 1 again.
  const identifies = row.patientId !== undefined && !/^\d{1,5}$/.test(row.patientId);
  const identifiers: Identifier[] = identifies ? [{ value: row.patientId!, type: 'PI' }] : [];
  return {
    names: row.name && isNamed(row.name) ? [nameOf(row.name)] : [],
    ...birthOf(row.birth),
    ...bornBetween(row.birth, row.age, day ?? context.today()),
    sexAtBirth: row.sex ?? null,
    genderIdentity: null,
    sexualOrientation: null,
    ...raceOf(row.races),
    ethnicity: row.ethnicities.find(({ cdc }) => cdc !== undefined)?.cdc ?? null,
    rawDemographics: rawDemographics(row),
    languageCode: null,
    deceased: null,
    deceasedOn: null,
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
 * The age in whole years on a day: from the birth date if its day is known, otherwise from the stated age. Null if
 * neither is known, or if the birth is after the day.
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
  // If only the year is known, half of them have had their birthday.
  if (facts.birthDate && on) return Math.max(0, Number(on.slice(0, 4)) - Number(facts.birthDate.slice(0, 4)));
  return null;
}

export const prepareFacts = (facts: PatientFacts): PreparedPerson =>
  prepare({ ...facts, sex: facts.sexAtBirth, phones: facts.phones });
