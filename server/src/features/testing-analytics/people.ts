import { type AnalyticsQuery, missingKey } from '@caseway/contract/analytics';
import type { DateRange } from '@caseway/contract/date-range';
import {
  categoriesThatAre,
  failedCategories,
  type TestingFilter,
  type TestingSeries,
} from '@caseway/contract/testing-analytics';
import type { Ask } from '../../platform/analytics/engine.ts';
import type { FilterCell, FilterCells } from './filter-cells.ts';
import {
  type AnswerName,
  type Answers,
  answerNames,
  answerSql,
  type Cell,
  Conditions,
  columnsOfSeries,
  filterColumns,
  granularityOf,
  type Histogram,
  listed,
  type Period,
  periodSql,
  periods,
  rangeOf,
  type Span,
  spanNames,
  spans,
  type TestingCounts,
  type Totals,
  testsOf,
} from './queries.ts';
import type { People, TotalPeople } from './suppression.ts';

/*
 * How many persons are behind numbers of tests, as far as suppression needs it. A number of tests below the threshold
 * has at most as many persons. One that is larger than all tests of the few persons with the most tests has more
 * persons. Only numbers in between are queried.
 */

/** Persons behind every number that might be shown to a reader from whom small cells are withheld. */
export interface TestingPeople {
  cells: ReadonlyMap<Cell, People>;
  totals: Record<Period, TotalPeople>;
  /** Behind the cells of each active filter's own list. */
  filters: Record<Period, ReadonlyMap<FilterCell, People>>;
  /** Persons with a result that cannot be placed in time. */
  undated: number;
}

/** The largest number of tests that this many persons have together, given the persons by number of tests. */
export function mostTestsOf(persons: number, perPerson: Histogram): number {
  let left = persons;
  let tests = 0;
  for (const [each, people] of [...perPerson].sort(([a], [b]) => b - a)) {
    tests += each * Math.min(left, people);
    left -= Math.min(left, people);
  }
  return tests;
}

/** Below the first number of tests there are few persons, and above the second there are certainly enough. */
interface Bounds {
  threshold: number;
  most: number;
}

/** What a number of tests says about persons: their maximum number, that they are enough, or nothing. */
const guess = (tests: number, { threshold, most }: Bounds): 'few' | 'enough' | 'ask' =>
  tests < threshold ? 'few' : tests > most ? 'enough' : 'ask';

type Part = 'tests' | AnswerName;
const partNames: readonly Part[] = ['tests', ...answerNames];
/** The condition that a test belongs to a part, in a fast form. */
const isOfPart: Record<Part, string> = {
  tests: 'true',
  positive: `result_category in (${listed(categoriesThatAre('positive'))})`,
  negative: `result_category in (${listed(categoriesThatAre('negative'))})`,
  other: `result_category not in (${listed([...categoriesThatAre('positive'), ...categoriesThatAre('negative')])})`,
};
const testsIn = (cell: Answers, part: Part) => (part === 'tests' ? testsOf(cell) : cell[part]);

/** Persons by key, and of each answer. */
interface Row extends Record<Part, number> {
  label: string;
  key: string | null;
  key2: string | null;
}

/** Questions about persons, gathered so that one statement answers them all. */
class Questions {
  readonly conditions: Conditions;
  readonly #query: AnalyticsQuery;
  readonly #columns: Record<Period, Set<string>> = { now: new Set(), before: new Set() };
  readonly #selects: string[] = [];
  readonly #takers = new Map<string, (row: Row) => void>();

  constructor(query: AnalyticsQuery) {
    this.#query = query;
    this.conditions = new Conditions(query);
  }

  /** The relation with a period's tests and these columns, filtered once for all queries. */
  tests(period: Period, columns: readonly string[]): string {
    for (const column of columns) this.#columns[period].add(column);
    return `${period}_f`;
  }

