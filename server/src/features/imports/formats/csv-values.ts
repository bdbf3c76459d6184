import { foldUpper } from '../../../platform/text/fold.ts';
import type { Age, CaseReportRow, TreatmentRow } from '../../reported/report.ts';
import { ageUnitOf, isPlausibleAge } from '../../results/questions.ts';

/** Words and single values of tables: the many spellings of nothing, numbers in words, and words with one slip. */

const nothing = new Set([
  '',
  '-',
  '--',
  '---',
  '.',
  '..',
  '?',
  '??',
  '*',
  '\\.',
  '\\?',
  '\\*',
  '\\-',
  'NA',
  'N/A',
  'N.A.',
  'N.A',
  '#N/A',
  '#NA',
  'A/A',
  'NAN',
  'NULL',
  '#NULL!',
  'NIL',
  'NONE',
  '(NULL)',
  '(BLANK)',
  'BLANK',
  'EMPTY',
  'MISSING',
  'NOTAVAILABLE',
  'NOTAVAIL',
  'NOTANUMBER',
  'NOTAPPLICABLE',
  'NOTKNOWN',
  'NOTGIVEN',
  'NOTRECORDED',
  'NOTREPORTED',
  'NODATA',
  'NODISPONIBLE',
  'SINDATO',
  'SINDATOS',
  'NODETERMINADO',
  'NOAPLICA',
  '#VALUE!',
  '#REF!',
  '#DIV/0!',
  '**UNKNOWN/NOTGIVEN**',
  '-99',
  '-9',
  '-999',
  '-9999',
  '-1',
]);
const notKnown = new Set([
  'UNKNOWN',
  'UNK',
  'UNKN',
  'DESCONOCIDO',
  'DESCONOCIDA',
  'NOSABE',
  'SEDESCONOCE',
  'INCONNU',
]);

const squeezed = (text: string): string => foldUpper(text).replace(/\s+/g, '');

/** Whether a cell means nothing: blank, a dash, NA in any spelling, a negative code for missing. */
export const isMissing = (cell: string): boolean => nothing.has(squeezed(cell));

/**
 * Whether a cell means nothing, or says that nothing is known. For free text, numbers and dates the two are the
 * same.
 */
export const isMissingOrUnknown = (cell: string): boolean => {
  const text = squeezed(cell);
  return nothing.has(text) || notKnown.has(text);
};

/**
 * Words for nothing that people are called: a name if written like one, because programs write `NULL` or `NaN`. No
 * program writes `Nil` or `NIL` into a table.
 */
const alsoNames = /^(?:Na|Nan|Null|N(?:il|IL))$/;

/** Whether a cell of a name is empty or says that the name is not known. */
export const isMissingName = (cell: string): boolean =>
  isMissingOrUnknown(cell) && !alsoNames.test(cell.trim());

const signs = new Set(['-', '--', '---', '.', '..', '*', 'NONE', 'NIL', '-1', '-9', '-99', '-999', '-9999']);

/** Whether a cell has no result. A dash, a star or `none` may be a result. */
export const isMissingResult = (cell: string): boolean => {
  const text = squeezed(cell);
  return nothing.has(text) && !signs.has(text);
};

/** Codes for missing in single-digit or number columns. */
export const isMissingCode = (cell: string): boolean => /^(9|99|999|9999|99999)(\.0*)?$/.test(cell.trim());

const units: Record<string, number> = {};
for (const [
  index,
  word,
] of 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
  .split(' ')
  .entries()) {
  units[word] = index;
}
for (const [
  index,
  word,
] of 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve'
  .split(' ')
  .entries()) {
  units[word] = index;
}
units.un = 1;
units.una = 1;
const tens: Record<string, number> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  treinta: 30,
  cuarenta: 40,
  cincuenta: 50,
  sesenta: 60,
  setenta: 70,
  ochenta: 80,
  noventa: 90,
};
const hundreds: Record<string, number> = { hundred: 100, cien: 100, ciento: 100 };

