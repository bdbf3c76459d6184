import { mkdir, rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { migrate, migrateAndDistribute } from '../src/platform/db/migrate.ts';
import {
  asked,
  databaseUrl,
  emptyTemplate,
  joinServers,
  makeDatabase,
  plainTemplate,
  prepareTestRoles,
  removeDatabase,
  serversOf,
  type TestCluster,
  template,
} from '../test/cluster.ts';

/**
 * Vitest's global set-up for the tests on Citus: two templates on every server of the cluster whose superuser
 * CITUS_URL names, with a database that has the extension and knows the servers. Copies of a template on all servers
 * form a new distributed database, because everything that Citus knows about one is in its tables, and the ids in it
 * stay.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { TMPDIR: scratch } = project.config.env as { TMPDIR: string };
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o711 });
  const url = process.env.CITUS_URL!;
  const servers = await serversOf(url);
  const isOurs = Boolean(process.env.CITUS_PROGRAM);
  if (isOurs) await hasten(servers);
  const roles = await prepareTestRoles(servers[0]!);
  // For one-task.ts.
  const app = new URL(roles.app);
  app.searchParams.set('options', '-c citus.log_remote_commands=on -c client_min_messages=log');
  // For tests that make a statement fail or wait: the product has no triggers, and Citus allows none without this.
  const superuser = new URL(roles.superuser);
  superuser.searchParams.set('options', '-c citus.enable_unsafe_triggers=on');
  const cluster: TestCluster = { ...roles, superuser: superuser.href, app: app.href, servers };
  const [about] = await asked<{ version: string; citus: string }>(
    url,
    `select current_setting('server_version') as version, extversion as citus from pg_extension where extname = 'citus'`,
  );
  console.log(`PostgreSQL ${about!.version} with Citus ${about!.citus}, ${servers.length - 1} workers`);
  const { servers: _, ...first } = cluster;
  const remove = async () => {
    await removeDatabase(cluster, template);
    await removeDatabase(cluster, emptyTemplate);
    await removeDatabase(first, plainTemplate);
  };
  /** Closes a database to connections, so that it can be copied: Citus keeps its own connection to each database. */
  const closed = async (name: string) => {
    for (const server of servers) {
      await asked(server, `alter database ${name} allow_connections false`);
      await asked(
        server,
        'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1',
        [name],
      );
    }
  };
  await remove();
  await makeDatabase(cluster, emptyTemplate, 'template1');
  await joinServers(servers, emptyTemplate);
  await makeDatabase(first, plainTemplate, 'template1');
  await migrate(databaseUrl(cluster.owner, plainTemplate));
  await closed(emptyTemplate);
  await makeDatabase(cluster, template, emptyTemplate);
  const lines: string[] = [];
  const began = performance.now();
  await migrateAndDistribute(databaseUrl(cluster.owner, template), (line) => lines.push(line));
  console.log(`${lines.at(-1)} ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await closed(template);
  project.provide('cluster', cluster);
  return async () => {
    await rm(scratch, { recursive: true, force: true });
    // A cluster of this run is removed with all of its databases.
    if (!isOurs) await remove();
  };
}

/** Turns off synchronous disk writes on servers that nobody needs after the run. */
async function hasten(servers: readonly string[]): Promise<void> {
  for (const server of servers) {
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
      await asked(server, `alter system set ${setting} = off`);
    await asked(server, `alter system set max_wal_size = '8GB'`);
    await asked(server, 'select pg_reload_conf()');
  }
}
