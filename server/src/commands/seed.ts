// npm run seed -- --results N [--tenant SLUG]: makes more demo people, results and cases, ending today.
import { parseArgs } from 'node:util';
import { seedRecords } from '../../seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../../seeds/demo/seed-tenants.ts';
import { parseConfig } from '../config.ts';
import { connectDatabase } from '../platform/db/connect.ts';
import { createLog } from '../platform/log.ts';

const usage = 'Usage: npm run seed -- --results N [--tenant SLUG]';

try {
  const { values } = parseArgs({
    options: { results: { type: 'string' }, tenant: { type: 'string', default: 'demo' } },
  });
  const results = Number(values.results);
  if (!Number.isInteger(results) || results < 1 || results > 100_000_000)
    throw new Error(`--results takes a whole number from 1. ${usage}`);
  const config = parseConfig(process.env);
  const { database, close } = await connectDatabase({ ...config, log: createLog(config.logLevel) });
  try {
    if (config.demo) await seedDemoTenants(database);
    const tenant = await database.withScope({ kind: 'system' }, (tx) =>
      tx.selectFrom('tenant').select('id').where('slug', '=', values.tenant).executeTakeFirst(),
    );
    if (!tenant) throw new Error(`There is no tenant ${values.tenant}. ${usage}`);
    // What is there decides the seed, so that the next run adds other people instead of the same ones.
    const { already } = await database.withScope({ kind: 'service', tenantId: tenant.id }, (tx) =>
      tx
        .selectFrom('result')
        .select((eb) => eb.fn.countAll<number>().as('already'))
        .executeTakeFirstOrThrow(),
    );
    const started = Date.now();
    await seedRecords(
      database,
      tenant.id,
      { patients: Math.ceil(results / 3), results, cases: Math.round((results * 8) / 60) },
      {
        seed: `${values.tenant}:${already}`,
        onProgress: process.stdout.isTTY
          ? ({ results: made, of }) =>
              process.stdout.write(`\r${Math.min(100, Math.floor((made / of) * 100))} % of ${of} results`)
          : undefined,
      },
    );
    console.log(
      `${process.stdout.isTTY ? '\n' : ''}Made ${results} results in ${((Date.now() - started) / 1000).toFixed(1)} s.`,
    );
  } finally {
    await close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
