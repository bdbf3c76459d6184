// The temporary files of a test run: in memory, if the machine has enough.
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const gibibyte = 2 ** 30;
const prefix = 'caseway-run-';

/**
 * Sets `TMPDIR` to a folder in memory for every program started from now on: PostgreSQL makes 900 files for each
 * database, which costs five times as much on a disk. Nothing changes if memory is short, or `TMPDIR` is set.
 * @returns {Promise<() => Promise<void>>} removes it
 */
export async function useMemory() {
  const room = await statfs(memory).catch(() => undefined);
  const isRoomy = room && room.bavail * room.bsize >= 4 * gibibyte && freemem() >= 8 * gibibyte;
  if (process.env.TMPDIR || !isRoomy) return async () => {};
  // A killed run leaves its files, which use memory until they are removed.
  for (const name of await readdir(memory))
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length))))
      await rm(join(memory, name), { recursive: true, force: true });
  const folder = join(memory, `${prefix}${process.pid}`);
  // PostgreSQL's own account has to enter it.
  await mkdir(folder, { mode: 0o711 });
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
