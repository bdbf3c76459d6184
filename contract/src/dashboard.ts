import type { AnalyticsScreen } from './analytics.ts';
import type { DateRange } from './date-range.ts';
import type { Permission } from './endpoint.ts';
import { type Column, type CountableBy, type Fact, type ListedBy, mayRead } from './fact.ts';
import type { AnyMeasure, Condition, CountedFact, Measure, When } from './measure.ts';
import { retiredNames } from './retired-names.ts';

/*
 * A dashboard is data: the facts it counts, its filters, measures and charts. One engine on the server
 * answers all of them, and one screen in the browser draws them.
 */

type GroupedBy<F extends Fact> = CountableBy<F, 'code' | 'text' | 'flag', 'grouped'>;
type NumberOf<F extends Fact> = CountableBy<F, 'integer', 'aggregated'>;
type FilterOf<F extends Fact> = ListedBy<F>;
type TextFilterOf<F extends Fact> = CountableBy<F, 'code', 'filtered'>;
type Time = 'minutes' | 'hours' | 'days';
type DayOf<F extends Fact> = CountableBy<F, 'day', 'filtered'>;

/** Groups of a column's values: the stacks of a bar, and the meaning of a chart's colors. */
export interface Classes<By extends string = string> {
  readonly by: By;
  readonly are: Readonly<Record<string, readonly string[]>>;
  /** The class of all other values. */
  readonly rest: string;
}

interface Common<M extends string> {
  /**
   * What a row shows in addition to its classes; the first decides order, color and area. Absent: the fact's
   * first measure.
   */
  readonly shows?: readonly M[];
  /** The heading it appears under. */
  readonly section: string;
  readonly wide?: true;
}
/** Compares with the same weeks of earlier years. */
interface Against {
  readonly against?: { readonly years: 5; readonly as: 'median' };
  /** Adds the reports still expected to the counts of late periods. */
  readonly estimate?: true;
}

/**
 * A chart. `M` names measures; `Grouped` columns that split; `Counted` numbers counted by value; `Aged` days
 * counted by how long ago they are.
 */
type SeriesShape<
  M extends string,
  Grouped extends string,
  Counted extends string,
  Aged extends string,
  Of,
> = Common<M> & {
  /** Counts only these rows. */
  readonly of?: Of;
} & (
    | ({ readonly form: 'trend'; readonly line?: M; readonly mean?: 7 } & Against)
    | ({
        readonly form: 'epidemic-curve';
        readonly by: Grouped;
        /** Days on which the case definition changed. */
        readonly changes?: readonly { readonly on: string; readonly name: string }[];
      } & Against)
    | {
        readonly form: 'bars';
        readonly by: Grouped;
        /** Each value belongs to a value of this column. */
        readonly within?: Grouped;
        /** The most values; the others are summed up. */
        readonly top?: number;
      }
    | { readonly form: 'map'; readonly by: Grouped }
    /** A number, or the age of a day in days, cut into buckets: `from` has the lower bound of each. */
    | { readonly form: 'buckets'; readonly by: Counted | Aged; readonly from: readonly number[] }
    | { readonly form: 'pyramid'; readonly by: Grouped; readonly sides: Grouped }
    | { readonly form: 'heat'; readonly by: Grouped; readonly across: Grouped }
    | { readonly form: 'table'; readonly by: Grouped; readonly across?: Grouped }
    /** Quartiles and the 10th and 90th percentile of a number, by group. */
    | { readonly form: 'box'; readonly by: Grouped; readonly column: Counted; readonly unit: Time }
    /** Bars over one denominator: every step is a share of the same total, not of the step before. */
    | { readonly form: 'continuum'; readonly steps: readonly [M, M, ...M[]] }
    /**
     * Pairs reported together more often than expected: PRR with its interval, over strata (Mantel–Haenszel).
     */
    | {
        readonly form: 'pairs';
        readonly left: Grouped;
        readonly right: Grouped;
        readonly strata: readonly Grouped[];
        /** The fewest reports a pair needs. */
        readonly least: number;
      }
    /** The one exception: a server feature counts it. */
    | { readonly form: 'own' }
  );
