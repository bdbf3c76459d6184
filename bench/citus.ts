import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { gridQuery } from '@caseway/contract/grid';
import { facts } from '../server/src/facts.ts';
import { readCaseRows } from '../server/src/features/case-reports/rows.ts';
import { caseReportSource } from '../server/src/features/case-reports/source.ts';
import { ImportThreads } from '../server/src/features/imports/running/import-threads.ts';
import { storeUpload } from '../server/src/features/imports/upload-store.ts';
import { startAnalytics } from '../server/src/platform/analytics/engine.ts';
import { type Database, openDatabase } from '../server/src/platform/db/database.ts';
import { migrate, migrateAndDistribute } from '../server/src/platform/db/migrate.ts';
import { countStatement, type GridContext, pageStatement } from '../server/src/platform/grid/grid-sql.ts';
import { createLog } from '../server/src/platform/log/log.ts';
import type { Scope } from '../server/src/platform/scope.ts';
import { asked, databaseUrl, joinServers, prepareTestRoles, serversOf } from '../server/test/cluster.ts';
import { dataFolder } from './data-folder.ts';
import { type Bench, type Figure, percentile, timings } from './figure.ts';
import { message } from './import-messages.ts';

/** Messages of each tenant; BENCH_MESSAGES makes the files larger. */
const messages = Number(process.env.BENCH_MESSAGES ?? 2000);
const runs = 60;

/** A database of the cluster, and one without Citus on its first server. */
interface Place {
  database: Database;
  appUrl: string;
  /** Two tenants; on the cluster on different servers. */
  tenants: [string, string];
}

const median = (samples: readonly number[]) => percentile(samples, 0.5);

/** A new database on these servers, distributed if there are several. */
async function makePlace(servers: readonly string[], name: string): Promise<Omit<Place, 'tenants'>> {
  const [first, ...workers] = servers as [string, ...string[]];
  for (const server of servers) await asked(server, `create database ${name} owner caseway_owner`);
  const owner = databaseUrl((await prepareTestRoles(first)).owner, name);
  const appUrl = databaseUrl((await prepareTestRoles(first)).app, name);
  if (workers.length > 0) await joinServers(servers, name);
  else await asked(databaseUrl(first, name), 'grant all on schema public to caseway_owner');
  if (workers.length > 0) await migrateAndDistribute(owner, () => {});
  else await migrate(owner);
  return { database: await openDatabase({ url: appUrl, log: createLog('error') }), appUrl };
}

/** Two tenants; `serverOf`: the server with a tenant's records. */
async function makeTenants(
  database: Database,
  serverOf: (tenantId: string) => Promise<string>,
): Promise<[string, string]> {
  const first = randomUUID();
  let second = randomUUID();
  const there = await serverOf(first);
  for (let tries = 0; there !== '' && (await serverOf(second)) === there && tries < 100; tries++)
    second = randomUUID();
  for (const id of [first, second])
    await database.withScope({ kind: 'system' }, (tx) =>
      tx.run('insert into tenant (id, name, slug) values ($1, $2, $2)', [id, `bench-${id}`]),
    );
  return [first, second];
}

/** Imports a file of a tenant, and returns its messages per second. */
async function importFile(database: Database, threads: ImportThreads, tenantId: string, from: number) {
  const importId = randomUUID();
  async function* file() {
    for (let n = from; n < from + messages; n++) yield Buffer.from(message(n));
  }
  const { byteSize } = await storeUpload(database, tenantId, importId, file());
  await database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.run(
      `insert into import (tenant_id, id, file_name, byte_size, state) values ($1, $2, 'bench.hl7', $3, 'queued')`,
      [tenantId, importId, byteSize],
    ),
  );
  const began = performance.now();
  await threads.run({ tenantId, importId }, {});
  return messages / ((performance.now() - began) / 1000);
}

/** Milliseconds to find a case by its id, and to read the first 50 cases with their count. */
async function readings({ database, tenants: [tenantId] }: Place, folder: string) {
  const scope: Scope = {
    kind: 'org',
    tenantId,
    orgType: 'T',
    orgId: tenantId,
    accountId: randomUUID(),
    counties: [],
    hiddenFamilies: ['hiv'],
    genderIdentityShown: true,
  };
  const [one] = await database.withScope(scope, (tx) =>
    tx.rows<{ id: string }>('select id from case_report where tenant_id = $1 order by id limit 1', [
      tenantId,
    ]),
  );
  const analytics = await startAnalytics({
    database,
    facts,
    log: createLog('error'),
    folder,
    engine: 'postgres',
  });
  const context: GridContext = { engine: 'postgres', tenantId, timeZone: 'America/New_York', orders: {} };
  const query = gridQuery(caseReportGrid).parse({});
  return {
    point: () =>
      database.withScope(
        scope,
        (tx) =>
          tx.prepared(
            'bench case',
            'select id, case_id, classification from case_report where tenant_id = $1 and id = $2',
            [tenantId, one!.id],
          ),
        { readOnly: true },
      ),
    page: async () => {
      const ids = await analytics.read(
        { scopes: [scope], freshness: 'any', timeoutMs: 120_000 },
        async (ask) => {
          const rows = await ask<{ id: string }>(
            pageStatement(caseReportSource, query, context, { offset: 0, limit: 50 }),
          );
          await ask(countStatement(caseReportSource, query, context));
          return rows.map(({ id }) => id);
        },
      );
      await database.withScope(scope, (tx) => readCaseRows(tx, ids), { readOnly: true });
    },
    close: () => analytics.close(),
  };
}

