// npm run backup -- FILE: writes everything that belongs together into one file, while the product runs. [S10.6] [P7]
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { v7 } from 'uuid';
import { loadConfig } from '../config.ts';
import { assertSameSecret } from '../platform/auth/secret-mark.ts';
import { secretMark, tokenSecret } from '../platform/auth/token-secret.ts';
import { type BackupEnd, type BackupHead, dumpDatabase } from '../platform/db/backup.ts';
import { type BackupRecord, sealBackup } from '../platform/db/backup-file.ts';
import { connectDatabase } from '../platform/db/connect.ts';
import { product } from '../platform/product.ts';
import { answered } from './asked.ts';
import { backupKey } from './backup-key.ts';
import { calledFrom } from './called-from.ts';
import { commandLog } from './command-log.ts';
import { complain } from './complain.ts';

const usage = `Usage: npm run backup -- FILE

Writes every row of the database, files that wait to be imported and messages among them, and the secret that signs
sessions into one file, as they are at one moment. The product can go on running. With BACKUP_KEY or BACKUP_KEY_FILE
the file is encrypted. An existing file is never overwritten.`;

if (!answered(usage))
  try {
    const { positionals } = parseArgs({ allowPositionals: true });
    if (positionals.length !== 1) throw new Error(`Say into which file.\n\n${usage}`);
    await backup(resolve(calledFrom, positionals[0]!));
  } catch (error) {
    complain(error);
  }

async function backup(path: string): Promise<void> {
  const config = loadConfig();
  if (await stat(path).catch(() => undefined))
    throw new Error(`${path} is there already; choose another name.`);
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (!folder?.isDirectory()) throw new Error(`There is no folder ${dirname(path)}.`);
  const key = await backupKey(config);
  const { database, ownerUrl, close } = await connectDatabase({
    ...config,
    log: commandLog(config),
    mustExist: true,
  });
  try {
    if (ownerUrl === undefined)
      throw new Error(
        'A backup reads every row, which the role that owns the tables alone may do. Set DATABASE_OWNER_URL.',
      );
    const secret = await tokenSecret(config);
    // With another one the backup could not be restored together with the secret of its sessions.
    await assertSameSecret(database, secret);
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
        // One that the environment gives is kept where the environment is.
        tokenSecret: config.tokenSecret === undefined ? secret : undefined,
      }),
    );
    const bytes = await write(path, sealBackup(records, key));
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
  } finally {
    await close();
  }
}

/** The file has its name only when it is whole and on the disk. Answers its size. */
async function write(path: string, bytes: AsyncIterable<Buffer>): Promise<number> {
  const part = `${path}.part`;
  const file = await open(part, 'w', 0o600);
  try {
    const stream = file.createWriteStream({ flush: true });
    await pipeline(Readable.from(bytes), stream);
    await rename(part, path);
    return stream.bytesWritten;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
