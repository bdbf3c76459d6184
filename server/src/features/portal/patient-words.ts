import { createHash } from 'node:crypto';
import type { AnswerMark } from '@caseway/contract/portal';
import {
  isLessThan,
  type RangePosition,
  rangePosition,
  reaches,
  resultValue,
  type StoredValue,
} from '@caseway/contract/result-value';
import { languages } from '@caseway/contract/session';
import { wordsIn } from '../../platform/words/words.ts';
import { analyteKindOfLoinc, factorTo, patientWords, testByLoinc } from '../reference/catalog.ts';
import type {
  AnalyteKind,
  ExplainedAnswer,
  LaboratoryTest,
  PatientWords,
  ResultCategory,
} from '../reference/schema.ts';

/** The parts of a result that decide which words explain it. */
export interface Explained extends StoredValue {
  testLoinc: string | null;
  diseaseFamily: string | null;
  conditionCode: string | null;
  resultCategory: string;
}

const groups: Readonly<Record<ResultCategory, ExplainedAnswer>> = {
  positive: 'positive',
  'weak-positive': 'positive',
  negative: 'negative',
  'presumptive-positive': 'presumptive',
  inconclusive: 'unclear',
  indeterminate: 'unclear',
  equivocal: 'unclear',
  invalid: 'invalid',
  unsatisfactory: 'invalid',
  pending: 'pending',
  'not-done': 'not-done',
  quantitative: 'number',
};

/** Antibodies to the surface antigen protect from this amount on. Source: CDC, see `hepatitis-b` in the table. */
const immunity = { from: 10, units: ['m[IU]/mL', '[IU]/L'] };

/** This much lead in the blood needs treatment without delay. Source: CDC, see `lead-actions` in the table. */
const muchLead = { from: 45, unit: 'ug/dL' };
function isMuchLead(test: LaboratoryTest | undefined, result: Explained): boolean {
  const factor = factorTo(muchLead.unit, result.units ?? undefined);
  return (
    test?.family === 'lead' &&
    factor !== undefined &&
    reaches(result, muchLead.from / factor, [result.units!]) === true
  );
}

/** The meaning of the answer, for a test of this kind. */
export function explainedAnswer(kind: AnalyteKind, result: Explained): ExplainedAnswer {
  const group = groups[result.resultCategory as ResultCategory] ?? 'unclear';
  const position = rangePosition(result);
  // A virus that cannot be counted is good news only if there is too little of it to count.
  if (kind === 'viral-load' && (group === 'unclear' || group === 'number') && isLessThan(result))
    return 'below';
  if (kind === 'surface-antibody' && group === 'number') {
    const isImmune = reaches(result, immunity.from, immunity.units);
    if (isImmune !== null) return isImmune ? 'positive' : 'negative';
  }
  const test = testByLoinc(result.testLoinc ?? '');
  if (isMuchLead(test, result) && (group === 'positive' || group === 'number')) return 'number-very-high';
  if (
    kind === 'metal' &&
    position !== null &&
    (group === 'positive' || group === 'negative' || group === 'number')
  ) {
    // The laboratory's range may be older than our limit, which cannot be applied without a unit.
    if (test?.positiveFrom && group === 'number' && position === 'within') return 'number';
    // If our limit and the laboratory's range disagree, the number is shown without a judgment.
    const isHigh = position === 'high';
    if ((group === 'positive' && !isHigh) || (group === 'negative' && isHigh)) return 'number';
    return `number-${position}`;
  }
  // A vaccine is meant to produce many antibodies, and few means none: neither is high or low like an amount of
  // sugar.
  const isAntibodies = kind === 'antibody' || kind === 'antibody-igg';
  return group === 'number' && position !== null && !isAntibodies ? `number-${position}` : group;
}

type Row = PatientWords['rows'][number];
type Meaning = Pick<Explained, 'diseaseFamily' | 'conditionCode'>;