/** A number from 0 to 199 in English or Spanish words; undefined for anything else. */
export function numberInWords(text: string): number | undefined {
  const words = foldUpper(text)
    .toLowerCase()
    .split(/[\s-]+/)
    .filter((word) => word !== 'and' && word !== 'y' && word !== '');
  if (words.length === 0 || words.length > 4) return undefined;
  let sum = 0;
  // What may still follow: hundreds, then tens, then units.
  let allowed = 3;
  for (const [index, word] of words.entries()) {
    if (allowed >= 3 && hundreds[word] !== undefined) {
      if (index > 0 && sum !== 1) return undefined;
      sum = 100;
      allowed = 2;
    } else if (allowed >= 2 && tens[word] !== undefined) {
      sum += tens[word]!;
      allowed = 1;
    } else if (units[word] !== undefined && allowed >= 1) {
      const value = units[word]!;
      if (allowed === 1 && value > 9) return undefined;
      sum += value;
      allowed =
        words[index + 1] !== undefined && hundreds[words[index + 1]!] !== undefined && value === 1 ? 3 : 0;
    } else {
      return undefined;
    }
  }
  return sum;
}

const ageText = /^(\d{1,3}(?:[.,]\d+)?)\s*([\p{L}.]*)$/u;

/** An age in digits or words, with or without its unit; years by default. */
export function ageFrom(cell: string, unitCell?: string): Age | undefined {
  const text = cell.trim();
  const match = ageText.exec(text);
  let value: number | undefined;
  let word: string | undefined;
  if (match) {
    value = Number(match[1]!.replace(',', '.'));
    word = match[2] === '' ? undefined : match[2]!.replace(/\./g, '');
  } else {
    const parts = text.split(/\s+/);
    const last = parts.at(-1) ?? '';
    if (parts.length > 1 && ageUnitOf(last) !== undefined) {
      word = last;
      value = numberInWords(parts.slice(0, -1).join(' '));
    } else {
      value = numberInWords(text);
    }
  }
  if (value === undefined) return undefined;
  const said = word ?? (unitCell === undefined || isMissingOrUnknown(unitCell) ? undefined : unitCell);
  // A bare m would be months or minutes; in ages it is months.
  const unit = said === undefined ? 'a' : /^m$/i.test(said) ? 'mo' : ageUnitOf(said);
  if (unit === undefined) return undefined;
  const age: Age = { value, unit };
  return isPlausibleAge(age) ? age : undefined;
}

/** Yes, no or not known; undefined for anything else. */
export function yesNoFrom(cell: string): boolean | 'unknown' | undefined {
  const text = squeezed(cell);
  if (['Y', 'YES', 'TRUE', 'T', '1', 'SI', 'S', 'OUI', 'WI'].includes(text)) return true;
  if (['N', 'NO', 'FALSE', '0', 'NON'].includes(text)) return false;
  if (text === 'U' || notKnown.has(text) || isMissingCode(text) || text === 'ASKU') return 'unknown';
  // SNOMED CT, as uploads of test results code pregnancy.
  if (text === '77386006') return true;
  if (text === '60001007') return false;
  return text === '261665006' ? 'unknown' : undefined;
}

/** A word from a list, and whether it was read with one letter wrong, missing, doubled or swapped. */
interface Matched<T> {
  value: T;
  misspelt: boolean;
}

/**
 * The value of a word in a table (keys in plain upper case). One typing error is accepted in words of five letters
 * or more.
 */
export function wordFrom<T>(cell: string, table: Readonly<Record<string, T>>): Matched<T> | undefined {
  const text = foldUpper(cell).replace(/[_-]+/g, ' ');
  const exact = table[text];
  if (exact !== undefined) return { value: exact, misspelt: false };
  if (text.length < 4) return undefined;
  const near = new Set<T>();
  for (const [word, value] of Object.entries(table))
    if (word.length >= 4 && isOneSlip(text, word)) near.add(value);
  return near.size === 1 ? { value: [...near][0]!, misspelt: true } : undefined;
}

/** Whether two different words differ by one letter changed, added, dropped, or two neighbours swapped. */
function isOneSlip(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let ends = 0;
  while (
    ends < left.length - start &&
    ends < right.length - start &&
    left[left.length - 1 - ends] === right[right.length - 1 - ends]
  ) {
    ends++;
  }
  const fromLeft = left.slice(start, left.length - ends);
  const fromRight = right.slice(start, right.length - ends);
  if (fromLeft.length <= 1 && fromRight.length <= 1) return fromLeft !== fromRight;
  return (
    fromLeft.length === 2 &&
    fromRight.length === 2 &&
    fromLeft[0] === fromRight[1] &&
    fromLeft[1] === fromRight[0]
  );
}

/** Words that say who in a line list is a case. */
const caseWords: Readonly<Record<string, boolean>> = {
  CASE: true,
  ILL: true,
  SICK: true,
  CASO: true,
  ENFERMO: true,
  ENFERMA: true,
  KA: true,
  MALAD: true,
  'NOT A CASE': false,
  'NOT CASE': false,
  NONCASE: false,
  'NON CASE': false,
  'NO CASE': false,
  CONTROL: false,
  WELL: false,
  HEALTHY: false,
  'NOT ILL': false,
  'NOT SICK': false,
  'NO ES CASO': false,
  'NO CASO': false,
  SANO: false,
  SANA: false,
  'PA KA': false,
  'PA MALAD': false,
};

