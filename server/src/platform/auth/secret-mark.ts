import { createHmac } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import { keptSecret, restoredSecret, type SecretSettings, tokenSecret } from './token-secret.ts';

/** Tells secrets apart: a code with the secret as its key, which reveals nothing else. */
const markOf = (secret: string): Buffer =>
  createHmac('sha256', secret).update('caseway: the secret that signs for this database').digest();

/**
 * At the first start, stores which secret signs for a database. Later it throws one clear sentence if the secret
 * differs: sessions, codes and authenticator apps of one secret do not work with another.
 */
async function assertSameSecret(database: Database, secret: string): Promise<void> {
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

/**
 * The secret that signs for a database: from the settings, or created if no server has used the database yet. Throws
 * one clear sentence, and creates nothing, if the secret is missing or a different one.
 */
export async function secretFor(database: Database, settings: SecretSettings): Promise<string> {
  const noted = await notedMark(database);
  if (noted && settings.tokenSecret === undefined) await takeRestored(settings.dataDir, noted);
  if (noted && (await keptSecret(settings)) === undefined)
    throw new Error(
      `The file token-secret is missing in ${settings.dataDir}, and this database has one that signs for it. Set DATA_DIR, or TOKEN_SECRET, as the other servers have it, or put the file back. If it is lost, stop every server and run npm run secret:change: everybody then signs in again, and authenticator apps have to be set up again.`,
    );
  const secret = await tokenSecret(settings);
  await assertSameSecret(database, secret);
  return secret;
}

async function notedMark(database: Database): Promise<Buffer | undefined> {
  const [found] = await database.withScope({ kind: 'system' }, (tx) =>
    tx.rows<{ mark: Buffer }>('select mark from secret_mark'),
  );
  return found?.mark;
}

/**
 * A restore that was killed after its rows were stored has left their secret next to that of the folder; it is used
 * now. A secret left by an earlier killed restore does not match and is ignored.
 */
async function takeRestored(dataDir: string, noted: Buffer): Promise<void> {
  const path = restoredSecret(dataDir);
  const restored = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (restored !== undefined && markOf(restored.trim()).equals(noted))
    await rename(path, join(dataDir, 'token-secret'));
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
