import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { changeSecret, secretFor } from './secret-mark.ts';

const { database, superuserUrl } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'caseway-secret-'));
afterAll(() => rm(dataDir, { recursive: true }));
const [one, other] = ['a secret of thirty-two characters', 'another, also of 32 characters ....'];
const signs = (tokenSecret?: string) => secretFor(database, { tokenSecret, dataDir });

it('of two servers with different secrets the second is refused, until the secret is changed [P29]', async () => {
  expect(await Promise.all([signs(one), signs(one)])).toEqual([one, one]);
  await expect(signs(other)).rejects.toThrow(
    'is not the one that signs for this database. Give every server the same one',
  );
  await changeSecret(database, other);
  expect(await signs(other)).toBe(other);
  await expect(signs(one)).rejects.toThrow('is not the one');
  // A lost file is not replaced: a new secret would be useless.
  await expect(signs()).rejects.toThrow(`The file token-secret is missing in ${dataDir}`);
  expect(await readdir(dataDir)).toEqual([]);
  // The database contains neither secret, in any form.
  const rows = await asSuperuser<{ mark: Buffer }>('select mark from secret_mark', [], superuserUrl);
  expect(rows).toEqual([{ mark: expect.any(Buffer) }]);
  expect(rows[0]!.mark).toHaveLength(32);
});

it('the next start finishes a restore that was killed after its rows were stored; another restore keeps the secret', async () => {
  const [own, beside] = ['token-secret', 'token-secret.restored'].map((name) => join(dataDir, name)) as [
    string,
    string,
  ];
  await writeFile(own, other);
  await writeFile(beside, one);
  expect(await signs()).toBe(other);
  expect((await readdir(dataDir)).sort()).toEqual(['token-secret', 'token-secret.restored']);
  // The database is now the one in the backup.
  await changeSecret(database, one);
  expect(await signs()).toBe(one);
  expect(await readdir(dataDir)).toEqual(['token-secret']);
  expect(await readFile(own, 'utf8')).toBe(one);
});
