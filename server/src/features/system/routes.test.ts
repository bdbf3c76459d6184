import { readFile } from 'node:fs/promises';
import type { InitUserAnswer } from '@caseway/contract/session';
import type { SystemHealth, TenantRow } from '@caseway/contract/system';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { messageTo } from '../../../test/outbox.ts';
import { actFor, type SignedIn, signInAs } from '../../../test/sign-in.ts';

const testing = await testApp({}, { background: true });
const { app, database, superuserUrl } = testing;
const { demo, system: operations } = await seedDemoTenants(database);
const sysadmin = await signInAs(testing, 'sysadmin@demo.caseway.test');
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');

const { ask, ok } = askingAs(testing, sysadmin);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
const told = (tenantId: string, recordId: string) =>
  sql<{ action: string; detail: Record<string, unknown>; account_id: string }>(
    `select action, detail, account_id from audit_event where tenant_id = $1 and record_ids = array[$2::uuid]
     order by at, id`,
    [tenantId, recordId],
  );
const bay = (more: object = {}) => ({
  name: 'Bay Department of Health',
  slug: 'bay',
  experience: 'PUBLIC_HEALTH',
  stateFips: '12',
  timeZone: 'America/Chicago',
  languages: ['en', 'es'],
  defaultLanguage: 'es',
  administrator: {
    firstName: 'Beatriz',
    lastName: 'Bayou',
    email: 'beatriz@bay.example.test',
    language: 'es',
  },
  ...more,
});

describe('tenants', () => {
  test('[S6.4] are administered by people with that permission for the system, and by no tenant’s own administrator', async () => {
    for (const { headers } of [admin, vendorAdmin]) {
      expect((await ask('GET', 'system/tenants', undefined, headers)).statusCode).toBe(403);
      expect((await ask('POST', 'system/tenants', bay(), headers)).statusCode).toBe(403);
      expect((await ask('GET', 'system/health', undefined, headers)).statusCode).toBe(403);
      expect(
        (await ask('POST', `system/tenants/${demo.id}/suspension`, { reason: 'x' }, headers)).statusCode,
      ).toBe(403);
    }
    expect((await ask('GET', 'system/tenants', undefined, {})).statusCode).toBe(401);
  });

  test('are listed with their administrators', async () => {
    const { tenants } = await ok<{ tenants: TenantRow[] }>('GET', 'system/tenants');
    expect(tenants.find(({ id }) => id === demo.id)).toMatchObject({
      name: demo.name,
      slug: 'demo',
      experience: 'PUBLIC_HEALTH',
      stateFips: '12',
      administrators: [{ name: 'Adaeze Stone', email: 'admin@demo.caseway.test', signedIn: true }],
      suspension: null,
      system: false,
    });
    expect(tenants.find(({ id }) => id === operations.id)).toMatchObject({ system: true, users: 1 });
  });

  test('[S6.8, S4.6] one is created with its administrator, who is invited and signs in to it', async () => {
    const made = await ok<TenantRow>('POST', 'system/tenants', bay());
    expect(made).toMatchObject({
      slug: 'bay',
      timeZone: 'America/Chicago',
      languages: ['en', 'es'],
      defaultLanguage: 'es',
      users: 1,
      administrators: [{ name: 'Beatriz Bayou', email: 'beatriz@bay.example.test', signedIn: false }],
      suspension: null,
    });
    expect(await messageTo(testing, 'beatriz@bay.example.test')).toContain('Content-Language: es');

    const { init, headers } = await signInAs(testing, 'beatriz@bay.example.test');
    expect(init.selectedOrg).toMatchObject({ id: made.id, orgType: 'T', timeZone: 'America/Chicago' });
    expect(init.languageSupport.defaultLanguage).toBe('es');
    expect(init.casbinPolicy).toContain('p, role:tenant-administrator, T, users/write, allow');
    // It can be used at once: its grids answer, and roles can be assigned.
    const cases = await ask('POST', 'grid/case-reports/search', {}, headers);
    expect(cases.json()).toMatchObject({ rows: [], rowCount: 0 });
    const roles = await ask('GET', `users/roles?orgType=T&orgId=${made.id}`, undefined, headers);
    expect(roles.json<{ roles: { code: string; missing: string[] }[] }>().roles).toContainEqual(
      expect.objectContaining({ code: 'epidemiologist', missing: [] }),
    );

    const detail = { before: {}, after: { slug: 'bay', administrator: 'beatriz@bay.example.test' } };
    expect(await told(operations.id, made.id)).toMatchObject([{ action: 'tenant/created', detail }]);
    expect(await told(made.id, made.id)).toMatchObject([{ action: 'tenant/created', detail }]);
  });

  test('[S5.1] all faults of a new one are reported together, each at its field', async () => {
    const faultsOf = async (body: object) => {
      const response = await ask('POST', 'system/tenants', body);
      const { faults } = response.json<{ faults: { path: string; code: string }[] }>();
      return [response.statusCode, faults.map(({ path, code }) => `${path} ${code}`)];
    };
    expect(await faultsOf(bay({ slug: 'demo', stateFips: '99' }))).toEqual([
      422,
      ['stateFips unknown-choice', 'name name-taken', 'slug slug-taken'],
    ]);
    const [status, faults] = await faultsOf(
      bay({ name: ' ', slug: 'No Slug', stateFips: '00', experience: 'SYSTEM_ADMINISTRATION' }),
    );
    expect(status).toBe(422);
    expect((faults as string[]).map((fault) => fault.split(' ')[0]).sort()).toEqual([
      'experience',
      'name',
      'slug',
      'stateFips',
    ]);
    expect(await faultsOf(bay({ slug: 'gulf', defaultLanguage: 'ht' }))).toEqual([
      422,
      ['defaultLanguage not-offered', 'name name-taken'],
    ]);
    // [P8] Two digits that are not a state, and the name of another tenant in another spelling.
    const gulf = bay({ slug: 'gulf', name: 'Gulf Department of Health' });
    for (const stateFips of ['99', '03'])
      expect(await faultsOf({ ...gulf, stateFips })).toEqual([422, ['stateFips unknown-choice']]);
    for (const name of [demo.name, demo.name.toUpperCase(), 'Báy  Depártment of HEALTH'])
      expect(await faultsOf({ ...gulf, name })).toEqual([422, ['name name-taken']]);
    const { tenants } = await ok<{ tenants: TenantRow[] }>('GET', 'system/tenants');
    expect(tenants.map(({ slug }) => slug).sort()).toEqual(['bay', 'demo', 'system', 'vendor']);
  });

  test('[S3.5] someone with an account becomes administrator of a second tenant in addition to the first', async () => {
    const made = await ok<TenantRow>(
      'POST',
      'system/tenants',
      bay({
        slug: 'second',
        name: 'Second Department',
        administrator: { ...bay().administrator, email: 'ADMIN@vendor.caseway.test' },
      }),
    );
    // The name is the person's own.
    expect(made.administrators).toMatchObject([{ name: 'Vera Nakamura', signedIn: true }]);
    const { init } = await actFor(testing, vendorAdmin.tokens);
    expect(init.availableOrgs.map(({ name }) => name)).toContain('Second Department');
  });
});

