import type { MeasureValue } from '@caseway/contract/analytics';
import type { Measure } from '@caseway/contract/measure';

/** What a tile needs to know about its measure. */
export type TileMeasure = Pick<Measure, 'unit' | 'direction'> & {
  /** For a rate: its denominator in words, such as per 100,000 people. */
  per?: string;
};

/** A measure's change from the previous range of the same length. */
export interface Change {
  /**
   * `points`: the difference of two shares, as a share. `relative`: the difference as a share of the earlier
   * value. `absolute`: the difference in the measure's unit.
   */
  kind: 'points' | 'relative' | 'absolute';
  difference: number;
  tone: 'good' | 'bad' | 'neutral';
}

/** Null if either value is withheld or missing, or if the earlier count was zero, which allows no share. */
export function changeOf(measure: TileMeasure, value: MeasureValue, previous: MeasureValue): Change | null {
  if (value.value === null || previous.value === null) return null;
  // Rough numbers show no change, and a difference of two instants is meaningless.
  if (value.rough || previous.rough || measure.unit === 'instant' || measure.unit === 'day') return null;
  const kind = measure.unit === 'share' ? 'points' : measure.unit === 'count' ? 'relative' : 'absolute';
  if (kind === 'relative' && previous.value === 0) return null;
  const plain = value.value - previous.value;
  const difference = kind === 'relative' ? plain / previous.value : plain;
  const tone =
    difference === 0 || measure.direction === undefined
      ? 'neutral'
      : difference > 0 === (measure.direction === 'up-good')
        ? 'good'
        : 'bad';
  return { kind, difference, tone };
}
