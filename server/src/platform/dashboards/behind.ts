import { type AnalyticsQuery, analyticsQuery } from '@caseway/contract/analytics';
import type { BehindNumber } from '@caseway/contract/behind';
import { type AnySeries, type Dashboard, factOfSeries, shownBy } from '@caseway/contract/dashboard';
import { granularityOf, lastDayOf } from '@caseway/contract/granularity';
import { missingKey } from '@caseway/contract/label';
import type { AnyMeasure, Condition, CountedFact } from '@caseway/contract/measure';
import type { StoredFact } from '../analytics/facts.ts';
import type { RecordsBehind } from '../grid/grid-sql.ts';
import { refused } from '../http/app-error.ts';
import { ofClass } from './classes.ts';
import { conditionSql, datedOn, type Place } from './conditions.ts';
import { belowFirst } from './counting.ts';
import { baseOf, dayOf, filtersOf, untilToday } from './filters.ts';

/*
 * The records behind a number: the conditions it was counted by, for a list of the same fact. Only the measure
 * defines what is counted, so no list has to know how a dashboard counts.
 */

/** The rows that a measure counts: for a share, those of its numerator; for a quantile, those with a value. */
function conditionsOf(measure: AnyMeasure): { fact: CountedFact; where: Condition[] } {
  const { formula, fact } = measure;
  switch (formula.form) {
    case 'share':
    case 'shareOfPersons':
      return { fact, where: [formula.among, formula.of] };
    case 'within':
      return { fact, where: [formula.among, { [formula.column]: { atMost: formula.days } }] };
    case 'quantile':
    case 'sum':
    case 'distinct':
    case 'latest':
      return { fact, where: [formula.of, { [formula.column]: { known: true } }] };
    case 'completeness':
      // Rows that lack something: the work that is left.
      return {
        fact,
        where: [{ any: Object.entries(formula.lacking).map(([column, test]) => ({ [column]: test })) }],
      };
    case 'ratio':
      return conditionsOf(formula.over);
    case 'undated':
      return { fact, where: [] };
    default:
      return { fact, where: [formula.of] };
  }
}

/** A key, as a condition on its column. */
function ofKey({ columns }: CountedFact, column: string, key: string): Condition {
  if (key === missingKey) return { [column]: { known: false } };
  return { [column]: columns[column]!.kind === 'flag' ? key === 'true' : [key] };
}

function ofBucket({ columns }: CountedFact, column: string, from: readonly number[], key: string): Condition {
  if (key === missingKey) return { [column]: { known: false } };
  const next = from[from.indexOf(Number(key)) + 1];
  const limits =
    key === belowFirst
      ? { atMost: from[0]! - 1 }
      : { atLeast: Number(key), ...(next !== undefined && { atMost: next - 1 }) };
  return { [column]: columns[column]!.kind === 'day' ? { daysAgo: limits } : limits };
}

/** The rows of a mark, and the days if the mark is a period. */
function ofMark(
  series: AnySeries,
  fact: CountedFact,
  { key = '', key2 }: Pick<BehindNumber, 'key' | 'key2'>,
): Condition[] {
  const split = (column: string, value: string | undefined): Condition[] =>
    value === undefined ? [] : [ofKey(fact, column, value)];
  switch (series.form) {
    case 'trend':
      return [];
    case 'epidemic-curve':
      return split(series.by, key2);
    case 'buckets':
      return [ofBucket(fact, series.by, series.from, key)];
    case 'pyramid':
      return [...split(series.by, key), ...split(series.sides, key2)];
    case 'heat':
      return [...split(series.by, key), ...split(series.across, key2)];
    case 'table':
      return [...split(series.by, key), ...(series.across === undefined ? [] : split(series.across, key2))];
    case 'box':
      return [...split(series.by, key), { [series.column]: { known: true } }];
    case 'pairs':
      return [...split(series.left, key), ...split(series.right, key2)];
    case 'bars':
    case 'map':
      return split(series.by, key);
    default:
      // The marks of a continuum are measures. A feature that counts a series itself opens the records.
      throw unknown('series');
  }
}

/** What the first number of a mark counts: it is the one that is drawn. A row of a table has several. */
function ofDrawn(declared: Dashboard, series: AnySeries): Condition[] {
  const formula = declared.measures[shownBy(declared, series)[0] ?? '']?.formula;
  const isCounted = formula?.form === 'count' || formula?.form === 'rate' || formula?.form === 'persons';
  return isCounted && series.form !== 'table' ? [formula.of] : [];
}

const unknown = (part: string) => refused(`body.behind.${part}`, 'unknown-filter', 'there is no such number');

/** The dashboard's name for the fact whose rows a number counts. */
const nameOfFact = (declared: Dashboard, series: AnySeries | undefined, measure: AnyMeasure | undefined) =>
  series
    ? factOfSeries(declared, series)
    : Object.keys(declared.facts).find((one) => declared.facts[one] === conditionsOf(measure!).fact)!;