/** The same database, with every query through the coordinator. */
const throughCoordinator = (place: Place): Place => ({
  ...place,
  database: {
    ...place.database,
    withScope: (scope, work, options) =>
      place.database.withScope(scope, work, { ...options, atCoordinator: true }),
  },
});

/** How many times longer the cluster takes than the plain database, measured in turn. */
const compared = (what: string, plain: number, spread: number, promised?: string): Figure => ({
  what,
  value: spread,
  unit: 'ms',
  promised,
  against: { what: 'that is, of plain PostgreSQL', ratio: spread / plain },
});

/** The same work on a Citus cluster and on plain PostgreSQL on its first server, in turn. */
export const citus: Bench = {
  name: 'Citus beside plain PostgreSQL',
  async run() {
    const url = process.env.CITUS_URL;
    if (!url) {
      console.log('\nCITUS_URL names no cluster: nothing is measured on Citus.');
      return [];
    }
    const servers = await serversOf(url);
    const mark = randomUUID().slice(0, 8);
    const folder = await dataFolder();
    const made: Place[] = [];
    try {
      const alone = await makePlace(servers.slice(0, 1), `bench_plain_${mark}`);
      const plain: Place = { ...alone, tenants: await makeTenants(alone.database, async () => '') };
      made.push(plain);
      const several = await makePlace(servers, `bench_citus_${mark}`);
      const serverOf = async (tenantId: string) => {
        const [shard] = await asked<{ node: string }>(
          databaseUrl(servers[0]!, `bench_citus_${mark}`),
          `select nodeport::text as node from pg_dist_shard_placement
           where shardid = get_shard_id_for_distribution_column('patient', $1::uuid)`,
          [tenantId],
        );
        return shard!.node;
      };
      const spread: Place = { ...several, tenants: await makeTenants(several.database, serverOf) };
      made.push(spread);

      const rates: Record<'one' | 'two', [number, number][]> = { one: [], two: [] };
      for (let round = 0; round < 3; round++) {
        const pair: number[][] = [];
        for (const { database, appUrl, tenants } of [plain, spread]) {
          const threads = new ImportThreads({ url: appUrl });
          const from = round * 2 * messages;
          const one = await importFile(database, threads, tenants[0], from);
          const began = performance.now();
          await Promise.all(tenants.map((tenant) => importFile(database, threads, tenant, from + messages)));
          const two = (2 * messages) / ((performance.now() - began) / 1000);
          await threads.close();
          pair.push([one, two]);
        }
        // The first round warms both up.
        if (round === 0) continue;
        rates.one.push([pair[0]![0]!, pair[1]![0]!]);
        rates.two.push([pair[0]![1]!, pair[1]![1]!]);
      }
      for (const name of [`bench_plain_${mark}`, `bench_citus_${mark}`])
        await asked(databaseUrl(servers[0]!, name), 'analyze');

      const all = [
        await readings(plain, join(folder, 'plain')),
        await readings(spread, join(folder, 'citus')),
        await readings(throughCoordinator(spread), join(folder, 'through')),
      ];
      const times = all.map(() => ({ point: [] as number[], page: [] as number[] }));
      for (let round = 0; round < 3; round++)
        for (const [index, reading] of all.entries()) {
          times[index]!.point.push(...(await timings(runs, reading.point, 10)));
          times[index]!.page.push(...(await timings(runs / 3, reading.page, 3)));
        }
      for (const reading of all) await reading.close();
      const { near, through } = spread.database.reads();
      console.log(`\n${near} transactions asked the tenant's own server, ${through} could not`);
      const [here, straight, around] = times.map(({ point, page }) => ({
        point: median(point),
        page: median(page),
      })) as [
        Record<'point' | 'page', number>,
        Record<'point' | 'page', number>,
        Record<'point' | 'page', number>,
      ];
      const rate = (of: [number, number][], which: 0 | 1) => median(of.map((pair) => pair[which]));
      const imported = (what: string, of: [number, number][], promised: string): Figure => ({
        what,
        value: rate(of, 1),
        unit: 'per second',
        promised,
        against: { what: 'that is, of plain PostgreSQL', ratio: rate(of, 1) / rate(of, 0) },
      });
      return [
        compared('a case by its id, median', here.point, straight.point, '≤ 2 ×'),
        compared('the same through the coordinator', here.point, around.point),
        compared('50 cases and their count, median', here.page, straight.page, '≤ 2 ×'),
        compared('the same through the coordinator', here.page, around.page),
        imported(
          `messages imported, one tenant, ${messages.toLocaleString('en')} a file`,
          rates.one,
          '≥ 0.7 ×',
        ),
        imported('messages imported, two tenants on two servers at once', rates.two, '≥ 1.5 ×'),
      ];
    } finally {
      for (const { database } of made) await database.close();
      for (const server of servers)
        for (const name of [`bench_plain_${mark}`, `bench_citus_${mark}`])
          await asked(server, `drop database if exists ${name} with (force)`);
      await rm(folder, { recursive: true, force: true });
    }
  },
};
