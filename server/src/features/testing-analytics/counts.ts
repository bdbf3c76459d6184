import type { AnalyticsQuery } from '@caseway/contract/analytics';
import { missingKey } from '@caseway/contract/analytics';
import { addDays, daysBetween } from '@caseway/contract/date-range';
import { answerOfCategory, failedCategories, type TestingSeries } from '@caseway/contract/testing-analytics';
import type { Ask } from '../../platform/analytics/engine.ts';
import type { Param } from '../../platform/analytics/visible-facts.ts';
import {
  type AnswerName,
  type Answers,
  type Cell,
  Conditions,
  columnsOfSeries,
  compare,
  granularityOf,
  type Histogram,
  type Period,
  periodSql,
  periods,
  rangeOf,
  spanNames,
  spans,
  type TestingCounts,
  type Totals,
} from './queries.ts';

/** The columns by which the series are split, once each. */
const splitColumns = [
  ...new Set(
    Object.values(columnsOfSeries).flatMap((split) => split.filter((column) => column !== undefined)),
  ),
];

/**
 * From this many days on, the tests of each person are counted in the stored facts and not among the filtered ones.
 * DuckDB knows the smallest and greatest number of a stored column, and counts in an array without hashing; for few
 * tests that would take longer.
 */
const daysOfManyTests = 548;

/** Counts of tests, or of `n`, by the columns that split them. */
interface CountRow {
  part: number;
  key: string | null;
  key2: string | null;
  category: string | null;
  value: number | null;
  n: number;
}

/** Expressions over the rows of a part, each null by default; `n` counts the rows by default. */
type CountColumns = Partial<Record<Exclude<keyof CountRow, 'part'>, string>>;

/** The parts of one statement, each with a function for its rows. */
class Parts {
  readonly #selects: string[] = [];
  readonly #takers: ((row: CountRow) => void)[] = [];

  add(
    { key = 'null', key2 = 'null', category = 'null', value = 'null', n = 'count(*)' }: CountColumns,
    from: string,
    take: (row: CountRow) => void,
  ): void {
    // Reading numbers and nulls from an answer takes a fraction of the time of texts.
    const part = this.#takers.push(take) - 1;
    this.#selects.push(
      `select ${part} as part, cast(${key} as text) as key, cast(${key2} as text) as key2,
        cast(${category} as text) as category, cast(${value} as integer) as value, ${n} as n from ${from}`,
    );
  }

  async read(ask: Ask, facts: string, params: readonly Param[]): Promise<void> {
    const select = this.#selects.join(' union all ');
    for (const row of await ask<CountRow>({ with: facts, select, params })) this.#takers[row.part]!(row);
  }
}

/** The cells of every series, as rows are added to them. */
class Series {
  readonly #cells = new Map<TestingSeries, Map<string, Cell>>();

  /** Adds the tests of a row to the cell of a key, or of two, and returns it. */
  add(name: TestingSeries, { category, n }: CountRow, first: string | null, second?: string | null): Cell {
    const cells = this.#cells.get(name) ?? new Map<string, Cell>();
    this.#cells.set(name, cells);
    // An assay without a name is not counted.
    const key = first || missingKey;
    const key2 = second === undefined ? undefined : (second ?? missingKey);
    const at = `${key}\n${key2}`;
    const cell = cells.get(at) ?? { key, ...(key2 && { key2 }), ...noAnswers };
    cells.set(at, cell);
    cell[answerOf(category!)] += n;
    return cell;
  }

