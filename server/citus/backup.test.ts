import { expect, it } from 'vitest';
import { dumpDatabase } from '../src/platform/db/backup.ts';
import type { BackupRecord } from '../src/platform/db/backup-file.ts';
import { migrate, migrateAndDistribute } from '../src/platform/db/migrate.ts';
import { isDistributed } from '../src/platform/db/places.ts';
import { checkBackup, restoreDatabase } from '../src/platform/db/restore.ts';
import { connected } from '../src/platform/db/roles.ts';
import { asSuperuser, createTestDatabase } from '../test/database.ts';
import { makeScopeWorld } from '../test/scope-world.ts';

const { ownerUrl, superuserUrl } = await createTestDatabase();
const filled = await createTestDatabase({ empty: true });

async function dumped(url = ownerUrl): Promise<BackupRecord[]> {
  const records: BackupRecord[] = [];
  for await (const record of dumpDatabase(url, { version: 'test', tokenMark: 'mark' })) records.push(record);
  return records;
}
async function* again(records: BackupRecord[]) {
  yield* records;
}
const rowsOf = (records: BackupRecord[]): Record<string, { rows: number }> =>
  JSON.parse(records.at(-1)!.bytes.toString()).tables;

it('distributes a filled database with all of its rows, and a backup of it holds them and is restored there [P7, P30]', async () => {
  const { ownerUrl: owner, superuserUrl: superuser } = filled;
  await migrate(owner);
  await makeScopeWorld(superuser);
  const before = rowsOf(await dumped(owner));
  expect(before['public.patient']!.rows).toBeGreaterThan(4);
  const lines: string[] = [];
  const listening = new URL(superuser);
  listening.searchParams.set('application_name', 'caseway listen');
  await connected(listening.href, 'a server', async () => {
    await expect(migrateAndDistribute(owner, (line) => lines.push(line))).rejects.toThrow(
      'A server works with this database. Stop every server first; no table was moved.',
    );
  });
  expect(lines).toEqual([]);
  await migrateAndDistribute(owner, (line) => lines.push(line));
  expect(lines).toContain(`patient: on the server of each tenant, ${before['public.patient']!.rows} rows`);
  const whole = await dumped(owner);
  expect(rowsOf(whole)).toEqual(before);

  await asSuperuser('delete from search_key', [], superuser);
  // A restore requires that no server uses the database, such as the one of this test.
  await asSuperuser(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'caseway'`,
    [],
    superuser,
  );
  await restoreDatabase(owner, await checkBackup(again(whole)), again(whole), { replace: true });
  expect(rowsOf(await dumped(owner))).toEqual(before);
  expect(await connected(owner, 'the owner', isDistributed)).toBe(true);
});

it('[P7] has the state of one moment: a write to several servers at once is in it completely or not at all', async () => {
  const tenants = Array.from({ length: 16 }, (_, index) => `00000000-0000-4000-8000-0000000000${10 + index}`);
  let stopped = false;
  const writing = (async () => {
    for (let n = 0; !stopped; n += 1)
      await asSuperuser(
        `insert into audit_chain (tenant_id, lane) values ${tenants.map((id) => `('${id}', ${n})`).join(', ')}`,
        [],
        superuserUrl,
      );
  })();
  try {
    const counts: number[] = [];
    for (let times = 0; times < 4; times += 1)
      counts.push(rowsOf(await dumped())['public.audit_chain']!.rows);
    expect(counts.map((count) => (count - counts[0]!) % tenants.length)).toEqual([0, 0, 0, 0]);
    expect(counts.at(-1)).toBeGreaterThan(counts[0]!);
  } finally {
    stopped = true;
    await writing;
  }
});
