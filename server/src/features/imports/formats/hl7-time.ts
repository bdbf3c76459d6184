import type { Time } from '../../reported/report.ts';
import { dayOf, instantOf } from './local-time.ts';

/** How times are read. */
export interface ClockOptions {
  /** The tenant's time zone, which defines calendar days. */
  timeZone: string;
  /** The zone of times without an offset; by default the tenant's. */
  senderTimeZone?: string;
  /** Minutes that times without an offset are ahead of UTC, if MSH-7 says so. Takes precedence over the zones. */
  offset?: number;
}

/**
 * `unspecified` is a placeholder (`0000`, `99999999`), `invalid` no date at all, `implausible` outside 1880 to 2199.
 */
export type TimeFault = 'invalid' | 'unspecified' | 'implausible';

const dtm =
  /^(\d{4})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:\.(\d{1,6}))?)?)?)?)?)?(?:([+-])(\d{2}):?(\d{2})?|(Z))?$/;
const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?:([+-])(\d{2}):?(\d{2})?|(Z))?$/;

/**
 * An HL7 date or time (DT, TS, DTM) of any precision, with or without an offset. ISO 8601 is read too, because senders
 * use it. Only the first component of a field is read.
 */
export function parseHl7Time(text: string, clock: ClockOptions): Time | TimeFault {
  const raw = text.trim();
  const match = dtm.exec(raw) ?? iso.exec(raw);
  if (!match) return 'invalid';
  return timeOf(raw, match, clock);
}

function timeOf(raw: string, match: RegExpExecArray, clock: ClockOptions): Time | TimeFault {
  const [, yyyy, mm, dd, hh, mi, ss, fraction, sign, offsetHours, offsetMinutes, zulu] = match;
  const year = Number(yyyy);
  if (year === 0 || year === 9999) return 'unspecified';
  if (mm === '00') return 'unspecified';
  const month = mm === undefined ? 1 : Number(mm);
  if (month > 12) return 'invalid';
  // A month with day 00 is a month; a year with month 00 is a placeholder.
  const dayKnown = dd !== undefined && dd !== '00';
  const day = dayKnown ? Number(dd) : 1;
  if (day > daysIn(year, month)) return 'invalid';
  const hour = hh === undefined ? 0 : Number(hh);
  const minute = mi === undefined ? 0 : Number(mi);
  const second = ss === undefined ? 0 : Number(ss);
  // The end of a day, as ISO 8601 writes it.
  const isDayEnd = hour === 24 && minute === 0 && second === 0 && Number(fraction ?? 0) === 0;
  if ((hour > 23 && !isDayEnd) || minute > 59 || second > 59 || (!dayKnown && hh !== undefined))
    return 'invalid';
  if (year < 1880 || year > 2199) return 'implausible';
  const hadOffset = sign !== undefined || zulu !== undefined;
  const ahead = sign === undefined ? 0 : Number(offsetHours) * 60 + Number(offsetMinutes ?? 0);
  if (ahead > 14 * 60 || Number(offsetMinutes ?? 0) > 59) return 'invalid';

  if (mm === undefined) return { raw, value: yyyy!, precision: 'year', hadOffset };
  if (!dayKnown) return { raw, value: `${yyyy}-${mm}`, precision: 'month', hadOffset };
  const value = isDayEnd
    ? new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10)
    : `${yyyy}-${mm}-${dd}`;
  if (hh === undefined) return { raw, value, precision: 'day', day: value, hadOffset };

  const milliseconds = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  const instant = hadOffset
    ? wall - (sign === '-' ? -ahead : ahead) * 60_000
    : clock.offset !== undefined
      ? wall - clock.offset * 60_000
      : instantOf(wall, clock.senderTimeZone ?? clock.timeZone);
  return {
    raw,
    value,
    precision:
      fraction !== undefined
        ? 'fraction'
        : ss !== undefined
          ? 'second'
          : mi !== undefined
            ? 'minute'
            : 'hour',
    day: dayOf(instant, clock.timeZone),
    instant: new Date(instant).toISOString(),
    hadOffset,
  };
}

/** Minutes that a time's clock is ahead of UTC; undefined if it does not say. */
export function offsetIn(text: string): number | undefined {
  const match = dtm.exec(text.trim()) ?? iso.exec(text.trim());
  if (!match) return undefined;
  if (match[11] !== undefined) return 0;
  if (match[8] === undefined) return undefined;
  const minutes = Number(match[9]) * 60 + Number(match[10] ?? 0);
  return match[8] === '-' ? -minutes : minutes;
}

/** How far the clocks and calendar days of senders may be ahead of ours. */
const tolerated = 86_400_000;

/** The latest instant that a past event can have, computed once for all times of a message. */
export const latestPast = (): string => new Date(Date.now() + tolerated).toISOString();

/** Whether a time is after the latest past instant. */
export const liesAhead = ({ instant, value }: Time, latest: string): boolean =>
  instant === undefined ? value > latest.slice(0, value.length) : instant > latest;

/**
 * Whether a time is more than a day before a birth, if both are known. Up to a day is allowed, because clocks
 * differ.
 */
export function liesBeforeBirth({ value }: Time, birth: Time): boolean {
  const told = Math.min(value.length, birth.value.length);
  const [day, born] = [value.slice(0, told), birth.value.slice(0, told)];
  if (day >= born) return false;
  return told < 10 || Date.parse(born) - Date.parse(day) > tolerated;
}

/** Whether a time can be someone's birth: not before 1900, and not in the future anywhere on earth. [S5.1] */
export function isPlausibleBirth(birth: Time): boolean {
  const latest = new Date(Date.now() + 14 * 3_600_000).toISOString();
  return birth.value >= '1900' && birth.value <= latest.slice(0, birth.value.length);
}

/** The number of days of a month (1 to 12). */
export function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
