// npm run secret:change: says that the secret of this configuration signs for the database from now on.
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { changeSecret } from '../platform/auth/secret-mark.ts';
import { tokenSecret } from '../platform/auth/token-secret.ts';
import { connectDatabase } from '../platform/db/connect.ts';
import { connected } from '../platform/db/roles.ts';
import { answered } from './asked.ts';
import { commandLog } from './command-log.ts';
import { complain } from './complain.ts';

const usage = `Usage: npm run secret:change

Says that TOKEN_SECRET, or the file token-secret in DATA_DIR, is the secret of this database from now on. Stop every server
first. Afterwards everybody signs in again, and authenticator apps have to be set up again.`;

if (!answered(usage))
  try {
    parseArgs({ options: {} });
    const config = loadConfig();
    const { database, ownerUrl, close } = await connectDatabase({
      ...config,
      log: commandLog(config),
      mustExist: true,
    });
    try {
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
    } finally {
      await close();
    }
  } catch (error) {
    complain(error);
  }
