import type { OrgType } from './session.ts';

/*
 * A fact is a table of rows that are listed and counted: one row for each record of its base, with everything by which
 * it is found, filtered and counted. Its shape is declared here, by the feature that owns it; the server adds the SQL
 * of each column. View, replica, fields of the grid, visibility and the changes that it follows are made from these two.
 */

/** What reading a column is. What may not be shown may not be found, sorted, grouped or counted by either. */
export const rights = ['shown', 'filtered', 'sorted', 'grouped', 'aggregated'] as const;
export type Right = (typeof rights)[number];

/** What asks: a list of records, or numbers about many. Each has a permission of its own. */
export type Asker = 'list' | 'numbers';

/** How columns are read. What is not named is not granted. */
const readings = {
  /** Codes, days and flags. */
  open: { list: ['shown', 'filtered', 'sorted'], numbers: ['filtered', 'grouped', 'aggregated'] },
  /** Names, numbers and notes, which are of one person or record: a number by them would be about one. */
  record: { list: ['shown', 'filtered', 'sorted'], numbers: [] },
  /** How long something took, or how many persons: counted by value, never a filter of numbers. */
  counted: { list: ['shown', 'filtered', 'sorted'], numbers: ['aggregated'] },
  /** Decides which rows count at all. */
  counting: { list: ['filtered'], numbers: ['filtered'] },
  /** Names the record itself. */
  key: { list: ['shown'], numbers: [] },
} as const satisfies Record<string, Record<Asker, readonly Right[]>>;
export type Reading = keyof typeof readings;

/**
 * What a column holds. `code`: one of the codes in `options`, which are fixed or the entries of a look-up; `ids`: they
 * are the ids of records. `integer`: a number that is counted by value; a list shows it divided by `divisor`.
 */
export type Column = {
  readonly read: Reading;
  /** The kinds of places whose people know it at all; absent: all. */
  readonly readers?: readonly OrgType[];
  /** Disease families that it tells of, whatever the row is about: it is empty where one of them is hidden. [P18] */
  readonly tells?: readonly string[];
} & (
  | { readonly kind: 'id' | 'flag' | 'instant' }
  /** `options`: the look-up with the different texts, as they are compared, from which filters choose. */
  | { readonly kind: 'text'; readonly options?: string }
  | {
      readonly kind: 'day';
      /** Rows are counted by it once it has come: only then is something known of them. */
      readonly onceCome?: true;
    }
  | {
      readonly kind: 'integer';
      readonly divisor?: number;
      /** In sums that protected readers see, a value counts as this at most: one person may not carry a sum. [P17] */
      readonly cap?: number;
    }
  | { readonly kind: 'code'; readonly options: string | readonly string[]; readonly ids?: true }
);
export type Columns = Readonly<Record<string, Column>>;

export const id = { kind: 'id', read: 'key' } as const;
export const text = <const R extends Reading>(read: R) => ({ kind: 'text', read }) as const;
/** A text of which there are few different ones: filters choose from a look-up of them. */
export const listed = <const R extends Reading, const O extends string>(read: R, options: O) =>
  ({ kind: 'text', read, options }) as const;
export const counting = { kind: 'flag', read: 'counting' } as const;
export const flag = { kind: 'flag', read: 'open' } as const;
export const day = <const R extends Reading>(read: R) => ({ kind: 'day', read }) as const;
export const dayOnceCome = { kind: 'day', read: 'open', onceCome: true } as const;
export const instant = { kind: 'instant', read: 'record' } as const;
export const integer = <const R extends Reading>(read: R) => ({ kind: 'integer', read }) as const;
/** A number that can be added up: in protected sums a value counts as the cap at most. */
export const summed = <const R extends Reading>(read: R, cap: number) =>
  ({ kind: 'integer', read, cap }) as const;
/** Tenths of an hour. */
export const tenths = { kind: 'integer', read: 'counted', divisor: 10 } as const;
export const code = <const O extends string | readonly string[]>(options: O) =>
  ({ kind: 'code', options, read: 'open' }) as const;
/** The id of a record with an entry in a look-up. */
export const ref = <const O extends string>(options: O) =>
  ({ kind: 'code', options, ids: true, read: 'open' }) as const;

/**
 * How the rows of a fact become rates. Populations are known by county, sex and age; a filter or split by any other column
 * leaves a rate without a denominator, unless the column says what happened and not to whom (`events`).
 */
export interface Residents<Code extends string = string, Whole extends string = string> {
  readonly county: Code;
  readonly sex: Code;
  readonly ageBand?: Code;
  readonly ageYears: Whole;
  readonly events: readonly Code[];
}

/**
 * How the rows of a fact are counted by dashboards. `Day`, `Flag`, `Id`, `Code` and `Whole` are its columns of these
 * kinds; `Whole` those of whole numbers.
 */
export interface Counting<
  Day extends string = string,
  Flag extends string = string,
  Id extends string = string,
  Code extends string = string,
  Whole extends string = string,
> {
  /** The grid that lists its rows, or the records that they are parts of. */
  readonly records: string;
  /** Where among the words of that grid those of its codes are; absent: each under the name of its column. */
  readonly words?: string;
  /** The days by which its rows can be counted, the usual one first. */
  readonly eventDates: readonly [Day, ...Day[]];
  /** The day a row was entered: rows without the chosen date are counted by it. */
  readonly enteredOn: Day;
  /** Whether a row is about a person. */
  readonly person: boolean;
  /** Rows that count at all; absent if all do. */
  readonly counted?: Flag;
  /** Rows that have this id in common are one: a report with three reactions is one report. */
  readonly unit?: Id;
  /** The disease family by which rows are hidden from some readers. */
  readonly restrictedBy?: Code;
  /** Its rows are of calendar years: of a range the last year is counted that has ended by then. */
  readonly yearly?: true;
  /** Absent: its rows have no rates. */
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
  /** Absent: its rows are only listed. */
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

/** The names of a fact's columns, or of those of a kind. */
export type ColumnOf<F extends Fact, Kind extends Column['kind'] = Column['kind']> = {
  [Name in keyof F['columns'] & string]: F['columns'][Name] extends { kind: Kind } ? Name : never;
}[keyof F['columns'] & string];

/** The columns of these kinds that numbers may read in this way. */
export type CountableBy<F extends Fact, Kind extends Column['kind'], R extends Right> = {
  [Name in ColumnOf<F, Kind>]: F['columns'][Name] extends { read: infer Read extends Reading }
    ? R extends (typeof readings)[Read]['numbers'][number]
      ? Name
      : never
    : never;
}[ColumnOf<F, Kind>];

/**
 * Whether a column may be read in this way: the one place where it is decided, for conditions, sorting, search, saved
 * filters, files and numbers alike. A column that there is not may not be read.
 */
export const mayRead = (column: Pick<Column, 'read'> | undefined, right: Right, by: Asker): boolean =>
  column !== undefined && (readings[column.read][by] as readonly Right[]).includes(right);

/** The columns by which a list filter narrows: codes, and texts that are listed. */
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

/** The look-ups of columns, by the names of the filters that narrow them. */
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