  /** `select` names its rows by the label it is given; `take` is called with each. */
  add(select: (label: string) => string, take: (row: Row) => void): void {
    const label = String(this.#selects.length);
    this.#selects.push(select(`'${label}' as label`));
    this.#takers.set(label, take);
  }

  async ask(ask: Ask): Promise<void> {
    if (this.#selects.length === 0) return;
    const shared = periods.flatMap((period) => {
      const columns = [...this.#columns[period]];
      if (columns.length === 0) return [];
      const within = this.conditions.within(rangeOf(this.#query, period));
      return [`${period}_f as materialized (select ${columns.join(', ')} from result_fact where ${within})`];
    });
    const rows = await ask<Row>({
      ...(shared.length > 0 && { with: shared.join(', ') }),
      select: this.#selects.join(' union all '),
      params: this.conditions.params,
    });
    for (const row of rows) this.#takers.get(row.label)!(row);
  }
}

/** Queries the persons behind all uncertain numbers, from one state of the facts. */
export async function readPeople(
  ask: Ask,
  query: AnalyticsQuery,
  { counts, filterCells }: { counts: TestingCounts; filterCells: Record<Period, FilterCells> },
  threshold: number,
): Promise<TestingPeople> {
  const questions = new Questions(query);
  const bounds = (perPerson: Histogram): Bounds => ({
    threshold,
    most: mostTestsOf(threshold - 1, perPerson),
  });
  const own: Record<Period, Bounds> = {
    now: bounds(counts.current.perPerson),
    before: bounds(counts.previous.perPerson),
  };
  const cells = Object.entries(counts.series) as [TestingSeries, Cell[]][];
  const undated = peopleUndated(questions, query, counts.undated, threshold);
  const people = {
    cells: new Map(
      cells.flatMap(([name, all]) => {
        const split = splitOf(name, query);
        const from = () =>
          `${questions.tests('now', ['patient_number', 'result_category', ...split.columns])} where true`;
        return [...splitPeople(questions, { from, split }, all, own.now)];
      }),
    ),
    totals: {
      now: totalPeople(questions, 'now', counts.current, own.now),
      before: totalPeople(questions, 'before', counts.previous, own.before),
    },
    filters: {
      now: filterPeople(questions, query, 'now', filterCells.now, bounds(filterCells.now.perPerson)),
      before: filterPeople(
        questions,
        query,
        'before',
        filterCells.before,
        bounds(filterCells.before.perPerson),
      ),
    },
  };
  await questions.ask(ask);
  return { ...people, undated: undated() };
}

/** How tests are split into cells: expressions over the facts, and the columns they are made of. */
interface Split {
  first: string;
  second?: string;
  columns: readonly string[];
  /** Makes the keys comparable with `first`. */
  keysAs?: 'date[]';
}

function splitOf(series: TestingSeries, query: AnalyticsQuery): Split {
  if (series === 'trend') {
    const { day } = new Conditions(query);
    return {
      first: periodSql(day, granularityOf(query.dateRangeValue)),
      columns: [day],
      keysAs: 'date[]',
    };
  }
  if (series === 'resultCategory') return { first: 'result_category', columns: ['result_category'] };
  // An assay without a name is not counted.
  if (series === 'assay') return { first: "nullif(cast(assay_key as text), '')", columns: ['assay_key'] };
  const [first, second] = columnsOfSeries[series];
  return series === 'ageSex' && second
    ? { first, second, columns: [first, second] }
    : { first, columns: [first] };
}

const at = (key: string | null, key2?: string | null) => `${key ?? missingKey}\n${key2 ?? ''}`;

/**
 * Persons behind the cells of one split, once the queries have run. A number without an answer counts as none, so that
 * it is withheld. `from` is the relation of the tests that are split, with its conditions.
 */
function splitPeople<C extends Answers & { key: string; key2?: string }>(
  questions: Questions,
  { from, split }: { from: () => string; split: Split },
  cells: readonly C[],
  bounds: Bounds,
): Map<C, People> {
  const people = new Map<C, People>();
  const unsure = new Map<string, { cell: C; parts: Part[] }>();
  for (const cell of cells) {
    const known: People = {};
    people.set(cell, known);
    const parts: Part[] = [];
    for (const part of partNames) {
      const guessed = guess(testsIn(cell, part), bounds);
      if (guessed === 'few') known[part] = testsIn(cell, part);
      if (guessed !== 'ask') continue;
      known[part] = 0;
      parts.push(part);
    }
    if (parts.length > 0) unsure.set(at(cell.key, cell.key2), { cell, parts });
  }
  if (unsure.size === 0) return people;

  const { first, second, keysAs } = split;
  // Of a large cell with a small answer, the tests of that answer are enough; reading all of them would take long.
  const picked = partNames.flatMap((part) => {
    const asked = [...unsure.values()].filter(({ parts }) => parts.includes(part));
    const keys = [...new Set(asked.map(({ cell }) => cell.key))];
    if (keys.length === 0) return [];
    const present = keys.filter((key) => key !== missingKey);
    const isKey = keys.length > present.length ? [`${first} is null`] : [];
    if (present.length > 0) {
      const list = questions.conditions.param(present);
      isKey.push(`${first} = any(${keysAs ? `cast(${list} as ${keysAs})` : list})`);
    }
    return [`${isOfPart[part]} and (${isKey.join(' or ')})`];
  });
  const saying = (name: AnswerName) => `max(case when answer = '${name}' then 1 else 0 end) as ${name}`;
  questions.add(
    (
      label,
    ) => `select ${label}, cast(first_key as text) as key, cast(second_key as text) as key2, count(*) as tests,
      ${answerNames.map((name) => `cast(sum(${name}) as bigint) as ${name}`).join(', ')}
      from (
        select first_key, second_key, patient_number, ${answerNames.map(saying).join(', ')}
        from (
          select ${first} as first_key, ${second ?? 'cast(null as text)'} as second_key, patient_number, ${answerSql} as answer
          from ${from()} and (${picked.join(' or ')})) as t
        group by first_key, second_key, patient_number) as p
      group by first_key, second_key`,
    (row) => {
      const asked = unsure.get(at(row.key, second ? (row.key2 ?? missingKey) : null));
      if (!asked) return;
      const known = people.get(asked.cell)!;
      for (const part of asked.parts) known[part]! += row[part];
    },
  );
  return people;
}

const isFailed = `result_category in (${listed(failedCategories)})`;

/** Persons behind the totals of a period, once the queries have run. */
function totalPeople(questions: Questions, period: Period, totals: Totals, bounds: Bounds): TotalPeople {
  const tests = testsOf(totals);
  const timed = (span: Span) => [...totals.durations[span].values()].reduce((sum, n) => sum + n, 0);
  const result: TotalPeople = {
    tests: totals.people,
    spans: { collectedToReceived: {}, receivedToResulted: {}, collectedToResulted: {} },
  };
  /** For a number of tests, with the condition of its tests and the columns it needs. */
  const count = <K extends string>(
    into: Partial<Record<K, number>>,
    name: K,
    { n, condition, columns }: { n: number; condition: string; columns: readonly string[] },
  ) => {
    const guessed = guess(n, bounds);
    if (guessed === 'few') into[name] = n;
    if (guessed !== 'ask') return;
    into[name] = 0;
    const from = questions.tests(period, ['patient_number', ...columns]);
    const nothing = answerNames.map((answer) => `0 as ${answer}`).join(', ');
    questions.add(
      (label) => `select ${label}, cast(null as text) as key, cast(null as text) as key2,
        count(distinct patient_number) as tests, ${nothing} from ${from} where ${condition}`,
      (row) => {
        into[name]! += row.tests;
      },
    );
  };
  const category = ['result_category'];
  for (const name of answerNames)
    count(result, name, { n: totals[name], condition: isOfPart[name], columns: category });
  const { failed, missingDemographics } = totals;
  count(result, 'failed', { n: failed, condition: isFailed, columns: category });
  count(result, 'notFailed', { n: tests - failed, condition: `not (${isFailed})`, columns: category });
  const known = ['demographics_known'];
  count(result, 'missingDemographics', {
    n: missingDemographics,
    condition: 'not demographics_known',
    columns: known,
  });
  count(result, 'knownDemographics', {
    n: tests - missingDemographics,
    condition: 'demographics_known',
    columns: known,
  });
  for (const span of spanNames) {
    const column = spans[span];
    const into = result.spans[span];
    count(into, 'timed', { n: timed(span), condition: `${column} is not null`, columns: [column] });
    count(into, 'untimed', { n: tests - timed(span), condition: `${column} is null`, columns: [column] });
  }
  return result;
}

/** Persons behind the cells of the active filters, once the queries have run. */
function filterPeople(
  questions: Questions,
  query: AnalyticsQuery,
  period: Period,
  { byFilter }: FilterCells,
  bounds: Bounds,
): Map<FilterCell, People> {
  const { conditions } = questions;
  const range: DateRange = rangeOf(query, period);
  return new Map(
    ([...byFilter] as [TestingFilter, FilterCell[]][]).flatMap(([filter, cells]) => {
      const { column } = filterColumns[filter];
      const from = () =>
        `result_fact where ${conditions.filters(filter)} and ${conditions.between(conditions.day, range)}`;
      return [
        ...splitPeople(questions, { from, split: { first: column, columns: [column] } }, cells, bounds),
      ];
    }),
  );
}

/** Persons with a result that cannot be placed in time; the number is there once the queries have run. */
function peopleUndated(
  questions: Questions,
  query: AnalyticsQuery,
  undated: number,
  threshold: number,
): () => number {
  if (undated < threshold) return () => undated;
  const { conditions } = questions;
  let people = 0;
  questions.add(
    (label) => `select ${label}, cast(null as text) as key, cast(null as text) as key2,
      count(distinct patient_number) as tests, ${answerNames.map((name) => `0 as ${name}`).join(', ')}
      from result_fact
      where ${conditions.filters()} and ${conditions.day} is null and ${conditions.between('created_on', query.dateRangeValue)}`,
    (row) => {
      people += row.tests;
    },
  );
  return () => people;
}
