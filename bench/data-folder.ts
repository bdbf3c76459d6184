import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, parseConfig } from '../server/src/config.ts';
import { type ConnectedDatabase, connectDatabase } from '../server/src/platform/db/connect.ts';
import { createLog } from '../server/src/platform/log/log.ts';

/** A new folder for the data of one bench, which the bench removes at its end. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-bench-'));
  // If root starts the database, it runs as another account, which has to enter the folder. Otherwise its files
  // would be elsewhere, and stay when the folder is removed.
  await chmod(folder, 0o711);
  return folder;
}

/** The start of a bench of the whole product: an empty database in its own folder. */
export interface OwnDatabase {
  dataDir: string;
  log: ReturnType<typeof createLog>;
  config: Config;
  connection: ConnectedDatabase;
}

/** Runs a bench with its own database, which is removed at the end. */
export async function withOwnDatabase<T>(work: (own: OwnDatabase) => Promise<T>): Promise<T> {
  const dataDir = await dataFolder();
  const log = createLog('error');
  const config = parseConfig({
    DATA_DIR: dataDir,
    DEMO: 'off',
    TOKEN_SECRET: 'signs nothing outside of this bench',
  });
  const connection = await connectDatabase({ dataDir, log });
  try {
    return await work({ dataDir, log, config, connection });
  } finally {
    await connection.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
