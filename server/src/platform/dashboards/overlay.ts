import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import { type AnySeries, shownBy } from '@caseway/contract/dashboard';
import { addDays, startOfMmwrWeek } from '@caseway/contract/date-range';
import type { CountedFact } from '@caseway/contract/measure';
import { type Counts, chosenWeek, groupOf, type Key, keysOf, weeksLate } from './counting.ts';
import { aroundEstimate, chainLadder } from './measures.ts';
import { type At, type Measuring, whole } from './measuring.ts';
import { lateness, medianOfYears, periodsOf } from './periods.ts';

export type Overlay = NonNullable<AnalyticsAnswer['overlays']>[string];

/** The median of earlier years and what is still expected, by MMWR weeks, of the first number that a series shows. */
export function planOverlay(
  measuring: Measuring,
  series: Extract<AnySeries, { form: 'trend' | 'epidemic-curve' }>,
  fact: CountedFact,
  { where }: At,
): (() => Overlay) | undefined {
  const { dashboard } = measuring.counting;
  const first = dashboard.measures[shownBy(dashboard, series)[0] ?? ''];
  // Medians of years and estimates are of true numbers alone.
  if (first?.formula.form !== 'count' || measuring.protection) return undefined;
  const of = [...where, first.formula.of];
  const week: Key = { column: chosenWeek, as: 'week' };
  const weeks = periodsOf(measuring.asking.query.dateRangeValue, 'week');
  const against = series.against && {
    counts: measuring.want(fact, { source: 'years', keys: [week], where: of }, { of: 'rows' }),
    since: measuring.want(fact, { source: 'ever', keys: [], where: [] }, { of: 'earliest' }),
  };
  const late =
    series.estimate &&
    measuring.want(
      fact,
      { source: 'late', keys: [week, { column: weeksLate, as: 'value' }], where: of },
      { of: 'rows' },
    );
  return () => ({
    ...(against && {
      against: weeks.map((key) => {
        const since = against.since.latest.get(whole);
        const first = since === undefined ? undefined : new Date(since).toISOString().slice(0, 10);
        return { key, ...medianOfYears(key, against.counts.rows, first) };
      }),
    }),
    ...(late && { estimate: estimated(late, measuring.asking.today, weeks) }),
  });
}

/**
 * What is expected of the late weeks, where between 40 % and 95 % of their rows have arrived. Earlier than that it is too
 * early to say, and with few rows always.
 */
function estimated(late: Counts, today: string, wanted: readonly string[]): NonNullable<Overlay['estimate']> {
  const thisWeek = startOfMmwrWeek(today);
  const weeks = Array.from({ length: lateness.over }, (_, index) =>
    addDays(thisWeek, -7 * (lateness.over - 1 - index)),
  );
  const arrived = new Map<string, number>();
  let rows = 0;
  for (const [group, n] of late.n) {
    const [week, by] = keysOf(group) as [string, string];
    const delay = Math.max(0, Number(by));
    if (delay > lateness.weeks) continue;
    rows += n;
    const at = groupOf([week, String(delay)]);
    arrived.set(at, (arrived.get(at) ?? 0) + n);
  }
  const triangle = weeks.map((week, index) =>
    Array.from({ length: lateness.weeks + 1 }, (_, delay) =>
      index + delay < weeks.length ? (arrived.get(groupOf([week, String(delay)])) ?? 0) : undefined,
    ),
  );
  const { totals, parts, errors } = chainLadder(triangle);
  return weeks.flatMap((key, index): NonNullable<Overlay['estimate']> => {
    const part = parts[weeks.length - 1 - index];
    if (part === undefined || part >= 0.95 || !wanted.includes(key)) return [];
    if (part < 0.4 || rows < lateness.least) return [{ key, value: null }];
    const value = totals[index]!;
    const known = triangle[index]!.reduce<number>((total, one) => total + (one ?? 0), 0);
    return [{ key, value, interval: aroundEstimate(value, errors[index]!, known) }];
  });
}
