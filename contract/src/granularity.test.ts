import { describe, expect, test } from 'vitest';
import { granularitiesOf, granularityOf, lastDayOf } from './granularity.ts';

const quarter = { start: '2026-01-01', end: '2026-03-31' };
const year = { start: '2026-01-01', end: '2026-12-31' };
const leap = { start: '2024-01-01', end: '2024-12-31' };
const longer = { start: '2025-12-31', end: '2027-01-01' };

describe('the periods of a trend', () => {
  test('are days up to a quarter, and weeks beyond', () => {
    expect([granularityOf(quarter), granularityOf(year)]).toEqual(['day', 'week']);
  });

  test('are the chosen ones', () => {
    expect(granularityOf(quarter, 'month')).toBe('month');
    expect(granularityOf(year, 'day')).toBe('day');
  });

  test('are days for a year at most', () => {
    expect(granularitiesOf(leap)).toEqual(['day', 'week', 'month']);
    expect(granularitiesOf(longer)).toEqual(['week', 'month']);
    expect(granularityOf(longer, 'day')).toBe('week');
  });

  test('end with their last day', () => {
    expect(
      (['day', 'week', 'four-weeks', 'month'] as const).map((period) => lastDayOf('2026-02-01', period)),
    ).toEqual(['2026-02-01', '2026-02-07', '2026-02-28', '2026-02-28']);
    expect(lastDayOf('2024-02-01', 'month')).toBe('2024-02-29');
  });
});