type SeriesOver<F extends Fact, M extends string> = SeriesShape<
  M,
  GroupedBy<F>,
  NumberOf<F>,
  DayOf<F>,
  When<F>
>;

type Facts = Readonly<Record<string, CountedFact>>;
type Measures = Readonly<Record<string, Measure>>;
/** The measures over a fact. */
type MeasuresOver<Ms extends Measures, F extends Fact> = {
  [Name in keyof Ms & string]: Ms[Name]['fact'] extends F ? Name : never;
}[keyof Ms & string];

type SeriesOn<Fs extends Facts, Main extends keyof Fs, Ms extends Measures> =
  | (SeriesOver<Fs[Main], MeasuresOver<Ms, Fs[Main]>> & { readonly on?: undefined })
  | { [K in keyof Fs]: SeriesOver<Fs[K], MeasuresOver<Ms, Fs[K]>> & { readonly on: K } }[keyof Fs];

/** The facts whose rows are not about persons: their numbers cannot come from half of the persons. */
type Personless<Fs extends Facts> = {
  [K in keyof Fs & string]: Fs[K]['counting'] extends { readonly person: true } ? never : K;
}[keyof Fs & string];

const choicesOf = (column: Column) => ('options' in column ? JSON.stringify(column.options) : undefined);

/**
 * The filters that do not apply to a fact, because it lacks their column or has one of that name with other
 * choices.
 */
function unfilteredIn({ columns }: Fact, main: Fact, filters: Readonly<Record<string, string>>): string[] {
  const narrows = (name: string) =>
    mayRead(columns[name], 'filtered', 'numbers') &&
    choicesOf(columns[name]!) === choicesOf(main.columns[name]!);
  return Object.keys(filters).filter((filter) => !narrows(filters[filter]!));
}

export type AnySeries = SeriesShape<string, string, string, string, Condition> & { readonly on?: string };
export type SeriesForm = AnySeries['form'];

interface Given<
  Fs extends Facts,
  Main extends keyof Fs & string,
  Filters,
  Texts,
  Dates,
  Ms extends Measures,
  S,
  Section extends string,
> {
  permission: Permission;
  facts: Fs;
  /** The fact that supplies the screen's filters, event dates and classes. */
  main: Main;
  /** The rows of each fact that the dashboard covers. */
  base?: { readonly [K in keyof Fs]?: When<Fs[K]> };
  /** List filters by public name [S3.11], each with the column it filters. */
  filters: Filters;
  /** Text filters by public name. */
  textFilters?: Texts;
  /**
   * A list filter of restricted families: the families the reader may see are counted in addition to the
   * base.
   */
  restrictedFilter?: string;
  /**
   * The event dates by public name, the default first. Facts without the column are counted by their own
   * date.
   */
  eventDates?: Dates;
  /** The range it opens with, from today in the tenant's time zone. */
  defaultRange: (today: string) => DateRange;
  /** What the leading numbers are compared with; by default, the range of the same length before. */
  compare?: 'range-before' | 'year-before' | 'none';
  /** Filters that Clear keeps. [S4.9] */
  keptByClear?: readonly (keyof Filters & string)[];
  /** [S4.11] Clear sets the filters but is not one of the presets. */
  clear?: 'sets-filters';
  /** Range and filters stay when another organization is selected. */
  keptAcrossOrgs?: true;
  classes?: Classes<GroupedBy<Fs[Main]>>;
  measures: Ms;
  /** The first and largest measures, each with a small trend. */
  leading: readonly [keyof Ms & string, keyof Ms & string, keyof Ms & string, keyof Ms & string];
  /** The count that home shows in a week in which it changed, to people who may see the dashboard. */
  home?: keyof Ms & string;
  /** Headings in order, each with its other measures; a series names its heading. */
  sections: Readonly<Record<Section, readonly (keyof Ms & string)[]>>;
  series: S;
  caution?: 'no-proof-of-cause';
  /** The dashboard whose texts it shares, if not its own. */
  words?: string;
}

