import type { Fault } from '@caseway/contract/error';
import { type AnyRecord, columnFor, setNames } from '@caseway/contract/record';
import type { Tx } from '../db/database.ts';
import { AppError, faultAt, refuse, refused } from '../http/app-error.ts';
import { faultsOfTexts } from './record-faults.ts';
import {
  type Changes,
  changedSince,
  changesOf,
  keepVersion,
  readChanges,
  same,
  type Versioned,
} from './record-history.ts';
import type { AnyReading, AnyRow, AnyServer, Values, Writing } from './record-server.ts';
import { endedColumnOf, readRecord, readRecords, tenantColumnOf } from './record-sql.ts';

/** The writer, and their tenant. */
export interface Writer {
  tenantId: string;
  accountId: string;
  hiddenFamilies: readonly string[];
}

/** The requested change: new values by field, and whether the record is active. */
export interface Change {
  given: Values;
  active?: boolean | undefined;
  undoes?: number;
}

/** The fields of a record that people set. */
export const fieldsOf = ({ record }: Versioned, stored: AnyRow): Values =>
  Object.fromEntries(setNames(record.fields).map((name) => [name, stored[name]]));

/** Names each disease family in a list once. */
const unique = ({ record }: Versioned, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      record.fields[name]?.kind === 'families' ? [...new Set(value as string[])] : value,
    ]),
  );

/** The columns with lists of disease families. */
const familyColumns = ({ record }: AnyServer): [name: string, column: string][] =>
  Object.entries(record.fields).flatMap(([name, field]): [string, string][] =>
    field.kind === 'families' && field.in === 'column' ? [[name, columnFor(name, field)]] : [],
  );

/** These lists including what the writer does not see, because the history stores them whole. */
async function wholeFamilies(tx: Tx, server: AnyServer, tenantId: string, id: string): Promise<Values> {
  const columns = familyColumns(server).map(([name, column]) => `${column} as "${name}"`);
  if (columns.length === 0) return {};
  const [row] = await tx.rows<Values>(
    `select ${columns.join(', ')} from ${server.record.table} where ${tenantColumnOf(server)} = $1 and id = $2`,
    [tenantId, id],
  );
  return row ?? {};
}

function columnsOf(server: AnyServer, next: Values, writing: Writing<Values>): [string, unknown][] {
  const own = Object.entries(server.record.fields).flatMap(([name, field]): [string, unknown][] =>
    field.in === 'column' && field.set !== 'server' ? [[columnFor(name, field), next[name]]] : [],
  );
  return [...own, ...Object.entries(server.derived?.(next, writing) ?? {})];
}

/** The faults of changing a field that can only be set in a new record. */
export const keptFaults = ({ record }: Versioned, before: Values | null, next: Values): Fault[] =>
  before === null
    ? []
    : Object.entries(record.fields).flatMap(([name, { set }]) =>
        set === 'creation' && next[name] !== undefined && !same(next[name], before[name])
          ? [faultAt(name, 'kept', 'it stays as it was in the new record')]
          : [],
      );

/** All faults of the changed record. */
export const faultsOf = async (
  tx: Tx,
  server: AnyServer,
  next: Values,
  writing: Writing<Values>,
): Promise<Fault[]> => [
  ...keptFaults(server, writing.before, next),
  ...faultsOfTexts(server.record, writing.before ?? {}, next),
  ...(await server.faults(tx, next, writing)),
];

/**
 * Makes a record. If this request was sent before and its answer was lost, the existing record is the answer.
 * Another request with the same id is refused.
 */
export async function makeRecord(
  tx: Tx,
  server: AnyServer,
  writer: Writer,
  id: string,
  sent: Values,
): Promise<{ record: AnyRow; made: boolean }> {
  const { tenantId, accountId, hiddenFamilies } = writer;
  await server.lock(tx, tenantId);
  const next = unique(server, sent);
  const [there] = await readRecords(tx, server, [id]);
  if (there) {
    const first = await readChanges(tx, server, id, 1, hiddenFamilies);
    const repeated =
      first?.accountId === accountId &&
      Object.keys(next).every((name) => same(first.changes[name]?.to, next[name]));
    if (!repeated) throw keyUsed();
    return { record: there, made: false };
  }
  const writing = { tenantId, id, before: null, hiddenFamilies };
  refuse(await faultsOf(tx, server, next, writing));
  await server.prepare?.(tx, next, writing);
  const row = [[tenantColumnOf(server), tenantId], ['id', id], ...columnsOf(server, next, writing)] as const;
  await tx
    .run(
      `insert into ${server.record.table} (${row.map(([column]) => column).join(', ')})
       values (${row.map((_, index) => `$${index + 1}`).join(', ')})`,
      row.map(([, value]) => value),
    )
    .catch((error) => {
      // A record that the writer does not see, or of another tenant.
      throw error.code === '23505' && /_pkey$/.test(error.constraint) ? keyUsed() : error;
    });
  await server.write?.(tx, next, writing);
  await keepVersion(tx, server, tenantId, id, {
    version: 1,
    accountId,
    changes: Object.fromEntries(Object.entries(next).map(([name, to]) => [name, { to }])),
  });
  return { record: await readRecord(tx, server, id), made: true };
}

export const keyUsed = () => refused('id', 'key-used', 'another record has this id');

export const changedSinceFault = (name: string): Fault =>
  faultAt(name, 'changed-since', 'someone else has changed it since');

/**
 * Throws `conflict` if one of the sent fields has changed since the version that the writer saw; its faults name the
 * fields.
 */
