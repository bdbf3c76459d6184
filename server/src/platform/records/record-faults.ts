import type { Fault } from '@caseway/contract/error';
import type { AnyRecord } from '@caseway/contract/record';
import type { Tx } from '../db/database.ts';
import { faultAt } from '../http/app-error.ts';
import { faultsOf } from '../http/validation.ts';
import type { Values } from './record-server.ts';

/** What is wrong with the texts of lists that are not stored yet. */
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

/** The fault of a name that another record of the kind has; whether letters are capital makes no difference. */
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

/** The fault of a reference to what the tenant does not have. */
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
