import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { bare } from '../../../test/commands.ts';
import { asSuperuser } from '../../../test/database.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { createAdministrator } from './create-administrator.ts';

const testing = await testApp();
const { database, appUrl, superuserUrl, config } = testing;
const command = fileURLToPath(new URL('../../commands/admin-create.ts', import.meta.url));

async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...bare, DATABASE_URL: appUrl, DATA_DIR: config.dataDir, LOG_LEVEL: 'fatal' };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [command, ...args], { env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

describe('[S10.2] npm run admin:create', () => {
  test('makes the first administrator of an empty product, who can sign in', async () => {
    const { code, stdout } = await run('--email', 'First@health.example');
    expect(stdout).toMatch(
      /^Made the tenant System administration\.\nfirst@health\.example now administers System administration\./,
    );
    expect(stdout).toContain(`${config.dataDir}/outbox`);
    expect(code).toBe(0);
    const { init } = await signInAs(testing, 'first@health.example');
    expect(init.selectedOrg).toMatchObject({ orgType: 'T', experience: 'SYSTEM_ADMINISTRATION' });
    expect(init.casbinPolicy).toContain('p, role:system-administrator, A, tenants/write, allow');
    expect(init.user).toMatchObject({
      email: 'First@health.example',
      firstName: 'First',
      lastName: 'Administrator',
    });
  });

  test('changes nothing when repeated', async () => {
    expect((await run('--email', 'first@health.example')).stdout).toBe(
      'first@health.example administers System administration already; nothing was changed.\n',
    );
  });

  test('makes a tenant with its administrator', async () => {
    const { stdout } = await run(
      '--email',
      'ana@health.example',
      '--tenant',
      'lakes',
      '--tenant-name',
      'Lakes Health',
      '--first-name',
      'Ana',
      '--last-name',
      'Lago',
    );
    expect(stdout).toContain('ana@health.example now administers Lakes Health.');
    const { init } = await signInAs(testing, 'ana@health.example');
    expect(init.selectedOrg).toMatchObject({ name: 'Lakes Health', experience: 'PUBLIC_HEALTH' });
    expect(init.casbinPolicy).toContain('p, role:tenant-administrator, T, users/write, allow');
  });

  test('logs who was made an administrator', async () => {
    const rows = await asSuperuser<{ action: string; detail: object }>(
      `select action, detail from audit_event where action like 'account/%' order by at`,
      [],
      superuserUrl,
    );
    expect(rows.map(({ detail }) => (detail as { role: string }).role)).toEqual([
      'system-administrator',
      'tenant-administrator',
    ]);
  });

  test.each([
    [[], '--email needs an e-mail address'],
    [['--email', 'nobody'], '--email needs an e-mail address'],
    [
      ['--email', 'a@b.example', '--tenant', 'No Slug'],
      '--tenant takes lower-case letters, digits and hyphens',
    ],
    [['--mail', 'a@b.example'], 'Unknown option'],
  ])('says what is wrong with %j, and how to call it', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  test('refuses a disabled account and a tenant of the other kind', async () => {
    await asSuperuser(
      `update account set disabled_at = now() where username = 'ana@health.example'`,
      [],
      superuserUrl,
    );
    const person = { email: 'ana@health.example', firstName: 'A', lastName: 'L' };
    await expect(createAdministrator(database, person)).rejects.toThrow('is disabled');
    const other = { ...person, email: 'b@health.example', tenant: { slug: 'system', name: 'x' } };
    await expect(createAdministrator(database, other)).rejects.toThrow('administers the system');
  });
});
