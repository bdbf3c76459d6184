import type { AnalyticsAnswer, MeasureValue } from '@caseway/contract/analytics';

/** Fewer than this in both weeks together say nothing. */
const fewest = 20;
/** The square of 1.96: the 95 % quantile of the chi-squared distribution with one degree of freedom. */
const critical = 3.84;

/**
 * Whether a count differs from the one of the week before by more than chance: (a − b)² / (a + b) > 3.84, the test
 * of two Poisson counts. Numbers of a doubled half vary twice as much. Withheld, rough and unstable ones never do.
 */
export function hasChanged(
  value: MeasureValue | undefined,
  previous: MeasureValue | undefined,
  { half }: Pick<AnalyticsAnswer, 'half'>,
): boolean {
  if (!value || !previous || value.value === null || previous.value === null) return false;
  if ([value, previous].some(({ suppressed, rough, unstable }) => suppressed || rough || unstable))
    return false;
  const both = value.value + previous.value;
  if (both < fewest) return false;
  return (value.value - previous.value) ** 2 / (both * (half ? 2 : 1)) > critical;
}
