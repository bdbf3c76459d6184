import { describe, expect, test } from 'vitest';
import { daysAfter, federalHolidays, isWorkday } from './calendar.ts';

const week = { workdays: [1, 2, 3, 4, 5], federalHolidays: true, daysOff: [] };

describe('federal holidays', () => {
  // As published by the Office of Personnel Management.
  test('2026: Independence Day falls on Saturday and is observed on Friday', () =>
    expect(federalHolidays(2026)).toEqual([
      '2026-01-01',
      '2026-01-19',
      '2026-02-16',
      '2026-05-25',
      '2026-06-19',
      '2026-07-03',
      '2026-09-07',
      '2026-10-12',
      '2026-11-11',
      '2026-11-26',
      '2026-12-25',
    ]));

  test('2027: Juneteenth and Christmas fall on Saturday, Independence Day on Sunday', () =>
    expect(federalHolidays(2027)).toEqual([
      '2027-01-01',
      '2027-01-18',
      '2027-02-15',
      '2027-05-31',
      '2027-06-18',
      '2027-07-05',
      '2027-09-06',
      '2027-10-11',
      '2027-11-11',
      '2027-11-25',
      '2027-12-24',
    ]));

  test("New Year's Day 2028 is observed on the last day of 2027", () => {
    expect(federalHolidays(2028)[0]).toBe('2027-12-31');
    expect(isWorkday('2027-12-31', week)).toBe(false);
    expect(isWorkday('2028-01-03', week)).toBe(true);
  });
});

describe('working days', () => {
  test.each([
    ['over a weekend', '2026-11-20', 1, '2026-11-23'],
    ['over Thanksgiving and a weekend', '2026-11-24', 3, '2026-11-30'],
    ['from a Saturday', '2026-11-21', 1, '2026-11-23'],
    ['over Christmas and New Year', '2026-12-23', 5, '2026-12-31'],
    ['none at all', '2026-11-21', 0, '2026-11-21'],
    ['over a leap day', '2028-02-28', 2, '2028-03-01'],
  ])('%s: from %s, %i of them end on %s', (_, start, days, due) =>
    expect(daysAfter(start, days, true, week)).toBe(due),
  );

  test("exclude the tenant's days off", () =>
    // 27 November is the Friday after Thanksgiving.
    expect(daysAfter('2026-11-24', 3, true, { ...week, daysOff: ['2026-11-27'] })).toBe('2026-12-01'));

  test('include holidays if the tenant works on them', () =>
    expect(daysAfter('2026-11-24', 3, true, { ...week, federalHolidays: false })).toBe('2026-11-27'));

  test('can be Sunday to Thursday', () =>
    expect(daysAfter('2026-11-18', 2, true, { ...week, workdays: [0, 1, 2, 3, 4] })).toBe('2026-11-22'));

  test('all days count if working days are not required', () =>
    expect(daysAfter('2026-11-24', 3, false, week)).toBe('2026-11-27'));

  test('a calendar without working days is refused, because a clock would never run out', () =>
    expect(() => daysAfter('2026-11-24', 1, true, { ...week, workdays: [] })).toThrow(
      'without days of work',
    ));
});
