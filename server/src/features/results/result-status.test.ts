import { describe, expect, test } from 'vitest';
import { resultStatusOf } from '../reference/catalog.ts';
import { orderStatusOf, type StatusEffect, statusEffect, statusOf } from './result-status.ts';

/** The name of each effect in the list of result statuses. */
const named: Record<StatusEffect, string> = {
  result: 'final',
  preliminary: 'preliminary',
  correction: 'corrected',
  withdrawal: 'withdrawn',
  cancelled: 'cancelled',
  pending: 'pending',
};

describe('the status of a result', () => {
  test.each([...'ABCDFINOPRSUVWX'])('%s has the effect that its name in the list says', (letter) => {
    const status = statusOf(letter)!;
    expect(status).toBe(letter);
    expect(resultStatusOf(letter, 'HL70085')!.code).toBe(named[statusEffect(status)]);
  });

  test.each(['E', 'Z', '', '?', 'toString', 'constructor'])('"%s" is none', (sent) => {
    expect(statusOf(sent)).toBeUndefined();
  });

  test.each([
    ['Preliminar', 'P'],
    ['PRELIMINÈ', 'P'],
    ['Préliminaire', 'P'],
    ['definitivo', 'F'],
    ['Corregido', 'C'],
    ['Anulado', 'X'],
    ['an atant', 'I'],
  ])('"%s" is %s', (word, status) => {
    expect(statusOf(word)).toBe(status);
  });
});

describe('the status of an order (HL7 table 0123)', () => {
  test.each([
    ['A', 'preliminary'],
    ['C', 'corrected'],
    ['F', 'final'],
    ['I', 'pending'],
    ['O', 'pending'],
    ['P', 'preliminary'],
    ['R', 'preliminary'],
    // Scheduled; S of OBX-11 is a partial result.
    ['S', 'pending'],
    ['X', 'cancelled'],
  ])('%s makes its results %s, as the list says', (letter, code) => {
    expect(named[statusEffect(orderStatusOf(letter)!)]).toBe(code);
    expect(resultStatusOf(letter, 'HL70123')!.code).toBe(code);
  });

  test.each(['Y', 'Z', ''])('"%s" does not apply to a result', (letter) => {
    expect(orderStatusOf(letter)).toBeUndefined();
  });
});
