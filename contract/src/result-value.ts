import { z } from 'zod';
import { numberLocaleOf } from './number-locale.ts';
import { isSameUnit, isTiterUnit, unitInWords, unitOf } from './units.ts';

/** A result's value as stored. */
export const storedValue = z.object({
  /** As the laboratory wrote it: `1:64`, `<20`, `0-5`, `2+`, `Detected`. */
  valueText: z.string().nullable(),
  /** The first number in it: 1 for a titer of 1:64. If there is a text, show the text. */
  valueNumber: z.number().nullable(),
  valueComparator: z.string().nullable(),
  units: z.string().nullable(),
  /** The laboratory's reference range, as written. */
  referenceRange: z.string().nullable(),
  /** HL7 table 0078. */
  abnormalFlag: z.string().nullable(),
});
export type StoredValue = z.infer<typeof storedValue>;

/** A number relative to the laboratory's own range. */
export const rangePositions = ['high', 'low', 'within'] as const;
export type RangePosition = (typeof rangePositions)[number];

/** A numeric value; numbers as written. */
interface Measure {
  comparator: string;
  first: string;
  separator: '' | ':' | '-' | '/' | '+';
  second: string;
}

const number = String.raw`[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d{1,3})?`;
const sign = '<=|>=|=<|=>|<>|<|>|=|≤|≥';
const measure = new RegExp(
  String.raw`^(${sign})?\s*(?=[+-]?[.\d])(${number})(?:\s*([:/–-])\s*(?=[.\d])(${number})|\s*(\+))?$`,
  'i',
);
const titerInWords = new RegExp(String.raw`(?<![\d:.])(?:(${sign})\s*)?1\s*:\s*(\d{1,6})(?![\d:.])`, 'g');

const comparators: Readonly<Record<string, string>> = {
  '<=': '≤',
  '=<': '≤',
  '>=': '≥',
  '=>': '≥',
  '<>': '≠',
  '=': '',
};
const comparatorOf = (written: string) => comparators[written] ?? written;

function measureIn(text: string): Measure | undefined {
  const found = measure.exec(text.trim());
  if (!found) return undefined;
  const [, comparator = '', first, between, second = '', plus = ''] = found;
  const separator = (between === '–' ? '-' : (between ?? plus)) as Measure['separator'];
  return { comparator: comparatorOf(comparator), first: first!, separator, second };
}

/** The number of a result, however it was stored; undefined if none. */
function measureOf({ valueText, valueNumber, valueComparator, units }: StoredValue): Measure | undefined {
  const text = valueText?.trim() ?? '';
  if (text !== '') {
    const written = measureIn(text);
    if (written) return asTiter(written, units);
    // A titer within text, if there is exactly one: `Reactive 1:8`.
    const titers = new Map(
      [...text.matchAll(titerInWords)].map((found) => [found[0].replaceAll(/\s/g, ''), found]),
    );
    const [titer] = titers.values();
    if (titer && titers.size === 1)
      return { comparator: comparatorOf(titer[1] ?? ''), first: '1', separator: ':', second: titer[2]! };
    return undefined;
  }
  if (valueNumber === null) return undefined;
  const comparator = comparatorOf(valueComparator?.trim() ?? '');
  return asTiter({ comparator, first: String(valueNumber), separator: '', second: '' }, units);
}

/** A number with a titer unit is the dilution: 64 means 1:64. */
function asTiter(written: Measure, units: string | null): Measure {
  if (written.separator !== '' || units === null || !isTiterUnit(units) || !/^[1-9]\d*$/.test(written.first))
    return written;
  return { ...written, first: '1', separator: ':', second: written.first };
}

const isTiter = ({ separator, first }: Measure) => separator === ':' && first === '1';

