import type { CsvDateOrder } from '@caseway/contract/csv-mapping';
import { foldUpper } from '../../../platform/text/fold.ts';
import type { Time } from '../../reported/report.ts';
import type { ClockOptions, TimeFault } from './hl7-time.ts';
import { daysIn, parseHl7Time } from './hl7-time.ts';

/**
 * Dates as people and spreadsheets write them. A numeric date whose day and month are both 12 or less is read in the
 * order found or chosen for its column, never in a guessed one.
 */

/** What the form of a date says about the order of day and month. */
type DateForm = 'ordered' | 'dmy' | 'mdy' | 'either' | 'same' | 'none';

interface Pieces {
  year: number;
  /** The year has two digits; we chose its century. */
  shortYear?: boolean;
  month: number;
  day?: number;
  /** Present if day and month could be swapped. */
  swapped?: { month: number; day: number };
  form: Exclude<DateForm, 'none'>;
  rest: string;
}

const monthNames: Record<string, number> = {};
for (const [index, names] of [
  'january jan enero ene janvier janv janvye',
  'february feb febrero fevrier fev fevriye',
  'march mar marzo mars mas',
  'april apr abril abr avril avr',
  'may mayo mai me',
  'june jun junio juin jen',
  'july jul julio juillet juil jiye',
  'august aug agosto ago aout out',
  'september sep sept septiembre setiembre set septembre septanm',
  'october oct octubre octobre oktob',
  'november nov noviembre novembre novanm',
  'december dec diciembre dic decembre desanm',
].entries()) {
  for (const name of names.split(' ')) monthNames[name] = index + 1;
}

const monthOf = (word: string): number | undefined =>
  monthNames[foldUpper(word).toLowerCase().replace(/\.$/, '')];

/** Zone abbreviations with one meaning in the United States, in minutes ahead of UTC. */
const zones: Record<string, number> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  AKST: -540,
  AKDT: -480,
  HST: -600,
};

/** A year and a month alone need two digits for the month, or codes such as 2106-3 would be dates. */
const yearFirst = /^(\d{4})\s*([-/.])\s*(?:(\d{1,2})\s*\2\s*(\d{1,2})|(\d{2}))(?![\d/.-])/;
const figures = /^(\d{1,2})\s*([-/.\s])\s*(\d{1,2})\s*[-/.\s]\s*(\d{4}|\d{2})(?!\d)/;
const monthYear = /^(\d{1,2})[-/](\d{4})$/;
const dayWord =
  /^(\d{1,2})(?:st|nd|rd|th)?[\s/-]*(?:de\s+)?(\p{L}+)\.?[\s/,-]*(?:de(?:l)?\s+)?(\d{4}|\d{2})(?!\d)/iu;
