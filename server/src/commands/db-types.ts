// npm run db:types: writes platform/db/schema.ts from the migrations, using a temporary database.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generateSchema } from '../platform/db/generate-schema.ts';
import { migrate } from '../platform/db/migrate.ts';
import { connected } from '../platform/db/roles.ts';
import { startTemporaryPostgres } from '../platform/db/temporary-postgres.ts';
import { createLog } from '../platform/log.ts';
import { command } from './command.ts';

const usage = `Usage: npm run db:types

Writes the types of the database from its migrations; for development.`;

await command(usage, async () => {
  parseArgs({ options: {} });
  const cluster = await startTemporaryPostgres(createLog('warn'));
  try {
    await migrate(cluster.owner);
    const text = await connected(cluster.owner, 'the owner', (client) =>
      generateSchema((query) => client.query(query)),
    );
    await writeFile(fileURLToPath(new URL('../platform/db/schema.ts', import.meta.url)), text);
  } finally {
    await cluster.stop();
  }
});
