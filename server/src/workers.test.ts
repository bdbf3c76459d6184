import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SystemHealth } from '@caseway/contract/system';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { startChild } from '../test/child.ts';
import { bare } from '../test/commands.ts';
import { asSuperuser, createTestDatabase } from '../test/database.ts';
import { makePatient, makeResult } from '../test/factories.ts';
import { freePort } from '../test/port.ts';
import { signInOver } from '../test/sign-in.ts';
import { recordChange } from './platform/analytics/outbox.ts';

/* One server of two processes behind one port. */

const given = await createTestDatabase();
const { demo } = await seedDemoTenants(given.database);
const folder = await mkdtemp(join(tmpdir(), 'caseway-workers-'));
const secret = 'signs for every process, and nothing outside of this test';
const port = await freePort();
let server: ChildProcess;
let said = '';
let headers: Record<string, string>;
/** The system administrator. */
let operator: Record<string, string>;

async function start(): Promise<void> {
  said = '';
  server = startChild(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
    env: {
      ...bare,
      WORKERS: '2',
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: given.appUrl,
      DATABASE_OWNER_URL: given.ownerUrl,
      TOKEN_SECRET: secret,
      LOG_LEVEL: 'error',
      ANONYMOUS_PER_MINUTE: '20',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr])
    stream!.on('data', (chunk) => {
      said += chunk;
    });
  while (!said.includes('Caseway is ready at')) {
    if (server.exitCode !== null) throw new Error(`the server has ended: ${said}`);
    await sleep(50);
  }
}

/** The processes of the server besides the first. */
function workers(): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return parent === server.pid && pid ? [pid] : [];
  });
}
const isAlive = (pid: number) => spawnSync('kill', ['-0', String(pid)]).status === 0;

