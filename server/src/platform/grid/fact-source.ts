import { mayRead } from '@caseway/contract/fact';
import type { Column, Grid } from '@caseway/contract/grid';
import type { ColumnSql, StoredFact } from '../analytics/facts.ts';
import type { ChoiceField, Field, GridSource, TextField } from './grid-sql.ts';

/** A grid declared over a fact (`gridOver`). */
type FactGrid = Grid & Required<Pick<Grid, 'fact' | 'filterColumns'>>;

/**
 * The source of a grid over a fact: its fields and filters follow from the columns of the fact, and texts use the
 * folded columns. `only`: the flag of its rows. Throws if it is another fact, or if the grid reads a column in a way
 * that is not allowed.
 */
export function sourceOver<G extends FactGrid>(
  grid: G,
  fact: StoredFact,
  {
    only,
    translations = {},
    searchBy,
    behind,
  }: {
    only?: string;
    behind?: GridSource['behind'];
    translations?: Readonly<Record<string, TextField['translations']>>;
    searchBy?: GridSource['searchBy'];
  },
): GridSource<G> {
  if (grid.fact !== fact.shape)
    throw new Error(`${grid.id} is declared over another fact than ${fact.table}`);
  if (fact.shape.counting?.records === grid.id && !behind)
    throw new Error(`${grid.id} lists the rows of ${fact.table}, and nothing finds those behind a number`);
  const readable = (name: string, right: 'shown' | 'filtered') => {
    if (!mayRead(fact.shape.columns[name], right, 'list'))
      throw new Error(`${grid.id} may not read ${name} of ${fact.table}: ${right}`);
    return `f.${fact.comparedBy[name]}`;
  };
  const choiceOf = (name: string): ChoiceField => {
    const column = fact.shape.columns[name];
    if (column?.kind !== 'code') throw new Error(`${name} of ${fact.table} is not chosen from a list`);
    return {
      kind: 'choice',
      sql: readable(name, 'filtered'),
      order: column.options,
      ...(column.ids && { ids: true }),
    };
  };
  const fieldOf = (name: string): Field => {
    const column = fact.shape.columns[name]!;
    const sql = readable(name, 'shown');
    switch (column.kind) {
      case 'text':
        return {
          kind: 'text',
          sql,
          folded: true,
          ...(translations[name] && { translations: translations[name] }),
        };
      case 'code':
        return choiceOf(name);
      case 'integer': {
        const { divisor } = column;
        return { kind: 'number', sql: divisor ? `(cast(${sql} as double precision) / ${divisor})` : sql };
      }
      case 'day':
      case 'instant':
        return { kind: column.kind, sql };
      default:
        throw new Error(`a list has no column of the kind of ${name} of ${fact.table}`);
    }
  };
  const fields = Object.entries<Column>(grid.columns).flatMap(([name, { of }]): [string, Field][] =>
    of === undefined ? [] : [[name, fieldOf(of)]],
  );
  const filters = Object.entries(grid.filterColumns).map(([name, of]) => [name, choiceOf(of)]);
  return {
    grid,
    fact,
    table:
      only === undefined
        ? fact.table
        : `(select * from ${fact.table} where ${readable(only, 'filtered').slice(2)})`,
    fields: Object.fromEntries(fields),
    filters: Object.fromEntries(filters),
    searchBy,
    behind,
  } as unknown as GridSource<G>;
}

/**
 * The columns of a page of a grid over a fact, as SQL over the fact's tables by their aliases, which must already
 * show only what the reader may see. `told`: whether the reader may know more about a person than everyone who sees
 * the person. [P23] Leaves out columns beside the fact or `given` in another way.
 */
export function pageColumns(
  grid: FactGrid,
  { shape, sql }: StoredFact,
  given: readonly string[] = [],
): string {
  const shown = Object.entries<Column>(grid.columns).flatMap(([name, { of }]) => {
    const stored: string | ColumnSql | { stored: string } | undefined =
      of === undefined ? undefined : sql.columns[of];
    if (of === undefined || stored === undefined || given.includes(name)) return [];
    if (typeof stored === 'object' && 'stored' in stored) return [];
    const {
      sql: text,
      setting,
      untold,
      borrowed,
    }: ColumnSql = typeof stored === 'string' ? { sql: stored } : stored;
    const column = shape.columns[of]!;
    const divisor = column.kind === 'integer' ? column.divisor : undefined;
    const value = divisor === undefined ? text : `(cast(${text} as double precision) / ${divisor})`;
    const conditions = [
      ...(setting === 'genderIdentityShown' ? ['(select app_gender_identity_shown())'] : []),
      ...(untold ? ['told'] : []),
      ...(borrowed === undefined ? [] : [`(not ${sql.own[borrowed]!.sql} or app_told('{}'))`]),
    ];
    const visible =
      conditions.length === 0 ? value : `case when ${conditions.join(' and ')} then ${value} end`;
    return [`${visible} as "${name}"`];
  });
  return shown.join(', ');
}
