import { readFileSync } from 'node:fs';
import { foldLabel } from '../../platform/text/fold.ts';
import { type AnalyteKind, analyteKindOf } from './analyte.ts';
import { foldText, type ReadText, type TextReading, textReader } from './result-text.ts';
import type {
  AgeBand,
  CaseRule,
  Condition,
  DemographicLists,
  DiseaseCategory,
  DiseaseFamily,
  LaboratoryTest,
  ListEntry,
  ListName,
  Organism,
  PatientWords,
  ResultCategory,
  ResultCategoryEntry,
  ResultCode,
  ResultStatus,
  ResultWords,
  RoutineTest,
  SpecimenType,
  TestMethod,
} from './schema.ts';

/**
 * The reference data of the product, read once from server/seeds/reference and looked up by code in constant time.
 * Pure: no database. SOURCES.md in that folder names the source of every file.
 */

const folder = new URL('../../../seeds/reference/', import.meta.url);
const load = <T>(file: string): T => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as T;

export const diseaseCategories: readonly DiseaseCategory[] = load('disease-categories.json');
export const diseaseFamilies: readonly DiseaseFamily[] = load('disease-families.json');
/** Codes of the disease families that are restricted in every tenant. [P18] */
export const alwaysRestricted: readonly string[] = diseaseFamilies.flatMap(({ code, restricted }) =>
  restricted ? [code] : [],
);
/** Codes of those that guardians of minors see only where the tenant's rules list them: HIV and STI, and restricted ones. */
export const sensitiveForGuardians: readonly string[] = diseaseFamilies.flatMap(
  ({ code, category, restricted }) => (restricted || ['hiv', 'sti'].includes(category) ? [code] : []),
);
export const conditions: readonly Condition[] = load('conditions.json');
export const laboratoryTests: readonly LaboratoryTest[] = load('tests.json');
export const routineTests: readonly RoutineTest[] = load('routine-tests.json');
export const resultCategories: readonly ResultCategoryEntry[] = load('result-categories.json');
export const resultStatuses: readonly ResultStatus[] = load('result-statuses.json');
export const resultCodes: readonly ResultCode[] = load('result-codes.json');
export const resultWords: readonly ResultWords[] = load('result-words.json');
export const organisms: readonly Organism[] = load('organisms.json');
export const caseRules: readonly CaseRule[] = load('case-rules.json');
export const patientWords: PatientWords = load('patient-words.json');
export const specimenTypes: readonly SpecimenType[] = load('specimen-types.json');
export const ageBands: readonly AgeBand[] = load('age-bands.json');
export const demographics: DemographicLists = load('demographics.json');

const index = <T>(list: readonly T[], key: (item: T) => string | undefined): ReadonlyMap<string, T> =>
  new Map(list.flatMap((item) => (key(item) === undefined ? [] : [[key(item)!, item] as const])));

const familyIndex = index(diseaseFamilies, (item) => item.code);
const conditionIndex = index(conditions, (item) => item.code);
const conditionByNndss = index(conditions, (item) => item.nndssCode);
const conditionBySnomed = index(conditions, (item) => item.snomedCode);
const testIndex = index(laboratoryTests, (item) => item.loinc);
const routineIndex = index(routineTests, (item) => item.loinc);
const organismIndex = index(organisms, (item) => item.snomedCode);
const resultCodeIndex = index(resultCodes, (item) => `${item.system}|${item.code}`);

export const familyByCode = (code: string): DiseaseFamily | undefined => familyIndex.get(code);
export const conditionByCode = (code: string): Condition | undefined => conditionIndex.get(code);
export const conditionByNndssCode = (code: string): Condition | undefined => conditionByNndss.get(code);
export const conditionBySnomedCode = (code: string): Condition | undefined => conditionBySnomed.get(code);
/** The target of a test; `unknown` for a test outside the catalogue. */
export const analyteKindOfLoinc = (loinc: string | null): AnalyteKind =>
  analyteKindOf(testIndex.get(loinc ?? ''));
export const testByLoinc = (loinc: string): LaboratoryTest | undefined => testIndex.get(loinc);

/** The declared kind of everyday work for a LOINC code whose results show no disease of the catalog. */
export const routineKindOf = (loinc: string): RoutineTest['kind'] | undefined =>
  routineIndex.get(loinc)?.kind;

