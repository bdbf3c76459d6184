import { todayIn } from '@caseway/contract/date-range';
import { tz } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { parseISO } from 'date-fns/parseISO';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { currentDateLocale, numberLocale } from './i18n.ts';
import { useTimeZone } from './session/time-zone.ts';

/** How numbers, days and instants are written in the current language; instants in the tenant's time zone. */
export interface Formats {
  /** `1,234` */
  count(value: number): string;
  /** A share of 1 as a percentage with one decimal: `4.3%`. */
  share(value: number): string;
  /** A share of 1 as whole per cent, rounded down: 100% means all of it. */
  wholeShare(value: number): string;
  /** With at most so many decimals. */
  number(value: number, decimals?: number): string;
  /** A day `YYYY-MM-DD`, short: `03/10/2024`. */
  day(value: string): string;
  /** A day in words: `Mar 10, 2024`. */
  dayInWords(value: string): string;
  /** An instant with its day: `03/10/2024, 2:05 PM`. */
  instant(value: string | Date): string;
  /** The time of an instant: `2:05 PM`. */
  time(value: string | Date): string;
  timeZone: string;
  /** Today, `YYYY-MM-DD`. */
  today: string;
}

export function formatsFor(timeZone: string): Formats {
  const chosen = currentDateLocale();
  const locale = chosen ? { locale: chosen } : {};
  const numbers = numberLocale();
  const zone = { in: tz(timeZone), ...locale };
  const toDate = (value: string | Date) => (typeof value === 'string' ? parseISO(value) : value);
  return {
    // Spanish would leave four digits ungrouped beside five that are grouped.
    count: (value) =>
      new Intl.NumberFormat(numbers, { maximumFractionDigits: 0, useGrouping: 'always' }).format(value),
    share: (value) =>
      new Intl.NumberFormat(numbers, {
        style: 'percent',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      }).format(value),
    wholeShare: (value) =>
      new Intl.NumberFormat(numbers, { style: 'percent', maximumFractionDigits: 0 }).format(
        Math.floor(value * 100) / 100,
      ),
    number: (value, decimals = 1) =>
      new Intl.NumberFormat(numbers, { maximumFractionDigits: decimals }).format(value),
    // A calendar day has no time zone: it is read and written in the page's own.
    day: (value) => format(parseISO(value), 'P', locale),
    dayInWords: (value) => format(parseISO(value), 'PP', locale),
    instant: (value) => format(toDate(value), 'P, p', zone),
    time: (value) => format(toDate(value), 'p', zone),
    timeZone,
    today: todayIn(timeZone),
  };
}

export function useFormats(): Formats {
  const { i18n } = useTranslation();
  const timeZone = useTimeZone();
  // The language decides the locale that formatsFor reads.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  return useMemo(() => formatsFor(timeZone), [timeZone, i18n.language]);
}
