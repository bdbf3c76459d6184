import {
  type AnalyticsAnswer,
  type AnalyticsQuery,
  type MeasureValue,
  missingKey,
  type SeriesRow,
} from '@caseway/contract/analytics';
import { type AnySeries, type Dashboard, factOfSeries, shownBy } from '@caseway/contract/dashboard';
import { addDays, type DateRange, daysBetween, startOfMmwrWeek } from '@caseway/contract/date-range';
import type { AnyMeasure, Condition, CountedFact, Population } from '@caseway/contract/measure';
import { sources } from '@caseway/contract/measure';
import type { Ask } from '../analytics/engine.ts';
import type { StoredFact } from '../analytics/facts.ts';
import { classNames, ofClass } from './classes.ts';
import {
  Asked,
  asSent,
  type Counts,
  chosenDay,
  chosenWeek,
  daysLate,
  groupOf,
  isAdded,
  type Key,
  keyOn,
  keysOf,
  type Source,
  type What,
  weeksLate,
} from './counting.ts';
import { baseOf, dayOf, filteredColumns, filtersOf, notNarrowedBy } from './filters.ts';
import * as made from './measures.ts';
import {
  comparedWith,
  daysOf,
  delaysOver,
  type Granularity,
  granularityOf,
  incompleteFrom,
  lateness,
  medianOfYears,
  periodsOf,
  yearsBeforeRange,
} from './periods.ts';
import { readCounts, rowsEntered, statementOf } from './plan-sql.ts';
import {
  type Form,
  isCoarse,
  isHidden,
  protectedValue,
  together,
  weeksTogether,
  wholePeriods,
} from './protect.ts';

/** How many people of a population have these values; null where it is not known by one of the columns. */
export type PopulationOf = (
  population: Population,
  of: Readonly<Record<string, readonly string[]>>,
  fromAge?: number,
) => number | null;

/** Series that a feature counts itself, by their names. */
export type Extras = Readonly<Record<string, (ask: Ask, query: AnalyticsQuery) => Promise<SeriesRow[]>>>;

export interface Counting {
  dashboard: Dashboard;
  /** The stored fact of each of the dashboard's. */
  stored: Readonly<Record<string, StoredFact>>;
  population?: PopulationOf;
  extras?: Extras;
}

export interface Asking {
  query: AnalyticsQuery;
  /** The day it is in `timeZone`, which is the reader's organisation's. */
  today: string;
  timeZone: string;
  asOf: Date;
  /** Families that are hidden from the reader: measures that tell of them are not there. */
  hiddenFamilies?: readonly string[];
  /** Numbers come from the half, and those of fewer persons are hidden; absent for a reader of true numbers. [P17] */
  threshold?: number | undefined;
}

/** How numbers are protected. */
interface Protection {
  threshold: number;
  /** How many weeks are one period. */
  weeks: 1 | 4;
}

/** The number of a measure for a group of its rows. */
type Value = (group: string) => MeasureValue;

/** Where a measure is counted: which rows, split by which keys. */
interface At {
  source: Source;
  keys: readonly Key[];
  where: readonly Condition[];
  /** Notes the counts that are asked for. */
  log?: Counts[];
}

const whole = groupOf([]);

/** Every number of a dashboard, from one state of the facts. */
export async function dashboardNumbers(
  ask: Ask,
  counting: Counting,
  asking: Asking,
): Promise<AnalyticsAnswer> {
  const protection = await protectionOf(ask, counting, asking);
  const numbers = new Numbers(counting, asking, protection);
  const finish = numbers.plan();
  for (const fact of Object.keys(counting.dashboard.facts)) await readCounts(ask, numbers.question(fact));
  const own: Record<string, SeriesRow[]> = {};
  for (const [name, series] of Object.entries(counting.dashboard.series))
    if (series.form === 'own' && !protection) own[name] = await counting.extras![name]!(ask, asking.query);
  return finish(own);
}

