import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolderFault } from '../../words/in-words.ts';

/**
 * Runs `work` while no other process runs it for the same file. The file is touched every second, so that a file
 * left behind by a crash can be told apart from one in use.
 */
export async function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      await writeFile(path, '', { flag: 'wx', mode: 0o600 });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw dataFolderFault(dirname(path), error);
    }
    const touched = (await stat(path).catch(() => undefined))?.mtimeMs;
    if (touched !== undefined && Date.now() - touched > 5000) await rm(path, { force: true });
    else await sleep(50);
  }
  const touching = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), 1000);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    await rm(path, { force: true });
  }
}
