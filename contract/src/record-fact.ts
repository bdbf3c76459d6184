import type { z } from 'zod';
import { type Column, type Fact, fact, id } from './fact.ts';
import type { Column as GridColumn } from './grid.ts';
import { type Field, type Fields, listOf, type RecordOf } from './record.ts';

/** The fields of a record that have a column in its list (`listed`). */
type Listed<F extends Fields> = {
  [Name in keyof F & string]: F[Name] extends { list: object } ? Name : never;
}[keyof F & string];
/** Fields used to search, sort and filter. */
type InFact<F extends Fields> = {
  [Name in Listed<F>]: F[Name] extends { beside: true } ? never : Name;
}[Listed<F>];

/** A field as a fact's column. */
function columnOf(name: string, { kind, options, read }: Field): Column {
  if (options !== undefined && (kind === 'choice' || kind === 'reference'))
    return { kind: 'code', options, read, ...(kind === 'reference' && { ids: true }) };
  if (kind === 'text' || kind === 'email' || kind === 'phone') return { kind: 'text', read };
  if (kind === 'day' || kind === 'instant') return { kind, read };
  if (kind === 'count') return { kind: 'integer', read };
  throw new Error(`${name} cannot be a column of a fact`);
}

/** The fact of a record with listed fields: one column each, read as the field is. */
export const factOf = <const Name extends string, const F extends Fields>(name: Name, fields: F) =>
  fact(name, {
    id,
    ...Object.fromEntries(
      Object.entries(fields)
        .filter(([, one]) => one.list && !one.beside)
        .map(([field, one]) => [field, columnOf(field, one)]),
    ),
  }) as unknown as Fact<{ readonly [One in 'id' | InFact<F>]: Column }, Name>;

/** The record's list: its fact's columns plus the extra ones. */
export function listOver<const F extends Fields>(
  over: Fact,
  fields: F,
  declaration: Omit<Parameters<typeof listOf<F>>[1], 'columns'>,
) {
  const list = listOf(fields, declaration);
  const columns = Object.entries<GridColumn>(list.columns);
  const shown = Object.fromEntries(['id', ...Object.keys(list.columns)].map((name) => [name, true as const]));
  return {
    ...list,
    fact: over,
    filterColumns: list.narrows,
    columns: Object.fromEntries(
      columns.map(([name, column]) => [name, name in over.columns ? { ...column, of: name } : column]),
    ),
    row: (list.row as unknown as z.ZodObject).pick(shown as never) as unknown as z.ZodType<
      Pick<RecordOf<{ fields: F }>, 'id' | Listed<F>>
    >,
  };
}
