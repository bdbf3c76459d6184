import type { MeasureValue } from '@caseway/contract/analytics';
import { describe, expect, test } from 'vitest';
import {
  about,
  allPersons,
  atLeast,
  bitOf,
  type Counted,
  isCoarse,
  isHidden,
  nobody,
  protectedValue,
  roundedTime,
  startOfPeriod,
  weeksTogether,
  wholePeriods,
} from './protect.ts';

/* Numbers for readers without exact rights. [P17] */

/** Persons numbered from 0. Up to 64 of them, no two have the same bit. */
const people = (n: number) =>
  Array.from({ length: n }, (_, number) => bitOf(number)).reduce(allPersons, nobody);
const counted = (n: number, persons: number): Counted => ({ n, persons: people(persons) });
const value = (numerator: number, denominator: number | null = null): MeasureValue => ({
  value: denominator === null ? numerator : denominator === 0 ? null : numerator / denominator,
  numerator,
  denominator,
  suppressed: false,
});
const hidden = { value: null, numerator: null, denominator: null, suppressed: true };

describe('persons', () => {
  test('are never more bits than there are persons, and the same person sets the same bit', () => {
    expect(atLeast(people(11))).toBe(11);
    expect(atLeast(allPersons(people(11), people(7)))).toBe(11);
    // 0 and 64 share a bit.
    expect(atLeast(allPersons(bitOf(0), bitOf(64)))).toBe(1);
    expect(atLeast(people(64))).toBe(64);
  });
  test('are about as many as would fill that many bits', () => {
    // −64 × ln(32 ÷ 64) = 44.4; −64 × ln(13 ÷ 64) = 102.0.
    expect(about(people(32))).toBeCloseTo(44.36, 2);
    expect(about(people(51))).toBeCloseTo(102.01, 2);
    expect(about(people(64))).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a count', () => {
  const count = (n: number, persons: number) =>
    protectedValue(value(n), { form: 'count' }, [counted(n, persons)], 11);
  test('is twice that of the half', () => {
    expect(count(400, 64)).toEqual({ value: 800, numerator: 800, denominator: null, suppressed: false });
  });
  test('is hidden with fewer persons than the threshold, however many of them are in the half', () => {
    expect(count(30, 10)).toEqual(hidden);
    expect(count(30, 11)).toMatchObject({ value: 60 });
  });
  test('is hidden when the half shows fewer than the threshold, however many persons there are', () => {
    // Twice 5 is 10.
    expect(count(5, 40)).toEqual(hidden);
    expect(count(6, 40)).toMatchObject({ value: 12 });
    expect(count(0, 40)).toEqual(hidden);
  });
  test('of nothing is a zero, unless the whole that it is part of is hidden', () => {
    expect(protectedValue(value(0), { form: 'count' }, [counted(0, 0), counted(50, 60)], 11)).toEqual(
      value(0),
    );
    expect(protectedValue(value(0), { form: 'count' }, [counted(0, 0), counted(5, 6)], 11)).toEqual(hidden);
  });
  test('is rough below about 100 persons', () => {
    // 50 of 64 bits: 97 persons. 51: 102.
    expect(count(60, 50).rough).toBe(true);
    expect(count(60, 51).rough).toBeUndefined();
  });
  test('uses the threshold of the tenant', () => {
    expect(isHidden(counted(20, 29), 30)).toBe(true);
    expect(isHidden(counted(20, 30), 30)).toBe(false);
    expect(isHidden(counted(3, 5), 5)).toBe(false);
  });
});

test('a rate is twice that of the half, over all people', () => {
  const rate = { ...value(20, 1000), value: 20, interval: { low: 12, high: 31 }, excluded: 3 };
  expect(protectedValue(rate, { form: 'rate' }, [counted(20, 64)], 11)).toEqual({
    value: 40,
    numerator: 40,
    denominator: 1000,
    suppressed: false,
    interval: { low: 24, high: 62 },
  });
  expect(protectedValue(rate, { form: 'rate' }, [counted(5, 40)], 11)).toEqual(hidden);
});

describe('a share', () => {
  test('is that of the half, with its parts doubled', () => {
    expect(
      protectedValue(value(30, 120), { form: 'share' }, [counted(30, 40), counted(120, 64)], 11),
    ).toEqual({
      value: 0.25,
      numerator: 60,
      denominator: 240,
      suppressed: false,
    });
  });
  test('is hidden if a part of it is', () => {
    expect(protectedValue(value(4, 120), { form: 'share' }, [counted(4, 8), counted(120, 64)], 11)).toEqual(
      hidden,
    );
  });
  test('of nothing is 0 within a shown whole, and has no value within nothing', () => {
    expect(
      protectedValue(value(0, 120), { form: 'share' }, [counted(0, 0), counted(120, 64)], 11).value,
    ).toBe(0);
    expect(
      protectedValue(value(0, 0), { form: 'share' }, [counted(0, 0), counted(0, 0)], 11).value,
    ).toBeNull();
  });
  test('positivity is in whole per cent, from about 100 answered persons on', () => {
    // 37 of 120 is 30.8 %.
    const positivity = (persons: number) =>
      protectedValue(value(37, 120), { form: 'coarse' }, [counted(37, 20), counted(120, persons)], 11);
    expect(positivity(51)).toEqual({
      value: 0.31,
      numerator: 74,
      denominator: 240,
      suppressed: false,
      whole: true,
    });
    expect(positivity(50)).toEqual(hidden);
  });
});

describe('a median', () => {
  const hours = (taken: number): MeasureValue => ({
    value: taken,
    numerator: null,
    denominator: 60,
    suppressed: false,
  });
  test('is in whole hours, from two days on in whole days', () => {
    expect([20.4, 20.5, 47.4, 48, 59, 61].map((time) => roundedTime(time, 'hours'))).toEqual([
      20, 21, 47, 48, 48, 72,
    ]);
    expect([52, 53].map((time) => roundedTime(time, 'minutes'))).toEqual([50, 55]);
    expect(roundedTime(6.5, 'days')).toBe(7);
    expect(protectedValue(hours(20.4), { form: 'median', unit: 'hours' }, [counted(60, 51)], 11)).toEqual({
      value: 20,
      numerator: null,
      denominator: 120,
      suppressed: false,
    });
  });
  test('is hidden with the number of its tests', () => {
    expect(protectedValue(hours(20), { form: 'median', unit: 'hours' }, [counted(60, 10)], 11)).toEqual(
      hidden,
    );
  });
  test('and a 90th percentile with fewer than five times the threshold', () => {
    // 36 of 64 bits: 53 persons. 37: 55.3.
    expect(protectedValue(hours(20), { form: 'percentile', unit: 'hours' }, [counted(60, 36)], 11)).toEqual(
      hidden,
    );
    expect(
      protectedValue(hours(20), { form: 'percentile', unit: 'hours' }, [counted(60, 37)], 11),
    ).toMatchObject({ value: 20 });
    // Twice 27 is 54.
    expect(protectedValue(hours(20), { form: 'percentile', unit: 'hours' }, [counted(27, 64)], 11)).toEqual(
      hidden,
    );
  });
});

describe('periods', () => {
  test('are whole MMWR weeks', () => {
    // 2026-03-04 is a Wednesday, 2026-03-16 a Monday.
    expect(wholePeriods({ start: '2026-03-04', end: '2026-03-16' }, 1)).toEqual({
      start: '2026-03-01',
      end: '2026-03-21',
    });
  });
  test('of four weeks are the same for every range', () => {
    const starts = new Set(
      Array.from({ length: 28 }, (_, day) => startOfPeriod(`2026-02-${String(1 + day).padStart(2, '0')}`, 4)),
    );
    expect(starts.size).toBeLessThanOrEqual(2);
    const { start, end } = wholePeriods({ start: '2026-02-10', end: '2026-02-10' }, 4);
    expect(wholePeriods({ start, end }, 4)).toEqual({ start, end });
    expect(new Date(`${start}T00:00:00Z`).getUTCDay()).toBe(0);
    expect(startOfPeriod(end, 4)).toBe(start);
  });
  test('are of four weeks for readers of fewer than 10,000 rows a year', () => {
    expect([9_999, 10_000].map(weeksTogether)).toEqual([4, 1]);
  });
});

test('an answer is narrowed and split by two columns at most, a bar’s own included', () => {
  expect(isCoarse(['sex', 'race'])).toBe(true);
  expect(isCoarse(['sex', 'race', 'county'])).toBe(false);
  expect(isCoarse(['sex', 'race'], ['county'])).toBe(false);
  expect(isCoarse(['sex', 'race'], ['race'])).toBe(true);
  expect(isCoarse(['race'], ['ageBand', 'sex'])).toBe(false);
});