describe('a tenant is suspended', () => {
  const initOf = async ({ headers: { authorization } }: SignedIn) =>
    (
      await app.fastify.inject({ url: '/api/auth/initUser', headers: { authorization } })
    ).json<InitUserAnswer>();

  test('[P14] its users lose access within seconds, and see why once they have signed in', async () => {
    const reading = () => ask('POST', 'grid/case-reports/search', {}, admin.headers);
    expect((await reading()).statusCode).toBe(200);
    const suspended = await ok<TenantRow>('POST', `system/tenants/${demo.id}/suspension`, {
      reason: 'The contract has ended',
    });
    expect(suspended.suspension).toMatchObject({ reason: 'The contract has ended' });
    await expect.poll(async () => (await reading()).json().code, { interval: 50 }).toBe('tenant-suspended');

    const init = await initOf(admin);
    expect(init).toMatchObject({ selectedOrg: null, availableOrgs: [] });
    expect(init.suspendedTenants).toEqual([{ name: demo.name, reason: 'The contract has ended' }]);
    // Nobody else sees it, and nobody before signing in. [P12]
    expect((await initOf(vendorAdmin)).suspendedTenants).toEqual([]);
    const begun = await app.fastify.inject({
      method: 'POST',
      url: '/auth/tenant/sign-in',
      payload: { origin: 'localhost', username: 'entry@demo.caseway.test', challengeMethod: 'EMAIL' },
    });
    expect(begun.body).not.toMatch(/suspend|contract/i);

    const again = await ok<TenantRow>('DELETE', `system/tenants/${demo.id}/suspension`);
    expect(again.suspension).toBeNull();
    await expect.poll(async () => (await reading()).statusCode, { interval: 50 }).toBe(200);
    expect((await initOf(admin)).selectedOrg).toMatchObject({ id: demo.id });
    for (const log of [operations.id, demo.id])
      expect(await told(log, demo.id)).toMatchObject([
        {
          action: 'tenant/suspended',
          account_id: sysadmin.init.user.id,
          detail: {
            reason: 'The contract has ended',
            before: { access: 'active', reason: null },
            after: { access: 'suspended', reason: 'The contract has ended' },
          },
        },
        { action: 'tenant/reactivated', detail: { after: { access: 'active', reason: null } } },
      ]);
  });

  test('never the tenant that administers the system, nor an unknown one', async () => {
    const refused = await ask('POST', `system/tenants/${operations.id}/suspension`, { reason: 'x' });
    expect([refused.statusCode, refused.json().faults[0].code]).toEqual([422, 'system-tenant']);
    const unknown = await ask('POST', `system/tenants/${sysadmin.init.user.id}/suspension`, { reason: 'x' });
    expect(unknown.statusCode).toBe(404);
    const unreasoned = await ask('POST', `system/tenants/${demo.id}/suspension`, { reason: ' ' });
    expect(unreasoned.statusCode).toBe(422);
  });
});

