// npm run admin:create -- --email ADDRESS: makes the first administrator of an empty product. [S10.2]
import { parseArgs } from 'node:util';
import { name } from '@caseway/contract/name';
import { z } from 'zod';
import { createAdministrator } from '../features/users/create-administrator.ts';
import { command, withDatabase } from './command.ts';

const usage = `Usage: npm run admin:create -- --email ADDRESS [--first-name NAME] [--last-name NAME] [--tenant SLUG [--tenant-name NAME]]

Without --tenant the account administers the system; with it the tenant of that slug, which is made when it is missing.`;

await command(usage, async () => {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      'first-name': { type: 'string' },
      'last-name': { type: 'string' },
      tenant: { type: 'string' },
      'tenant-name': { type: 'string' },
    },
  });
  await create(values);
});

async function create(values: Record<string, string | boolean | undefined>): Promise<void> {
  const parsed = z
    .object({
      email: z.email('--email needs an e-mail address').max(254),
      'first-name': name(100).optional(),
      'last-name': name(100).default('Administrator'),
      tenant: z
        .string()
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, '--tenant takes lower-case letters, digits and hyphens')
        .optional(),
      'tenant-name': name(200).optional(),
    })
    .safeParse({ ...values, email: values.email ?? '' });
  if (!parsed.success) throw new Error(`${parsed.error.issues.map(said).join('; ')}.\n\n${usage}`);
  const {
    email,
    tenant,
    'first-name': firstName,
    'last-name': lastName,
    'tenant-name': tenantName,
  } = parsed.data;
  await withDatabase(async ({ database }, config) => {
    const made = await createAdministrator(database, {
      email,
      firstName: firstName ?? email.slice(0, email.indexOf('@')),
      lastName,
      tenant: tenant === undefined ? undefined : { slug: tenant, name: tenantName ?? tenant },
    });
    if (made.madeTenant) console.log(`Made the tenant ${made.tenantName}.`);
    console.log(
      made.granted
        ? `${made.username} now administers ${made.tenantName}. They sign in at ${config.publicUrl}/sign-in with a code sent by e-mail${config.smtpUrl ? '' : `, which is a file in ${config.dataDir}/outbox without SMTP_URL`}.`
        : `${made.username} administers ${made.tenantName} already; nothing was changed.`,
    );
  });
}

/** A fault of an option, by its name. */
function said({ code, path, message }: z.core.$ZodIssue): string {
  if (message.startsWith('--')) return message;
  return `--${path.join('.')} ${code === 'too_small' ? 'is empty' : code === 'too_big' ? 'is too long' : `cannot be so: ${message}`}`;
}
