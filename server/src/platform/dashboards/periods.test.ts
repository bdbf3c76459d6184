import { describe, expect, test } from 'vitest';
import { incompleteFrom, medianOfYears, periodsOf, sameWeeksBefore, yearsBeforeRange } from './periods.ts';

describe('which days are incomplete', () => {
  const delays = (...pairs: [number, number][]) => new Map(pairs);
  test('those for which fewer than nine tenths of the rows have arrived, judging by past delays', () => {
    // 50 on the day, 30 after one, 10 after two: 90 of 100 within two days.
    expect(incompleteFrom(delays([0, 50], [1, 30], [2, 10], [9, 10]), '2026-03-31')).toBe('2026-03-29');
    // 89 of 100 within two days: nine tenths have arrived only after nine days.
    expect(incompleteFrom(delays([0, 50], [1, 30], [2, 9], [9, 11]), '2026-03-31')).toBe('2026-03-22');
  });
  test('today is, even if everything is entered immediately', () => {
    expect(incompleteFrom(delays([0, 10]), '2026-03-31')).toBe('2026-03-31');
  });
  test('none are known without rows', () => {
    expect(incompleteFrom(new Map(), '2026-03-31')).toBeNull();
  });
});

describe('the periods of a range', () => {
  test('by day are all of its days', () => {
    expect(periodsOf({ start: '2026-03-01', end: '2026-03-03' }, 'day')).toEqual([
      '2026-03-01',
      '2026-03-02',
      '2026-03-03',
    ]);
  });
  test('by MMWR week begin with the Sunday before the range', () => {
    // 2026-03-04 is a Wednesday, 2026-03-16 a Monday.
    expect(periodsOf({ start: '2026-03-04', end: '2026-03-16' }, 'week')).toEqual([
      '2026-03-01',
      '2026-03-08',
      '2026-03-15',
    ]);
  });
  test('by month begin with the first of the month, of 28 to 31 days', () => {
    expect(periodsOf({ start: '2026-01-31', end: '2026-04-01' }, 'month')).toEqual([
      '2026-01-01',
      '2026-02-01',
      '2026-03-01',
      '2026-04-01',
    ]);
  });
});

describe('the same weeks of the years before', () => {
  test('have the same MMWR number', () => {
    // 2026-01-04 begins week 1 of 2026.
    expect(sameWeeksBefore('2026-01-04')).toEqual([
      { start: '2024-12-29', year: 2025 },
      { start: '2023-12-31', year: 2024 },
      { start: '2023-01-01', year: 2023 },
      { start: '2022-01-02', year: 2022 },
      { start: '2021-01-03', year: 2021 },
    ]);
  });
  test('for week 53 are week 1 of the next year if a year has no week 53', () => {
    // 2025-12-28 begins week 53 of 2025. Before that only 2020 has one, which begins on 2020-12-27.
    expect(sameWeeksBefore('2025-12-28')).toEqual([
      { start: '2024-12-29', year: 2025 },
      { start: '2023-12-31', year: 2024 },
      { start: '2023-01-01', year: 2023 },
      { start: '2022-01-02', year: 2022 },
      { start: '2020-12-27', year: 2020 },
    ]);
  });
  test('have a median of the known years, of at least three', () => {
    const counts = new Map([
      ['2024-12-29', 9],
      ['2023-12-31', 4],
      ['2023-01-01', 5],
      ['2022-01-02', 100],
    ]);
    const since = (day: string) => medianOfYears('2026-01-04', (week) => counts.get(week) ?? 0, day);
    // 0, 4, 5, 9, 100; without the first year 4, 5, 9, 100; with three years 4, 5, 9.
    expect(since('2021-01-03')).toEqual({ value: 5, years: [2025, 2024, 2023, 2022, 2021] });
    expect(since('2021-01-04')).toEqual({ value: 7, years: [2025, 2024, 2023, 2022] });
    expect(since('2022-06-01')).toEqual({ value: 5, years: [2025, 2024, 2023] });
    expect(since('2023-06-01')).toEqual({ value: null, years: [2025, 2024] });
    expect(medianOfYears('2026-01-04', () => 1, undefined).value).toBeNull();
  });
  test('lie within the days that are read for a range', () => {
    const range = { start: '2025-12-01', end: '2026-01-20' };
    const read = yearsBeforeRange(range);
    for (const week of periodsOf(range, 'week'))
      for (const { start } of sameWeeksBefore(week)) {
        expect(start >= read.start).toBe(true);
        expect(start <= read.end).toBe(true);
      }
  });
});
