import { copyFile, stat, truncate } from 'node:fs/promises';

/** Bytes. A longer log is set aside and replaces the previous one. */
const largest = 10_000_000;
const everyMs = 3_600_000;

/**
 * Sets a log aside as `….1` once it is long, and empties it. The writing process continues, because it opened the
 * file to append. Lines written between the copy and the emptying are lost.
 */
export async function rotateLog(path: string, limit = largest): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return 0;
      throw error;
    },
  );
  if (size <= limit) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

/** Rotates the log every hour. Returns a function that stops it. */
export function keepLogRotated(path: string, onError: (error: Error) => void): () => void {
  const timer = setInterval(() => void rotateLog(path).catch(onError), everyMs).unref();
  return () => clearInterval(timer);
}
