import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportDetail } from '@caseway/contract/imports';
import type { InitUserAnswer, SignInAnswer, Tokens } from '@caseway/contract/session';
import { afterAll, expect, it } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { startChild } from '../test/child.ts';
import { bare } from '../test/commands.ts';
import { asSuperuser, createTestDatabase } from '../test/database.ts';
import { freePort } from '../test/port.ts';
import { codeFor } from '../test/sign-in.ts';
import { elr } from './features/imports/test-messages.ts';

const given = await createTestDatabase();
const { demo } = await seedDemoTenants(given.database);
const folder = await mkdtemp(join(tmpdir(), 'caseway-two-'));
const secret = 'signs for both servers, and nothing outside of this test';

/** A server as a process, with its own data folder. */
class Server {
  readonly process: ChildProcess;
  readonly url: string;
  readonly door: string;
  said = '';

  constructor(name: string, port: number, door: number, tokenSecret = secret) {
    this.url = `http://localhost:${port}`;
    this.door = `127.0.0.1:${door}`;
    this.process = startChild(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
      env: {
        ...bare,
        PORT: String(port),
        DATA_DIR: join(folder, name),
        DATABASE_URL: given.appUrl,
        DATABASE_OWNER_URL: given.ownerUrl,
        TOKEN_SECRET: tokenSecret,
        SERVER_ADDRESS: this.door,
        LOG_LEVEL: 'fatal',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream!.on('data', (chunk) => {
        this.said += chunk;
      });
  }

  static async start(name: string): Promise<Server> {
    const server = new Server(name, await freePort(), await freePort());
    started.push(server);
    await expect.poll(() => server.said).toContain('Caseway is ready at');
    return server;
  }

  ask<T>(path: string, headers: Record<string, string>, body?: object | string): Promise<T> {
    return this.send(body === undefined ? 'GET' : 'POST', path, headers, body);
  }

  async send<T>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object | string,
  ): Promise<T> {
    const isFile = typeof body === 'string';
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && {
          'content-type': isFile ? 'application/octet-stream' : 'application/json',
        }),
      },
      body: isFile ? body : body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exited;
  }
}

const started: Server[] = [];
afterAll(async () => {
  await Promise.all(started.map((server) => server.kill()));
  await rm(folder, { recursive: true, force: true });
});

const message = (file: number, n: number) =>
  elr({
    control: `S${file}-${n}`,
    order: `F${file}-${n}`,
    patient: { id: `S${file}-${n}`, last: `Person${String.fromCharCode(65 + file)}${n}`, phone: '' },
  });
const file = (number: number, messages: number) =>
  Array.from({ length: messages }, (_, n) => message(number, n)).join('');

