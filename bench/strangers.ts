import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { todayIn } from '@caseway/contract/date-range';
import { seedRecords } from '../server/seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { buildApp } from '../server/src/app.ts';
import { parseConfig } from '../server/src/config.ts';
import { createSessions } from '../server/src/platform/auth/sessions.ts';
import { Signing } from '../server/src/platform/auth/signing.ts';
import { connectDatabase } from '../server/src/platform/db/connect.ts';
import { connected } from '../server/src/platform/db/roles.ts';
import { createLog } from '../server/src/platform/log/log.ts';
import { dataFolder } from './data-folder.ts';
import { type Bench, type Figure, percentile } from './figure.ts';

const tokenSecret = 'signs nothing outside of this bench';
const atOnce = 1000;
/** One flood after the other. */
const rounds = 5;

interface Sent {
  method: 'POST';
  path: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends floods one after the other, and single requests one after the other until the floods are over; from a
 * separate thread.
 */
const client = `
const { parentPort } = require('node:worker_threads');
const http = require('node:http');
const agents = [new http.Agent({ keepAlive: true, maxSockets: 1000 }), new http.Agent({ keepAlive: true, maxSockets: 1 })];
const send = (agent, port, { method, path, headers, body }) => new Promise((resolve) => {
  const since = performance.now();
  const request = http.request({ port, host: '127.0.0.1', agent, method, path,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers } },
    (answer) => answer.resume().on('end', () => resolve({ ms: performance.now() - since, status: answer.statusCode })));
  request.on('error', () => resolve({ ms: performance.now() - since, status: 0 }));
  request.end(body);
});
parentPort.on('message', async ({ port, floods, asked, least }) => {
  let over = false;
  const flooded = (async () => {
    const all = [];
    for (const flood of floods) all.push(...await Promise.all(flood.map((one) => send(agents[0], port, one))));
    over = true;
    return all;
  })();
  const answers = [];
  while (asked && (floods.length > 0 ? !over : answers.length < least)) answers.push(await send(agents[1], port, asked));
  parentPort.postMessage({ answers, flooded: await flooded });
});`;

/**
 * P25, P27: how long people who are signed in wait while strangers, or one account, send many requests at the same
 * time.
 */
export const strangers: Bench = {
  name: `A page of cases while ${atOnce.toLocaleString('en')} strangers sign in at once, and while one account asks 40 wide questions`,
  async run() {
    const dataDir = await dataFolder();
    const log = createLog('fatal');
    const config = parseConfig({
      DATA_DIR: dataDir,
      DEMO: 'off',
      TOKEN_SECRET: tokenSecret,
      PUBLIC_URL: 'https://bench.example.test',
      BEHIND_PROXY: 'true',
    });
    const connection = await connectDatabase({ dataDir, log });
    const { database } = connection;
    const worker = new Worker(client, { eval: true });
    try {
      const { demo } = await seedDemoTenants(database);
      await seedRecords(database, demo.id, { patients: 20_000, results: 60_000, cases: 8000 });
      await connected(connection.ownerUrl!, 'the bench', (client) => client.query('vacuum analyze'));
      const app = await buildApp({ config, connection, log });
      await app.fastify.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.fastify.server.address() as AddressInfo;

      const signing = new Signing(tokenSecret);
      const sessions = createSessions({ database, signing });
      const headersOf = async (username: string) => {
        const { accessToken, accountId } = await database.withScope({ kind: 'identity' }, async (tx) => {
          const [row] = await tx.rows<{ id: string }>('select id from account where username = $1', [
            username,
          ]);
          const opened = await sessions.open(
            tx,
            { accountId: row!.id, audience: 'staff', methods: ['EMAIL'], secondCheck: false },
            {},
          );
          return { ...opened, accountId: row!.id };
        });
        return {
          authorization: `Bearer ${accessToken}`,
          'x-org-token': signing.orgToken({ accountId, orgType: 'T', orgId: demo.id, tenantId: demo.id }),
        };
      };
      const list: Sent = {
        method: 'POST',
        path: `/api/web/grid/${caseReportGrid.id}/search`,
        headers: await headersOf('epi@demo.caseway.test'),
        body: '{}',
      };
      const run = (floods: Sent[][], asked: Sent | undefined, least = 60) =>
        new Promise<Record<'answers' | 'flooded', { ms: number; status: number }[]>>((resolve) => {
          worker.once('message', resolve);
          worker.postMessage({ port, floods, asked, least });
        });
      let names = 0;
      const signIn = (name: string | undefined, network: string): Sent => ({
        method: 'POST',
        path: '/auth/tenant/sign-in',
        headers: { 'x-forwarded-for': network },
        body: JSON.stringify({
          origin: 'localhost',
          username: name ?? `nobody-${names++}@demo.caseway.test`,
          challengeMethod: 'EMAIL',
        }),
      });
      const many = (make: (n: number) => Sent) =>
        Array.from({ length: rounds }, (_, round) =>
          Array.from({ length: atOnce }, (_, n) => make(round * atOnce + n)),
        );
      const network = (n: number) => `198.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
      const wide = async (): Promise<Sent[]> => {
        const headers = await headersOf('analyst@demo.caseway.test');
        const end = todayIn('America/New_York');
        const questions: Sent[] = [];
        for (let n = 0; n < 40; n += 1) {
          const start = `20${String(20 + (n % 5)).padStart(2, '0')}-01-${String(1 + (n % 28)).padStart(2, '0')}`;
          questions.push({
            method: 'POST',
            path: '/api/web/analytics/testing',
            headers,
            body: JSON.stringify({ dateRangeValue: { start, end } }),
          });
        }
        return questions;
      };

      await run([], list, 150);
      const figures: Figure[] = [];
      let idle = 0;
      const measure = async (what: string, floods: Sent[][], promised?: string) => {
        const cpu = process.threadCpuUsage();
        const { answers, flooded } = await run(floods, list);
        const used = process.threadCpuUsage(cpu);
        const failed = answers.filter(({ status }) => status !== 200).length;
        const p95 = percentile(
          answers.map(({ ms }) => ms),
          0.95,
        );
        if (floods.length === 0) idle = p95;
        const statuses = Object.entries(Object.groupBy(flooded, ({ status }) => String(status)))
          .map(([status, all]) => `${all!.length} × ${status}`)
          .join(', ');
        figures.push({
          what: `${what}, p95 of ${answers.length}${failed > 0 ? `, ${failed} FAILED` : ''}${statuses && ` (${statuses})`}`,
          value: p95,
          unit: 'ms',
          promised,
          against: floods.length > 0 ? { what: 'idle', ratio: p95 / idle } : undefined,
        });
        figures.push({
          what: '… of the main thread',
          value: (used.user + used.system) / 1000,
          unit: 'ms',
        });
      };
      /** Microseconds of the main thread for each request of a flood, alone. */
      const cost = async (what: string, floods: Sent[][]) => {
        const cpu = process.threadCpuUsage();
        const { flooded } = await run(floods, undefined);
        const used = process.threadCpuUsage(cpu);
        figures.push({
          what: `${what}, of the main thread for each`,
          value: (used.user + used.system) / flooded.length,
          unit: 'µs',
        });
      };
      await measure('nobody else', []);
      await measure(
        'many names, one network',
        many(() => signIn(undefined, '198.51.100.1')),
        '≤ 2 × idle',
      );
      await cost(
        'refused: its network has no allowance left',
        many(() => signIn(undefined, '198.51.100.1')),
      );
      await measure(
        'one name, many networks',
        many((n) => signIn('epi@demo.caseway.test', network(n))),
        '≤ 2 × idle',
      );
      await measure(
        'many names, many networks',
        many((n) => signIn(undefined, network(100_000 + n))),
        '≤ 2 × idle',
      );
      await measure('40 wide questions of one account', [await wide()], '≤ 2 × idle');
      await app.fastify.close();
      return figures;
    } finally {
      await worker.terminate();
      await connection.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