/**
 * A dashboard of any declaration. The names of its filters, event dates, measures and series are ids: saved
 * views, addresses and links contain them. So a name is never reused; a removed one is retired
 * (`retiredNames`).
 */
export interface Dashboard extends AnalyticsScreen {
  readonly facts: Facts;
  readonly main: string;
  readonly base: Readonly<Record<string, Condition | undefined>>;
  readonly filters: Readonly<Record<string, string>>;
  readonly textFilters: Readonly<Record<string, string>>;
  /** The filters that do not apply to a fact, by fact name. The screen says so. */
  readonly unfiltered: Readonly<Record<string, readonly string[]>>;
  readonly restrictedFilter?: string;
  /** The column of each event date. */
  readonly dates: Readonly<Record<string, string>>;
  readonly compare: 'range-before' | 'year-before' | 'none';
  readonly classes?: Classes;
  readonly measures: Readonly<Record<string, AnyMeasure>>;
  readonly leading: readonly string[];
  readonly home?: string;
  readonly sections: Readonly<Record<string, readonly string[]>>;
  readonly series: Readonly<Record<string, AnySeries>>;
  readonly caution?: 'no-proof-of-cause';
  readonly words?: string;
}

/** Declares a dashboard. */
export const dashboard = <
  const Id extends string,
  const Fs extends Facts,
  const Main extends keyof Fs & string,
  const Filters extends Readonly<Record<string, FilterOf<Fs[Main]>>>,
  const Ms extends Readonly<Record<string, Measure<Fs[keyof Fs]>>>,
  const S extends Readonly<Record<string, SeriesOn<Fs, Main, NoInfer<Ms>>>>,
  const Section extends string,
  const Dates extends Readonly<Record<string, DayOf<Fs[Main]>>> = Record<never, never>,
  const Texts extends Readonly<Record<string, TextFilterOf<Fs[Main]>>> = Record<never, never>,
>(
  id: Id,
  given: Given<Fs, Main, Filters, Texts, Dates, Ms, S, Section> &
    ([Personless<NoInfer<Fs>>] extends [never]
      ? { exactOnly?: undefined }
      : {
          /**
           * Facts whose rows are not about persons, each with the reason why only readers of exact counts see
           * its numbers: there is no half of persons to count for others. [P17]
           */
          exactOnly: Readonly<Record<Personless<NoInfer<Fs>>, string>>;
        }),
  retired: readonly string[] = retiredNames[id] ?? [],
) => {
  const declared: Given<Fs, Main, Filters, Texts, Dates, Ms, S, Section> = given;
  const {
    base = {},
    textFilters = {} as Texts,
    compare = 'range-before',
    eventDates = {} as Dates,
  } = declared;
  const { classes, measures } = declared;
  for (const [name, values] of Object.entries(classes?.are ?? {})) {
    const same = measures[name as keyof Ms]?.formula;
    // A row holds its classes and its measures by name.
    if (same && JSON.stringify(same) !== JSON.stringify({ form: 'count', of: { [classes!.by]: values } }))
      throw new Error(`${id}: ${name} is a class and another measure`);
  }
  const named = [declared.filters, textFilters, eventDates, measures, declared.series as object].flatMap(
    (names) => Object.keys(names),
  );
  for (const name of retired)
    if (named.includes(name) || name === declared.restrictedFilter)
      throw new Error(`${id}: ${name} is retired and used again`);
  return {
    ...declared,
    id,
    retired,
    base,
    textFilters,
    unfiltered: Object.fromEntries(
      Object.entries(declared.facts).map(([name, one]) => [
        name,
        unfilteredIn(one, declared.facts[declared.main]!, { ...declared.filters, ...textFilters }),
      ]),
    ),
    compare,
    dates: eventDates,
    eventDates: Object.keys(eventDates) as [keyof Dates & string, ...(keyof Dates & string)[]],
    listFilters: [
      ...Object.keys(declared.filters),
      ...(declared.restrictedFilter === undefined ? [] : [declared.restrictedFilter]),
    ] as (keyof Filters & string)[],
    stringFilters: Object.fromEntries(Object.keys(textFilters).map((name) => [name, ''])),
  };
};