interface Answered {
  status: number | string;
  text: string;
}
/** Sends a request, on a new connection unless an agent keeps one. */
function send(
  path: string,
  own: Record<string, string> = {},
  body?: object,
  agent: Agent | false = false,
): Promise<Answered> {
  const text = body && JSON.stringify(body);
  return new Promise((resolve) => {
    const sent = request(
      {
        port,
        host: 'localhost',
        agent,
        path,
        method: body ? 'POST' : 'GET',
        headers: {
          ...own,
          ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      async (answer) => {
        let all = '';
        try {
          for await (const chunk of answer) all += chunk;
          resolve({ status: answer.statusCode!, text: all });
        } catch (error) {
          resolve({ status: (error as NodeJS.ErrnoException).code ?? 'lost', text: all });
        }
      },
    );
    sent.once('error', (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? 'lost', text: '' }));
    sent.end(text);
  });
}
async function ask<T>(path: string, own: Record<string, string>, body?: object): Promise<T> {
  const { status, text } = await send(path, own, body);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return JSON.parse(text) as T;
}

beforeAll(async () => {
  const patient = await makePatient(given.database, { tenant_id: demo.id });
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1)
    ids.push((await makeResult(given.database, { tenant_id: demo.id, patient_id: patient.id })).id);
  await given.database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
    recordChange(tx, demo.id, 'result', ids),
  );
  await start();
  headers = await signInOver(ask, secret, 'epi@demo.caseway.test', `T:${demo.id}`);
  operator = await signInOver(ask, secret, 'sysadmin@demo.caseway.test');
});
afterAll(async () => {
  for (const pid of [server.pid!, ...workers()]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
  await rm(folder, { recursive: true, force: true });
});

const search = (agent?: Agent) => send('/api/web/grid/testing-records/search', headers, {}, agent);

describe('a server of two processes [P22, P29]', () => {
  it('answers with both, from one replica of each tenant, and shows what each does', async () => {
    await expect
      .poll(
        async () => {
          const leases = await asSuperuser<{ size: number | null }>(
            'select size::int from replica_owner where tenant_id = $1',
            [demo.id],
            given.superuserUrl,
          );
          return leases.map(({ size }) => size);
        },
        { interval: 200 },
      )
      .toEqual([4]);
    const owners = await asSuperuser<{ tenants: number }>(
      'select count(*)::int as tenants from replica_owner group by server',
      [],
      given.superuserUrl,
    );
    expect(owners).toHaveLength(2);
    // Each on its own connection, for which the kernel chooses a process.
    const answers = await Promise.all(Array.from({ length: 24 }, () => search()));
    const [first] = answers;
    expect(first!.status).toBe(200);
    expect(JSON.parse(first!.text).rowCount).toBe(3);
    for (const answer of answers) expect(answer).toEqual(first);
    const metrics = await send('/metrics');
    const searches = [
      ...metrics.text.matchAll(/^caseway_http_request_seconds_count\{(.*)\} (\d+)$/gm),
    ].filter(([, labels]) => labels!.includes('/api/web/grid/testing-records/search'));
    const counts = Object.fromEntries(
      searches.map(([, labels, n]) => [/worker="(\d)"/.exec(labels!)![1], Number(n)]),
    );
    expect(counts).toEqual({ 1: expect.any(Number), 2: expect.any(Number) });
    expect(counts[1]! + counts[2]!).toBe(24);
    expect(Math.min(counts[1]!, counts[2]!)).toBeGreaterThan(0);
    // Metrics that all processes share appear once.
    expect(metrics.text.match(/^caseway_database_size_bytes/gm)).toHaveLength(1);
    expect(JSON.parse((await send('/health/ready')).text)).toMatchObject({ status: 'ready' });
  });

  it('shows the system administrator the health of both, whichever answers', async () => {
    const asked = await Promise.all(
      Array.from({ length: 12 }, () => ask<SystemHealth>('/api/web/system/health', operator)),
    );
    const answeredBy = (await send('/metrics')).text.matchAll(
      /^caseway_http_request_seconds_count\{(.*route="\/api\/web\/system\/health".*)\}/gm,
    );
    const processes = [...answeredBy].map(([, labels]) => /worker="(\d)"/.exec(labels!)![1]);
    expect(processes.sort()).toEqual(['1', '2']);
    const replicas = asked.map((health) =>
      health.replicas.map(({ tenant, failing }) => ({ tenant, failing })),
    );
    const tenants = await asSuperuser<{ name: string }>(
      'select name from tenant order by name',
      [],
      given.superuserUrl,
    );
    // Each tenant once, with the replica of the process that has it.
    for (const one of replicas)
      expect(one).toEqual(tenants.map(({ name }) => ({ tenant: name, failing: false })));
  });

  it('gives a network one allowance over all its processes [P25]', async () => {
    const twenty = 20;
    /** Including what has become free since. */
    const since = performance.now();
    const allowed = () => twenty + Math.ceil(((performance.now() - since) / 60_000) * twenty);
    const knock = (details: string) => send('/auth/tenant/challenge', {}, { details, secret: '000000' });
    let served = 0;
    while ((await knock(`no challenge ${served}`)).status !== 429) served += 1;
    // Of twenty, without the four of the sign-ins; not twenty for each process. Processes tell each other a moment
    // later.
    expect(served).toBeGreaterThanOrEqual(15);
    expect(served).toBeLessThanOrEqual(allowed() + 2);
    const more = await Promise.all(Array.from({ length: 6 }, (_, n) => knock(`another ${n}`)));
    served += more.filter(({ status }) => status !== 429).length;
    expect(served).toBeLessThanOrEqual(allowed() + 2);
  });

  it('loses only what a killed process was doing, and starts it again', async () => {
    const before = workers();
    expect(before).toHaveLength(2);
    const kept = new Agent({ keepAlive: true, maxSockets: 4 });
    const statuses: { status: number | string; sentAt: number }[] = [];
    let isOver = false;
    const asking = Promise.all(
      Array.from({ length: 4 }, async (_, n) => {
        while (!isOver) {
          const sentAt = performance.now();
          const { status } = await search(n % 2 === 0 ? kept : undefined);
          statuses.push({ status, sentAt });
          await sleep(20);
        }
      }),
    );
    await expect.poll(() => statuses.length).toBeGreaterThan(10);
    process.kill(before[0]!, 'SIGKILL');
    await expect.poll(() => workers().filter((pid) => !before.includes(pid))).toHaveLength(1);
    await expect
      .poll(async () => (await send('/metrics')).text.match(/^process_start_time_seconds/gm)?.length, {
        interval: 300,
      })
      .toBe(2);
    const startedAgainAt = performance.now();
    const later = () => statuses.filter(({ sentAt }) => sentAt >= startedAgainAt);
    await expect.poll(() => later().length).toBeGreaterThan(20);
    isOver = true;
    await asking;
    kept.destroy();
    const failed = statuses.filter(({ status }) => status !== 200);
    // At most one on each of the four connections, sent before or while it was killed.
    expect(failed.length).toBeLessThanOrEqual(4);
    // No later request is lost.
    for (const { sentAt } of failed) expect(sentAt).toBeLessThan(startedAgainAt);
    expect(said).toContain('a worker has ended and is started again');
    // The other process, or a successor, has its replicas.
    const ended = () =>
      asSuperuser('select from replica_owner where until < clock_timestamp()', [], given.superuserUrl);
    await expect.poll(ended).toEqual([]);
  });

  it('lets running requests finish at a stop, whichever processes are signalled, and leaves nothing behind', async () => {
    const all = [server.pid!, ...workers()];
    expect(all).toHaveLength(3);
    const body = '{"filterModel":{"items":[]}}';
    const slow = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const sending = request({
          port,
          host: 'localhost',
          agent: false,
          method: 'POST',
          path: '/api/web/grid/testing-records/search',
          headers: {
            ...headers,
            'content-type': 'application/json',
            'content-length': body.length,
            expect: '100-continue',
          },
        });
        const answered = new Promise<number | string>((resolve) => {
          sending.once('response', (answer) => {
            answer.resume();
            answer.once('end', () => resolve(answer.statusCode!));
          });
          sending.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'lost'));
        });
        sending.write(body.slice(0, 5));
        await once(sending, 'continue');
        return { finish: () => sending.end(body.slice(5)), answered };
      }),
    );
    const exited = once(server, 'exit');
    const tenants = async () =>
      (await asSuperuser('select from replica_owner', [], given.superuserUrl)).length;
    const shared = await tenants();
    // Like systemd.
    for (const pid of all) process.kill(pid, 'SIGTERM');
    await sleep(1500);
    // An idle process keeps its replicas for the busy ones.
    expect(await tenants()).toBe(shared);
    for (const { finish } of slow) finish();
    expect(await Promise.all(slow.map(({ answered }) => answered))).toEqual([200, 200, 200, 200]);
    expect((await exited)[0]).toBe(0);
    expect(all.filter(isAlive)).toEqual([]);
    expect(await tenants()).toBe(0);
  });

  it('ends with its first process, also when that is killed', async () => {
    await start();
    const all = workers();
    expect(all).toHaveLength(2);
    server.kill('SIGKILL');
    await expect.poll(() => all.filter(isAlive)).toEqual([]);
  });
});
