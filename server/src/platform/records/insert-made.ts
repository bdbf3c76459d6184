import { type AnyRecord, columnFor, type Field } from '@caseway/contract/record';
import type { Deciding } from '../carried/carried.ts';
import type { Tx } from '../db/database.ts';
import { insertRows } from '../db/rows.ts';
import type { Values } from './record-server.ts';

const textual = 'text';
/** The type of a column with a field of each kind, where it is no text. */
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
 * Inserts a record that people make: its fields by the columns of the declaration, `ids` beside them, and what it carries of
 * the row that decides who sees it, if another one does.
 */
export async function insertMade(
  tx: Tx,
  tenantId: string,
  { table, fields }: Pick<AnyRecord, 'table' | 'fields'>,
  { id, ...given }: Values & { id: string },
  ids: Readonly<Record<string, string | null>> = {},
  carriedOf?: Deciding,
): Promise<void> {
  const columns = Object.entries(fields).flatMap(([name, field]) =>
    field.in === 'column'
      ? [{ name, column: columnFor(name, field), type: typed[field.kind] ?? textual }]
      : [],
  );
  const types = Object.fromEntries(columns.map(({ column, type }) => [column, type]));
  const row = Object.fromEntries(columns.map(({ name, column }) => [column, given[name] ?? null]));
  await insertRows(
    tx,
    tenantId,
    table,
    { id: 'uuid', ...types, ...Object.fromEntries(Object.keys(ids).map((column) => [column, 'uuid'])) },
    [{ id, ...row, ...ids }],
    carriedOf && { carriedOf },
  );
}