/** How a reader's numbers are protected: in periods of four weeks where they see few rows. */
async function protectionOf(
  ask: Ask,
  { dashboard, stored }: Counting,
  { query, today, threshold }: Asking,
): Promise<Protection | undefined> {
  if (threshold === undefined) return undefined;
  const { main } = dashboard;
  const of = { stored: stored[main]!, fact: dashboard.facts[main]!, base: baseOf(dashboard, main, query) };
  const rows = await rowsEntered(ask, of, { start: addDays(today, -364), end: today });
  return { threshold, weeks: weeksTogether(rows) };
}

/** Plans every number once, so that a declaration that cannot be answered is refused before anybody asks. */
export function planned(counting: Counting): void {
  const { dashboard } = counting;
  const today = '2026-01-01';
  const filters = Object.fromEntries(Object.keys(dashboard.filters).map((name) => [name, [missingKey]]));
  const dates = Object.keys(dashboard.dates);
  for (const eventDate of dates.length > 0 ? dates : [undefined]) {
    const query = {
      dateRangeValue: { start: today, end: today },
      filters,
      ...(eventDate !== undefined && { eventDate }),
    };
    for (const protection of [undefined, { threshold: 11, weeks: 1 }] as const) {
      const asking = { query, today, timeZone: 'UTC', asOf: new Date(0) };
      const numbers = new Numbers(counting, asking, protection);
      numbers.plan();
      for (const fact of Object.keys(dashboard.facts)) statementOf(numbers.question(fact));
    }
  }
  for (const [name, series] of Object.entries(dashboard.series))
    if (series.form === 'continuum' && new Set(series.steps.map((step) => wholeOf(dashboard, step))).size > 1)
      throw new Error(`the steps of ${name} of ${dashboard.id} are not shares of the same`);
    else if (series.form === 'own' && !counting.extras?.[name])
      throw new Error(`nothing counts ${name} of ${dashboard.id}`);
}

/** What a step of a continuum is a share of. */
function wholeOf({ measures }: Dashboard, name: string): string {
  const { formula, fact } = measures[name]!;
  if (formula.form !== 'share' && formula.form !== 'shareOfPersons')
    throw new Error(`${name} is not a share`);
  return JSON.stringify([fact.name, formula.form, formula.among]);
}

class Numbers {
  readonly #counting: Counting;
  readonly #asking: Asking;
  readonly #asked: Asked;
  readonly #granularity: Granularity;
  readonly #measures: [string, AnyMeasure][];
  readonly #protection: Protection | undefined;

