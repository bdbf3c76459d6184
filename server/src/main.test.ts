import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startChild } from '../test/child.ts';
import { bare, runCommand } from '../test/commands.ts';
import { removeDataFolder } from '../test/data-folder.ts';
import { createTestDatabase } from '../test/database.ts';
import { freePort } from '../test/port.ts';

/** The output of a start without warnings about databases that other installations on this machine left behind. */
const own = (said: string): string => said.replaceAll(/.*belong to a data folder that is gone.*\n/g, '');

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const smallDemo = fileURLToPath(new URL('../test/small-demo.ts', import.meta.url));
const { superuserUrl, ownerUrl } = await createTestDatabase();

let folder: string;
let children: ChildProcess[];
let port: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caseway-main-'));
  children = [];
  port = await freePort();
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await removeDataFolder(join(folder, 'data'));
  await rm(folder, { recursive: true, force: true });
});

/** The server with these variables set, and its output so far. */
function run(environment: Record<string, string> = {}) {
  const child = startChild(process.execPath, [main], {
    env: {
      ...bare,
      DATA_DIR: join(folder, 'data'),
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  const exited = once(child, 'close').then(([code]) => code as number);
  const ready = expect.poll(() => said.out, { timeout: 150_000 }).toContain('Caseway is ready at');
  ready.catch(() => {});
  return { child, said, exited, ready };
}

it.runIf(process.getuid?.() === 0)(
  'starts for root in a folder that only root can enter, ends cleanly at SIGTERM, and starts again [S10.1]',
  async () => {
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const first = run();
    await first.ready;
    expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200);
    first.child.kill('SIGTERM');
    const code = await first.exited;
    expect({ code, err: own(first.said.err).replace(/.*lie elsewhere.*\n/, '') }).toEqual({
      code: 0,
      err: '',
    });
    const { cluster } = JSON.parse(await readFile(join(folder, 'data/postgres.json'), 'utf8'));
    expect(first.said.out).toContain(`The database is in ${cluster}`);
    expect(await readFile(join(folder, 'data/DATABASE-IS-ELSEWHERE.txt'), 'utf8')).toContain(cluster);
    await expect(stat(join(cluster, 'postmaster.pid'))).rejects.toThrow();

    // `npm run bench -- start` measures the time.
    const second = run();
    await second.ready;
    second.child.kill('SIGINT');
    const again = await second.exited;
    expect({ again, err: own(second.said.err) }).toEqual({ again: 0, err: '' });
  },
);

it('says in one sentence that its port is in use, and ends', async () => {
  const squatter = createServer().listen(port, 'localhost');
  await once(squatter, 'listening');
  await chmod(folder, 0o711);
  const { said, exited } = run();
  expect(await exited).toBe(1);
  expect(said).toEqual({
    out: '',
    err: `Port ${port} is taken by another program. Stop that program, or choose another port: PORT=${port + 1} npm start.\n`,
  });
  squatter.close();
});

it('warns at its start, in one sentence, that strangers can reach it and that the demo names its accounts', async () => {
  const squatter = createServer().listen(0, '0.0.0.0');
  await once(squatter, 'listening');
  const taken = String((squatter.address() as { port: number }).port);
  // The port is checked after the warnings, so nothing else has to start.
  const { said, exited } = run({ HOST: '0.0.0.0', DEMO: 'on', PORT: taken });
  expect(await exited).toBe(1);
  const lines = said.err.split('\n').filter(Boolean);
  expect(lines).toEqual([
    expect.stringMatching(
      /^Warning: HOST=0\.0\.0\.0 .*plain HTTP.*set DEMO=off before real data comes in\.$/,
    ),
    expect.stringMatching(/^Port \d+ is taken/),
  ]);
  squatter.close();
});

it('ends cleanly when it is asked to during its first start, and starts completely afterwards', async () => {
  await chmod(folder, 0o711);
  const first = run();
  await expect.poll(() => existsSync(join(folder, 'data/postgres.json')), { interval: 5 }).toBe(true);
  first.child.kill('SIGTERM');
  const code = await first.exited;
  expect({ code, err: own(first.said.err) }).toEqual({ code: 0, err: '' });
  expect(existsSync(join(folder, 'data/postgres/postmaster.pid'))).toBe(false);

  const second = run();
  await second.ready;
  second.child.kill('SIGTERM');
  expect(await second.exited).toBe(0);
});

it('names the demo accounts and where their codes go [S10.1]', async () => {
  const { accounts, out } = await greeting();
  expect(accounts).toEqual(expect.arrayContaining(['epi@demo.caseway.test', 'lab@vendor.caseway.test']));
  expect(out).toContain(`One-time codes are messages in ${join(folder, 'data/outbox')}`);

  async function greeting() {
    await chmod(folder, 0o711);
    const dataDir = join(folder, 'data');
    expect((await runCommand(smallDemo, ['100'], { DATA_DIR: dataDir, LOG_LEVEL: 'warn' })).code).toBe(0);
    const { child, said, ready, exited } = run({ DEMO: 'on' });
    await ready;
    await expect.poll(() => said.out).toContain('One-time codes');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    return { out: said.out, accounts: [...said.out.matchAll(/^ {2}(\S+@\S+)$/gm)].map(([, name]) => name) };
  }
}, 400_000);

it('refuses to work as a superuser or as the owner of the tables [P3]', async () => {
  const superuser = run({ DATABASE_URL: superuserUrl });
  expect(await superuser.exited).toBe(1);
  expect(own(superuser.said.err)).toMatch(
    /^The database role \w+ is a superuser and would see past row-level security\. [^\n]+\n$/,
  );
  const owner = run({ DATABASE_URL: ownerUrl });
  expect(await owner.exited).toBe(1);
  expect(own(owner.said.err)).toMatch(
    /^The role of DATABASE_URL may not prepare the role caseway_app \([^\n]+\n$/,
  );
});

it('lists the faults of its configuration and ends [S10.2]', async () => {
  const { said, exited } = run({ PORT: 'http', LOG_LEVEL: 'loud' });
  expect(await exited).toBe(1);
  expect(said.err).toBe(
    'The configuration has faults: PORT must be a port, 1 to 65535; LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent.\n',
  );
});

it('says in one sentence that a database cannot be reached', async () => {
  const { said, exited } = run({ DATABASE_URL: `postgres://app:secret@127.0.0.1:${port}/caseway` });
  expect(await exited).toBe(1);
  expect(said.err).toMatch(/^The database of DATABASE_URL cannot be reached: [^\n]+\n$/);
  expect(said.err).not.toContain('secret');
});
