import { hash } from 'node:crypto';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** A table of a backup with its columns, except generated ones. */
export interface BackupTable {
  schema: string;
  name: string;
  columns: string[];
  /** The partition of each row of a partitioned table. */
  partitions: { name: string; bound: string }[];
}

/** The number of rows of a table, and a sum over all of them that does not depend on their order. */
export interface RowSum {
  rows: number;
  sum: string;
}

/** With these settings, values have the same text on every server. */
export const plainSettings = `
  set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 3;
  set bytea_output = 'hex'; set client_encoding = 'UTF8'; set lock_timeout = '30s';`;

/**
 * Tables that are derived or belong to the running program: changes for the analytics replicas, which are rebuilt,
 * and the version of the job queue's tables and of our views.
 */
const leftOut = [
  'public.schema_text',
  'public.outbox',
  'public.change_counter',
  'graphile_worker.migrations',
];
const isKept = ({ schema, name }: BackupTable) => !leftOut.includes(`${schema}.${name}`);

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const named = ({ schema, name }: { schema: string; name: string }): string =>
  `${quoted(schema)}.${quoted(name)}`;
export const listed = ({ columns }: BackupTable): string => columns.map(quoted).join(', ');

export async function backupTables(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(`
    select n.nspname as schema, c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select json_agg(json_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid)) order by p.relname)
       from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid), '[]') as partitions
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p') and not c.relispartition
    order by 1, 2`);
  return rows.filter(isKept);
}

/** Adds up rows as COPY writes them, line by line. */
export class RowCounter {
  rows = 0;
  #low = 0n;
  #high = 0n;
  #begun: Buffer[] = [];

  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#begun.push(chunk.subarray(start, end));
      this.#line(this.#begun.length === 1 ? this.#begun[0]! : Buffer.concat(this.#begun));
      this.#begun = [];
      start = end + 1;
    }
    if (start < chunk.length) this.#begun.push(chunk.subarray(start));
  }

  #line(line: Buffer): void {
    const digest = hash('sha256', line, 'buffer');
    this.rows += 1;
    this.#low = BigInt.asUintN(64, this.#low + digest.readBigUInt64BE(0));
    this.#high = BigInt.asUintN(64, this.#high + digest.readBigUInt64BE(8));
  }

  get total(): RowSum {
    const [low, high] = [this.#low, this.#high].map((half) => half.toString(16).padStart(16, '0'));
    return { rows: this.rows, sum: `${high}${low}` };
  }
}

/** The rows of a table as text, in chunks. */
export const readRows = (client: pg.Client, table: BackupTable): AsyncIterable<Buffer> =>
  client.query(copyTo(`copy (select ${listed(table)} from ${named(table)}) to stdout`));
