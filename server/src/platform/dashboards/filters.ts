import type { AnalyticsQuery } from '@caseway/contract/analytics';
import { columnOfFilter, type Dashboard } from '@caseway/contract/dashboard';
import type { DateRange } from '@caseway/contract/date-range';
import type { Condition, CountedFact } from '@caseway/contract/measure';
import { lastYearOf } from './periods.ts';

/*
 * What a query of a dashboard means for each of its facts: the day to count by, the rows that the dashboard is
 * about, and the rows that the filters pick.
 */

/** The day to count a fact by: the chosen date if the fact has it, or else its usual one. */
export function dayOf({ dates, facts }: Dashboard, fact: string, { eventDate }: AnalyticsQuery): string {
  const { eventDates } = facts[fact]!.counting;
  const chosen = eventDate === undefined ? undefined : dates[eventDate];
  return chosen !== undefined && (eventDates as readonly string[]).includes(chosen) ? chosen : eventDates[0];
}

/**
 * The days of a range that are counted. If rows count only once their day has come, the range ends today at the
 * latest. For a fact of calendar years, only the last day of the last year that has ended by the end of the range and
 * by today.
 */
export function untilToday(
  { columns, counting }: CountedFact,
  day: string,
  { start, end }: DateRange,
  today: string,
): DateRange {
  if (counting.yearly) return lastYearOf({ start, end }, today);
  const column = columns[day]!;
  return { start, end: column.kind === 'day' && column.onceCome && today < end ? today : end };
}

/**
 * The rows of a fact that the dashboard is about. Chosen families of the restricted filter are added to those of the
 * base; row-level rules decide whether the reader may see them.
 */
export function baseOf(declared: Dashboard, fact: string, { filters }: AnalyticsQuery): Condition[] {
  const base = declared.base[fact];
  if (base === undefined) return [];
  const { restrictedFilter, facts } = declared;
  const column = facts[fact]!.counting.restrictedBy;
  const chosen =
    restrictedFilter === undefined ? [] : ((filters[restrictedFilter] ?? []) as readonly string[]);
  const families = column === undefined ? undefined : base[column];
  if (column === undefined || families === undefined || chosen.length === 0) return [base];
  const { [column]: _, ...others } = base;
  return [others, { any: [{ [column]: families as readonly string[] }, { [column]: chosen }] }];
}

/** The filters that have a value, with the column that each filters by. */
const active = ({ filters: columns, textFilters }: Dashboard, { filters }: AnalyticsQuery) =>
  Object.entries({ ...columns, ...textFilters }).flatMap(([name, column]) => {
    const value = filters[name];
    const values = typeof value === 'string' ? (value === '' ? [] : [value]) : (value ?? []);
    return values.length > 0 ? [{ name, column, values }] : [];
  });

/** The rows of a fact that the filters pick. A filter has no effect if the fact lacks its column. */
export function filtersOf(declared: Dashboard, fact: string, query: AnalyticsQuery): Condition[] {
  const unfiltered = declared.unfiltered[fact] ?? [];
  return active(declared, query).flatMap(({ name, column, values }) =>
    unfiltered.includes(name) ? [] : [{ [column]: values }],
  );
}

/** The chosen filters that have no effect on a fact. */
export function notNarrowedBy(declared: Dashboard, fact: string, query: AnalyticsQuery): string[] {
  const unfiltered = declared.unfiltered[fact] ?? [];
  return active(declared, query).flatMap(({ name }) => (unfiltered.includes(name) ? [name] : []));
}

/** The columns that the filters of a query use, including a filter that adds restricted families. */
export function filteredColumns(declared: Dashboard, query: AnalyticsQuery): string[] {
  const { restrictedFilter: restricted = '' } = declared;
  return [
    ...active(declared, query).map(({ column }) => column),
    ...((query.filters[restricted] ?? []).length > 0 ? [columnOfFilter(declared, restricted)!] : []),
  ];
}
