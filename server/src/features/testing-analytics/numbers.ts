import type { AnalyticsAnswer, AnalyticsQuery } from '@caseway/contract/analytics';
import type { Ask } from '../../platform/analytics/engine.ts';
import { answerOf, type Withholding, withCategories } from './answer.ts';
import { readCounts } from './counts.ts';
import { activeFilters, type FilterCell, type FilterCells, readFilterCells } from './filter-cells.ts';
import { readPeople } from './people.ts';
import type { Period, TestingCounts } from './queries.ts';
import {
  everythingWithheld,
  isSmall,
  type People,
  type Withheld,
  withheldByFilter,
  withheldRows,
  withheldSeries,
  withheldTotals,
} from './suppression.ts';

export interface Reading {
  /** The day it is in the time zone. */
  today: string;
  timeZone: string;
  asOf: Date;
  /** Numbers of fewer persons are withheld; undefined for a reader from whom nothing is withheld. */
  threshold: number | undefined;
}

/** Every number of the screen, from one state of the facts. */
export async function testingNumbers(
  ask: Ask,
  query: AnalyticsQuery,
  { threshold, ...reading }: Reading,
): Promise<AnalyticsAnswer> {
  const counts = await readCounts(ask, query, reading.today);
  const withholding = threshold === undefined ? undefined : await withhold(ask, query, counts, threshold);
  return answerOf(counts, { query, ...reading }, withholding);
}

async function withhold(
  ask: Ask,
  query: AnalyticsQuery,
  counts: TestingCounts,
  threshold: number,
): Promise<Withholding> {
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
  const current = totalsIn('now');
  const cells = withheldSeries(counts.series, people.cells, current.withheld, smallness);
  return {
    threshold,
    current: withCategories(current.withheld, counts.series.resultCategory, cells),
    previous: totalsIn('before').withheld,
    undated: isSmall(counts.undated, people.undated, smallness),
    cells,
    becauseOfFilters: current.byFilters === 'all',
  };
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
