import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startChild } from '../test/child.ts';
import { removeDataFolder } from '../test/data-folder.ts';
import { family } from '../test/family.ts';
import { load } from '../test/load.ts';
import { freePort } from '../test/port.ts';
import { postmasterOf } from '../test/postmaster.ts';

const root = resolve(import.meta.dirname, '../..');
// One folder for all tests: a start finds the database of the previous one.
const folder = await mkdtemp(join(tmpdir(), 'caseway-stop-'));
await chmod(folder, 0o711);
// Like `npm start` in the checkout after everything is installed and built.
const script = `import(${JSON.stringify(join(root, 'scripts/serve.mjs'))}).then(({ serve }) => serve())`;
await writeFile(join(folder, 'serve.mjs'), `${script};\n`);
await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'exec node serve.mjs' } }));
afterAll(async () => {
  await removeDataFolder(join(folder, 'data'));
  await rm(folder, { recursive: true, force: true });
});

let npm: ChildProcess;
let port: number;
let said: string;

beforeEach(async () => {
  port = await freePort();
  said = '';
  npm = startChild('npm', ['start'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      DATA_DIR: join(folder, 'data'),
      DEMO: 'off',
      LOG_LEVEL: 'fatal',
      WORKERS: '1',
      PORT: String(port),
    },
    // In its own process group, as at a terminal.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [npm.stdout, npm.stderr])
    stream!.on('data', (chunk) => {
      said += chunk;
    });
  await expect.poll(() => said).toContain('Caseway is ready at');
});
afterEach(async () => {
  for (const pid of family(npm.pid!)) kill(pid, 'SIGKILL');
  const database = await postmasterOf(join(folder, 'data')).catch(() => undefined);
  if (database) kill(database, 'SIGQUIT');
  await expect.poll(() => database === undefined || !isAlive(database)).toBe(true);
});

const kill = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
};
const isAlive = (pid: number) => spawnSync('kill', ['-0', String(pid)]).status === 0;

/** Sends a body in two halves, the second on request; returns the status of its answer, or why there was none. */
async function slowRequest() {
  const body = JSON.stringify({
    origin: 'localhost',
    username: 'somebody@example.test',
    challengeMethod: 'EMAIL',
  });
  const sending = request({
    port,
    host: 'localhost',
    method: 'POST',
    path: '/auth/tenant/sign-in',
    // The server says when it has begun to read it.
    headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  });
  const answered = new Promise<string>((answer) => {
    sending.on('response', (response) => {
      response.resume();
      response.on('end', () => answer(`answered ${response.statusCode}`));
    });
    sending.on('error', (error: NodeJS.ErrnoException) => answer(`cut off: ${error.code}`));
  });
  sending.write(body.slice(0, 10));
  await once(sending, 'continue');
  return { finish: () => sending.end(body.slice(10)), answered };
}

/** All processes of this start: npm, the script, the server and its processes, and those of the database. */
async function everything(): Promise<number[]> {
  const postmaster = await postmasterOf(join(folder, 'data'));
  return [...new Set([...family(npm.pid!), ...family(postmaster)])];
}

/** The process of the database, if it accepts connections. */
async function readyDatabase(): Promise<number | undefined> {
  const lock = await readFile(join(folder, 'data/postgres/postmaster.pid'), 'utf8').catch(() => '');
  return /^ready\s*$/m.test(lock) ? Number(lock.split('\n')[0]) : undefined;
}

const ways: Record<string, () => Promise<void>> = {
  'SIGTERM to npm alone, as a container runtime sends it': async () => kill(npm.pid!, 'SIGTERM'),
  'SIGTERM to every process, as systemd sends it': async () => {
    const before = await postmasterOf(join(folder, 'data'));
    for (const pid of await everything()) kill(pid, 'SIGTERM');
    // The database ends too, and restarts for running requests.
    await expect.poll(() => readyDatabase()).not.toBe(before);
    await expect.poll(() => readyDatabase()).toBeDefined();
  },
  // In `npm test`, the browser tests end their server this way.
  ...load<Record<string, () => Promise<void>>>(
    {},
    {
      'SIGTERM to the server alone': async () => {
        // npm, the script, the server: each the only child of the previous one.
        kill(family(npm.pid!)[2]!, 'SIGTERM');
      },
    },
  ),
  'Ctrl-C': async () => kill(-npm.pid!, 'SIGINT'),
  'kill -9 of npm': async () => kill(npm.pid!, 'SIGKILL'),
};

describe('the server lets a running request finish and then stops its database', () => {
  it.each(Object.entries(ways))('%s', async (name, stop) => {
    const { finish, answered } = await slowRequest();
    const before = await everything();
    // Longer than the interval of a watching script, and than the time in which two signals count as one; no longer
    // than that, because a body has to come within ten seconds.
    await Promise.all([stop(), sleep(4000)]);
    finish();
    expect(await answered).toBe('answered 200');
    await expect.poll(() => before.filter(isAlive)).toEqual([]);
    expect(existsSync(join(folder, 'data/postgres/postmaster.pid'))).toBe(false);
    if (name !== 'kill -9 of npm') await expect.poll(() => npm.exitCode ?? npm.signalCode).not.toBeNull();
  });

  it('ends immediately at a second Ctrl-C', async () => {
    const { answered } = await slowRequest();
    process.kill(-npm.pid!, 'SIGINT');
    await sleep(1500);
    process.kill(-npm.pid!, 'SIGINT');
    expect(await answered).toMatch(/^cut off/);
  });
});
