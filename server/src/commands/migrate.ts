// npm run migrate: migrates the database of the configuration and prints what it ran.
import { parseArgs } from 'node:util';
import { assertReachesServers } from '../platform/db/distribute.ts';
import { migrateAndDistribute } from '../platform/db/migrate.ts';
import { hasCitus } from '../platform/db/places.ts';
import { connected } from '../platform/db/roles.ts';
import { command, withDatabase } from './command.ts';

const usage = `Usage: npm run migrate [-- --distribute]

Brings the database of the settings up to date. The server does the same when it starts, where its role may.

  --distribute  also spreads its tables, with their rows, over the servers of the Citus cluster that DATABASE_URL names;
                see docs/scale-out.md. Stop the servers of Caseway first. It can be run again.`;

await command(usage, async () => {
  const { values } = parseArgs({ options: { distribute: { type: 'boolean', default: false } } });
  await withDatabase(async ({ migrated, ownerUrl, appUrl }) => {
    console.log(migrated.length === 0 ? 'The database is up to date.' : `Migrated: ${migrated.join(', ')}.`);
    if (!values.distribute) return;
    if (ownerUrl === undefined)
      throw new Error(
        'The role of DATABASE_URL may not change the tables. Set DATABASE_OWNER_URL to the role that owns them.',
      );
    await connected(appUrl, 'DATABASE_URL', async (client) => {
      if (await hasCitus(client)) await assertReachesServers(client);
    });
    await migrateAndDistribute(ownerUrl, console.log);
  });
});