it('two servers on one database behave as one, also when one is killed [P29]', async () => {
  const [a, b] = await Promise.all([Server.start('a'), Server.start('b')]);
  // Sign-in begins on one and ends on the other; the session is valid on both.
  const signIn = async (username: string, begin: Server, end: Server) => {
    const begun = await begin.ask<SignInAnswer>(
      '/auth/tenant/sign-in',
      {},
      { origin: 'localhost', username, challengeMethod: 'EMAIL' },
    );
    return end.ask<Tokens>(
      '/auth/tenant/challenge',
      {},
      { details: begun.details, secret: await codeFor(secret, begun.details) },
    );
  };
  const init = (server: Server, token: string) =>
    server.ask<InitUserAnswer>(`/api/auth/initUser?org=T:${demo.id}`, { authorization: `Bearer ${token}` });
  const headersOf = async (server: Server, token: string) => ({
    authorization: `Bearer ${token}`,
    'x-org-token': (await init(server, token)).selectedOrg!.token,
  });
  const { accessToken } = await signIn('epi@demo.caseway.test', a, b);
  // A server with another secret would accept no session of the others.
  const stranger = new Server(
    'c',
    await freePort(),
    await freePort(),
    'another secret, also of more than 32 characters',
  );
  started.push(stranger);
  await once(stranger.process, 'exit');
  expect([stranger.process.exitCode, stranger.said]).toEqual([
    1,
    expect.stringContaining('is not the one that signs for this database. Give every server the same one'),
  ]);
  const headers = await headersOf(a, accessToken);

  // Events on either server are announced on the other.
  const leaving = new AbortController();
  const events = await fetch(`${b.url}/api/web/events`, { headers, signal: leaving.signal });
  let told = '';
  const listening = (async () => {
    for await (const chunk of events.body!) told += Buffer.from(chunk as Uint8Array).toString();
  })().catch(() => {});

  // Whichever server takes the job, it has the file.
  const upload = (server: Server, number: number, messages: number) =>
    server.ask<ImportDetail>(`/api/web/imports?fileName=${number}.hl7`, headers, file(number, messages));
  const uploaded = await Promise.all([0, 1, 2, 3, 4, 5].map((number) => upload(a, number, 20)));
  const detail = (id: string) => b.ask<ImportDetail>(`/api/web/imports/${id}`, headers);
  const done = { state: 'done', error: null, messages: 20, taken: 20, waiting: 0, refused: 0, duplicates: 0 };
  for (const { id } of uploaded) {
    await expect.poll(async () => (await detail(id)).state, { interval: 200 }).toBe('done');
    expect(await detail(id)).toMatchObject(done);
    await expect.poll(() => told).toContain(id);
  }
  leaving.abort();
  await listening;

  // One of them has the replica of the tenant, and both give the same answer from it.
  const everything = { dateRangeValue: { start: '2018-01-01', end: '2029-12-31' } };
  type Numbers = { measures: { tests: { value: number } } };
  const numbers = (server: Server) =>
    server.ask<Numbers>('/api/web/analytics/testing', headers, everything).then(
      ({ measures }) => measures.tests.value,
      () => undefined,
    );
  const ownerOf = async (tenantId: string) => {
    const [lease] = await asSuperuser<{ address: string; size: number | null }>(
      'select address, size::int from replica_owner where tenant_id = $1',
      [tenantId],
      given.superuserUrl,
    );
    return lease;
  };
  for (const server of [a, b]) await expect.poll(() => numbers(server), { interval: 200 }).toBe(120);
  await expect.poll(async () => (await ownerOf(demo.id))?.size).toBeGreaterThan(119);
  const search = (server: Server) =>
    server.ask<{ rows: { id: string }[]; rowCount: number }>(
      '/api/web/grid/testing-records/search',
      headers,
      {},
    );
  const found = await search(a);
  expect(found.rowCount).toBe(120);
  expect(await search(b)).toEqual(found);

  // What one changes, the other shows at once.
  const admin = await headersOf(b, (await signIn('admin@demo.caseway.test', b, a)).accessToken);
  const words = { language: 'en', key: 'common:screen.home', text: 'Our start', before: null };
  await b.send('PUT', '/api/web/settings/labels', admin, words);
  await expect
    .poll(async () => (await init(a, accessToken)).labelOverrides)
    .toMatchObject({ en: { 'common:screen.home': 'Our start' } });
  const short = await signIn('epi@demo.caseway.test', a, b);
  await init(b, short.accessToken);
  await a.send('POST', '/auth/tenant/sign-out', {}, { refreshToken: short.refreshToken });
  await expect
    .poll(
      () =>
        init(b, short.accessToken).then(
          () => 'open',
          (error: Error) => /answered (\d+)/.exec(error.message)?.[1],
        ),
      { interval: 20 },
    )
    .toBe('401');

  // The server that got the file dies immediately; the other one imports it, once.
  const { id } = await upload(a, 6, 300);
  await a.kill();
  const killedAt = performance.now();
  await expect.poll(async () => (await detail(id)).state, { interval: 200 }).toBe('done');
  expect(await detail(id)).toMatchObject({ ...done, messages: 300, taken: 300 });
  // The other one answers at once, and has the replica within fifteen seconds on a machine that does nothing else.
  await expect.poll(() => numbers(b), { interval: 100 }).toBe(420);
  await expect
    .poll(
      async () => {
        const leases = await asSuperuser<{ address: string; live: boolean }>(
          'select address, until > clock_timestamp() as live from replica_owner',
          [],
          given.superuserUrl,
        );
        return leases.every(({ address, live }) => live && address === b.door);
      },
      { interval: 100 },
    )
    .toBe(true);
  expect(performance.now() - killedAt).toBeLessThan(120_000);
  expect(await numbers(b)).toBe(420);
  const [stored] = await given.database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
    tx.rows(`select (select count(*)::int from import_message) as messages, (select count(*)::int from result) as results,
      (select count(*)::int from import_upload) as files`),
  );
  expect(stored).toEqual({ messages: 420, results: 420, files: 0 });
});
