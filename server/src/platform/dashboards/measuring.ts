import type { AnalyticsQuery, MeasureValue, SeriesRow } from '@caseway/contract/analytics';
import type { Dashboard } from '@caseway/contract/dashboard';
import { addDays, type DateRange } from '@caseway/contract/date-range';
import { type Granularity, granularityOf } from '@caseway/contract/granularity';
import { type AnyMeasure, type Condition, type CountedFact, columnsOf } from '@caseway/contract/measure';
import type { Ask } from '../analytics/engine.ts';
import type { StoredFact } from '../analytics/facts.ts';
import { datedOn } from './conditions.ts';
import { Asked, type Counts, groupOf, type Key, type Source, type What } from './counting.ts';
import { filtersOf } from './filters.ts';
import * as made from './measures.ts';
import { comparedWith } from './periods.ts';
import { Populations } from './population.ts';
import { type Form, isHidden, protectedValue, together, wholePeriods } from './protect.ts';
import { narrowingOf, peopleIn } from './residents.ts';

/** Series that a feature counts itself, by name. */
export type Extras = Readonly<Record<string, (ask: Ask, query: AnalyticsQuery) => Promise<SeriesRow[]>>>;

export interface Counting {
  dashboard: Dashboard;
  /** The stored fact for each fact of the dashboard. */
  stored: Readonly<Record<string, StoredFact>>;
  extras?: Extras;
}

export interface Asking {
  query: AnalyticsQuery;
  /** Today in `timeZone`, the time zone of the reader's organisation. */
  today: string;
  timeZone: string;
  asOf: Date;
  /** Families that are hidden from the reader. Measures that reveal them are left out. */
  hiddenFamilies?: readonly string[];
  /** The populations for rates; absent if there are none. */
  populations?: Populations;
  /** The reader's kinds of places. Measures by columns that one of them may not read are left out. */
  orgTypes?: readonly string[];
  /**
   * Numbers come from half of the persons, and those of fewer persons than this are hidden; absent for a reader of
   * exact numbers. [P17]
   */
  threshold?: number | undefined;
}

/** How numbers are protected. */
export interface Protection {
  threshold: number;
  /** Weeks per period. */
  weeks: 1 | 4;
}

/** The value of a measure for a group of its rows. */
export type Value = (group: string) => MeasureValue;

/** Where a measure is counted: which rows, split by which keys. */
export interface At {
  source: Source;
  keys: readonly Key[];
  where: readonly Condition[];
  /** Collects the requested counts. */
  log?: Counts[];
}

/** The facts that a measure counts. */
const factsOf = ({ fact, formula }: AnyMeasure): CountedFact[] =>
  formula.form === 'ratio' ? [formula.over.fact, formula.under.fact] : [fact];

/** Whether a measure uses a column that readers at such a place may not read. */
const isUntold = (measure: AnyMeasure, orgType: string): boolean =>
  columnsOf(measure).some((column) =>
    factsOf(measure).some(({ columns }) => {
      const readers: readonly string[] | undefined = columns[column]?.readers;
      return readers !== undefined && !readers.includes(orgType);
    }),
  );

/** The group of all rows. */
export const whole = groupOf([]);

/**
 * What one question counts, and how measures are computed from the counts. Everything is planned before anything is
 * read.
 */
export class Measuring {
  readonly counting: Counting;
  readonly asking: Asking;
  readonly asked: Asked;
  readonly granularity: Granularity;
  readonly measures: [string, AnyMeasure][];
  readonly protection: Protection | undefined;
  readonly populations: Populations;