const wordDay = /^(\p{L}+)\.?\s*[-/]?\s*(\d{1,2})(?:st|nd|rd|th)?\s*[\s,/-]\s*(\d{4}|\d{2})(?!\d)/iu;
const wordYear = /^(\p{L}+)\.?[\s,/-]+(\d{4})$/u;
const clock =
  /^[T,\s]*(?:(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(am|pm|a\.m\.|p\.m\.)?)?\s*(?:([+-]\d{2}):?(\d{2})|([A-Za-z]{1,4}))?$/i;

/** Excel's day 0 is 1899-12-30, for serials after February 1900. */
const excelEpoch = Date.UTC(1899, 11, 30);

/** A sheet's serial day: five digits, years 1954 to 2119, with a fraction of a day. */
const serial = /^([2-7]\d{4})(\.\d{1,12})?$/;

function piecesOf(text: string): Pieces | undefined {
  let match = yearFirst.exec(text);
  if (match) {
    return {
      year: Number(match[1]),
      month: Number(match[3] ?? match[5]),
      day: match[4] === undefined ? undefined : Number(match[4]),
      form: 'ordered',
      rest: text.slice(match[0].length),
    };
  }
  match = figures.exec(text);
  if (match) {
    const first = Number(match[1]);
    const second = Number(match[3]);
    if (first > 31 || second > 31 || first === 0 || second === 0) return undefined;
    const year = Number(match[4]);
    const rest = text.slice(match[0].length);
    const short = match[4]!.length === 2 ? { year: centuryOf(year), shortYear: true } : { year };
    if (first > 12 && second > 12) return undefined;
    if (first > 12) return { ...short, month: second, day: first, form: 'dmy', rest };
    if (second > 12) return { ...short, month: first, day: second, form: 'mdy', rest };
    if (first === second) return { ...short, month: first, day: second, form: 'same', rest };
    return {
      ...short,
      month: first,
      day: second,
      swapped: { month: second, day: first },
      form: 'either',
      rest,
    };
  }
  match = dayWord.exec(text);
  const word = match ? monthOf(match[2]!) : undefined;
  if (match && word !== undefined) {
    return {
      ...yearOf(match[3]!),
      month: word,
      day: Number(match[1]),
      form: 'ordered',
      rest: text.slice(match[0].length),
    };
  }
  match = wordDay.exec(text);
  const wordFirst = match ? monthOf(match[1]!) : undefined;
  if (match && wordFirst !== undefined) {
    return {
      ...yearOf(match[3]!),
      month: wordFirst,
      day: Number(match[2]),
      form: 'ordered',
      rest: text.slice(match[0].length),
    };
  }
  match = wordYear.exec(text);
  const wordOnly = match ? monthOf(match[1]!) : undefined;
  if (match && wordOnly !== undefined)
    return { year: Number(match[2]), month: wordOnly, form: 'ordered', rest: '' };
  match = monthYear.exec(text);
  if (match) return { year: Number(match[2]), month: Number(match[1]), form: 'ordered', rest: '' };
  return undefined;
}

const yearOf = (text: string): Pick<Pieces, 'year' | 'shortYear'> =>
  text.length === 2 ? { year: centuryOf(Number(text)), shortYear: true } : { year: Number(text) };

/** Two-digit years: up to the coming year of this century, otherwise the previous century. */
const centuryOf = (year: number): number =>
  year <= (new Date().getUTCFullYear() % 100) + 1 ? 2000 + year : 1900 + year;

/** No date is longer; a longer text is ignored. */
const longestDate = 60;

/** What a text says about the order of day and month; `none` if it is not a date. */
export function dateFormOf(sent: string): DateForm {
  const text = sent.trim();
  if (text.length > longestDate) return 'none';
  if (/^\d{4}$|^\d{8}(\d{4,6})?([+-]\d{4})?$/.test(text))
    return typeof parseHl7Time(text, utc) === 'object' ? 'ordered' : 'none';
  if (serial.test(text)) return 'ordered';
  const pieces = piecesOf(text);
  return pieces !== undefined && clock.test(pieces.rest) ? pieces.form : 'none';
}

const utc: ClockOptions = { timeZone: 'UTC' };

/** `order-unknown`: the date can be read in two ways, and nothing decides. */
type CsvTimeFault = TimeFault | 'order-unknown';

interface CsvTime {
  time: Time;
  /** The date could only be read against the order of its column. */
  againstOrder?: true;
}

/**
 * Reads a date. `birth` moves a two-digit year in the future back a century. `order` is the column's order of day
 * and month, if it has one.
 */
export function parseCsvTime(
  sent: string,
  options: ClockOptions & { order?: CsvDateOrder; birth?: boolean },
): CsvTime | CsvTimeFault {
  const text = sent.trim().replace(/\s+/g, ' ');
  if (text.length > longestDate) return 'invalid';
  if (/^(9{4,}|0{4,}|(99|00)[-/.](99|00)[-/.](9999|0000|99|00)|(9999|0000)-(99|00)-(99|00))$/.test(text))
    return 'unspecified';
  if (/^\d{4}$|^\d{8}$|^\d{10}$|^\d{12}$|^\d{14}$|^\d{8,14}(\.\d+)?[+-]\d{4}$/.test(text))
    return asTime(parseHl7Time(text, options));
  const inSheet = serial.exec(text);
  if (inSheet) return asTime(fromSerial(text, Number(inSheet[1]), Number(inSheet[2] ?? 0), options));
  const pieces = piecesOf(text);
  if (pieces === undefined) return 'invalid';
  const time = clock.exec(pieces.rest);
  if (!time) return 'invalid';
  let { month, day } = pieces;
  let againstOrder = false;
  if (pieces.form === 'either') {
    if (options.order === undefined) return 'order-unknown';
    if (options.order === 'dmy') ({ month, day } = pieces.swapped!);
  } else if ((pieces.form === 'dmy' || pieces.form === 'mdy') && options.order !== undefined) {
    againstOrder = pieces.form !== options.order;
  }
  let { year } = pieces;
  if (options.birth && pieces.shortYear && year > new Date().getUTCFullYear()) year -= 100;
  if (month < 1 || month > 12 || (day !== undefined && (day < 1 || day > daysIn(year, month))))
    return 'invalid';
  const digits = compact(year, month, day, time);
  if (digits === undefined) return 'invalid';
  const read = parseHl7Time(digits, options);
  if (typeof read !== 'object') return read;
  const result: CsvTime = { time: { ...read, raw: sent } };
  if (againstOrder) result.againstOrder = true;
  return result;
}

const asTime = (read: Time | TimeFault): CsvTime | TimeFault =>
  typeof read === 'object' ? { time: read } : read;

const two = (value: number | string): string => String(value).padStart(2, '0');

/** The date and clock time in HL7 format; undefined if the clock time is invalid. */
function compact(
  year: number,
  month: number,
  day: number | undefined,
  time: RegExpExecArray,
): string | undefined {
  const [, hourSent, minute, second, fraction, half, zoneHours, zoneMinutes, zone] = time;
  let digits = `${String(year).padStart(4, '0')}${two(month)}`;
  if (day === undefined) return hourSent === undefined ? digits : undefined;
  digits += two(day);
  let offset = zoneHours === undefined ? '' : `${zoneHours}${zoneMinutes}`;
  if (zone !== undefined) {
    const ahead = zones[zone.toUpperCase()];
    if (ahead === undefined) return undefined;
    offset = `${ahead < 0 ? '-' : '+'}${two(Math.floor(Math.abs(ahead) / 60))}${two(Math.abs(ahead) % 60)}`;
  }
  if (hourSent === undefined) return zone === undefined && offset === '' ? digits : `${digits}${offset}`;
  let hour = Number(hourSent);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  }
  digits += `${two(hour)}${minute}`;
  if (second !== undefined) digits += second;
  if (fraction !== undefined) digits += `.${fraction.slice(0, 6)}`;
  return digits + offset;
}

function fromSerial(raw: string, days: number, fraction: number, options: ClockOptions): Time | TimeFault {
  const at = new Date(excelEpoch + days * 86_400_000 + Math.round(fraction * 86_400) * 1000);
  const iso = at.toISOString();
  const digits =
    iso.slice(0, 10).replaceAll('-', '') + (fraction === 0 ? '' : iso.slice(11, 19).replaceAll(':', ''));
  const read = parseHl7Time(digits, options);
  return typeof read === 'object' ? { ...read, raw } : read;
}
