import { createHash } from 'node:crypto';
import type { Scope } from '../scope.ts';
import { joined, type StoredFact } from './facts.ts';
import type { Param, Question } from './visible-facts.ts';

/*
 * Roll-ups: counts of a fact made ahead by blocks of weeks, once for all rows and once for the rows of each filter
 * value. A replica keeps the blocks that are true; a question that needs another block counts its rows. Each kind of
 * reader has separate roll-ups, counted from what these readers see, so nothing in them needs hiding.
 */

/** Cells to count rows by: the values of some columns together. */
export interface Split {
  parts: readonly {
    /** The caller's id for it. */
    id: string;
    kind: 'text' | 'number';
    /** Its SQL, given the stored day that rows are counted by. */
    sql: (day: string) => string;
    isFree: boolean;
  }[];
}

/** A number that is kept for each cell, and how to combine it over several blocks. */
export interface KeptNumber {
  name: string;
  sql: string;
  together: string;
}

export interface RollUp {
  stored: StoredFact;
  /** The condition for the counted rows. `place` adds a value to the statement's parameters. */
  rows: (place: (value: Param) => string) => string;
  splits: readonly Split[];
  /** The stored codes that rows may be filtered by. */
  filters: readonly string[];
  numbers: readonly KeptNumber[];
  /** Stored columns that the numbers need. */
  numbersOf: readonly string[];
}

/** A question that roll-ups can answer in part. */
export interface RolledQuestion {
  rollUp: RollUp;
  /** The stored day by which rows are counted. */
  day: string;
  /** The stored code of the filter; absent without a filter. */
  filter?: string;
  /** The question with the kept blocks; undefined if they do not help. */
  from: (kept: Kept) => Question | undefined;
}

/** The kept blocks for a question, and the tables that hold them. */
export interface Kept {
  blocks: ReadonlySet<number>;
  /** Days per block. */
  days: number;
  /** The table with `filter`, `block`, `cell` and the numbers. */
  counts: string;
  /** The table with `number`, `kind` and `text` of cells and filter values. */
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

/**
 * All rows are counted by week, so that little remains to count at both ends of a range; filtered rows by four
 * weeks.
 */
export const daysOfBlock = (filter: string | undefined): number => (filter === undefined ? 7 : 28);

/** The kind of the cells of a split, and of the values of a filter. */
export const kindOfSplit = (index: number): number => index;
export const kindOfFilter = (index: number): number => 1000 + index;

/** Groups readers who can share roll-ups: those who see a whole tenant except the same families. */
export function readersOf(scope: Scope): string | undefined {
  if (scope.kind !== 'org' || (scope.orgType !== 'T' && scope.orgType !== 'A')) return undefined;
  return JSON.stringify([[...scope.hiddenFamilies].sort(), scope.genderIdentityShown]);
}

/** The rows of some blocks, with the columns to count by. */
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

/** Equal definitions share a roll-up. */
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
