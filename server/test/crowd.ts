import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { alwaysRestricted } from '../src/features/reference/catalog.ts';
import { createSessions } from '../src/platform/auth/sessions.ts';
import { Signing } from '../src/platform/auth/signing.ts';
import { noteMemberships, passOn } from '../src/platform/carried/carried.ts';
import type { Database } from '../src/platform/db/database.ts';

/* Many people at work at the same time, for the load test and its bench. [P22] */

/** Adds people to a tenant with the role of an epidemiologist; returns their account ids. */
export async function employ(database: Database, tenantId: string, people: number): Promise<string[]> {
  const ids = Array.from({ length: people }, () => randomUUID());
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
    await passOn(tx, tenantId, 'membership', 'all');
  });
  await database.withScope({ kind: 'identity' }, (tx) => noteMemberships(tx, ids));
  return ids;
}

interface Request {
  name: string;
  method: string;
  path: string;
  body?: string;
}

/** What people read, in proportion: a request that is listed twice is sent twice as often. */
async function reads(database: Database, tenantId: string): Promise<Request[]> {
  const cases = await database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.rows<{ id: string }>(
      `select id from case_report where tenant_id = $1 and disease_family <> all ($2) order by id limit 200`,
      [tenantId, alwaysRestricted],
    ),
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

export interface Sample {
  name: string;
  ms: number;
  status: number;
}

/** Everyone has an open event stream, and sends a request at intervals, whether or not the last answer came. */
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

/** Sends the next request when an answer has come, on this many connections. */
const hurried = `
const { parentPort, workerData: { port, people, requests, atOnce, seconds } } = require('node:worker_threads');
const http = require('node:http');
const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
const samples = [];
let x = 1;
const random = () => (x = (x * 48271) % 2147483647) / 2147483647;
const ask = ({ name, method, path, body }, headers) => new Promise((resolve) => {
  const since = performance.now();
  const end = (status) => { samples.push({ name, ms: performance.now() - since, status }); resolve(); };
  const request = http.request({ port, host: '127.0.0.1', agent, method, path,
    headers: { ...headers, ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }) } },
    (answer) => answer.resume().on('end', () => end(answer.statusCode)));
  request.on('error', () => end(0));
  request.end(body);
});
const until = performance.now() + seconds * 1000;
Promise.all(Array.from({ length: atOnce }, async () => {
  while (performance.now() < until)
    await ask(requests[Math.floor(random() * requests.length)], people[Math.floor(random() * people.length)]);
})).then(() => parentPort.postMessage({ samples }));`;

interface SignedIn {
  database: Database;
  tokenSecret: string;
  /** A tenant with records and the roles of the demo. */
  tenantId: string;
  people: number;
}

export interface Crowd extends SignedIn {
  /** The server's port on this machine. */
  port: number;
  /** The interval between a person's requests. */
  secondsBetween: number;
  seconds: number;
}

/** The headers of people who have signed in, and what they read. */
async function signedIn({ database, tokenSecret, tenantId, people: number }: SignedIn) {
  const signing = new Signing(tokenSecret);
  const sessions = createSessions({ database, signing });
  const people: Record<string, string>[] = [];
  for (const accountId of await employ(database, tenantId, number)) {
    const { accessToken } = await database.withScope({ kind: 'identity' }, (tx) =>
      sessions.open(tx, { accountId, audience: 'staff', methods: ['EMAIL'], secondCheck: false }, {}),
    );
    people.push({
      authorization: `Bearer ${accessToken}`,
      'x-org-token': signing.orgToken({ accountId, orgType: 'T', orgId: tenantId, tenantId }),
    });
  }
  return { people, requests: await reads(database, tenantId) };
}

/** Runs a program in its own thread, which the server's work does not delay; returns what it sends at its end. */
async function inThread<Result>(program: string, workerData: object): Promise<Result> {
  const worker = new Worker(program, { eval: true, workerData });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
  } finally {
    await worker.terminate();
  }
}

/**
 * Signs people in, who each have an open event stream and read typical data. Resolves with every answer, and the
 * number of streams still open at the end.
 */
export async function crowdAtWork({
  port,
  secondsBetween,
  seconds,
  ...who
}: Crowd): Promise<{ samples: Sample[]; open: number }> {
  return inThread(browser, { ...(await signedIn(who)), port, secondsBetween, seconds });
}

/** Signs people in. The returned function lets them read as much as a server answers, on this many connections. */
export async function hurriedCrowd(
  who: SignedIn,
): Promise<(pace: { port: number; atOnce: number; seconds: number }) => Promise<{ samples: Sample[] }>> {
  const crowd = await signedIn(who);
  return (pace) => inThread(hurried, { ...crowd, ...pace });
}
