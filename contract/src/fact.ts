import type { OrgType } from './session.ts';

/*
 * A fact is a table of rows to list and count: one row per record of its base, with everything to find,
 * filter and count it by. The feature that owns it declares its shape here; the server adds the SQL of each
 * column. View, replica, grid fields, visibility and updates all follow from these two.
 */

/**
 * What reading a column can mean. A value that may not be shown may not be searched, sorted, grouped or
 * counted by either.
 */
export const rights = ['shown', 'filtered', 'sorted', 'grouped', 'aggregated'] as const;
export type Right = (typeof rights)[number];

/** Who asks: a list of records, or numbers over many. Each has its own permission. */
export type Asker = 'list' | 'numbers';

/** How columns are read. Anything not listed is not allowed. */
const readings = {
  /** Codes, days and flags. */
  open: { list: ['shown', 'filtered', 'sorted'], numbers: ['filtered', 'grouped', 'aggregated'] },
  /** Names, numbers and notes: a count by one of them would be about one person or record. */
  record: { list: ['shown', 'filtered', 'sorted'], numbers: [] },
  /** Durations and numbers of persons: counted by value, never a filter of numbers. */
  counted: { list: ['shown', 'filtered', 'sorted'], numbers: ['aggregated'] },
  /** Decides which rows count at all. */
  counting: { list: ['filtered'], numbers: ['filtered'] },
  /** Names the record itself. */
  key: { list: ['shown'], numbers: [] },
} as const satisfies Record<string, Record<Asker, readonly Right[]>>;
export type Reading = keyof typeof readings;

/**
 * What a column holds. `code`: a code from `options`, a fixed list or a look-up; `ids`: the codes are record
 * ids. `integer`: a number counted by value; a list shows it divided by `divisor`.
 */
export type Column = {
  readonly read: Reading;
  /** The kinds of places whose users have the column at all; absent: all. */
  readonly readers?: readonly OrgType[];
  /**
   * Disease families it reveals, whatever the row is about: it is empty for readers who may not see one of
   * them. [P18]
   */
  readonly tells?: readonly string[];
} & (
  | { readonly kind: 'id' | 'flag' | 'instant' }
  /** `options`: the look-up of the distinct texts, as compared, for filters to choose from. */
  | { readonly kind: 'text'; readonly options?: string }
  | {
      readonly kind: 'day';
      /** Rows are counted by this day only once it has come, because nothing is known of them before. */
      readonly onceCome?: true;
    }
  | {
      readonly kind: 'integer';
      readonly divisor?: number;
      /**
       * In protected sums a value counts at most this much, so that no single person dominates a sum. [P17]
       */
      readonly cap?: number;
    }
  | { readonly kind: 'code'; readonly options: string | readonly string[]; readonly ids?: true }
);
export type Columns = Readonly<Record<string, Column>>;

export const id = { kind: 'id', read: 'key' } as const;
export const text = <const R extends Reading>(read: R) => ({ kind: 'text', read }) as const;
/** A text with few distinct values: filters choose from a look-up of them. */
export const listed = <const R extends Reading, const O extends string>(read: R, options: O) =>
  ({ kind: 'text', read, options }) as const;
export const counting = { kind: 'flag', read: 'counting' } as const;
export const flag = { kind: 'flag', read: 'open' } as const;
export const day = <const R extends Reading>(read: R) => ({ kind: 'day', read }) as const;
export const dayOnceCome = { kind: 'day', read: 'open', onceCome: true } as const;
export const instant = { kind: 'instant', read: 'record' } as const;
export const integer = <const R extends Reading>(read: R) => ({ kind: 'integer', read }) as const;
/** A number that can be summed; in protected sums a value counts at most `cap`. */
export const summed = <const R extends Reading>(read: R, cap: number) =>
  ({ kind: 'integer', read, cap }) as const;
/** Tenths of an hour. */
export const tenths = { kind: 'integer', read: 'counted', divisor: 10 } as const;
export const code = <const O extends string | readonly string[]>(options: O) =>
  ({ kind: 'code', options, read: 'open' }) as const;
/** The id of a record in a look-up. */
export const ref = <const O extends string>(options: O) =>
  ({ kind: 'code', options, ids: true, read: 'open' }) as const;

/**
 * How rows of a fact become rates. Populations are known by county, sex and age. A filter or split by any
 * other column leaves a rate without a denominator, unless the column says what happened, not to whom
 * (`events`).
 */
export interface Residents<Code extends string = string, Whole extends string = string> {
  readonly county: Code;
  readonly sex: Code;
  readonly ageBand?: Code;
  readonly ageYears: Whole;
  readonly events: readonly Code[];
}

