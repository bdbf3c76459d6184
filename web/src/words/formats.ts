import { todayIn } from '@caseway/contract/date-range';
import { tz } from '@date-fns/tz';
import { format } from 'date-fns/format';
import type { Locale } from 'date-fns/locale';
import { parseISO } from 'date-fns/parseISO';
import { useTranslation } from 'react-i18next';
import { useTimeZone } from '../session/time-zone.ts';
import { currentDateLocale, language, numberLocale, shortDay } from './i18n.ts';

/** How numbers, days and instants are written in the current language; instants in the tenant's time zone. */
export interface Formats {
  /** `1,234` */
  count(value: number): string;
  /**
   * A share of 1 as a percentage with one decimal: `4.3%`. Only exactly none is `0.0%`, and only exactly all
   * is `100.0%`.
   */
  share(value: number): string;
  /** A share of 1 as whole percent, rounded down: 100% means all. */
  wholeShare(value: number): string;
  /** With one decimal, like other rates and limits: `21.0`. Only exactly none is `0.0`. */
  rate(value: number): string;
  /** With at most this many decimals. */
  number(value: number, decimals?: number): string;
  /** Bytes in thousands: `1.2 GB`. The units are the same in every language, see the style guide. */
  size(bytes: number): string;
  /**
   * A short day from `YYYY-MM-DD`. Only American English writes it in numbers, `03/10/2024`: in the other
   * languages, readers here would take the same numbers for another day, so the month is a word, `10 mar
   * 2024`.
   */
  day(value: string): string;
  /** The weekday of a day: `Sunday`. */
  weekday(value: string): string;
  /** A day in words: `Mar 10, 2024`. */
  dayInWords(value: string): string;
  /** The month of a day: `Mar 2024`. */
  month(value: string): string;
  /** An instant with its day in that form: `03/10/2024, 2:05 PM`. */
  instant(value: string | Date): string;
  /** The time of an instant: `2:05 PM`. */
  time(value: string | Date): string;
  /** A time of day, `14:05`, in that form. */
  clock(value: string): string;
  timeZone: string;
  /** Today, `YYYY-MM-DD`. */
  today: string;
}

const sizes = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

/** The formats of a zone and language, cached because creating them is far slower than using them. */
const made = new Map<string, { dates: Locale | undefined; formats: Formats }>();

export function formatsFor(timeZone: string): Formats {
  const dates = currentDateLocale();
  const key = `${language()} ${timeZone}`;
  const known = made.get(key);
  // Date texts load separately, and may arrive later than the language.
  if (known && known.dates === dates) return known.formats;
  const formats = makeFormats(timeZone, dates);
  made.set(key, { dates, formats });
  return formats;
}

function makeFormats(timeZone: string, dates: Locale | undefined): Formats {
  const locale = dates ? { locale: dates } : {};
  const numbers = numberLocale();
  const zone = { in: tz(timeZone), ...locale };
  const toDate = (value: string | Date) => (typeof value === 'string' ? parseISO(value) : value);
  const short = shortDay();
  // Spanish would leave four digits ungrouped next to grouped five-digit numbers.
  const counts = new Intl.NumberFormat(numbers, { maximumFractionDigits: 0, useGrouping: 'always' });
  const shares = new Intl.NumberFormat(numbers, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const wholeShares = new Intl.NumberFormat(numbers, {
    style: 'percent',
    maximumFractionDigits: 0,
    roundingMode: 'floor',
  });
  const rates = new Intl.NumberFormat(numbers, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const decimals = new Map<number, Intl.NumberFormat>();
  const withDecimals = (most: number) => {
    const known = decimals.get(most) ?? new Intl.NumberFormat(numbers, { maximumFractionDigits: most });
    decimals.set(most, known);
    return known;
  };
  return {
    count: (value) => counts.format(value),
    share: (value) =>
      value > 0 && value < 0.0005
        ? `<${shares.format(0.001)}`
        : value >= 0.9995 && value < 1
          ? `>${shares.format(0.999)}`
          : shares.format(value),
    wholeShare: (value) => wholeShares.format(value),
    rate: (value) => (value > 0 && value < 0.05 ? `<${rates.format(0.1)}` : rates.format(value)),
    number: (value, most = 1) => withDecimals(most).format(value),
    size: (bytes) => {
      const [unit, one] = sizes.find(([, least]) => bytes >= least) ?? ['kB', 1e3];
      return `${withDecimals(1).format(bytes / one)}\u00a0${unit}`;
    },
    // A calendar day has no time zone: it is read and written in the page's own.
    day: (value) => format(parseISO(value), short, locale),
    weekday: (value) => format(parseISO(value), 'EEEE', locale),
    dayInWords: (value) => format(parseISO(value), 'PP', locale),
    month: (value) => format(parseISO(value), 'LLL yyyy', locale),
    instant: (value) => format(toDate(value), `${short}, p`, zone),
    time: (value) => format(toDate(value), 'p', zone),
    // A time of day is the same in every zone, so any day will do.
    clock: (value) => format(parseISO(`2000-01-01T${value}`), 'p', locale),
    timeZone,
    // Midnight passes while a screen is open.
    get today() {
      return todayIn(timeZone);
    },
  };
}

export function useFormats(): Formats {
  // A language change rerenders the component with its formats.
  useTranslation();
  return formatsFor(useTimeZone());
}
