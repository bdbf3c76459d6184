import { type MeasureValue, mostProtectedFilters } from '@caseway/contract/analytics';
import { addDays, type DateRange, daysBetween } from '@caseway/contract/date-range';
import type { Unit } from '@caseway/contract/measure';

/*
 * Numbers for readers without permission for exact ones [P17]. They come from a fixed secret half of the persons,
 * counted double, so that no sum or difference of them is a true number. A number with few persons behind it is
 * hidden. Decision record 0064 has the reasons, and the remaining risks.
 */

/**
 * Distinct persons, only as precisely as needed to say that there are enough: 64 bits, as two halves without a sign.
 * Each person sets one bit, so there are at least as many persons as set bits.
 */
export interface Persons {
  low: number;
  high: number;
}

/** A number before protection: `n` rows or persons of the half, and the persons behind all of it. */
export interface Counted {
  n: number;
  persons: Persons;
}

export const nobody: Persons = { low: 0, high: 0 };

/** The persons of both counts: of other rows, or of another tenant. */
export const allPersons = (a: Persons, b: Persons): Persons => ({
  low: (a.low | b.low) >>> 0,
  high: (a.high | b.high) >>> 0,
});

/** Both together. */
export const together = (a: Counted, b: Counted): Counted => ({
  n: a.n + b.n,
  persons: allPersons(a.persons, b.persons),
});

/** The bit of one person, by their number in the facts. */
export const bitOf = (person: number): Persons => {
  const place = person % 64;
  return place < 32 ? { low: (1 << place) >>> 0, high: 0 } : { low: 0, high: (1 << (place - 32)) >>> 0 };
};

/** How rows of a fact are counted for protected readers, in SQL that PostgreSQL and DuckDB share. */
export interface HalfSql {
  n: string;
  low: string;
  high: string;
  /** The condition for the rows that are counted. */
  rows: string;
  /** The columns of the fact that the condition needs. */
  columns: readonly string[];
}

const bits = (condition: string) =>
  `bit_or(case when ${condition} then cast(1 as bigint) << (person_place & 31) else 0 end)`;

export const halfSql: HalfSql = {
  n: 'count(*) filter (where half)',
  low: bits('person_place < 32'),
  high: bits('person_place >= 32'),
  rows: 'half',
  columns: ['half', 'person_place'],
};

