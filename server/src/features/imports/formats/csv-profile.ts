import type { CsvDateOrder } from '@caseway/contract/csv-mapping';
import { dateFormOf } from './csv-dates.ts';
import { isMissingOrUnknown } from './csv-values.ts';

/** What the values of a column look like, over all rows. */
export interface ColumnProfile {
  /** Cells that are not empty. */
  filled: number;
  missing: number;
  /** Cells that are dates, by what they say about the order of day and month. */
  dates: { ordered: number; dmy: number; mdy: number; either: number; same: number };
  numbers: number;
  /** Different values in lower case with their counts, while there are few. */
  values: Map<string, number> | undefined;
  /** Cells with 99, and with 90 to 98, to tell a code for missing from an age. */
  ninetyNines: number;
  nineties: number;
}

const fewValues = 40;
/** After this many cells it is clear what a column is; only the order of day and month is still searched for. */
const enough = 20_000;

/** Collects what the columns look like, row by row. */
export class Profiler {
  readonly columns: ColumnProfile[];
  rows = 0;

  constructor(width: number) {
    this.columns = Array.from({ length: width }, () => ({
      filled: 0,
      missing: 0,
      dates: { ordered: 0, dmy: 0, mdy: 0, either: 0, same: 0 },
      numbers: 0,
      values: new Map(),
      ninetyNines: 0,
      nineties: 0,
    }));
  }

  add(cells: readonly string[]): void {
    this.rows++;
    for (let at = 0; at < this.columns.length; at++) this.#addCell(this.columns[at]!, cells[at] ?? '');
  }

  #addCell(column: ColumnProfile, cell: string): void {
    if (cell === '' || isMissingOrUnknown(cell)) {
      column.missing++;
      return;
    }
    column.filled++;
    const { dates } = column;
    const found = dates.ordered + dates.dmy + dates.mdy + dates.either + dates.same;
    if (column.filled < enough || found > 0) {
      const form = dateFormOf(cell);
      if (form !== 'none') dates[form]++;
    }
    if (column.filled < enough) {
      if (/^\s*[+-]?\d+([.,]\d+)?\s*$/.test(cell)) column.numbers++;
      const trimmed = cell.trim();
      if (trimmed === '99') column.ninetyNines++;
      else if (/^9[0-8]$/.test(trimmed)) column.nineties++;
    }
    if (column.values) {
      const key = cell.trim().toLowerCase().slice(0, 60);
      column.values.set(key, (column.values.get(key) ?? 0) + 1);
      if (column.values.size > fewValues) column.values = undefined;
    }
  }
}

/** The share of the filled cells that are dates. */
export const dateShare = (column: ColumnProfile): number => {
  const { ordered, dmy, mdy, either, same } = column.dates;
  return column.filled === 0 ? 0 : (ordered + dmy + mdy + either + same) / column.filled;
};

/**
 * The order of day and month in a column: the one its unambiguous dates agree on; `none-needed` if every date is
 * unambiguous; `unknown` if some are ambiguous and nothing decides, or if the unambiguous ones contradict each
 * other.
 */
export function dateOrderOf(column: ColumnProfile): CsvDateOrder | 'none-needed' | 'unknown' {
  const { dmy, mdy, either } = column.dates;
  if (dmy > 0 && mdy > 0) return either > 0 ? 'unknown' : 'none-needed';
  if (dmy > 0) return 'dmy';
  if (mdy > 0) return 'mdy';
  return either > 0 ? 'unknown' : 'none-needed';
}

/** Whether 99 means missing in a column of ages: it occurs, and far more often than its neighbours. */
export const ninetyNineIsMissing = (column: ColumnProfile): boolean =>
  column.ninetyNines >= 2 && column.ninetyNines > 3 * column.nineties;

/**
 * Whether a column uses M for mujer, a woman: it also has H or V, for hombre or varón, and no F. On its own, M would
 * be read as a man, and every row would become a man.
 */
export function mIsWoman({ values }: ColumnProfile): boolean {
  const has = (letter: string) => values?.has(letter) === true;
  return has('m') && (has('h') || has('v')) && !has('f');
}

/**
 * How a column codes sex in digits: ISO 5218 (1 male, 2 female, 0 and 9 not known) if there is a 2; undefined if the
 * digits are unclear (only 0 and 1).
 */
export function sexFigures(column: ColumnProfile): 'none' | 'iso-5218' | undefined {
  const figures = [...(column.values?.keys() ?? [])].filter((value) => /^\d+(\.0)?$/.test(value)).map(Number);
  if (figures.length === 0) return 'none';
  if (figures.some((figure) => ![0, 1, 2, 9, 99].includes(figure))) return undefined;
  return figures.includes(2) ? 'iso-5218' : undefined;
}
