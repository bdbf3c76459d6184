import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { buildApp } from '../src/app.ts';
import { parseConfig } from '../src/config.ts';
import { verifyChain } from '../src/platform/audit/verify.ts';
import { connectDatabase } from '../src/platform/db/connect.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { migrateAndDistribute } from '../src/platform/db/migrate.ts';
import { createLog } from '../src/platform/log/log.ts';
import { readSizes } from '../src/platform/operations/sizes.ts';
import { asked, prepareTestRoles } from '../test/cluster.ts';
import { followWhile } from '../test/following.ts';
import { writeLateEvents } from '../test/late-events.ts';
import { beginSignIn, type SignedIn, signInAs } from '../test/sign-in.ts';

// A separate cluster, because other tests work with the servers of the run's cluster.
const [program, besidePort, beside] = process.env.CITUS_PROGRAM!.split(' ') as [string, string, string];
const port = Number(besidePort) + 3;
const at = [String(port), `${beside}-killed`];
const cluster = (...args: string[]) => promisify(execFile)(program, [...args, ...at]);
afterAll(() => cluster('down'));
await cluster('up');
const superuser = `postgres://postgres@127.0.0.1:${port}/caseway`;
const { owner, app: appUrl } = await prepareTestRoles(superuser);
for (const node of [0, 1, 2]) {
  const url = superuser.replace(String(port), String(port + node));
  // Transactions that a worker had prepared before it stopped are completed this soon after it is back.
  await asked(url, `alter system set citus.recover_2pc_interval = '1s'`);
  await asked(url, 'select pg_reload_conf()');
}
await migrateAndDistribute(owner, () => {});
const database = await openDatabase({ url: appUrl, log: createLog('fatal'), poolSize: 8 });
afterAll(() => database.close());
const { demo, vendor } = await seedDemoTenants(database);
const dataDir = await mkdtemp(join(tmpdir(), 'caseway-killed-'));
afterAll(() => rm(dataDir, { recursive: true }));
const config = parseConfig({
  DEMO: 'off',
  DATA_DIR: dataDir,
  ANONYMOUS_PER_MINUTE: '1000000',
  TOKEN_SECRET: 'signs nothing outside of this test',
});
const app = await buildApp({
  config,
  connection: { database, appUrl, ownerUrl: owner },
  log: createLog('fatal'),
  background: false,
});
await app.fastify.ready();
afterAll(() => app.fastify.close());

/** The number of the tenant's server. */
async function serverOf(tenantId: string): Promise<number> {
  const [row] = await asked<{ port: number }>(
    superuser,
    `select n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
     where p.shardid = get_shard_id_for_distribution_column('saved_filter', $1::uuid)`,
    [tenantId],
  );
  return row!.port - port;
}

/** Saves filters one after the other until it is stopped, and notes which ones the server has acknowledged. */
function writer({ headers }: SignedIn) {
  const acknowledged: string[] = [];
  const answers: { status: number; ms: number }[] = [];
  let stopped = false;
  const writing = (async () => {
    while (!stopped) {
      const began = performance.now();
      const response = await app.fastify.inject({
        method: 'POST',
        url: '/api/web/grid/tenant-users/filters',
        headers,
        payload: { filterModel: { logicOperator: 'and', items: [] } },
      });
      answers.push({ status: response.statusCode, ms: performance.now() - began });
      if (response.statusCode === 200) acknowledged.push(response.json().id);
      else await pause(50);
    }
  })();
  const stop = () => {
    stopped = true;
    return writing;
  };
  return { acknowledged, answers, stop };
}