const ones = (word: number): number => {
  let left = word - ((word >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};

/** The smallest possible number of persons. */
export const atLeast = ({ low, high }: Persons): number => ones(low) + ones(high);

/**
 * The estimated number of persons: what fills as many of 64 bits on average, −64 ln(empty ÷ 64). About a tenth off
 * for a hundred persons. Source: Whang and others, A linear-time probabilistic counting algorithm, 1990.
 */
export const about = (persons: Persons): number => {
  const empty = 64 - atLeast(persons);
  return empty === 0 ? Number.POSITIVE_INFINITY : -64 * Math.log(empty / 64);
};

/** From this many persons on, a number is not rough: the error of a doubled half is about √n, a tenth of 100. */
const surePersons = 100;
/** A 90th percentile needs this many times the threshold. */
const percentileNeeds = 5;

/** The form of a number, which decides how it is protected. */
export type Form =
  /** Rows, persons or a sum: shown doubled. */
  | 'count'
  /** Rows per people of a population: doubled rows over all people. */
  | 'rate'
  /** One count of the half over another. */
  | 'share'
  /** A share in whole per cent that a few persons would move by several. */
  | 'coarse'
  /** A median or another percentile. */
  | 'median'
  | 'percentile'
  /** Not a number of rows: distinct codes, the latest day. */
  | 'plain';

const hidden: MeasureValue = { value: null, numerator: null, denominator: null, suppressed: true };

const isZero = ({ persons }: Counted): boolean => persons.low === 0 && persons.high === 0;

/**
 * Whether a number is hidden: fewer persons than the threshold are behind it, counting all persons and not the half,
 * or the half shows fewer. Zero is not hidden by itself: it is shown if its whole is.
 */
export const isHidden = (of: Counted, threshold: number): boolean =>
  !isZero(of) && (atLeast(of.persons) < threshold || 2 * of.n < threshold);

/**
 * A number as protected readers see it. `value` is computed from rows of the half alone. `parts`: what it counts;
 * for a share, numerator and denominator.
 *
 * - Counts. Numerator: rows, persons or the sum of the half, doubled. Denominator: none.
 * - Rates. Numerator: rows of the half, doubled. Denominator: all people. Unstable by the rows that were counted;
 *   the number of excluded rows is not shown.
 * - Shares. Numerator and denominator: rows of the half, doubled. Coarse ones in whole per cent, and only from about
 *   100 persons on.
 * - Medians and percentiles. Denominator: rows of the half with the number, doubled. In whole hours, from two days
 *   on in whole days; minutes in steps of five. A percentile needs five times the threshold.
 *
 * Excluded: what the true number excludes. Hidden if a part is hidden. Rough below about 100 persons behind a count
 * or a denominator. Source: `half` of the fact.
 */
export function protectedValue(
  value: MeasureValue,
  { form, unit = 'count' }: { form: Form; unit?: Unit },
  parts: readonly Counted[],
  threshold: number,
): MeasureValue {
  if (parts.some((part) => isHidden(part, threshold))) return hidden;
  // For a share, the denominator has most persons behind it.
  const whole =
    form === 'count' || form === 'rate'
      ? parts[0]!
      : parts.reduce((most, part) => (atLeast(part.persons) > atLeast(most.persons) ? part : most));
  const persons = about(whole.persons);
  const twice: MeasureValue = {
    ...value,
    numerator: doubled(value.numerator),
    denominator: doubled(value.denominator),
    ...(value.excluded !== undefined && { excluded: 2 * value.excluded }),
  };
  if (isZero(whole)) return form === 'rate' ? ofPeople(value) : twice;
  const rough = persons < surePersons && { rough: true as const };
  switch (form) {
    case 'count':
      return { ...twice, value: doubled(value.value), ...rough };
    case 'rate':
      return { ...ofPeople(value), ...rough };
    case 'share':
      return { ...twice, ...rough };
    case 'plain':
      return { ...value, ...rough };
    case 'coarse':
      if (persons < surePersons) return hidden;
      return {
        ...twice,
        value: value.value === null ? null : Math.round(100 * value.value) / 100,
        whole: true,
      };
    case 'median':
      return { ...twice, value: roundedTime(value.value, unit), ...rough };
    case 'percentile': {
      const needed = percentileNeeds * threshold;
      if (persons < needed || 2 * whole.n < needed) return hidden;
      return { ...twice, value: roundedTime(value.value, unit), ...rough };
    }
  }
}

/** A rate of the half over all people, doubled with its interval. */
const ofPeople = ({ excluded: _, ...value }: MeasureValue): MeasureValue => ({
  ...value,
  value: doubled(value.value),
  numerator: doubled(value.numerator),
  ...(value.interval && { interval: { low: 2 * value.interval.low, high: 2 * value.interval.high } }),
});

const doubled = (n: number | null): number | null => (n === null ? null : 2 * n);

/** Hours in whole hours, from two days on in whole days; minutes in steps of five; other units in whole numbers. */
export function roundedTime(time: number | null, unit: Unit): number | null {
  if (time === null) return null;
  if (unit === 'hours' && time >= 48) return 24 * Math.round(time / 24);
  return unit === 'minutes' ? 5 * Math.round(time / 5) : Math.round(time);
}

/**
 * Below this many rows a year, numbers are of four weeks: in single weeks, four in ten persons would be alone in a
 * facility.
 */
const rowsForWeeks = 10_000;
/** Weeks per period for a reader who sees this many rows of the last year. */
export const weeksTogether = (rowsOfYear: number): 1 | 4 => (rowsOfYear < rowsForWeeks ? 4 : 1);

/** The Sunday that periods of several weeks are counted from. It is before every day that can be queried. */
const firstSunday = '1899-12-31';

/** The first day of a day's period: its MMWR week, or four weeks that are the same in every question. */
export function startOfPeriod(day: string, weeks: 1 | 4): string {
  const length = 7 * weeks;
  return addDays(day, -(daysBetween(firstSunday, day) % length));
}

/** The first day of a period of four weeks, as SQL. */
export const fourWeeksSql = (day: string): string =>
  `${day} - cast((${day} - cast('${firstSunday}' as date)) % 28 as integer)`;

/** Widens a range to whole periods. Two ranges then never differ by a single day, in which a person may be alone. */
export const wholePeriods = ({ start, end }: DateRange, weeks: 1 | 4): DateRange => ({
  start: startOfPeriod(start, weeks),
  end: addDays(startOfPeriod(end, weeks), 7 * weeks - 1),
});

/** Whether filters by these columns, with a series by those, are few enough to answer. */
export const isCoarse = (filters: Iterable<string>, series: Iterable<string> = []): boolean =>
  new Set([...filters, ...series]).size <= mostProtectedFilters;
