import { TZDate } from '@date-fns/tz';

/**
 * The first instant of a calendar day (`YYYY-MM-DD`) in a time zone, as ISO 8601 in UTC; with `days`, of the day that
 * many days later. Where clocks go forward at midnight, the day begins at one o'clock.
 */
export function startOfDay(day: string, timeZone: string, days = 0): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  // No record is older, and two-digit years would be misread.
  if (year < 1900) return '1900-01-01T00:00:00.000Z';
  const start = new Date(new TZDate(year, month - 1, date + days, timeZone).getTime()).toISOString();
  // No record is later, and neither engine reads five-digit years.
  return start.startsWith('+') ? '9999-12-31T23:59:59.999Z' : start;
}
