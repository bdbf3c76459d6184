import type { Client } from 'pg';
import type { Logger } from 'pino';
import { awayServer } from './away-server.ts';
import { startPackagedPostgres } from './cluster/packaged-postgres.ts';
import { readState } from './cluster/place.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate, pendingMigrations, readSchema } from './migrate.ts';
import { type Connections, connected, prepareRoles } from './roles.ts';
import { changedTexts } from './schema-texts.ts';

export interface ConnectOptions {
  /** Where the packaged PostgreSQL keeps its files, unless `databaseUrl` names a server. */
  dataDir: string;
  databaseUrl?: string;
  databaseOwnerUrl?: string;
  log: Logger;
  poolSize?: number;
  /**
   * Creates and migrates nothing: if there is no database of this version of Caseway, an error says so. For commands
   * that only make sense with an existing database.
   */
  mustExist?: boolean;
}

/** A migrated database that is ready to use. */
export interface ConnectedDatabase {
  database: Database;
  /** Connection string of the application role; it sees nothing outside a scope. */
  appUrl: string;
  /** Connection string of the role that owns the schema; absent if this process may not migrate. */
  ownerUrl?: string;
  /** Where the packaged PostgreSQL has its files if they are outside the data folder. */
  databaseElsewhere?: string;
  /** The migrations that were run. */
  migrated: string[];
  /** Whether the database was empty. */
  isNew: boolean;
  /** Turns an error into one that names the cause, if a full disk has stopped the database. */
  explained(error: unknown): Promise<unknown>;
  /** Closes the connections, and stops the packaged PostgreSQL if nobody else uses it. */
  close(): Promise<void>;
}

/**
 * Opens the database for the server and every command: starts or finds it, migrates it, and connects as the
 * application role. Throws one clear sentence if any of that fails. [P3]
 */
export async function connectDatabase(options: ConnectOptions): Promise<ConnectedDatabase> {
  const { log, poolSize, mustExist = false } = options;
  if (mustExist && options.databaseUrl === undefined && (await readState(options.dataDir)) === undefined)
    throw new Error(
      `There is no database in ${options.dataDir}. Set DATA_DIR, or DATABASE_URL, as the server has it.`,
    );
  const { close, explained, ...connections } = await openServer(options);
  try {
    const isNew = !(await connected(connections.app, 'DATABASE_URL', isBegun));
    if (mustExist && isNew)
      throw new Error(
        'The database is empty: no server has worked with it yet. Set DATA_DIR, or DATABASE_URL, as the server has it.',
      );
    // A command that only reads does not migrate the database of a server of another version.
    const migrated =
      connections.owner && !mustExist
        ? await migrateAsFarAs(connections, connections.owner, log)
        : await assertMigrated(
            connections.app,
            mustExist
              ? 'and this command does not change it. Use the version that the servers have, or run npm run migrate first.'
              : 'and the role of DATABASE_URL may not change it. Run npm run migrate with DATABASE_OWNER_URL set.',
          );
    const database = await openDatabase({ url: connections.app, log, poolSize });
    return {
      database,
      appUrl: connections.app,
      ownerUrl: connections.owner,
      databaseElsewhere: connections.elsewhere,
      migrated,
      isNew,
      explained,
      async close() {
        await database.close();
        await close();
      },
    };
  } catch (error) {
    // Asked before the close, which may free disk space.
    const cause = await explained(error);
    await close();
    throw cause;
  }
}

/**
 * Migrates. If there is nothing to migrate, it is enough that the first of several servers answers: the rest was
 * prepared at an earlier start, and tenants of the other servers can work.
 */
async function migrateAsFarAs(connections: Connections, owner: string, log: Logger): Promise<string[]> {
  try {
    return await migrate(owner, undefined, {
      waits: () => log.warn('the migration waits for a long transaction on the database, such as a backup'),
    });
  } catch (error) {
    const away = awayServer(error);
    if (!away) throw error;
    await assertMigrated(connections.app, '').catch(() => {
      throw error;
    });
    log.warn(away, 'a database server is away: people of its tenants cannot work');
    return [];
  }
}

/** The database server with both roles. Starts the packaged one, and changes no tables. */
export async function openServer({ dataDir, databaseUrl, databaseOwnerUrl, log }: ConnectOptions): Promise<
  Connections & {
    elsewhere?: string;
    explained(error: unknown): Promise<unknown>;
    close(): Promise<void>;
  }
> {
  if (databaseUrl !== undefined)
    return {
      ...(await prepareRoles(databaseUrl, databaseOwnerUrl)),
      explained: async (error) => error,
      close: async () => {},
    };
  const { owner, app, stop, explained, ...folder } = await startPackagedPostgres({ dataDir, log });
  return { owner, app, elsewhere: folder.elsewhere ? folder.cluster : undefined, explained, close: stop };
}

/** Whether a database has tables of Caseway. */
async function isBegun(client: Client): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('schema_migration') is not null as begun");
  return rows[0].begun;
}

async function assertMigrated(url: string, otherwise: string): Promise<string[]> {
  const { migrations, texts } = await readSchema();
  const pending = await connected(url, 'DATABASE_URL', async (client) => {
    if (!(await isBegun(client))) return migrations;
    const ask = (text: string) => client.query(text);
    return [...(await pendingMigrations(ask, migrations)), ...(await changedTexts(ask, texts))];
  });
  if (pending.length > 0)
    throw new Error(
      `The database lacks ${pending.length === 1 ? 'a migration' : `${pending.length} migrations`}, ${otherwise}`,
    );
  return [];
}
