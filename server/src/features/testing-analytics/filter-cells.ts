import { type AnalyticsQuery, missingKey } from '@caseway/contract/analytics';
import type { TestingFilter } from '@caseway/contract/testing-analytics';
import type { Ask } from '../../platform/analytics/engine.ts';
import {
  type AnswerName,
  type Answers,
  answerSql,
  Conditions,
  compare,
  filterColumns,
  type Histogram,
  type Period,
  periods,
  rangeOf,
} from './queries.ts';

/*
 * The values that an active filter picks from, with their tests as they are without it. Suppression needs them, because
 * a filter may pick some of the values that are withheld together.
 */

export interface FilterCell extends Answers {
  key: string;
  /** Sums within a program type, and of each answer, are on the screen as well. */
  part?: string;
}

export interface FilterCells {
  byFilter: ReadonlyMap<TestingFilter, FilterCell[]>;
  /**
   * The number of persons by their number of tests, without any filter: nobody has more tests in a part than in the
   * whole.
   */
  perPerson: Histogram;
}

export const activeFilters = ({ filters }: AnalyticsQuery): [TestingFilter, string[]][] =>
  (Object.entries(filters) as [TestingFilter, string[]][]).filter(([, values]) => values.length > 0);

interface Row {
  part: string;
  key: string | null;
  within: string | null;
  answer: AnswerName | null;
  n: number;
}

/** The cells of every active filter in both periods, from one state of the facts; none if no filter is active. */
export async function readFilterCells(ask: Ask, query: AnalyticsQuery): Promise<Record<Period, FilterCells>> {
  const cells: Record<Period, Map<TestingFilter, Map<string, FilterCell>>> = {
    now: new Map(),
    before: new Map(),
  };
  const perPerson: Record<Period, Histogram> = { now: new Map(), before: new Map() };
  const active = activeFilters(query).map(([filter]) => filter);
  if (active.length > 0) {
    const conditions = new Conditions(query);
    const columns = [
      ...new Set([
        'patient_number',
        'result_category',
        'program_type_id',
        ...active.map((filter) => filterColumns[filter].column),
      ]),
    ];
    const shared = periods.map((period) => {
      const between = conditions.between(conditions.day, rangeOf(query, period));
      return `${period}_f as materialized (select ${columns.join(', ')} from result_fact where performed and ${between})`;
    });
    const selects = periods.flatMap((period) => [
      `select 'people ${period}' as part, cast(tests as text) as key, cast(null as text) as within,
        cast(null as text) as answer, count(*) as n
        from (select count(*) as tests from ${period}_f group by patient_number) as g group by tests`,
      ...active.map((filter) => {
        const { column } = filterColumns[filter];
        const within = filter === 'programFilter' ? 'program_type_id' : 'null';
        const by = [...new Set([column, 'result_category', ...(filter === 'programFilter' ? [within] : [])])];
        return `select '${filter} ${period}' as part, cast(${column} as text) as key, cast(${within} as text) as within,
          ${answerSql} as answer, n
          from (select ${by.join(', ')}, count(*) as n from ${period}_f
            where ${conditions.listed(filter)} group by ${by.join(', ')}) as g`;
      }),
    ]);
    for (const row of await ask<Row>({
      with: shared.join(', '),
      select: selects.join(' union all '),
      params: conditions.params,
    })) {
      const [part, period] = row.part.split(' ') as [TestingFilter | 'people', Period];
      if (part === 'people') {
        const tests = Number(row.key);
        perPerson[period].set(tests, (perPerson[period].get(tests) ?? 0) + row.n);
      } else {
        const ofFilter = cells[period].get(part) ?? new Map<string, FilterCell>();
        cells[period].set(part, ofFilter);
        addToCell(ofFilter, part, row);
      }
    }
  }
  const inPeriod = (period: Period): FilterCells => ({
    byFilter: new Map(
      // The same order each time: which of two rows alike in size is withheld depends on it.
      active.map((filter) => [
        filter,
        [...(cells[period].get(filter)?.values() ?? [])].sort((a, b) => compare(a.key, b.key)),
      ]),
    ),
    perPerson: perPerson[period],
  });
  return { now: inPeriod('now'), before: inPeriod('before') };
}

function addToCell(
  cells: Map<string, FilterCell>,
  filter: TestingFilter,
  { key: given, within, answer, n }: Row,
): void {
  const key = given ?? missingKey;
  const cell = cells.get(key) ?? { key, positive: 0, negative: 0, other: 0 };
  cells.set(key, cell);
  cell[answer!] += n;
  if (filter === 'programFilter') cell.part = within ?? missingKey;
  if (filter === 'resultCategoryFilter') cell.part = answer!;
}
