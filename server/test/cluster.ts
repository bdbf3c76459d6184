import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { reachablePlaces } from '../src/platform/db/cluster/packaged-binaries.ts';
import { startTemporaryPostgres } from '../src/platform/db/cluster/temporary-postgres.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { createLog } from '../src/platform/log/log.ts';

/** The template of every test's database: migrated, and otherwise empty. */
export const template = 'caseway_template';

/** The template of databases without tables, if `template1` cannot be used. */
export const emptyTemplate = 'caseway_empty';

/** On Citus: the same as `template`, only on the first server. */
export const plainTemplate = 'caseway_plain';

/** Where the test databases are; connection strings to the database `postgres`, or to any other by name. */
export interface TestCluster {
  superuser: string;
  owner: string;
  app: string;
  /** On Citus: the superuser's connection strings to every server, the coordinator first. */
  servers?: string[];
}

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: TestCluster;
  }
}

/**
 * Vitest's global set-up: one PostgreSQL for the whole run, with a migrated template. It is the packaged one, or the
 * server whose superuser CASEWAY_TEST_DATABASE_URL names, so that every test can run on PostgreSQL 15 to 18.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The folder of temporary files of all tests of this run, which PostgreSQL's account can enter.
  const { TMPDIR: scratch } = project.config.env as { TMPDIR: string };
  // A killed run with the same number may have left one.
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o711 });
  const given = process.env.CASEWAY_TEST_DATABASE_URL;
  const packaged = given ? undefined : await startTemporaryPostgres(createLog('warn'));
  const cluster: TestCluster = packaged ?? (await prepareTestRoles(given!));
  const superuser = new pg.Client(cluster.superuser);
  await superuser.connect();
  const { rows } = await superuser.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  console.log(
    `PostgreSQL ${rows[0]!.version}, ${given ? 'of CASEWAY_TEST_DATABASE_URL' : 'the packaged one'}`,
  );
  await superuser.query(`drop database if exists ${template} with (force)`);
  await superuser.query(`create database ${template} owner caseway_owner`);
  await migrate(databaseUrl(cluster.owner, template));
  project.provide('cluster', { superuser: cluster.superuser, owner: cluster.owner, app: cluster.app });
  return async () => {
    await superuser.query(`drop database if exists ${template} with (force)`);
    await superuser.end();
    await packaged?.stop();
    await assertNoneLeft(scratch);
    await rm(scratch, { recursive: true, force: true });
  };
}

/** Root keeps a database elsewhere if only root can enter its folder. A test that makes one removes it. */
async function assertNoneLeft(scratch: string): Promise<void> {
  for (const place of reachablePlaces)
    for (const name of await readdir(place).catch(() => [])) {
      const path = join(place, name);
      if (
        !name.endsWith('.owner.json') ||
        !(await readFile(path, 'utf8').catch(() => '')).includes(`"${scratch}/`)
      )
        continue;
      throw new Error(`A test has left a database behind: ${path} says of which folder.`);
    }
}

/** The connection string of another database of the same server. */
export function databaseUrl(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The rows of a statement. */
export async function asked<Row extends object>(
  url: string,
  text: string,
  params: unknown[] = [],
): Promise<Row[]> {
  const [rows] = await askedEach<Row>(url, [text], params);
  return rows!;
}

/** The rows of each statement, on one connection, because connecting costs more than most of them. */
export async function askedEach<Row extends object>(
  url: string,
  texts: readonly string[],
  params: unknown[] = [],
): Promise<Row[][]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const answers: Row[][] = [];
    for (const text of texts) answers.push((await client.query<Row>(text, params)).rows);
    return answers;
  } finally {
    await client.end();
  }
}

/** A copy of another database; on Citus on every server. */
export async function makeDatabase(cluster: TestCluster, name: string, from: string): Promise<void> {
  const servers = cluster.servers ?? [cluster.superuser];
  const strategy = cluster.servers ? 'wal_log' : 'file_copy';
  await Promise.all(
    servers.map((server) =>
      asked(server, `create database ${name} owner caseway_owner template ${from} strategy ${strategy}`),
    ),
  );
}

/** Removes a database that may exist; on Citus from every server. */
export async function removeDatabase(cluster: TestCluster, name: string): Promise<void> {
  await Promise.all(
    (cluster.servers ?? [cluster.superuser]).map((server) =>
      asked(server, `drop database if exists ${name} with (force)`),
    ),
  );
}

/** The two roles on a server that is not ours. */
export async function prepareTestRoles(superuser: string): Promise<TestCluster> {
  const client = new pg.Client(superuser);
  await client.connect();
  const url = new URL(superuser);
  const urls: Record<string, string> = {};
  for (const role of ['caseway_owner', 'caseway_app']) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
    if (!rowCount) await client.query(`create role ${role}`);
    await client.query(`alter role ${role} login nosuperuser nobypassrls password 'test'`);
    url.username = role;
    url.password = 'test';
    urls[role] = url.href;
  }
  await client.end();
  return { superuser, owner: urls.caseway_owner!, app: urls.caseway_app! };
}

/** The servers of a Citus cluster, as their superuser reaches them: the first one, then its workers. */
export async function serversOf(url: string): Promise<string[]> {
  const nodes = await asked<{ name: string; port: number }>(
    url,
    'select nodename as name, nodeport as port from pg_dist_node order by groupid',
  );
  return nodes.map(({ name, port }) => {
    const server = new URL(databaseUrl(url, 'postgres'));
    server.host = `${name}:${port}`;
    return server.href;
  });
}

/** Joins the databases of these servers to one Citus cluster. */
export async function joinServers(servers: readonly string[], name: string): Promise<void> {
  for (const server of servers) await asked(databaseUrl(server, name), 'create extension citus');
  const [first, ...workers] = servers as [string, ...string[]];
  const there = databaseUrl(first, name);
  const at = (server: string) => [new URL(server).hostname, Number(new URL(server).port)];
  await asked(there, 'select citus_set_coordinator_host($1, $2)', at(first));
  for (const worker of workers) await asked(there, 'select citus_add_node($1, $2)', at(worker));
  await asked(there, 'grant all on schema public to caseway_owner');
}