/** The test of a code among the others of its order. The parts of a supplemental test count as one only together. */
export function testAmong(loinc: string, others: ReadonlySet<string>): LaboratoryTest | undefined {
  const test = testIndex.get(loinc);
  return test?.supplementalWith?.some((other) => others.has(other))
    ? { ...test, method: 'confirmatory-antibody' }
    : test;
}

/** The family of a condition. */
export function familyOf(conditionCode: string): DiseaseFamily | undefined {
  const found = conditionIndex.get(conditionCode);
  return found && familyIndex.get(found.family);
}

/** The status of a result from HL7 table 0085 (OBX-11) or 0123 (OBR-25). */
export const resultStatusOf = (code: string, table: 'HL70085' | 'HL70123'): ResultStatus | undefined =>
  resultStatuses.find((status) => (table === 'HL70085' ? status.hl70085 : status.hl70123).includes(code));

const listIndex = new Map<ListName, Map<string, ListEntry>>();
for (const [name, entries] of Object.entries(demographics) as [ListName, ListEntry[]][]) {
  const entriesByWord = new Map<string, ListEntry>();
  const add = (word: string, entry: ListEntry) => {
    if (!entriesByWord.has(foldLabel(word))) entriesByWord.set(foldLabel(word), entry);
  };
  // Codes come before labels and labels before other words, whatever the order of the entries.
  for (const entry of entries) add(entry.code, entry);
  for (const entry of entries) for (const coding of entry.codings) add(coding.code, entry);
  for (const entry of entries)
    for (const label of [entry.label, ...Object.values(entry.labelI18N)]) add(label, entry);
  for (const entry of entries) for (const alias of entry.aliases) add(alias, entry);
  listIndex.set(name, entriesByWord);
}

/** The entry of a list for a text: its code, its code in another system, a label or another word for it. */
export const listEntryOf = (name: ListName, written: string): ListEntry | undefined =>
  listIndex.get(name)!.get(foldLabel(written));

const specimenIndex = new Map<string, SpecimenType>();
for (const type of specimenTypes) {
  specimenIndex.set(type.code, type);
  specimenIndex.set(type.snomedCode, type);
  for (const hl7 of type.hl7Codes ?? []) specimenIndex.set(foldLabel(hl7), type);
}
for (const type of specimenTypes) {
  for (const word of [type.label, ...Object.values(type.labelI18N), ...type.aliases]) {
    if (!specimenIndex.has(foldLabel(word))) specimenIndex.set(foldLabel(word), type);
  }
}

/** The specimen type for a SNOMED CT code, an HL7 table 0487 or 0070 code, a label or another word for it. */
export const specimenTypeOf = (written: string): SpecimenType | undefined =>
  specimenIndex.get(foldLabel(written));

/** The age band of an age in whole years; `unknown` without an age. */
export function ageBandOf(years: number | null | undefined): AgeBand {
  const band =
    years === null || years === undefined || years < 0
      ? undefined
      : ageBands.find(
          (item) =>
            item.fromYears !== null &&
            years >= item.fromYears &&
            (item.toYears === null || years < item.toYears),
        );
  return band ?? ageBands.find((item) => item.fromYears === null)!;
}

/** An answer from a message or a file: any number of codings, a text, a flag, a number. */
export interface Answer {
  /** LOINC code of the answered test. */
  loinc?: string;
  code?: string;
  /** Name, OID or URI of the code system. A code without one counts as SNOMED CT if it exists there. */
  system?: string;
  text?: string;
  /** Further codings of the same answer, as in the second triplet of a CWE. */
  codings?: readonly { code?: string; system?: string; text?: string }[];
  /** Codes of HL7 table 0078. */
  abnormalFlag?: string | readonly string[];
  number?: number;
  /** The sign before the number, as in SN.1. */
  comparator?: string;
  /** UCUM unit of the number. */
  unit?: string;
  /** The laboratory's reference range, as written. */
  range?: string;
}

export interface ResultReading {
  category: ResultCategory;
  by: 'code' | 'text' | 'number' | 'flag';
  /** The organism that the answer names. */
  organism?: Organism;
  organismConditionCode?: string;
  /** Code and text of the answer contradict each other, so a person should review it. */
  textDisagrees?: true;
}

