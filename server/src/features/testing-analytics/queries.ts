import type { AnalyticsQuery } from '@caseway/contract/analytics';
import { missingKey } from '@caseway/contract/analytics';
import { addDays, type DateRange, daysBetween, previousRange } from '@caseway/contract/date-range';
import {
  answerOfCategory,
  categoriesThatAre,
  type EventDate,
  failedCategories,
  type TestingFilter,
  type TestingSeries,
} from '@caseway/contract/testing-analytics';
import type { Ask } from '../../platform/analytics/engine.ts';
import type { Param, Question } from '../../platform/analytics/visible-facts.ts';

/*
 * What testing analytics asks the facts: counts, never a rate. An answer may come in parts, one per tenant, so every
 * number here can be added up: counts of tests and of persons (a person's record belongs to one tenant), and durations
 * as a count per value, from which a median over all of them is a true one.
 */

/** Tests by what they say. */
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
  collectedToReceived: 'tenths_collected_to_received',
  receivedToResulted: 'tenths_received_to_resulted',
  collectedToResulted: 'tenths_collected_to_resulted',
} as const;
export type Span = keyof typeof spans;
export const spanNames = Object.keys(spans) as Span[];

/** Everything that is counted over one range. */
export interface Totals extends Answers {
  /** Distinct persons with a test. */
  people: number;
  /** Numbers of tests of one person, by how many persons have so many. */
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

/** Which column a filter asks about. Ids are uuids; another value is the id of nothing. */
export const filterColumns: Record<TestingFilter, { column: string; ids?: true }> = {
  programTypeFilter: { column: 'program_type_id', ids: true },
  programFilter: { column: 'program_id', ids: true },
  taskFilter: { column: 'task_id', ids: true },
  facilityFilter: { column: 'facility_id', ids: true },
  countyFilter: { column: 'county_fips' },
  diseaseFamilyFilter: { column: 'disease_family' },
  sexFilter: { column: 'sex' },
  genderFilter: { column: 'gender' },
  raceFilter: { column: 'race' },
  ethnicityFilter: { column: 'ethnicity' },
  resultCategoryFilter: { column: 'result_category' },
};

/** By which columns each series but the trend is split. */
export const columnsOfSeries: Record<
  Exclude<TestingSeries, 'trend' | 'resultCategory'>,
  readonly [string, string?]
> = {
  programType: ['program_type_id'],
  program: ['program_id', 'program_type_id'],
  facility: ['facility_id'],
  county: ['county_fips'],
  diseaseFamily: ['disease_family'],
  assay: ['assay_key', 'assay'],
  ageSex: ['age_band', 'sex'],
  race: ['race'],
  ethnicity: ['ethnicity'],
};

/** The columns by which the series are split, once each. */
const splitColumns = [
  ...new Set(
    Object.values(columnsOfSeries).flatMap((split) => split.filter((column) => column !== undefined)),
  ),
];

export type Granularity = 'day' | 'week';
/** Up to a quarter of a year is shown by days, more by MMWR weeks. */
export const granularityOf = (range: DateRange): Granularity =>
  daysBetween(range.start, range.end) < 92 ? 'day' : 'week';

/**
 * From so many days on, the tests of each person are counted in the stored facts and not among what was looked for once.
 * Of a stored column DuckDB knows the least and the greatest number, and counts in a table from one to the other without
 * hashing; of few tests that would take longer.
 */
const daysOfManyTests = 548;

/** The first day of the day or MMWR week that a day lies in, as SQL. */
export const periodSql = (day: string, granularity: Granularity): string =>
  granularity === 'week' ? `${day} - cast(extract(dow from ${day}) as integer)` : day;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

// Constants of the contract; nothing that was sent.
export const listed = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');
/** What a result says, as SQL. */
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
    this.day = `${query.eventDate as EventDate}_on`;
  }

  param(value: Param): string {
    return `$${this.params.push(value)}`;
  }

  between(column: string, { start, end }: DateRange): string {
    return `${column} between cast(${this.param(start)} as date) and cast(${this.param(end)} as date)`;
  }

  /** What counts as a test, the list filters, and a range of the chosen date. */
  within(range: DateRange): string {
    return `${this.filters()} and ${this.between(this.day, range)}`;
  }

  /** What counts as a test, and the list filters, with or without one of them. */
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

  isAnyOf({ column, ids }: { column: string; ids?: true }, values: readonly string[]): string {
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

/**
 * Everything the screen shows in one statement, so that what the filters leave is looked for once: rows `part`, `key`,
 * `key2`, `category`, `n`. Parts are the series' names, and for each period `totals` (key: whether demographics are
 * known), `people` (key: number of tests of one person; n: persons with so many) and the spans (key: tenths of an hour);
 * `undated`; and `delays` (key: days).
 */
export function countsQuestion(query: AnalyticsQuery, today: string): Question {
  const conditions = new Conditions(query);
  const { day } = conditions;
  const { start: from, end: to } = query.dateRangeValue;
  const areMany = daysBetween(from, to) >= daysOfManyTests;
  const within = (period: Period) => conditions.within(rangeOf(query, period));
  const ofPeriod = ['result_category', 'demographics_known', ...Object.values(spans)];
  if (!areMany) ofPeriod.push('patient_number');
  const columns = [...new Set([day, ...splitColumns, ...ofPeriod])];
  const facts = (period: Period, names: readonly string[]) =>
    `${period}_f as materialized (select ${names.join(', ')} from result_fact where ${within(period)})`;
  const part = (
    name: string,
    key: string,
    key2: string | undefined,
    category: string | undefined,
    n: string,
  ) =>
    `select '${name}' as part, cast(${key} as text) as key, cast(${key2 ?? 'null'} as text) as key2,
      cast(${category ?? 'null'} as text) as category, ${n} as n`;

  const selects = Object.entries(columnsOfSeries).map(
    ([series, [first, second]]) =>
      `${part(series, first, second, 'result_category', 'count(*)')} from now_f
        group by ${first}, ${second ? `${second}, ` : ''}result_category`,
  );
  const start = periodSql(day, granularityOf(query.dateRangeValue));
  selects.push(
    `${part('trend', 'start', undefined, 'result_category', 'cast(sum(n) as bigint)')} from (
      select ${start} as start, result_category, n
      from (select ${day}, result_category, count(*) as n from now_f group by ${day}, result_category) as g) as h
      group by start, result_category`,
  );
  for (const period of periods) {
    selects.push(
      `${part(`totals ${period}`, 'demographics_known', undefined, 'result_category', 'count(*)')} from ${period}_f
        group by demographics_known, result_category`,
      `${part(`people ${period}`, 'tests', undefined, undefined, 'count(*)')} from (
        select count(*) as tests from ${areMany ? `result_fact where ${within(period)}` : `${period}_f`}
        group by patient_number) as g group by tests`,
      ...Object.entries(spans).map(
        ([span, column]) =>
          `${part(`${span} ${period}`, column, undefined, undefined, 'count(*)')} from ${period}_f
            where ${column} is not null group by ${column}`,
      ),
    );
  }
  const entered = conditions.between('created_on', { start: addDays(today, -180), end: today });
  selects.push(
    // Results that cannot be placed in time, by when they were entered.
    `${part('undated', 'null', undefined, undefined, 'count(*)')} from result_fact
      where ${conditions.filters()} and ${day} is null and ${conditions.between('created_on', query.dateRangeValue)}`,
    // How long before entry the chosen date lay, for what was entered in the half year up to today.
    `${part('delays', `created_on - ${day}`, undefined, undefined, 'count(*)')} from result_fact
      where performed and ${day} is not null and ${entered} group by created_on - ${day}`,
  );
  return {
    with: `${facts('now', columns)}, ${facts('before', ofPeriod)}`,
    select: selects.join(' union all '),
    params: conditions.params,
  };
}

const noAnswers: Answers = { positive: 0, negative: 0, other: 0 };
const noTotals = (): Totals => ({
  ...noAnswers,
  people: 0,
  perPerson: new Map(),
  failed: 0,
  missingDemographics: 0,
  durations: {
    collectedToReceived: new Map(),
    receivedToResulted: new Map(),
    collectedToResulted: new Map(),
  },
});

const add = (histogram: Histogram, value: number, n: number) =>
  histogram.set(value, (histogram.get(value) ?? 0) + n);

interface CountRow {
  part: string;
  key: string | null;
  key2: string | null;
  category: string | null;
  n: number;
}

/** Asks everything that the screen shows, of one state of the facts. `today` is the day in the reader's time zone. */
export async function readCounts(ask: Ask, query: AnalyticsQuery, today: string): Promise<TestingCounts> {
  const totals: Record<Period, Totals> = { now: noTotals(), before: noTotals() };
  const series = new Map<string, Map<string, Cell>>();
  const delays: Histogram = new Map();
  let undated = 0;
  for (const row of await ask<CountRow>(countsQuestion(query, today))) {
    const [part, period] = row.part.split(' ') as [string, Period | undefined];
    const { n } = row;
    const key = Number(row.key);
    if (part === 'undated') undated += n;
    else if (part === 'delays') add(delays, Math.max(0, key), n);
    else if (!period) addToCell(series, part as TestingSeries, row);
    else if (part === 'people') {
      add(totals[period].perPerson, key, n);
      totals[period].people += n;
    } else if (part === 'totals') {
      addTests(totals[period], row);
      if (period === 'now') addToCell(series, 'resultCategory', { ...row, key: row.category });
    } else add(totals[period].durations[part as Span], key, n);
  }
  const all = ['trend', 'resultCategory', ...Object.keys(columnsOfSeries)] as TestingSeries[];
  const sorted = all.map((name) => [name, [...(series.get(name)?.values() ?? [])].sort(inOrderOfKeys)]);
  return {
    current: totals.now,
    previous: totals.before,
    series: Object.fromEntries(sorted) as TestingCounts['series'],
    undated,
    delays,
  };
}

/** What a category counts as; one that nobody knows yet is no answer. */
const answerOf = (category: string): AnswerName => {
  const said = (answerOfCategory as Record<string, string>)[category];
  return said === 'positive' || said === 'negative' ? said : 'other';
};

function addTests(totals: Totals, { category, key, n }: CountRow): void {
  totals[answerOf(category!)] += n;
  if ((failedCategories as readonly string[]).includes(category!)) totals.failed += n;
  if (key === 'false') totals.missingDemographics += n;
}

function addToCell(
  series: Map<string, Map<string, Cell>>,
  name: TestingSeries,
  { category, n, ...row }: CountRow,
): void {
  const cells = series.get(name) ?? new Map<string, Cell>();
  series.set(name, cells);
  // An assay without a name is none.
  const key = row.key || missingKey;
  const second = name === 'ageSex' ? (row.key2 ?? missingKey) : undefined;
  const at = `${key}\n${second}`;
  const cell = cells.get(at) ?? { key, ...(second && { key2: second }), ...noAnswers };
  cells.set(at, cell);
  cell[answerOf(category!)] += n;
  // A program belongs to one program type; should rows disagree, to that of the last.
  if (name === 'assay' && row.key2 && !(cell.label! <= row.key2)) cell.label = row.key2;
  if (name === 'program') cell.within = row.key2 ?? missingKey;
}

/**
 * Always the same order. Of rows alike in size one is withheld and the other not by their order; were it left to chance,
 * asking often would show them all.
 */
const inOrderOfKeys = (a: Cell, b: Cell) => compare(a.key, b.key) || compare(a.key2 ?? '', b.key2 ?? '');
export const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export const testsOf = ({ positive, negative, other }: Answers): number => positive + negative + other;
