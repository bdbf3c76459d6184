import { describe, expect, it } from 'vitest';
import { dayOf, instantOf, isTimeZone } from './local-time.ts';

const iso = (clock: string, zone: string) => new Date(instantOf(Date.parse(`${clock}Z`), zone)).toISOString();

describe('clock times in a time zone', () => {
  it.each([
    ['2024-01-15T12:00:00', 'America/New_York', '2024-01-15T17:00:00.000Z'],
    ['2024-07-15T12:00:00', 'America/New_York', '2024-07-15T16:00:00.000Z'],
    ['2024-07-15T12:00:00', 'Asia/Kathmandu', '2024-07-15T06:15:00.000Z'],
    ['2024-07-15T23:30:00', 'Pacific/Auckland', '2024-07-15T11:30:00.000Z'],
    ['2024-07-15T12:00:00', 'UTC', '2024-07-15T12:00:00.000Z'],
  ])('%s in %s', (clock, zone, instant) => {
    expect(iso(clock, zone)).toBe(instant);
  });

  it('uses the first of two equal hours when clocks are set back', () => {
    expect(iso('2024-11-03T01:30:00', 'America/New_York')).toBe('2024-11-03T05:30:00.000Z');
    expect(iso('2024-11-03T02:00:00', 'America/New_York')).toBe('2024-11-03T07:00:00.000Z');
  });

  it('moves an hour that does not exist forward when clocks are set forward', () => {
    expect(iso('2024-03-10T02:30:00', 'America/New_York')).toBe('2024-03-10T07:30:00.000Z');
    expect(iso('2024-03-10T01:59:00', 'America/New_York')).toBe('2024-03-10T06:59:00.000Z');
    expect(iso('2024-03-10T03:00:00', 'America/New_York')).toBe('2024-03-10T07:00:00.000Z');
  });

  it('gives the day of an instant in the zone, not in UTC', () => {
    const evening = Date.parse('2024-02-15T03:30:00Z');
    expect(dayOf(evening, 'America/New_York')).toBe('2024-02-14');
    expect(dayOf(evening, 'UTC')).toBe('2024-02-15');
    expect(dayOf(evening, 'Pacific/Kiritimati')).toBe('2024-02-15');
  });

  it('knows time zones', () => {
    expect([isTimeZone('America/Denver'), isTimeZone('Mars/Olympus')]).toEqual([true, false]);
  });
});