/** Keeps the laboratory's decimals: 2.50 is more precise than 2.5. */
function numberIn(written: string, language: string): string {
  const [plain = '', exponent = '0'] = written.toLowerCase().replaceAll(',', '').split('e');
  const power = Number(exponent);
  // 1.2E5 is 120,000; a number too long to read stays as it is.
  if (Math.abs(power) > 9) return written;
  const decimals = Math.max(0, (plain.split('.')[1]?.length ?? 0) - power);
  return new Intl.NumberFormat(numberLocaleOf(language), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: 'always',
  }).format(Number(`${plain}e${power}`));
}

function measureInWords({ comparator, first, separator, second }: Measure, language: string): string {
  const start = comparator === '' ? '' : `${comparator} `;
  if (separator === ':') return `${start}${first}:${second}`;
  const one = numberIn(first, language);
  if (separator === '') return `${start}${one}`;
  if (separator === '+') return `${start}${one}+`;
  return `${start}${one}${separator === '-' ? '–' : '/'}${numberIn(second, language)}`;
}

export interface ShownValue {
  /** The number with its unit in words, a titer as a titer, or the laboratory's words; null if none. */
  text: string | null;
  /** Whether it is a number rather than words. */
  measured: boolean;
}

/**
 * A result's value in a language. The only code that formats values, for staff and patients.
 * @param options.sign adds the unit as printed on reports
 */
export function resultValue(
  stored: StoredValue,
  language: string,
  { sign: withSign = false }: { sign?: boolean } = {},
): ShownValue {
  const found = measureOf(stored);
  if (!found) {
    const text = stored.valueText?.trim();
    return { text: text ? text : null, measured: false };
  }
  const shown = measureInWords(found, language);
  const { units } = stored;
  // Titers, and grades such as 2+, have no unit.
  if (!units?.trim() || isTiterUnit(units) || found.separator === ':' || found.separator === '+')
    return { text: shown, measured: true };
  const known = unitOf(units);
  if (known?.code === '%') return { text: `${shown}%`, measured: true };
  const words = unitInWords(units, language);
  const printed = withSign && known && known.sign !== words ? ` (${known.sign})` : '';
  return { text: `${shown} ${words}${printed}`, measured: true };
}

/** A value that can be drawn beside others: a plain number, or the dilution of a titer. */
export function drawnValue(stored: StoredValue): { number: number; isTiter: boolean } | undefined {
  const found = measureOf(stored);
  if (found?.comparator !== '' || !(found.separator === '' || isTiter(found))) return undefined;
  const number = Number((isTiter(found) ? found.second : found.first).replaceAll(',', ''));
  return Number.isFinite(number) ? { number, isTiter: isTiter(found) } : undefined;
}

/** Whether two values can be drawn on one scale: both are titers, or have the same unit or none. */
export function isSameScale(one: StoredValue, other: StoredValue): boolean {
  const [a, b] = [drawnValue(one), drawnValue(other)];
  if (!a || !b || a.isTiter !== b.isTiter) return false;
  const [unit, otherUnit] = [one.units?.trim() ?? '', other.units?.trim() ?? ''];
  return a.isTiter || (unit === '' || otherUnit === '' ? unit === otherUnit : isSameUnit(unit, otherUnit));
}

/** Numbers from `from` to `to`; `open…` excludes that end. */
interface Span {
  from: number;
  openFrom: boolean;
  to: number;
  openTo: boolean;
}
const everything: Span = {
  from: Number.NEGATIVE_INFINITY,
  openFrom: true,
  to: Number.POSITIVE_INFINITY,
  openTo: true,
};

function spanOf(written: Measure): Span | undefined {
  const { comparator, separator } = written;
  if (separator === '+' || separator === '/' || (separator === ':' && !isTiter(written))) return undefined;
  const value = (text: string) => Number(text.replaceAll(',', ''));
  const at = value(isTiter(written) ? written.second : written.first);
  if (separator === '-') {
    const to = value(written.second);
    return comparator === '' && at <= to ? { from: at, openFrom: false, to, openTo: false } : undefined;
  }
  switch (comparator) {
    case '':
      return { from: at, openFrom: false, to: at, openTo: false };
    case '<':
    case '≤':
      return { ...everything, to: at, openTo: comparator === '<' };
    case '>':
    case '≥':
      return { ...everything, from: at, openFrom: comparator === '>' };
    default:
      return undefined;
  }
}

