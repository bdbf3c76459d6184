import {
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeDataFolder } from '../../../../test/data-folder.ts';
import { createLog } from '../../log/log.ts';
import { type PackagedPostgres, startPackagedPostgres } from './packaged-postgres.ts';
import { exists, warnOfOrphans } from './place.ts';

const isRoot = process.getuid?.() === 0;
const log = createLog('fatal');
let folder: string;
let data: string;
let running: PackagedPostgres[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caseway-moved-'));
  await chmod(folder, 0o711);
  data = join(folder, 'data');
  running = [];
});
afterEach(async () => {
  for (const cluster of running) await cluster.stop();
  for (const name of await readdir(folder)) await removeDataFolder(join(folder, name));
  await rm(folder, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<PackagedPostgres> {
  const cluster = await startPackagedPostgres({ dataDir, log, durable: false });
  running.push(cluster);
  return cluster;
}
async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
const copy = (from: string, to: string) =>
  cp(from, to, { recursive: true, preserveTimestamps: true }).then(async () => {
    // Like `cp -a`; the state file says nothing about owners.
    const { uid, gid } = await stat(join(from, 'postgres')).catch(() => ({ uid: 0, gid: 0 }));
    if (isRoot && uid !== 0) {
      const { giveTo } = await import('./packaged-binaries.ts');
      await giveTo({ uid, gid }, join(to, 'postgres'));
      await chmod(join(to, 'postgres'), 0o700);
    }
  });

describe('a data folder and its database stay together', () => {
  it('is found again after it was moved, renamed, or reached by another path', async () => {
    const first = await start(data);
    await ask(first.superuser, 'create table kept as select 1 as n');
    await first.stop();
    const moved = join(folder, 'moved');
    await rename(data, moved);
    const second = await start(moved);
    expect(second.found).toBe('stopped');
    expect(second.cluster).toBe(join(moved, 'postgres'));
    expect(await ask(second.superuser, 'select n from kept')).toEqual([{ n: 1 }]);
    await second.stop();

    const link = join(folder, 'link');
    await symlink(moved, link);
    const third = await start(link);
    expect(await ask(third.superuser, 'select n from kept')).toEqual([{ n: 1 }]);
    await third.stop();
    expect(JSON.parse(await readFile(join(moved, 'postgres.json'), 'utf8')).cluster).toBe('postgres');
  });

  it('is found after a move even if an earlier version stored the whole path', async () => {
    const first = await start(data);
    await ask(first.superuser, 'create table kept as select 1 as n');
    await first.stop();
    const path = join(data, 'postgres.json');
    const { folder: _, ...state } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...state, cluster: join(data, 'postgres') }));
    const moved = join(folder, 'moved');
    await rename(data, moved);
    const second = await start(moved);
    expect(await ask(second.superuser, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('runs a separate database in a copy, and never that of the original', async () => {
    const original = await start(data);
    await ask(original.superuser, 'create table mark as select 1 as n');
    await original.stop();
    const other = join(folder, 'copy');
    await copy(data, other);
    const again = await start(data);
    const second = await start(other);
    expect(second.cluster).toBe(join(other, 'postgres'));
    await ask(second.superuser, 'update mark set n = 2');
    expect(await ask(again.superuser, 'select n from mark')).toEqual([{ n: 1 }]);
  });

  it('refuses a copy that was made while the database ran', async () => {
    await start(data);
    const other = join(folder, 'copy');
    await copy(data, other);
    await expect(start(other)).rejects.toThrow(
      /is a copy of .* that was made while its database ran.*Stop Caseway there and copy it again/,
    );
  });

  it.each([
    ['cut', '{\n  "cluster": "postgres",\n  "port": 5'],
    ['empty', ''],
    ['of another shape', '{"port": "x"}'],
  ])('names a state file that is %s', async (_, text) => {
    const first = await start(data);
    await first.stop();
    await writeFile(join(data, 'postgres.json'), text);
    await expect(start(data)).rejects.toThrow(
      `${join(data, 'postgres.json')} is damaged. It holds the passwords of the database: put it back from a backup, or choose another DATA_DIR.`,
    );
  });
});

describe.runIf(isRoot)('a data folder that only root can enter', () => {
  it('says where its database is, keeps it after a move, and refuses a copy', async () => {
    await chmod(folder, 0o700);
    const first = await start(data);
    expect(first.elsewhere).toBe(true);
    expect(await readFile(join(data, 'DATABASE-IS-ELSEWHERE.txt'), 'utf8')).toContain(first.cluster);
    expect(JSON.parse(await readFile(`${first.cluster}.owner.json`, 'utf8')).dataFolder).toBe(data);
    await first.stop();
    const other = join(folder, 'copy');
    await cp(data, other, { recursive: true });
    await expect(start(other)).rejects.toThrow(
      `${other} is a copy of ${data}, and the database of both lies in ${first.cluster}. Only ${data} may run it.`,
    );
    const moved = join(folder, 'moved');
    await rename(data, moved);
    // Now the copy is refused with the name of the folder that took over.
    const second = await start(moved);
    expect(second.cluster).toBe(first.cluster);
    await second.stop();
    await expect(start(other)).rejects.toThrow(`${other} is a copy of ${moved}`);
  });

  it('forgets a database when it and its folder are gone, and warns when only the folder is gone', async () => {
    await chmod(folder, 0o700);
    const first = await start(data);
    await first.stop();
    const note = `${first.cluster}.owner.json`;
    const kept = join(folder, 'kept');
    await rename(data, kept);
    const warned = vi.fn();
    const place = dirname(first.cluster);
    const look = () => warnOfOrphans(place, { ...log, warn: warned } as unknown as Logger);
    await look();
    expect(warned.mock.calls.filter(([about]) => about.cluster === first.cluster)).toEqual([
      [
        { cluster: first.cluster, dataFolder: data },
        expect.stringContaining('delete them when they are not'),
      ],
    ]);
    expect(await exists(note)).toBe(true);
    // While the folder exists, its database may still come.
    await rename(kept, data);
    await rm(first.cluster, { recursive: true });
    await look();
    expect(await exists(note)).toBe(true);
    await rm(data, { recursive: true });
    await look();
    expect(await exists(note)).toBe(false);
  });
});
