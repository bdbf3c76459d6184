// npm run audit:archive: moves whole months of the audit log into files that can be verified on their own. [P15]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { retentionDelayDays } from '@caseway/contract/settings';
import { loadConfig } from '../config.ts';
import { archiveMonth, asked, monthsBefore, readArchive } from '../platform/audit/archive.ts';
import { makeAuditPartitions } from '../platform/audit/partitions.ts';
import { archiveLock } from '../platform/db/backup.ts';
import { isEncrypted } from '../platform/db/backup-file.ts';
import { type Connection, connected } from '../platform/db/roles.ts';
import { product } from '../platform/operations/product.ts';
import { backupKey } from './backup-key.ts';
import { askedToEnd, command, withDatabase } from './command.ts';
import { fileToRead, folderToWrite } from './named-files.ts';

const usage = `Usage: npm run audit:archive -- [--before YYYY-MM] [--to FOLDER]
       npm run audit:archive -- --read FILE

Writes each month of the audit log that every tenant allows to be archived into a file of its own, verifies the file, and
takes the month out of the database. What is left can still be verified. With BACKUP_KEY or BACKUP_KEY_FILE the files are
encrypted. Keep the files: they are the log of those months.

--before YYYY-MM  only months before this one
--to FOLDER       where the files go; audit-archive in DATA_DIR unless given
--read FILE       verifies a file and writes its events as one JSON object a line`;

/** Before any month. */
const never = '0001-01';

interface Given {
  before?: string;
  to?: string;
  read?: string;
}

await command(usage, async () => {
  const { values } = parseArgs({
    options: { before: { type: 'string' }, to: { type: 'string' }, read: { type: 'string' } },
  });
  await archive(values);
});

async function archive({ before, to, read }: Given): Promise<void> {
  if (read !== undefined && (before !== undefined || to !== undefined))
    throw new Error(`--read goes alone.\n\n${usage}`);
  if (before !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(before))
    throw new Error('Say the month as --before YYYY-MM.');
  const config = loadConfig();
  const path = read === undefined ? undefined : await fileToRead(read);
  const folder = to === undefined ? join(config.dataDir, 'audit-archive') : await folderToWrite(to);
  const key = await backupKey(config);
  await withDatabase(
    async ({ ownerUrl }) => {
      if (ownerUrl === undefined)
        throw new Error('Only the role that owns the tables can archive the log. Set DATABASE_OWNER_URL.');
      await connected(ownerUrl, 'the owner', (client) =>
        path === undefined ? archiveMonths(client, { before, folder, key }) : readEvents(client, path, key),
      );
    },
    { config, mustExist: true },
  );
}

async function readEvents(client: Connection, path: string, key: string | undefined): Promise<void> {
  if (key !== undefined && !(await isEncrypted(path)))
    console.error(
      `${path} is not encrypted, although a key is set. npm run audit:verify -- --archive says whether it is the file that the log was moved to.`,
    );
  const { faults } = await readArchive(path, asked(client).rows, key, (lines) =>
    process.stdout.write(`${lines.join('\n')}\n`),
  );
  if (faults.length > 0) throw new Error(`${faults.length} events are not as they were written.`);
}

async function archiveMonths(
  client: Connection,
  { before, folder, key }: { before: string | undefined; folder: string; key: string | undefined },
): Promise<void> {
  const { rows } = asked(client);
  const [{ free }] = (await rows<{ free: boolean }>(
    `select pg_try_advisory_lock(${archiveLock}) as free`,
  )) as [{ free: boolean }];
  if (!free) {
    console.error('Waiting for a backup, or for another archive, to end.');
    await client.query(`select pg_advisory_lock(${archiveLock})`);
  }
  // Events without a partition get one for their month.
  await makeAuditPartitions(client);
  const due = await dueBefore(rows);
  if (due.before === never)
    throw new Error(
      `The tenant ${due.tenant} keeps its whole log in the database. Nothing can be archived until its settings say otherwise.`,
    );
  if (before !== undefined && before > due.before)
    throw new Error(
      `The tenant ${due.tenant} keeps ${due.before} and later in the database. Say --before ${due.before} at most, or shorten the time in its settings, which takes hold after ${retentionDelayDays} days.`,
    );
  const months = await monthsBefore(client, before ?? due.before);
  const signal = askedToEnd();
  for (const month of months) {
    if (signal.aborted) throw new Error(`Stopped before ${month}.`);
    const done = await archiveMonth(client, month, { folder, key, version: product.version, signal });
    console.log(
      done
        ? `${done.path}: ${done.archive.events} events, SHA-256 ${done.archive.digest}`
        : `${month}: nothing was written in it.`,
    );
  }
  if (months.length === 0) console.log(`No month before ${before ?? due.before} is in the database.`);
}

/** The first month that some tenant still keeps in the database, and that tenant. */
async function dueBefore(
  rows: ReturnType<typeof asked>['rows'],
): Promise<{ before: string; tenant: string }> {
  await rows(`select set_config('app.scope', 'backup', false)`);
  const [first] = await rows<{ before: string; tenant: string }>(
    `select to_char(case when months is null then date '0001-01-01'
       else date_trunc('month', now() at time zone 'UTC') - make_interval(months => months) end, 'YYYY-MM') as before,
       tenant from (select slug as tenant, app_kept(audit_months, id, 'auditMonths') as months from tenant) kept
     order by months desc nulls first limit 1`,
  );
  await rows(`select set_config('app.scope', '', false)`);
  return first ?? { before: new Date().toISOString().slice(0, 7), tenant: '' };
}
