// npm run seed -- --results N [--tenant SLUG]: makes more demo people, results and cases, ending today.
import { parseArgs } from 'node:util';
import { unfinishedSeedings } from '../../seeds/demo/continue-seeding.ts';
import { type SeedEnd, seedRecords } from '../../seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../../seeds/demo/seed-tenants.ts';
import { loadConfig } from '../config.ts';
import type { ConnectedDatabase } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { command, withDatabase } from './command.ts';

const usage = `Usage: npm run seed -- --results N [--tenant SLUG]

Makes N more results with their people and cases in the demo, or in the tenant of that slug. A seeding that was broken
off before is finished first.`;

await command(usage, async () => {
  const { values } = parseArgs({
    options: { results: { type: 'string' }, tenant: { type: 'string', default: 'demo' } },
  });
  await seed(Number(values.results), values.tenant);
});

async function seed(results: number, slug: string): Promise<void> {
  if (!Number.isInteger(results) || results < 1 || results > 100_000_000)
    throw new Error(`--results takes a whole number from 1.\n\n${usage}`);
  const config = loadConfig();
  const work = async ({ database }: ConnectedDatabase) => {
    if (config.demo) await seedDemoTenants(database);
    const tenant = await database.withScope({ kind: 'system' }, (tx) =>
      tx.selectFrom('tenant').select('id').where('slug', '=', slug).executeTakeFirst(),
    );
    if (!tenant) throw new Error(`There is no tenant ${slug}.\n\n${usage}`);
    const scope = { kind: 'service', tenantId: tenant.id } as const;
    const begun = await database.withScope(scope, (tx) => unfinishedSeedings(tx, tenant.id));
    for (const name of begun) {
      // The server finishes the demo's own seeding, because it knows its patient.
      if (name === 'demo') continue;
      const end = await make(database, tenant.id, results, name);
      console.log(
        end === 'made'
          ? 'Finished a seeding that was broken off.'
          : 'A seeding that was broken off was begun by another version. What it made stays as it is.',
      );
    }
    // Existing records decide the seed, so that the next run adds other people.
    const { already } = await database.withScope(scope, (tx) =>
      tx
        .selectFrom('result')
        .select((eb) => eb.fn.countAll<number>().as('already'))
        .executeTakeFirstOrThrow(),
    );
    const started = Date.now();
    const end = await make(database, tenant.id, results, `${slug}:${already}`);
    console.log(
      end === 'made'
        ? `Made ${results} results in ${((Date.now() - started) / 1000).toFixed(1)} s.`
        : 'Another seeding made the same in the meantime; nothing was added.',
    );
  };
  // Without the demo, a new database has no tenant to make records for.
  await withDatabase(work, { config, mustExist: !config.demo });
}

async function make(database: Database, tenantId: string, results: number, name: string): Promise<SeedEnd> {
  const size = { patients: Math.ceil(results / 3), results, cases: Math.round((results * 8) / 60) };
  const shows = process.stdout.isTTY;
  const end = await seedRecords(database, tenantId, size, {
    seed: name,
    onProgress: shows
      ? ({ results: made, of }) =>
          process.stdout.write(`\r${Math.min(100, Math.floor((made / of) * 100))} % of ${of} results`)
      : undefined,
  });
  if (shows) process.stdout.write('\n');
  return end;
}
