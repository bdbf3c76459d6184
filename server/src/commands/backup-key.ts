import { readFile } from 'node:fs/promises';
import type { Config } from '../config.ts';

/** The key that backups are encrypted with; undefined if none is set. Throws one clear sentence. */
export async function backupKey({
  backupKey: given,
  backupKeyFile: path,
}: Pick<Config, 'backupKey' | 'backupKeyFile'>): Promise<string | undefined> {
  if (path === undefined) return given;
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`The file ${path} of BACKUP_KEY_FILE cannot be read.`);
  });
  const key = text.trim();
  if (key.length < 20) throw new Error(`The key in ${path} must have at least 20 characters.`);
  return key;
}
