export const hour = 3_600_000;
export const day = 24 * hour;

/** How far back the demo's records go. */
export const historyDays = 1095;

/** The index of a day `YYYY-MM-DD`, from 0. */
export const dayOfYear = (value: string): number =>
  (Date.parse(value) - Date.parse(`${value.slice(0, 4)}-01-01`)) / day;

/** The result of `localDays`. */
export type LocalDays = ReturnType<typeof localDays>;

/** Calendar days of a time zone from instants, with the offset looked up once per hour. */
export function localDays(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offsets = new Map<number, number>();
  const offsetAt = (instant: number): number => {
    const key = Math.floor(instant / hour);
    let offset = offsets.get(key);
    if (offset === undefined) {
      const name = format.formatToParts(key * hour).find((part) => part.type === 'timeZoneName')!.value;
      const match = /([+-])(\d\d):(\d\d)/.exec(name);
      offset = match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000 : 0;
      offsets.set(key, offset);
    }
    return offset;
  };
  return {
    dayOf: (instant: number): string => new Date(instant + offsetAt(instant)).toISOString().slice(0, 10),
    /** The instant of a local day at an hour of its clock. */
    at: (localDay: string, clockHour: number): number => {
      const utc = Date.parse(`${localDay}T00:00:00Z`) + clockHour * hour;
      return utc - offsetAt(utc - offsetAt(utc));
    },
  };
}