/** Whether a cell says that the person is a case; undefined if it does not say. */
export const isCaseFrom = (cell: string): boolean | 'unknown' | undefined =>
  yesNoFrom(cell) ?? wordFrom(cell, caseWords)?.value;

const wellWords = new Set(
  'WELL|HEALTHY|NOT ILL|NOT SICK|CONTROL|ASYMPTOMATIC|NEGATIVE|NEG|NOT DETECTED|SANO|SANA|ASINTOMATICO|ASINTOMATICA|NEGATIVO|NEGATIVA|NO DETECTADO|NEGATIF'.split(
    '|',
  ),
);
/** Whether a cell says that a person is not ill. */
export const saysWell = (cell: string): boolean => wellWords.has(foldUpper(cell).replace(/[_-]+/g, ' '));

export const classificationWords: Readonly<Record<string, NonNullable<CaseReportRow['classification']>>> = {
  CONFIRMED: 'confirmed',
  CONFIRMADO: 'confirmed',
  CONFIRMADA: 'confirmed',
  'CONFIRMED PRESENT': 'confirmed',
  C: 'confirmed',
  PROBABLE: 'probable',
  PROBABLY: 'probable',
  SUSPECTED: 'suspect',
  SUSPECT: 'suspect',
  SOSPECHOSO: 'suspect',
  SOSPECHOSA: 'suspect',
  POSSIBLE: 'suspect',
  POSIBLE: 'suspect',
  'NOT A CASE': 'not-a-case',
  'NON CASE': 'not-a-case',
  'NO CASE': 'not-a-case',
  DISCARDED: 'not-a-case',
  'NOT CASE': 'not-a-case',
  NONCASE: 'not-a-case',
  'NO ES CASO': 'not-a-case',
  'NO CASO': 'not-a-case',
  'RULED OUT': 'not-a-case',
  EXCLUDED: 'not-a-case',
  CONTROL: 'not-a-case',
  WELL: 'not-a-case',
  HEALTHY: 'not-a-case',
  DESCARTADO: 'not-a-case',
  DESCARTADA: 'not-a-case',
  // A case whose class is unknown.
  CASE: 'unknown',
  CASO: 'unknown',
  ILL: 'unknown',
  SICK: 'unknown',
  UNKNOWN: 'unknown',
  UNK: 'unknown',
  DESCONOCIDO: 'unknown',
};

export const adequacyWords: Readonly<Record<string, NonNullable<TreatmentRow['adequacy']>>> = {
  ADEQUATE: 'adequate',
  'ADEQUATELY TREATED': 'adequate',
  YES: 'adequate',
  Y: 'adequate',
  ADECUADO: 'adequate',
  SI: 'adequate',
  WI: 'adequate',
  INADEQUATE: 'inadequate',
  'NOT ADEQUATE': 'inadequate',
  NO: 'inadequate',
  N: 'inadequate',
  INADECUADO: 'inadequate',
  NON: 'inadequate',
  PRESUMPTIVE: 'presumptive',
  PREVENTIVE: 'presumptive',
  EPI: 'presumptive',
  PRESUNTIVO: 'presumptive',
};

export const outcomeWords: Readonly<Record<string, NonNullable<CaseReportRow['outcome']>>> = {
  RECOVERED: 'recovered',
  RECOVERY: 'recovered',
  RECUPERADO: 'recovered',
  RECUPERADA: 'recovered',
  SURVIVED: 'recovered',
  ALIVE: 'recovered',
  DISCHARGED: 'recovered',
  ALTA: 'recovered',
  CURED: 'recovered',
  DIED: 'died',
  DEATH: 'died',
  DEAD: 'died',
  DECEASED: 'died',
  FATAL: 'died',
  FALLECIDO: 'died',
  FALLECIDA: 'died',
  MUERTO: 'died',
  MUERTA: 'died',
  MUERTE: 'died',
  ILL: 'ill',
  SICK: 'ill',
  'STILL ILL': 'ill',
  ONGOING: 'ill',
  ENFERMO: 'ill',
  ENFERMA: 'ill',
  HOSPITALIZED: 'ill',
  UNKNOWN: 'unknown',
  UNK: 'unknown',
  DESCONOCIDO: 'unknown',
};