describe('the health of the system', () => {
  test('[S10.7] reports on database, replicas, imports, storage, jobs and mail, and on no person', async () => {
    await expect
      .poll(async () => (await ok<SystemHealth>('GET', 'system/health')).replicas.length, { interval: 100 })
      .toBeGreaterThanOrEqual(3);
    const health = await ok<SystemHealth>('GET', 'system/health');
    expect(health.database.version).toMatch(/^\d+\.\d+$/);
    expect(health.database.bytes).toBeGreaterThan(1_000_000);
    expect(health.database.migration).toMatch(/^\d{4}_[a-z_]+\.sql$/);
    expect(health.imports.map(({ tenant }) => tenant)).toContain(demo.name);
    // Nobody has made a backup yet, and the answer says so. [P7]
    expect(health.backup).toBeNull();
    await database.withScope({ kind: 'system' }, (tx) =>
      tx.run(
        `insert into backup_made (id, at, bytes, encrypted, rows) values
           (gen_random_uuid(), '2026-03-01T00:00:00Z', 5, true, 1), (gen_random_uuid(), '2026-02-01T00:00:00Z', 6, false, 1)`,
      ),
    );
    expect((await ok<SystemHealth>('GET', 'system/health')).backup).toEqual({
      at: '2026-03-01T00:00:00.000Z',
      bytes: 5,
      encrypted: true,
    });
    expect(health.storage!.freeBytes).toBeGreaterThan(0);
    expect(health.storage!.totalBytes).toBeGreaterThan(health.storage!.freeBytes);
    expect(health.storage!.minFreeBytes).toBe(512_000_000);
    // The same parts as /health/ready, which defines the list.
    const { checks } = (await app.fastify.inject('/health/ready')).json<{ checks: Record<string, string> }>();
    expect(health.parts.map(({ name }) => name)).toEqual(Object.keys(checks));
    expect(health.parts).toContainEqual({ name: 'disk', ready: true });
    const { version } = JSON.parse(
      await readFile(new URL('../../../../package.json', import.meta.url), 'utf8'),
    );
    expect(health.product.version).toBe(version);
    expect(health.audit.failed).toBe(0);
    expect(health.mail).toMatchObject({ by: 'outbox', failed: 0 });
    expect(health.mail.sent).toBeGreaterThan(0);
    expect(JSON.stringify(health)).not.toContain('@');
  });

  test('a failed job is listed with its reason, and tried again on request', async () => {
    const [{ id }] = (await sql<{ id: string }>(
      `select id::text from graphile_worker.add_job('test/nobody-does-this', '{"secret": "zqx"}', max_attempts := 3)`,
    )) as [{ id: string }];
    await sql(
      `update graphile_worker._private_jobs set attempts = 3, last_error = E'Error ECONNREFUSED\n  at send' where id = $1`,
      [id],
    );
    const before = await ok<SystemHealth>('GET', 'system/health');
    expect(before.failedJobs).toMatchObject([
      { id, task: 'test/nobody-does-this', reason: 'Error ECONNREFUSED', attempts: 3, givenUp: true },
    ]);
    expect(before.jobs).toContainEqual(
      expect.objectContaining({ task: 'test/nobody-does-this', waiting: 0, running: 0, failed: 1 }),
    );
    expect(JSON.stringify(before)).not.toContain('zqx');

    expect((await ask('POST', `system/jobs/${id}/retry`, undefined, admin.headers)).statusCode).toBe(403);
    expect(await ok('POST', `system/jobs/${id}/retry`)).toEqual({ id });
    const after = await ok<SystemHealth>('GET', 'system/health');
    expect(after.jobs).toContainEqual(
      expect.objectContaining({ task: 'test/nobody-does-this', waiting: 1, running: 0, failed: 0 }),
    );
    const [event] = await sql<{ detail: unknown }>(
      `select detail from audit_event where action = 'job/tried-again'`,
    );
    expect(event!.detail).toEqual({
      task: 'test/nobody-does-this',
      before: { attempts: 3 },
      after: { attempts: 0 },
    });
    expect((await ask('POST', 'system/jobs/999999999/retry')).statusCode).toBe(404);
  });
});
