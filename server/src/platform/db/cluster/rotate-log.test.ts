import { appendFile, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { rotateLog } from './rotate-log.ts';

const folder = await mkdtemp(join(tmpdir(), 'caseway-log-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const path = join(folder, 'postgres.log');

it('sets a long log aside, keeps one of them, and does not stop its writer [S10.6]', async () => {
  await rotateLog(path, 10);
  const writer = await open(path, 'a', 0o600);
  await writer.write('a short\n');
  await rotateLog(path, 10);
  await expect(stat(`${path}.1`)).rejects.toThrow('ENOENT');
  await writer.write('and a long line\n');
  await rotateLog(path, 10);
  await writer.write('after\n');
  expect([await readFile(`${path}.1`, 'utf8'), await readFile(path, 'utf8')]).toEqual([
    'a short\nand a long line\n',
    'after\n',
  ]);
  await appendFile(path, 'the next long line\n');
  await rotateLog(path, 10);
  expect(await readFile(`${path}.1`, 'utf8')).toBe('after\nthe next long line\n');
  expect((await stat(`${path}.1`)).mode & 0o077).toBe(0);
  await writer.close();
});
