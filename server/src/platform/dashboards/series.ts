import type { MeasureValue, SeriesRow } from '@caseway/contract/analytics';
import { type AnySeries, factOfSeries, shownBy } from '@caseway/contract/dashboard';
import { type Granularity, lastDayOf } from '@caseway/contract/granularity';
import { missingKey } from '@caseway/contract/label';
import type { AnyMeasure, Condition, CountedFact } from '@caseway/contract/measure';
import { classNames, ofClass } from './classes.ts';
import {
  asSent,
  belowFirst,
  type Counts,
  chosenDay,
  chosenWeek,
  groupOf,
  isAdded,
  type Key,
  keyOn,
  keysOf,
} from './counting.ts';
import * as made from './measures.ts';
import { type At, type Measuring, whole, withheld } from './measuring.ts';
import { type Overlay, planOverlay } from './overlay.ts';
import { periodsOf } from './periods.ts';
import { isHidden, protectedValue } from './protect.ts';

interface SeriesFound {
  rows: SeriesRow[];
  overlay?: Overlay | undefined;
}

/** Plans a chart. Returns a function that makes its rows once the counts have been read. */
export function planSeries(
  measuring: Measuring,
  series: Exclude<AnySeries, { form: 'own' }>,
): (incomplete: string | null) => SeriesFound {
  const { dashboard } = measuring.counting;
  const fact = dashboard.facts[factOfSeries(dashboard, series)]!;
  const where = series.of ? [series.of] : [];
  const at = (...keys: Key[]): At => ({ source: 'now', keys, where });
  const by = (column: string) => keyOn(fact, column);
  const rows = (given: At, options?: { top?: number; within?: string }) => {
    const finish = planRows(measuring, series, fact, given, options);
    return () => ({ rows: finish() });
  };
  switch (series.form) {
    case 'trend':
      return planTrend(
        measuring,
        series,
        fact,
        at(
          measuring.granularity === 'week'
            ? { column: chosenWeek, as: 'week' }
            : { column: chosenDay, as: measuring.granularity },
        ),
      );
    case 'epidemic-curve':
      return planCurve(
        measuring,
        series,
        fact,
        at(
          measuring.protection?.weeks === 4
            ? { column: chosenDay, as: 'four-weeks' }
            : { column: chosenWeek, as: 'week' },
          by(series.by),
        ),
      );
    case 'bars':
      return rows(at(by(series.by)), series);
    case 'map':
      return rows(at(by(series.by)));
    case 'pyramid':
      return rows(at(by(series.by), by(series.sides)));
    case 'heat':
      return rows(at(by(series.by), by(series.across)));
    case 'table':
      return rows(at(by(series.by), ...(series.across === undefined ? [] : [by(series.across)])));
    case 'buckets':
      return inOrderOf(
        [belowFirst, ...series.from.map(String), missingKey],
        rows(
          at({
            column: series.by,
            as: {
              from: series.from,
              ...(fact.columns[series.by]?.kind === 'day' && { before: measuring.asking.today }),
            },
          }),
        ),
      );
    case 'box':
      return planBox(measuring, series, fact, at(by(series.by)));
    case 'pairs':
      return planPairs(measuring, series, fact, where);
    case 'continuum': {
      // The steps that the reader may see.
      const steps = measuring.measures.flatMap(([name, measure]) =>
        series.steps.includes(name) ? [[name, measuring.value(measure, at())] as const] : [],
      );
      return () => ({ rows: steps.map(([key, value]) => ({ key, values: { [key]: value(whole) } })) });
    }
  }
}

/** The rows of a series in the order of their keys. */
const inOrderOf = (keys: readonly string[], find: () => SeriesFound) => (): SeriesFound => ({
  rows: find().rows.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key)),
});

