import { type Config, loadConfig } from '../config.ts';
import { type ConnectedDatabase, connectDatabase } from '../platform/db/connect.ts';
import { inWords } from '../platform/in-words.ts';
import { answered } from './asked.ts';
import { commandLog } from './command-log.ts';

/** Says what went wrong, in words, and lets the command end with 1. */
export function complain(error: unknown): void {
  console.error(inWords(error));
  process.exitCode = 1;
}

/** Every command: says how it is used when asked, else works, and ends with 1 and one sentence when it cannot. */
export async function command(usage: string, work: () => Promise<void>): Promise<void> {
  if (answered(usage)) return;
  try {
    await work();
  } catch (error) {
    complain(error);
  }
}

/** What is asked to end and has not after so long waits for something that does not come. Milliseconds. */
const patienceMs = 30_000;

/**
 * Aborts when the command is asked to end, for work that then leaves nothing half done. Asked again it ends at once; what
 * comes within a second is one wish, passed on by the terminal and by npm. Work that does not end, as on a database whose
 * disk is full, is left as it is after a while: what was committed stays, as after a kill.
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
 * Works with the database of the settings, and lets go of it afterwards. With `mustExist` nothing is made or migrated;
 * without it a database that is made is mentioned, since the settings may be others than those of the server.
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
    // While its disk is still as full as it was.
    throw await connection.explained(error);
  } finally {
    await connection.close();
  }
}
