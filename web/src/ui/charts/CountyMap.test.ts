import { describe, expect, it } from 'vitest';
import { classesOf } from './CountyMap.tsx';

const whole = (value: number) => String(Math.round(value));
const bounds = (values: readonly number[]) =>
  classesOf(values, whole).map(({ from, to }) => [whole(from), whole(to)]);

describe('the classes of a map', () => {
  it('are five with about as many counties each, from the least to the greatest value in each', () =>
    expect(bounds([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
      ['7', '8'],
      ['9', '10'],
    ]));
  it('are five in addition to that of the zeros, however many counties are at zero', () =>
    expect(bounds([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 5, 6, 7, 8])).toEqual([
      ['0', '0'],
      ['4', '4'],
      ['5', '5'],
      ['6', '6'],
      ['7', '7'],
      ['8', '8'],
    ]));
  it('are five even if most counties have the same value', () =>
    // Of 16 counties ten are at 3; the rest on either side is divided.
    expect(bounds([1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 5, 6, 7])).toEqual([
      ['1', '2'],
      ['3', '3'],
      ['4', '4'],
      ['5', '6'],
      ['7', '7'],
    ]));
  it('keep values that are written the same in one class, so that classes do not overlap', () =>
    expect(bounds([1, 1.6, 2.4, 2.6])).toEqual([
      ['1', '1'],
      ['2', '2'],
      ['3', '3'],
    ]));
  it('are fewer when values repeat', () =>
    expect(bounds([0, 0, 0, 0, 0, 5])).toEqual([
      ['0', '0'],
      ['5', '5'],
    ]));
  it('are empty without values', () => expect(bounds([])).toEqual([]));
});
