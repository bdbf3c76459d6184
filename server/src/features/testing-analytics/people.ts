import { type AnalyticsQuery, missingKey } from '@caseway/contract/analytics';
import type { DateRange } from '@caseway/contract/date-range';
import { initialFilters } from '@caseway/contract/search-params';
import {
  categoriesThatAre,
  failedCategories,
  type TestingFilter,
  type TestingSeries,
  testingAnalytics,
} from '@caseway/contract/testing-analytics';
import type { Ask } from '../../platform/analytics/engine.ts';
import type { Question } from '../../platform/analytics/visible-facts.ts';
import {
  type AnswerName,
  type Answers,
  answerNames,
  answerSql,
  type Cell,
  Conditions,
  columnsOfSeries,
  compare,
  filterColumns,
  granularityOf,
  type Histogram,
  listed,
  periodSql,
  readPerPerson,
  type Span,
  spanNames,
  spans,
  splitColumns,
  type TestingCounts,
  type Totals,
  testsOf,
} from './queries.ts';
import {
  type CellPeople,
  type People,
  type TotalPeople,
  type Withheld,
  withheldByFilter,
  withheldRows,
} from './suppression.ts';

/*
 * How many persons stand behind numbers of tests, as far as suppression has to know. A number of tests below the
 * threshold is of as few persons. One that is larger than all tests of those few persons who have most of them is of
 * more. Only what lies between is asked for.
 */

/** The most tests that so many persons have together, given how many persons have how many tests. */
export function mostTestsOf(persons: number, perPerson: Histogram): number {
  let left = persons;
  let tests = 0;
  for (const [each, people] of [...perPerson].sort(([a], [b]) => b - a)) {
    tests += each * Math.min(left, people);
    left -= Math.min(left, people);
  }
  return tests;
}

/** What a number of tests tells about persons: their number at most, that they are enough, or nothing. */
const guess = (tests: number, threshold: number, most: number): 'few' | 'enough' | 'ask' =>
  tests < threshold ? 'few' : tests > most ? 'enough' : 'ask';

type Part = 'tests' | AnswerName;
const partNames: readonly Part[] = ['tests', ...answerNames];
const testsIn = (cell: Answers, part: Part) => (part === 'tests' ? testsOf(cell) : cell[part]);

/** The condition that a test is of a part, in a form that is quick. */
const isOfPart: Record<Part, string> = {
  tests: 'true',
  positive: `result_category in (${listed(categoriesThatAre('positive'))})`,
  negative: `result_category in (${listed(categoriesThatAre('negative'))})`,
  other: `result_category not in (${listed([...categoriesThatAre('positive'), ...categoriesThatAre('negative')])})`,
};

/** How tests are split into cells: expressions over the facts. */
interface Split {
  first: string;
  second?: string;
  /** What makes the keys comparable with `first`. */
  keysAs?: 'date[]';
}

const at = (key: string | null, key2?: string | null) => `${key ?? missingKey}\n${key2 ?? ''}`;

interface SplitRow {
  part: string;
  key: string | null;
  key2: string | null;
  people: number;
}

/** Cells of one split of which it has to be asked how many persons stand behind them. */
interface SplitPeople<C> {
  people: Map<C, People>;
  /** Rows as in `SplitRow`; nothing where nothing is unsure. */
  selects: string[];
  take(row: SplitRow): void;
}

/**
 * Persons behind the cells of one split. A number that should have been answered and was not counts as none, so that it
 * is withheld. `from` is where the tests stand that are split, with its conditions; `name` tells the split's rows from
 * those of others in the same question.
 */
