import { randomUUID } from 'node:crypto';
import { compilePolicy, permissionSubject } from '@caseway/contract/policy';
import type { InitUserAnswer, Tokens } from '@caseway/contract/session';
import { describe, expect, test, vi } from 'vitest';
import { demoAccounts } from '../../../seeds/demo/accounts.ts';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { recordStatements } from '../../../test/statements.ts';
import { Signing } from '../../platform/auth/signing.ts';

const testing = await testApp();
const { app, config, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const statementsOf = recordStatements();

const college = world.demo.organizations.find(({ name }) => name === 'Tidewater State College')!;
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const orgs = ({ init }: { init: InitUserAnswer }) =>
  init.availableOrgs.map(({ orgType, name }) => `${orgType} ${name}`);
const may = (init: InitUserAnswer, permission: string) =>
  compilePolicy(init.casbinPolicy).allows(
    init.user.id,
    permissionSubject(init.selectedOrg!, init.user.id),
    permission,
  );

describe('[S3.5] init of a member of staff', () => {
  test('[S3.1] says who is signed in', () => {
    const { id } = demoAccounts(world).find(({ username }) => username === 'epi@demo.caseway.test')!;
    expect(epi.init.user).toEqual({
      id,
      cognitoAccountId: id,
      lastName: 'Castellanos',
      firstName: 'Erin',
      middleName: null,
      phone: null,
      email: 'epi@demo.caseway.test',
      languageCode: 'en',
      tenant: { id: world.demo.id, name: 'Gulfstream Department of Health' },
      adminOrg: null,
      facility: null,
      timeZone: 'America/New_York',
    });
  });

  test('[S4.6] lists the organisations by name and chooses the first', () => {
    expect(orgs(epi)).toEqual([
      'T Gulfstream Department of Health',
      'O Palmetto Correctional Services',
      'O Tidewater State College',
    ]);
    expect(epi.init.selectedOrg).toMatchObject({
      id: world.demo.id,
      orgType: 'T',
      experience: 'PUBLIC_HEALTH',
      timeZone: 'America/New_York',
      tenant: { id: world.demo.id },
    });
  });

  test('[S4.6] chooses the last used organisation while it is available, else the first', async () => {
    const wanted = await actFor(testing, epi.tokens, `O:${college.id}`);
    expect(wanted.init.selectedOrg).toMatchObject({
      id: college.id,
      name: 'Tidewater State College',
      experience: 'EDUCATION',
    });
    expect(wanted.init.user.adminOrg).toEqual({ id: college.id, name: 'Tidewater State College' });
    const foreign = await actFor(testing, epi.tokens, `T:${world.vendor.id}`);
    expect(foreign.init.selectedOrg!.id).toBe(world.demo.id);
  });

  test('[S3.4, S1.6] gives features and languages of the chosen organisation’s tenant', () => {
    expect(epi.init.languageSupport).toEqual({
      tenantLanguages: ['en', 'en-GB', 'es', 'ht'],
      externalLanguages: ['en', 'en-GB', 'es', 'ht'],
      defaultLanguage: 'en',
    });
    expect(epi.init.tenantFeatures).toEqual([
      'testing-analytics',
      'sti-analytics',
      'case-report-analytics',
      'tenant-case-report-analytics',
      'hiv-analytics',
      'incident-report-analytics',
      'field-visit-analytics',
      'telemedicine-analytics',
      'partner-service-analytics',
      'operations-analytics',
      'case-reports',
      'contacts',
      'partner-services',
      'field-visits',
      'patients',
      'incident-reports',
      'vaccinations',
      'documents',
      'sample-shipments',
      'telemedicine',
      'imports',
    ]);
    expect(epi.init.betaFeatures).toEqual([]);
  });

  test('[S6.2] gives the policy lines by which the browser decides as the server does', () => {
    const { init } = epi;
    expect(init.casbinPolicy).toContain('p, role:epidemiologist, T, case-reports/read, allow');
    expect(init.casbinPolicy).toContain('g, role:epidemiologist, role:read-only-analyst');
    expect(init.casbinPolicy).toContain(`g, ${init.user.id}, role:epidemiologist`);
    for (const permission of [
      'case-reports/read',
      'imports/write',
      'mappings/write',
      'testing-analytics/read',
      'general/other',
    ])
      expect([permission, may(init, permission)]).toEqual([permission, true]);
    for (const permission of ['restricted-families/read', 'users/write', 'tenants/write'])
      expect([permission, may(init, permission)]).toEqual([permission, false]);
  });

  test('[S6.4] a grant on organisations applies to the one acted for', async () => {
    const { init } = await actFor(testing, epi.tokens, `O:${college.id}`);
    const { id } = init.selectedOrg!;
    expect(init.casbinPolicy).toContain(`p, role:epidemiologist, O:${id}, case-reports/read, allow`);
    expect(may(init, 'case-reports/read')).toBe(true);
    // A permission for the whole tenant does not apply to an organisation.
    expect(may(init, 'mappings/write')).toBe(false);
  });

  test('[S6.9] a jurisdiction belongs to no tenant, and only its role’s permissions are granted on PHJ', async () => {
    const { init } = await signInAs(testing, 'jurisdiction@demo.caseway.test');
    expect(init.selectedOrg).toMatchObject({
      orgType: 'PHJ',
      tenant: null,
      name: 'Tampa Bay Tri-County Health Jurisdiction',
    });
    expect(may(init, 'case-reports/read')).toBe(true);
    expect(may(init, 'case-reports/write')).toBe(false);
  });

  test('[S6.4] the system administrator’s subject is A', async () => {
    const { init } = await signInAs(testing, 'sysadmin@demo.caseway.test');
    expect(permissionSubject(init.selectedOrg!, init.user.id)).toBe('A');
    expect(may(init, 'tenants/write')).toBe(true);
    expect(may(init, 'patients/read')).toBe(false);
  });

  test('a facility user gets the facility', async () => {
    const { init } = await signInAs(testing, 'facility@demo.caseway.test');
    expect(init.user.facility).toEqual({
      id: init.selectedOrg!.id,
      name: 'Mangrove Community Clinic Ybor City',
    });
  });

  test('an account without an organisation is let in and may only do what everyone may', async () => {
    await sql(
      `insert into account (id, username, email, first_name, last_name) values ($1, 'alone@demo.caseway.test', 'alone@demo.caseway.test', 'A', 'B')`,
      [randomUUID()],
    );
    const { init } = await signInAs(testing, 'alone@demo.caseway.test');
    expect(init).toMatchObject({ availableOrgs: [], selectedOrg: null, casbinPolicy: [] });
  });

  test('organisations that are removed, or whose membership or tenant has ended, are not listed', async () => {
    const { init } = await signInAs(testing, 'clinician@demo.caseway.test');
    expect(init.availableOrgs).toHaveLength(2);
    await sql(`update membership set ended_at = now() where account_id = $1 and org_type = 'F'`, [
      init.user.id,
    ]);
    const tokens = epi.tokens;
    expect((await actFor(testing, tokens)).init.availableOrgs).toHaveLength(3);
    await sql('update tenant set suspended_at = now() where id = $1', [world.demo.id]);
    expect((await actFor(testing, tokens)).init.availableOrgs).toHaveLength(0);
    await sql('update tenant set suspended_at = null where id = $1', [world.demo.id]);
  });
});

test('an org token names its organisation, and is the account’s own', () => {
  const signing = new Signing(config.tokenSecret!);
  for (const { token, id, orgType } of epi.init.availableOrgs)
    expect(signing.readOrgToken(token)).toMatchObject({
      orgId: id,
      orgType,
      accountId: epi.init.user.id,
      tenantId: world.demo.id,
    });
});

describe('someone in 500 organisations', async () => {
  const id = randomUUID();
  await sql(
    `insert into account (id, username, email, first_name, last_name)
     values ($1, 'many@demo.caseway.test', 'many@demo.caseway.test', 'A', 'B')`,
    [id],
  );
  await sql(
    `insert into organization (tenant_id, id, name) select $1, gen_random_uuid(), 'Organisation ' || n from generate_series(1, 500) n`,
    [world.vendor.id],
  );
  await sql(
    `insert into membership (tenant_id, id, account_id, org_type, org_id)
     select $1, gen_random_uuid(), $2, 'O', id from organization where tenant_id = $1 and name like 'Organisation %'`,
    [world.vendor.id, id],
  );
  const { tokens, init } = await signInAs(testing, 'many@demo.caseway.test');
  const begin = ({ accessToken }: Tokens) =>
    statementsOf(() =>
      app.fastify.inject({ url: '/api/auth/initUser', headers: { authorization: `Bearer ${accessToken}` } }),
    );

  test('[S4.6] has all of them, by name', () => {
    const names = init.availableOrgs.map(({ name }) => name);
    expect(names).toHaveLength(500);
    expect(names.slice(0, 3)).toEqual(['Organisation 1', 'Organisation 10', 'Organisation 100']);
  });

  // bench/init.ts measures the time.
  test('costs as many statements as someone in three', async () => {
    // The clock does not move, so the cache stays: on a slow machine a second query would count too.
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      for (const known of [epi.tokens, tokens]) await begin(known);
      const [few, many] = [await begin(epi.tokens), await begin(tokens)];
      expect(few.length).toBeGreaterThan(3);
      expect(many).toHaveLength(few.length);
    } finally {
      vi.useRealTimers();
    }
  });

  test('[P14] loses one immediately, although the list is cached', async () => {
    await begin(tokens);
    const [gone] = init.availableOrgs;
    await sql('update membership set ended_at = now() where account_id = $1 and org_id = $2', [id, gone!.id]);
    const { init: later } = await actFor(testing, tokens);
    expect(later.availableOrgs.map(({ name }) => name)).toEqual(
      init.availableOrgs.slice(1).map(({ name }) => name),
    );
    expect(later.selectedOrg!.name).toBe('Organisation 10');
  });
});
