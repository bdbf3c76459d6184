import { randomBytes, randomUUID } from 'node:crypto';
import { chown, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Logger } from 'pino';
import { makeDataFolder } from '../../workers/data-folder.ts';
import {
  type Account,
  canEnter,
  databaseAccount,
  giveTo,
  reachablePlace,
  reachablePlaces,
  runnableInstallation,
} from './packaged-binaries.ts';
import {
  assertOwn,
  type ClusterState,
  exists,
  noteOwner,
  pathOf,
  readState,
  warnOfOrphans,
  within,
  writeState,
} from './place.ts';
import { freePort, run } from './processes.ts';

/** A cluster on the disk: its place, owner and passwords; created if there is none. */
export class ClusterFolder {
  readonly #log: Logger;
  /** Absolute. */
  readonly dataDir: string;
  state!: ClusterState;
  /** The account that it runs as, if that is not the account of this process. */
  account: Account | undefined;
  /** The folder with the programs of PostgreSQL. */
  installation = '';

  private constructor(dataDir: string, log: Logger) {
    this.dataDir = dataDir;
    this.#log = log;
  }

  /** The data folder; created if missing. */
  static async in(dataDir: string, log: Logger): Promise<ClusterFolder> {
    await makeDataFolder(dataDir);
    return new ClusterFolder(await realpath(dataDir), log);
  }

  /**
   * Decides where the cluster is and which account runs it. Usually that is `dataDir/postgres` and the account of
   * this process. Root needs an unprivileged account; if that account cannot enter the data folder, the cluster is
   * in a place it can reach. The state file names that place, so that a new data folder never finds an old cluster.
   * Returns true if there is no cluster yet.
   */
  async prepare(): Promise<boolean> {
    const missing = await this.#find();
    if (this.elsewhere) await noteOwner(this.dataDir, this.cluster);
    if (process.getuid?.() === 0) for (const place of reachablePlaces) await warnOfOrphans(place, this.#log);
    this.installation = await runnableInstallation(this.account);
    return missing;
  }

  async #find(): Promise<boolean> {
    const isRoot = process.getuid?.() === 0;
    const stored = await readState(this.dataDir);
    const usual = this.path(within);
    if (stored === undefined) {
      if (await exists(usual))
        throw new Error(
          `${usual} holds a database, but postgres.json with its passwords is missing from its folder. Put it back, or choose another DATA_DIR.`,
        );
      if (isRoot) this.account = databaseAccount(this.#log);
      const inside = !this.account || canEnter(this.account, this.dataDir);
      const cluster = inside ? within : join(await reachablePlace(this.account!), randomUUID());
      if (!inside)
        this.#log.warn({ cluster }, 'the data folder is for root alone, so the database files lie elsewhere');
      const password = () => randomBytes(24).toString('base64url');
      this.state = {
        cluster,
        folder: this.dataDir,
        port: await freePort(),
        superuserPassword: password(),
        ownerPassword: password(),
        appPassword: password(),
      };
      await this.remember({});
      return true;
    }
    this.state = stored;
    await assertOwn(this.dataDir, this.state);
    if (!this.state.created) {
      if (isRoot) this.account = databaseAccount(this.#log);
      return true;
    }
    const found = await stat(this.cluster).catch(() => undefined);
    if (!found)
      throw new Error(
        `The database files in ${this.cluster} are missing. Put them back, or choose another DATA_DIR to start with an empty database.`,
      );
    if (isRoot) {
      // PostgreSQL insists on owning its files, so a cluster that an ordinary user made continues to run as that user.
      this.account = found.uid === 0 ? databaseAccount(this.#log) : { uid: found.uid, gid: found.gid };
      if (found.uid === 0) await giveTo(this.account, this.cluster);
    } else if (found.uid !== process.getuid?.())
      throw new Error(
        `The database files in ${this.cluster} belong to another account. Start Caseway as that account or as root.`,
      );
    if (this.state.folder !== this.dataDir) await this.remember({ folder: this.dataDir });
    return false;
  }

  /** Where the files of the cluster are. */
  get cluster(): string {
    return pathOf(this.dataDir, this.state);
  }

  /** Whether they are outside the data folder, in a place that its account can reach. */
  get elsewhere(): boolean {
    return isAbsolute(this.state.cluster);
  }

  path(name: string): string {
    return join(this.dataDir, name);
  }

  /** Changes the state, in memory and in the file. */
  async remember(change: Partial<ClusterState>): Promise<void> {
    this.state = { ...this.state, ...change };
    await writeState(this.dataDir, this.state);
  }

  /** Reads the state again, because another process may have changed it. */
  async reread(): Promise<void> {
    this.state = (await readState(this.dataDir)) ?? this.state;
  }

  /** Runs initdb next to the final place and moves the result there, so that a crash leaves all of it or nothing. */
  async create(durable: boolean): Promise<void> {
    const { superuserPassword } = this.state;
    const { cluster } = this;
    const unfinished = `${cluster}.new`;
    const passwordFile = `${cluster}.password`;
    await rm(unfinished, { recursive: true, force: true });
    await rm(cluster, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    await writeFile(passwordFile, `${superuserPassword}\n`, { mode: 0o600 });
    if (this.account) {
      await chown(unfinished, this.account.uid, this.account.gid);
      await chown(passwordFile, this.account.uid, this.account.gid);
    }
    const flags = [
      ['--pgdata', unfinished],
      ['--username', 'postgres'],
      ['--pwfile', passwordFile],
      ['--auth', 'scram-sha-256'],
      ['--encoding', 'UTF8'],
      // Sorts by code point, the same on every machine whatever its locales; characters are Unicode's.
      ['--locale', 'C'],
      ['--locale-provider', 'builtin'],
      ['--builtin-locale', 'C.UTF-8'],
    ].map(([name, value]) => `${name}=${value}`);
    const made = await run(
      join(this.installation, 'bin/initdb'),
      [...flags, '--data-checksums', ...(durable ? [] : ['--no-sync'])],
      this.account,
    );
    await rm(passwordFile, { force: true });
    if (made.code !== 0) throw new Error(`The database could not be created: ${made.output.trim()}`);
    await rename(unfinished, cluster);
    await this.remember({ created: true });
  }
}
