import { addDays } from './date-range.ts';

/* A tenant's working days. Days are `2026-11-26` in the tenant's time zone. */

/** The most single days off a tenant can have. */
export const daysOffLimit = 200;

export interface Calendar {
  /** The working days of the week; 0 is Sunday. */
  readonly workdays: readonly number[];
  /** Whether it closes on US federal holidays. */
  readonly federalHolidays: boolean;
  /** Additional days off. */
  readonly daysOff: readonly string[];
}

/** Weekday codes by number. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();
const dayOf = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

/** The nth given weekday of a month. */
function nth(year: number, month: number, wanted: number, n: number): string {
  const first = dayOf(year, month, 1);
  return addDays(first, ((wanted - weekday(first) + 7) % 7) + 7 * (n - 1));
}
function lastMonday(year: number, month: number): string {
  const end = dayOf(year, month + 1, 0);
  return addDays(end, -((weekday(end) + 6) % 7));
}
/**
 * A holiday with a fixed date is observed on Friday if it falls on Saturday, and on Monday if it falls on
 * Sunday.
 */
function kept(year: number, month: number, day: number): string {
  const date = dayOf(year, month, day);
  const shift: Readonly<Record<number, number>> = { 6: -1, 0: 1 };
  return addDays(date, shift[weekday(date)] ?? 0);
}

/**
 * The observed federal holidays of a year; the first can be the last day of the year before. [5 U.S.C. 6103]
 */
export const federalHolidays = (year: number): string[] => [
  kept(year, 1, 1),
  nth(year, 1, 1, 3),
  nth(year, 2, 1, 3),
  lastMonday(year, 5),
  kept(year, 6, 19),
  kept(year, 7, 4),
  nth(year, 9, 1, 1),
  nth(year, 10, 1, 2),
  kept(year, 11, 11),
  nth(year, 11, 4, 4),
  kept(year, 12, 25),
];

/** Cached: bulk actions count working days for every record. */
const holidaysIn = new Map<string, ReadonlySet<string>>();

const isFederalHoliday = (day: string): boolean => {
  const year = day.slice(0, 4);
  let holidays = holidaysIn.get(year);
  if (!holidays) {
    holidays = new Set([...federalHolidays(Number(year)), ...federalHolidays(Number(year) + 1)]);
    holidaysIn.set(year, holidays);
  }
  return holidays.has(day);
};

export const isWorkday = (day: string, calendar: Calendar): boolean =>
  calendar.workdays.includes(weekday(day)) &&
  !calendar.daysOff.includes(day) &&
  !(calendar.federalHolidays && isFederalHoliday(day));

/**
 * The day on which this many days have passed, not counting the start. `working`: count only the tenant's
 * working days.
 */
export function daysAfter(start: string, days: number, working: boolean, calendar: Calendar): string {
  if (!working) return addDays(start, days);
  if (calendar.workdays.length === 0) throw new Error('a calendar without days of work');
  let day = start;
  for (let left = days; left > 0; ) {
    day = addDays(day, 1);
    if (isWorkday(day, calendar)) left -= 1;
  }
  return day;
}

/** The number of working days after one day, up to and including another; 0 if that is not later. */
export function workdaysBetween(start: string, end: string, calendar: Calendar): number {
  let count = 0;
  for (let day = start; day < end; ) {
    day = addDays(day, 1);
    if (isWorkday(day, calendar)) count += 1;
  }
  return count;
}
