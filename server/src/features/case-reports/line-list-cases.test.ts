import { describe, expect, test } from 'vitest';
import type { Parts } from '../patients/matching.ts';
import { type DatedCase, numberedAs } from './line-list-cases.ts';

const began = (onsetOn: string | null, collectedOn: string | null = null): DatedCase => ({
  day: collectedOn ?? onsetOn ?? '2026-03-10',
  onsetOn,
  collectedOn,
});
const march1 = began('2026-03-01');
const agreeing: Parts = { sex: 1, age: 0.3 };

describe('a row with the number of an earlier one, about a person without a name', () => {
  test.each<[string, ReturnType<typeof numberedAs>, DatedCase, Parts, 'same' | 'another' | 'untold']>([
    ['the same onset, one place', 'same', march1, {}, 'same'],
    ['the same onset, no place', 'same', march1, { sex: 1 }, 'untold'],
    ['the same onset, another place', 'another', march1, agreeing, 'another'],
    ['an onset a week later, the same age, one place', 'same', began('2026-03-08'), agreeing, 'same'],
    ['an onset eight days later, the same age', 'doubtful', began('2026-03-09'), agreeing, 'same'],
    ['an onset a day later and no age told', 'doubtful', began('2026-03-02'), { sex: 1 }, 'same'],
    ['an onset a day later, the same age, no place', 'doubtful', began('2026-03-02'), agreeing, 'untold'],
    ['no onset told, the same age, one place', 'same', began(null), agreeing, 'same'],
    ['no onset told and no age', 'doubtful', began(null), { sex: 1 }, 'same'],
    ['an age that contradicts', 'another', march1, { sex: 1, age: 0 }, 'same'],
    ['the other sex', 'another', march1, { sex: 0, age: 0.3 }, 'same'],
    ['91 days later', 'another', began('2026-05-31'), agreeing, 'same'],
  ])('%s: %s', (_, expected, row, parts, place) => {
    expect(numberedAs('101', row, march1, parts, place)).toBe(expected);
  });

  test('both dates have to be the same if both are given', () => {
    const known = began('2026-03-01', '2026-03-04');
    expect(numberedAs('101', began('2026-03-01', '2026-03-04'), known, {}, 'same')).toBe('same');
    expect(numberedAs('101', began('2026-03-01', '2026-03-14'), known, {}, 'same')).toBe('doubtful');
  });

  test('a long number is not a position in a list, and identifies its case within its facility', () => {
    expect(numberedAs('GA-2026-101', began('2026-03-20'), march1, {}, 'same')).toBe('same');
    expect(numberedAs('GA-2026-101', march1, march1, {}, 'another')).toBe('another');
  });
});

describe('a row with the number of an earlier one, about a person with a name', () => {
  test.each<[string, ReturnType<typeof numberedAs>, Parts]>([
    ['the same name', 'same', { lastName: 1, firstName: 1 }],
    ['the same number of a person, another surname', 'same', { identifier: 1, lastName: 0, firstName: 1 }],
    ['another given name', 'another', { lastName: 1, firstName: 0 }],
    ['another surname', 'another', { lastName: 0, firstName: 1 }],
    ['another birth date', 'another', { lastName: 1, firstName: 1, birthDate: 0 }],
  ])('%s: %s', (_, expected, parts) => {
    expect(numberedAs('7', began('2026-03-20'), march1, parts, 'another')).toBe(expected);
  });
});
