import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../log/log.ts';
import { orNoRoom, readFrom, sizeOf } from './no-room.ts';
import { startPackagedPostgres } from './packaged-postgres.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caseway-room-'));
  await chmod(folder, 0o711);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lost = new Error('Connection terminated unexpectedly');
const panic = 'PANIC:  could not write to file "pg_wal/xlogtemp.24731": No space left on device\n';
const sentence = (where: string) =>
  `No space left on the disk of ${where}. Make room there, or choose another DATA_DIR, and start again: what was begun is continued.`;

describe('a full disk is named, whatever failed because of it', () => {
  it.each<[string, unknown, string]>([
    ['a lost connection, when the database has said why', lost, panic],
    ['a pipe that broke', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), panic],
    ['a file of this process', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }), ''],
    ['a statement', Object.assign(new Error('could not extend file "base/16384/1"'), { code: '53100' }), ''],
    ['initdb', new Error('The database could not be created: FATAL: could not extend file\nHINT: Check free disk space.'), ''],
  ])('%s', async (_, error, said) => {
    const named = (await orNoRoom(error, { dataDir: folder, cluster: join(folder, 'postgres') }, said)) as Error;
    expect(named.message).toBe(sentence(folder));
    expect(named.cause).toBe(error);
  }); // biome-ignore format: a table

  it('names the disk of the database if that is elsewhere', async () => {
    const named = (await orNoRoom(lost, { dataDir: folder, cluster: '/var/lib/elsewhere' }, panic)) as Error;
    expect(named.message).toBe(sentence('/var/lib/elsewhere'));
  });

  it('leaves every other error as it is', async () => {
    const disk = { dataDir: folder, cluster: folder };
    expect(await orNoRoom(lost, disk, 'LOG:  database system is shut down\n')).toBe(lost);
    const other = new Error('relation "patient" does not exist');
    // The disk was full only for a moment, which is unrelated.
    expect(await orNoRoom(other, disk, panic)).toBe(other);
    const backup = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', path: '/mnt/backups/a.backup' });
    expect(await orNoRoom(backup, disk)).toBe(backup);
  });

  it('is read only from what the database has logged since this start', async () => {
    const dataDir = join(folder, 'data');
    const log = createLog('fatal');
    const first = await startPackagedPostgres({ dataDir, log, durable: false });
    expect(await first.explained(lost)).toBe(lost);
    await appendFile(join(dataDir, 'postgres.log'), panic);
    expect(((await first.explained(lost)) as Error).message).toBe(sentence(dataDir));
    await first.stop();
    const second = await startPackagedPostgres({ dataDir, log, durable: false });
    expect(await second.explained(lost)).toBe(lost);
    await second.stop();
  });

  it('reads the end of a log, however long it is', async () => {
    const path = join(folder, 'long.log');
    expect([await sizeOf(path), await readFrom(path, 0)]).toEqual([0, '']);
    await writeFile(path, `${'x'.repeat(300_000)}${panic}`);
    expect((await readFrom(path, 0)).endsWith(panic)).toBe(true);
    expect(await readFrom(path, 300_000)).toBe(panic);
    expect(await readFrom(path, 10_000_000)).toBe('');
  });
});
