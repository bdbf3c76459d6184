import { describe, expect, test } from 'vitest';
import { inOrderOfZones, nameOfTimeZone, zoneRank, zonesOfState } from './time-zone.ts';

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
const languages = ['en', 'en-GB', 'es', 'ht'];
const year = new Date().getUTCFullYear();
const minutesFromUtc = (zone: string, at: Date) => {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    at,
  );
  return parts.find((part) => part.type === 'timeZoneName')!.value;
};
const [winter, summer] = [new Date(Date.UTC(year, 0, 15)), new Date(Date.UTC(year, 6, 15))];
const changesClocks = (zone: string) => minutesFromUtc(zone, winter) !== minutesFromUtc(zone, summer);

describe('the names of time zones', () => {
  test('no zone with daylight saving time has a name that means only standard time', () => {
    const wrong = zones.filter(
      (zone) =>
        changesClocks(zone) &&
        /standard|estándar/i.test(nameOfTimeZone(zone, 'en') + nameOfTimeZone(zone, 'es')),
    );
    expect(wrong).toEqual([]);
  });

  test('zones of one name have the same time, now and in half a year', () => {
    const clocks = new Map<string, Set<string>>();
    for (const zone of zones.filter((each) => zoneRank(each) < 2)) {
      const time = nameOfTimeZone(zone, 'en').replace(/ \(.*/, '');
      const clock = `${minutesFromUtc(zone, winter)} ${minutesFromUtc(zone, summer)}`;
      clocks.set(time, (clocks.get(time) ?? new Set()).add(clock));
    }
    expect([...clocks].filter(([, different]) => different.size > 1)).toEqual([]);
  });

  test.each([
    ['America/New_York', 'Eastern Time (New York)', 'Hora oriental (Nueva York)', 'Lè lès (Nouyòk)'],
    ['America/Detroit', 'Eastern Time (Detroit)', 'Hora oriental (Detroit)', 'Lè lès (Detroit)'],
    ['America/Juneau', 'Alaska Time (Juneau)', 'Hora de Alaska (Juneau)', 'Lè Alaska (Juneau)'],
  ])('%s is named as today', (zone, en, es, ht) => {
    expect(['en', 'es', 'ht'].map((language) => nameOfTimeZone(zone, language))).toEqual([en, es, ht]);
  });

  test.each([
    [['Asia/Calcutta', 'Asia/Kolkata'], 'Kolkata'],
    [['Asia/Saigon', 'Asia/Ho_Chi_Minh'], /Ho Chi Minh/],
    [['Asia/Rangoon', 'Asia/Yangon'], 'Yangon'],
    [['Europe/Kiev', 'Europe/Kyiv'], 'Kyiv'],
  ] as const)('%s has the current name of its place', (pair, place) => {
    for (const zone of pair) expect(nameOfTimeZone(zone, 'en')).toMatch(place);
  });

  test.each(languages)('every zone has its own name in %s, and none is the code', (language) => {
    const all = zones.map((zone) => nameOfTimeZone(zone, language));
    expect(all.filter((name) => /[_/]/.test(name) || (name.length < 4 && name !== 'UTC'))).toEqual([]);
    const twice = all.filter((name, index) => all.indexOf(name) !== index);
    expect(twice).toEqual([]);
  });

  test('those of the United States are first, from east to west', () => {
    expect(inOrderOfZones(zones).slice(0, 8)).toEqual([
      'America/New_York',
      'America/Chicago',
      'America/Denver',
      'America/Phoenix',
      'America/Los_Angeles',
      'America/Anchorage',
      'Pacific/Honolulu',
      'America/Puerto_Rico',
    ]);
    const ranks = inOrderOfZones(zones).map(zoneRank);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(inOrderOfZones(zones)).toHaveLength(zones.length);
  });
});

describe('the zones of a state', () => {
  /**
   * FIPS codes of the states, the District of Columbia and the five territories: 1 to 56 without unassigned
   * ones.
   */
  const all = [
    ...Array.from({ length: 56 }, (_, index) => index + 1).filter(
      (code) => ![3, 7, 14, 43, 52].includes(code),
    ),
    ...[60, 66, 69, 72, 78],
  ].map((code) => String(code).padStart(2, '0'));

  test('every state and territory has one, and each is in the list of zones', () => {
    expect(all).toHaveLength(56);
    expect(all.filter((code) => zonesOfState(code).length === 0)).toEqual([]);
    expect(all.flatMap(zonesOfState).filter((zone) => !zones.includes(zone))).toEqual([]);
    expect(all.flatMap(zonesOfState).filter((zone) => zoneRank(zone) === 2)).toEqual([]);
  });

  // By where most people live: Nashville and Memphis, Boise, Indianapolis, Miami.
  test.each([
    ['22', 'America/Chicago'],
    ['47', 'America/Chicago'],
    ['16', 'America/Boise'],
    ['18', 'America/Indianapolis'],
    ['12', 'America/New_York'],
    ['72', 'America/Puerto_Rico'],
  ])('for %s begin with %s', (code, zone) => {
    expect(zonesOfState(code)[0]).toBe(zone);
  });

  test('a code outside every state has no time zone', () => {
    expect(zonesOfState('')).toEqual([]);
    expect(zonesOfState('99')).toEqual([]);
  });
});
