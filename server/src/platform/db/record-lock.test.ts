import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import type { Scope } from '../scope.ts';
import { lockRecords, shareRecords } from './record-lock.ts';

const { database } = await createTestDatabase();
const tenant = await makeTenant(database);
const scope: Scope = { kind: 'service', tenantId: tenant.id };

describe.each([
  ['bulk writes', lockRecords],
  ['single writes', shareRecords],
] as const)('the lock of %s', (_, lock) => {
  it('is taken after what the transaction has only read', async () => {
    await database.withScope(scope, async (tx) => {
      await tx.rows('select name from tenant where id = $1', [tenant.id]);
      await lock(tx, tenant.id);
      await lock(tx, tenant.id);
    });
  });

  it('is refused after a row was locked, since a running import locks in the other order', async () => {
    await expect(
      database.withScope(scope, async (tx) => {
        await tx.rows('select name from tenant where id = $1 for update', [tenant.id]);
        await lock(tx, tenant.id);
      }),
    ).rejects.toThrow('before any row');
  });
});
