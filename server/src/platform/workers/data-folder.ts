import { chmod, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { dataFolderFault } from '../words/in-words.ts';

/**
 * Creates the data folder if it is missing. Others may pass through it, because PostgreSQL may run as another account,
 * but they cannot list it, whatever the umask of this process is.
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