/** The measures and classes of a row of a series, and the groups that have rows. */
function planShown(measuring: Measuring, series: AnySeries, fact: CountedFact, at: At, beside?: string) {
  const { dashboard } = measuring.counting;
  const there = measuring.want(fact, at, { of: 'rows', ...(beside !== undefined && { beside }) });
  const measures = shownBy(dashboard, series).flatMap((name) => {
    const measure = measuring.measures.find(([one]) => one === name)?.[1];
    if (!measure) return [];
    const log: Counts[] = [];
    return [{ name, measure, value: measuring.value(measure, { ...at, log }), log }];
  });
  const { classes } = dashboard;
  const classed =
    classes && fact === dashboard.facts[dashboard.main]
      ? classNames(classes).map((name) => {
          const counts = measuring.want(fact, at, { of: 'rows' }, [ofClass(classes, name)!]);
          return { name, counts };
        })
      : [];
  const valuesOf = (group: string, only = measures): Record<string, MeasureValue> => ({
    ...Object.fromEntries(only.map(({ name, value }) => [name, value(group)])),
    ...Object.fromEntries(classed.map(({ name, counts }) => [name, classValue(counts, group)])),
  });
  const classValue = (counts: Counts, group: string): MeasureValue => {
    const value = made.count(counts.rows(group));
    const { threshold } = measuring.protection ?? {};
    if (threshold === undefined) return value;
    if (isHidden(there.counted(group), threshold)) return withheld;
    return protectedValue(value, { form: 'count' }, [counts.counted(group)], threshold);
  };
  return { there, measures, classed, valuesOf };
}

function planRows(
  measuring: Measuring,
  series: AnySeries,
  fact: CountedFact,
  at: At,
  { top, within }: { top?: number; within?: string } = {},
): () => SeriesRow[] {
  const [first] = at.keys as [Key];
  const isText = fact.columns[first.column]?.kind === 'text';
  const shown = planShown(measuring, series, fact, at, isText ? asSent(first.column) : within);
  const { there, measures, classed, valuesOf } = shown;
  const total = measuring.want(fact, { source: at.source, keys: [], where: at.where }, { of: 'rows' });
  return () => {
    if (measuring.isTooSmall(total)) return [];
    const groups = [...there.n.keys()].filter((group) => there.rows(group) > 0 || there.behind.has(group));
    const rowOf = (group: string): SeriesRow => {
      const [key, key2] = keysOf(group) as [string, string?];
      const beside = [...(there.beside.get(group) ?? [])].filter(([name]) => name !== '');
      const named = beside.filter(([name]) => !isText || name !== missingKey);
      // Of several spellings, the first by code; for the whole that a key belongs to, the one of most rows.
      const label = named.map(([name]) => name).sort(compare)[0];
      const [most] = named.sort(([a, n], [b, m]) => m - n || compare(a, b))[0] ?? [];
      return {
        key,
        ...(key2 !== undefined && { key2 }),
        ...(isText && label !== undefined && { label }),
        ...(within !== undefined && most !== undefined && { within: most }),
        values: valuesOf(group),
      };
    };
    const all = groups.map(rowOf).sort(inOrderOfKeys);
    if (top === undefined || all.length <= top) return all;
    const size = ({ values }: SeriesRow) =>
      values[measures[0]?.name ?? '']?.value ?? Number.NEGATIVE_INFINITY;
    const ordered = all.toSorted((a, b) => size(b) - size(a) || inOrderOfKeys(a, b));
    const others = ordered.slice(top).map(({ key }) => key);
    // Distinct counts cannot be added up, and the rest has no known population, so it does not have these measures.
    const added = measures.filter(
      ({ measure, log }) => measure.formula.form !== 'rate' && log.every((counts) => isAdded(fact, counts)),
    );
    for (const counts of new Set([
      there,
      ...added.flatMap(({ log }) => log),
      ...classed.map((one) => one.counts),
    ]))
      addUp(counts, others, restGroup);
    return [...ordered.slice(0, top), { key: restGroup, rest: true, values: valuesOf(restGroup, added) }];
  };
}

