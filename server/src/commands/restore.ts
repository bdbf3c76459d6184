// npm run restore -- FILE: puts a backup in the place of what is there, once all of it has been checked. [S10.6] [P7]
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { v7 } from 'uuid';
import { type Config, loadConfig } from '../config.ts';
import { verifyChain } from '../platform/audit/verify.ts';
import { secretMark } from '../platform/auth/token-secret.ts';
import { openBackup } from '../platform/db/backup-file.ts';
import { openServer } from '../platform/db/connect.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { type CheckedBackup, checkBackup, restoreDatabase } from '../platform/db/restore.ts';
import { answered } from './asked.ts';
import { backupKey } from './backup-key.ts';
import { calledFrom } from './called-from.ts';
import { commandLog } from './command-log.ts';
import { complain } from './complain.ts';

const usage = `Usage: npm run restore -- FILE [--replace] [--check]

Restores a file of npm run backup into the database of the settings, which no server may be using. The whole file is
checked first; then everything is restored or nothing is. A backup of an older version is brought up to date.

  --replace   lose what is in the database now
  --check     only check the file`;

if (!answered(usage))
  try {
    const { values, positionals } = parseArgs({
      options: { replace: { type: 'boolean' }, check: { type: 'boolean' } },
      allowPositionals: true,
    });
    if (positionals.length !== 1) throw new Error(`Say from which file.\n\n${usage}`);
    await restore(resolve(calledFrom, positionals[0]!), values);
  } catch (error) {
    complain(error);
  }

async function restore(path: string, { replace = false, check = false }): Promise<void> {
  const config = loadConfig();
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new Error(`There is no file ${path}.`);
  const key = await backupKey(config);
  const backup = await checkBackup(openBackup(path, key));
  const rows = Object.values(backup.end.tables).reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `The backup is sound: ${rows} rows of ${backup.tables.length} tables as of ${backup.head.at}, made by Caseway ${backup.head.version}.`,
  );
  if (check) return;
  assertSecret(config, backup);
  const log = commandLog(config);
  const { owner, app, close } = await openServer({ ...config, log });
  try {
    if (owner === undefined)
      throw new Error('Only the role that owns the tables may restore them. Set DATABASE_OWNER_URL.');
    const migrated = await restoreDatabase(owner, backup, openBackup(path, key), { replace });
    await keepSecret(config, backup);
    const database = await openDatabase({ url: app, log });
    try {
      await database.withScope({ kind: 'system' }, (tx) =>
        tx.run('insert into backup_made (id, at, bytes, encrypted, rows) values ($1, $2, $3, $4, $5)', [
          v7(),
          backup.head.at,
          found.size,
          key !== undefined,
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
  } finally {
    await close();
  }
}

/** What was derived from the secret, authenticator apps among it, is of no use with another one. */
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

async function keepSecret({ dataDir, tokenSecret }: Config, { head }: CheckedBackup): Promise<void> {
  if (tokenSecret !== undefined || head.tokenSecret === undefined) return;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const part = join(dataDir, 'token-secret.restored');
  await writeFile(part, head.tokenSecret, { mode: 0o600, flush: true });
  await rename(part, join(dataDir, 'token-secret'));
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
