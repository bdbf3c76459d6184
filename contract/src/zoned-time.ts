const formats = new Map<string, Intl.DateTimeFormat>();
/** Cached by zone, because creating a format is far slower than using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  let known = formats.get(timeZone);
  if (!known) {
    known = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(timeZone, known);
  }
  return known;
}

/** A zone's local time at an instant: the day `YYYY-MM-DD` and the time `HH:MM`. */
export function clockIn(timeZone: string, instant: string | number): { day: string; time: string } {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
  };
}

const dayMs = 86_400_000;

/** How many milliseconds a zone's clocks are ahead of UTC at an instant. */
export function offsetAt(timeZone: string, instant: number): number {
  const shown = clockIn(timeZone, instant);
  return Date.parse(`${shown.day}T${shown.time}:00Z`) - Math.floor(instant / 60_000) * 60_000;
}

/**
 * The instants at which a zone's clocks show a day and time: usually one; none in the hour skipped in spring;
 * two in the hour repeated in fall, the earlier first.
 */
export function instantsAt(timeZone: string, day: string, time: string): string[] {
  const asUtc = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(asUtc)) return [];
  // A zone changes its clocks at most once within two days.
  const offsets = new Set([offsetAt(timeZone, asUtc - dayMs), offsetAt(timeZone, asUtc + dayMs)]);
  return [...offsets]
    .map((offset) => asUtc - offset)
    .filter((instant) => {
      const shown = clockIn(timeZone, instant);
      return shown.day === day && shown.time === time;
    })
    .sort((a, b) => a - b)
    .map((instant) => new Date(instant).toISOString());
}
