import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tokenSecret } from './token-secret.ts';

const folder = await mkdtemp(join(tmpdir(), 'caseway-secret-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('[S10.2] TOKEN_SECRET is used as it is given, and nothing is written', async () => {
  const dataDir = join(folder, 'given');
  expect(await tokenSecret({ tokenSecret: 'from the environment', dataDir })).toBe('from the environment');
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

test('[S10.2] without a secret one is made, readable only by its owner, and kept, even when several servers start together', async () => {
  const dataDir = join(folder, 'made');
  const secrets = await Promise.all(Array.from({ length: 8 }, () => tokenSecret({ dataDir })));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]!.length).toBeGreaterThanOrEqual(64);
  expect(await tokenSecret({ dataDir })).toBe(secrets[0]);
  expect(await readdir(dataDir)).toEqual(['token-secret']);
  expect((await stat(join(dataDir, 'token-secret'))).mode & 0o077).toBe(0);
});

test('a damaged file is reported, and not silently replaced', async () => {
  await writeFile(join(folder, 'token-secret'), 'short');
  await expect(tokenSecret({ dataDir: folder })).rejects.toThrow(
    /is damaged\. Put it back\..* remove it and run npm run secret:change/,
  );
});
