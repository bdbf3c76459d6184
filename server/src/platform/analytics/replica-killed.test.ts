import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startChild } from '../../../test/child.ts';
import { facts } from '../../facts.ts';
import { Duck } from './duckdb.ts';
import { Replica } from './replica.ts';

const holder = fileURLToPath(new URL('../../../test/hold-replica.ts', import.meta.url));
const tenantId = '11111111-1111-4111-8111-111111111111';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caseway-replica-killed-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function opened() {
  const duck = await Duck.open(folder);
  const replica = new Replica(duck, folder, tenantId, facts.slice(0, 2));
  const warned: string[] = [];
  await replica.open((reason) => warned.push(reason));
  const found = {
    warned,
    cursor: replica.position?.cursor,
    rows: replica.position && (await replica.size()),
  };
  await replica.close();
  return found;
}

describe('a replica whose process is killed after it stored new values of codes', () => {
  it.each([
    ['alone', 'with its log written into the file'],
    ['read', 'with a log that a reader has kept from the file'],
  ])('%s: is opened again %s, with every row, and not rebuilt', async (mode) => {
    const child = startChild(process.execPath, [holder, folder, tenantId, mode], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [said] = await once(child.stdout!, 'data');
      expect(String(said)).toBe('applied\n');
      child.kill('SIGKILL');
      await once(child, 'exit');
    } finally {
      child.kill('SIGKILL');
    }
    expect((await readdir(folder)).includes(`${tenantId}.duckdb.wal`)).toBe(true);
    // First one row in each of the two tables, then three more.
    const whole = { warned: [], cursor: 4, rows: 8 };
    expect(await opened()).toEqual(whole);
    expect(await opened()).toEqual(whole);
  });
});