/** A trend has every period of the range, with zero for periods without rows. */
function planTrend(
  measuring: Measuring,
  series: Extract<AnySeries, { form: 'trend' }>,
  fact: CountedFact,
  at: At,
): (incomplete: string | null) => SeriesFound {
  const range = measuring.asking.query.dateRangeValue;
  const { measures, valuesOf } = planShown(measuring, series, fact, at);
  const isDaily = measuring.granularity === 'day';
  // Expected values are by MMWR week.
  const overlay =
    isDaily || measuring.granularity === 'month' ? undefined : planOverlay(measuring, series, fact, at);
  const total = measuring.want(fact, { source: at.source, keys: [], where: at.where }, { of: 'rows' });
  return (incomplete) => {
    if (measuring.isTooSmall(total)) return { rows: [] };
    const rows = periodsOf(range, measuring.granularity).map(
      (key): SeriesRow => ({
        key,
        values: valuesOf(key),
        ...stateOf(measuring, key, incomplete, measuring.granularity),
      }),
    );
    if (series.mean !== undefined && isDaily)
      for (const { name, measure } of measures)
        rows.forEach((row, index) => {
          const mean = meanOf(measure, rows.slice(Math.max(0, index - 6), index + 1), name);
          if (index >= 6 && mean) row.values[`${name}Mean`] = mean;
        });
    return { rows, overlay: overlay?.() };
  };
}

/** The state of a period: incomplete, or not wholly in the range. */
function stateOf(
  measuring: Measuring,
  key: string,
  incomplete: string | null,
  period: Granularity,
): Pick<SeriesRow, 'incomplete' | 'partial'> {
  const { start, end } = measuring.asking.query.dateRangeValue;
  return {
    ...(incomplete !== null && lastDayOf(key, period) >= incomplete && { incomplete: true }),
    ...((key < start || lastDayOf(key, period) > end) && { partial: true }),
  };
}

function planCurve(
  measuring: Measuring,
  series: Extract<AnySeries, { form: 'epidemic-curve' }>,
  fact: CountedFact,
  at: At,
): (incomplete: string | null) => SeriesFound {
  const range = measuring.asking.query.dateRangeValue;
  const { there, valuesOf } = planShown(measuring, series, fact, at);
  const overlay = planOverlay(measuring, series, fact, at);
  const period = measuring.protection?.weeks === 4 ? 'four-weeks' : 'week';
  const total = measuring.want(fact, { source: at.source, keys: [], where: at.where }, { of: 'rows' });
  return (incomplete) => {
    if (measuring.isTooSmall(total)) return { rows: [] };
    const found = new Set([...there.n.keys()].map((group) => keysOf(group)[1]!));
    const rows = periodsOf(range, period).flatMap((key) =>
      [...found].sort(compare).map(
        (key2): SeriesRow => ({
          key,
          key2,
          values: valuesOf(groupOf([key, key2])),
          ...stateOf(measuring, key, incomplete, period),
        }),
      ),
    );
    const changes = series.changes?.filter(({ on }) => on >= range.start && on <= range.end);
    return { rows, overlay: { ...overlay?.(), ...(changes && { changes: [...changes] }) } };
  };
}

function planBox(
  measuring: Measuring,
  series: Extract<AnySeries, { form: 'box' }>,
  fact: CountedFact,
  at: At,
): () => SeriesFound {
  const there = measuring.want(fact, at, { of: 'rows' });
  const values = measuring.want(fact, at, { of: 'values', column: series.column });
  const column = fact.columns[series.column]!;
  const scale = column.kind === 'integer' ? (column.divisor ?? 1) : 1;
  return () => ({
    rows: [...there.n.keys()]
      .map((key): SeriesRow => {
        const histogram = values.histogram(key);
        const n = made.sizeOf(histogram);
        return {
          key,
          values: {
            n: { ...made.count(n), excluded: there.rows(key) - n },
            ...Object.fromEntries(
              boxAt.map((at) => [`p${at}`, made.quantile(histogram, at / 100, scale)] as const),
            ),
          },
        };
      })
      .sort(inOrderOfKeys),
  });
}

