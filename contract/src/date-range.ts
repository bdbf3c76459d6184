import { z } from 'zod';

/** A calendar day, `YYYY-MM-DD`, in the tenant's time zone. A day that does not exist is refused; there is no year 0. */
export const day = z.iso.date().refine((value) => !value.startsWith('0000'), { error: 'there is no year 0' });

/** From the first to the last day, inclusive, in the tenant's time zone. */
export const dateRange = z
  .strictObject({ start: day, end: day })
  .refine((range) => range.start <= range.end, {
    error: 'start must not be after end',
    params: { code: 'invalid-range' },
  });
export type DateRange = z.infer<typeof dateRange>;

const dayMs = 86_400_000;
const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const toMs = (value: string) => Date.parse(`${value}T00:00:00Z`);

/** The day this many days after another; before it if negative. */
export const addDays = (value: string, days: number): string => toDay(toMs(value) + days * dayMs);

/** The same day this many months later, or the last day of the month if it is shorter. */
export function addMonths(value: string, months: number): string {
  const [year, month, date] = value.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return toDay(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

/** Whole days from `start` to `end`; 0 when they are the same day. */
export const daysBetween = (start: string, end: string): number =>
  // A fast path: most comparisons are within one day, and parsing dates is slow.
  start === end ? 0 : Math.round((toMs(end) - toMs(start)) / dayMs);

/** The first day (Sunday) of the MMWR week of a day. */
export const startOfMmwrWeek = (value: string): string => addDays(value, -new Date(toMs(value)).getUTCDay());

/**
 * The MMWR week of a day. Weeks begin on Sunday; week 1 is the first with at least four days in the year.
 * Source: CDC NNDSS, MMWR weeks.
 */
export function mmwrWeek(value: string): { year: number; week: number } {
  const start = startOfMmwrWeek(value);
  // Wednesday decides the year: a week belongs to the year with at least four of its days.
  const year = Number(addDays(start, 3).slice(0, 4));
  const january4 = `${String(year).padStart(4, '0')}-01-04`;
  return { year, week: daysBetween(startOfMmwrWeek(january4), start) / 7 + 1 };
}

export const startOfMonth = (value: string): string => `${value.slice(0, 7)}-01`;
export const endOfMonth = (value: string): string => {
  const [year, month] = value.split('-').map(Number) as [number, number];
  return toDay(Date.UTC(year, month, 0));
};

/** Cached by zone, because creating a format is far slower than using it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();
function dayFormatOf(timeZone: string): Intl.DateTimeFormat {
  let known = dayFormats.get(timeZone);
  if (!known) {
    known = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    dayFormats.set(timeZone, known);
  }
  return known;
}

/** Today in a time zone. */
export const todayIn = (timeZone: string, now: Date = new Date()): string =>
  dayFormatOf(timeZone).format(now);

/** The range of the same length that ends the day before this one starts. */
export const previousRange = (range: DateRange): DateRange => {
  const length = daysBetween(range.start, range.end) + 1;
  return { start: addDays(range.start, -length), end: addDays(range.start, -1) };
};
