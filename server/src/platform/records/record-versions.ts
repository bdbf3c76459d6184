import { type AnyRecord, columnFor } from '@caseway/contract/record';
import type { Deciding } from '../carried/carried.ts';
import type { Tx } from '../db/database.ts';
import { few } from '../db/few.ts';
import { insertRows } from '../db/rows.ts';
import { type Changes, changesOf } from './record-history.ts';
import type { Values } from './record-server.ts';

/*
 * The history of records about patients, in `<table>_history`. A place that shares a record with others does not see
 * what they have told (`told_within`). It has its own version numbers, and learns nothing of versions that it does
 * not see. [P23]
 */

/** Who makes a version; no account if an import or the rules do. */
export interface Maker {
  accountId: string | null;
  /** The versions that it undoes, and the transitions that were done, by record id. */
  undone?: ReadonlyMap<string, Undone>;
  done?: ReadonlyMap<string, Done>;
  /** The bulk action that it belongs to. */
  actionId?: string | undefined;
}

/** A transition that a person has done, and the reason. */
export interface Done {
  transition: string;
  reason: string | null;
}

/** The number of a version, and its number for the places that share the record. */
interface Undone {
  number: number;
  within: number | null;
}

type Versioned = Pick<AnyRecord, 'table' | 'fields' | 'alone' | 'workflow'>;

interface Sides {
  id: string;
  version: number;
  whole: Values;
  /** The version and values for the places that share the record, if they differ. */
  versionWithin: number | null;
  within: Values | null;
}

/** PostgreSQL functions take at most a hundred arguments. */
const fieldsAtOnce = 50;
/** The fields of a row's columns, as JSON. */
function valuesOf({ fields }: Versioned, row: string): string {
  const pairs = Object.entries(fields).flatMap(([name, field]) =>
    field.in === 'column' ? [`'${name}', ${row}.${columnFor(name, field)}`] : [],
  );
  const parts = Array.from({ length: Math.ceil(pairs.length / fieldsAtOnce) }, (_, part) =>
    pairs.slice(part * fieldsAtOnce, (part + 1) * fieldsAtOnce),
  );
  return parts.map((part) => `jsonb_build_object(${part.join(', ')})`).join(' || ');
}

