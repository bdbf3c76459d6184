import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportDetail } from '@caseway/contract/imports';
import { afterAll, expect, it } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { startChild } from '../test/child.ts';
import { bare } from '../test/commands.ts';
import { createTestDatabase } from '../test/database.ts';
import { freePort } from '../test/port.ts';
import { signInOver } from '../test/sign-in.ts';
import { elr } from './features/imports/test-messages.ts';

const given = await createTestDatabase();
const { demo } = await seedDemoTenants(given.database);
const folder = await mkdtemp(join(tmpdir(), 'caseway-stop-upload-'));
const root = resolve(import.meta.dirname, '../..');
const secret = 'signs for every start, and nothing outside of this test';
const port = await freePort();

let running: ChildProcess;
afterAll(async () => {
  for (const pid of processes()) signal(pid, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Like `npm start` after everything is installed and built: a script, and the server as its child. */
async function start(): Promise<void> {
  const script = join(folder, 'serve.mjs');
  await writeFile(
    script,
    `import(${JSON.stringify(join(root, 'scripts/serve.mjs'))}).then(({ serve }) => serve());\n`,
  );
  running = startChild(process.execPath, [script], {
    env: {
      ...bare,
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: given.appUrl,
      DATABASE_OWNER_URL: given.ownerUrl,
      TOKEN_SECRET: secret,
      LOG_LEVEL: 'fatal',
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [running.stdout, running.stderr])
    stream!.on('data', (chunk) => {
      said += chunk;
    });
  await expect.poll(() => said).toContain('Caseway is ready at');
}

/** The script and the server. */
function processes(): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const below = stdout.split('\n').flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return parent === running.pid && pid ? [pid] : [];
  });
  return [running.pid!, ...below];
}
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}

async function ask<T>(path: string, headers: Record<string, string>, body?: object): Promise<T> {
  const response = await fetch(`http://localhost:${port}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json() as Promise<T>;
}

/** Sends a file in two halves, the second on request; returns the answer, or why there was none. */
async function slowUpload(headers: Record<string, string>, number: number) {
  const messages = Array.from({ length: 20 }, (_, n) =>
    elr({
      control: `S${number}-${n}`,
      order: `F${number}-${n}`,
      patient: { id: `S${number}-${n}`, last: `Person${String.fromCharCode(65 + number)}${n}`, phone: '' },
    }),
  );
  const body = Buffer.from(messages.join(''));
  const half = body.length >> 1;
  const sending = request({
    port,
    host: 'localhost',
    method: 'POST',
    path: `/api/web/imports?fileName=${number}.hl7`,
    headers: {
      ...headers,
      'content-type': 'application/octet-stream',
      'content-length': body.length,
      // The server says when it has begun to read it.
      expect: '100-continue',
    },
  });
  const answered = new Promise<{ status: number | string; import?: ImportDetail }>((answer) => {
    sending.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      answer({ status: response.statusCode!, import: JSON.parse(text) });
    });
    sending.on('error', (error: NodeJS.ErrnoException) => answer({ status: `cut off: ${error.code}` }));
  });
  sending.write(body.subarray(0, half));
  await once(sending, 'continue');
  return { finish: () => sending.end(body.subarray(half)), answered };
}

const ways: [name: string, stop: () => Promise<void>][] = [
  ['SIGTERM to the server', async () => signal(processes()[1]!, 'SIGTERM')],
  [
    'SIGTERM to the server, and once more',
    async () => {
      const [, server] = processes();
      signal(server!, 'SIGTERM');
      await sleep(1500);
      signal(server!, 'SIGTERM');
    },
  ],
  [
    'SIGTERM to every process of the group, as a service manager sends it',
    async () => {
      for (const pid of processes()) signal(pid, 'SIGTERM');
    },
  ],
];

it('an upload under way at a stop is answered, and imported after the next start', async () => {
  await start();
  const headers = await signInOver(ask, secret, 'epi@demo.caseway.test', `T:${demo.id}`);
  const ids: string[] = [];
  for (const [number, [name, stop]] of ways.entries()) {
    const { finish, answered } = await slowUpload(headers, number);
    const before = processes();
    expect(before).toHaveLength(2);
    const exited = once(running, 'exit');
    await stop();
    await sleep(1000);
    finish();
    const { status, import: made } = await answered;
    expect([name, status]).toEqual([name, 200]);
    ids.push(made!.id);
    expect([name, (await exited)[0]]).toEqual([name, 0]);
    await start();
  }
  for (const id of ids) {
    const detail = () => ask<ImportDetail>(`/api/web/imports/${id}`, headers);
    await expect.poll(async () => (await detail()).state).toBe('done');
    expect(await detail()).toMatchObject({ messages: 20, taken: 20, refused: 0, waiting: 0, error: null });
  }
});
