import { PassThrough } from 'node:stream';
import { afterAll, beforeEach } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { makePatient, makeTenant } from '../../../test/factories.ts';
import { createLog } from '../log/log.ts';
import type { Scope } from '../scope.ts';
import type { Auditor, Authorizer } from './access.ts';
import { type App, createApp } from './app.ts';
import { AppError } from './app-error.ts';

/* An app without features, for one patient of one tenant. Its requests state their own permissions. */

export const { database, appUrl, superuserUrl } = await createTestDatabase();
export const tenant = await makeTenant(database);
export const patient = await makePatient(database, { tenant_id: tenant.id, last_name: 'Canary' });

/** Trusts the identity in a request, and allows the permissions that the header lists. */
const authorizer: Authorizer = {
  async authenticate({ headers }) {
    if (!headers.authorization) throw new AppError('not-signed-in');
    const audience = headers.authorization === 'Bearer patient' ? 'patient' : 'staff';
    return {
      accountId: '00000000-0000-4000-8000-00000000000a',
      audience,
      sessionId: 'session',
      secondCheck: false,
    };
  },
  confirm: async (_, account) => account,
  recordOf: async () => ({ tenantId: tenant.id, patientId: patient.id }),
  async authorise({ headers }, { accountId }, permission) {
    const allowed = String(headers['x-allowed'] ?? '').split(',');
    if (!allowed.includes(permission)) throw new AppError('forbidden', { permission });
    const tenantIds = headers['x-reads']?.toString().split(',') ?? [tenant.id];
    const scopeIn = (tenantId: string) =>
      ({
        kind: 'org',
        tenantId,
        orgType: 'T',
        orgId: tenant.id,
        accountId,
        counties: [],
        hiddenFamilies: [],
        genderIdentityShown: true,
      }) as const satisfies Scope;
    return {
      org: {
        id: tenant.id,
        orgType: 'T',
        name: tenant.name,
        experience: 'PUBLIC_HEALTH',
        timeZone: 'America/New_York',
        tenantIds,
      },
      may: (other) => allowed.includes(other),
      tenantsFor: (other) => (allowed.includes(other) ? tenantIds : []),
      scopeIn,
      ownScope: () => scopeIn(tenantIds[0]!),
    };
  },
};
/** Writes minimal rows; `platform/audit` writes them in full. */
const auditor: Auditor = {
  async write(tx, event) {
    await tx.run(
      'insert into audit_event (tenant_id, id, account_id, action, record_ids, request_id) values ($1, gen_random_uuid(), $2, $3, $4, $5)',
      [event.tenantId, event.accountId, event.action, event.recordIds, event.requestId],
    );
  },
};
/** Headers of a person who may read patients. */
export const reader = { authorization: 'Bearer staff', 'x-allowed': 'patients/read' };

/** Everything that the apps have logged since the test began. */
export const logged = { text: '' };
const log = new PassThrough();
log.on('data', (chunk) => {
  logged.text += chunk;
});

const running: App[] = [];
export async function makeApp(given: Partial<Parameters<typeof createApp>[0]> = {}): Promise<App> {
  const app = await createApp({
    database,
    authorizer,
    auditor,
    log: createLog('info', log),
    publicUrl: 'http://localhost:8080',
    checkAnswers: true,
    anonymous: { perMinute: 1_000_000 },
    ...given,
  });
  running.push(app);
  return app;
}
afterAll(() => Promise.all(running.map((app) => app.fastify.close())));

/** The rows of the audit log. */
export const audited = () =>
  asSuperuser<{ action: string; record_ids: string[]; account_id: string }>(
    'select action, record_ids, account_id from audit_event order by at, action',
    [],
    superuserUrl,
  );
beforeEach(async () => {
  await asSuperuser('delete from audit_event', [], superuserUrl);
  logged.text = '';
});
