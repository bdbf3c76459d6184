// npm run secret:change: makes the secret of this configuration the one that signs for the database.
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { changeSecret } from '../platform/auth/secret-mark.ts';
import { tokenSecret } from '../platform/auth/token-secret.ts';
import { connected } from '../platform/db/roles.ts';
import { dataFolderFault } from '../platform/words/in-words.ts';
import { command, withDatabase } from './command.ts';

const usage = `Usage: npm run secret:change

Says that TOKEN_SECRET, or the file token-secret in DATA_DIR, is the secret of this database from now on. Stop every server
first. Afterwards everybody signs in again, and authenticator apps have to be set up again.`;

await command(usage, async () => {
  parseArgs({ options: {} });
  const config = loadConfig();
  // A new secret is useful only where a server finds it.
  if (config.tokenSecret === undefined && config.databaseUrl !== undefined)
    await stat(config.dataDir).catch((error) => {
      throw dataFolderFault(config.dataDir, error);
    });
  await withDatabase(
    async ({ database, ownerUrl }) => {
      if (ownerUrl === undefined)
        throw new Error('Only the role that owns the tables may change the secret. Set DATABASE_OWNER_URL.');
      const others = await connected(ownerUrl, 'the owner', (client) =>
        client.query(
          `select from pg_stat_activity where datname = current_database() and application_name = 'caseway listen'`,
        ),
      );
      if (others.rows.length > 0)
        throw new Error('A server works with this database. Stop every server first.');
      await changeSecret(database, await tokenSecret(config));
      console.log('This secret signs for the database from now on. Give it to every server.');
    },
    { config, mustExist: true },
  );
});
