import { z } from 'zod';
import { day } from './date-range.ts';
import { type ColumnOf, type Fact, type Column as FactColumn, mayRead } from './fact.ts';
import type { Column, Grid } from './grid.ts';

/** How a column looks. The fact says what it holds and what may be done with it. */
type Looks = Pick<Column, 'sensitive' | 'hidden' | 'width' | 'as' | 'whole' | 'words' | 'optionWords'>;
/** A column of the fact, of the same name unless `of` names it, or a column read only with the page. */
type Shown<F extends Fact> = Looks & Filled & ({ of?: ColumnOf<F> } | Beside);
/** Whether every row has a value. */
interface Filled {
  always?: true;
}
/** A column that only the page reads. */
interface Beside {
  beside: 'text' | 'date' | 'number';
}

/** A fact's column as a grid column. */
type GridColumnOf<C> = C extends { kind: 'code'; options: infer Options }
  ? { kind: 'choice'; options: Options }
  : C extends { kind: 'integer' }
    ? { kind: 'number' }
    : C extends { kind: 'day' }
      ? { kind: 'date' }
      : C extends { kind: 'instant' }
        ? { kind: 'date'; withTime: true }
        : C extends { kind: 'text' }
          ? { kind: 'text' }
          : never;
type NameIn<Look, Name> = Look extends { of: infer Of } ? Of : Name;
type ColumnsOver<F extends Fact, L> = {
  [Name in keyof L & string]: Column &
    (L[Name] extends { beside: infer Kind }
      ? { kind: Kind; of?: undefined }
      : NameIn<L[Name], Name> extends keyof F['columns']
        ? GridColumnOf<F['columns'][NameIn<L[Name], Name>]> & { of: NameIn<L[Name], Name> & string }
        : never);
};
/** Columns of the fact by name, or others that declare their source. */
type Checked<F extends Fact, L> = {
  [Name in keyof L]: Name extends ColumnOf<F> ? Shown<F> : Looks & Filled & ({ of: ColumnOf<F> } | Beside);
};

/** A row of a list: the value of each column, if any. */
export type RowOver<F extends Fact, L> = { id: string } & {
  [Name in keyof L & string]: ColumnsOver<F, L>[Name] extends { kind: 'number' }
    ? number | null
    : string | null;
};

const values = { text: z.string(), choice: z.string(), number: z.number(), date: day };

const rowOf = (columns: readonly (readonly [string, Column, filled: boolean])[]) =>
  z.object({
    id: z.uuid(),
    ...Object.fromEntries(
      columns.map(([name, { kind, withTime }, filled]) => {
        const value = withTime ? z.iso.datetime() : values[kind];
        return [name, filled ? value : value.nullable()];
      }),
    ),
  });

type Rest = Omit<
  Grid,
  'columns' | 'filters' | 'row' | 'fact' | 'filterColumns' | 'defaultSort' | 'rangeFields'
>;

const kinds = {
  text: { kind: 'text' },
  integer: { kind: 'number' },
  day: { kind: 'date' },
  instant: { kind: 'date', withTime: true },
} as const;

function held(column: FactColumn): Column {
  if (column.kind === 'code') return { kind: 'choice', options: column.options };
  if (column.kind === 'id' || column.kind === 'flag') throw new Error('a list has no column of that kind');
  return kinds[column.kind];
}

/**
 * A grid over the rows of a fact: `columns` in order with their appearance, and `filters` by name with the
 * column each applies to. A column outside the fact is read with the page, so it cannot be sorted or filtered
 * by.
 */
export function gridOver<
  F extends Fact,
  const L extends Checked<F, L>,
  const Filters extends Readonly<Record<string, ColumnOf<F, 'code'>>>,
  const R extends Rest,
  const Also extends z.ZodRawShape = Record<never, z.ZodType>,
  Row extends z.ZodType = z.ZodType<RowOver<F, L> & { [Name in keyof Also]: z.infer<Also[Name]> }>,
>(
  fact: F,
  {
    also,
    ...grid
  }: R & {
    columns: L;
    filters: Filters;
    /** Absent: the id, the columns' values, and `also`. */
    row?: Row;
    also?: Also;
    defaultSort: { field: Extract<keyof L, string>; sort: 'asc' | 'desc' }[];
    rangeFields?: readonly Extract<keyof L, string>[];
  },
) {
  const columns = Object.entries(
    grid.columns as Record<string, Looks & Filled & { of?: string } & Partial<Beside>>,
  );
  const made = columns.map(
    ([name, { of = name, beside, always = false, ...looks }]): [string, Column, boolean] => {
      if (beside) return [name, { kind: beside, ...looks, sortable: false, filterable: false }, always];
      const column = fact.columns[of]!;
      if (!mayRead(column, 'shown', 'list')) throw new Error(`the list ${grid.id} may not show ${of}`);
      return [
        name,
        {
          ...held(column),
          ...looks,
          of,
          ...(column.readers && { readers: column.readers }),
          ...(!mayRead(column, 'sorted', 'list') && { sortable: false }),
          ...(!mayRead(column, 'filtered', 'list') && { filterable: false }),
        },
        always,
      ];
    },
  );
  for (const narrowed of Object.values<string>(grid.filters))
    if (!mayRead(fact.columns[narrowed], 'filtered', 'list'))
      throw new Error(`the list ${grid.id} may not be filtered by ${narrowed}`);
  return {
    ...grid,
    fact,
    row: (grid.row ?? rowOf(made).extend(also ?? {})) as unknown as Row,
    columns: Object.fromEntries(made.map(([name, column]) => [name, column])) as unknown as ColumnsOver<F, L>,
    filters: Object.keys(grid.filters) as (keyof Filters & string)[],
    filterColumns: grid.filters,
    narrows: Object.fromEntries(
      Object.entries<string>(grid.filters).flatMap(([filter, narrowed]) =>
        made.flatMap(([name, { of }]) => (of === narrowed ? [[filter, name]] : [])),
      ),
    ) as Readonly<Record<string, string>>,
  };
}
