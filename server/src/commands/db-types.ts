// npm run db:types: prints the policies, and writes platform/db/schema.ts from the migrations, using a temporary database.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { facts } from '../facts.ts';
import { viewOf } from '../platform/analytics/facts.ts';
import { startTemporaryPostgres } from '../platform/db/cluster/temporary-postgres.ts';
import { generateSchema } from '../platform/db/generate-schema.ts';
import { migrate, migrationsFolder } from '../platform/db/migrate.ts';
import { printPolicies } from '../platform/db/policies.ts';
import { connected } from '../platform/db/roles.ts';
import { policiesFile } from '../platform/db/schema-texts.ts';
import { createLog } from '../platform/log/log.ts';
import { command } from './command.ts';

const usage = `Usage: npm run db:types

Prints the policies of the list in platform/db/policies.ts and the views of the facts as SQL, and writes the types of
the database from its migrations; for development.`;

await command(usage, async () => {
  parseArgs({ options: {} });
  await writeFile(join(migrationsFolder, policiesFile), printPolicies());
  for (const fact of facts)
    await writeFile(join(migrationsFolder, 'views', `${fact.table}.sql`), viewOf(fact));
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
