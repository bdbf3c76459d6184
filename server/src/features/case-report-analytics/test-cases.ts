import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import type { Dashboard } from '@caseway/contract/dashboard';
import { initialFilters } from '@caseway/contract/search-params';
import { afterAll } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { facts } from '../../facts.ts';
import { type Analytics, startAnalytics } from '../../platform/analytics/engine.ts';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { dashboardNumbers } from '../../platform/dashboards/numbers.ts';
import type { PopulationSet } from '../../platform/dashboards/population.ts';
import { populationsFor } from '../../platform/dashboards/population-read.ts';
import { storedFactsOf } from '../../platform/dashboards/serve-dashboard.ts';
import { createLog } from '../../platform/log/log.ts';
import type { Scope } from '../../platform/scope.ts';

/* Cases of a tenant, and the answers of both engines about them. */

/** A Saturday. */
export const today = '2026-03-28';
export const { database, ownerUrl } = await createTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'caseway-analytics-'));
const options = { facts, database, log: createLog('fatal'), folder };
export const postgres = await startAnalytics({ ...options, engine: 'postgres' });
export const duckdb = await startAnalytics({ ...options, engine: 'duckdb' });
afterAll(async () => {
  await Promise.all([postgres.close(), duckdb.close()]);
  await rm(folder, { recursive: true, force: true });
});

export type Row = Record<string, unknown>;
export const service = (tenantId: string): Scope => ({ kind: 'service', tenantId });

export async function insert(tenantId: string, table: string, rows: readonly Row[]): Promise<void> {
  const stored = rows.map((row) => ({ tenant_id: tenantId, ...row }));
  const columns = Object.keys(stored[0]!).join(', ');
  await database.withScope(service(tenantId), async (tx) => {
    await tx.run(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1) returning 1`,
      [JSON.stringify(stored)],
    );
    if (table === 'case_report')
      await recordChange(
        tx,
        tenantId,
        table,
        rows.map(({ id }) => id as string),
      );
  });
}

let numbered = 0;
/** A case report of chlamydia, confirmed and new, with other columns as given. */
export const caseOf = (patient: string, created_on: string, given: Row = {}): Row => ({
  id: randomUUID(),
  case_id: `2026-${String(++numbered).padStart(7, '0')}`,
  patient_id: patient,
  condition_code: 'chlamydia',
  disease_family: 'chlamydia',
  disease_category: 'std',
  classification: 'confirmed',
  classified_by: 'rule',
  status: 'new',
  source: 'elr',
  version: 1,
  county_fips: '12001',
  onset_on: null,
  reported_on: null,
  received_on: null,
  outcome: null,
  program_id: null,
  task_id: null,
  ...given,
  created_on,
});

export const org = (tenantId: string, given: Partial<Extract<Scope, { kind: 'org' }>> = {}): Scope => ({
  kind: 'org',
  tenantId,
  orgType: 'T',
  orgId: tenantId,
  accountId: tenantId,
  counties: [],
  hiddenFamilies: [],
  genderIdentityShown: true,
  ...given,
});

export interface Asked {
  eventDate?: string;
  filters?: Record<string, string[] | string>;
  start?: string;
  end?: string;
  threshold?: number;
  populations?: readonly PopulationSet[];
}
export const numbersOf = (
  analytics: Analytics,
  dashboard: Dashboard,
  scopes: readonly Scope[],
  {
    eventDate = 'created',
    filters = {},
    start = '2026-01-01',
    end = today,
    threshold,
    populations = [],
  }: Asked = {},
): Promise<AnalyticsAnswer> =>
  analytics.read({ scopes, freshness: 'any', asks: 'numbers' }, (ask) =>
    dashboardNumbers(
      ask,
      { dashboard, stored: storedFactsOf(dashboard, facts) },
      {
        query: {
          dateRangeValue: { start, end },
          filters: { ...initialFilters(dashboard), ...filters },
          eventDate,
        },
        today,
        timeZone: 'America/New_York',
        asOf: new Date(0),
        orgTypes: scopes.flatMap((scope) => ('orgType' in scope ? [scope.orgType] : [])),
        populations: populationsFor(scopes, populations, today),
        threshold,
      },
    ),
  );
