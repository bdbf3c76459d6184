import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import type { DemoChunk } from './rows.ts';
import type { DemoSize, TenantToFill } from './tenant-to-fill.ts';

/** The plan of a seeding. The same plan makes the same records on any day. */
export interface SeedingPlan {
  size: DemoSize;
  seed: string;
  now: number;
  tenant: TenantToFill;
  /** A fingerprint of its first records: another version of the generator may make different ones. */
  fingerprint: string;
}

export interface Seeding {
  plan: SeedingPlan;
  parts: number[];
  caseNumbers: Map<string, string> | undefined;
  finished: boolean;
}

/** Milliseconds for which the connection that holds the lock may be idle. */
const heartbeatMs = 5000;

/** Runs `work` while no other process seeds this tenant. Others wait; the lock ends with its process. */
export async function seedingAlone<T>(
  database: Database,
  tenantId: string,
  work: () => Promise<T>,
): Promise<T> {
  return database.withScope({ kind: 'service', tenantId }, async (tx) => {
    await tx.run(`select pg_advisory_xact_lock(hashtext('caseway seeding'), hashtext($1))`, [tenantId]);
    const done = new AbortController();
    const working = work().finally(() => done.abort());
    working.catch(() => {});
    while (!done.signal.aborted) {
      await sleep(heartbeatMs, undefined, { signal: done.signal }).catch(() => {});
      // A proxy or firewall may cut a connection that is silent for long.
      if (!done.signal.aborted) await tx.rows('select 1');
    }
    return working;
  });
}

/** The seeding with this name, if it was begun. */
export async function findSeeding(tx: Tx, tenantId: string, name: string): Promise<Seeding | undefined> {
  const row = await tx
    .selectFrom('seeding')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!row) return undefined;
  const plan = row.plan as unknown as SeedingPlan;
  const { tenant } = plan;
  return {
    // If an earlier version left the plan empty, the seeding is finished.
    plan: tenant && {
      ...plan,
      tenant: {
        ...tenant,
        jurisdictionOfCounty: new Map(tenant.jurisdictionOfCounty as unknown as [string, string][]),
      },
    },
    parts: row.parts,
    caseNumbers:
      row.case_offsets === null
        ? undefined
        : new Map(Object.entries(row.case_offsets as unknown as Record<string, string>)),
    finished: row.finished_at !== null,
  };
}

/** The names of a tenant's interrupted seedings, the oldest first. */
export async function unfinishedSeedings(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('seeding')
    .select('name')
    .where('tenant_id', '=', tenantId)
    .where('finished_at', 'is', null)
    .orderBy('begun_at')
    .execute();
  return rows.map(({ name }) => name);
}

export async function beginSeeding(tx: Tx, tenantId: string, name: string, plan: SeedingPlan): Promise<void> {
  const { tenant } = plan;
  await tx
    .insertInto('seeding')
    .values({
      tenant_id: tenantId,
      name,
      plan: JSON.stringify({
        ...plan,
        tenant: { ...tenant, jurisdictionOfCounty: [...tenant.jurisdictionOfCounty] },
      }),
    })
    .execute();
}

/** Marks a part as stored, in the transaction that stores it. */
export async function notePart(tx: Tx, tenantId: string, name: string, part: number): Promise<void> {
  await tx.run(`update seeding set parts = parts || $3::int where tenant_id = $1 and name = $2`, [
    tenantId,
    name,
    part,
  ]);
}

export async function finishSeeding(tx: Tx, tenantId: string, name: string): Promise<void> {
  await tx.run(`update seeding set finished_at = now() where tenant_id = $1 and name = $2`, [tenantId, name]);
}

/** Tells first chunks apart. */
export const fingerprintOf = (chunk: DemoChunk): string =>
  createHash('sha256').update(JSON.stringify(chunk)).digest('hex');
