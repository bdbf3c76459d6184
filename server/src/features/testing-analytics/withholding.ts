import type { AnalyticsAnswer, AnalyticsQuery, MeasureValue, SeriesRow } from '@caseway/contract/analytics';
import { answerOfCategory, type ResultCategory } from '@caseway/contract/testing-analytics';
import type { Ask } from '../../platform/analytics/engine.ts';
import { activeFilters, type FilterCell, type FilterCells, readFilterCells } from './filter-cells.ts';
import { readPeople } from './people.ts';
import {
  type Cell,
  Conditions,
  type Histogram,
  type Period,
  periods,
  rangeOf,
  spanNames,
  type TestingCounts,
  type Totals,
} from './queries.ts';
import {
  everythingWithheld,
  isSmall,
  type People,
  type Withheld,
  type WithheldTotals,
  withheldByFilter,
  withheldRows,
  withheldSeries,
  withheldTotals,
} from './suppression.ts';

/* Small cells of testing analytics are taken out of an answer that has every number. [P17] */

const withheldValue: MeasureValue = { value: null, numerator: null, denominator: null, suppressed: true };

/** The answer without what is small, and without what would reveal it. */
export async function withholdSmall(
  ask: Ask,
  query: AnalyticsQuery,
  answer: AnalyticsAnswer,
  threshold: number,
): Promise<AnalyticsAnswer> {
  const rowOf = new Map<Cell, SeriesRow>();
  const counts = await countsOf(ask, query, answer, rowOf);
  const smallness = { threshold };
  const filterCells = await readFilterCells(ask, query);
  const people = await readPeople(ask, query, { counts, filterCells }, threshold);
  const totalsIn = (period: Period) => {
    const byFilters = withheldByFilters(query, filterCells[period], people.filters[period], threshold);
    const totals = period === 'now' ? counts.current : counts.previous;
    const own = withheldTotals(totals, people.totals[period], smallness);
    const withheld =
      byFilters === 'all' ? everythingWithheld : { ...own, answers: own.answers || byFilters === 'answers' };
    return { withheld, byFilters };
  };
  const { withheld: totals, byFilters } = totalsIn('now');
  const cells = withheldSeries(counts.series, people.cells, totals, smallness);
  const current = withCategories(totals, counts.series.resultCategory, cells);
  const stateOf = new Map([...cells].map(([cell, withheld]) => [rowOf.get(cell)!, withheld]));

  const measures = withholdMeasures(
    answer.measures,
    current,
    isSmall(counts.undated, people.undated, smallness),
  );
  const previous = withholdMeasures(answer.previous, totalsIn('before').withheld, false);
  const series = Object.fromEntries(
    Object.entries(answer.series).map(([name, rows]): [string, SeriesRow[]] => {
      // The keys themselves would reveal something about the few persons behind them.
      if (current.all) return [name, []];
      // A trend of one measure has the periods of the trend.
      const states = rows.map(
        (row, index) =>
          stateOf.get(name === 'positivityTrend' ? answer.series.trend![index]! : row) ?? 'nothing',
      );
      return [name, rows.map((row, index) => withholdRow(name, row, states, index))];
    }),
  );
  const shown = [
    measures,
    previous,
    ...Object.values(series).flatMap((rows) => rows.map((row) => row.values)),
  ];
  return {
    ...answer,
    suppressionThreshold: threshold,
    anySuppressed: shown.some((values) => Object.values(values).some(({ suppressed }) => suppressed)),
    ...(byFilters === 'all' && { withheldBecause: 'filter-splits-withheld' as const }),
    measures,
    previous,
    series,
  };
}

/** The counts that an answer was made of, as far as its small cells are judged by them. */
async function countsOf(
  ask: Ask,
  query: AnalyticsQuery,
  { measures, previous, series }: AnalyticsAnswer,
  rowOf: Map<Cell, SeriesRow>,
): Promise<TestingCounts> {
  const perPerson = await readPerPerson(ask, query);
  const cells = Object.entries(series).filter(([name]) => name !== 'positivityTrend');
  return {
    current: totalsOf(measures, perPerson.now),
    previous: totalsOf(previous, perPerson.before),
    undated: measures.undated!.value!,
    delays: new Map(),
    series: Object.fromEntries(
      cells.map(([name, rows]) => [
        name,
        rows.flatMap((row) => {
          const { key, key2, within, values } = row;
          if (values.tests!.value === 0) return [];
          const [positive, negative, other] = ['positive', 'negative', 'other'].map(
            (one) => values[one]!.value!,
          );
          const cell = { key, key2, within, positive, negative, other } as Cell;
          rowOf.set(cell, row);
          return [cell];
        }),
      ]),
    ) as TestingCounts['series'],
  };
}

