import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { seedRecords } from '../server/seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { facts } from '../server/src/facts.ts';
import { startAnalytics } from '../server/src/platform/analytics/engine.ts';
import { recordChange } from '../server/src/platform/analytics/outbox.ts';
import { connectDatabase } from '../server/src/platform/db/connect.ts';
import type { Database } from '../server/src/platform/db/database.ts';
import { createLog } from '../server/src/platform/log/log.ts';
import { dataFolder } from './data-folder.ts';
import { type Bench, type Figure, percentile, worked } from './figure.ts';

const results = Number(process.env.BENCH_RESULTS ?? 100_000);
const runs = 20;

const median = (samples: readonly number[]) => percentile(samples, 0.5);

async function measure(database: Database, folder: string): Promise<Figure[]> {
  const { demo } = await seedDemoTenants(database);
  const options = {
    database,
    facts,
    log: createLog('error'),
    folder,
    engine: 'duckdb' as const,
    sweepMs: 600_000,
  };
  let analytics = await startAnalytics(options);
  try {
    const made: number[] = [];
    for (let run = 0; run < runs; run++) {
      await analytics.close();
      await rm(folder, { recursive: true });
      analytics = await startAnalytics(options);
      made.push(await worked(() => analytics.caughtUp(demo.id)));
    }
    const opened: number[] = [];
    for (let run = 0; run < runs; run++) {
      await analytics.close();
      analytics = await startAnalytics(options);
      opened.push(await worked(() => analytics.caughtUp(demo.id)));
    }
    await analytics.close();
    await rm(folder, { recursive: true });
    await seedRecords(database, demo.id, { patients: results / 3, results, cases: 1000 }, { seed: 'bench' });
    analytics = await startAnalytics(options);
    const loading = await worked(() => analytics.caughtUp(demo.id));
    const service = { kind: 'service', tenantId: demo.id } as const;
    const some = await database.withScope(service, (tx) =>
      tx.rows<{ id: string }>('select id from result where tenant_id = $1 order by id limit $2', [
        demo.id,
        runs,
      ]),
    );
    const followed: number[] = [];
    const extended: number[] = [];
    for (const [of, name] of [
      [followed, undefined],
      [extended, randomUUID],
    ] as const)
      for (const { id } of some) {
        await database.withScope(service, async (tx) => {
          await tx.run(
            'update result set test_name = coalesce($3, test_name) where tenant_id = $1 and id = $2',
            [demo.id, id, name?.() ?? null],
          );
          await recordChange(tx, demo.id, 'result', [id]);
        });
        of.push(await worked(() => analytics.caughtUp(demo.id)));
      }
    const large = `of ${results.toLocaleString('en')} results`;
    return [
      {
        what: `making one without a row, ${facts.length} facts`,
        value: median(made),
        unit: 'ms',
        against: { what: `one ${large}`, ratio: loading / median(made) },
      },
      {
        what: 'opening it again from its file',
        value: median(opened),
        unit: 'ms',
        against: { what: 'making it', ratio: median(made) / median(opened) },
      },
      { what: `making one ${large}`, value: loading / 1000, unit: 's' },
      { what: '… applying the change of one result', value: median(followed), unit: 'ms' },
      { what: '… one with a new name of a test', value: median(extended), unit: 'ms' },
    ];
  } finally {
    await analytics.close();
  }
}

export const replica: Bench = {
  name: 'analytics replica, processor time of the server',
  async run() {
    const dataDir = await dataFolder();
    try {
      const connection = await connectDatabase({ dataDir, log: createLog('error') });
      try {
        return await measure(connection.database, path.join(dataDir, 'analytics'));
      } finally {
        await connection.close();
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
