import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startChild } from '../../../../test/child.ts';
import { removeDataFolder } from '../../../../test/data-folder.ts';
import { postmasterOf } from '../../../../test/postmaster.ts';
import { createLog } from '../../log/log.ts';
import { packagedInstallation, runnableInstallation, unprivilegedAccount } from './packaged-binaries.ts';
import { startPackagedPostgres } from './packaged-postgres.ts';

const isRoot = process.getuid?.() === 0;
const log = createLog('fatal');
const holder = fileURLToPath(new URL('../../../../test/hold-cluster.ts', import.meta.url));

let folder: string;
let dataDir: string;
let holders: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caseway-cluster-'));
  await chmod(folder, 0o711);
  dataDir = join(folder, 'data');
  holders = [];
});
afterEach(async () => {
  for (const child of holders) child.kill('SIGKILL');
  const pid = await postmasterOf(dataDir).catch(() => undefined);
  if (pid && isAlive(pid)) process.kill(pid, 'SIGQUIT');
  await removeDataFolder(dataDir);
  await rm(folder, { recursive: true, force: true });
});

describe('the packaged PostgreSQL [S10.1]', () => {
  it('creates a cluster at the first start and finds it at the next', async () => {
    const first = await startPackagedPostgres({ dataDir, log });
    expect(first.found).toBe('nothing');
    await query(first.superuser, 'create table kept (n int)');
    await first.stop();

    const second = await startPackagedPostgres({ dataDir, log });
    expect(second.found).toBe('stopped');
    expect(second.app).toBe(first.app);
    expect(await query(second.superuser, 'select count(*)::int as n from kept')).toEqual([{ n: 0 }]);
    await second.stop();
  });

  it('listens only on the loopback, asks for a password, and keeps its passwords readable only by its account', async () => {
    const cluster = await startPackagedPostgres({ dataDir, log });
    const rows = await query(
      cluster.superuser,
      `select current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as socket,
        current_setting('data_checksums') as checksums, current_setting('password_encryption') as password,
        (select datlocprovider::text || datlocale from pg_database where datname = 'caseway') as locale`,
    );
    expect(rows).toEqual([
      { listen: '127.0.0.1', socket: '', checksums: 'on', password: 'scram-sha-256', locale: 'bC.UTF-8' },
    ]);
    const wrong = new URL(cluster.app);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
    await cluster.stop();
  });

  it('gives the owner and the application role no more than they need [P3]', async () => {
    const cluster = await startPackagedPostgres({ dataDir, log });
    expect(
      await query(
        cluster.superuser,
        `select rolname, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty
         from pg_roles where rolname like 'caseway%' order by 1`,
      ),
    ).toEqual([
      { rolname: 'caseway_app', mighty: false },
      { rolname: 'caseway_owner', mighty: false },
    ]);
    await expect(query(cluster.app, 'create table mine (n int)')).rejects.toMatchObject({ code: '42501' });
    const other = new URL(cluster.app);
    other.pathname = '/postgres';
    await expect(query(other.href, 'select 1')).rejects.toMatchObject({ code: '42501' });
    await cluster.stop();
  });

  it('accepts a second process, and the last of the two to leave stops it', async () => {
    const first = await hold();
    const second = await startPackagedPostgres({ dataDir, log });
    expect(first.said.found).toBe('nothing');
    expect(second.found).toBe('running');

    await first.end();
    expect(await query(second.app, 'select 1 as n')).toEqual([{ n: 1 }]);
    const pid = await postmasterOf(dataDir);
    await second.stop();
    await until(() => !isAlive(pid));
  });

  it('is made once when two processes start at the same moment', async () => {
    const both = await Promise.all([hold(), hold()]);
    expect(both.map(({ said }) => said.found).sort()).toEqual(['nothing', 'running']);
    expect(both[0]!.said.app).toBe(both[1]!.said.app);
    const pid = await postmasterOf(dataDir);
    await Promise.all(both.map(({ end }) => end()));
    await until(() => !isAlive(pid));
  });

  it('is adopted when the process that started it was killed, with all that was committed [P5]', async () => {
    const first = await hold();
    await query(first.said.superuser, 'create table kept as select 1 as n');
    const pid = await postmasterOf(dataDir);
    await first.kill();

    const second = await startPackagedPostgres({ dataDir, log });
    expect(second.found).toBe('running');
    expect(await postmasterOf(dataDir)).toBe(pid);
    expect(await query(second.superuser, 'select n from kept')).toEqual([{ n: 1 }]);
    await second.stop();
    await until(() => !isAlive(pid));
  });

  it.runIf(process.platform === 'linux')(
    'is started again when its folder was moved before it noticed that its server was killed [P5]',
    async () => {
      const first = await hold(60);
      await query(first.said.superuser, 'create table kept as select 1 as n');
      const pid = await postmasterOf(dataDir);
      await first.kill();
      const moved = join(folder, 'moved');
      await rename(dataDir, moved);
      const second = await startPackagedPostgres({ dataDir: moved, log });
      expect(second.found).toBe('stopped');
      // An ended process keeps its number until its parent, here init, has collected it.
      await until(() => !isAlive(pid));
      expect(await query(second.superuser, 'select n from kept')).toEqual([{ n: 1 }]);
      await second.stop();
    },
  );

  it('stops by itself if the process that started it was killed and no other takes over', async () => {
    const first = await hold(1);
    const pid = await postmasterOf(dataDir);
    await first.kill();
    await until(() => !isAlive(pid));
  });

  it('restarts by itself if the database was killed, and has everything that was committed [P5]', async () => {
    const cluster = await startPackagedPostgres({ dataDir, log });
    await query(cluster.superuser, 'create table kept as select 1 as n');
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    await until(() =>
      query(cluster.superuser, 'select n from kept').then(
        (rows) => rows.length === 1,
        () => false,
      ),
    );
    await cluster.stop();
  });

  it('uses one connection for itself, however often it has to try to restart [P5]', async () => {
    const cluster = await startPackagedPostgres({ dataDir, log });
    const keeper = join(dataDir, 'postgres.keeper');
    // Nothing can be written there, as on a full disk.
    await rm(keeper);
    await mkdir(keeper);
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    const leases = `select count(*)::int as n from pg_stat_activity where application_name = 'caseway lease'`;
    await expect.poll(() => query(cluster.superuser, leases)).toEqual([{ n: 1 }]);
    // It tries once a second.
    await sleep(3500);
    expect(await query(cluster.superuser, leases)).toEqual([{ n: 1 }]);
    await rm(keeper, { recursive: true });
    await expect.poll(() => readFile(keeper, 'utf8').catch(() => '')).toBe(String(process.pid));
    await cluster.stop();
  });

  it('does not stay running if it recovers by itself while its process ends', async () => {
    const cluster = await startPackagedPostgres({ dataDir, log });
    const pid = await postmasterOf(dataDir);
    const [backend] = await query(
      cluster.superuser,
      `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
    );
    process.kill(backend!.pid as number, 'SIGKILL');
    await query(cluster.superuser, 'select').catch(() => {});
    await cluster.stop();
    await until(() => !isAlive(pid));
  });

  it('starts after a crash although another program now has the process number in the lock file', async () => {
    const first = await startPackagedPostgres({ dataDir, log });
    await first.stop();
    const { cluster } = await stateOf(dataDir);
    const other = startChild('sleep', ['60'], isRoot ? { ...unprivilegedAccount() } : {});
    const lock = join(cluster, 'postmaster.pid');
    await writeFile(lock, `${other.pid}\n${cluster}\n1700000000\n5432\n\n127.0.0.1\n  1000001 3\nready   \n`);
    if (isRoot) await chown(lock, unprivilegedAccount().uid, unprivilegedAccount().gid);

    const second = await startPackagedPostgres({ dataDir, log });
    expect(second.found).toBe('stopped');
    expect(other.exitCode).toBeNull();
    await second.stop();
    other.kill();
  });

  it('takes another port if its own has since been taken', async () => {
    const first = await startPackagedPostgres({ dataDir, log });
    await first.stop();
    const { createServer } = await import('node:net');
    const squatter = createServer().listen(Number(new URL(first.app).port), '127.0.0.1');
    await once(squatter, 'listening');

    const second = await startPackagedPostgres({ dataDir, log });
    expect(new URL(second.app).port).not.toBe(new URL(first.app).port);
    expect(await query(second.app, 'select 1 as n')).toEqual([{ n: 1 }]);
    await second.stop();
    squatter.close();
  });

  it('never starts a new database in place of a missing one, but says what is missing', async () => {
    const cluster = await startPackagedPostgres({ dataDir, log });
    await cluster.stop();
    const state = await stateOf(dataDir);
    await rm(state.cluster, { recursive: true });
    await expect(startPackagedPostgres({ dataDir, log })).rejects.toThrow(
      /The database files in .* are missing/,
    );

    await mkdir(state.cluster);
    await rm(join(dataDir, 'postgres.json'));
    await expect(startPackagedPostgres({ dataDir, log })).rejects.toThrow(
      /postgres.json with its passwords is missing/,
    );
  });

  it('logs no value of a failing statement [P16]', async () => {
    const cluster = await startPackagedPostgres({ dataDir, log });
    await query(cluster.superuser, 'create table person (name text primary key)');
    await query(cluster.superuser, "insert into person values ('Canary Quill')");
    await query(cluster.superuser, "insert into person values ('Canary Quill')").catch(() => {});
    await query(cluster.superuser, "select 'Canary Quill'::uuid").catch(() => {});
    await cluster.stop();
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('Canary');
  });
});

describe.runIf(isRoot)('the packaged PostgreSQL, started by root [S10.1]', () => {
  it('runs as an existing account without privileges', async () => {
    const cluster = await startPackagedPostgres({ dataDir, log });
    expect((await stat((await stateOf(dataDir)).cluster)).uid).toBe(unprivilegedAccount().uid);
    await cluster.stop();
  });

  it('works in a folder that only root can enter, and a new data folder there finds no old cluster', async () => {
    await chmod(folder, 0o700);
    const first = await startPackagedPostgres({ dataDir, log });
    const { cluster } = await stateOf(dataDir);
    expect(dirname(cluster)).not.toBe(dataDir);
    await query(first.superuser, 'create table kept (n int)');
    await first.stop();
    const again = await startPackagedPostgres({ dataDir, log });
    expect(again.found).toBe('stopped');
    await again.stop();

    await rename(dataDir, join(folder, 'before'));
    const fresh = await startPackagedPostgres({ dataDir, log });
    expect(fresh.found).toBe('nothing');
    expect((await stateOf(dataDir)).cluster).not.toBe(cluster);
    await fresh.stop();
    await removeDataFolder(join(folder, 'before'));
  });

  it('continues as the ordinary user who owns the cluster', async () => {
    const { uid, gid } = unprivilegedAccount('daemon:x:1:1::/:/bin/sh\n');
    await mkdir(dataDir);
    await chown(dataDir, uid, gid);
    const user = await hold(10, { uid, gid });
    expect(user.said.found).toBe('nothing');
    await user.end();

    const root = await startPackagedPostgres({ dataDir, log });
    expect(root.found).toBe('stopped');
    expect((await stat(join((await stateOf(dataDir)).cluster, 'postmaster.pid'))).uid).toBe(uid);
    await root.stop();
  });

  it('runs from a copy if only root can enter the checkout, and copies once', async () => {
    const { folder: original } = await packagedInstallation();
    const secluded = join(folder, 'secluded');
    await cp(original, secluded, { recursive: true, verbatimSymlinks: true });
    await chmod(secluded, 0o700);
    const packaged = { folder: secluded, name: `test-${basename(folder)}` };
    const copy = await runnableInstallation(unprivilegedAccount(), packaged);
    expect(copy).toBe(`/var/lib/caseway/${packaged.name}`);
    const { ino } = await stat(copy);
    expect(await runnableInstallation(unprivilegedAccount(), packaged)).toBe(copy);
    expect((await stat(copy)).ino).toBe(ino);
    await rm(copy, { recursive: true });
  });

  it('chooses its own account, or else nobody, or else the first account that is not root', () => {
    expect(unprivilegedAccount('root:x:0:0::/:/bin/sh\nnobody:x:99:98::/:\ncaseway:x:997:996::/:\n')).toEqual(
      { uid: 997, gid: 996 },
    );
    expect(unprivilegedAccount('root:x:0:0::/:/bin/sh\nmail:x:8:8::/:\nnobody:x:99:98::/:\n')).toEqual({
      uid: 99,
      gid: 98,
    });
    expect(unprivilegedAccount('root:x:0:0::/:/bin/sh\nmail:x:8:9::/:\n')).toEqual({ uid: 8, gid: 9 });
    expect(() => unprivilegedAccount('root:x:0:0::/:/bin/sh\n')).toThrow(/has no other account/);
  });
});

/** Another process that uses the cluster of `dataDir`. */
async function hold(graceSeconds = 10, account: { uid?: number; gid?: number } = {}) {
  const child = startChild(process.execPath, [holder, dataDir, String(graceSeconds)], {
    ...account,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  holders.push(child);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const said = JSON.parse((await lines.next()).value as string) as {
    found: string;
    app: string;
    superuser: string;
  };
  const exited = once(child, 'exit');
  return {
    said,
    end: async () => {
      child.stdin!.end();
      expect(JSON.parse((await lines.next()).value as string)).toEqual({ stopped: true });
      await exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const stateOf = async (dir: string): Promise<{ cluster: string }> => {
  const { cluster } = JSON.parse(await readFile(join(dir, 'postgres.json'), 'utf8'));
  return { cluster: resolve(dir, cluster) };
};

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('it did not come true in a minute');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
