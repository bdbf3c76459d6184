import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { chown, mkdir, readFile, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import {
  type Account,
  canEnter,
  giveTo,
  reachablePlace,
  runnableInstallation,
  unprivilegedAccount,
} from './packaged-binaries.ts';

export interface PackagedPostgresOptions {
  /** Where the cluster, its passwords and its log are kept; made when missing. */
  dataDir: string;
  log: Logger;
  /** False gives up crash safety for speed; for tests alone. */
  durable?: boolean;
  /** Seconds after which the cluster is stopped when the process that keeps it has died and nobody took over. */
  graceSeconds?: number;
}

/** A running cluster of this data folder. */
export interface PackagedPostgres {
  /** What this process found: nothing, a stopped cluster, or one that another process runs. */
  found: 'nothing' | 'stopped' | 'running';
  /** Connection string of the role that owns the schema. */
  owner: string;
  /** Connection string of the role that the server works with. */
  app: string;
  /** Connection string of the superuser, to the database `postgres`; for the test harness, backup and restore. */
  superuser: string;
  /** Gives the cluster up. The last process to do so stops it; the files are then whole and safe to copy. */
  stop(): Promise<void>;
}

/** What is remembered about a cluster beside it, readable for its owner alone. */
interface ClusterState {
  /** The folder of the cluster; not always within the data folder, see `prepareFolder`. */
  cluster: string;
  port: number;
  superuserPassword: string;
  ownerPassword: string;
  appPassword: string;
  /** Set once initdb is through. From then on a missing cluster is a fault and never made anew. */
  created?: boolean;
  /** Set once the roles and the database are there. */
  provisioned?: boolean;
}

const host = '127.0.0.1';
const database = 'caseway';

// Advisory locks in the database `postgres`. Every process that uses the cluster holds the lease, shared;
// the gate lets one process at a time find out whether it is the last.
const leaseLock = "pg_catalog.hashtext('caseway lease')";
const gateLock = "pg_catalog.hashtext('caseway gate')";

/**
 * Starts the PostgreSQL that comes with the npm packages on the cluster in `dataDir`, or attaches to it when another
 * process has already started it, and keeps it running until `stop`. Listens on 127.0.0.1 alone.
 * Throws an Error with one clear sentence when that cannot be.
 */
export async function startPackagedPostgres(options: PackagedPostgresOptions): Promise<PackagedPostgres> {
  const cluster = new Cluster(options);
  return cluster.open();
}

class Cluster {
  readonly #log: Logger;
  readonly #durable: boolean;
  readonly #graceSeconds: number;
  readonly #givenDataDir: string;
  #dataDir = '';
  #state!: ClusterState;
  #account: Account | undefined;
  #installation = '';
  #lease: pg.Client | undefined;
  #watchdog: ChildProcess | undefined;
  #recovery: Promise<void> | undefined;
  #stopping = false;

  constructor({ dataDir, log, durable = true, graceSeconds = 10 }: PackagedPostgresOptions) {
    this.#givenDataDir = dataDir;
    this.#log = log;
    this.#durable = durable;
    this.#graceSeconds = graceSeconds;
  }

  async open(): Promise<PackagedPostgres> {
    // Others may pass through it, since PostgreSQL may run as another account, but they cannot list it.
    await mkdir(this.#givenDataDir, { recursive: true, mode: 0o711 }).catch((error: Error) => {
      throw new Error(`The data folder ${this.#givenDataDir} cannot be made: ${error.message}`);
    });
    this.#dataDir = await realpath(this.#givenDataDir);
    const found = await alone(this.#path('postgres.starting'), () => this.#bringUp());
    return {
      found,
      owner: this.#url('caseway_owner', this.#state.ownerPassword, database),
      app: this.#url('caseway_app', this.#state.appPassword, database),
      superuser: this.#url('postgres', this.#state.superuserPassword, 'postgres'),
      stop: () => this.#stop(),
    };
  }

  async #bringUp(): Promise<PackagedPostgres['found']> {
    const missing = await this.#prepareFolder();
    this.#installation = await runnableInstallation(this.#account);
    if (missing) await this.#create();
    const started = await this.#ensureRunning();
    if (!this.#state.provisioned) await this.#provision();
    return missing ? 'nothing' : started ? 'stopped' : 'running';
  }

  #url(user: string, password: string, name: string, port = this.#state.port): string {
    return `postgres://${user}:${password}@${host}:${port}/${name}`;
  }

  // --- the folder -------------------------------------------------------------------------------------------------

  /**
   * Decides where the cluster lies and as whom it runs. Usually that is `dataDir/postgres` and the account of this
   * process. Root needs an unprivileged account, and when that account cannot enter the data folder, the cluster lies
   * in a place it can reach; the state file names it, so that a fresh data folder never finds an old cluster.
   * True when there is no cluster yet.
   */
  async #prepareFolder(): Promise<boolean> {
    const isRoot = process.getuid?.() === 0;
    const stored = await readFile(this.#path('postgres.json'), 'utf8').catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw new Error(`The data folder ${this.#dataDir} cannot be read by this account: ${error.message}`);
      },
    );
    const usual = this.#path('postgres');
    if (stored === undefined) {
      if (await exists(usual))
        throw new Error(
          `${usual} holds a database, but postgres.json with its passwords is missing beside it. Put it back, or choose another DATA_DIR.`,
        );
      if (isRoot) this.#account = unprivilegedAccount();
      const within = !this.#account || canEnter(this.#account, this.#dataDir);
      const cluster = within ? usual : join(await reachablePlace(this.#account!), randomUUID());
      if (!within)
        this.#log.warn({ cluster }, 'the data folder is for root alone, so the database files lie elsewhere');
      const password = () => randomBytes(24).toString('base64url');
      this.#state = {
        cluster,
        port: await freePort(),
        superuserPassword: password(),
        ownerPassword: password(),
        appPassword: password(),
      };
      await this.#remember({});
      return true;
    }
    this.#state = JSON.parse(stored) as ClusterState;
    if (!this.#state.created) {
      if (isRoot) this.#account = unprivilegedAccount();
      return true;
    }
    const found = await stat(this.#state.cluster).catch(() => undefined);
    if (!found)
      throw new Error(
        `The database files in ${this.#state.cluster} are missing. Put them back, or choose another DATA_DIR to begin anew.`,
      );
    if (isRoot) {
      // PostgreSQL insists on owning its files, so a cluster that an ordinary user made goes on running as that user.
      this.#account = found.uid === 0 ? unprivilegedAccount() : { uid: found.uid, gid: found.gid };
      if (found.uid === 0) await giveTo(this.#account, this.#state.cluster);
    } else if (found.uid !== process.getuid?.())
      throw new Error(
        `The database files in ${this.#state.cluster} belong to another account. Start Caseway as that account or as root.`,
      );
    return false;
  }

  #path(name: string): string {
    return join(this.#dataDir, name);
  }

  async #remember(change: Partial<ClusterState>): Promise<void> {
    this.#state = { ...this.#state, ...change };
    const path = this.#path('postgres.json');
    await writeFile(`${path}.new`, `${JSON.stringify(this.#state, null, 2)}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  /** Runs initdb beside the final place and moves the result there, so that a crash leaves all of it or nothing. */
  async #create(): Promise<void> {
    const { cluster, superuserPassword } = this.#state;
    const unfinished = `${cluster}.new`;
    const passwordFile = `${cluster}.password`;
    await rm(unfinished, { recursive: true, force: true });
    await rm(cluster, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    await writeFile(passwordFile, `${superuserPassword}\n`, { mode: 0o600 });
    if (this.#account) {
      await chown(unfinished, this.#account.uid, this.#account.gid);
      await chown(passwordFile, this.#account.uid, this.#account.gid);
    }
    const flags = [
      ['--pgdata', unfinished],
      ['--username', 'postgres'],
      ['--pwfile', passwordFile],
      ['--auth', 'scram-sha-256'],
      ['--encoding', 'UTF8'],
      // Sorting by code point, the same on every machine whatever locales it has; characters are Unicode's.
      ['--locale', 'C'],
      ['--locale-provider', 'builtin'],
      ['--builtin-locale', 'C.UTF-8'],
    ].map(([name, value]) => `${name}=${value}`);
    const made = await run(
      join(this.#installation, 'bin/initdb'),
      [...flags, '--data-checksums', ...(this.#durable ? [] : ['--no-sync'])],
      this.#account,
    );
    await rm(passwordFile, { force: true });
    if (made.code !== 0) throw new Error(`The database could not be created: ${made.output.trim()}`);
    await rename(unfinished, cluster);
    await this.#remember({ created: true });
  }

  // --- the process ------------------------------------------------------------------------------------------------

  /** Attaches to the running cluster or starts it. True when this process started it. */
  async #ensureRunning(): Promise<boolean> {
    let told = Date.now();
    for (;;) {
      if (this.#stopping) return false;
      const lock = await this.#readLock();
      if (lock && (await this.#isOurs(lock.pid))) {
        if (await this.#takeLease(lock.port)) {
          await this.#keep(lock.pid);
          return false;
        }
        // Starting, recovering after a crash, or on its way down.
        await sleep(20);
      } else {
        if (lock && isAlive(lock.pid)) await this.#disownLock();
        const pid = await this.#spawn();
        if (pid !== undefined && (await this.#takeLease(this.#state.port))) {
          await this.#keep(pid);
          return true;
        }
      }
      if (Date.now() - told > 10_000) {
        told = Date.now();
        this.#log.warn({ cluster: this.#state.cluster }, 'still waiting for the database');
      }
    }
  }

  /** The lock file of a postmaster, living or dead. */
  async #readLock(): Promise<{ pid: number; port: number; ready: boolean } | undefined> {
    const text = await readFile(join(this.#state.cluster, 'postmaster.pid'), 'utf8').catch(() => '');
    const [pid, , , port, , , , status] = text.split('\n');
    return pid && Number(pid) > 0
      ? { pid: Number(pid), port: Number(port), ready: status?.trim() === 'ready' }
      : undefined;
  }

  /** Whether a process is a postmaster of this cluster, and not some other program that was given the same number. */
  async #isOurs(pid: number): Promise<boolean> {
    if (!isAlive(pid)) return false;
    const command =
      process.platform === 'linux'
        ? (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
        : spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
    return command.includes(`-D ${this.#state.cluster} `);
  }

  /**
   * After a crash the number in the lock file can belong to another program by now, and PostgreSQL would refuse to
   * start. The number is replaced by one that no process has; the rest stays, because by it PostgreSQL finds out
   * whether processes of the crashed cluster are still at work.
   */
  async #disownLock(): Promise<void> {
    const path = join(this.#state.cluster, 'postmaster.pid');
    const [, ...rest] = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, ['2147483646', ...rest].join('\n'));
  }

  /** Starts PostgreSQL and waits until it answers; undefined when it has to be tried again. */
  async #spawn(): Promise<number | undefined> {
    if (!(await isFree(this.#state.port))) {
      // Once connections have been given out, the port is fixed; it is taken as soon as it is free again.
      if (this.#lease) {
        await sleep(200);
        return undefined;
      }
      await this.#remember({ port: await freePort() });
    }
    const logPath = this.#path('postgres.log');
    const logFile = openSync(logPath, 'a', 0o600);
    const logged = (await stat(logPath)).size;
    const settings = Object.entries(this.#settings()).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(this.#installation, 'bin/postgres'), ['-D', this.#state.cluster, ...settings], {
      ...this.#account,
      cwd: '/',
      env: environment,
      // In a session of its own: Ctrl-C at the terminal reaches this process, which stops the database when it is done.
      detached: true,
      stdio: ['ignore', logFile, logFile],
    });
    closeSync(logFile);
    child.unref();
    let failure: Error | undefined;
    child.once('error', (error) => {
      failure = error;
    });
    for (;;) {
      if (failure) throw new Error(`PostgreSQL could not be started: ${failure.message}`);
      if (child.exitCode !== null || child.signalCode !== null) break;
      const lock = await this.#readLock();
      if (lock?.ready && lock.pid === child.pid) return child.pid;
      await sleep(10);
    }
    const said = (await readFile(logPath, 'utf8')).slice(logged);
    if (/lock file .* already exists|pre-existing shared memory|Address already in use/.test(said)) {
      await sleep(50);
      return undefined;
    }
    throw new Error(
      `PostgreSQL could not be started: ${said.match(/(?:FATAL|PANIC): .*/g)?.join(' ') ?? said.trim()}`,
    );
  }

  /** Settings that hold for 2 GiB of memory as well as for 24; given at each start, so that a new version renews them. */
  #settings(): Record<string, string> {
    const mebibytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20;
    return {
      listen_addresses: host,
      port: String(this.#state.port),
      // A path of a socket may have 107 bytes; ours can be longer.
      unix_socket_directories: '',
      max_connections: '100',
      shared_buffers: mebibytes >= 8192 ? '512MB' : mebibytes >= 4096 ? '256MB' : '128MB',
      effective_cache_size: `${Math.floor(mebibytes / 2)}MB`,
      work_mem: '16MB',
      maintenance_work_mem: '128MB',
      random_page_cost: '1.1',
      max_wal_size: '4GB',
      checkpoint_timeout: '15min',
      // The log of a large transaction is on its way to the disk before its commit waits for it: a third of the wait.
      wal_writer_delay: '10ms',
      wal_compression: 'on',
      synchronous_commit: this.#durable ? 'on' : 'off',
      fsync: this.#durable ? 'on' : 'off',
      full_page_writes: this.#durable ? 'on' : 'off',
      jit: 'off',
      timezone: 'UTC',
      log_timezone: 'UTC',
      log_line_prefix: '%m [%p] ',
      log_checkpoints: 'off',
      // Errors quote the values they are about, and those are patients'; the server logs their codes instead.
      log_min_messages: 'log',
      log_min_error_statement: 'panic',
      log_error_verbosity: 'terse',
    };
  }

  /** Connects and takes a share of the lease; false when the database does not take connections at the moment. */
  async #takeLease(port: number): Promise<boolean> {
    // Another process started the cluster, on a port that this one has not read yet.
    if (port !== this.#state.port)
      this.#state = JSON.parse(await readFile(this.#path('postgres.json'), 'utf8'));
    const client = new pg.Client({
      connectionString: this.#url('postgres', this.#state.superuserPassword, 'postgres', port),
      application_name: 'caseway lease',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(`select pg_advisory_lock_shared(${leaseLock})`);
    } catch (error) {
      await client.end().catch(() => {});
      const { code } = error as { code?: string };
      if (code === '28P01')
        throw new Error(
          `The database in ${this.#state.cluster} does not accept the passwords in ${this.#path('postgres.json')}.`,
        );
      return false;
    }
    client.on('end', () => {
      if (!this.#stopping && this.#lease === client) this.#recovery = this.#recover();
    });
    this.#lease = client;
    return true;
  }

  /** The cluster went away while it was in use: it is brought back, and the pool's next connections find it. */
  async #recover(): Promise<void> {
    this.#log.error('the database stopped unexpectedly; starting it again');
    while (!this.#stopping) {
      try {
        await this.#ensureRunning();
        this.#log.info('the database is back');
        return;
      } catch (error) {
        this.#log.error({ err: error }, 'the database could not be started again; trying on');
        await sleep(1000);
      }
    }
  }

  /**
   * One process keeps the cluster: should it die without a word, a small watching shell stops the cluster after a
   * grace period, in which another process may take over. Without that, killed processes would leave clusters behind.
   */
  async #keep(postmaster: number): Promise<void> {
    const keeperFile = this.#path('postgres.keeper');
    const keeper = Number(await readFile(keeperFile, 'utf8').catch(() => ''));
    if (keeper > 0 && keeper !== process.pid && isAlive(keeper)) return;
    this.#dismissWatchdog();
    await writeFile(keeperFile, String(process.pid), { mode: 0o600 });
    const script = `cat >/dev/null; sleep "$1"
      [ "$(cat "$2" 2>/dev/null)" = "$3" ] && [ "$(head -n 1 "$4" 2>/dev/null)" = "$5" ] && kill -INT "$5"`;
    const lockFile = join(this.#state.cluster, 'postmaster.pid');
    const args = [String(this.#graceSeconds), keeperFile, String(process.pid), lockFile, String(postmaster)];
    const watchdog = spawn('/bin/sh', ['-c', script, 'caseway-database-watch', ...args], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    watchdog.on('error', (error) => this.#log.warn({ err: error }, 'the database is not watched'));
    // Neither the shell nor the pipe by which it notices our end keeps this process alive.
    watchdog.unref();
    (watchdog.stdin as unknown as { unref(): void }).unref();
    this.#watchdog = watchdog;
  }

  #dismissWatchdog(): void {
    if (this.#watchdog?.pid !== undefined)
      try {
        process.kill(-this.#watchdog.pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    this.#watchdog = undefined;
  }

  // --- the roles --------------------------------------------------------------------------------------------------

  /** Makes the roles and the database; safe to repeat after a crash half-way. */
  async #provision(): Promise<void> {
    const { ownerPassword, appPassword, superuserPassword } = this.#state;
    const client = new pg.Client(this.#url('postgres', superuserPassword, 'postgres'));
    await client.connect();
    try {
      const has = async (sql: string, name: string) => (await client.query(sql, [name])).rows.length > 0;
      for (const [role, password] of [
        ['caseway_owner', ownerPassword],
        ['caseway_app', appPassword],
      ] as const) {
        if (!(await has('select from pg_roles where rolname = $1', role)))
          await client.query(`create role ${role}`);
        await client.query(
          `alter role ${role} login nosuperuser nocreatedb nocreaterole nobypassrls password ${client.escapeLiteral(password)}`,
        );
      }
      if (!(await has('select from pg_database where datname = $1', database)))
        await client.query(`create database ${database} owner caseway_owner`);
      await client.query(`revoke all on database ${database} from public`);
      await client.query(`grant connect, temporary on database ${database} to caseway_app`);
      await client.query('revoke connect on database postgres, template1 from public');
    } finally {
      await client.end();
    }
    await this.#remember({ provisioned: true });
  }

  // --- the end ----------------------------------------------------------------------------------------------------

  async #stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#recovery;
    const lock = await this.#readLock();
    const last = await this.#isLast();
    if (last && lock && (await this.#isOurs(lock.pid))) {
      await this.#othersGone();
      // Fast shutdown: open transactions are rolled back, everything committed is on disk.
      process.kill(lock.pid, 'SIGINT');
      for (let waited = 0; await this.#isOurs(lock.pid); waited += 1) {
        if (waited > 0 && waited % 1000 === 0) this.#log.warn('still waiting for the database to stop');
        await sleep(10);
      }
    }
    await this.#lease?.end().catch(() => {});
    await this.#release();
  }

  /**
   * Waits, for two seconds at most, until closed connections have really ended: a shutdown would send each of them an
   * error that nobody listens for any more.
   */
  async #othersGone(): Promise<void> {
    const others = `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    for (let tries = 0; tries < 100; tries += 1) {
      const found = await this.#lease?.query(others).catch(() => undefined);
      if (!found?.rowCount) return;
      await sleep(20);
    }
  }

  /** Gives this process's share of the lease back; true when no other process has one. */
  async #isLast(): Promise<boolean> {
    const lease = this.#lease;
    if (!lease) return false;
    try {
      await lease.query(`select pg_advisory_lock(${gateLock})`);
      const { rows } = await lease.query<{ alone: boolean }>(
        `select pg_try_advisory_lock(${leaseLock}) as alone`,
      );
      // The share is given back before the gate, so that of two that leave together the second finds itself alone.
      if (!rows[0]!.alone) await lease.query(`select pg_advisory_unlock_shared(${leaseLock})`);
      return rows[0]!.alone;
    } catch {
      // The connection is gone: the cluster is down, or another process has brought it back and uses it.
      return false;
    }
  }

  async #release(): Promise<void> {
    this.#dismissWatchdog();
    const keeperFile = this.#path('postgres.keeper');
    if ((await readFile(keeperFile, 'utf8').catch(() => '')) === String(process.pid))
      await rm(keeperFile, { force: true });
  }
}

/**
 * Runs `work` while no other process runs it for the same file. The file is touched every second, so that one left
 * behind by a crash is told from one in use.
 */
async function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      await writeFile(path, '', { flag: 'wx', mode: 0o600 });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new Error(`The data folder ${dirname(path)} cannot be written to: ${(error as Error).message}`);
    }
    const touched = (await stat(path).catch(() => undefined))?.mtimeMs;
    if (touched !== undefined && Date.now() - touched > 5000) await rm(path, { force: true });
    else await sleep(50);
  }
  const touching = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), 1000);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    await rm(path, { force: true });
  }
}

/** Nothing of this process's environment, least of all PG… variables, steers the database. */
const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

function run(
  command: string,
  args: string[],
  account: Account | undefined,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...account,
      cwd: '/',
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr!.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