/** Whether a row of the table applies to such a result. */
const fits = (
  row: Row,
  kind: AnalyteKind,
  answer: ExplainedAnswer,
  { diseaseFamily, conditionCode }: Meaning,
) =>
  row.answers.includes(answer) &&
  (row.kinds === undefined || row.kinds.includes(kind)) &&
  (row.families === undefined || (diseaseFamily !== null && row.families.includes(diseaseFamily))) &&
  (row.conditions === undefined || row.conditions.includes(conditionCode));

/**
 * The subject of a result: the target of the test and what was found. If the two disagree, the urgent one counts;
 * otherwise no disease is named.
 */
function meaningsOf(result: Explained, known: LaboratoryTest | undefined): Meaning[] {
  const found = { diseaseFamily: result.diseaseFamily, conditionCode: result.conditionCode };
  if (!known?.family) return [found];
  const sought = { diseaseFamily: known.family, conditionCode: known.condition ?? null };
  const agrees =
    found.diseaseFamily === sought.diseaseFamily &&
    (sought.conditionCode === null || found.conditionCode === sought.conditionCode);
  return agrees ? [found] : [found, sought];
}

/** The row of the table that explains a result: the first that fits, or else the general words. [P26] */
export function explanationOf(result: Explained): Row {
  const known = testByLoinc(result.testLoinc ?? '');
  const kind = analyteKindOfLoinc(result.testLoinc);
  const answer = explainedAnswer(kind, result);
  const rowFor = (meaning: Meaning) => patientWords.rows.find((row) => fits(row, kind, answer, meaning))!;
  const [first, ...others] = meaningsOf(result, known).map(rowFor);
  if (others.length === 0) return first!;
  return (
    [first!, ...others].find(({ key }) => key.startsWith('urgent')) ??
    rowFor({ diseaseFamily: null, conditionCode: null })
  );
}

/** The kinds of test whose answer is a number, not a word. */
const numbered: readonly AnalyteKind[] = ['metal', 'measure'];

/** How the answer of a result is shown next to its words. */
export function shownAnswer(result: Explained): {
  mark: AnswerMark;
  named: boolean;
  valued: boolean;
  position: RangePosition | null;
} {
  const kind = analyteKindOfLoinc(result.testLoinc);
  const answer = explainedAnswer(kind, result);
  const { text, measured } = resultValue(result, 'en');
  const isCategory = result.resultCategory !== 'quantitative';
  const isNumber = text !== null && (measured || !isCategory);
  return {
    mark:
      answer === 'positive' ||
      answer === 'presumptive' ||
      answer === 'number-high' ||
      answer === 'number-very-high'
        ? 'found'
        : answer === 'negative' || answer === 'number-within'
          ? 'not-found'
          : 'other',
    // `Positive` for an amount of lead would sound like an infection.
    named: isCategory && !(numbered.includes(kind) && isNumber),
    valued: isNumber,
    // If the words do not depend on the laboratory's range, it is not shown either.
    position: isNumber && answer !== 'number' ? rangePosition(result) : null,
  };
}

/** Hash of the table and of every word that it refers to. Reviewers sign it. */
export function patientWordsHash(): string {
  const { rows, sources } = patientWords;
  const keys = [...new Set(rows.map(({ key }) => key))].sort();
  const words = languages.map((language) => {
    const text = wordsIn('explanations', language, 'PUBLIC_HEALTH');
    return [
      language,
      keys.map((key) => [key, text(`explained.${key}.meaning`), text(`explained.${key}.next`)]),
    ];
  });
  return createHash('sha256').update(JSON.stringify({ rows, sources, words })).digest('hex');
}

/** Who signed the current words; null if nobody did, or something has changed since. */
export function patientWordsReview() {
  const { reviewed, signer, rows } = patientWords;
  const holds = reviewed !== null && reviewed.words === patientWordsHash();
  return {
    reviewed: holds ? { by: reviewed.by, on: reviewed.on } : null,
    signer,
    explanations: new Set(rows.map(({ key }) => key)).size,
  };
}
