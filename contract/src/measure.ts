import { type Column, type CountableBy, type Fact, mayRead } from './fact.ts';
import type { missingKey } from './label.ts';

/*
 * What a dashboard counts. Joins are in facts, so a measure is a count over the rows of one fact, or a ratio
 * of two. A measure is data: its numbers, the records behind them and its description all come from one
 * declaration.
 */

/** A fact that is counted, not only listed. */
export type CountedFact = Fact & Required<Pick<Fact, 'counting'>>;

type CodeOf<C> = C extends { options: readonly (infer Code extends string)[] }
  ? Code | typeof missingKey
  : string;
interface Limits {
  readonly atLeast?: number;
  readonly atMost?: number;
}
/** What a column's value must be. A day can be tested by how many days ago it is. */
type TestOf<C extends Column> = C extends { kind: 'code' | 'text' }
  ? CodeOf<C> | readonly CodeOf<C>[] | { readonly not: readonly CodeOf<C>[] } | { readonly known: boolean }
  : C extends { kind: 'flag' }
    ? boolean
    : C extends { kind: 'integer' }
      ? Limits | { readonly known: boolean }
      : C extends { kind: 'day' }
        ? { readonly known: boolean } | { readonly daysAgo: Limits }
        : { readonly known: boolean };
type ColumnAt<F extends Fact, Name> = Name extends keyof F['columns'] ? F['columns'][Name] : never;

/**
 * Which rows: every named column passes its test, and at least one of `any` holds. A list has the allowed
 * codes; a missing value matches only if the list has 'missing'. `not` also matches a missing value.
 */
export type When<F extends Fact> = {
  readonly [Name in CountableBy<F, Column['kind'], 'filtered' | 'aggregated'>]?: TestOf<ColumnAt<F, Name>>;
} & { readonly any?: readonly When<F>[] };

/** A condition as the engine reads it, for any fact. */
export type Test =
  | string
  | boolean
  | readonly string[]
  | { readonly not: readonly string[] }
  | { readonly known: boolean }
  | Limits
  | { readonly daysAgo: Limits }
  /** A range of days, which the engine makes from days ago. */
  | { readonly days: { readonly from?: string; readonly to?: string } };
export interface Condition {
  readonly [column: string]: Test | readonly Condition[] | undefined;
  readonly any?: readonly Condition[];
}

/** Who could have been counted: residents, or live births. */
export const populationKinds = ['residents', 'live-births'] as const;
export type Population = (typeof populationKinds)[number];

export type Formula =
  | { readonly form: 'count'; readonly of: Condition }
  | { readonly form: 'persons'; readonly of: Condition }
  | { readonly form: 'distinct'; readonly column: string; readonly of: Condition }
  | { readonly form: 'sum'; readonly column: string; readonly of: Condition }
  | { readonly form: 'share'; readonly of: Condition; readonly among: Condition }
  | { readonly form: 'shareOfPersons'; readonly of: Condition; readonly among: Condition }
  | {
      readonly form: 'within';
      readonly column: string;
      readonly days: number;
      readonly missing: 'counts-as-not' | 'left-out';
      readonly among: Condition;
    }
  | {
      readonly form: 'quantile';
      readonly column: string;
      readonly at: number;
      /** The divisor of the column's values: 10 if in tenths. */
      readonly scale: number;
      readonly of: Condition;
    }
  | {
      readonly form: 'rate';
      readonly of: Condition;
      readonly per: number;
      readonly population: Population;
      readonly adjusted?: 'us-2000';
    }
  | { readonly form: 'completeness'; readonly lacking: Condition; readonly of: Condition }
  | { readonly form: 'perPerson'; readonly of: Condition }
  | { readonly form: 'latest'; readonly column: string; readonly of: Condition }
  | { readonly form: 'undated' }
  | { readonly form: 'ratio'; readonly over: AnyMeasure; readonly under: AnyMeasure };

/**
 * How the numbers of parts combine. `sum`: they add up. `distinct`: they do not, because one person may be in
 * several parts; over tenants they do, because a person's record belongs to one. `order`: from the frequency
 * of each value. `ratio`: its parts are kept and added, never the ratio.
 */
export type Additivity = 'sum' | 'distinct' | 'order' | 'ratio';
export const additivityOf = {
  count: 'sum',
  sum: 'sum',
  undated: 'sum',
  persons: 'distinct',
  distinct: 'distinct',
  quantile: 'order',
  latest: 'order',
  share: 'ratio',
  within: 'ratio',
  completeness: 'ratio',
  rate: 'ratio',
  ratio: 'ratio',
  // At least one of their parts counts persons.
  shareOfPersons: 'distinct',
  perPerson: 'distinct',
} as const satisfies Record<Formula['form'], Additivity>;

