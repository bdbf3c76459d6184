import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startChild } from '../../../test/child.ts';
import { createLog } from '../log/log.ts';
import { lockDataFolder } from './server-lock.ts';

const log = createLog('fatal');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caseway-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const lock = (port = 8080) => lockDataFolder(folder, { port, log });

describe('a data folder has one server', () => {
  it('refuses the second in one sentence that names the first and what to do', async () => {
    const first = await lock(8081);
    await expect(lock()).rejects.toThrow(
      `A Caseway server already uses the data folder ${folder} (process ${process.pid} on ${hostname()}, port 8081). Stop it first, or give this one a folder of its own with DATA_DIR.`,
    );
    await first.release();
    await (await lock()).release();
  });

  it('waits for one that is ending', async () => {
    const first = await lock();
    await first.endingSoon();
    let had = false;
    const second = lock().then((taken) => {
      had = true;
      return taken;
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(had).toBe(false);
    await first.release();
    await (await second).release();
  });

  it('is free again after its server was killed, whatever it left behind', async () => {
    const module = fileURLToPath(new URL('./server-lock.ts', import.meta.url));
    const logs = fileURLToPath(new URL('../log/log.ts', import.meta.url));
    const child = startChild(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { lockDataFolder } = await import(${JSON.stringify(module)});
         const { createLog } = await import(${JSON.stringify(logs)});
         await lockDataFolder(${JSON.stringify(folder)}, { port: 1, log: createLog('fatal') });
         console.log('held'); setInterval(() => {}, 1000);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    await expect(lock()).rejects.toThrow('already uses');
    child.kill('SIGKILL');
    await exited;
    await (await lock()).release();
  });
});
