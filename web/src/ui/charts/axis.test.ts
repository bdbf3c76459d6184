import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisOf } from './axis.ts';

describe('the axis of a chart of counts', () => {
  const isHonest = (greatest: number) => {
    const { top, ticks } = axisOf('count', greatest);
    expect(ticks.every(Number.isInteger)).toBe(true);
    expect(ticks[0]).toBe(0);
    expect(ticks.at(-1)).toBe(top);
    expect(top).toBeGreaterThanOrEqual(greatest);
    // At most one empty step above the highest bar.
    expect(top - ticks[1]!).toBeLessThan(Math.max(greatest, 1));
    expect(new Set(ticks).size).toBe(ticks.length);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.length).toBeLessThanOrEqual(9);
  };
  it('has the ticks 0, 1 and 2 if the highest value is 2', () =>
    expect(axisOf('count', 2).ticks).toEqual([0, 1, 2]));
  it('has the ticks 0 and 1 if the highest value is 1 or 0', () => {
    expect(axisOf('count', 1).ticks).toEqual([0, 1]);
    expect(axisOf('count', 0).ticks).toEqual([0, 1]);
  });
  it('has whole ticks for a mean below one', () => expect(axisOf('count', 0.14).ticks).toEqual([0, 1]));
  it('has only whole ticks at every maximum from 0 to 200', () => {
    for (let greatest = 0; greatest <= 200; greatest++) isHonest(greatest);
  });
  it('has only whole ticks at any other maximum', () => {
    fc.assert(fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), isHonest));
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 40 }), isHonest));
  });
});

describe('the axis of a chart of shares', () => {
  const written = new Intl.NumberFormat('en-US', {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  it('puts each tick at the percentage written next to it', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (greatest) => {
        const { top, ticks } = axisOf('share', greatest);
        expect(top).toBeGreaterThanOrEqual(greatest - 1e-9);
        const read = ticks.map((tick) => Number(written.format(tick).replace('%', '')) / 100);
        for (const [index, tick] of ticks.entries()) expect(read[index]).toBeCloseTo(tick, 9);
        expect(new Set(read).size).toBe(ticks.length);
      }),
    );
  });
  it('ends at 30% if the greatest share is 30%', () =>
    expect(axisOf('share', 0.3).ticks).toEqual([0, 0.1, 0.2, 0.3]));
});
