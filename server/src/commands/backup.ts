// npm run backup -- FILE: writes everything that belongs together into one file, while the product runs. [S10.6] [P7]
import { parseArgs } from 'node:util';
import { v7 } from 'uuid';
import { type Config, loadConfig } from '../config.ts';
import { secretFor } from '../platform/auth/secret-mark.ts';
import { secretMark } from '../platform/auth/token-secret.ts';
import { type BackupEnd, type BackupHead, dumpDatabase } from '../platform/db/backup.ts';
import { type BackupRecord, sealBackup, writeWhole } from '../platform/db/backup-file.ts';
import type { ConnectedDatabase } from '../platform/db/connect.ts';
import { product } from '../platform/operations/product.ts';
import { backupKey } from './backup-key.ts';
import { askedToEnd, command, withDatabase } from './command.ts';
import { newFile } from './named-files.ts';

const usage = `Usage: npm run backup -- FILE

Writes every row of the database, files that wait to be imported and messages among them, and the secret that signs
sessions into one file, as they are at one moment. The product can go on running. With BACKUP_KEY or BACKUP_KEY_FILE
the file is encrypted. An existing file is never overwritten.`;

await command(usage, async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length !== 1) throw new Error(`Say into which file.\n\n${usage}`);
  const config = loadConfig();
  const path = await newFile(positionals[0]!);
  const key = await backupKey(config);
  await withDatabase((connection) => backup(connection, config, { path, key }), { config, mustExist: true });
});

async function backup(
  { database, ownerUrl }: ConnectedDatabase,
  config: Config,
  { path, key }: { path: string; key: string | undefined },
): Promise<void> {
  if (ownerUrl === undefined)
    throw new Error(
      'A backup reads every row, which the role that owns the tables alone may do. Set DATABASE_OWNER_URL.',
    );
  // With another secret, the backup could not be restored together with the secret of its sessions.
  const secret = await secretFor(database, config);
  const told: { head?: BackupHead; end?: BackupEnd } = {};
  async function* noting(records: AsyncIterable<BackupRecord>) {
    for await (const record of records) {
      if (record.kind === 'h') told.head = JSON.parse(record.bytes.toString());
      if (record.kind === 'e') told.end = JSON.parse(record.bytes.toString());
      yield record;
    }
  }
  const records = noting(
    dumpDatabase(ownerUrl, {
      version: product.version,
      tokenMark: secretMark(secret),
      // A secret from the environment stays in the environment.
      tokenSecret: config.tokenSecret === undefined ? secret : undefined,
    }),
  );
  const bytes = await writeWhole(path, sealBackup(records, key), askedToEnd());
  const rows = Object.values(told.end!.tables).reduce((sum, table) => sum + table.rows, 0);
  await database.withScope({ kind: 'system' }, (tx) =>
    tx.run('insert into backup_made (id, at, bytes, encrypted, rows) values ($1, $2, $3, $4, $5)', [
      v7(),
      told.head!.at,
      bytes,
      key !== undefined,
      rows,
    ]),
  );
  console.log(
    `${path}: ${rows} rows of ${Object.keys(told.end!.tables).length} tables as of ${told.head!.at}, ${(bytes / 1e6).toFixed(1)} MB, ${key === undefined ? 'not encrypted' : 'encrypted'}.`,
  );
}
