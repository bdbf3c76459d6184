import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { PieceGone } from '../../platform/db/file-pieces.ts';
import { runImport } from './running/run-import.ts';
import { sweepUploads, takeOverFiles } from './running/upload-sweep.ts';
import { elr } from './test-messages.ts';
import { findUpload, storeUpload } from './upload-store.ts';

const { database, superuserUrl } = await createTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'caseway-uploads-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

let tenantId: string;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database));
});
const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = async (source: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
};

test('a file comes back byte by byte, from any byte on, however it arrived', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3 * 2 ** 20 }),
      fc.integer({ min: 1000, max: 2 ** 21 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (size, chunk, share) => {
        const bytes = randomBytes(size);
        const importId = randomUUID();
        const stored = await storeUpload(database, tenantId, importId, inChunks(bytes, chunk));
        expect(stored).toEqual({ byteSize: size, sha256: createHash('sha256').update(bytes).digest('hex') });
        const file = await findUpload(database, tenantId, importId, size);
        expect((await read(file!.open())).equals(bytes)).toBe(true);
        const from = Math.floor(size * share);
        expect((await read(file!.open(from))).equals(bytes.subarray(from))).toBe(true);
      },
    ),
    { numRuns: 15 },
  );
});

test('nothing is kept of an upload that breaks off', async () => {
  async function* broken() {
    yield randomBytes(3 * 2 ** 20);
    throw new Error('the sender is gone');
  }
  await expect(storeUpload(database, tenantId, randomUUID(), broken())).rejects.toThrow('the sender is gone');
  expect(await rows('select from import_upload')).toEqual([]);
});

test('a file with a piece missing is never read as a shorter one', async () => {
  const importId = randomUUID();
  const bytes = randomBytes(3 * 2 ** 20);
  await storeUpload(database, tenantId, importId, inChunks(bytes, 2 ** 20));
  const file = await findUpload(database, tenantId, importId, bytes.length);
  await rows('delete from import_upload where byte_offset = $1', [2 ** 21]);
  await expect(read(file!.open())).rejects.toThrow(PieceGone);
  expect(await findUpload(database, tenantId, importId, bytes.length)).toBeUndefined();
});

/** An import of one message in a state, with its file. */
async function imported(state: string, { dryRun = false, finished = '1 minute', id = randomUUID() } = {}) {
  const bytes = Buffer.from(elr());
  await rows(
    `insert into import (tenant_id, id, file_name, byte_size, state, dry_run, finished_at)
     values ($1, $2, $3, $4, $3, $5, now() - $6::interval)`,
    [tenantId, id, state, bytes.length, dryRun, finished],
  );
  return { id, bytes };
}

test('unused files are removed: immediately, or after the days that the tenant has set', async () => {
  const made: Record<string, string> = {};
  const make = async (name: string, ...given: Parameters<typeof imported>) => {
    const { id, bytes } = await imported(...given);
    await storeUpload(database, tenantId, id, inChunks(bytes, 100));
    made[name] = id;
  };
  await make('waits', 'queued', { finished: '90 days' });
  await make('runs', 'running', { finished: '90 days' });
  await make('is through', 'done');
  await make('was cancelled', 'cancelled');
  await make('has failed', 'failed');
  await make('failed three days ago', 'failed', { finished: '73 hours' });
  await make('was tried', 'done', { dryRun: true });
  await make('was tried three days ago', 'done', { dryRun: true, finished: '73 hours' });
  await make('was tried two days ago', 'done', { dryRun: true, finished: '49 hours' });
  made['has no import yet'] = randomUUID();
  made['was left by a killed server'] = randomUUID();
  for (const name of ['has no import yet', 'was left by a killed server'])
    await storeUpload(database, tenantId, made[name]!, inChunks(Buffer.from('x'), 1));
  await rows(`update import_upload set created_at = now() - interval '61 minutes' where import_id = $1`, [
    made['was left by a killed server'],
  ]);
  const left = async () => {
    await sweepUploads(database);
    const held = await rows<{ import_id: string }>('select distinct import_id from import_upload');
    return Object.keys(made).filter((name) => held.some(({ import_id }) => import_id === made[name]));
  };
  const lasting = ['waits', 'runs', 'has failed', 'was tried'];
  expect(await left()).toEqual([...lasting, 'was tried two days ago', 'has no import yet']);
  await asSuperuser('update tenant set upload_days = 2 where id = $1', [tenantId], superuserUrl);
  expect(await left()).toEqual([...lasting, 'has no import yet']);
});

test('an import whose file was removed says so when it is started', async () => {
  const { id } = await imported('queued');
  expect(await runImport({ database, tenantId, importId: id })).toBe('failed');
  expect(await rows('select state, error from import')).toEqual([{ state: 'failed', error: 'file-gone' }]);
});

test('files of an earlier version are moved out of the data folder', async () => {
  const dataDir = join(folder, 'earlier');
  await mkdir(join(dataDir, 'imports'), { recursive: true });
  const queued = await imported('queued');
  const tried = await imported('done', { dryRun: true });
  const through = await imported('done');
  for (const { id, bytes } of [queued, tried, through]) await writeFile(join(dataDir, 'imports', id), bytes);
  await writeFile(join(dataDir, 'imports', `${randomUUID()}.part`), 'half a fi');
  await takeOverFiles(database, dataDir);
  const held = await rows<{ import_id: string }>('select import_id from import_upload order by import_id');
  expect(held.map(({ import_id }) => import_id)).toEqual([queued.id, tried.id].sort());
  expect(await readdir(dataDir)).toEqual([]);
  expect(await runImport({ database, tenantId, importId: queued.id })).toBe('done');
  // Having nothing to do is not a fault.
  await takeOverFiles(database, dataDir);
});