function splitPeople<C extends Answers & { key: string; key2?: string }>(
  conditions: Conditions,
  { name, from, split }: { name: string; from: string; split: Split },
  cells: readonly C[],
  { threshold, most }: { threshold: number; most: number },
): SplitPeople<C> {
  const people = new Map<C, People>();
  const unsure = new Map<string, { part: Part; wanted: Map<string, C> }>();
  for (const cell of cells) {
    const known: People = {};
    people.set(cell, known);
    for (const part of partNames) {
      const tests = testsIn(cell, part);
      const guessed = guess(tests, threshold, most);
      if (guessed === 'few') known[part] = tests;
      if (guessed !== 'ask') continue;
      known[part] = 0;
      const asked = unsure.get(`${name} ${part}`) ?? { part, wanted: new Map<string, C>() };
      unsure.set(`${name} ${part}`, asked);
      asked.wanted.set(at(cell.key, cell.key2), cell);
    }
  }
  const { first, second, keysAs } = split;
  const selects = [...unsure].map(([label, { part, wanted }]) => {
    const keys = [...new Set([...wanted.values()].map(({ key }) => key))];
    const present = keys.filter((key) => key !== missingKey);
    const picked = keys.length > present.length ? [`${first} is null`] : [];
    if (present.length > 0) {
      const list = conditions.param(present);
      picked.push(`${first} = any(${keysAs ? `cast(${list} as ${keysAs})` : list})`);
    }
    return `select '${label}' as part, cast(${first} as text) as key, cast(${second ?? 'null'} as text) as key2,
      count(distinct patient_id) as people from ${from} and ${isOfPart[part]} and (${picked.join(' or ')})
      group by ${second ? `${first}, ${second}` : first}`;
  });
  return {
    people,
    selects,
    take(row) {
      const asked = unsure.get(row.part);
      const cell = asked?.wanted.get(at(row.key, second ? (row.key2 ?? missingKey) : null));
      if (cell) people.get(cell)![asked!.part]! += row.people;
    },
  };
}

/** Persons behind the cells of all series. */
export async function peopleOfCells(
  ask: Ask,
  query: AnalyticsQuery,
  { series, current }: TestingCounts,
  threshold: number,
): Promise<CellPeople> {
  const most = mostTestsOf(threshold - 1, current.perPerson);
  const conditions = new Conditions(query);
  const all = (Object.entries(series) as [TestingSeries, Cell[]][]).map(([name, cells]) =>
    splitPeople(conditions, { name, from: 'f where true', split: splitOf(name, query) }, cells, {
      threshold,
      most,
    }),
  );
  const selects = all.flatMap((one) => one.selects);
  if (selects.length > 0) {
    const columns = [...new Set([conditions.day, 'patient_id', 'result_category', ...splitColumns])];
    const rows = await ask<SplitRow>({
      with: `f as materialized (select ${columns.join(', ')} from result_fact where ${conditions.within(query.dateRangeValue)})`,
      select: selects.join(' union all '),
      params: conditions.params,
    });
    for (const row of rows) for (const { take } of all) take(row);
  }
  return new Map(all.flatMap(({ people }) => [...people]));
}

function splitOf(series: TestingSeries, query: AnalyticsQuery): Split {
  if (series === 'trend') {
    const { day } = new Conditions(query);
    return { first: periodSql(day, granularityOf(query.dateRangeValue)), keysAs: 'date[]' };
  }
  if (series === 'resultCategory') return { first: 'result_category' };
  // An assay without a name is none.
  if (series === 'assay') return { first: "nullif(cast(assay_key as text), '')" };
  const [first, second] = columnsOfSeries[series];
  return series === 'ageSex' ? { first, second } : { first };
}

const isFailed = `result_category in (${listed(failedCategories)})`;

/** Persons behind the totals of a range. */
export async function peopleOfTotals(
  ask: Ask,
  query: AnalyticsQuery,
  range: DateRange,
  totals: Totals,
  threshold: number,
): Promise<TotalPeople> {
  const most = mostTestsOf(threshold - 1, totals.perPerson);
  const tests = testsOf(totals);
  const timed = (span: Span) => [...totals.durations[span].values()].reduce((sum, n) => sum + n, 0);
  // Each number of tests with the condition that its tests meet.
  const parts: [name: string, n: number, condition: string][] = [
    ...answerNames.map((name): [string, number, string] => [name, totals[name], isOfPart[name]]),
    ['failed', totals.failed, isFailed],
    ['notFailed', tests - totals.failed, `not (${isFailed})`],
    ['missingDemographics', totals.missingDemographics, 'not demographics_known'],
    ['knownDemographics', tests - totals.missingDemographics, 'demographics_known'],
    ...spanNames.flatMap((span): [string, number, string][] => [
      [`${span}Timed`, timed(span), `${spans[span]} is not null`],
      [`${span}Untimed`, tests - timed(span), `${spans[span]} is null`],
    ]),
  ];
  const people: Record<string, number | undefined> = { tests: totals.people };
  const conditions = new Conditions(query);
  const selects: string[] = [];
  for (const [name, n, condition] of parts) {
    const guessed = guess(n, threshold, most);
    if (guessed === 'few') people[name] = n;
    if (guessed !== 'ask') continue;
    people[name] = 0;
    selects.push(`select '${name}' as part, count(distinct patient_id) as people from f where ${condition}`);
  }
  if (selects.length > 0) {
    const columns = ['patient_id', 'result_category', 'demographics_known', ...Object.values(spans)];
    const rows = await ask<{ part: string; people: number }>({
      with: `f as materialized (select ${columns.join(', ')} from result_fact where ${conditions.within(range)})`,
      select: selects.join(' union all '),
      params: conditions.params,
    });
    for (const row of rows) people[row.part]! += row.people;
  }
  return {
    ...people,
    spans: Object.fromEntries(
      spanNames.map((span) => [span, { timed: people[`${span}Timed`], untimed: people[`${span}Untimed`] }]),
    ) as TotalPeople['spans'],
  };
}

