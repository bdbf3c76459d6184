import { addDays, mmwrWeek, startOfMmwrWeek } from '@caseway/contract/date-range';
import type { WeeklyCases, WeeklyNumbers } from '@caseway/contract/weekly-cases';
import type { Question } from '../../platform/analytics/visible-facts.ts';

/** Cases of one condition in the MMWR week that begins on a day. */
export interface WeekCount {
  condition: string;
  week: string;
  cases: number;
}

/** The first days of a table's periods; each period ends before the day named `…End`. */
interface Spans {
  start: string;
  end: string;
  year: string;
  /** 52 weeks before the week. */
  before: string;
  lastYear: string;
  lastYearEnd: string;
}

const startOfMmwrYear = (year: number): string => startOfMmwrWeek(`${String(year).padStart(4, '0')}-01-04`);

function spansOf(weekOf: string): Spans {
  const start = startOfMmwrWeek(weekOf);
  const { year, week } = mmwrWeek(start);
  const thisYear = startOfMmwrYear(year);
  const lastYear = startOfMmwrYear(year - 1);
  const sameWeekEnd = addDays(lastYear, 7 * week);
  return {
    start,
    end: addDays(start, 7),
    year: thisYear,
    before: addDays(start, -7 * 52),
    lastYear,
    // The 53rd week of a year is compared with the whole previous year, which may have 52.
    lastYearEnd: sameWeekEnd < thisYear ? sameWeekEnd : thisYear,
  };
}

/** The query for every `WeekCount` of a table: confirmed and probable cases by day of creation. */
export function weekCounts(weekOf: string): Question {
  const { lastYear, end } = spansOf(weekOf);
  return {
    select: `select condition_code as condition,
        cast(created_on - cast(extract(dow from created_on) as integer) as text) as week,
        cast(count(*) as integer) as cases
      from case_fact where classification in ('confirmed', 'probable')
        and created_on between cast($1 as date) and cast($2 as date) group by 1, 2`,
    params: [lastYear, addDays(end, -1)],
  };
}

/** The table of the week that contains a day. Several tenants may have counted the same condition and week. */
export function weeklyTable(weekOf: string, counts: readonly WeekCount[]): Omit<WeeklyCases, 'asOf'> {
  const spans = spansOf(weekOf);
  const byCondition = Map.groupBy(counts, ({ condition }) => condition);
  const rows = [...byCondition]
    .map(([condition, own]) => ({ condition, ...numbersOf(own, spans) }))
    .filter(({ condition: _, ...numbers }) => Object.values(numbers).some((cases) => cases > 0))
    .sort((a, b) => (a.condition < b.condition ? -1 : 1));
  return {
    ...mmwrWeek(spans.start),
    start: spans.start,
    end: addDays(spans.start, 6),
    rows,
    total: numbersOf(counts, spans),
  };
}

function numbersOf(counts: readonly WeekCount[], spans: Spans): WeeklyNumbers {
  const byWeek = new Map<string, number>();
  for (const { week, cases } of counts) byWeek.set(week, (byWeek.get(week) ?? 0) + cases);
  /** The cases of each week that begins from one day on and before another. */
  const within = (from: string, before: string) =>
    [...byWeek].flatMap(([week, cases]) => (from <= week && week < before ? [cases] : []));
  const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
  return {
    current: sum(within(spans.start, spans.end)),
    maximum: Math.max(0, ...within(spans.before, spans.start)),
    yearToDate: sum(within(spans.year, spans.end)),
    lastYearToDate: sum(within(spans.lastYear, spans.lastYearEnd)),
  };
}
