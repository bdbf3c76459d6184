import type { Fault } from '@caseway/contract/error';
import type { HeldResultRule } from '@caseway/contract/portal';
import type { Tx } from '../../platform/db/database.ts';
import { conditionByCode, familyByCode, resultCategories } from '../reference/catalog.ts';

/** The tenant's rules for results that patients must first hear in person, for `app_held`. */
export async function heldRules(tx: Tx, tenantId: string): Promise<string> {
  const [row] = await tx.rows<{ rules: string }>(
    `select coalesce(jsonb_object_agg(disease_family || '|' || condition_code || '|' || result_category, held), '{}')::text as rules
     from held_result_rule where tenant_id = $1`,
    [tenantId],
  );
  return row!.rules;
}

/** The rules of the reader's tenant, in order. */
export const readRules = (tx: Tx): Promise<HeldResultRule[]> =>
  tx.rows<HeldResultRule>(
    `select disease_family as "diseaseFamily", nullif(condition_code, '') as condition,
       result_category as "resultCategory", held from held_result_rule where tenant_id = (select app_tenant())
     order by disease_family, condition_code, result_category`,
  );

/**
 * The faults of rules: unknown codes, a condition of another family, two equal rules. Properties that are faulty by
 * themselves may be missing; the others are checked.
 */
export function faultsOfRules(rules: readonly Partial<HeldResultRule>[]): Fault[] {
  const faults: Fault[] = [];
  const add = (index: number, field: string, code: string, message: string) =>
    faults.push({ path: `rules.${index}.${field}`, code, message });
  const known = new Set<string>();
  for (const [index, { diseaseFamily, condition, resultCategory }] of rules.entries()) {
    if (diseaseFamily !== undefined && !familyByCode(diseaseFamily))
      add(index, 'diseaseFamily', 'unknown-code', 'no such disease family');
    if (condition && diseaseFamily !== undefined && conditionByCode(condition)?.family !== diseaseFamily)
      add(index, 'condition', 'unknown-code', 'no condition of the disease family');
    if (resultCategory !== undefined && !resultCategories.some(({ code }) => code === resultCategory))
      add(index, 'resultCategory', 'unknown-code', 'no such result category');
    if (diseaseFamily === undefined || condition === undefined || resultCategory === undefined) continue;
    const key = JSON.stringify([diseaseFamily, condition, resultCategory]);
    if (known.has(key)) add(index, 'diseaseFamily', 'duplicate', 'there is a rule for this before');
    known.add(key);
  }
  return faults;
}

/** The disease families in which two sets of rules differ. */
export function familiesChanged(
  before: readonly HeldResultRule[],
  after: readonly HeldResultRule[],
): ReadonlySet<string> {
  const said = ({ diseaseFamily, condition, resultCategory, held }: HeldResultRule) =>
    JSON.stringify([diseaseFamily, condition, resultCategory, held]);
  const only = (rules: readonly HeldResultRule[], others: readonly HeldResultRule[]) => {
    const known = new Set(others.map(said));
    return rules.filter((rule) => !known.has(said(rule))).map(({ diseaseFamily }) => diseaseFamily);
  };
  return new Set([...only(before, after), ...only(after, before)]);
}

/** Locks the rules, so that anyone else who sets rules of the tenant waits until the transaction has ended. */
export const lockRules = (tx: Tx, tenantId: string) =>
  tx.rows(`select pg_advisory_xact_lock(hashtextextended('held results ' || $1, 0))`, [tenantId]);

/** Replaces the rules. */
export async function writeRules(tx: Tx, tenantId: string, rules: readonly HeldResultRule[]): Promise<void> {
  await tx.run('delete from held_result_rule where tenant_id = $1', [tenantId]);
  for (const { diseaseFamily, condition, resultCategory, held } of rules)
    await tx.run(
      `insert into held_result_rule (tenant_id, disease_family, condition_code, result_category, held)
       values ($1, $2, $3, $4, $5)`,
      [tenantId, diseaseFamily, condition ?? '', resultCategory, held],
    );
}
