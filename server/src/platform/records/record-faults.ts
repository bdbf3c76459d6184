import type { Fault } from '@caseway/contract/error';
import { type AnyRecord, conditionFaults } from '@caseway/contract/record';
import type { Tx } from '../db/database.ts';
import type { Lookups, Reader } from '../grid/lookups.ts';
import { faultAt } from '../http/app-error.ts';
import { faultsOf } from '../http/validation.ts';
import type { Values } from './record-server.ts';

/** The faults of texts in lists that are not stored yet. */
export const faultsOfTexts = (
  { fields }: Pick<AnyRecord, 'fields'>,
  stored: Values,
  given: Values,
): Fault[] =>
  Object.entries(given).flatMap(([name, texts]) => {
    const each = fields[name]?.each;
    if (!each || !Array.isArray(texts)) return [];
    const known = stored[name];
    return texts.flatMap((text, index) => {
      if (Array.isArray(known) && known.includes(text)) return [];
      const issues = each.written.safeParse(text).error?.issues ?? [];
      return issues.flatMap(faultsOf).map((fault) => ({ ...fault, path: `${name}.${index}` }));
    });
  });

/** The faults of fields that depend on others; `next`: the changed record. */
export const faultsOfConditions = (
  { fields }: Pick<AnyRecord, 'fields'>,
  next: Values,
  changed: readonly string[],
): Fault[] =>
  conditionFaults(fields, next, changed).map(({ field, code }) =>
    faultAt(field, code, code === 'required' ? 'it is needed here' : 'it is not asked here'),
  );

/** What each look-up of a record offers its writer. */
export type Entries = ReadonlyMap<string, ReadonlyMap<string, string>>;

const entriesIn = ({ fields }: Pick<AnyRecord, 'fields'>) =>
  Object.entries(fields).flatMap(([name, { options, set }]) =>
    typeof options === 'string' && set !== 'server' ? [{ name, options }] : [],
  );

export async function entriesOffered(
  record: Pick<AnyRecord, 'fields'>,
  lookups: Lookups,
  writer: Reader,
): Promise<Entries> {
  const names = [...new Set(entriesIn(record).map(({ options }) => options))];
  return new Map(
    await Promise.all(names.map(async (name) => [name, await lookups.labels(name, writer)] as const)),
  );
}

/** The changed fields with an entry that the writer is not offered. */
export const faultsOfEntries = (
  record: Pick<AnyRecord, 'fields'>,
  next: Values,
  changed: readonly string[],
  offered: Entries,
): Fault[] =>
  entriesIn(record).flatMap(({ name, options }) =>
    changed.includes(name) &&
    [next[name] ?? []].flat().some((value) => !offered.get(options)!.has(value as string))
      ? [faultAt(name, 'unknown-choice', 'no entry of the look-up')]
      : [],
  );

/** The fault of a name that another record of the kind has, ignoring case. */
export async function nameTaken(
  tx: Tx,
  from: string,
  name: string | undefined,
  id: string,
  field = 'name',
  params: readonly unknown[] = [],
): Promise<Fault[]> {
  if (name === undefined) return [];
  const rows = await tx.rows(
    `select from ${from} and id <> $1 and app_fold(${field}) = app_fold($2) limit 1`,
    [id, name, ...params],
  );
  return rows.length > 0 ? [faultAt(field, 'name-taken', 'another one has this name')] : [];
}

/** The fault of a reference to something that the tenant does not have. */
export async function unknownIn(
  tx: Tx,
  table: string,
  path: string,
  id: string | null | undefined,
  condition = 'tenant_id = (select app_tenant())',
): Promise<Fault[]> {
  if (id === null || id === undefined) return [];
  const rows = await tx.rows(`select from ${table} where id = $1 and ${condition}`, [id]);
  return rows.length > 0 ? [] : [faultAt(path, 'unknown-choice', 'there is no such record')];
}
