import { addDays, type DateRange, daysBetween } from '@caseway/contract/date-range';
import { missingKey } from '@caseway/contract/label';
import type { Condition, CountedFact } from '@caseway/contract/measure';
import type { StoredFact } from '../analytics/facts.ts';
import { blockOf, firstDayOf, type Kept, type RollUp, type Split } from '../analytics/roll-ups.ts';
import { testedId } from './conditions.ts';
import {
  ages,
  type CellValue,
  type Counts,
  chosenDay,
  chosenWeek,
  isAdded,
  type Source,
  termsOf,
} from './counting.ts';

/*
 * What roll-ups have of a question. The kept cells follow from the counts that a dashboard requests. For a range,
 * kept blocks are read, and the days of missing blocks are counted as usual.
 */

/** The sources that select rows by filters and a range. */
export const rangeSources: readonly Source[] = ['now', 'before'];

/** What a count of one of these sources is kept by; a week is kept as its days. Undefined if it cannot be kept. */
export function keptBy(
  fact: CountedFact,
  counts: Counts,
  sources: readonly Source[],
): ReadonlySet<string> | undefined {
  if (!isAdded(fact, counts) || ages(counts) || !sources.includes(counts.place.source)) return undefined;
  const terms = termsOf(fact, counts);
  // A test of a number has no column value to keep by.
  if (terms.some(({ test }) => test !== undefined)) return undefined;
  return new Set(terms.map((term) => (term.column === chosenWeek ? chosenDay : testedId(term))));
}

/** The sets of columns that are not contained in another one. */
export function widest(sets: readonly ReadonlySet<string>[]): ReadonlySet<string>[] {
  const chosen: ReadonlySet<string>[] = [];
  for (const one of [...sets].sort((a, b) => b.size - a.size))
    if (!chosen.some((other) => [...one].every((id) => other.has(id)))) chosen.push(one);
  return chosen;
}

/** The roll-ups of a fact for a dashboard. */
export interface KeptCounts {
  rollUp: RollUp;
  /** The conditions for the dashboard's rows. */
  base: readonly Condition[];
  /** The sources with kept counts. */
  sources: readonly Source[];
  /** The stored day that they are kept by. */
  day: string;
}

/** The split that a count needs. */
export const splitOf = ({ splits }: RollUp, needed: ReadonlySet<string>): number =>
  splits.findIndex(({ parts }) => [...needed].every((id) => parts.some((part) => part.id === id)));

/** The values in the text of a cell, by the term that it was counted by. */
export function valuesOfCell({ parts }: Split, texts: readonly string[]): (id: string) => CellValue {
  const values = new Map(
    parts.map(({ id, kind }, index): [string, CellValue] => {
      const text = texts[index]!;
      return [id, text === '' ? null : kind === 'number' ? Number(text) : text];
    }),
  );
  return (id) => values.get(id === chosenWeek ? chosenDay : id) ?? null;
}

/**
 * The only filter of a question, with its texts in a roll-up; null without a filter, undefined if no roll-up has it.
 */
export function onlyFilter(
  { stored, rollUp }: { stored: StoredFact; rollUp: RollUp },
  filters: readonly Condition[],
): { column: string; texts: string[] } | null | undefined {
  if (filters.length === 0) return null;
  if (filters.length > 1) return undefined;
  const entries = Object.entries(filters[0]!);
  const [name, test] = entries[0] ?? [];
  if (entries.length !== 1 || name === undefined || !Array.isArray(test)) return undefined;
  const column = stored.comparedBy[name];
  if (column === undefined || !rollUp.filters.includes(column)) return undefined;
  const declared = stored.shape.columns[name]!;
  const isId = declared.kind === 'code' && declared.ids;
  const texts = (test as readonly string[]).map((value) =>
    value === missingKey ? '' : isId ? value.toLowerCase() : value,
  );
  return { column, texts };
}

/** A range as kept blocks and the days that are left. */
export interface Divided {
  /** From the first block to the last one. */
  blocks: { from: number; to: number }[];
  rest: DateRange[];
}

/** More pieces than this are read faster as one. */
const mostPieces = 6;

/** Divides a range; undefined if so little of it is kept that counting is faster. */
export function divided(
  range: DateRange,
  { blocks, days }: Pick<Kept, 'blocks' | 'days'>,
): Divided | undefined {
  const runs: { from: number; to: number }[] = [];
  let first = blockOf(range.start, days);
  if (firstDayOf(first, days) < range.start) first++;
  let keptDays = 0;
  for (let block = first; firstDayOf(block + 1, days) <= addDays(range.end, 1); block++) {
    if (!blocks.has(block)) continue;
    keptDays += days;
    const run = runs.at(-1);
    if (run && run.to === block - 1) run.to = block;
    else runs.push({ from: block, to: block });
  }
  if (2 * keptDays < daysBetween(range.start, range.end) + 1 || runs.length > mostPieces) return undefined;
  const rest: DateRange[] = [];
  let start = range.start;
  for (const { from, to } of runs) {
    const before = addDays(firstDayOf(from, days), -1);
    if (before >= start) rest.push({ start, end: before });
    start = firstDayOf(to + 1, days);
  }
  if (start <= range.end) rest.push({ start, end: range.end });
  return { blocks: runs, rest };
}
