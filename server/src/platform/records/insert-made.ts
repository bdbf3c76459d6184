import { type AnyRecord, columnFor, type Field } from '@caseway/contract/record';
import type { Deciding } from '../carried/carried.ts';
import type { Tx } from '../db/database.ts';
import { insertRows } from '../db/rows.ts';
import type { Values } from './record-server.ts';

const textual = 'text';
/** The column type for each kind of field, if it is not text. */
const typed: Readonly<Partial<Record<Field['kind'], string>>> = {
  texts: 'text[]',
  choices: 'text[]',
  families: 'text[]',
  reference: 'uuid',
  references: 'uuid[]',
  flag: 'boolean',
  count: 'integer',
  day: 'date',
  instant: 'timestamptz',
  rows: 'jsonb',
};

/**
 * Inserts a record that a person makes: the columns of its fields, `ids`, and what it carries of the row that
 * decides who sees it, if another one does.
 */
export const insertMade = (
  tx: Tx,
  tenantId: string,
  record: Pick<AnyRecord, 'table' | 'fields'>,
  given: Values & { id: string },
  ids: Readonly<Record<string, string | null>> = {},
  carriedOf?: Deciding,
): Promise<void> =>
  insertManyMade(
    tx,
    tenantId,
    record,
    [{ ...given, ...ids }],
    Object.fromEntries(Object.keys(ids).map((column) => [column, { type: 'uuid', of: column }])),
    carriedOf,
  );

/** The same for several records. `beside`: columns without a field, with the name of their value. */
export async function insertManyMade(
  tx: Tx,
  tenantId: string,
  { table, fields }: Pick<AnyRecord, 'table' | 'fields'>,
  given: readonly (Values & { id: string })[],
  beside: Readonly<Record<string, { type: string; of: string }>>,
  carriedOf?: Deciding,
): Promise<void> {
  const columns = [
    ...Object.entries(fields).flatMap(([name, field]) =>
      field.in === 'column'
        ? [{ of: name, column: columnFor(name, field), type: typed[field.kind] ?? textual }]
        : [],
    ),
    ...Object.entries(beside).map(([column, one]) => ({ column, ...one })),
  ];
  await insertRows(
    tx,
    tenantId,
    table,
    { id: 'uuid', ...Object.fromEntries(columns.map(({ column, type }) => [column, type])) },
    given.map((one) => ({
      id: one.id,
      ...Object.fromEntries(columns.map(({ of, column }) => [column, one[of] ?? null])),
    })),
    carriedOf && { carriedOf },
  );
}
