import { open, stat, statfs } from 'node:fs/promises';

/** Messages of PostgreSQL, initdb and Node about a full disk, or an account's share of it. */
const saysSo = /no space left on device|disk quota exceeded|check free disk space/i;
const codes = /^(ENOSPC|EDQUOT|53100)$/;
/** A database without room for the next piece of its log (16 MB) stops with hardly any message. */
const logPiece = 16 * 2 ** 20;
const wentDown = /connection (terminated|ended)|EPIPE|ECONNRESET|ECONNREFUSED|recovery mode|shutting down/i;

/** The folders that a database writes to, for `orNoRoom`. */
export interface Disk {
  dataDir: string;
  cluster: string;
}

/** The end of a file from a byte on, at most 256 kB; empty if there is no file. */
export async function readFrom(path: string, offset: number): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(offset, size - 2 ** 18);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - start)), {
      position: start,
    });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The length of a file; 0 if there is none. */
export const sizeOf = async (path: string): Promise<number> =>
  (await stat(path).catch(() => undefined))?.size ?? 0;

/**
 * The error as one sentence that names the cause if a full disk has stopped the database: the connection error alone
 * does not. Any other error is returned unchanged. `said` is what the database has logged since its start.
 */
export async function orNoRoom(error: unknown, { dataDir, cluster }: Disk, said = ''): Promise<unknown> {
  const {
    code = '',
    message = '',
    path,
  } = ((error as Error).cause ?? error) as { code?: string; message?: string; path?: string };
  // A file elsewhere, such as that of a backup, may be on another disk.
  if (path !== undefined && ![dataDir, cluster].some((place) => path.startsWith(place))) return error;
  const isLost = wentDown.test(`${code} ${message}`);
  const isFull =
    codes.test(code) ||
    saysSo.test(message) ||
    (isLost && (saysSo.test(said) || (await freeBytes(cluster)) < logPiece));
  if (!isFull) return error;
  const where = cluster.startsWith(dataDir) ? dataDir : cluster;
  return new Error(
    `No space left on the disk of ${where}. Make room there, or choose another DATA_DIR, and start again: what was begun is continued.`,
    { cause: error },
  );
}

const freeBytes = (folder: string): Promise<number> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  );
