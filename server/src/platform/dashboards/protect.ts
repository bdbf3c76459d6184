import { type MeasureValue, mostProtectedFilters } from '@caseway/contract/analytics';
import { addDays, type DateRange, daysBetween } from '@caseway/contract/date-range';
import type { Unit } from '@caseway/contract/measure';

/*
 * Numbers for readers without exact rights [P17]. They come from a fixed secret half of the persons, counted double, so
 * that no sum or difference of them is a true number; and one behind which there are few persons is hidden. Decision
 * record 0064 has the reasons, and what remains.
 */

/**
 * Distinct persons as far as it takes to say that they are enough: 64 bits, of which each person sets one, as two halves
 * without a sign. There are at least as many persons as bits that are set.
 */
export interface Persons {
  low: number;
  high: number;
}

/** A number before it is protected: `n` rows or persons of the half, and the persons behind all of it. */
export interface Counted {
  n: number;
  persons: Persons;
}

export const nobody: Persons = { low: 0, high: 0 };

/** The persons of both: of other rows, or of another tenant. */
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

/** How rows of a fact are counted for protected readers, as SQL that PostgreSQL and DuckDB share. */
export interface HalfSql {
  n: string;
  low: string;
  high: string;
  /** The condition for the rows that are counted. */
  rows: string;
  /** The columns of the fact that these need. */
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

/** No fewer persons are behind it. */
export const atLeast = ({ low, high }: Persons): number => ones(low) + ones(high);

/**
 * How many persons there are about: what fills as many of 64 bits on average, −64 ln(empty ÷ 64). A tenth off for a
 * hundred persons. Source: Whang and others, A linear-time probabilistic counting algorithm, 1990.
 */
export const about = (persons: Persons): number => {
  const empty = 64 - atLeast(persons);
  return empty === 0 ? Number.POSITIVE_INFINITY : -64 * Math.log(empty / 64);
};

/** From so many persons on a number is not rough: the error of a doubled half is about √n, a tenth of 100. */
const surePersons = 100;
/** A 90th percentile needs as many times the threshold. */
const percentileNeeds = 5;

/** What a number is, as far as its protection differs. */
export type Form =
  /** Rows, persons or a sum: shown twice. */
  | 'count'
  /** Rows by people of a population: shown twice by as many people as there are. */
  | 'rate'
  /** One count of the half by another. */
  | 'share'
  /** A share in whole per cent that few persons would move by several. */
  | 'coarse'
  /** What is in the middle, and below which most are. */
  | 'median'
  | 'percentile'
  /** Not a number of rows: different codes, the latest day. */
  | 'plain';

const hidden: MeasureValue = { value: null, numerator: null, denominator: null, suppressed: true };

const isZero = ({ persons }: Counted): boolean => persons.low === 0 && persons.high === 0;

/**
 * Whether a number is hidden: fewer persons than the threshold are behind it, of all persons and not of the half, or the
 * half shows fewer. Nothing at all is not hidden: a zero is shown where what it is a part of is.
 */
export const isHidden = (of: Counted, threshold: number): boolean =>
  !isZero(of) && (atLeast(of.persons) < threshold || 2 * of.n < threshold);

/**
 * A number as protected readers are shown it. `value` is made of rows of the half alone. `parts`: what it counts; of a share
 * numerator and denominator.
 *
 * - Counts. Numerator: rows, persons or the sum of the half, twice. Denominator: none.
 * - Rates. Numerator: rows of the half, twice. Denominator: all people. Unstable by the rows that were counted; what is left
 *   out is not said.
 * - Shares. Numerator and denominator: rows of the half, twice. Coarse ones in whole per cent, and from about 100 persons on.
 * - Medians and percentiles. Denominator: rows of the half with the number, twice. In whole hours, from two days on in whole
 *   days; minutes in fives. A percentile needs five times the threshold.
 *
 * Excluded: what the true number excludes. Hidden where a part is hidden. Rough below about 100 persons behind a count or a
 * denominator. Source: `half` of the fact.
 */
export function protectedValue(
  value: MeasureValue,
  { form, unit = 'count' }: { form: Form; unit?: Unit },
  parts: readonly Counted[],
  threshold: number,
): MeasureValue {
  if (parts.some((part) => isHidden(part, threshold))) return hidden;
  // Of a share what most persons are behind: its denominator.
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

/** A rate of the half by all people, doubled with its interval. */
const ofPeople = ({ excluded: _, ...value }: MeasureValue): MeasureValue => ({
  ...value,
  value: doubled(value.value),
  numerator: doubled(value.numerator),
  ...(value.interval && { interval: { low: 2 * value.interval.low, high: 2 * value.interval.high } }),
});

const doubled = (n: number | null): number | null => (n === null ? null : 2 * n);

/** Hours in whole hours, from two days on in whole days; minutes in fives, other units in whole. */
export function roundedTime(time: number | null, unit: Unit): number | null {
  if (time === null) return null;
  if (unit === 'hours' && time >= 48) return 24 * Math.round(time / 24);
  return unit === 'minutes' ? 5 * Math.round(time / 5) : Math.round(time);
}

/** Below so many rows a year numbers are of four weeks: in single weeks four in ten persons would be alone in a facility. */
const rowsForWeeks = 10_000;
/** How many weeks are one period for a reader who sees so many rows of the last year. */
export const weeksTogether = (rowsOfYear: number): 1 | 4 => (rowsOfYear < rowsForWeeks ? 4 : 1);

/** A Sunday from which periods of several weeks are counted: before every day that can be asked for. */
const firstSunday = '1899-12-31';

/** The first day of the period of a day: of its MMWR week, or of four of them that are the same in every question. */
export function startOfPeriod(day: string, weeks: 1 | 4): string {
  const length = 7 * weeks;
  return addDays(day, -(daysBetween(firstSunday, day) % length));
}

/** The first day of a period of four weeks, as SQL. */
export const fourWeeksSql = (day: string): string =>
  `${day} - cast((${day} - cast('${firstSunday}' as date)) % 28 as integer)`;

/** A range widened to whole periods: two ranges never differ by a day, in which somebody may be alone. */
export const wholePeriods = ({ start, end }: DateRange, weeks: 1 | 4): DateRange => ({
  start: startOfPeriod(start, weeks),
  end: addDays(startOfPeriod(end, weeks), 7 * weeks - 1),
});

/** Whether filters by these columns, with a series by those, are few enough to be answered. */
export const isCoarse = (filters: Iterable<string>, series: Iterable<string> = []): boolean =>
  new Set([...filters, ...series]).size <= mostProtectedFilters;