function planPairs(
  measuring: Measuring,
  series: Extract<AnySeries, { form: 'pairs' }>,
  fact: CountedFact,
  where: readonly Condition[],
): () => SeriesFound {
  const { left, right, least } = series;
  const name = shownBy(measuring.counting.dashboard, series)[0] ?? 'reports';
  const of = [...where, { [left]: { known: true } }, { [right]: { known: true } }];
  const strata = series.strata.map((column) => keyOn(fact, column));
  const counted = (keys: readonly Key[]) =>
    measuring.want(fact, { source: 'now', keys, where: of }, { of: 'rows' });
  const [l, r] = [keyOn(fact, left), keyOn(fact, right)];
  const plain = [counted([l, r]), counted([l]), counted([r]), counted([])] as const;
  const layered = [
    counted([l, r, ...strata]),
    counted([l, ...strata]),
    counted([r, ...strata]),
    counted(strata),
  ] as const;
  const pairIn = ([both, ofLeft, ofRight, all]: typeof plain, [a, b]: [string, string], layer: string[]) => {
    const together = both.rows(groupOf([a, b, ...layer]));
    const first = ofLeft.rows(groupOf([a, ...layer])) - together;
    const second = ofRight.rows(groupOf([b, ...layer])) - together;
    return { both: together, first, second, neither: all.rows(groupOf(layer)) - together - first - second };
  };
  return () => ({
    rows: [...plain[0].n]
      .filter(([, n]) => n >= least)
      .map(([group]): SeriesRow => {
        const [key, key2] = keysOf(group) as [string, string];
        const pair = pairIn(plain, [key, key2], []);
        // In a fixed order, so that the sums of fractions are the same each time.
        const layers = [...layered[3].n.keys()]
          .sort(compare)
          .map((layer) => pairIn(layered, [key, key2], strata.length > 0 ? keysOf(layer) : []));
        return {
          key,
          key2,
          pair,
          values: {
            [name]: made.count(pair.both),
            prr: made.prr(pair),
            adjusted: made.prrOverStrata(layers),
          },
        };
      })
      .sort(inOrderOfKeys),
  });
}

/** The percentiles of a box. */
const boxAt = [10, 25, 50, 75, 90] as const;
/** The group of everything that is not among the first. No code is spelled like this. */
const restGroup = 'rest of all';

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
/** A fixed order, so that the same question has the same answer. */
const inOrderOfKeys = (a: SeriesRow, b: SeriesRow) =>
  compare(a.key, b.key) || compare(a.key2 ?? '', b.key2 ?? '');

/** Adds the counts of some groups together. */
function addUp(counts: Counts, groups: readonly string[], to: string): void {
  const values = new Map<number, number>();
  let n = 0;
  for (const group of groups) {
    n += counts.rows(group);
    for (const [value, times] of counts.histogram(group)) values.set(value, (values.get(value) ?? 0) + times);
  }
  for (const group of groups) {
    const persons = counts.behind.get(group);
    if (persons) counts.addBehind(to, persons);
  }
  counts.n.set(to, n);
  counts.values.set(to, values);
}

/** The mean over seven days: for a count the sum ÷ 7, for a share both parts added up; other measures have none. */
function meanOf(measure: AnyMeasure, days: readonly SeriesRow[], name: string): MeasureValue | undefined {
  const total = (part: 'numerator' | 'denominator') =>
    days.reduce((sum, { values }) => sum + (values[name]![part] ?? 0), 0);
  if (measure.formula.form === 'count') return made.share(total('numerator'), 7);
  if (measure.formula.form === 'share') return made.share(total('numerator'), total('denominator'));
  return undefined;
}