/**
 * How a list of records finds those behind the numbers of these dashboards. Each fact has the ids of its records in
 * the stored column `by`; a fact without `by` is the one that the list itself is over.
 */
export function recordsOf(
  dashboards: readonly Dashboard[],
  facts: readonly { fact: StoredFact; by?: string }[],
): RecordsBehind {
  const behind = facts.map(({ fact, by }) => ({ fact, by, ...recordsBehind(dashboards, fact) }));
  return {
    facts: facts.map(({ fact }) => fact),
    tells: (asked) => behind[0]?.tells(asked) ?? [],
    condition(asked, place, about) {
      const { dashboard, series = '', measure = '' } = asked;
      const declared = dashboards.find(({ id }) => id === dashboard);
      const ofSeries = declared && ownOf(declared.series, series);
      const ofMeasure = declared && ownOf(declared.measures, measure);
      // For a number that does not exist, the first fact says which part is wrong.
      const fact =
        ofSeries || ofMeasure ? declared!.facts[nameOfFact(declared!, ofSeries, ofMeasure)] : undefined;
      const one = behind.find((other) => other.fact.shape.name === fact?.name) ?? behind[0]!;
      const condition = one.condition(asked, place, about);
      if (one.by === undefined) return condition;
      const ids = `select f.${one.by} from ${one.fact.table} f where ${condition}`;
      // PostgreSQL expects few rows of a fact, and would read them again for each record.
      return about.engine === 'postgres' ? `f.id = any (array(${ids}))` : `f.id in (${ids})`;
    },
  };
}

/** How a list of a fact finds the records behind the numbers of these dashboards. */
export function recordsBehind(dashboards: readonly Dashboard[], stored: StoredFact): RecordsBehind {
  const columnOf = (name: string) => `f.${stored.comparedBy[name]!}`;
  const between = (day: string, start: string, end: string, place: Place) =>
    `${columnOf(day)} between cast(${place(start)} as date) and cast(${place(end)} as date)`;
  const measureOf = ({ dashboard, measure }: BehindNumber): AnyMeasure | undefined => {
    const measures = dashboards.find(({ id }) => id === dashboard)?.measures ?? {};
    return measure === undefined ? undefined : ownOf(measures, measure);
  };
  return { condition, tells: (asked) => measureOf(asked)?.tells ?? [] };

  function condition(asked: BehindNumber, place: Place, { today }: { today: string }): string {
    const declared = dashboards.find(({ id }) => id === asked.dashboard);
    if (!declared) throw unknown('dashboard');
    const { dateRangeValue, filters, eventDate, granularity } = asked;
    const parsed = analyticsQuery(declared).safeParse({
      dateRangeValue,
      filters,
      ...(eventDate !== undefined && { eventDate }),
      ...(granularity !== undefined && { granularity }),
    });
    if (!parsed.success) throw unknown('filters');
    const query: AnalyticsQuery = parsed.data;
    const series = asked.series === undefined ? undefined : ownOf(declared.series, asked.series);
    if (asked.series !== undefined && !series) throw unknown('series');
    const measure = measureOf(asked);
    if (asked.measure !== undefined && !measure) throw unknown('measure');
    const counted = measure && conditionsOf(measure);
    const name = nameOfFact(declared, series, measure);
    const fact = declared.facts[name]!;
    if (fact.name !== stored.shape.name) throw unknown('dashboard');
    const classed =
      asked.class === undefined ? undefined : declared.classes && ofClass(declared.classes, asked.class);
    if (asked.class !== undefined && !classed) throw unknown('class');

    const day = dayOf(declared, name, query);
    let { start, end } = dateRangeValue;
    if (series?.form === 'trend' || series?.form === 'epidemic-curve') {
      const last = lastDayOf(
        asked.key!,
        series.form === 'epidemic-curve' ? 'week' : granularityOf(dateRangeValue, granularity),
      );
      start = asked.key! > start ? asked.key! : start;
      end = last < end ? last : end;
    }
    ({ start, end } = untilToday(fact, day, { start, end }, today));
    const undated = measure?.formula.form === 'undated';
    const conditions = [
      ...(fact.counting.counted === undefined ? [] : [{ [fact.counting.counted]: true }]),
      ...baseOf(declared, name, query),
      ...filtersOf(declared, name, query),
      ...(series
        ? [...(series.of ? [series.of] : []), ...ofDrawn(declared, series), ...ofMark(series, fact, asked)]
        : []),
      ...(counted?.where ?? []),
      ...(classed ? [classed] : []),
    ];
    return [
      ...conditions.map((one) => conditionSql(fact, columnOf, datedOn(one, today), place)),
      ...(undated ? [`${columnOf(day)} is null`] : []),
      between(undated ? fact.counting.enteredOn : day, start, end, place),
    ].join(' and ');
  }
}

const ownOf = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
