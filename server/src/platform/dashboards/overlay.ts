import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import { type AnySeries, factOfSeries, shownBy } from '@caseway/contract/dashboard';
import { addDays, startOfMmwrWeek } from '@caseway/contract/date-range';
import type { CountedFact } from '@caseway/contract/measure';
import { type Counts, chosenWeek, type Key, keysOf, weeksLate } from './counting.ts';
import { dayOf } from './filters.ts';
import * as made from './measures.ts';
import { type At, type Measuring, whole } from './measuring.ts';
import { nowcast } from './nowcast.ts';
import { lateness, medianOfYears, periodsOf } from './periods.ts';
import { type Counted, isHidden, nobody, protectedValue, together } from './protect.ts';

export type Overlay = NonNullable<AnalyticsAnswer['overlays']>[string];
type Estimate = NonNullable<Overlay['estimate']>;

/**
 * What is drawn over the first measure of a series, by MMWR week: the median of earlier years and the expected
 * total; and how many rows are not drawn. Protected numbers of four weeks have neither median nor estimate.
 */
export function planOverlay(
  measuring: Measuring,
  series: Extract<AnySeries, { form: 'trend' | 'epidemic-curve' }>,
  fact: CountedFact,
  { where }: At,
): (() => Overlay) | undefined {
  const { dashboard } = measuring.counting;
  const { protection } = measuring;
  const first = dashboard.measures[shownBy(dashboard, series)[0] ?? ''];
  if (first?.formula.form !== 'count') return undefined;
  const of = [...where, first.formula.of];
  const undated = planUndated(measuring, series, fact, of);
  if (protection?.weeks === 4) return () => ({ ...undated?.() });
  const week: Key = { column: chosenWeek, as: 'week' };
  const weeks = periodsOf(measuring.asking.query.dateRangeValue, 'week');
  const against = series.against && {
    counts: measuring.want(fact, { source: 'years', keys: [week], where: of }, { of: 'rows' }),
    since: measuring.want(fact, { source: 'ever', keys: [], where: [] }, { of: 'earliest' }),
  };
  const isEntry = undated === undefined;
  const late =
    series.estimate &&
    // By day of entry, nothing arrives late.
    !isEntry &&
    measuring.want(
      fact,
      { source: 'late', keys: [week, { column: weeksLate, as: 'value' }], where: of },
      { of: 'rows' },
    );
  return () => ({
    ...undated?.(),
    ...(against && {
      against: weeks.map((key) => {
        const since = against.since.latest.get(whole);
        const first = since === undefined ? undefined : new Date(since).toISOString().slice(0, 10);
        const shown = (one: string) => shownCount(against.counts.counted(one), protection?.threshold);
        return { key, ...medianOfYears(key, shown, first) };
      }),
    }),
    ...(late && { estimate: estimated(late, measuring, weeks) }),
  });
}

/** A count as the reader sees it; null if it is hidden. */
const shownCount = (counted: Counted, threshold: number | undefined): number | null => {
  if (threshold === undefined) return counted.n;
  return isHidden(counted, threshold) ? null : 2 * counted.n;
};

/** Counts the rows entered in the range without the chosen date, which nothing else in the series shows. */
function planUndated(
  measuring: Measuring,
  series: AnySeries,
  fact: CountedFact,
  where: At['where'],
): (() => Pick<Overlay, 'undated'>) | undefined {
  const { protection } = measuring;
  const { dashboard } = measuring.counting;
  if (dayOf(dashboard, factOfSeries(dashboard, series), measuring.asking.query) === fact.counting.enteredOn)
    return undefined;
  const counted = (source: 'undated' | 'entered') =>
    measuring.want(fact, { source, keys: [], where }, { of: 'rows' });
  const [part, all] = [counted('undated'), counted('entered')];
  return () => {
    const share = made.share(part.rows(whole), all.rows(whole));
    const parts = [part.counted(whole), all.counted(whole)];
    return {
      undated: protection ? protectedValue(share, { form: 'share' }, parts, protection.threshold) : share,
    };
  };
}

const none: Counted = { n: 0, persons: nobody };

/**
 * Estimates late weeks once 40 % to 95 % of their rows have arrived. Before that an estimate is not reliable, and
 * with few rows it never is.
 *
 * For a protected reader, it uses only the half, counted double, and only numbers that would each be shown: the
 * count of every week, and the rows of all weeks by delay. From the first hidden delay on, delays are ignored.
 */
function estimated(late: Counts, { asking, protection }: Measuring, wanted: readonly string[]): Estimate {
  const thisWeek = startOfMmwrWeek(asking.today);
  const all = lateness.over + lateness.past;
  const weeks = Array.from({ length: all }, (_, index) => addDays(thisWeek, -7 * (all - 1 - index)));
  const cells = new Map<string, Counted[]>(
    weeks.map((week) => [week, Array<Counted>(lateness.weeks + 1).fill(none)]),
  );
  for (const group of late.n.keys()) {
    const [week, by] = keysOf(group) as [string, string];
    const delay = Math.max(0, Number(by));
    const row = cells.get(week);
    if (row && delay <= lateness.weeks) row[delay] = together(row[delay]!, late.counted(group));
  }
  const rows = weeks.map((week) => cells.get(week)!);
  const isShown = (counts: readonly Counted[]) =>
    shownCount(counts.reduce(together, none), protection?.threshold) !== null;
  if (!rows.every(isShown)) return [];
  const ofDelay = (delay: number) => rows.map((row) => row[delay]!);
  const hidden = rows[0]!.findIndex((_, delay) => !isShown(ofDelay(delay)));
  const delays = hidden === -1 ? lateness.weeks + 1 : hidden;
  const triangle = rows.map((row, index) =>
    row.slice(0, delays).map(({ n }, delay) => (index + delay < weeks.length ? n : undefined)),
  );
  const times = protection ? 2 : 1;
  const arrived = rows.slice(-lateness.over).flatMap((row) => row.slice(0, delays));
  const { parts, nowcasts } = nowcast(triangle, { window: lateness.over, past: lateness.past });
  return weeks.slice(-lateness.over).flatMap((key, index): Estimate => {
    const part = parts[lateness.over - 1 - index];
    if (part === undefined || part >= 0.95 || !wanted.includes(key)) return [];
    // The week of today is not over.
    const isOver = addDays(key, 6) <= asking.today;
    if (!isOver || part < 0.4 || times * arrived.reduce((total, { n }) => total + n, 0) < lateness.least)
      return [{ key, value: null }];
    const { value, interval } = nowcasts[index]!;
    return [
      {
        key,
        value: times * value,
        interval: { low: times * interval.low, high: times * interval.high },
      },
    ];
  });
}