const systems: Readonly<Record<string, ResultCode['system']>> = {
  sct: 'SCT',
  snomed: 'SCT',
  'snomed-ct': 'SCT',
  'snomed ct': 'SCT',
  snomedct: 'SCT',
  snm: 'SCT',
  '2.16.840.1.113883.6.96': 'SCT',
  'http://snomed.info/sct': 'SCT',
  ln: 'LN',
  loinc: 'LN',
  '2.16.840.1.113883.6.1': 'LN',
  'http://loinc.org': 'LN',
  hl70078: 'HL70078',
  '2.16.840.1.113883.5.83': 'HL70078',
  '2.16.840.1.113883.12.78': 'HL70078',
  'http://terminology.hl7.org/codesystem/v2-0078': 'HL70078',
  'http://terminology.hl7.org/codesystem/v3-observationinterpretation': 'HL70078',
};

const unreadable: readonly TestMethod[] = ['question', 'susceptibility', 'narrative', 'control', 'routine'];
const uncategorised: readonly TestMethod[] = [
  ...unreadable,
  'quantity',
  'panel',
  'genotype',
  'antibody-band',
];

/** Whether a result of this test is incomplete without a category. */
export const expectsCategory = (test: LaboratoryTest): boolean =>
  !uncategorised.includes(test.method) || test.positiveFrom !== undefined;

/** Whether the test is answered in words, so that a number alone is neither yes nor no. */
export const answersInWords = (test: LaboratoryTest): boolean =>
  test.scale !== 'Qn' && expectsCategory(test) && test.positiveFrom === undefined;

const named = organisms
  .flatMap((item) =>
    [item.name, ...(item.otherNames ?? [])].map((name) => ({ name: foldText(name), organism: item })),
  )
  .sort((a, b) => b.name.length - a.name.length);
const readText = textReader(
  resultWords,
  named.map(({ name }) => name),
);

/** Whether a text only says that nothing else was found: it completes another answer, and is not an answer itself. */
export const nothingElseFound = (text: string): boolean => readText(text).nothingElse;

/**
 * The organism in texts, from the statements that are not negative. Undefined if there is none, if there are two
 * with different conditions, or if another statement excludes it.
 */
function organismFound(texts: readonly ReadText[]): Organism | undefined {
  const statements = texts.flatMap((text) => text.statements);
  if (statements.some(({ reading }) => reading === 'contradictory')) return undefined;
  const namedBy = (negative: boolean) =>
    statements
      .filter(({ reading }) => (reading === 'negative') === negative)
      .flatMap(({ names }) => names.map((at) => named[at]!.organism));
  const target = (item: Organism) => item.condition ?? item.family ?? item.snomedCode;
  const found = namedBy(false);
  const targets = new Set(found.map(target));
  if (targets.size !== 1 || namedBy(true).some((item) => targets.has(target(item)))) return undefined;
  return found[0];
}

const identifies = (test: LaboratoryTest | undefined) => test?.scale === 'Nom' && expectsCategory(test);
/** A test that identifies an organism, without a condition of its own: a positive answer has to name one. */
const mustName = (test: LaboratoryTest | undefined) =>
  identifies(test) && test?.condition === undefined && test?.family === undefined;
const isPositive = (reading: TextReading) =>
  reading === 'positive' || reading === 'presumptive-positive' || reading === 'weak-positive';
const opposite = (a: ResultCategory, b: TextReading) =>
  (a === 'negative' && isPositive(b)) || (b === 'negative' && isPositive(a));

/** The meaning of an organism: its disease family, or else itself. */
const meaningOf = ({ family, condition, snomedCode }: Organism) => family ?? condition ?? snomedCode;
/** Whether words name organisms, but none of the disease that the coded one means. */
function nameOthers(coded: Organism, texts: readonly ReadText[]): boolean {
  const meant = texts
    .flatMap(({ statements }) => statements)
    .filter(({ reading }) => reading !== 'negative')
    .flatMap(({ names }) => names.map((at) => meaningOf(named[at]!.organism)));
  return meant.length > 0 && !meant.includes(meaningOf(coded));
}

const withOrganism = (item: Organism | undefined) =>
  item ? { organism: item, ...(item.condition ? { organismConditionCode: item.condition } : {}) } : {};

/**
 * The meaning of a result: from its codes first, then its words, then its number, then its abnormal flag. Undefined
 * if nothing is known about it, or if it contradicts itself; then it waits for a person. Answers to questions,
 * susceptibilities, narratives and assay controls have no category at all.
 */
