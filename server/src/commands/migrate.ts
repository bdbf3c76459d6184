// npm run migrate: brings the database of the configuration up to date and prints what it ran.
import { parseArgs } from 'node:util';
import { command, withDatabase } from './command.ts';

const usage = `Usage: npm run migrate

Brings the database of the settings up to date. The server does the same when it starts, where its role may.`;

await command(usage, async () => {
  parseArgs({ options: {} });
  await withDatabase(async ({ migrated }) =>
    console.log(migrated.length === 0 ? 'The database is up to date.' : `Migrated: ${migrated.join(', ')}.`),
  );
});
