import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for the data of one bench, which removes it at its end. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-bench-'));
  // The database runs as another account when root starts it, and has to get through: else its files would lie
  // elsewhere, and stay when the folder goes.
  await chmod(folder, 0o711);
  return folder;
}
