import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { elr, importText } from '../src/features/imports/test-messages.ts';
import type { Tx } from '../src/platform/db/database.ts';
import type { Scope } from '../src/platform/scope.ts';
import { asSuperuser, createTestDatabase } from '../test/database.ts';
import { makeCaseNumbers, makeTenant } from '../test/factories.ts';

const { database, superuserUrl } = await createTestDatabase({ poolSize: 8 });
const tenants = await Promise.all(Array.from({ length: 4 }, () => makeTenant(database)));

/** What a transaction writes to shared tables first, and what afterwards; each with its own row. */
type Write = (tx: Tx, tenantId: string, id: string) => Promise<unknown>;
const addFacility: Write = (tx, tenantId, id) =>
  tx.run(`insert into facility (tenant_id, id, name, match_name) values ($1, $2, 'One', 'one')`, [
    tenantId,
    id,
  ]);
const changeFacility: Write = (tx, tenantId, id) =>
  tx.run(`update facility set name = 'Two' where tenant_id = $1 and id = $2`, [tenantId, id]);
const addAccount: Write = (tx, _, id) =>
  tx.run(
    `insert into account (id, username, email, first_name, last_name) values ($1, $2, $2, 'One', 'One')`,
    [id, `${id}@example.test`],
  );
const changeAccount: Write = (tx, _, id) =>
  tx.send(`update account set first_name = 'Two' where id = $1`, [id]);
const addVersion: Write = (tx, tenantId) =>
  tx.run('update policy_version set version = version + 1 where tenant_id = $1', [tenantId]);

const service = (tenantId: string): Scope => ({ kind: 'service', tenantId });
const identity = (): Scope => ({ kind: 'identity' });

it.each([
  ['add a facility and change it', service, [addFacility, changeFacility], [addFacility, changeFacility]],
  ['add an account and change it', identity, [addAccount, changeAccount], [addAccount, changeAccount]],
  ['write to two tables in different order', identity, [addAccount, addVersion], [addVersion, changeAccount]],
] as const)(
  'transactions of several tenants that %s never end each other [P5, P30]',
  async (_, scope, one, other) => {
    let begun = 0;
    let done = 0;
    await Promise.all(
      tenants.map(({ id: tenantId }, index) =>
        database.withScope(scope(tenantId), async (tx) => {
          const id = randomUUID();
          const [first, second] = index % 2 === 0 ? one : other;
          await first(tx, tenantId, id);
          begun++;
          // Long enough for another one to come as far, if nothing stops it.
          for (let waited = 0; begun < 2 && waited < 300; waited += 20) await pause(20);
          await second(tx, tenantId, id);
          done++;
        }),
      ),
    );
    expect(done).toBe(4);
  },
);

it('an import in the middle of a batch with new facilities lets other tenants change theirs [P5, P30]', async () => {
  const [tenantId, otherId] = tenants.map(({ id }) => id) as [string, string];
  await makeCaseNumbers(database, tenantId);
  const unknown = { tests: [{ test: 'Q^Odd^L' }] };
  await importText(database, tenantId, elr(unknown));
  const holder = new pg.Client(superuserUrl);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin');
  await holder.query('select from code_mapping where tenant_id = $1 for update', [tenantId]);
  // It has written persons and results, and now waits to count the unknown code.
  const importing = importText(
    database,
    tenantId,
    elr({ order: 'F-2', ...unknown }) + elr({ order: 'F-3', clinic: 'New Clinic' }),
  );
  const waiting = () => asSuperuser('select from citus_lock_waits', [], superuserUrl);
  await expect.poll(waiting).not.toEqual([]);
  await database.withScope(service(otherId), (tx) => addFacility(tx, otherId, randomUUID()), {
    statementTimeoutMs: 10_000,
  });
  await holder.query('commit');
  expect((await importing).counts).toMatchObject({ taken: 1, waiting: 1 });
  expect(
    await asSuperuser<{ name: string }>(
      `select name from facility where tenant_id = $1 and name = 'New Clinic'`,
      [tenantId],
      superuserUrl,
    ),
  ).toEqual([{ name: 'New Clinic' }]);
});