export function resultCategoryOf(answer: Answer): ResultReading | undefined {
  const test = answer.loinc === undefined ? undefined : testIndex.get(answer.loinc);
  if (test && (unreadable.includes(test.method) || (test.method === 'quantity' && !test.family)))
    return undefined;
  const codings = [{ code: answer.code, system: answer.system, text: undefined }, ...(answer.codings ?? [])];
  const texts = [answer.text, ...(answer.codings ?? []).map((coding) => coding.text)].filter((text) =>
    text?.trim(),
  ) as string[];
  const read = texts.map((text) => readText(text, { resistance: test?.method === 'resistance' }));
  const readings = new Set<TextReading>(
    read.map(({ reading }) => reading).filter((reading) => reading !== 'unknown'),
  );
  const fromTexts: TextReading =
    readings.size > 1 ? 'contradictory' : (readings.values().next().value ?? 'unknown');

  const coded = codings.map(byCode).filter((reading) => reading !== undefined);
  if (coded.length > 0) {
    const category = coded[0]!.category;
    if (coded.some((reading) => reading.category !== category)) return undefined;
    if (category === 'negative' && read.some(({ nothingElse }) => nothingElse)) return undefined;
    const byItsCode = coded.find((reading) => reading.organism)?.organism;
    const found = byItsCode ?? (isPositive(category) && identifies(test) ? organismFound(read) : undefined);
    if (isPositive(category) && mustName(test) && !found) return undefined;
    return {
      category,
      by: 'code',
      ...withOrganism(found),
      ...([...readings].some((reading) => opposite(category, reading)) ||
      (byItsCode && nameOthers(byItsCode, read))
        ? { textDisagrees: true as const }
        : {}),
    };
  }

  const presumptive = read.some((text) => text.presumptive);
  const found = identifies(test) || test?.method === 'culture' ? organismFound(read) : undefined;
  // A culture for one organism may answer with its name, and with no other.
  if (found && (identifies(test) || (test!.condition && found.condition === test!.condition))) {
    const others = read.flatMap(({ statements }) => statements).map(({ reading }) => reading);
    if (others.every((reading) => reading === 'unknown' || reading === 'negative' || isPositive(reading)))
      return {
        category: presumptive ? 'presumptive-positive' : 'positive',
        by: 'text',
        ...withOrganism(found),
      };
    return undefined;
  }
  if (fromTexts === 'contradictory') return undefined;
  if (isPositive(fromTexts) && mustName(test)) return undefined;
  if (fromTexts !== 'unknown') return { category: fromTexts, by: 'text' };
  // It completes another answer, whatever its flag.
  if (read.some(({ nothingElse }) => nothingElse)) return undefined;

  // A local code is often the word itself.
  const word = codings.map((coding) => coding.code).find((code) => code !== undefined && /[a-z]/i.test(code));
  const fromWord = texts.length === 0 && word !== undefined ? readText(word).reading : 'unknown';
  if (fromWord !== 'unknown' && fromWord !== 'contradictory') return { category: fromWord, by: 'text' };

  const flags = [answer.abnormalFlag ?? []].flat().map((flag) => flag.trim().toUpperCase());
  const numbered = test && byNumber(test, answer, texts, flags);
  if (numbered) return { category: numbered, by: 'number' };

  const flagged = new Set(flags.flatMap((flag) => resultCodeIndex.get(`HL70078|${flag}`)?.category ?? []));
  if (flagged.size === 1) return { category: flagged.values().next().value!, by: 'flag' };
  const beyond = test && answersInWords(test) ? beyondRange(answer, flags) : undefined;
  return beyond && { category: beyond, by: 'number' };
}

const upTo =
  /^\s*(?:(?:<=?|≤)\s*(\d+(?:\.\d+)?)|0(?:\.0+)?\s*(?:-|–|to)\s*(\d+(?:\.\d+)?))\s*[a-zµ/%{}[\] ]*$/iu;

/**
 * A signal instead of an answer, such as `>11.0` or `<0.1` for an antibody test: beyond what the assay measures, and
 * on one side of the laboratory's limit. A number that the assay can measure may be in the grey zone around the
 * limit, which a range does not show, so it is neither.
 */
