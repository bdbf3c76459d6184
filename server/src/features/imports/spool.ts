import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Uploaded files wait here until every message in them is stored. */
const folderOf = (dataDir: string) => join(dataDir, 'imports');

export const spoolPath = (dataDir: string, importId: string): string => join(folderOf(dataDir), importId);

/**
 * Writes an upload to its place and answers its size and SHA-256 (hex). It has its name only when it is whole: one
 * that was broken off is removed, and one that a killed server left is `<id>.part`.
 */
export async function spool(
  source: AsyncIterable<Uint8Array>,
  dataDir: string,
  importId: string,
): Promise<{ byteSize: number; sha256: string }> {
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 });
  const path = spoolPath(dataDir, importId);
  const part = `${path}.part`;
  const hash = createHash('sha256');
  let byteSize = 0;
  async function* counted() {
    for await (const chunk of source) {
      hash.update(chunk);
      byteSize += chunk.byteLength;
      yield chunk;
    }
  }
  try {
    await pipeline(counted(), createWriteStream(part, { mode: 0o600, flush: true }));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { byteSize, sha256: hash.digest('hex') };
}

export const removeSpool = (dataDir: string, importId: string): Promise<void> =>
  rm(spoolPath(dataDir, importId), { force: true });

const day = 86_400_000;

/**
 * Removes what nobody will come back for: uploads that a killed server left unfinished a day ago, and files whose
 * import was tried, failed or forgotten a month ago.
 */
export async function sweepSpool(dataDir: string, now = Date.now()): Promise<void> {
  const names = await readdir(folderOf(dataDir)).catch(() => []);
  for (const name of names) {
    const path = join(folderOf(dataDir), name);
    const written = await stat(path).catch(() => undefined);
    const kept = name.endsWith('.part') ? day : 30 * day;
    if (written && now - written.mtimeMs > kept) await rm(path, { force: true });
  }
}