/** Persons with a result that cannot be placed in time. */
export async function peopleUndated(
  ask: Ask,
  query: AnalyticsQuery,
  undated: number,
  threshold: number,
): Promise<number> {
  if (undated < threshold) return undated;
  const conditions = new Conditions(query);
  let people = 0;
  for (const row of await ask<{ n: number }>({
    select: `select count(distinct patient_id) as n from result_fact
      where ${conditions.filters()} and ${conditions.day} is null and ${conditions.between('created_on', query.dateRangeValue)}`,
    params: conditions.params,
  }))
    people += row.n;
  return people;
}

/** What the filters withhold of a range's numbers because they pick some of what is withheld together. */
export async function withheldByFilters(
  ask: Ask,
  query: AnalyticsQuery,
  range: DateRange,
  threshold: number,
): Promise<Withheld> {
  const active = (Object.entries(query.filters) as [TestingFilter, string[]][]).filter(
    ([, values]) => values.length > 0,
  );
  if (active.length === 0) return 'nothing';
  // Nobody has more tests in a part than in the whole.
  const whole: AnalyticsQuery = { ...query, filters: initialFilters(testingAnalytics) };
  const most = mostTestsOf(threshold - 1, await readPerPerson(ask, whole, range));

  let strongest: Withheld = 'nothing';
  for (const [filter, values] of active) {
    const { column } = filterColumns[filter];
    const cells = await cellsOfFilter(ask, query, range, filter);
    const conditions = new Conditions(query);
    const from = `result_fact where ${conditions.filters(filter)} and ${conditions.between(conditions.day, range)}`;
    const { people, selects, take } = splitPeople(
      conditions,
      { name: filter, from, split: { first: column } },
      cells,
      { threshold, most },
    );
    if (selects.length > 0) {
      const question: Question = { select: selects.join(' union all '), params: conditions.params };
      for (const row of await ask<SplitRow>(question)) take(row);
    }
    const withheld = withheldRows(
      cells.map((cell) => ({ answers: cell, people: people.get(cell)!, part: cell.part })),
      { threshold },
    );
    const here = withheldByFilter(
      cells.map(({ key }, index) => ({ key, withheld: withheld[index]! })),
      values,
    );
    if (here === 'all') return 'all';
    if (here === 'answers') strongest = here;
  }
  return strongest;
}

interface FilterCell extends Answers {
  key: string;
  /** Sums within a program type, and of each answer, are on the screen as well. */
  part?: string;
}

/** Tests by the values of a filter's own list, as they are without that filter. */
async function cellsOfFilter(
  ask: Ask,
  query: AnalyticsQuery,
  range: DateRange,
  filter: TestingFilter,
): Promise<FilterCell[]> {
  const { column } = filterColumns[filter];
  const within = filter === 'programFilter' ? 'program_type_id' : 'null';
  const conditions = new Conditions(query);
  const where = `${conditions.filters(filter)} and ${conditions.between(conditions.day, range)}`;
  const by = [...new Set([column, 'result_category', ...(filter === 'programFilter' ? [within] : [])])].join(
    ', ',
  );
  type Row = { key: string | null; within: string | null; answer: AnswerName; n: number };
  const cells = new Map<string, FilterCell>();
  for (const row of await ask<Row>({
    select: `select cast(${column} as text) as key, cast(${within} as text) as within, ${answerSql} as answer, n
      from (select ${by}, count(*) as n from result_fact where ${where} group by ${by}) as g`,
    params: conditions.params,
  })) {
    const key = row.key ?? missingKey;
    const cell = cells.get(key) ?? { key, positive: 0, negative: 0, other: 0 };
    cells.set(key, cell);
    cell[row.answer] += row.n;
    if (filter === 'programFilter') cell.part = row.within ?? missingKey;
    if (filter === 'resultCategoryFilter') cell.part = row.answer;
  }
  return [...cells.values()].sort((a, b) => compare(a.key, b.key));
}
