import { createHash } from 'node:crypto';
import type { Scope } from '../scope.ts';
import { joined, type StoredFact } from './facts.ts';
import type { Param, Question } from './visible-facts.ts';

/*
 * Roll-ups: what questions count of a fact, counted ahead by blocks of weeks, once for all rows and once for the rows of
 * each value of a filter. A replica keeps them as far as they are true, block by block: who needs another block counts its
 * rows. Each kind of reader has their own, counted of what these readers are shown, so nothing has to be hidden in them.
 */

/** Cells of which rows are counted: the values of some columns together. */
export interface Split {
  parts: readonly {
    /** What it is for who asks. */
    id: string;
    kind: 'text' | 'number';
    /** Its SQL, by the stored day by which rows are counted. */
    sql: (day: string) => string;
    isFree: boolean;
  }[];
}

/** A number that is kept of each cell, and how those of several blocks are put together. */
export interface KeptNumber {
  name: string;
  sql: string;
  together: string;
}

export interface RollUp {
  stored: StoredFact;
  /** The condition for the rows that are counted. `place` gives a value its place in the statement. */
  rows: (place: (value: Param) => string) => string;
  splits: readonly Split[];
  /** The stored codes by which rows may be filtered. */
  filters: readonly string[];
  numbers: readonly KeptNumber[];
  /** Stored columns that the numbers need. */
  numbersOf: readonly string[];
}

/** A question that roll-ups answer in part. */
export interface RolledQuestion {
  rollUp: RollUp;
  /** The stored day by which rows are counted. */
  day: string;
  /** The stored code that is filtered by; absent where none is. */
  filter?: string;
  /** The question with what is kept; undefined if that is no help. */
  from: (kept: Kept) => Question | undefined;
}

/** The blocks that are kept for a question, and the tables that have them. */
export interface Kept {
  blocks: ReadonlySet<number>;
  /** How many days a block has. */
  days: number;
  /** `filter`, `block`, `cell` and the numbers. */
  counts: string;
  /** `number`, `kind` and `text` of cells and of values of filters. */
  cells: string;
}

/** The first day of the first block, a Sunday: blocks are MMWR weeks, or four of them. */
const firstDay = '1899-12-31';
const dayNumber = (day: string): number => Date.parse(day) / 86_400_000 - Date.parse(firstDay) / 86_400_000;
/** The block of a day. */
export const blockOf = (day: string, days: number): number => Math.floor(dayNumber(day) / days);
export const firstDayOf = (block: number, days: number): string =>
  new Date(Date.parse(firstDay) + block * days * 86_400_000).toISOString().slice(0, 10);
/** The number of days from the first one, as SQL. */
export const sinceFirstDay = (day: string): string => `(${day} - cast('${firstDay}' as date))`;

/** All rows are counted by week, so that little is left to count at both ends of a range; filtered ones by four. */
export const daysOfBlock = (filter: string | undefined): number => (filter === undefined ? 7 : 28);

/** The kind of the cells of a split, and of the values of a filter. */
export const kindOfSplit = (index: number): number => index;
export const kindOfFilter = (index: number): number => 1000 + index;

/** Readers who share roll-ups: those who see all of a tenant, but for the same families. */
export function readersOf(scope: Scope): string | undefined {
  if (scope.kind !== 'org' || (scope.orgType !== 'T' && scope.orgType !== 'A')) return undefined;
  return JSON.stringify([[...scope.hiddenFamilies].sort(), scope.genderIdentityShown]);
}

/** The rows of some blocks with what they are counted by. */
export function rowsToCount(
  { stored, rows, splits, filters, numbersOf }: RollUp,
  day: string,
  filtered: boolean,
  { from, to, days }: { from: number; to: number; days: number },
): { question: Question; parts: string[]; splits: number[][] } {
  const params: Param[] = [];
  const place = (value: Param) => `$${params.push(value)}`;
  const parts: string[] = [];
  const places = splits.map((split) =>
    split.parts.map(({ sql }) => {
      const text = sql(day);
      if (!parts.includes(text)) parts.push(text);
      return parts.indexOf(text);
    }),
  );
  const selected = [
    `cast(${sinceFirstDay(day)} / ${days} as integer) as block`,
    ...parts.map((sql, index) => `${sql} as p${index}`),
    ...(filtered ? filters.map((column, index) => `${column} as f${index}`) : []),
    ...numbersOf,
  ];
  const range = `${day} between cast(${place(firstDayOf(from, days))} as date) and cast(${place(firstDayOf(to + 1, days))} as date) - 1`;
  return {
    question: {
      select: `select ${selected.join(', ')} from ${stored.table} where ${rows(place)} and ${range}`,
      params,
    },
    parts,
    splits: places,
  };
}

/** The text of a cell, of the columns `p0`, `p1` … */
export const textOfCell = ({ parts }: Split, places: readonly number[]): string =>
  joined(parts.map(({ isFree }, index) => ({ sql: `p${places[index]}`, isFree })));

const definitions = new WeakMap<RollUp, string>();

/** Roll-ups of the same definition are the same. */
export function definitionOf(rollUp: RollUp): string {
  const known = definitions.get(rollUp);
  if (known !== undefined) return known;
  const { stored, rows, splits, filters, numbers } = rollUp;
  const params: Param[] = [];
  const where = rows((value) => `$${params.push(value)}`);
  const parts = splits.map((split) => split.parts.map(({ sql, kind, isFree }) => [sql('@'), kind, isFree]));
  const definition = createHash('sha256')
    .update(JSON.stringify([stored.table, where, params, parts, filters, numbers]))
    .digest('hex')
    .slice(0, 16);
  definitions.set(rollUp, definition);
  return definition;
}
