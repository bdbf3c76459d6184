import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { seedRecords } from '../server/seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { buildApp } from '../server/src/app.ts';
import { parseConfig } from '../server/src/config.ts';
import { createSessions } from '../server/src/platform/auth/sessions.ts';
import { Signing } from '../server/src/platform/auth/signing.ts';
import { connectDatabase } from '../server/src/platform/db/connect.ts';
import type { Database } from '../server/src/platform/db/database.ts';
import { connected } from '../server/src/platform/db/roles.ts';
import { createLog } from '../server/src/platform/log.ts';
import { type Bench, percentile } from './figure.ts';

const users = Number(process.env.BENCH_USERS ?? 2000);
/** Somebody at work asks for something so often. */
const secondsBetween = 20;
const seconds = Number(process.env.BENCH_SECONDS ?? 30);
const secret = 'signs nothing outside of this bench';

/** People who belong to a tenant with the role of an epidemiologist. Their account ids. */
async function employ(database: Database, tenantId: string): Promise<string[]> {
  const ids = Array.from({ length: users }, () => randomUUID());
  await database.withScope({ kind: 'identity' }, (tx) =>
    tx.run(
      `insert into account (id, username, email, first_name, last_name)
       select id, 'load-' || n || '@demo.caseway.test', 'load-' || n || '@demo.caseway.test', 'Load', 'Person ' || n
       from unnest($1::uuid[]) with ordinality as a (id, n)`,
      [ids],
    ),
  );
  await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    await tx.run(
      `insert into membership (tenant_id, id, account_id, org_type, org_id)
       select $1::uuid, gen_random_uuid(), id, 'T', $1::uuid from unnest($2::uuid[]) as a (id)`,
      [tenantId, ids],
    );
    await tx.run(
      `insert into membership_role (tenant_id, membership_id, role_id)
       select $1, m.id, r.id from membership m, role r
       where m.tenant_id = $1 and m.account_id = any ($2) and r.tenant_id = $1 and r.code = 'epidemiologist'`,
      [tenantId, ids],
    );
  });
  return ids;
}

interface Request {
  name: string;
  method: string;
  path: string;
  body?: string;
}

/** What people read, as often as they do: a request that stands here twice is asked twice as often. */
async function reads(database: Database, tenantId: string): Promise<Request[]> {
  const cases = await database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.rows<{ id: string }>('select id from case_report where tenant_id = $1 order by id limit 200', [
      tenantId,
    ]),
  );
  const today = todayIn('America/New_York');
  const grid = (query: object, id = 'case-reports', name = 'a page of cases'): Request => ({
    name,
    method: 'POST',
    path: `/api/web/grid/${id}/search`,
    body: JSON.stringify({
      filterModel: { items: [] },
      sortModel: [],
      paginationModel: { page: 0, pageSize: 25 },
      filters: {},
      ...query,
    }),
  });
  const numbers = (days: number): Request => ({
    name: 'the numbers of testing',
    method: 'POST',
    path: '/api/web/analytics/testing',
    body: JSON.stringify({
      dateRangeValue: { start: addDays(today, -days), end: today },
      filters: {},
      eventDate: 'collected',
    }),
  });
  return [
    { name: 'beginning', method: 'GET', path: `/api/auth/initUser?org=T:${tenantId}` },
    grid({}),
    ...Object.keys(caseReportGrid.columns)
      .slice(0, 6)
      .map((field) => grid({ sortModel: [{ field, sort: 'asc' }] })),
    grid({ filterModel: { items: [{ field: 'status', operator: 'is', value: 'new' }] } }),
    grid({ filterModel: { items: [], quickFilterValues: ['mar'] } }),
    ...cases
      .slice(0, 12)
      .map(({ id }): Request => ({ name: 'a case', method: 'GET', path: `/api/web/case-reports/${id}` })),
    numbers(30),
    numbers(90),
    numbers(364),
    grid({}, 'imports', 'the imports'),
    { name: 'a list of choices', method: 'GET', path: '/api/web/list/options/facilities' },
  ];
}

interface Sample {
  name: string;
  ms: number;
  status: number;
}