  constructor(counting: Counting, given: Asking, protection: Protection | undefined) {
    const range = given.query.dateRangeValue;
    const asking = protection
      ? { ...given, query: { ...given.query, dateRangeValue: wholePeriods(range, protection.weeks) } }
      : given;
    this.counting = counting;
    this.asking = asking;
    this.protection = protection;
    this.asked = new Asked(counting.dashboard.facts);
    this.populations = asking.populations ?? new Populations([], { today: asking.today });
    this.granularity = protection
      ? protection.weeks === 1
        ? 'week'
        : 'four-weeks'
      : granularityOf(range, given.query.granularity);
    const { hiddenFamilies = [], orgTypes = [] } = asking;
    this.measures = Object.entries(counting.dashboard.measures).filter(
      ([, measure]) =>
        !orgTypes.some((one) => isUntold(measure, one)) &&
        !measure.tells?.some((family) => hiddenFamilies.includes(family)) &&
        !(protection && factsOf(measure).some(({ counting: { person } }) => !person)),
    );
  }

  /** Whether so few persons are behind a series that its keys alone would reveal something about them. */
  isTooSmall(total: Counts): boolean {
    return this.protection !== undefined && isHidden(total.counted(whole), this.protection.threshold);
  }

  /** The range of the comparison. For a protected range it has whole weeks, and a year before is 52 of them. */
  get rangeBefore(): DateRange | undefined {
    const { dashboard } = this.counting;
    const range = this.asking.query.dateRangeValue;
    return this.protection && dashboard.compare === 'year-before'
      ? { start: addDays(range.start, -364), end: addDays(range.end, -364) }
      : comparedWith(dashboard, range);
  }

  nameOf(fact: CountedFact): string {
    const found = Object.entries(this.counting.dashboard.facts).find(([, one]) => one === fact);
    if (!found) throw new Error(`${this.counting.dashboard.id} has no fact ${fact.name}`);
    return found[0];
  }

  want(
    fact: CountedFact,
    { source, keys, where, log }: At,
    what: What,
    further: readonly Condition[] = [],
  ): Counts {
    const place = { fact: this.nameOf(fact), source, keys };
    const dated = [...where, ...further].map((one) => datedOn(one, this.asking.today));
    const counts = this.asked.want(place, { ...what, where: dated });
    log?.push(counts);
    return counts;
  }

  /** Plans a measure: the counts it needs, and how to compute it from them. */
  value(measure: AnyMeasure, at: At): Value {
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

  /** Plans a measure as the reader sees it. A zero, too, is shown only if its whole is shown. [P17] */
  #protected(measure: AnyMeasure, at: At): Value {
    const protection = this.protection;
    if (!protection) return this.#formula(measure, at);
    const log: Counts[] = [];
    const value = this.#formula(measure, { ...at, log });
    const { fact, formula } = measure;
    // What a share counts is among its parts only if it is also counted on its own.
    if (formula.form === 'within')
      this.want(fact, { ...at, log }, { of: 'rows' }, [
        formula.among,
        { [formula.column]: { atMost: formula.days } },
      ]);
    const all = formula.form === 'undated' ? undefined : this.want(fact, at, { of: 'rows' });
    at.log?.push(...log);
    const form = formOf(measure);
    return (group) => {
      const parts = log.map((counts) => counts.counted(group));
      // For a rate by age, only the total of the events is shown.
      const shown = formula.form === 'rate' ? [parts.reduce(together)] : parts;
      if (all && isHidden(all.counted(group), protection.threshold)) return withheld;
      return protectedValue(value(group), { form, unit: measure.unit }, shown, protection.threshold);
    };
  }