it('a worker killed in the middle of writes loses nothing, stops only its own tenants, and is used again afterwards [P5, P30]', async () => {
  // One tenant on each worker.
  const [hit, spared] = [await serverOf(demo.id), await serverOf(vendor.id)];
  if (hit === spared)
    await asked(
      superuser,
      `select citus_move_shard_placement(get_shard_id_for_distribution_column('saved_filter', $1::uuid),
         '127.0.0.1', $2, '127.0.0.1', $3, shard_transfer_mode => 'block_writes')`,
      [vendor.id, port + spared, port + 3 - spared],
    );
  expect(await serverOf(vendor.id)).not.toBe(hit);
  const theirs = writer(await signInAs({ app, config }, 'admin@demo.caseway.test'));
  const others = writer(await signInAs({ app, config }, 'admin@vendor.caseway.test'));
  onTestFinished(async () => void (await Promise.all([theirs.stop(), others.stop()])));
  await expect
    .poll(() => Math.min(theirs.acknowledged.length, others.acknowledged.length))
    .toBeGreaterThan(5);

  await cluster('stop', String(hit));
  const stoppedAt = [theirs.answers.length, others.answers.length] as const;
  // The others continue to work and sign in; the killed server's tenants get an immediate refusal.
  await expect.poll(() => others.answers.length - stoppedAt[1]).toBeGreaterThan(10);
  await signInAs({ app, config }, 'analyst@vendor.caseway.test');
  await expect.poll(() => theirs.answers.length - stoppedAt[0]).toBeGreaterThan(5);
  // Nobody can tell the names of its tenants from other or unknown names. [P12]
  const refusals = await Promise.all(
    ['lab@demo.caseway.test', 'lab@vendor.caseway.test', 'nobody@elsewhere.example'].map(async (username) => {
      const { details } = await beginSignIn({ app }, username);
      const payload = { details, secret: '1' };
      const response = await app.fastify.inject({ method: 'POST', url: '/auth/tenant/challenge', payload });
      return { ...response.json(), status: response.statusCode, requestId: '' };
    }),
  );
  expect(refusals[0]).toMatchObject({ status: 401, code: 'code-wrong' });
  expect(refusals).toEqual([refusals[0], refusals[0], refusals[0]]);
  // A server of Caseway can also be started.
  const started = await connectDatabase({
    dataDir,
    databaseUrl: appUrl,
    databaseOwnerUrl: owner,
    log: createLog('fatal'),
  });
  await started.close();
  const { servers } = await database.withScope({ kind: 'system' }, readSizes);
  expect(servers.map(({ bytes }) => bytes === null)).toEqual([0, 1, 2].map((node) => node === hit));
  const during = theirs.answers.slice(stoppedAt[0] + 1);
  expect(during.filter(({ status }) => status < 500)).toEqual([]);
  expect(Math.max(...during.map(({ ms }) => ms))).toBeLessThan(10_000);
  const before = theirs.acknowledged.length;

  await cluster('start', String(hit));
  await expect.poll(() => theirs.acknowledged.length).toBeGreaterThan(before + 5);
  await Promise.all([theirs.stop(), others.stop()]);
  expect(others.answers.filter(({ status }) => status !== 200)).toEqual([]);
  // The wrong code of that time is now in the log.
  await writeLateEvents({ database, superuserUrl: superuser });
  const failed = `select a.username from audit_event e join account a on a.id = e.account_id
    where e.tenant_id = $1 and e.action = 'sign-in/failed'`;
  expect(await asked(superuser, failed, [demo.id])).toEqual([{ username: 'lab@demo.caseway.test' }]);
  for (const [tenant, { acknowledged }] of [
    [demo, theirs],
    [vendor, others],
  ] as const) {
    const stored = await asked<{ id: string }>(
      superuser,
      'select id from saved_filter where tenant_id = $1',
      [tenant.id],
    );
    const ids = new Set(stored.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(await verifyChain(database, tenant.id)).toMatchObject({ faults: [] });
  }
});

it('while each server is killed in turn, every acknowledged change is read once and in order [P5, P30]', async () => {
  const outcome = await followWhile(
    database,
    { tenants: 4, writers: 5, patienceMs: 60_000 },
    async (more) => {
      await more(30);
      // The coordinator is the last one.
      for (const node of ['1', '2', '0']) {
        await cluster('stop', node);
        await cluster('start', node);
        await more(30);
      }
    },
  );
  expect(outcome).toMatchObject({ faults: [], lost: 0 });
  expect(outcome.unheard).toBeGreaterThan(3);
  expect(outcome.undone).toBeGreaterThan(0);
});