export type Unit = 'count' | 'share' | 'rate' | 'ratio' | 'minutes' | 'hours' | 'days' | 'day' | 'instant';

interface Said {
  /** Whether more is better, worse or neither; decides the tone of a trend. */
  readonly direction?: 'up-good' | 'up-bad';
  /** The source of the definition, an entry of `sources`. Absent for plain counts. */
  readonly source?: Source;
  /** Shown on the tile if two definitions share a name. */
  readonly definition?: string;
  /** The measure whose tile also shows this one, such as a 90th percentile under its median. */
  readonly beside?: string;
  /** The smallest denominator for which it has a value. */
  readonly from?: number;
  /**
   * Protected readers see it in whole percent, from about 100 people on: with fewer, one person would move it
   * by several points.
   */
  readonly coarse?: true;
  /** A share is shown with its 95 % interval. */
  readonly interval?: true;
  /** Disease families it reveals: absent for readers who may not see one of them. */
  readonly tells?: readonly string[];
}

export interface Measure<F extends Fact = Fact> extends Said {
  readonly fact: F;
  readonly formula: Formula;
  readonly unit: Unit;
}
export type AnyMeasure = Measure<CountedFact>;

/** The sources of definitions. */
export const sources = {
  'AAPOR-2023': {
    title: 'Standard definitions: final dispositions of case codes and outcome rates for surveys',
    publisher: 'AAPOR',
    year: 2023,
  },
  'CDC-STI-2021': { title: 'STI Treatment Guidelines', publisher: 'CDC', year: 2021 },
  'FHIR-R5-APPOINTMENT': { title: 'FHIR R5: appointment status', publisher: 'HL7', year: 2023 },
  'HP2020-STD-1.1': { title: 'STD-1.1', publisher: 'Healthy People', year: 2020 },
  'CDC-NBS-PA01': {
    title: 'NBS report PA01: case management',
    publisher: 'CDC',
    year: 2026,
  },
  'CDC-NBS-PA04': { title: 'NBS report PA04: program indicators', publisher: 'CDC', year: 2026 },
  'ICH-E2A': {
    title: 'Clinical safety data management: definitions and standards for expedited reporting (E2A)',
    publisher: 'ICH',
    year: 1994,
  },
  'US-2000': { title: 'NVSS 47(3), standard population of 2000', publisher: 'NCHS', year: 1998 },
  'CDC-HIV-28-4': {
    title: 'Monitoring selected national HIV prevention and care objectives, vol. 28 no. 4',
    publisher: 'CDC',
    year: 2023,
  },
} as const satisfies Record<string, { title: string; publisher: string; year: number }>;
export type Source = keyof typeof sources;

export const bad = { direction: 'up-bad' } as const;
export const good = { direction: 'up-good' } as const;

type PersonFact<F> = F extends { readonly counting: { readonly person: true } } ? F : never;
type PersonWhen<F extends Fact> = When<PersonFact<F>>;
type Time = 'minutes' | 'hours' | 'days';

/** The columns a measure counts by, including those of its conditions. */
export function columnsOf({ formula }: AnyMeasure): string[] {
  if (formula.form === 'ratio') return [...columnsOf(formula.over), ...columnsOf(formula.under)];
  const named = ({ any = [], ...tests }: Condition): string[] => [
    ...Object.keys(tests),
    ...any.flatMap(named),
  ];
  return [
    ...('of' in formula ? named(formula.of) : []),
    ...('among' in formula ? named(formula.among) : []),
    ...('column' in formula ? [formula.column] : []),
    ...('lacking' in formula ? named(formula.lacking) : []),
  ];
}

/** Refuses a condition on a column that numbers may not use, when the measure is declared. */
function checked(fact: Fact, condition: object): Condition {
  for (const [name, test] of Object.entries(condition as Condition))
    if (name === 'any') for (const one of test as readonly Condition[]) checked(fact, one);
    else if (
      !(['filtered', 'aggregated'] as const).some((right) => mayRead(fact.columns[name], right, 'numbers'))
    )
      throw new Error(`numbers of ${fact.name} may not have a condition on ${name}`);
  return condition as Condition;
}

