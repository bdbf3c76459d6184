import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SecretSettings {
  tokenSecret?: string;
  dataDir: string;
}

/** The secret from TOKEN_SECRET, or else the one in `dataDir`; undefined if there is none yet. */
export async function keptSecret({ tokenSecret, dataDir }: SecretSettings): Promise<string | undefined> {
  return tokenSecret || read(join(dataDir, 'token-secret'));
}

/**
 * The secret from TOKEN_SECRET, or else the one in `dataDir`, which is created at the first start. Processes that
 * start together all get the same one. Throws one clear sentence when the file is damaged or cannot be written.
 */
export async function tokenSecret(settings: SecretSettings): Promise<string> {
  const kept = await keptSecret(settings);
  if (kept !== undefined) return kept;
  const { dataDir } = settings;
  const path = join(dataDir, 'token-secret');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const mine = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(mine, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true });
  try {
    // A link is created completely or not at all, and fails if another process was first.
    await link(mine, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(mine, { force: true });
  }
  return (await read(path))!;
}

/** Where a restore puts the secret of a backup until its rows are there. */
export const restoredSecret = (dataDir: string): string => join(dataDir, 'token-secret.restored');

async function read(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(
      `The file ${path}, which signs every session, cannot be read. Let this account read it, or set TOKEN_SECRET.`,
    );
  }
  if (text.length < 32)
    throw new Error(
      `The file ${path}, which signs every session, is damaged. Put it back. If it is lost, stop every server, remove it and run npm run secret:change: everybody then signs in again, and authenticator apps have to be set up again.`,
    );
  return text;
}

/** Tells secrets apart, and reveals nothing else. */
export const secretMark = (secret: string): string =>
  createHash('sha256').update(`caseway token secret ${secret}`).digest('hex').slice(0, 32);
