// npm run migrate: brings the database of the configuration up to date and says what it ran.
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { connectDatabase } from '../platform/db/connect.ts';
import { answered } from './asked.ts';
import { commandLog } from './command-log.ts';
import { complain } from './complain.ts';

const usage = `Usage: npm run migrate

Brings the database of the settings up to date. The server does the same when it starts, where its role may.`;

if (!answered(usage))
  try {
    parseArgs({ options: {} });
    const config = loadConfig();
    const { migrated, close } = await connectDatabase({ ...config, log: commandLog(config) });
    await close();
    console.log(migrated.length === 0 ? 'The database is up to date.' : `Migrated: ${migrated.join(', ')}.`);
  } catch (error) {
    complain(error);
  }