const rangeWords: readonly [RegExp, string][] = [
  [/^(less than|below|under|menos de|mwens pase)\s*/i, '<'],
  [/^(up to|hasta|jiska)\s*/i, '<='],
  [/^(greater than|more than|above|over|más de|plis pase)\s*/i, '>'],
  [/(?<=\d)\s+(to|a)\s+(?=[\d.])/i, '-'],
];

/** The laboratory's normal range; undefined for words, and for a range in another unit. */
function rangeOf(referenceRange: string, units: string | null): Span | undefined {
  let text = referenceRange.trim().replace(/^[([]\s*(.*?)\s*[)\]]$/, '$1');
  for (const [words, put] of rangeWords) text = text.replace(words, put);
  let written = measureIn(text);
  if (!written) {
    const [, amount, unit] =
      /^(.*\d)\s+([^\s\d]\S*|10[*^]\S+)$/.exec(text) ?? /^(.*?\d)([a-zµμ%[{/].*)$/i.exec(text) ?? [];
    if (amount === undefined || unit === undefined || units === null || !isSameUnit(unit, units))
      return undefined;
    written = measureIn(amount);
  }
  return written && spanOf(written);
}

const flags: Readonly<Record<string, RangePosition>> = {
  H: 'high',
  HH: 'high',
  HU: 'high',
  '>': 'high',
  L: 'low',
  LL: 'low',
  LU: 'low',
  '<': 'low',
  N: 'within',
};

function byRange(value: Span, range: Span): RangePosition | null {
  if (value.from > range.to || (value.from === range.to && (value.openFrom || range.openTo))) return 'high';
  if (value.to < range.from || (value.to === range.from && (value.openTo || range.openFrom))) return 'low';
  const fromIn =
    value.from > range.from || (value.from === range.from && (value.openFrom || !range.openFrom));
  const toIn = value.to < range.to || (value.to === range.to && (value.openTo || !range.openTo));
  return fromIn && toIn ? 'within' : null;
}

/**
 * Whether a number is high, low or within the laboratory's range, by its flag and its range. Null if there is
 * no number, if there is neither a flag nor a range, or if the two disagree.
 */
export function rangePosition(stored: StoredValue): RangePosition | null {
  const found = measureOf(stored);
  const value = found && spanOf(found);
  if (!value) return null;
  const flagged = flags[stored.abnormalFlag?.trim().toUpperCase() ?? ''] ?? null;
  const range = stored.referenceRange === null ? undefined : rangeOf(stored.referenceRange, stored.units);
  // Amounts start at zero: `<20` cannot be below `0-50`.
  const amount =
    value.from === Number.NEGATIVE_INFINITY && value.to >= 0 ? { ...value, from: 0, openFrom: false } : value;
  const computed = range ? byRange(amount, range) : null;
  if (flagged && computed && flagged !== computed) return null;
  return flagged ?? computed;
}

/** Whether a laboratory found less than it can count: `<20`, even if words follow. */
export const isLessThan = ({ valueText, valueComparator }: StoredValue): boolean =>
  /^(?:<(?!>)|=<|≤)/.test(valueText?.trim() || (valueComparator?.trim() ?? ''));

/**
 * Whether an amount in one of these units is at least this large; null if its comparator or unit leaves it
 * open.
 */
export function reaches(stored: StoredValue, limit: number, unitCodes: readonly string[]): boolean | null {
  const found = measureOf(stored);
  const value = found && spanOf(found);
  if (!value || stored.units === null || !unitCodes.some((code) => isSameUnit(code, stored.units!)))
    return null;
  if (value.from >= limit) return true;
  return value.to < limit || (value.to === limit && value.openTo) ? false : null;
}
