import { day } from '@caseway/contract/date-range';
import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parse } from 'date-fns/parse';
import { parseISO } from 'date-fns/parseISO';
import { currentDateLocale, language } from '../i18n.ts';

const locale = () => {
  const chosen = currentDateLocale();
  return chosen ? { locale: chosen } : {};
};

/** A day as it is typed in the current language: `03/10/2024`, or `10/03/2024`. */
export const dayText = (value: string): string => format(parseISO(value), 'P', locale());

/** How a day is typed in the current language, to be shown in an empty field: `MM/DD/YYYY`. */
export function dayPattern(): string {
  return dayText('2034-11-25').replace('2034', 'YYYY').replace('11', 'MM').replace('25', 'DD');
}

/** The day that was typed, in the current language's order or as YYYY-MM-DD; null for what is no day. */
export function parseDayText(text: string): string | null {
  const typed = text.trim();
  if (day.safeParse(typed).success) return typed;
  const parsed = parse(typed, 'P', new Date(2000, 0, 1), locale());
  if (!isValid(parsed)) return null;
  // "24" for 2024 would become the year 24.
  const iso = format(parsed, 'yyyy-MM-dd');
  return iso >= '1900-01-01' && day.safeParse(iso).success ? iso : null;
}

/** Month and year in words, at the head of a calendar. */
export const monthText = (value: string): string => format(parseISO(value), 'LLLL yyyy', locale());
/** The names of the days of a week that begins on Sunday: short to show, long to read out. */
export function weekdays(): { short: string; long: string }[] {
  // 2024-03-10 is a Sunday.
  return Array.from({ length: 7 }, (_, index) => {
    const date = new Date(2024, 2, 10 + index);
    return { short: format(date, 'EEEEEE', locale()), long: format(date, 'EEEE', locale()) };
  });
}
/** A day in full, to read out: `Sunday, March 10, 2024`. The number stands alone, as it is seen. */
export const dayAloud = (value: string): string =>
  format(parseISO(value), language() === 'en' ? 'EEEE, LLLL d, yyyy' : 'EEEE d LLLL yyyy', locale());
