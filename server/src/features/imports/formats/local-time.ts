import { tzOffset } from '@date-fns/tz';

/**
 * Clock times and instants in a time zone, fast enough for every time of every message. A zone's offset only changes
 * at a quarter of an hour of UTC, so it is cached per quarter.
 */

const quarter = 900_000;
const remembered = new Map<string, Map<number, number>>();
/** Enough for decades of results; a zone's cache is dropped when it is full. */
const rememberedLimit = 50_000;

/** Whether a name is a time zone that the runtime knows. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds that a zone is ahead of UTC at an instant. */
function offsetAt(zone: string, instant: number): number {
  let offsets = remembered.get(zone);
  if (!offsets) {
    offsets = new Map();
    remembered.set(zone, offsets);
  }
  const key = Math.floor(instant / quarter);
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = tzOffset(zone, new Date(key * quarter)) * 60_000;
    if (Number.isNaN(offset)) throw new RangeError(`unknown time zone: ${zone}`);
    if (offsets.size >= rememberedLimit) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

/**
 * The instant of a clock time in a zone; `clock` is the clock time written as if it were UTC. For an hour that occurs
 * twice (clocks set back) it is the first one; an hour that does not exist (clocks set forward) is moved forward.
 */
export function instantOf(clock: number, zone: string): number {
  const before = offsetAt(zone, clock - 86_400_000);
  const after = offsetAt(zone, clock + 86_400_000);
  if (before === after && offsetAt(zone, clock - before) === before) return clock - before;
  const first = clock - before;
  if (offsetAt(zone, first) === before) return first;
  const second = clock - after;
  if (offsetAt(zone, second) === after) return second;
  return first;
}

/** The calendar day of an instant in a zone, `YYYY-MM-DD`. */
export function dayOf(instant: number, zone: string): string {
  return new Date(instant + offsetAt(zone, instant)).toISOString().slice(0, 10);
}