  all(): TestingCounts['series'] {
    const names = ['trend', 'resultCategory', ...Object.keys(columnsOfSeries)] as TestingSeries[];
    return Object.fromEntries(
      names.map((name) => [name, [...(this.#cells.get(name)?.values() ?? [])].sort(inOrderOfKeys)]),
    ) as TestingCounts['series'];
  }
}

const demographicsKnown = 'cast(demographics_known as integer)';

/**
 * Queries everything that the screen shows, from one state of the facts: in one statement, so that the filters are
 * applied once. `today` is the day in the reader's time zone.
 */
export async function readCounts(ask: Ask, query: AnalyticsQuery, today: string): Promise<TestingCounts> {
  const conditions = new Conditions(query);
  const { day } = conditions;
  const { start, end } = query.dateRangeValue;
  const areMany = daysBetween(start, end) >= daysOfManyTests;
  const within = (period: Period) => conditions.within(rangeOf(query, period));
  const ofPeriod = ['result_category', 'demographics_known', ...Object.values(spans)];
  if (!areMany) ofPeriod.push('patient_number');
  const facts = (period: Period, columns: readonly string[]) =>
    `${period}_f as materialized (select ${columns.join(', ')} from result_fact where ${within(period)})`;
  const shared = [facts('now', [...new Set([day, ...splitColumns, ...ofPeriod])]), facts('before', ofPeriod)];

  const parts = new Parts();
  const series = new Series();
  const counts = { current: noTotals(), previous: noTotals(), undated: 0, delays: new Map() as Histogram };
  addSplits(parts, series, counts.current);
  const period = periodSql(day, granularityOf(query.dateRangeValue));
  parts.add(
    { key: 'start', category: 'result_category', n: 'cast(sum(n) as bigint)' },
    `(select ${period} as start, result_category, n
      from (select ${day}, result_category, count(*) as n from now_f group by ${day}, result_category) as g) as h
      group by start, result_category`,
    (row) => series.add('trend', row, row.key),
  );
  parts.add(
    { category: 'result_category', value: demographicsKnown },
    'before_f group by demographics_known, result_category',
    (row) => addTests(counts.previous, row),
  );
  for (const period of periods) {
    const totals = period === 'now' ? counts.current : counts.previous;
    addHistograms(parts, totals, {
      tests: `${period}_f`,
      persons: areMany ? `result_fact where ${within(period)}` : `${period}_f`,
    });
  }
  // Results that cannot be placed in time, by when they were entered.
  const entered = conditions.between('created_on', query.dateRangeValue);
  parts.add({}, `result_fact where ${conditions.filters()} and ${day} is null and ${entered}`, ({ n }) => {
    counts.undated += n;
  });
  // How long before entry the chosen date was, for results entered in the half year up to today.
  const lately = conditions.between('created_on', { start: addDays(today, -180), end: today });
  parts.add(
    { value: `created_on - ${day}` },
    `result_fact where performed and ${day} is not null and ${lately} group by created_on - ${day}`,
    ({ value, n }) => add(counts.delays, Math.max(0, value!), n),
  );
  await parts.read(ask, shared.join(', '), conditions.params);
  return { ...counts, series: series.all() };
}

/**
 * Every split of the period but the trend, counted as seldom as can be: kinds of programs are added up from the
 * programs, and race, ethnicity and the totals are counted together.
 */
function addSplits(parts: Parts, series: Series, totals: Totals): void {
  const split = ([key, key2]: readonly [string, string?], take: (row: CountRow) => void) =>
    parts.add(
      { key, key2, category: 'result_category' },
      `now_f group by ${key}, ${key2 ? `${key2}, ` : ''}result_category`,
      take,
    );
  split(columnsOfSeries.program, (row) => {
    // A program belongs to one program type; if rows disagree, the last one counts.
    series.add('program', row, row.key).within = row.key2 ?? missingKey;
    series.add('programType', row, row.key2);
  });
  split(columnsOfSeries.assay, (row) => {
    const cell = series.add('assay', row, row.key);
    if (row.key2 && !(cell.label! <= row.key2)) cell.label = row.key2;
  });
  split(columnsOfSeries.ageSex, (row) => series.add('ageSex', row, row.key, row.key2));
  for (const name of ['facility', 'county', 'diseaseFamily'] as const)
    split(columnsOfSeries[name], (row) => series.add(name, row, row.key));
  parts.add(
    { key: 'race', key2: 'ethnicity', category: 'result_category', value: demographicsKnown },
    'now_f group by race, ethnicity, demographics_known, result_category',
    (row) => {
      series.add('race', row, row.key);
      series.add('ethnicity', row, row.key2);
      series.add('resultCategory', row, row.category);
      addTests(totals, row);
    },
  );
}

/**
 * The tests of each person and the spans of a period, with the relation of its tests and the one to count persons from.
 */
function addHistograms(parts: Parts, totals: Totals, from: { tests: string; persons: string }): void {
  parts.add(
    { value: 'tests' },
    `(select count(*) as tests from ${from.persons} group by patient_number) as g group by tests`,
    ({ value, n }) => {
      add(totals.perPerson, value!, n);
      totals.people += n;
    },
  );
  for (const span of spanNames) {
    const value = spans[span];
    parts.add({ value }, `${from.tests} where ${value} is not null group by ${value}`, (row) =>
      add(totals.durations[span], row.value!, row.n),
    );
  }
}

/** Adds a row's tests to totals; its value is 0 where demographics are not known. */
function addTests(totals: Totals, { category, value, n }: CountRow): void {
  totals[answerOf(category!)] += n;
  if ((failedCategories as readonly string[]).includes(category!)) totals.failed += n;
  if (value === 0) totals.missingDemographics += n;
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

/** What a category counts as; an unknown one is not an answer. */
const answerOf = (category: string): AnswerName => {
  const said = (answerOfCategory as Record<string, string>)[category];
  return said === 'positive' || said === 'negative' ? said : 'other';
};

/**
 * Always the same order. If two rows have the same size, their order decides which one is withheld; if it were random,
 * repeated queries would show them all.
 */
const inOrderOfKeys = (a: Cell, b: Cell) => compare(a.key, b.key) || compare(a.key2 ?? '', b.key2 ?? '');
