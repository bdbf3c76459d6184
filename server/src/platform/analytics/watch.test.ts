import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { App } from '../http/app.ts';
import { crewOf } from '../workers/crew.ts';
import { count, database, soon, start, tenantWithResults } from './test-replica.ts';
import { watchAnalytics } from './watch.ts';

const [{ tenantId: stricken }, { tenantId: spared }] = [
  await tenantWithResults(2),
  await tenantWithResults(1),
];

/**
 * An engine in which each transaction of one tenant fails with this PostgreSQL code, and the readiness that it
 * reports.
 */
async function watched(code: string) {
  const analytics = await start({
    database: {
      ...database,
      withScope: (scope, work, options) =>
        scope.kind === 'service' && scope.tenantId === stricken
          ? Promise.reject(Object.assign(new Error('a statement failed'), { code }))
          : database.withScope(scope, work, options),
    },
  });
  const readiness: App['readiness'] = new Map();
  watchAnalytics({ readiness, metrics: new Registry() } as App, analytics, crewOf());
  await expect(analytics.caughtUp(stricken)).rejects.toThrow('the analytics replica cannot follow');
  await analytics.caughtUp(spared);
  await soon(async () => (await count(analytics, spared)) === 1);
  expect(analytics.lag().find(({ tenantId }) => tenantId === stricken)).toMatchObject({ failing: true });
  return readiness.get('analytics')!();
}

it('a server is ready while the database server of some tenants is away [S10.7, P30]', async () => {
  await expect(watched('08006')).resolves.toBeUndefined();
});

it('a server is not ready when a replica fails to follow for another reason [S10.7]', async () => {
  await expect(watched('0A000')).rejects.toThrow('1 analytics replicas do not follow');
});
