import type { AnalyticsQuery } from '@caseway/contract/analytics';
import { missingKey } from '@caseway/contract/analytics';
import { type DateRange, daysBetween, previousRange } from '@caseway/contract/date-range';
import type { ColumnOf } from '@caseway/contract/fact';
import { results } from '@caseway/contract/results';
import {
  categoriesThatAre,
  type EventDate,
  rangeFieldOf,
  type TestingFilter,
  type TestingSeries,
  testingFilterColumns,
} from '@caseway/contract/testing-analytics';
import { numbersBy } from '../../platform/analytics/facts.ts';
import type { Param } from '../../platform/analytics/visible-facts.ts';
import { resultFact } from '../results/result-fact.ts';

/*
 * The queries of testing analytics: counts, never a rate. An answer may come in parts, one per tenant, so every number
 * here can be added up: counts of tests and of persons (a person's record belongs to one tenant), and durations as a
 * count per value, from which the exact median can be computed.
 */

/** Tests by their answer. */
export interface Answers {
  positive: number;
  negative: number;
  other: number;
}
export const answerNames = ['positive', 'negative', 'other'] as const;
export type AnswerName = (typeof answerNames)[number];

/** How often each value occurs. */
export type Histogram = Map<number, number>;

export const spans = {
  collectedToReceived: numbersBy(resultFact, 'tenthsCollectedToReceived', 'aggregated'),
  receivedToResulted: numbersBy(resultFact, 'tenthsReceivedToResulted', 'aggregated'),
  collectedToResulted: numbersBy(resultFact, 'tenthsCollectedToResulted', 'aggregated'),
};
export type Span = keyof typeof spans;
export const spanNames = Object.keys(spans) as Span[];

/** Everything that is counted over one range. */
export interface Totals extends Answers {
  /** Distinct persons with a test. */
  people: number;
  /** Numbers of tests per person, with how many persons have that number. */
  perPerson: Histogram;
  /** Tests that are invalid, or whose specimen was unsatisfactory. */
  failed: number;
  /** Tests of persons whose sex, age, race or ethnicity is not known. */
  missingDemographics: number;
  /** Tenths of an hour (rounded down, from a day on to whole hours), by how many tests took so long. */
  durations: Record<Span, Histogram>;
}

/**
 * One mark: its key or keys, and its tests. `within` is the program type that a program belongs to, `label` one spelling
 * of an assay, whose key is without case and accents.
 */
export interface Cell extends Answers {
  key: string;
  key2?: string;
  label?: string;
  within?: string;
}

export interface TestingCounts {
  current: Totals;
  previous: Totals;
  series: Record<TestingSeries, Cell[]>;
  /** Results without the chosen date that were entered within the range. */
  undated: number;
  /** Days from the chosen date to the entry, by how many results of the last half year took so long. */
  delays: Histogram;
}

/** The column of each filter. Ids are UUIDs; any other value matches nothing. */
export const filterColumns = Object.fromEntries(
  Object.entries(testingFilterColumns).map(([filter, name]) => [
    filter,
    { column: numbersBy(resultFact, name, 'filtered'), ids: 'ids' in results.columns[name] },
  ]),
) as Record<TestingFilter, { column: string; ids: boolean }>;

const split = (name: ColumnOf<typeof results>) => numbersBy(resultFact, name, 'grouped');

/** The columns that each series except the trend is split by. */
export const columnsOfSeries: Record<
  Exclude<TestingSeries, 'trend' | 'resultCategory'>,
  readonly [string, string?]
> = {
  programType: [split('programTypeId')],
  program: [split('programId'), split('programTypeId')],
  facility: [split('facilityId')],
  county: [split('countyFips')],
  diseaseFamily: [split('diseaseFamily')],
  // As it is compared, and as it was sent.
  assay: [split('assay'), 'assay'],
  ageSex: [split('ageBand'), split('sex')],
  race: [split('race')],
  ethnicity: [split('ethnicity')],
};

export type Granularity = 'day' | 'week';
/** Up to a quarter of a year is shown by days, more by MMWR weeks. */
export const granularityOf = (range: DateRange): Granularity =>
  daysBetween(range.start, range.end) < 92 ? 'day' : 'week';

/** The first day of a day's MMWR week, or the day itself, as SQL. */
export const periodSql = (day: string, granularity: Granularity): string =>
  granularity === 'week' ? `${day} - cast(extract(dow from ${day}) as integer)` : day;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

// Constants of the contract; nothing that was sent.
export const listed = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');
/** The category of a result, as SQL. */
export const answerSql = `case ${answerNames
  .map((name) => `when result_category in (${listed(categoriesThatAre(name))}) then '${name}'`)
  .join(' ')} else 'other' end`;

/** The conditions of a query, with its parameters. */
export class Conditions {
  readonly params: Param[] = [];
  readonly #query: AnalyticsQuery;
  readonly day: string;

  constructor(query: AnalyticsQuery) {
    this.#query = query;
    this.day = numbersBy(resultFact, rangeFieldOf(query.eventDate as EventDate), 'filtered');
  }

  param(value: Param): string {
    return `$${this.params.push(value)}`;
  }

  between(column: string, { start, end }: DateRange): string {
    return `${column} between cast(${this.param(start)} as date) and cast(${this.param(end)} as date)`;
  }

  /** The conditions for a test, the list filters, and a range of the chosen date. */
  within(range: DateRange): string {
    return `${this.filters()} and ${this.between(this.day, range)}`;
  }

  /** The conditions for a test, and the list filters, with or without one of them. */
  filters(without?: TestingFilter): string {
    return `performed and ${this.listed(without)}`;
  }

  /** The list filters, with or without one of them. */
  listed(without?: TestingFilter): string {
    const parts: string[] = [];
    for (const [name, values] of Object.entries(this.#query.filters) as [TestingFilter, string[]][])
      if (values.length > 0 && name !== without) parts.push(this.isAnyOf(filterColumns[name], values));
    return parts.length > 0 ? parts.join(' and ') : 'true';
  }

  isAnyOf({ column, ids }: { column: string; ids: boolean }, values: readonly string[]): string {
    // In lower case, as a replica keeps ids.
    const present = ids
      ? values.filter((value) => uuid.test(value)).map((value) => value.toLowerCase())
      : values.filter((value) => value !== missingKey);
    // DuckDB compares codes with a single value much faster than with a list.
    const parts =
      present.length > 2
        ? [`${column} = any(${this.param(present)})`]
        : present.map((value) => `${column} = ${this.param(value)}`);
    if (values.includes(missingKey)) parts.push(`${column} is null`);
    return parts.length > 0 ? `(${parts.join(' or ')})` : 'false';
  }
}

/** Numbers of one range: the screen's, or the one before it. */
export type Period = 'now' | 'before';
export const periods: readonly Period[] = ['now', 'before'];
export const rangeOf = ({ dateRangeValue }: AnalyticsQuery, period: Period): DateRange =>
  period === 'now' ? dateRangeValue : previousRange(dateRangeValue);

export const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export const testsOf = ({ positive, negative, other }: Answers): number => positive + negative + other;
