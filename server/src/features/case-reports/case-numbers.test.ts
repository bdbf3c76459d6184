import { describe, expect, test } from 'vitest';
import { CaseNumbers } from './case-numbers.ts';

const secret = '5f8e3d5c-4a53-4a53-9d5a-1c7c3a6b2f10';
const numbering = new CaseNumbers('2026', secret, 0);
const numbers = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => of(at));

describe('numbers of cases [P24]', () => {
  const open = numbers(20_000, (at) => numbering.open(at));
  const restricted = numbers(2_000, (at) => numbering.restricted(at));

  test('are seven digits after the year, and no two are the same', () => {
    expect(new Set([...open, ...restricted]).size).toBe(22_000);
    for (const number of [...open, ...restricted]) expect(number).toMatch(/^2026-\d{7}$/);
  });

  test('do not depend, for other cases, on how many cases of restricted families there are', () => {
    const other = new CaseNumbers('2026', secret, 0);
    numbers(500, (at) => other.restricted(at));
    expect(numbers(20_000, (at) => other.open(at))).toEqual(open);
  });

  test('reveal neither that a case is restricted, by a digit, nor how many there are, by a gap', () => {
    const value = (number: string) => Number(number.slice(5));
    const mean = (list: string[]) => list.reduce((sum, number) => sum + value(number), 0) / list.length;
    // The mean of evenly spread numbers is 5 million; its standard error is 20,412 for 20,000 and 64,550 for 2,000.
    expect(Math.abs(mean(open) - 5_000_000)).toBeLessThan(4 * 20_412);
    expect(Math.abs(mean(restricted) - 5_000_000)).toBeLessThan(4 * 64_550);
    for (let digit = 0; digit < 10; digit++) {
      const share = restricted.filter((number) => number.endsWith(String(digit))).length / 2_000;
      expect(Math.abs(share - 0.1)).toBeLessThan(0.03);
    }
    // Nor are numbers consecutive: at most a few of 20,000 by chance.
    const neighbours = open.filter(
      (number, at) => Math.abs(value(number) - value(open[at + 1] ?? number)) === 1,
    );
    expect(neighbours.length).toBeLessThan(5);
  });

  test('differ with another secret, and repeat none of the earlier consecutive numbers', () => {
    const other = new CaseNumbers('2026', 'another', 8_000);
    const given = [...numbers(5_000, (at) => other.open(at)), ...numbers(500, (at) => other.restricted(at))];
    expect(new Set(given).size).toBe(5_500);
    for (const number of given) expect(Number(number.slice(5))).toBeGreaterThan(8_000);
    expect(given.slice(0, 100)).not.toEqual(open.slice(0, 100));
  });
});