/** The look-up of the restricted families the reader may see, for a restricted filter. */
export const restrictedFamilies = 'restrictedFamilies';

/** The column a filter applies to, whatever its kind. */
export function columnOfFilter(declared: Dashboard, name: string): string | undefined {
  const { filters, textFilters, restrictedFilter, facts, main } = declared;
  if (Object.hasOwn(filters, name)) return filters[name];
  if (Object.hasOwn(textFilters, name)) return textFilters[name];
  return name === restrictedFilter ? facts[main]!.counting.restrictedBy : undefined;
}

/** The name of the fact a series counts. */
export const factOfSeries = ({ main }: Dashboard, { on }: AnySeries): string => on ?? main;

/** The measures a row of a series shows. */
export function shownBy(declared: Dashboard, series: AnySeries): readonly string[] {
  if (series.shows) return series.shows;
  const fact = declared.facts[factOfSeries(declared, series)];
  const first = Object.keys(declared.measures).find((name) => declared.measures[name]!.fact === fact);
  return first === undefined ? [] : [first];
}

interface Word {
  title: string;
}
/** Default dates of facts that lack an event date of the screen; counts by such a date say so. */
type OtherDay<D extends { facts: Facts; dates: Readonly<Record<string, string>> }> = Exclude<
  {
    [K in keyof D['facts']]: [D['dates'][keyof D['dates']]] extends [
      D['facts'][K]['counting']['eventDates'][number],
    ]
      ? never
      : D['facts'][K]['counting']['eventDates'][0];
  }[keyof D['facts']],
  D['dates'][keyof D['dates']]
>;
type OtherDays<D extends { facts: Facts; dates: Readonly<Record<string, string>> }> = [OtherDay<D>] extends [
  never,
]
  ? unknown
  : { day: Record<OtherDay<D>, string> };
/** What is counted, with its plural: `150 tests`. */
interface Rows {
  count_one: string;
  count_other: string;
}
/** The facts of charts that do not count the main fact. */
type OtherFact<D extends { series: object }> = Values<{
  [S in keyof D['series']]: D['series'][S] extends { on: infer Name extends string } ? Name : never;
}>;
/**
 * The texts a dashboard needs: `en satisfies WordsOf<typeof sti, SharedMeasure>`. Texts that dashboards share
 * are in a separate file.
 */
export type WordsOf<
  D extends {
    measures: Readonly<Record<string, Measure>>;
    series: object;
    sections: object;
    facts: Facts;
    dates: Readonly<Record<string, string>>;
  },
  Shared extends string = never,
> = OtherDays<D> & {
  title: string;
  section: Record<keyof D['sections'] & string, string>;
  measure: {
    [Name in Exclude<keyof D['measures'] & string, Shared>]: Word & {
      counted: string;
      outOf?: string;
      leftOut?: string;
    };
  };
  series: Record<keyof D['series'] & string, Word & { unit?: string }>;
  rows: Rows;
} & ([OtherFact<D>] extends [never] ? unknown : { rowsOf: Record<OtherFact<D>, Rows> });

type Values<T> = T[keyof T] & string;
/** For buckets, the chart's title names the column. */
type ColumnsIn<S> = S extends { form: 'buckets' }
  ? never
  : Values<Pick<S, keyof S & ('by' | 'across' | 'sides' | 'left' | 'right')>>;
/** The shared texts a dashboard needs: for the columns of its filters and charts, and for its event dates. */
export type SharedWordsOf<
  D extends {
    filters: Readonly<Record<string, string>>;
    textFilters: Readonly<Record<string, string>>;
    dates: Readonly<Record<string, string>>;
    series: object;
  },
> = {
  filter: Record<
    Values<D['filters']> | Values<D['textFilters']> | ColumnsIn<D['series'][keyof D['series']]>,
    string
  >;
  eventDate: Record<keyof D['dates'] & string, string>;
};
