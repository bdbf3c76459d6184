import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Creates an administrator for one story, by default in the demo's state department, and returns the address:
 * an account gets only three codes in 15 minutes, and every other story would need the second factor too.
 */
export async function newAdministrator(
  name: string,
  tenant = 'demo',
  dataDir = process.env.CASEWAY_E2E_DATA_DIR!,
): Promise<string> {
  const command = path.resolve(import.meta.dirname, '../server/src/commands/admin-create.ts');
  const email = `${name}@${tenant}.caseway.test`;
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' };
  await run(process.execPath, [command, '--email', email, '--tenant', tenant], { env });
  return email;
}