export async function refuseConflict(
  tx: Tx,
  reading: Versioned,
  { tenantId, hiddenFamilies }: Pick<Writer, 'tenantId' | 'hiddenFamilies'>,
  stored: AnyRow,
  version: number,
  given: Values,
): Promise<void> {
  if (stored.version === version) return;
  const since = await changedSince(tx, reading, tenantId, stored.id, {
    version,
    current: stored.version,
    hiddenFamilies,
  });
  if (since === undefined) throw new AppError('conflict');
  const both = Object.keys(given).filter((name) => since.has(name) && !same(given[name], stored[name]));
  if (both.length > 0)
    throw new AppError('conflict', {
      faults: both.map(changedSinceFault),
    });
}

/**
 * A record before and after a change. What others have changed since the writer's version stays; throws `conflict`
 * if it is the same field.
 */
export async function planChange(
  tx: Tx,
  reading: Versioned,
  writer: Pick<Writer, 'tenantId' | 'hiddenFamilies'>,
  stored: AnyRow,
  version: number,
  { given: sent, active }: Pick<Change, 'given' | 'active'>,
): Promise<{ before: Values; next: Values; changes: Changes }> {
  const given = unique(reading, sent);
  const asked = { ...given, ...(active !== undefined && { active }) };
  await refuseConflict(tx, reading, writer, stored, version, asked);
  const before = fieldsOf(reading, stored);
  const next = { ...before, ...given };
  const changes = changesOf(
    { ...before, active: stored.active },
    { ...next, active: active ?? stored.active },
  );
  return { before, next, changes };
}

/**
 * Changes a record (see `planChange`). Returns the differences before and after; the record as given if there are
 * none. `elsewhere`: faults of the change that were found in another scope.
 */
export async function changeRecord(
  tx: Tx,
  server: AnyServer,
  writer: Writer,
  stored: AnyRow,
  version: number,
  { undoes, ...change }: Change,
  elsewhere: Fault[],
): Promise<{ before: Values; after: Values; record: AnyRow }> {
  const { tenantId, accountId, hiddenFamilies } = writer;
  const { id } = stored;
  const { before, next, changes } = await planChange(tx, server, writer, stored, version, change);
  const writing: Writing<Values> = { tenantId, id, before, hiddenFamilies };
  const names = Object.keys(changes);
  if (names.length === 0) return { before: {}, after: {}, record: stored };
  if (change.active === true || names.some((name) => name !== 'active')) {
    refuse([...elsewhere, ...(await faultsOf(tx, server, next, writing))]);
    await server.prepare?.(tx, next, writing);
  }
  const wholeBefore = await wholeFamilies(tx, server, tenantId, id);
  const lists = new Set(familyColumns(server).map(([, column]) => column));
  const params: unknown[] = [tenantId, id];
  const param = (value: unknown) => `$${params.push(value)}`;
  const sets = columnsOf(server, next, writing).map(([column, value]) => {
    const set = param(value);
    if (!lists.has(column)) return `${column} = ${set}, `;
    // Families that the writer does not see stay. [P18]
    return `${column} = ${set}::text[] || array(select family from unnest(${column}) as family
      where family = any (${param(hiddenFamilies)}::text[]) and family <> all (${set}::text[])), `;
  });
  const ended = endedColumnOf(server);
  await tx.run(
    `update ${server.record.table} set ${sets.join('')}version = version + 1,
       ${ended} = ${changes.active === undefined ? ended : changes.active.to ? 'null' : 'now()'}
     where ${tenantColumnOf(server)} = $1 and id = $2`,
    params,
  );
  await server.write?.(tx, next, writing);
  const record = await readRecord(tx, server, id);
  // As stored, which can be in another order than sent.
  const made = changesOf(
    { ...before, ...wholeBefore, active: stored.active },
    {
      ...fieldsOf(server, record),
      ...(await wholeFamilies(tx, server, tenantId, id)),
      active: record.active,
    },
  );
  await keepVersion(tx, server, tenantId, id, {
    version: record.version,
    accountId,
    changes: made,
    ...(undoes !== undefined && { undoes }),
  });
  const side = (of: 'from' | 'to') =>
    Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, change[of]]));
  return { before: side('from'), after: side('to'), record };
}

/**
 * What undoes a version: its earlier values, for fields that still have the version's value. Fields that have
 * changed again are in `kept`.
 */
export async function undoOf(
  tx: Tx,
  server: AnyReading,
  stored: AnyRow,
  version: number,
  hiddenFamilies: readonly string[],
): Promise<GivenBack> {
  const of = await readChanges(tx, server, stored.id, version, hiddenFamilies);
  return givenBack(server.record, stored, version, of?.changes ?? {});
}

interface GivenBack {
  given: Values;
  active: boolean | undefined;
  kept: string[];
}

/** The same, given the version's changes. */
export function givenBack(
  { fields }: Pick<AnyRecord, 'fields'>,
  stored: AnyRow,
  version: number,
  of: Changes,
): GivenBack {
  const isSet = (name: string) =>
    name === 'active' || ['always', 'transitions'].includes(fields[name]?.set ?? '');
  const changes = Object.entries(of).filter(([name]) => isSet(name));
  // A new record is deactivated, not undone.
  if (version === 1 || changes.length === 0) throw new AppError('not-found');
  const undone = changes.filter(([name, { to }]) => same(stored[name], to));
  const kept = changes.flatMap(([name, { to }]) => (same(stored[name], to) ? [] : [name]));
  if (undone.length === 0) throw new AppError('conflict');
  const { active, ...given } = Object.fromEntries(undone.map(([name, { from }]) => [name, from ?? null]));
  return { given, active: active as boolean | undefined, kept };
}
