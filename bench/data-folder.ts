import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for the data of one bench, which removes it at its end. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-bench-'));
  // If root starts the database it runs as another account, which has to get through: otherwise its files would be
  // elsewhere, and stay when the folder is removed.
  await chmod(folder, 0o711);
  return folder;
}
