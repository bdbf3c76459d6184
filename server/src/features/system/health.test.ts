import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import type { Database } from '../../platform/db/database.ts';
import { createMailer } from '../../platform/mail/mailer.ts';
import { crewOf } from '../../platform/workers/crew.ts';
import { offerHealth, systemHealth } from './health.ts';

const { database } = await createTestDatabase();

it('the health of the system is shown while the database server of some tenants is away [S10.7, P30]', async () => {
  const [stricken, spared] = [await makeTenant(database), await makeTenant(database)];
  const away: Database = {
    ...database,
    withScope: (scope, work, options) =>
      'tenantId' in scope && scope.tenantId === stricken.id
        ? Promise.reject(Object.assign(new Error('a statement failed'), { code: '08006' }))
        : database.withScope(scope, work, options),
  };
  const options: Parameters<typeof systemHealth>[0] = {
    app: { database: away, readiness: new Map() },
    crew: crewOf(),
    analytics: {
      replicas: async () => [{ tenantId: stricken.id, failing: true, away: true, seconds: 90, bytes: 1 }],
    },
    mailer: createMailer({ outbox: '/nowhere', from: 'Caseway <no-reply@caseway.test>' }),
    readDisk: async () => ({ freeBytes: 2, totalBytes: 3 }),
    minFreeDiskBytes: 1,
  };
  offerHealth(options);
  const health = await systemHealth(options);
  expect(new Map(health.imports.map(({ tenantId, away }) => [tenantId, away]))).toEqual(
    new Map([
      [stricken.id, true],
      [spared.id, false],
    ]),
  );
  expect(health.replicas).toMatchObject([{ tenantId: stricken.id, away: true }]);
});