  constructor(counting: Counting, given: Asking, protection: Protection | undefined) {
    const range = given.query.dateRangeValue;
    const asking = protection
      ? { ...given, query: { ...given.query, dateRangeValue: wholePeriods(range, protection.weeks) } }
      : given;
    this.#counting = counting;
    this.#asking = asking;
    this.#protection = protection;
    this.#asked = new Asked(counting.dashboard.facts);
    this.#granularity = protection ? (protection.weeks === 1 ? 'week' : 'four-weeks') : granularityOf(range);
    const { hiddenFamilies = [] } = asking;
    this.#measures = Object.entries(counting.dashboard.measures).filter(
      ([, { tells = [] }]) => !tells.some((family) => hiddenFamilies.includes(family)),
    );
  }

  /** What is asked of a fact, once everything has been planned. */
  question(fact: string) {
    const { dashboard, stored } = this.#counting;
    const { query, today } = this.#asking;
    const range = query.dateRangeValue;
    const before = this.#before(range);
    const thisWeek = startOfMmwrWeek(today);
    return {
      stored: stored[fact]!,
      fact: dashboard.facts[fact]!,
      day: dayOf(dashboard, fact, query),
      base: baseOf(dashboard, fact, query),
      filters: filtersOf(dashboard, fact, query),
      ranges: {
        now: range,
        ...(before && { before }),
        undated: range,
        arrivals: delaysOver(today),
        years: yearsBeforeRange(range),
        ever: yearsBeforeRange(range),
        late: { start: addDays(thisWeek, -7 * (lateness.over - 1)), end: today },
      },
      counts: this.#asked.of(fact),
      half: this.#protection !== undefined,
    };
  }

  /** The range of the comparison: of whole weeks where a protected range is, a year before it 52 of them. */
  #before(range: DateRange): DateRange | undefined {
    const { dashboard } = this.#counting;
    return this.#protection && dashboard.compare === 'year-before'
      ? { start: addDays(range.start, -364), end: addDays(range.end, -364) }
      : comparedWith(dashboard, range);
  }

  /** The series that are not shown to protected readers: split by too much, or of many small numbers. */
  #leftOut(): string[] {
    if (!this.#protection) return [];
    const { dashboard } = this.#counting;
    const filtered = filteredColumns(dashboard, this.#asking.query);
    return Object.entries(dashboard.series).flatMap(([name, series]) =>
      series.form === 'own' ||
      series.form === 'box' ||
      series.form === 'pairs' ||
      !isCoarse(filtered, splitBy(series))
        ? [name]
        : [],
    );
  }

  /** Plans every number; the function that is returned makes the answer once the counts have been read. */
  plan(): (own: Readonly<Record<string, SeriesRow[]>>) => AnalyticsAnswer {
    const { dashboard } = this.#counting;
    const { query, today, timeZone, asOf } = this.#asking;
    const range = query.dateRangeValue;
    const before = this.#before(range);
    const protection = this.#protection;
    const leftOut = this.#leftOut();
    const at = (source: Source): At => ({ source, keys: [], where: [] });
    const now = this.#measures.map(([name, one]) => [name, this.#value(one, at('now'))] as const);
    const earlier = before
      ? this.#measures.flatMap(([name, one]) =>
          one.formula.form === 'undated' ? [] : [[name, this.#value(one, at('before'))] as const],
        )
      : [];
    const main = dashboard.facts[dashboard.main]!;
    const delays = this.#want(main, at('arrivals'), { of: 'values', column: daysLate });
    const series = Object.entries(dashboard.series).map(
      ([name, one]) =>
        [name, one.form === 'own' || leftOut.includes(name) ? undefined : this.#series(one)] as const,
    );
    return (own) => {
      const late = new Map<number, number>();
      for (const [days, times] of delays.histogram(whole))
        late.set(Math.max(0, days), (late.get(Math.max(0, days)) ?? 0) + times);
      const incomplete = incompleteFrom(late, today);
      const rows: AnalyticsAnswer['series'] = {};
      const overlays: NonNullable<AnalyticsAnswer['overlays']> = {};
      for (const [name, finish] of series) {
        const { rows: found, overlay } = finish?.(incomplete) ?? {
          rows: own[name] ?? [],
          overlay: undefined,
        };
        rows[name] = found;
        if (overlay) overlays[name] = overlay;
      }
      const facts = Object.keys(dashboard.facts);
      const said = this.#measures.flatMap(([name, { source }]) =>
        source === undefined ? [] : [[name, sources[source]] as const],
      );
      const answer: AnalyticsAnswer = {
        asOf: asOf.toISOString(),
        dateRangeValue: range,
        previousRange: before ?? range,
        timeZone,
        suppressionThreshold: protection?.threshold ?? null,
        anySuppressed: false,
        ...(protection && { half: true }),
        ...(leftOut.length > 0 && { leftOut }),
        measures: Object.fromEntries(now.map(([name, value]) => [name, value(whole)])),
        previous: Object.fromEntries(earlier.map(([name, value]) => [name, value(whole)])),
        series: rows,
        overlays,
        countedBy: Object.fromEntries(facts.map((fact) => [fact, dayOf(dashboard, fact, query)])),
        unfiltered: Object.fromEntries(
          facts.flatMap((fact) => {
            const filters = notNarrowedBy(dashboard, fact, query);
            return filters.length > 0 ? [[fact, filters]] : [];
          }),
        ),
        sources: Object.fromEntries(said),
        granularity: this.#granularity,
        incompleteFrom: incomplete !== null && incomplete <= range.end ? incomplete : null,
      };
      const shown = [
        answer.measures,
        answer.previous,
        ...Object.values(rows).flatMap((all) => all.map((row) => row.values)),
      ];
      answer.anySuppressed = shown.some((values) =>
        Object.values(values).some(({ suppressed }) => suppressed),
      );
      return answer;
    };
  }

  /** Whether so few persons are behind all rows of a series that its keys alone would tell of them. */
  #isTooSmall(total: Counts): boolean {
    return this.#protection !== undefined && isHidden(total.counted(whole), this.#protection.threshold);
  }

  #nameOf(fact: CountedFact): string {
    const found = Object.entries(this.#counting.dashboard.facts).find(([, one]) => one === fact);
    if (!found) throw new Error(`${this.#counting.dashboard.id} has no fact ${fact.name}`);
    return found[0];
  }

  #want(
    fact: CountedFact,
    { source, keys, where, log }: At,
    what: What,
    further: readonly Condition[] = [],
  ): Counts {
    const place = { fact: this.#nameOf(fact), source, keys };
    const counts = this.#asked.want(place, { ...what, where: [...where, ...further] });
    log?.push(counts);
    return counts;
  }

  /** Plans a measure: the counts that it is made of, and how. */
  #value(measure: AnyMeasure, at: At): Value {
    const value = this.#protected(measure, at);
    const { from, interval } = measure;
    return (group) => {
      const found = value(group);
      if (found.suppressed) return found;
      if (from !== undefined && (found.denominator ?? 0) < from)
        return { ...found, value: null, without: 'too-few' };
      const range =
        interval && found.denominator !== null ? made.wilson(found.numerator!, found.denominator) : undefined;
      return { ...found, ...(range && { interval: range }) };
    };
  }

  /** Plans a measure as the reader is shown it: a zero, too, only where what it is a part of is shown. [P17] */
  #protected(measure: AnyMeasure, at: At): Value {
    const protection = this.#protection;
    if (!protection) return this.#formula(measure, at);
    const log: Counts[] = [];
    const value = this.#formula(measure, { ...at, log });
    const { fact, formula } = measure;
    // What a share counts is among its parts only where it is counted by itself.
    if (formula.form === 'within')
      this.#want(fact, { ...at, log }, { of: 'rows' }, [
        formula.among,
        { [formula.column]: { atMost: formula.days } },
      ]);
    const all = formula.form === 'undated' ? undefined : this.#want(fact, at, { of: 'rows' });
    at.log?.push(...log);
    const form = formOf(measure);
    return (group) => {
      const parts = log.map((counts) => counts.counted(group));
      // Of a rate by age only the whole is shown.
      const shown = formula.form === 'rate' ? [parts.reduce(together)] : parts;
      if (all && isHidden(all.counted(group), protection.threshold)) return withheld;
      return protectedValue(value(group), { form, unit: measure.unit }, shown, protection.threshold);
    };
  }

  #formula({ fact, formula }: AnyMeasure, at: At): Value {
    const rows = (...where: Condition[]) => this.#want(fact, at, { of: 'rows' }, where).rows;
    const persons = (...where: Condition[]) => this.#want(fact, at, { of: 'persons' }, where).rows;
    const values = (column: string, ...where: Condition[]) =>
      this.#want(fact, at, { of: 'values', column }, where).histogram;
    switch (formula.form) {
      case 'count': {
        const n = rows(formula.of);
        return (group) => made.count(n(group));
      }
      case 'persons': {
        const n = persons(formula.of);
        return (group) => made.count(n(group));
      }
      case 'distinct': {
        const { column, of } = formula;
        const counts = this.#want(fact, at, { of: 'codes', column }, [of]);
        return (group) => made.count(counts.codes.get(group)?.size ?? 0);
      }
      case 'sum': {
        const histogram = values(formula.column, formula.of);
        return (group) => made.sum(histogram(group));
      }
      case 'share':
      case 'shareOfPersons': {
        const n = formula.form === 'share' ? rows : persons;
        const [part, all] = [n(formula.among, formula.of), n(formula.among)];
        return (group) => made.share(part(group), all(group));
      }
      case 'within': {
        const [taken, all] = [values(formula.column, formula.among), rows(formula.among)];
        return (group) => made.within(taken(group), all(group), formula);
      }
      case 'quantile': {
        const histogram = values(formula.column, formula.of);
        return (group) => made.quantile(histogram(group), formula.at, formula.scale);
      }
      case 'completeness': {
        const all = rows();
        const known = formula.columns.map((column) => rows({ [column]: { known: true } }));
        return (group) =>
          made.share(
            known.reduce((total, one) => total + one(group), 0),
            all(group) * known.length,
          );
      }
      case 'perPerson': {
        const [n, people] = [rows(formula.of), persons(formula.of)];
        return (group) => made.share(n(group), people(group));
      }
      case 'latest': {
        const counts = this.#want(fact, at, { of: 'latest', column: formula.column }, [formula.of]);
        return (group) => made.latest(counts.latest.get(group));
      }
      case 'undated': {
        const counts = this.#want(fact, { ...at, source: 'undated' }, { of: 'rows' });
        return (group) => made.count(counts.rows(group));
      }
      case 'ratio': {
        const [above, below] = [this.#formula(formula.over, at), this.#formula(formula.under, at)];
        return (group) => made.share(above(group).value ?? 0, below(group).value ?? 0);
      }
      case 'rate':
        return this.#rate(fact, formula, at);
    }
  }

  #rate(fact: CountedFact, formula: Extract<AnyMeasure['formula'], { form: 'rate' }>, at: At): Value {
    const { dashboard, population } = this.#counting;
    if (!population) throw new Error(`nothing says how many people ${dashboard.id} counts rates of`);
    const name = this.#nameOf(fact);
    const chosen = filtersOf(dashboard, name, this.#asking.query);
    const peopleIn = (group: string, fromAge?: number) => {
      const keys = at.keys.map(({ column }, index) => [column, [keysOf(group)[index]!]] as const);
      const of = Object.fromEntries([...chosen.flatMap((one) => Object.entries(one)), ...keys]);
      return population(formula.population, of as Record<string, readonly string[]>, fromAge);
    };
    if (formula.adjusted === undefined) {
      const n = this.#want(fact, at, { of: 'rows' }, [formula.of]).rows;
      return (group) => made.rate(n(group), peopleIn(group), formula.per);
    }
    const from = made.standardAges;
    const ages = from.map((first, index) => {
      const last = from[index + 1];
      const age = { ageYears: { atLeast: first, ...(last !== undefined && { atMost: last - 1 }) } };
      return { first, rows: this.#want(fact, at, { of: 'rows' }, [formula.of, age]).rows };
    });
    const unknown = this.#want(fact, at, { of: 'rows' }, [formula.of, { ageYears: { known: false } }]).rows;
    return (group) =>
      made.adjustedRate(
        ages.map(({ first, rows }) => ({ events: rows(group), people: peopleIn(group, first) })),
        unknown(group),
        formula.per,
      );
  }

  /** Plans a chart; the function that is returned makes its rows once the counts have been read. */
  #series(series: Exclude<AnySeries, { form: 'own' }>): (incomplete: string | null) => SeriesFound {
    const { dashboard } = this.#counting;
    const fact = dashboard.facts[factOfSeries(dashboard, series)]!;
    const where = series.of ? [series.of] : [];
    const at = (...keys: Key[]): At => ({ source: 'now', keys, where });
    const by = (column: string) => keyOn(fact, column);
    const rows = (given: At, options?: { top?: number; within?: string }) => {
      const finish = this.#rows(series, fact, given, options);
      return () => ({ rows: finish() });
    };
    switch (series.form) {
      case 'trend':
        return this.#trend(
          series,
          fact,
          at(
            this.#granularity === 'week'
              ? { column: chosenWeek, as: 'week' }
              : { column: chosenDay, as: this.#granularity },
          ),
        );
      case 'epidemic-curve':
        return this.#curve(
          series,
          fact,
          at(
            this.#protection?.weeks === 4
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
        return rows(at({ column: series.by, as: { from: series.from } }));
      case 'box':
        return this.#box(series, fact, at(by(series.by)));
      case 'pairs':
        return this.#pairs(series, fact, where);
      case 'continuum': {
        const steps = series.steps.map(
          (name) => [name, this.#value(dashboard.measures[name]!, at())] as const,
        );
        return () => ({ rows: steps.map(([key, value]) => ({ key, values: { [key]: value(whole) } })) });
      }
    }
  }

  /** The measures and classes of a row of a series, and of which groups there are rows. */
  #shown(series: AnySeries, fact: CountedFact, at: At, beside?: string) {
    const { dashboard } = this.#counting;
    const there = this.#want(fact, at, { of: 'rows', ...(beside !== undefined && { beside }) });
    const measures = shownBy(dashboard, series).flatMap((name) => {
      const measure = this.#measures.find(([one]) => one === name)?.[1];
      if (!measure) return [];
      const log: Counts[] = [];
      return [{ name, measure, value: this.#value(measure, { ...at, log }), log }];
    });
    const { classes } = dashboard;
    const classed =
      classes && fact === dashboard.facts[dashboard.main]
        ? classNames(classes).map((name) => {
            const counts = this.#want(fact, at, { of: 'rows' }, [ofClass(classes, name)!]);
            return { name, counts };
          })
        : [];
    const valuesOf = (group: string, only = measures): Record<string, MeasureValue> => ({
      ...Object.fromEntries(only.map(({ name, value }) => [name, value(group)])),
      ...Object.fromEntries(classed.map(({ name, counts }) => [name, classValue(counts, group)])),
    });
    const classValue = (counts: Counts, group: string): MeasureValue => {
      const value = made.count(counts.rows(group));
      const { threshold } = this.#protection ?? {};
      if (threshold === undefined) return value;
      if (isHidden(there.counted(group), threshold)) return withheld;
      return protectedValue(value, { form: 'count' }, [counts.counted(group)], threshold);
    };
    return { there, measures, classed, valuesOf };
  }

  #rows(
    series: AnySeries,
    fact: CountedFact,
    at: At,
    { top, within }: { top?: number; within?: string } = {},
  ): () => SeriesRow[] {
    const [first] = at.keys as [Key];
    const isText = fact.columns[first.column]?.kind === 'text';
    const shown = this.#shown(series, fact, at, isText ? asSent(first.column) : within);
    const { there, measures, classed, valuesOf } = shown;
    const total = this.#want(fact, { source: at.source, keys: [], where: at.where }, { of: 'rows' });
    return () => {
      if (this.#isTooSmall(total)) return [];
      const groups = [...there.n.keys()].filter((group) => there.rows(group) > 0 || there.behind.has(group));
      const rowOf = (group: string): SeriesRow => {
        const [key, key2] = keysOf(group) as [string, string?];
        const beside = [...(there.beside.get(group) ?? [])].filter(([name]) => name !== '');
        const named = beside.filter(([name]) => !isText || name !== missingKey);
        // Of several spellings the first by code; of what a key is part of, what most of its rows say.
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
      // What is distinct cannot be added up, so the rest does not have it.
      const added = measures.filter(({ log }) => log.every((counts) => isAdded(fact, counts)));
      for (const counts of new Set([
        there,
        ...added.flatMap(({ log }) => log),
        ...classed.map((one) => one.counts),
      ]))
        addUp(counts, others, restGroup);
      return [...ordered.slice(0, top), { key: restGroup, rest: true, values: valuesOf(restGroup, added) }];
    };
  }

  /** A trend has every day or MMWR week of the range, with zero where there was nothing. */
  #trend(
    series: Extract<AnySeries, { form: 'trend' }>,
    fact: CountedFact,
    at: At,
  ): (incomplete: string | null) => SeriesFound {
    const range = this.#asking.query.dateRangeValue;
    const { measures, valuesOf } = this.#shown(series, fact, at);
    const isDaily = this.#granularity === 'day';
    const overlay = isDaily ? undefined : this.#overlay(series, fact, at);
    const total = this.#want(fact, { source: at.source, keys: [], where: at.where }, { of: 'rows' });
    return (incomplete) => {
      if (this.#isTooSmall(total)) return { rows: [] };
      const rows = periodsOf(range, this.#granularity).map(
        (key): SeriesRow => ({
          key,
          values: valuesOf(key),
          ...this.#state(key, incomplete, this.#granularity),
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

  /** What is said of a period: that it is not complete yet, or not wholly in the range. */
  #state(
    key: string,
    incomplete: string | null,
    period: Granularity,
  ): Pick<SeriesRow, 'incomplete' | 'partial'> {
    const { start, end } = this.#asking.query.dateRangeValue;
    return {
      ...(incomplete !== null &&
        daysBetween(incomplete, key) + daysOf[period] - 1 >= 0 && { incomplete: true }),
      ...(period === 'week' && (key < start || daysBetween(key, end) < 6) && { partial: true }),
    };
  }

  #curve(
    series: Extract<AnySeries, { form: 'epidemic-curve' }>,
    fact: CountedFact,
    at: At,
  ): (incomplete: string | null) => SeriesFound {
    const range = this.#asking.query.dateRangeValue;
    const { there, valuesOf } = this.#shown(series, fact, at);
    const overlay = this.#overlay(series, fact, at);
    const period = this.#protection?.weeks === 4 ? 'four-weeks' : 'week';
    const total = this.#want(fact, { source: at.source, keys: [], where: at.where }, { of: 'rows' });
    return (incomplete) => {
      if (this.#isTooSmall(total)) return { rows: [] };
      const found = new Set([...there.n.keys()].map((group) => keysOf(group)[1]!));
      const rows = periodsOf(range, period).flatMap((key) =>
        [...found].sort(compare).map(
          (key2): SeriesRow => ({
            key,
            key2,
            values: valuesOf(groupOf([key, key2])),
            ...this.#state(key, incomplete, period),
          }),
        ),
      );
      const changes = series.changes?.filter(({ on }) => on >= range.start && on <= range.end);
      return { rows, overlay: { ...overlay?.(), ...(changes && { changes: [...changes] }) } };
    };
  }

  /** The median of earlier years and what is still expected, by MMWR weeks, of the first number that a series shows. */
  #overlay(
    series: Extract<AnySeries, { form: 'trend' | 'epidemic-curve' }>,
    fact: CountedFact,
    { where }: At,
  ): (() => Overlay) | undefined {
    const { dashboard } = this.#counting;
    const first = dashboard.measures[shownBy(dashboard, series)[0] ?? ''];
    // Medians of years and estimates are of true numbers alone.
    if (first?.formula.form !== 'count' || this.#protection) return undefined;
    const of = [...where, first.formula.of];
    const week: Key = { column: chosenWeek, as: 'week' };
    const weeks = periodsOf(this.#asking.query.dateRangeValue, 'week');
    const against = series.against && {
      counts: this.#want(fact, { source: 'years', keys: [week], where: of }, { of: 'rows' }),
      since: this.#want(fact, { source: 'ever', keys: [], where: [] }, { of: 'earliest' }),
    };
    const late =
      series.estimate &&
      this.#want(
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
      ...(late && { estimate: estimated(late, this.#asking.today, weeks) }),
    });
  }

  #box(series: Extract<AnySeries, { form: 'box' }>, fact: CountedFact, at: At): () => SeriesFound {
    const there = this.#want(fact, at, { of: 'rows' });
    const values = this.#want(fact, at, { of: 'values', column: series.column });
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

  #pairs(
    series: Extract<AnySeries, { form: 'pairs' }>,
    fact: CountedFact,
    where: readonly Condition[],
  ): () => SeriesFound {
    const { left, right, least } = series;
    const name = shownBy(this.#counting.dashboard, series)[0] ?? 'reports';
    const of = [...where, { [left]: { known: true } }, { [right]: { known: true } }];
    const strata = series.strata.map((column) => keyOn(fact, column));
    const counted = (keys: readonly Key[]) =>
      this.#want(fact, { source: 'now', keys, where: of }, { of: 'rows' });
    const [l, r] = [keyOn(fact, left), keyOn(fact, right)];
    const plain = [counted([l, r]), counted([l]), counted([r]), counted([])] as const;
    const layered = [
      counted([l, r, ...strata]),
      counted([l, ...strata]),
      counted([r, ...strata]),
      counted(strata),
    ] as const;
    const pairIn = (
      [both, ofLeft, ofRight, all]: typeof plain,
      [a, b]: [string, string],
      layer: string[],
    ) => {
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
          // In one order, so that the sums of fractions are the same each time.
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
}

type Overlay = NonNullable<AnalyticsAnswer['overlays']>[string];
interface SeriesFound {
  rows: SeriesRow[];
  overlay?: Overlay | undefined;
}

const withheld: MeasureValue = { value: null, numerator: null, denominator: null, suppressed: true };

/** What a measure is, as far as its protection differs. */
function formOf({ formula, coarse }: AnyMeasure): Form {
  switch (formula.form) {
    case 'count':
    case 'persons':
    case 'sum':
    case 'undated':
    case 'rate':
      return 'count';
    case 'distinct':
    case 'latest':
      return 'plain';
    case 'quantile':
      return formula.at > 0.5 ? 'percentile' : 'median';
    default:
      return coarse ? 'coarse' : 'share';
  }
}

/** The columns that a series is split by, weeks apart. */
const splitBy = (series: AnySeries): string[] =>
  [
    'by' in series ? series.by : undefined,
    'across' in series ? series.across : undefined,
    'sides' in series ? series.sides : undefined,
  ].filter((column) => column !== undefined);

/** The percentiles of a box. */
const boxAt = [10, 25, 50, 75, 90] as const;
/** The group of what is not among the first; no code is spelled like it. */
const restGroup = 'rest of all';

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
/** Always the same order, so that the same question has the same answer. */
const inOrderOfKeys = (a: SeriesRow, b: SeriesRow) =>
  compare(a.key, b.key) || compare(a.key2 ?? '', b.key2 ?? '');

/** Adds the counts of some groups up to one. */
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

/** The mean over seven days: of a count its sum ÷ 7, of a share both of its parts added up; of others there is none. */
function meanOf(measure: AnyMeasure, days: readonly SeriesRow[], name: string): MeasureValue | undefined {
  const total = (part: 'numerator' | 'denominator') =>
    days.reduce((sum, { values }) => sum + (values[name]![part] ?? 0), 0);
  if (measure.formula.form === 'count') return made.share(total('numerator'), 7);
  if (measure.formula.form === 'share') return made.share(total('numerator'), total('denominator'));
  return undefined;
}

/**
 * What is expected of the late weeks, where between 40 % and 95 % of their rows have arrived. Earlier than that it is too
 * early to say, and with few rows always.
 */
function estimated(
  late: Counts,
  today: string,
  wanted: readonly string[],
): { key: string; value: number | null }[] {
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
  const { totals, parts } = made.chainLadder(triangle);
  return weeks.flatMap((key, index) => {
    const part = parts[weeks.length - 1 - index];
    if (part === undefined || part >= 0.95 || !wanted.includes(key)) return [];
    return [{ key, value: part < 0.4 || rows < lateness.least ? null : totals[index]! }];
  });
}
