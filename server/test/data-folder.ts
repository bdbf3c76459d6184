import { rm } from 'node:fs/promises';
import { pathOf, readState } from '../src/platform/db/cluster/place.ts';

/** Removes a data folder and the database files that root has for it elsewhere, with the note of their owner. */
export async function removeDataFolder(dataDir: string): Promise<void> {
  // If a test has damaged the state file, the files are in the folder.
  const state = await readState(dataDir).catch(() => undefined);
  if (state) {
    const cluster = pathOf(dataDir, state);
    for (const path of [cluster, `${cluster}.owner.json`]) await rm(path, { recursive: true, force: true });
  }
  await rm(dataDir, { recursive: true, force: true });
}