function beyondRange(
  { number, comparator = '', range = '' }: Answer,
  flags: readonly string[],
): ResultCategory | undefined {
  const [, below, to] = upTo.exec(range) ?? [];
  const limit = Number(below ?? to);
  if (number === undefined || Number.isNaN(limit)) return undefined;
  const sign = comparator.trim();
  if (
    /^[>≥]/.test(sign) &&
    number >= limit &&
    flags.some((flag) => ['H', 'HH', 'A', 'AA', '>'].includes(flag))
  )
    return 'positive';
  if (/^[<≤]/.test(sign) && number <= limit && flags.every((flag) => flag === 'N' || flag === ''))
    return 'negative';
  return undefined;
}

function byCode(coding: {
  code?: string;
  system?: string;
}): { category: ResultCategory; organism?: Organism } | undefined {
  const code = coding.code?.trim();
  if (!code) return undefined;
  const written = coding.system?.trim().toLowerCase();
  const system = written ? systems[written] : 'SCT';
  if (!system) return undefined;
  const known = resultCodeIndex.get(`${system}|${code}`);
  if (known) return { category: known.category };
  const found = system === 'SCT' ? organismIndex.get(code) : undefined;
  return found && { category: 'positive', organism: found };
}

/** Micrograms per decilitre in one of each unit of mass per volume. */
const massPerVolume: Readonly<Record<string, number>> = {
  'ug/dl': 1,
  'ug/l': 0.1,
  'ng/ml': 0.1,
  'mg/l': 100,
  'mg/dl': 1000,
  'ug/ml': 100,
  'ug/100ml': 1,
};

/** The factor from one unit to another; undefined if unknown. */
export function factorTo(unit: string, from: string | undefined): number | undefined {
  if (from === undefined) return undefined;
  if (unitName(from) === unitName(unit)) return 1;
  const [one, other] = [massPerVolume[unitName(from)], massPerVolume[unitName(unit)]];
  return one === undefined || other === undefined ? undefined : one / other;
}

const unitName = (unit: string) =>
  unit
    .trim()
    .toLowerCase()
    .replace(/^(µg|μg|mcg)/, 'ug')
    .replace(/\s+/g, '');

function byNumber(
  test: LaboratoryTest,
  answer: Answer,
  texts: readonly string[],
  flags: readonly string[],
): ResultCategory | undefined {
  if (test.titer || test.method === 'nontreponemal' || test.method === 'treponemal') {
    const written = texts.map((text) => /^\s*(<=?|>=?|≤|≥)?\s*1\s*:\s*(\d+)\s*$/.exec(text)).find(Boolean);
    const comparator = written ? (written[1] ?? '') : (answer.comparator ?? '').trim();
    const titer = written ? Number(written[2]) : test.titer ? answer.number : undefined;
    if (titer === undefined) return undefined;
    if (comparator.startsWith('<')) return comparator === '<' ? 'negative' : undefined;
    if (titer < 1) return 'negative';
    // Syphilis tests are reactive from 1:1. For other titres, the laboratory's flag says what counts as positive.
    if (test.method === 'nontreponemal' || test.method === 'treponemal') return 'positive';
    if (flags.some((flag) => ['H', 'HH', 'A', 'AA'].includes(flag))) return 'positive';
    return flags.includes('N') ? 'negative' : undefined;
  }
  if (answer.number === undefined) return undefined;
  const comparator = (answer.comparator ?? '').trim();
  if (test.method === 'viral-load') {
    // Below the limit of quantification a virus may have been detected or not.
    if (comparator.startsWith('<') || comparator === '≤') return 'inconclusive';
    // A count of zero means not found.
    if (answer.number === 0) return comparator === '' || comparator === '=' ? 'negative' : undefined;
    return answer.number > 0 ? 'positive' : undefined;
  }
  const factor = test.positiveFrom && factorTo(test.positiveFrom.unit, answer.unit);
  if (test.positiveFrom && factor !== undefined) {
    const { number } = test.positiveFrom;
    // To nine digits, so that 0.035 mg/L is exactly 3.5 ug/dL.
    const found = Number((answer.number * factor).toPrecision(9));
    if (comparator.startsWith('<') || comparator === '≤') return found <= number ? 'negative' : undefined;
    if (comparator.startsWith('>') || comparator === '≥') return found >= number ? 'positive' : undefined;
    return found >= number ? 'positive' : 'negative';
  }
  return undefined;
}
