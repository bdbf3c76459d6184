import { tickStep } from 'd3-array';

/** A chart's axis unit: integer counts, or a share of 1 shown as a percentage with one decimal. */
export type AxisUnit = 'count' | 'share';

/**
 * The smallest step that can be written without rounding. A finer one would put a wrong number next to its
 * line.
 */
const finest: Readonly<Record<AxisUnit, number>> = { count: 1, share: 0.001 };
/** The end of an axis with nothing to draw. */
const emptyTop: Readonly<Record<AxisUnit, number>> = { count: 1, share: 0.01 };

/**
 * An axis from zero to at least `greatest`: evenly spaced ticks, the last one at its end. Each tick is
 * exactly at the number next to it, so a bar of 1 ends at the tick 1.
 */
export function axisOf(unit: AxisUnit, greatest: number, wanted = 4): { top: number; ticks: number[] } {
  const reach = greatest > 0 ? greatest : emptyTop[unit];
  const step = Math.max(finest[unit], tickStep(0, reach, wanted));
  // A share like 0.3 is 3.0000000000000004 steps of 0.1.
  const steps = Math.max(1, Math.ceil(reach / step - 1e-9));
  // 3 * 0.1 is not 0.3: round far below the displayed precision.
  const ticks = Array.from({ length: steps + 1 }, (_, index) =>
    step < 1 ? Math.round(index * step * 1e6) / 1e6 : index * step,
  );
  return { top: ticks.at(-1)!, ticks };
}
