import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticsAnswer, AnalyticsQuery } from '@caseway/contract/analytics';
import { testing } from '@caseway/contract/dashboards/testing';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { rounds } from '../../../test/load.ts';
import { facts } from '../../facts.ts';
import { type Analytics, startAnalytics } from '../../platform/analytics/engine.ts';
import { dashboardNumbers } from '../../platform/dashboards/numbers.ts';
import { createLog } from '../../platform/log.ts';
import type { Scope } from '../../platform/scope.ts';
import { resultFact } from '../results/result-fact.ts';
import { testingNumbers } from './numbers.ts';
import {
  anyQuery,
  lastDay,
  makeReportedTo,
  makeResults,
  storeResults,
  values,
  wholeTenant,
} from './test-facts.ts';
import { withholdSmall } from './withholding.ts';

const { database } = await createTestDatabase();
const tenantIds = [
  await storeResults(database, makeResults(1, { people: 150, results: 900 })),
  await storeResults(database, makeResults(2, { people: 400, results: 1200 })),
];
const jurisdiction = await makeReportedTo(database, tenantIds);
const folder = await mkdtemp(join(tmpdir(), 'caseway-analytics-'));
const options = { facts, database, log: createLog('fatal'), folder };
const duckdb = await startAnalytics({ ...options, engine: 'duckdb' });
const postgres = await startAnalytics({ ...options, engine: 'postgres' });
for (const tenantId of tenantIds) await duckdb.caughtUp(tenantId);
afterAll(async () => {
  await Promise.all([duckdb.close(), postgres.close()]);
  await rm(folder, { recursive: true, force: true });
});

const reading = { today: lastDay, timeZone: 'America/New_York', asOf: new Date(0) };
const counting = { dashboard: testing, stored: { results: resultFact } };
const newly = (analytics: Analytics, scopes: Scope[], query: AnalyticsQuery, threshold?: number) =>
  analytics.read({ scopes, freshness: 'any', asks: 'numbers' }, async (ask) => {
    const answer = await dashboardNumbers(ask, counting, { ...reading, query });
    return threshold === undefined ? answer : withholdSmall(ask, query, answer, threshold);
  });
const before = (analytics: Analytics, scopes: Scope[], query: AnalyticsQuery, threshold?: number) =>
  analytics.read({ scopes, freshness: 'any' }, (ask) =>
    testingNumbers(ask, query, { ...reading, threshold }),
  );

const anyScopes: fc.Arbitrary<Scope[]> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...tenantIds).map((id) => [wholeTenant(id)]),
      fc
        .tuple(fc.constantFrom(...tenantIds), fc.constantFrom(...values.organizations))
        .map(([id, orgId]) => [{ ...wholeTenant(id), orgType: 'O', orgId } as Scope]),
      fc
        .tuple(fc.constantFrom(...tenantIds), fc.constantFrom(...values.facilities))
        .map(([id, orgId]) => [{ ...wholeTenant(id), orgType: 'F', orgId } as Scope]),
      fc.constant(
        tenantIds.map(
          (id) =>
            ({
              ...wholeTenant(id),
              orgType: 'PHJ',
              orgId: jurisdiction.id,
              counties: jurisdiction.counties,
            }) as Scope,
        ),
      ),
    ),
    fc.subarray(['hiv', 'syphilis']),
  )
  .map(([scopes, hiddenFamilies]) => scopes.map((scope) => ({ ...scope, hiddenFamilies }) as Scope));

const shown = (
  {
    series,
    measures,
    previous,
    granularity,
    incompleteFrom,
    anySuppressed,
    withheldBecause,
    suppressionThreshold,
  }: AnalyticsAnswer,
  names: readonly string[],
) => ({
  measures,
  previous,
  granularity,
  incompleteFrom,
  anySuppressed,
  withheldBecause,
  suppressionThreshold,
  series: Object.fromEntries(
    names.map((name) => [
      name,
      series[name]!.map(({ within, ...row }) =>
        JSON.stringify({ ...row, values: Object.fromEntries(Object.entries(row.values).sort()) }),
      ).sort(),
    ]),
  ),
});

test('the engine of any dashboard gives every number that testing analytics gave', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyScopes,
      anyQuery,
      fc.constantFrom(undefined, 11, 5),
      async (scopes, query, threshold) => {
        const old = await before(postgres, scopes, query, threshold);
        const names = Object.keys(old.series);
        for (const engine of [duckdb, postgres])
          expect(shown(await newly(engine, scopes, query, threshold), names)).toEqual(shown(old, names));
      },
    ),
    rounds(25, 500),
  );
});
