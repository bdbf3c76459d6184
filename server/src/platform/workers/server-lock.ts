import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { dataFolderFault } from '../words/in-words.ts';
import { makeDataFolder } from './data-folder.ts';

/** What the holder of the lock writes about itself in a file beside it. */
const holder = z.object({
  process: z.number(),
  host: z.string(),
  port: z.number(),
  /** It was asked to end, so waiting for it makes sense. */
  ending: z.boolean(),
});

export interface ServerLock {
  /** Announces that this server is about to end, so that the next one waits for it. */
  endingSoon(): Promise<void>;
  release(): Promise<void>;
}

/** Milliseconds to wait for a server that is ending. */
const patienceMs = 60_000;

/**
 * Reserves the data folder for this server, because its replicas and messages belong to one server. It is a lock of
 * the operating system on an SQLite file, so it ends with its process, even with kill -9, and works between
 * containers that share the folder. Commands such as `npm run import` do not need it. Throws one clear sentence if
 * another server has it.
 */
export async function lockDataFolder(
  dataDir: string,
  { port, log }: { port: number; log: Logger },
): Promise<ServerLock> {
  await makeDataFolder(dataDir);
  const about = join(dataDir, 'server.json');
  const write = (ending: boolean) =>
    writeFile(about, `${JSON.stringify({ process: process.pid, host: hostname(), port, ending })}\n`, {
      mode: 0o600,
    });
  const began = performance.now();
  for (let told = false; ; told = true) {
    const file = tryLock(join(dataDir, 'server.lock'), dataDir, log);
    if (file) {
      await write(false);
      return {
        endingSoon: () => write(true),
        async release() {
          await rm(about, { force: true });
          file.close();
        },
      };
    }
    const other = await readFile(about, 'utf8')
      .then((text) => holder.parse(JSON.parse(text)))
      .catch(() => undefined);
    if (!other?.ending || performance.now() - began > patienceMs) {
      const who = other ? `process ${other.process} on ${other.host}, port ${other.port}` : 'another process';
      throw new Error(
        `A Caseway server already uses the data folder ${dataDir} (${who}). Stop it first, or give this one a folder of its own with DATA_DIR.`,
      );
    }
    if (!told) log.info('waiting for the server before this one to end');
    await sleep(200);
  }
}

/** The open file while it is locked; undefined if another process has the lock. */
function tryLock(path: string, dataDir: string, log: Logger): { close(): void } | undefined {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { timeout: 0 });
    file.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive');
    return file;
  } catch (error) {
    file?.close();
    const { errcode, message } = error as { errcode?: number; message: string };
    // SQLITE_BUSY and SQLITE_LOCKED.
    if (errcode === 5 || errcode === 6) return undefined;
    // SQLITE_IOERR: a file system without locks.
    if (errcode !== undefined && (errcode & 0xff) === 10) {
      log.warn({ dataDir }, 'the data folder cannot be locked; let no second server use it');
      return { close() {} };
    }
    // SQLITE_CANTOPEN and SQLITE_READONLY, which mean that it may not write there.
    if (errcode === 14 || errcode === 8)
      throw dataFolderFault(dataDir, Object.assign(new Error(message), { code: 'EACCES' }));
    throw new Error(`The data folder ${dataDir} cannot be used: ${message}.`);
  }
}
