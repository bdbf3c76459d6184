import { describe, expect, it } from 'vitest';
import { classBreaks } from './CountyMap.tsx';

describe('the five classes of a map', () => {
  it('hold about as many counties each', () => {
    // Ten values: the 0th, 20th … 80th percentiles by linear interpolation over positions 0–9.
    const breaks = classBreaks([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    [1, 2.8, 4.6, 6.4, 8.2].forEach((bound, index) => {
      expect(breaks[index]).toBeCloseTo(bound, 9);
    });
    expect(breaks).toHaveLength(5);
  });
  it('are fewer when values repeat', () => expect(classBreaks([0, 0, 0, 0, 0, 5])).toEqual([0]));
  it('are none without values', () => expect(classBreaks([])).toEqual([]));
});
