import { day } from '@caseway/contract/date-range';
import type { Language } from '@caseway/contract/session';
import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parse } from 'date-fns/parse';
import { parseISO } from 'date-fns/parseISO';
import { currentDateLocale, language, shortDay } from '../words/i18n.ts';

const locale = () => {
  const chosen = currentDateLocale();
  return chosen ? { locale: chosen } : {};
};

/**
 * A day in a field: `03/10/2024` in American English, `10 mar 2024` where the numbers could mean another day.
 */
export const dayText = (value: string): string => format(parseISO(value), shortDay(), locale());

/** The letters for year, month and day in the current language. */
const letters: Readonly<Partial<Record<Language, readonly [year: string, month: string, day: string]>>> = {
  es: ['A', 'M', 'D'],
  ht: ['A', 'M', 'J'],
};

/** How to type a day in the current language, shown in an empty field: `MM/DD/YYYY`, `DD/MM/AAAA`. */
export function dayPattern(): string {
  const [year, month, dayLetter] = letters[language()] ?? ['Y', 'M', 'D'];
  return format(parseISO('2034-11-25'), 'P', locale())
    .replace('2034', year.repeat(4))
    .replace('11', month.repeat(2))
    .replace('25', dayLetter.repeat(2));
}

/**
 * The typed day: in numbers in the language's order, as the field shows it, or as YYYY-MM-DD; null if it is
 * not a day.
 */
export function parseDayText(text: string): string | null {
  const typed = text.trim();
  if (day.safeParse(typed).success) return typed;
  for (const form of ['P', 'PP']) {
    const parsed = parse(typed, form, new Date(2000, 0, 1), locale());
    if (!isValid(parsed)) continue;
    // "24" for 2024 would become the year 24.
    const iso = format(parsed, 'yyyy-MM-dd');
    if (iso >= '1900-01-01' && day.safeParse(iso).success) return iso;
  }
  return null;
}

/** Month and year in words, at the top of a calendar. */
export const monthText = (value: string): string => format(parseISO(value), 'LLLL yyyy', locale());
/** The weekday names from Sunday on: short to show, long to read aloud. */
export function weekdays(): { short: string; long: string }[] {
  // 2024-03-10 is a Sunday.
  return Array.from({ length: 7 }, (_, index) => {
    const date = new Date(2024, 2, 10 + index);
    return { short: format(date, 'EEEEEE', locale()), long: format(date, 'EEEE', locale()) };
  });
}
/** A full day to read aloud: `Sunday, March 10, 2024`. The number is separate, as on the screen. */
export const dayAloud = (value: string): string =>
  format(parseISO(value), language() === 'en' ? 'EEEE, LLLL d, yyyy' : 'EEEE d LLLL yyyy', locale());