/** The formulas over one fact. */
export const over = <F extends CountedFact>(fact: F) => {
  type Numbers = CountableBy<F, 'integer', 'aggregated'>;
  /** Without a cap, one person could dominate a protected sum. */
  type Summed = {
    [Name in Numbers]: ColumnAt<F, Name> extends { readonly cap: number } ? Name : never;
  }[Numbers];
  type Grouped = CountableBy<F, 'code', 'grouped'>;
  const make = (formula: Formula, unit: Unit, said: Said = {}): Measure<F> => ({
    fact,
    formula,
    unit,
    ...said,
  });
  const all = {} as When<F>;
  const quantile = (column: string, at: number, unit: Time, given: { of?: When<F> } & Said): Measure<F> => {
    const { of = all, ...said } = given;
    const held = fact.columns[column]!;
    const scale = held.kind === 'integer' ? (held.divisor ?? 1) : 1;
    return make({ form: 'quantile', column, at, scale, of: checked(fact, of) }, unit, { ...bad, ...said });
  };
  return {
    /** Rows, or units if several rows make one (`unit`). */
    count: (of: When<F> = all, said?: Said) => make({ form: 'count', of: checked(fact, of) }, 'count', said),
    persons: (of: PersonWhen<F> = all as never, said?: Said) =>
      make({ form: 'persons', of: checked(fact, of) }, 'count', said),
    /** Different values of a code. */
    distinct: (column: Grouped, of: When<F> = all, said?: Said) =>
      make({ form: 'distinct', column, of: checked(fact, of) }, 'count', said),
    /** The sum of a number; for protected readers, values are limited to the column's cap. */
    sum: (column: Summed, of: When<F> = all, said?: Said) =>
      make({ form: 'sum', column, of: checked(fact, of) }, 'count', said),
    /** `of` among `among`: rows that meet both conditions ÷ rows that meet the second. */
    share: (of: When<F>, among: When<F> = all, said?: Said) =>
      make({ form: 'share', of: checked(fact, of), among: checked(fact, among) }, 'share', said),
    /** The same for people: those with a row that meets both ÷ those with a row that meets the second. */
    shareOfPersons: (of: PersonWhen<F>, among: PersonWhen<F> = all as never, said?: Said) =>
      make({ form: 'shareOfPersons', of: checked(fact, of), among: checked(fact, among) }, 'share', said),
    /** Rows per person. */
    perPerson: (of: PersonWhen<F> = all as never, said?: Said) =>
      make({ form: 'perPerson', of: checked(fact, of) }, 'ratio', said),
    /**
     * Rows that took at most this many days. Rows without the number count as not within (`counts-as-not`),
     * or are excluded and counted separately.
     */
    within: (
      column: Numbers,
      days: number,
      missing: 'counts-as-not' | 'left-out',
      among: When<F> = all,
      said?: Said,
    ) =>
      make({ form: 'within', column, days, missing, among: checked(fact, among) }, 'share', {
        ...good,
        ...said,
      }),
    median: (column: Numbers, unit: Time, given: { of?: When<F> } & Said = {}) =>
      quantile(column, 0.5, unit, given),
    percentile: (column: Numbers, at: number, unit: Time, given: { of?: When<F> } & Said = {}) =>
      quantile(column, at, unit, given),
    /**
     * Rows per number of residents and year, or per number of live births. A condition on county, sex or age
     * also narrows the population. None if a filter has no population.
     */
    rate: (
      of: When<F> = all,
      given: { per?: number; population?: Population; adjusted?: 'us-2000' } & Said = {},
    ) => {
      if (!fact.counting.residents) throw new Error(`${fact.name} does not say how its rows become rates`);
      const { per = 100_000, population = 'residents', adjusted, ...said } = given;
      const formula = { form: 'rate', of: checked(fact, of), per, population } as const;
      return make({ ...formula, ...(adjusted && { adjusted }) }, 'rate', said);
    },
    /**
     * How many of the named elements are filled in, over all rows. `lacking`: the values of each that count
     * as missing.
     */
    completeness: (lacking: When<F>, said?: Said) =>
      make({ form: 'completeness', lacking: checked(fact, lacking), of: {} }, 'share', { ...good, ...said }),
    /** The latest day or instant. */
    latest: (column: CountableBy<F, 'day' | 'instant', 'aggregated'>, of: When<F> = all, said?: Said) =>
      make(
        { form: 'latest', column, of: checked(fact, of) },
        fact.columns[column]!.kind === 'day' ? 'day' : 'instant',
        said,
      ),
    /** Rows without the chosen date, by the day they were entered. */
    undated: (said?: Said) => make({ form: 'undated' }, 'count', { ...bad, ...said }),
  };
};

/** One count ÷ another, of the same fact or of two. */
export const ratio = <A extends Measure, B extends Measure>(
  above: A,
  below: B,
  said?: Said,
): Measure<A['fact'] | B['fact']> => {
  for (const { formula } of [above, below])
    if (additivityOf[formula.form] === 'ratio' || additivityOf[formula.form] === 'order')
      throw new Error('a ratio is of two counts');
  return {
    fact: above.fact,
    formula: { form: 'ratio', over: above as AnyMeasure, under: below as AnyMeasure },
    unit: 'ratio',
    ...said,
  };
};

/** The same as a share: the numerator is part of the denominator. */
export const partOf = <A extends Measure, B extends Measure>(
  above: A,
  below: B,
  said?: Said,
): Measure<A['fact'] | B['fact']> => ({ ...ratio(above, below, said), unit: 'share' });
