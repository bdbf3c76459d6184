import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { noteDeleted, noteRun } from '../operations/retention.ts';

/**
 * Writes a message as a file `<time>-<id>.eml` into the outbox, readable only by its owner. A program that watches
 * the folder sees a complete message or none; the same message again is the same file. [S10.2]
 */
export async function putIntoOutbox(
  folder: string,
  { id, at, content }: { id: string; at: Date; content: string | Buffer },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${at.toISOString().replaceAll(':', '-')}-${id}.eml`;
  const unfinished = join(folder, `.${name}.unfinished`);
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(folder, name));
}

/** Removes messages that have been in the outbox for more than this many days. */
export async function sweepOutbox(folder: string, days: number): Promise<void> {
  const before = Date.now() - days * 86_400_000;
  let deleted = 0;
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    // There is no folder before the first message.
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const path = join(folder, name);
    if (!/\.eml(\.unfinished)?$/.test(name) || (await stat(path)).mtimeMs >= before) continue;
    await rm(path);
    deleted += 1;
  }
  noteDeleted('outbox', deleted);
  noteRun('outbox');
}

/** Sweeps the outbox of this server now and every hour; each server has its own. Returns a function that stops it. */
export function keepOutboxSwept(folder: string, days: number | null, log: Logger): () => void {
  if (days === null) return () => {};
  const sweep = () => {
    sweepOutbox(folder, days).catch((error) => log.warn({ err: error }, 'the outbox could not be swept'));
  };
  sweep();
  const timer = setInterval(sweep, 3_600_000).unref();
  return () => clearInterval(timer);
}
