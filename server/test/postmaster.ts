import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The process of a data folder's packaged database, by the number that it wrote. Rejects if there is none. */
export async function postmasterOf(dataDir: string): Promise<number> {
  const { cluster } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'));
  const lock = await readFile(join(resolve(dataDir, cluster), 'postmaster.pid'), 'utf8');
  const pid = Number(lock.split('\n')[0]);
  if (!pid) throw new Error('no process has written down its number yet');
  return pid;
}