async function sidesOf(
  tx: Tx,
  record: Versioned,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, Sides>> {
  const within = record.alone
    ? 'null::integer as "versionWithin", null::jsonb as within'
    : `cast(r.told_within ->> 'version' as integer) as "versionWithin",
       case when r.told_within is not null
         then (select ${valuesOf(record, 's')} from jsonb_populate_record(r, r.told_within) s) end as within`;
  const rows = await tx.rows<Sides>(
    `select r.id, r.version, ${valuesOf(record, 'r')} as whole, ${within}
     from ${record.table} r where r.tenant_id = $1 and r.id = any ($2::uuid[])`,
    [tenantId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** What the places that share a record see of a change; null if they do not see it. */
function withinOf(before: Sides, after: Sides): { version: number; changes: Changes } | null {
  const version = after.versionWithin ?? after.version;
  if (version === (before.versionWithin ?? before.version)) return null;
  return { version, changes: changesOf(before.within ?? before.whole, after.within ?? after.whole) };
}

/**
 * Runs work that changes records about patients, and stores a history row for each version that it makes. Every
 * statement that raises a record's version runs inside it.
 */
export async function keepingVersions<T>(
  tx: Tx,
  record: Versioned,
  tenantId: string,
  ids: readonly string[],
  { accountId, undone, done, actionId }: Maker,
  work: () => Promise<T>,
): Promise<T> {
  if (ids.length === 0) return work();
  const flow = record.workflow?.flow;
  const before = await sidesOf(tx, record, tenantId, ids);
  const result = await work();
  const after = await sidesOf(tx, record, tenantId, ids);
  await insertRows(
    tx,
    tenantId,
    `${record.table}_history`,
    {
      record_id: 'uuid', version: 'integer', account_id: 'uuid', changes: 'jsonb', undoes: 'integer', action_id: 'uuid',
      version_within: 'integer', changes_within: 'jsonb', undoes_within: 'integer',
      ...(flow && { flow_version: 'integer', transition: 'text', reason: 'text' }),
    }, // biome-ignore format: a table
    [...after.values()].flatMap((now) => {
      const was = before.get(now.id);
      if (!was || was.version === now.version) return [];
      const within = withinOf(was, now);
      const undoes = undone?.get(now.id);
      return [
        {
          record_id: now.id,
          version: now.version,
          account_id: accountId,
          changes: changesOf(was.whole, now.whole),
          undoes: undoes?.number ?? null,
          action_id: actionId ?? null,
          version_within: within?.version ?? null,
          changes_within: was.within || now.within ? (within?.changes ?? null) : null,
          undoes_within: undoes?.within ?? null,
          ...(flow && {
            flow_version: flow.version,
            transition: done?.get(now.id)?.transition ?? null,
            reason: done?.get(now.id)?.reason ?? null,
          }),
        },
      ];
    }),
    { carriedOf: record.table as Deciding },
  );
  return result;
}

/** Stores the first version of records that people or line lists have made, because their history begins with it. */
export async function keepFirstVersions(
  tx: Tx,
  record: Versioned,
  tenantId: string,
  ids: readonly string[],
  accountId: string | null,
): Promise<void> {
  const made = await sidesOf(tx, record, tenantId, ids);
  await insertRows(
    tx,
    tenantId,
    `${record.table}_history`,
    {
      record_id: 'uuid',
      version: 'integer',
      version_within: 'integer',
      account_id: 'uuid',
      changes: 'jsonb',
    },
    [...made.values()].map(({ id, version, whole }) => ({
      record_id: id,
      version,
      version_within: version,
      account_id: accountId,
      changes: Object.fromEntries(Object.entries(whole).map(([name, to]) => [name, { to }])),
    })),
    { carriedOf: record.table as Deciding },
  );
}

const isPlace = `coalesce(current_setting('app.org_type', true), '') in ('O', 'F')`;

/** The history of a record about patients as the reader sees it, in place of a table like `record_history`. */
export const historyShown = ({ table, workflow }: Pick<Versioned, 'table' | 'workflow'>): string =>
  `(select ${workflow ? 'w.transition, w.reason,' : ''} w.tenant_id, w.record_id, w.at, w.account_id, w.action_id, w.version as number,
      case when ${isPlace} then w.version_within else w.version end as version,
      case when ${isPlace} then coalesce(w.changes_within, w.changes) else w.changes end as changes,
      case when ${isPlace} then w.undoes_within else w.undoes end as undoes, w.version_within as within
    from ${table}_history w)`;

/** The versions behind the numbers that a reader sees, by record id. */
export async function shownVersions(
  tx: Tx,
  record: Versioned,
  shown: readonly { id: string; version: number }[],
): Promise<Map<string, Undone>> {
  if (shown.length === 0) return new Map();
  const rows = await tx.rows<Undone & { id: string }>(
    `select h.record_id as id, h.number, h.within from ${historyShown(record)} h
     join ${few('unnest($2::uuid[], $3::integer[]) as given (id, version)')} as v on v.id = h.record_id and v.version = h.version
     where h.tenant_id = $1`,
    [tx.tenantId, shown.map(({ id }) => id), shown.map(({ version }) => version)],
  );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** What a person's action did to these records, as the reader sees it. */
export async function changesOfAction(
  tx: Tx,
  record: Versioned,
  { actionId, accountId }: { actionId: string; accountId: string },
  ids: readonly string[],
): Promise<Map<string, { version: number; changes: Changes; transition: string | null }>> {
  const rows = await tx.rows<{ id: string; version: number; changes: Changes; transition: string | null }>(
    `select h.record_id as id, h.version, h.changes, ${record.workflow ? 'h.transition' : 'null::text as transition'} from ${historyShown(record)} h
     where h.tenant_id = $1 and h.action_id = $2 and h.account_id = $3 and h.record_id = any ($4::uuid[])`,
    [tx.tenantId, actionId, accountId, ids],
  );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}
