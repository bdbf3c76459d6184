import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportDetail } from '@caseway/contract/imports';
import type { InitUserAnswer, SignInAnswer, Tokens } from '@caseway/contract/session';
import { afterAll, expect, it } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { bare } from '../test/commands.ts';
import { createTestDatabase } from '../test/database.ts';
import { codeFor } from '../test/sign-in.ts';
import { elr } from './features/imports/test-messages.ts';

const given = await createTestDatabase();
const { demo } = await seedDemoTenants(given.database);
const folder = await mkdtemp(join(tmpdir(), 'caseway-two-'));
const secret = 'signs for both servers, and nothing outside of this test';

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, 'localhost');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}

/** A server as a process, with its own data folder. */
class Server {
  readonly process: ChildProcess;
  readonly url: string;
  said = '';

  constructor(name: string, port: number, tokenSecret = secret) {
    this.url = `http://localhost:${port}`;
    this.process = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
      env: {
        ...bare,
        PORT: String(port),
        DATA_DIR: join(folder, name),
        DATABASE_URL: given.appUrl,
        DATABASE_OWNER_URL: given.ownerUrl,
        TOKEN_SECRET: tokenSecret,
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
    const server = new Server(name, await freePort());
    started.push(server);
    await expect.poll(() => server.said, { timeout: 120_000 }).toContain('Caseway is ready at');
    return server;
  }

  async ask<T>(path: string, headers: Record<string, string>, body?: object | string): Promise<T> {
    const isFile = typeof body === 'string';
    const response = await fetch(this.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...headers,
        ...(body !== undefined && {
          'content-type': isFile ? 'application/octet-stream' : 'application/json',
        }),
      },
      body: isFile ? body : body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json() as Promise<T>;
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

it('two servers on one database behave as one, also when one is killed [P29]', {
  timeout: 300_000,
}, async () => {
  const [a, b] = await Promise.all([Server.start('a'), Server.start('b')]);
  // Sign-in begins on one and ends on the other; the session is good on both.
  const begun = await a.ask<SignInAnswer>(
    '/auth/tenant/sign-in',
    {},
    {
      origin: 'localhost',
      username: 'epi@demo.caseway.test',
      challengeMethod: 'EMAIL',
    },
  );
  const { accessToken } = await b.ask<Tokens>(
    '/auth/tenant/challenge',
    {},
    {
      details: begun.details,
      secret: await codeFor(secret, begun.details),
    },
  );
  // A server with another secret would accept no session of the others.
  const stranger = new Server('c', await freePort(), 'another secret, also of more than 32 characters');
  started.push(stranger);
  await once(stranger.process, 'exit');
  expect([stranger.process.exitCode, stranger.said]).toEqual([
    1,
    expect.stringContaining('is not the one that signs for this database. Give every server the same one'),
  ]);
  const authorization = `Bearer ${accessToken}`;
  const init = await a.ask<InitUserAnswer>(`/api/auth/initUser?org=T:${demo.id}`, { authorization });
  const headers = { authorization, 'x-org-token': init.selectedOrg!.token };

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
    await expect.poll(async () => (await detail(id)).state, { timeout: 120_000, interval: 200 }).toBe('done');
    expect(await detail(id)).toMatchObject(done);
    await expect.poll(() => told).toContain(id);
  }
  leaving.abort();
  await listening;

  // The server that got the file dies immediately; the other one imports it, once.
  const { id } = await upload(a, 6, 300);
  await a.kill();
  await expect.poll(async () => (await detail(id)).state, { timeout: 120_000, interval: 200 }).toBe('done');
  expect(await detail(id)).toMatchObject({ ...done, messages: 300, taken: 300 });
  const [stored] = await given.database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
    tx.rows(`select (select count(*)::int from import_message) as messages, (select count(*)::int from result) as results,
      (select count(*)::int from import_upload) as files`),
  );
  expect(stored).toEqual({ messages: 420, results: 420, files: 0 });
});