/** Everybody holds a stream of events, and asks for something every so often, whether or not the last answer came. */
const browser = `
const { parentPort, workerData: { port, people, requests, secondsBetween, seconds } } = require('node:worker_threads');
const http = require('node:http');
const agent = new http.Agent({ keepAlive: true, maxSockets: 400 });
const streams = new http.Agent({ keepAlive: true, maxSockets: Infinity });
const samples = [];
let open = 0, due = 0;
let x = 1;
const random = () => (x = (x * 48271) % 2147483647) / 2147483647;
const ask = (headers, { name, method, path, body }) => {
  due++;
  const since = performance.now();
  const end = (status) => { samples.push({ name, ms: performance.now() - since, status }); due--; };
  const request = http.request({ port, host: '127.0.0.1', agent, method, path,
    headers: { ...headers, ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }) } },
    (answer) => answer.resume().on('end', () => end(answer.statusCode)));
  request.on('error', () => end(0));
  request.end(body);
};
const listen = (headers) => new Promise((resolve, reject) => {
  http.get({ port, host: '127.0.0.1', agent: streams, path: '/api/web/events', headers }, (answer) => {
    if (answer.statusCode !== 200) { reject(new Error('a stream answered ' + answer.statusCode)); return; }
    open++;
    answer.on('data', () => {}).on('error', () => {}).on('close', () => open--);
    resolve();
  }).on('error', reject);
});
(async () => {
  for (let at = 0; at < people.length; at += 50) await Promise.all(people.slice(at, at + 50).map(listen));
  const began = performance.now();
  const total = Math.floor(people.length / secondsBetween * seconds);
  let sent = 0;
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      const wanted = Math.min(total, (performance.now() - began) / 1000 * people.length / secondsBetween);
      for (; sent < wanted; sent++)
        ask(people[Math.floor(random() * people.length)], requests[Math.floor(random() * requests.length)]);
      if (sent === total && due === 0) { clearInterval(timer); resolve(); }
    }, 2);
  });
  parentPort.postMessage({ samples, open });
})().catch((error) => { throw error; });`;

export const load: Bench = {
  name: `${users.toLocaleString('en')} people signed in, each with a stream of events and a request every ${secondsBetween} seconds`,
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), 'caseway-bench-'));
    const log = createLog('error');
    const config = parseConfig({ DATA_DIR: dataDir, DEMO: 'off', TOKEN_SECRET: secret });
    const connection = await connectDatabase({ dataDir, log });
    const { database } = connection;
    try {
      const { demo } = await seedDemoTenants(database);
      await seedRecords(database, demo.id, { patients: 20_000, results: 60_000, cases: 8000 });
      const accountIds = await employ(database, demo.id);
      await connected(connection.ownerUrl!, 'the bench', (client) => client.query('vacuum analyze'));
      const signing = new Signing(secret);
      const sessions = createSessions({ database, signing });
      const people: Record<string, string>[] = [];
      for (const accountId of accountIds) {
        const { accessToken } = await database.withScope({ kind: 'identity' }, (tx) =>
          sessions.open(tx, { accountId, audience: 'staff', methods: ['EMAIL'], secondCheck: false }, {}),
        );
        people.push({
          authorization: `Bearer ${accessToken}`,
          'x-org-token': signing.orgToken({ accountId, orgType: 'T', orgId: demo.id, tenantId: demo.id }),
        });
      }
      const app = await buildApp({ config, connection, log });
      await app.fastify.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.fastify.server.address() as AddressInfo;
      const requests = await reads(database, demo.id);
      const worker = new Worker(browser, {
        eval: true,
        workerData: { port, people, requests, secondsBetween, seconds },
      });
      const { samples, open } = await new Promise<{ samples: Sample[]; open: number }>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject);
      });
      await worker.terminate();
      await app.fastify.close();
      const failed = samples.filter(({ status }) => status !== 200);
      if (failed.length > 0)
        throw new Error(
          `${failed.length} failed, the first one with ${failed[0]!.status}: ${failed[0]!.name}`,
        );
      if (open !== users) throw new Error(`${users - open} streams have ended`);
      const times = (of: readonly Sample[]) => of.map(({ ms }) => ms);
      return [
        {
          what: `${samples.length.toLocaleString('en')} requests without an error, p95`,
          value: percentile(times(samples), 0.95),
          unit: 'ms',
          promised: '≤ 500',
        },
        { what: '… median', value: percentile(times(samples), 0.5), unit: 'ms' },
        ...[...Map.groupBy(samples, ({ name }) => name)].map(([name, of]) => ({
          what: `… ${name}, p95`,
          value: percentile(times(of), 0.95),
          unit: 'ms' as const,
        })),
      ];
    } finally {
      await connection.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
