import type { AnalyticsQuery } from '@caseway/contract/analytics';
import { columnOfFilter, type Dashboard } from '@caseway/contract/dashboard';
import type { DateRange } from '@caseway/contract/date-range';
import type { Condition, CountedFact } from '@caseway/contract/measure';
import { lastYearOf } from './periods.ts';

/*
 * What a query of a dashboard means for each of its facts: the day by which it is counted, the rows that it is about, and
 * those that the filters pick.
 */

/** The day by which a fact is counted: the chosen date where the fact can be counted by it, else its usual one. */
export function dayOf({ dates, facts }: Dashboard, fact: string, { eventDate }: AnalyticsQuery): string {
  const { eventDates } = facts[fact]!.counting;
  const chosen = eventDate === undefined ? undefined : dates[eventDate];
  return chosen !== undefined && (eventDates as readonly string[]).includes(chosen) ? chosen : eventDates[0];
}

/**
 * The days of a range that are counted: as far as they have come, where rows are counted only then; of a fact of calendar
 * years the last day of the last year that has ended by then.
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
 * The rows of a fact that the dashboard is about. Chosen families of the restricted filter are counted beside those of
 * the base; whether the reader may see them is decided with the rows.
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

/** The filters that have a value, with the column that each narrows. */
const active = ({ filters: columns, textFilters }: Dashboard, { filters }: AnalyticsQuery) =>
  Object.entries({ ...columns, ...textFilters }).flatMap(([name, column]) => {
    const value = filters[name];
    const values = typeof value === 'string' ? (value === '' ? [] : [value]) : (value ?? []);
    return values.length > 0 ? [{ name, column, values }] : [];
  });

/** The rows of a fact that the filters pick; a filter whose column it lacks does not narrow it. */
export function filtersOf(declared: Dashboard, fact: string, query: AnalyticsQuery): Condition[] {
  const unfiltered = declared.unfiltered[fact] ?? [];
  return active(declared, query).flatMap(({ name, column, values }) =>
    unfiltered.includes(name) ? [] : [{ [column]: values }],
  );
}

/** The chosen filters that do not narrow a fact. */
export function notNarrowedBy(declared: Dashboard, fact: string, query: AnalyticsQuery): string[] {
  const unfiltered = declared.unfiltered[fact] ?? [];
  return active(declared, query).flatMap(({ name }) => (unfiltered.includes(name) ? [name] : []));
}

/** The columns that the filters of a query narrow; restricted families that are counted too are chosen by one. */
export function filteredColumns(declared: Dashboard, query: AnalyticsQuery): string[] {
  const { restrictedFilter: restricted = '' } = declared;
  return [
    ...active(declared, query).map(({ column }) => column),
    ...((query.filters[restricted] ?? []).length > 0 ? [columnOfFilter(declared, restricted)!] : []),
  ];
}
