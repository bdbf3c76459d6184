import { expect, it } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { assertSameSecret, changeSecret } from './secret-mark.ts';

const { database, superuserUrl } = await createTestDatabase();
const [one, other] = ['a secret of thirty-two characters', 'another, also of 32 characters ....'];

it('of two servers with different secrets the second is refused, until the secret is changed [P29]', async () => {
  await Promise.all([assertSameSecret(database, one), assertSameSecret(database, one)]);
  await expect(assertSameSecret(database, other)).rejects.toThrow(
    'is not the one that signs for this database. Give every server the same one',
  );
  await changeSecret(database, other);
  await assertSameSecret(database, other);
  await expect(assertSameSecret(database, one)).rejects.toThrow('is not the one');
  // The database holds neither secret, and nothing that contains one.
  const rows = await asSuperuser<{ mark: Buffer }>('select mark from secret_mark', [], superuserUrl);
  expect(rows).toEqual([{ mark: expect.any(Buffer) }]);
  expect(rows[0]!.mark).toHaveLength(32);
});
