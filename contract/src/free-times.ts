import { type AvailabilityPlan, minutesOfDay } from './availability.ts';
import { weekday, weekdays } from './calendar.ts';
import { addDays } from './date-range.ts';
import { clockIn, offsetAt } from './zoned-time.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A period in milliseconds, excluding its end. */
export interface Stretch {
  from: number;
  until: number;
}

interface Clocks {
  /** Midnight if the clocks showed UTC. */
  midnight: number;
  before: number;
  after: number;
  /** When the clocks change. */
  at: number;
}
const known = new Map<string, Map<string, Clocks>>();
/** A zone needs few distinct days. */
const daysKept = 2000;

/** How far a zone's clocks are ahead of UTC around a day, during which they change at most once. */
function clocksOf(timeZone: string, day: string): Clocks {
  const days = known.get(timeZone) ?? new Map<string, Clocks>();
  known.set(timeZone, days);
  const found = days.get(day);
  if (found) return found;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let [low, high] = [midnight - dayMs, midnight + 2 * dayMs];
  const before = offsetAt(timeZone, low);
  const after = offsetAt(timeZone, high);
  if (before !== after)
    while (high - low > minuteMs) {
      const middle = Math.round((low + high) / 2 / minuteMs) * minuteMs;
      if (offsetAt(timeZone, middle) === before) low = middle;
      else high = middle;
    }
  if (days.size >= daysKept) days.clear();
  const clocks = { midnight, before, after, at: high };
  days.set(day, clocks);
  return clocks;
}

/**
 * When a zone's clocks show a time of a day from `from` until before `to`. In spring it is shorter if they
 * skip some; in fall it has the repeated hour twice. One period, or two if the clocks go back in between.
 */
export function whileClocksShow(timeZone: string, day: string, from: string, to: string): Stretch[] {
  const { midnight, before, after, at } = clocksOf(timeZone, day);
  const [begin, end] = [midnight + minutesOfDay(from) * minuteMs, midnight + minutesOfDay(to) * minuteMs];
  if (before === after) return [{ from: begin - before, until: end - before }];
  const parts = [
    { from: begin - before, until: Math.min(end - before, at) },
    { from: Math.max(begin - after, at), until: end - after },
  ].filter((part) => part.from < part.until);
  const [first, second] = parts;
  return first && second && first.until === second.from ? [{ from: first.from, until: second.until }] : parts;
}

export interface FreeTime {
  /** Milliseconds since 1970. */
  start: number;
  minutes: number;
}

interface Asked {
  /** The provider's visits, whatever they are for. */
  taken: readonly Stretch[];
  visitType: string;
  now: number;
  from: number;
  until: number;
}

/**
 * The times at which a visit with a provider can begin, in order. A time is free if
 * - it is in the hours of a rule that applies on that day and to this kind of visit, or in an exception's
 * extra hours;
 * - all of it is in them: visits follow one another from the start of the hours, with the buffer between
 * them;
 * - no exception closes any of it;
 * - no visit is in it, nor within the buffer before and after it;
 * - the day has fewer visits than the daily limit;
 * - it begins no sooner than the lead time from now, and within the horizon.
 */
export function freeTimes(plan: AvailabilityPlan, { taken, visitType, now, from, until }: Asked): FreeTime[] {
  const { timeZone, bufferMinutes, dailyLimit, rules, exceptions } = plan;
  const earliest = Math.max(from, now + plan.leadHours * 60 * minuteMs);
  const latest = Math.min(until, now + plan.horizonDays * dayMs);
  if (latest <= earliest) return [];
  const buffer = bufferMinutes * minuteMs;
  const visits = taken.toSorted((a, b) => a.from - b.from);
  const fitting = rules.filter(
    (rule) => rule.visitTypes.length === 0 || rule.visitTypes.some((one) => one === visitType),
  );
  const found: FreeTime[] = [];
  const last = clockIn(timeZone, latest).day;
  for (let day = clockIn(timeZone, earliest).day; day <= last; day = addDays(day, 1)) {
    const today = exceptions.filter(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
    const on = weekdays[weekday(day)]!;
    const hours = [
      ...fitting.filter(
        (rule) =>
          rule.weekdays.includes(on) &&
          (rule.validFrom === null || rule.validFrom <= day) &&
          (rule.validTo === null || day <= rule.validTo),
      ),
      ...today.flatMap(({ kind, from: begin, to, minutes }) =>
        kind === 'extra' && begin && to && minutes ? [{ from: begin, to, minutes }] : [],
      ),
    ];
    if (hours.length === 0) continue;
    const [whole] = wholeDay(timeZone, day);
    const near = visits.filter(
      (visit) => visit.from < whole.until + buffer && visit.until > whole.from - buffer,
    );
    const begun = near.filter((visit) => visit.from >= whole.from && visit.from < whole.until).length;
    if (dailyLimit !== null && begun >= dailyLimit) continue;
    const shut = today.flatMap(({ kind, from: begin, to }) =>
      kind === 'shut' ? (begin && to ? whileClocksShow(timeZone, day, begin, to) : [whole]) : [],
    );
    // Everything that blocks a visit, including the buffer around other visits.
    const barred = [
      ...shut,
      ...near.map((visit) => ({ from: visit.from - buffer, until: visit.until + buffer })),
    ];
    const starts = new Map<number, number>();
    for (const { from: begin, to, minutes } of hours)
      for (const stretch of whileClocksShow(timeZone, day, begin, to)) {
        const lasts = minutes * minuteMs;
        for (let start = stretch.from; start + lasts <= stretch.until; start += lasts + buffer)
          if (
            start >= earliest &&
            start < latest &&
            !starts.has(start) &&
            !isBarred(barred, start, start + lasts)
          )
            starts.set(start, minutes);
      }
    const inOrder = hours.length === 1 ? [...starts] : [...starts].sort(([one], [other]) => one - other);
    for (const [start, minutes] of inOrder) found.push({ start, minutes });
  }
  return found;
}

function isBarred(barred: readonly Stretch[], from: number, until: number): boolean {
  for (const one of barred) if (one.from < until && from < one.until) return true;
  return false;
}

/** From midnight to midnight as far as the clocks show it. */
function wholeDay(timeZone: string, day: string): [Stretch] {
  const begin = whileClocksShow(timeZone, day, '00:00', '23:59')[0]!.from;
  const end = whileClocksShow(timeZone, addDays(day, 1), '00:00', '23:59')[0]!.from;
  return [{ from: begin, until: end }];
}
