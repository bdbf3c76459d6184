// npm run restore -- FILE: replaces the database with a backup, after checking all of it. [S10.6] [P7]
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { v7 } from 'uuid';
import { type Config, loadConfig } from '../config.ts';
import { verifyChain } from '../platform/audit/verify.ts';
import { restoredSecret, secretMark } from '../platform/auth/token-secret.ts';
import { isEncrypted, openBackup } from '../platform/db/backup-file.ts';
import { openServer } from '../platform/db/connect.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { type CheckedBackup, checkBackup, restoreDatabase } from '../platform/db/restore.ts';
import { dataFolderFault } from '../platform/words/in-words.ts';
import { backupKey } from './backup-key.ts';
import { command } from './command.ts';
import { commandLog } from './command-log.ts';
import { fileToRead } from './named-files.ts';

const usage = `Usage: npm run restore -- FILE [--replace] [--check] [--unencrypted]

Restores a file of npm run backup into the database of the settings, which no server may be using. The whole file is
checked first; then everything is restored or nothing is. A backup of an older version is brought up to date.

  --replace      lose what is in the database now
  --check        only check the file
  --unencrypted  take a file that is not encrypted although a key is set`;

await command(usage, async () => {
  const { values, positionals } = parseArgs({
    options: {
      replace: { type: 'boolean' },
      check: { type: 'boolean' },
      unencrypted: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  if (positionals.length !== 1) throw new Error(`Say from which file.\n\n${usage}`);
  await restore(positionals[0]!, values);
});

async function restore(name: string, { replace = false, check = false, unencrypted = false }): Promise<void> {
  const config = loadConfig();
  const path = await fileToRead(name);
  const found = await stat(path);
  // The file is read twice.
  if (!found.isFile()) throw new Error(`${path} is no file on a disk; copy it into one.`);
  const key = await backupKey(config);
  const open = () => openBackup(path, key, { unencrypted });
  const backup = await checkBackup(open());
  const rows = Object.values(backup.end.tables).reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `The backup is sound: ${rows} rows of ${backup.tables.length} tables as of ${backup.head.at}, made by Caseway ${backup.head.version}.`,
  );
  if (check) return;
  const encrypted = await isEncrypted(path);
  assertSecret(config, backup);
  const log = commandLog(config);
  const { owner, app, explained, close } = await openServer({ ...config, log });
  try {
    if (owner === undefined)
      throw new Error('Only the role that owns the tables may restore them. Set DATABASE_OWNER_URL.');
    // Before anything is replaced: a folder that cannot be written to would lose the secret.
    const keep = await putSecretBy(config, backup);
    const migrated = await restoreDatabase(owner, backup, open(), { replace }).catch(async (error) => {
      await keep(false);
      throw error;
    });
    await keep(true);
    const database = await openDatabase({ url: app, log });
    try {
      await database.withScope({ kind: 'system' }, (tx) =>
        tx.run('insert into backup_made (id, at, bytes, encrypted, rows) values ($1, $2, $3, $4, $5)', [
          v7(),
          backup.head.at,
          found.size,
          encrypted,
          rows,
        ]),
      );
      if (migrated.length > 0) console.log(`Migrated: ${migrated.join(', ')}.`);
      await tellChain(database);
    } finally {
      await database.close();
    }
    console.log(
      'Restored: every table has the rows of the backup. The analytics replicas are made again at the next start.',
    );
  } catch (error) {
    throw await explained(error);
  } finally {
    await close();
  }
}

/** Everything derived from the secret, including authenticator apps, is useless with another one. */
function assertSecret({ tokenSecret }: Config, { head }: CheckedBackup): void {
  if (tokenSecret === undefined && head.tokenSecret === undefined)
    throw new Error(
      'The backup was made with a TOKEN_SECRET in the environment. Set the same one, or nobody could use their authenticator app.',
    );
  if (tokenSecret !== undefined && secretMark(tokenSecret) !== head.tokenMark)
    throw new Error(
      `TOKEN_SECRET is not the one that the backup was made with. ${head.tokenSecret === undefined ? 'Set that one' : 'Unset it: the backup holds its own'}, or nobody could use their authenticator app.`,
    );
}

/**
 * Writes the secret of the backup next to that of the folder; returns a function that puts it in place or removes it.
 */
async function putSecretBy(
  { dataDir, tokenSecret }: Config,
  { head }: CheckedBackup,
): Promise<(restored: boolean) => Promise<void>> {
  if (tokenSecret !== undefined || head.tokenSecret === undefined) return async () => {};
  const part = restoredSecret(dataDir);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(part, head.tokenSecret, { mode: 0o600, flush: true });
  } catch (error) {
    throw dataFolderFault(dataDir, error);
  }
  return (restored) => (restored ? rename(part, join(dataDir, 'token-secret')) : rm(part));
}

async function tellChain(database: Database): Promise<void> {
  const tenants = await database.withScope({ kind: 'system' }, (tx) =>
    tx.rows<{ id: string; name: string }>('select id, name from tenant order by name'),
  );
  for (const { id, name } of tenants) {
    const { faults } = await verifyChain(database, id);
    if (faults.length === 0) continue;
    console.error(`The audit log of ${name} is not as it was written: npm run audit:verify says where.`);
    process.exitCode = 1;
  }
}
