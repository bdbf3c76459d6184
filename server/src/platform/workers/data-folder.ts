import { chmod, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { dataFolderFault } from '../words/in-words.ts';

/**
 * Creates the data folder if it is missing. Whatever this process's umask, others may enter it but not list it,
 * because PostgreSQL may run as another account.
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    const first = await mkdir(dataDir, { recursive: true, mode: 0o711 });
    if (first === undefined) return;
    for (let path = resolve(dataDir); ; path = dirname(path)) {
      await chmod(path, 0o711);
      if (path === resolve(first)) return;
    }
  } catch (error) {
    throw dataFolderFault(dataDir, error);
  }
}
