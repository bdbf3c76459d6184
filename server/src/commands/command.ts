import { type Config, loadConfig } from '../config.ts';
import { type ConnectedDatabase, connectDatabase } from '../platform/db/connect.ts';
import { inWords } from '../platform/words/in-words.ts';
import { answered } from './asked.ts';
import { commandLog } from './command-log.ts';

/** Prints what went wrong, in words, and makes the command end with 1. */
export function complain(error: unknown): void {
  console.error(inWords(error));
  process.exitCode = 1;
}

/**
 * Runs a command: prints its usage on request, otherwise does its work, and on failure ends with 1 and one sentence.
 */
export async function command(usage: string, work: () => Promise<void>): Promise<void> {
  if (answered(usage)) return;
  try {
    await work();
  } catch (error) {
    complain(error);
  }
}

/** Milliseconds after which a command that was asked to end stops waiting. */
const patienceMs = 30_000;

/**
 * Aborted when the command is asked to end, for work that then leaves nothing half done. A second request ends it
 * immediately; requests within a second count as one, passed on by the terminal and by npm. Work that does not end,
 * as on a database whose disk is full, is abandoned after a while: what was committed stays, as after a kill.
 */
export function askedToEnd(patience = patienceMs): AbortSignal {
  const stopping = new AbortController();
  let asked: number | undefined;
  const stop = () => {
    asked ??= performance.now();
    if (performance.now() - asked > 1000) process.exit(130);
    stopping.abort();
    setTimeout(() => {
      console.error('It did not end in time, and was ended. Give the same command again to go on.');
      process.exit(130);
    }, patience).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return stopping.signal;
}

/**
 * Works with the database of the settings, and closes it afterwards. With `mustExist` nothing is created or migrated;
 * without it a new database is reported, because the settings may differ from those of the server.
 */
export async function withDatabase<T>(
  work: (connection: ConnectedDatabase, config: Config) => Promise<T>,
  { mustExist = false, config = loadConfig() }: { mustExist?: boolean; config?: Config } = {},
): Promise<T> {
  const connection = await connectDatabase({ ...config, log: commandLog(config), mustExist });
  try {
    if (connection.isNew)
      console.error(
        config.databaseUrl === undefined
          ? `There was no database in ${config.dataDir}; a new one was made.`
          : 'The database was empty; the tables were made.',
      );
    return await work(connection, config);
  } catch (error) {
    // While the disk is still as full as it was.
    throw await connection.explained(error);
  } finally {
    await connection.close();
  }
}
