import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makePatient, makeResult, makeTenant } from '../../../test/factories.ts';
import { facts } from '../../facts.ts';
import { createLog } from '../log/log.ts';
import type { Scope } from '../scope.ts';
import { type Analytics, startAnalytics } from './engine.ts';
import { type ChangeKind, recordChange } from './outbox.ts';

/* The engine with a database and folder for one test file. */

export const { database, superuserUrl, appUrl } = await createTestDatabase({ poolSize: 6 });
export const folder = await mkdtemp(join(tmpdir(), 'caseway-analytics-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Results and cases only. A replica takes time for each fact, and does the same for all. */
export const fewFacts = facts.slice(0, 2);

const running = new Set<Analytics>();
/** Starts the engine on this database. It is stopped after the test at the latest. */
export async function start(given: Partial<Parameters<typeof startAnalytics>[0]> = {}) {
  const analytics = await startAnalytics({
    database,
    facts: fewFacts,
    log: createLog('fatal'),
    folder,
    engine: 'duckdb',
    sweepMs: 60_000,
    ...given,
  });
  running.add(analytics);
  return analytics;
}
export async function stop(analytics: Analytics) {
  running.delete(analytics);
  await analytics.close();
}
afterEach(() => Promise.all([...running].map(stop)));

export const service = (tenantId: string): Scope => ({ kind: 'service', tenantId });
/** How many results a tenant's replica shows. */
export const count = async (analytics: Analytics, tenantId: string, freshness: 'any' | 'current' = 'any') => {
  const { rows } = await analytics.query<{ n: number }>({
    scopes: [service(tenantId)],
    freshness,
    select: 'select count(*) as n from result_fact',
  });
  return rows[0]!.n;
};
/** Adds changed records to the outbox. */
export const changed = (tenantId: string, kind: ChangeKind, ids: string[]) =>
  database.withScope(service(tenantId), (tx) => recordChange(tx, tenantId, kind, ids));

/** Hides a result from the fact without telling the replicas. */
export const hideUnannounced = (tenantId: string, id: string) =>
  database.withScope(service(tenantId), (tx) =>
    tx.run('update result set superseded_by = id where tenant_id = $1 and id = $2', [tenantId, id]),
  );

/** Waits for a condition that becomes true. */
export const soon = (condition: () => Promise<boolean>) => expect.poll(condition, { interval: 5 }).toBe(true);

/** A tenant with one patient who has this many results. */
export async function tenantWithResults(results: number) {
  const tenant = await makeTenant(database);
  const patient = await makePatient(database, { tenant_id: tenant.id });
  const ids: string[] = [];
  for (let index = 0; index < results; index++)
    ids.push((await makeResult(database, { tenant_id: tenant.id, patient_id: patient.id })).id);
  return { tenantId: tenant.id, patientId: patient.id, ids };
}
