import { createHmac } from 'node:crypto';
import type { Database } from '../db/database.ts';

/** Tells one secret from another; a code with the secret as its key, from which nobody learns more. */
const markOf = (secret: string): Buffer =>
  createHmac('sha256', secret).update('caseway: the secret that signs for this database').digest();

/**
 * Notes at the first start which secret signs for a database. Throws one clear sentence when it is another one than that
 * of the servers before: sessions and codes of the one would be worth nothing at the other, and no authenticator app
 * would fit.
 */
export async function assertSameSecret(database: Database, secret: string): Promise<void> {
  const mark = markOf(secret);
  const [kept] = await database.withScope({ kind: 'system' }, async (tx) => {
    await tx.run('insert into secret_mark (mark) values ($1) on conflict do nothing', [mark]);
    return tx.rows<{ mark: Buffer }>('select mark from secret_mark');
  });
  if (!kept!.mark.equals(mark))
    throw new Error(
      'TOKEN_SECRET, or the file token-secret in DATA_DIR, is not the one that signs for this database. Give every server the same one; to change it, stop them all and run npm run secret:change with the new one.',
    );
}

/** From now on this secret signs for the database. */
export async function changeSecret(database: Database, secret: string): Promise<void> {
  await database.withScope({ kind: 'system' }, (tx) =>
    tx.run(
      `insert into secret_mark (mark, since) values ($1, $2)
       on conflict (one) do update set mark = excluded.mark, since = excluded.since`,
      [markOf(secret), new Date()],
    ),
  );
}