/**
 * How dashboards count the rows of a fact. `Day`, `Flag`, `Id`, `Code` and `Whole` are its columns of those
 * kinds; `Whole` means integers.
 */
export interface Counting<
  Day extends string = string,
  Flag extends string = string,
  Id extends string = string,
  Code extends string = string,
  Whole extends string = string,
> {
  /** The grid that lists its rows, or the records they belong to. */
  readonly records: string;
  /** Where that grid's texts have the labels of its codes; absent: each under its column's name. */
  readonly words?: string;
  /** The days its rows can be counted by, the default first. */
  readonly eventDates: readonly [Day, ...Day[]];
  /** The day a row was entered; rows without the chosen date are counted by it. */
  readonly enteredOn: Day;
  readonly person: boolean;
  /** Rows that count at all; absent: all do. */
  readonly counted?: Flag;
  /** Rows with the same id count once: a report with three reactions is one report. */
  readonly unit?: Id;
  /** The disease family that hides rows from some readers. */
  readonly restrictedBy?: Code;
  /** Its rows are calendar years: of a range, only the last completed year counts. */
  readonly yearly?: true;
  /** Absent if its rows have no rates. */
  readonly residents?: Residents<Code, Whole>;
}
type CountingOf<C extends Columns> = Counting<
  NamesOf<C, 'day'>,
  NamesOf<C, 'flag'>,
  NamesOf<C, 'id'>,
  NamesOf<C, 'code'>,
  NamesOf<C, 'integer'>
>;

export interface Fact<C extends Columns = Columns, Name extends string = string> {
  readonly name: Name;
  readonly columns: C;
  /** Absent if its rows are only listed. */
  readonly counting?: Counting;
}

export function fact<const Name extends string, const C extends Columns>(
  name: Name,
  columns: C,
): Fact<C, Name>;
export function fact<
  const Name extends string,
  const C extends Columns,
  const K extends CountingOf<NoInfer<C>>,
>(name: Name, columns: C, counting: K): Fact<C, Name> & { readonly counting: K };
export function fact(name: string, columns: Columns, counting?: Counting): Fact {
  return { name, columns, ...(counting && { counting }) };
}

type NamesOf<C extends Columns, Kind extends Column['kind']> = {
  [Name in keyof C & string]: C[Name] extends { kind: Kind } ? Name : never;
}[keyof C & string];

/** The names of a fact's columns, optionally of one kind. */
export type ColumnOf<F extends Fact, Kind extends Column['kind'] = Column['kind']> = {
  [Name in keyof F['columns'] & string]: F['columns'][Name] extends { kind: Kind } ? Name : never;
}[keyof F['columns'] & string];

/** Columns of these kinds that numbers may read in this way. */
export type CountableBy<F extends Fact, Kind extends Column['kind'], R extends Right> = {
  [Name in ColumnOf<F, Kind>]: F['columns'][Name] extends { read: infer Read extends Reading }
    ? R extends (typeof readings)[Read]['numbers'][number]
      ? Name
      : never
    : never;
}[ColumnOf<F, Kind>];

/**
 * Whether a column may be read in this way. The only place that decides it, for conditions, sorting, search,
 * saved filters, files and numbers. An unknown column may not be read.
 */
export const mayRead = (column: Pick<Column, 'read'> | undefined, right: Right, by: Asker): boolean =>
  column !== undefined && (readings[column.read][by] as readonly Right[]).includes(right);

/** The columns a list filter can use: codes, and listed texts. */
export type ListedBy<F extends Fact> = {
  [Name in CountableBy<F, 'code' | 'text', 'filtered'>]: F['columns'][Name] extends { options: unknown }
    ? Name
    : never;
}[CountableBy<F, 'code' | 'text', 'filtered'>];

type CodesIn<F extends Fact, Name> = Name extends keyof F['columns']
  ? F['columns'][Name] extends { options: infer Options }
    ? Options
    : never
  : never;

/** The look-ups of columns, by the names of the filters that use them. */
export const lookupsOf = <
  F extends Fact,
  const Filters extends Readonly<Record<string, ColumnOf<F, 'code'>>>,
>(
  fact: F,
  filters: Filters,
) =>
  Object.fromEntries(
    Object.entries<string>(filters).map(([name, column]) => {
      const of = fact.columns[column]!;
      return [name, of.kind === 'code' ? of.options : undefined];
    }),
  ) as { [Name in keyof Filters]: CodesIn<F, Filters[Name]> };