  #formula({ fact, formula }: AnyMeasure, at: At): Value {
    const rows = (...where: Condition[]) => this.want(fact, at, { of: 'rows' }, where).rows;
    const persons = (...where: Condition[]) => this.want(fact, at, { of: 'persons' }, where).rows;
    const values = (column: string, ...where: Condition[]) =>
      this.want(fact, at, { of: 'values', column }, where).histogram;
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
        const counts = this.want(fact, at, { of: 'codes', column }, [of]);
        return (group) => made.count(counts.codes.get(group)?.size ?? 0);
      }
      case 'sum': {
        const histogram = values(formula.column, formula.of);
        const cap = this.protection && capOf(fact, formula.column);
        return (group) => made.sum(histogram(group), cap);
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
        const lacking = Object.entries(formula.lacking).map(([column, test]) => rows({ [column]: test }));
        return (group) => {
          const elements = all(group) * lacking.length;
          return made.share(
            lacking.reduce((total, one) => total - one(group), elements),
            elements,
          );
        };
      }
      case 'perPerson': {
        const [n, people] = [rows(formula.of), persons(formula.of)];
        return (group) => made.share(n(group), people(group));
      }
      case 'latest': {
        const counts = this.want(fact, at, { of: 'latest', column: formula.column }, [formula.of]);
        return (group) => made.latest(counts.latest.get(group));
      }
      case 'undated': {
        const counts = this.want(fact, { ...at, source: 'undated' }, { of: 'rows' });
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

  /** Counts events by county, so that events of residents of other counties can be left out. */
  #rate(fact: CountedFact, formula: Extract<AnyMeasure['formula'], { form: 'rate' }>, at: At): Value {
    const { dashboard } = this.counting;
    const { query } = this.asking;
    const range = at.source === 'before' ? this.rangeBefore! : query.dateRangeValue;
    const filters = filtersOf(dashboard, this.nameOf(fact), query);
    const of = { kind: formula.population, range, populations: this.populations };
    const narrowing = narrowingOf(fact, filters, [...at.where, formula.of]);
    const peopleOf = peopleIn(fact, at.keys, narrowing, of);
    const { county, ageYears } = fact.counting.residents!;
    const known = this.populations.counties(formula.population, range);
    const isSplit = at.keys.some(({ column }) => column === county);
    const isOpen = narrowing.counties === undefined && !isSplit;
    const here = isOpen ? [{ [county]: known.length > 0 ? known : { not: [] } }] : [];
    const all = this.want(fact, { ...at, log: undefined }, { of: 'rows' }, [formula.of]);
    if (formula.adjusted === undefined) {
      const n = this.want(fact, at, { of: 'rows' }, [formula.of, ...here]);
      return (group) =>
        made.rate(n.rows(group), peopleOf(group), formula.per, all.rows(group) - n.rows(group));
    }
    const ages = made.standardAges.map(({ from, below, weight }) => {
      const age = { [ageYears]: { atLeast: from, ...(below !== null && { atMost: below - 1 }) } };
      return { from, below, weight, n: this.want(fact, at, { of: 'rows' }, [formula.of, ...here, age]) };
    });
    return (group) => {
      const people = (some: typeof ages) =>
        peopleOf(group, { from: some[0]!.from, below: some.at(-1)!.below });
      // Populations often have no separate number for the first year of life.
      const [first, second, ...others] = ages as [(typeof ages)[0], (typeof ages)[0], ...typeof ages];
      const isOnce = 'without' in people([first]) && 'people' in people([first, second]);
      const groups = [...(isOnce ? [[first, second]] : [[first], [second]]), ...others.map((one) => [one])];
      const byAge = groups.map((some) => ({
        events: some.reduce((total, one) => total + one.n.rows(group), 0),
        people: people(some),
        weight: some.reduce((total, one) => total + one.weight, 0),
      }));
      const events = byAge.reduce((total, one) => total + one.events, 0);
      return made.adjustedRate(byAge, formula.per, all.rows(group) - events);
    };
  }
}

/** The cap of a column's values in a protected sum. */
function capOf({ name, columns }: CountedFact, column: string): number {
  const held = columns[column];
  if (held?.kind !== 'integer' || held.cap === undefined)
    throw new Error(`a sum of ${column} of ${name} has no cap, so that one person could carry it`);
  return held.cap;
}

export const withheld: MeasureValue = { value: null, numerator: null, denominator: null, suppressed: true };

/** The form of a measure, which decides how it is protected. */
function formOf({ formula, coarse }: AnyMeasure): Form {
  switch (formula.form) {
    case 'count':
    case 'persons':
    case 'sum':
    case 'undated':
      return 'count';
    case 'rate':
      return 'rate';
    case 'distinct':
    case 'latest':
      return 'plain';
    case 'quantile':
      return formula.at > 0.5 ? 'percentile' : 'median';
    default:
      return coarse ? 'coarse' : 'share';
  }
}
