import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/platform/db/migrate.ts';
import { reachablePlaces } from '../src/platform/db/packaged-binaries.ts';
import { startTemporaryPostgres } from '../src/platform/db/temporary-postgres.ts';
import { createLog } from '../src/platform/log.ts';

/** The template of every test's database: migrated, and otherwise empty. */
export const template = 'caseway_template';

/** Where the test databases are; connection strings to the database `postgres`, or to any other by name. */
export interface TestCluster {
  superuser: string;
  owner: string;
  app: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: TestCluster;
  }
}

/**
 * Vitest's global set-up: one PostgreSQL for the whole run, with a migrated template. It is the packaged one, or the
 * server whose superuser CASEWAY_TEST_DATABASE_URL names, so that every test can be run on PostgreSQL 15 to 18.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The folder of temporary files of every test of this run, which PostgreSQL's account can enter.
  const { TMPDIR: scratch } = project.config.env as { TMPDIR: string };
  // One of the same number may be left of a run that was killed.
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o711 });
  const given = process.env.CASEWAY_TEST_DATABASE_URL;
  const packaged = given ? undefined : await startTemporaryPostgres(createLog('warn'));
  const cluster: TestCluster = packaged ?? (await prepare(given!));
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

/** Root keeps a database elsewhere if only root can enter its folder; a test that makes one removes it. */
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

/** The two roles on a server that is not ours. */
async function prepare(superuser: string): Promise<TestCluster> {
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