const totalsOf = (values: AnalyticsAnswer['measures'], perPerson: Histogram): Totals => ({
  positive: values.positive!.value!,
  negative: values.negative!.value!,
  other: values.other!.value!,
  perPerson,
  failed: values.failedShare!.numerator!,
  missingDemographics: values.missingDemographicsShare!.numerator!,
  people: values.people!.value!,
  // Only their sizes are looked at.
  durations: Object.fromEntries(
    spanNames.map((span) => [span, new Map([[0, values[`${span}Median`]!.denominator!]])]),
  ) as Totals['durations'],
});

/** How many persons have each number of tests, in both periods. */
async function readPerPerson(ask: Ask, query: AnalyticsQuery): Promise<Record<Period, Histogram>> {
  const conditions = new Conditions(query);
  const selects = periods.map(
    (period, part) => `select ${part} as part, tests, count(*) as n from (select count(*) as tests
      from result_fact where ${conditions.within(rangeOf(query, period))} group by patient_number) as g group by tests`,
  );
  const found: Record<Period, Histogram> = { now: new Map(), before: new Map() };
  const rows = await ask<{ part: number; tests: number; n: number }>({
    select: selects.join(' union all '),
    params: conditions.params,
  });
  for (const { part, tests, n } of rows) {
    const histogram = found[periods[part]!];
    histogram.set(tests, (histogram.get(tests) ?? 0) + n);
  }
  return found;
}

/** The numbers of a period that are withheld because the filters pick some of the values that are withheld together. */
function withheldByFilters(
  query: AnalyticsQuery,
  { byFilter }: FilterCells,
  people: ReadonlyMap<FilterCell, People>,
  threshold: number,
): Withheld {
  let strongest: Withheld = 'nothing';
  for (const [filter, values] of activeFilters(query)) {
    const cells = byFilter.get(filter)!;
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

/** A row without what is withheld of it; `states` are those of all rows of its series. */
function withholdRow(series: string, row: SeriesRow, states: readonly Withheld[], index: number): SeriesRow {
  const withheld = states[index]!;
  const week = states.slice(Math.max(0, index - 6), index + 1);
  const isHidden = (name: string): boolean => {
    // A mean is a sum of its days: if one of them is withheld, the others would reveal it.
    if (name === 'testsMean') return week.includes('all');
    if (name === 'positivityMean') return week.some((state) => state !== 'nothing');
    return (
      withheld === 'all' || (withheld === 'answers' && (name !== 'tests' || series === 'resultCategory'))
    );
  };
  const values = Object.entries(row.values).map(([name, value]) => [
    name,
    isHidden(name) ? withheldValue : value,
  ]);
  return { ...row, values: Object.fromEntries(values) };
}

const ofAnswers = ['positive', 'negative', 'other', 'positivity'];

function withholdMeasures(
  measures: Record<string, MeasureValue>,
  withheld: WithheldTotals,
  undated: boolean,
): Record<string, MeasureValue> {
  const isHidden = (name: string): boolean => {
    if (name === 'undated') return undated;
    if (withheld.all) return true;
    if (ofAnswers.includes(name)) return withheld.answers;
    if (name === 'failedShare') return withheld.failed;
    if (name === 'missingDemographicsShare') return withheld.missingDemographics;
    return spanNames.some(
      (span) => withheld.spans[span] && (name === `${span}Median` || name === `${span}P90`),
    );
  };
  return Object.fromEntries(
    Object.entries(measures).map(([name, value]) => [name, isHidden(name) ? withheldValue : value]),
  );
}

/** Failed tests are two of the categories: if one of those is withheld, their sum would reveal it. */
function withCategories(
  totals: WithheldTotals,
  categories: readonly Cell[],
  cells: ReadonlyMap<Cell, Withheld>,
): WithheldTotals {
  const isWithheld = (cell: Cell) =>
    answerOfCategory[cell.key as ResultCategory] === 'other' && (cells.get(cell) ?? 'nothing') !== 'nothing';
  return { ...totals, failed: totals.failed || categories.some(isWithheld) };
}
