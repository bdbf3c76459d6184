import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { InitUserAnswer } from '@caseway/contract/session';
import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { buildApp } from '../server/src/app.ts';
import { membershipsOf } from '../server/src/platform/auth/memberships.ts';
import type { Database } from '../server/src/platform/db/database.ts';
import { connected } from '../server/src/platform/db/roles.ts';
import { signInAs } from '../server/test/sign-in.ts';
import { withOwnDatabase } from './data-folder.ts';
import { type Bench, percentile, timings } from './figure.ts';

const organizations = 500;
const lines = 2000;
const perSecond = 200;
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const username = 'many@demo.caseway.test';

/** A person who belongs to 500 organisations of a tenant and to the tenant, where ten roles have 2,000 grants. */
async function fill(database: Database, tenantId: string): Promise<void> {
  const accountId = randomUUID();
  await database.withScope({ kind: 'identity' }, (tx) =>
    tx.run(
      `insert into account (id, username, email, first_name, last_name) values ($1, $2, $2, 'Many', 'Places')`,
      [accountId, username],
    ),
  );
  await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    await tx.run(
      `insert into organization (tenant_id, id, name)
       select $1, gen_random_uuid(), 'Organisation ' || md5(n::text) from generate_series(1, $2::int - 1) n`,
      [tenantId, organizations],
    );
    await tx.run(
      `insert into membership (tenant_id, id, account_id, org_type, org_id)
       select $1::uuid, gen_random_uuid(), $2::uuid, 'O', id from organization where name like 'Organisation %'
       union all select $1::uuid, gen_random_uuid(), $2::uuid, 'T', $1::uuid`,
      [tenantId, accountId],
    );
    await tx.run(
      `insert into role (tenant_id, id, code, label)
       select $1, md5('r' || n)::uuid, 'bench-' || n, 'Bench' from generate_series(1, 10) n`,
      [tenantId],
    );
    // Every role has its grants, and the person has each role: a line of both kinds.
    await tx.run(
      `insert into role_grant (tenant_id, role_id, obj, act, eft)
       select $1, md5('r' || r)::uuid, 'T', 'module-' || chr(96 + r) || '/' || translate(md5(a::text), '0123456789', 'ghijklmnop'),
         'allow' from generate_series(1, 10) r, generate_series(1, $2::int / 10 - 1) a`,
      [tenantId, lines],
    );
    await tx.run(
      `insert into membership_role (tenant_id, membership_id, role_id, account_id, org_type, org_id)
       select $1, m.id, md5('r' || r)::uuid, m.account_id, m.org_type, m.org_id from membership m, generate_series(1, 10) r
       where m.account_id = $2 and m.org_type = 'T'`,
      [tenantId, accountId],
    );
    await tx.run(
      `insert into policy_version (tenant_id, version) values ($1, 2) on conflict (tenant_id) do update set version = 2`,
      [tenantId],
    );
  });
}

/**
 * Sends this many requests a second whether or not the answers come, as people do. Returns the milliseconds of each
 * answer.
 */
async function load(url: string, authorization: string, duration: number): Promise<number[]> {
  const worker = new Worker(
    `const { parentPort, workerData: { url, authorization, perSecond, duration } } = require('node:worker_threads');
     const http = require('node:http');
     const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
     const samples = [];
     const total = perSecond * duration;
     let failed = 0, done = 0;
     const began = performance.now();
     const ask = () => {
       const since = performance.now();
       http.get(url, { agent, headers: { authorization } }, (answer) => {
         if (answer.statusCode !== 200) failed++;
         answer.resume().on('end', () => { samples.push(performance.now() - since); end(); });
       }).on('error', () => { failed++; end(); });
     };
     const end = () => { if (++done === total) { parentPort.postMessage({ samples, failed }); agent.destroy(); } };
     let sent = 0;
     const timer = setInterval(() => {
       const due = Math.min(total, Math.floor((performance.now() - began) / 1000 * perSecond) + 1);
       while (sent < due) { sent++; ask(); }
       if (sent === total) clearInterval(timer);
     }, 1);`,
    { eval: true, workerData: { url, authorization, perSecond, duration } },
  );
  const { samples, failed } = await new Promise<{ samples: number[]; failed: number }>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  if (failed > 0) throw new Error(`${failed} of ${perSecond * duration} requests failed`);
  return samples;
}

export const init: Bench = {
  name: `Beginning (initUser), ${organizations} organisations and ${lines} policy lines, ${perSecond} requests a second`,
  run: () =>
    withOwnDatabase(async ({ log, config, connection }) => {
      const { database } = connection;
      const world = await seedDemoTenants(database);
      await fill(database, world.demo.id);
      await connected(connection.ownerUrl!, 'the bench', (client) => client.query('vacuum analyze'));
      const app = await buildApp({ config, connection, log });
      await app.fastify.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.fastify.server.address() as AddressInfo;
      const { tokens, init: answer } = await signInAs({ app, config }, username, `T:${world.demo.id}`);
      const counted = (one: InitUserAnswer) => [one.availableOrgs.length, one.casbinPolicy.length];
      if (counted(answer).join() !== [organizations, lines].join())
        throw new Error(`the answer has ${counted(answer).join(' organisations and ')} lines`);
      const url = `http://127.0.0.1:${port}/api/auth/initUser?org=T:${world.demo.id}`;
      const authorization = `Bearer ${tokens.accessToken}`;
      await load(url, authorization, 2);
      const samples = await load(url, authorization, seconds);
      const alone = await timings(30, () =>
        database.withScope({ kind: 'identity' }, (tx) => membershipsOf(tx, answer.user.id)),
      );
      await app.fastify.close();
      return [
        { what: 'p95', value: percentile(samples, 0.95), unit: 'ms', promised: '≤ 30' },
        {
          what: 'median',
          value: percentile(samples, 0.5),
          unit: 'ms',
          against: {
            what: 'the statement for the organisations alone takes',
            ratio: percentile(alone, 0.5) / percentile(samples, 0.5),
          },
        },
      ];
    }),
};
