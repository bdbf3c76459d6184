import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { seedDemoTenants } from '../../seeds/demo/seed-tenants.ts';
import { bare } from '../../test/commands.ts';
import { removeDataFolder } from '../../test/data-folder.ts';
import { writeEvent } from '../platform/audit/auditor.ts';
import { secretFor } from '../platform/auth/secret-mark.ts';
import { connectDatabase } from '../platform/db/connect.ts';
import { createLog } from '../platform/log/log.ts';

const folder = await mkdtemp(join(tmpdir(), 'caseway-operator-'));
afterAll(async () => {
  for (const name of await readdir(folder)) await removeDataFolder(join(folder, name));
  await rm(folder, { recursive: true, force: true });
});
const log = createLog('fatal');
const key = 'the key of an operator, written down';

/** Runs a command like an operator, without a DATABASE_URL. */
function run(command: string, dataDir: string, args: string[], keyed = true, settings = {}) {
  const path = fileURLToPath(new URL(`./${command}.ts`, import.meta.url));
  const env = {
    ...bare,
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    DATA_DIR: dataDir,
    ...(keyed && { BACKUP_KEY: key }),
    ...settings,
  };
  return new Promise<{ code: number; said: string }>((resolve) => {
    execFile(process.execPath, [path, ...args], { env, timeout: 240_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    );
  });
}

/** What an operator would check: who signs in, which secret signs, and whether the log is intact. */
async function contents(dataDir: string) {
  const { database, close } = await connectDatabase({ dataDir, log });
  try {
    const accounts = await database.withScope({ kind: 'identity' }, (tx) =>
      tx.rows('select username from account order by 1'),
    );
    const tenants = await database.withScope({ kind: 'system' }, (tx) =>
      tx.rows('select id, slug from tenant order by 1'),
    );
    return { accounts, tenants, secret: await readFile(join(dataDir, 'token-secret'), 'utf8') };
  } finally {
    await close();
  }
}

it('npm run backup and npm run restore, with the packaged PostgreSQL, bring everything into an empty folder [P7] [S10.6]', async () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  const file = join(folder, 'caseway.backup');
  // The product runs while the backup is made.
  const running = await connectDatabase({ dataDir: from, log });
  const { demo } = await seedDemoTenants(running.database);
  await running.database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
    writeEvent(tx, {
      tenantId: demo.id,
      accountId: null,
      orgType: null,
      orgId: null,
      action: 'export',
      deed: 'export',
      recordKind: null,
      recordIds: [],
      detail: {},
    }),
  );
  const made = await run('backup', from, [file]);
  expect(made).toEqual({ code: 0, said: expect.stringMatching(/\d+ rows of \d+ tables .* encrypted\./) });
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect(await run('backup', from, [file])).toMatchObject({
    code: 1,
    said: expect.stringContaining('is there already; choose another name.'),
  });
  // The server has stored which secret signs; a secret that the command does not have would be missing in the backup.
  await secretFor(running.database, { dataDir: from });
  const other = join(folder, 'other-secret.backup');
  const unknown = await run('backup', from, [other], true, { TOKEN_SECRET: 'x'.repeat(40) });
  expect(unknown).toMatchObject({
    code: 1,
    said: expect.stringContaining('is not the one that signs for this database'),
  });
  expect(await stat(other).catch(() => 'none')).toBe('none');
  await running.close();

  // With a key set, a file that was not sealed with it is refused.
  const plain = join(folder, 'plain.backup');
  expect(await run('backup', from, [plain], false)).toMatchObject({
    code: 0,
    said: expect.stringContaining(', not encrypted.'),
  });
  expect(await run('restore', to, [plain])).toMatchObject({
    code: 1,
    said: expect.stringContaining('The backup is not encrypted, although a key is set'),
  });
  expect(await run('restore', to, [plain, '--check', '--unencrypted'])).toMatchObject({ code: 0 });

  expect(await run('restore', to, [file, '--check'], false)).toMatchObject({
    code: 1,
    said: expect.stringContaining('The backup is encrypted'),
  });
  const bytes = await readFile(file);
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  const damaged = join(folder, 'damaged.backup');
  await writeFile(damaged, bytes);
  expect(await run('restore', to, [damaged])).toMatchObject({ code: 1 });
  // None of these has left anything.
  expect(await readdir(to).catch(() => [])).toEqual([]);

  const restored = await run('restore', to, [file]);
  expect(restored).toEqual({ code: 0, said: expect.stringContaining('Restored: every table has the rows') });
  const before = await contents(from);
  expect(before.accounts.length).toBeGreaterThan(5);
  expect(await contents(to)).toEqual(before);
  expect(await run('audit-verify', to, [])).toMatchObject({
    code: 0,
    said: expect.stringContaining('The audit log is as it was written.'),
  });
  // A second restore would lose the existing data, and is refused.
  expect(await run('restore', to, [file])).toMatchObject({
    code: 1,
    said: expect.stringContaining('The database is not empty.'),
  });
});
