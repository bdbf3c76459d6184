import { randomUUID } from 'node:crypto';
import { endpoint } from '@caseway/contract/endpoint';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { workOf } from '../../../test/durations.ts';
import { makePatient, makeResult } from '../../../test/factories.ts';
import { letFiveSecondsPass } from '../../../test/later.ts';
import { actFor, type SignedIn, signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../../features/roles/default-roles.ts';
import { serve } from '../http/serve.ts';
import { raisePolicyVersion } from '../policy/tenant-policy.ts';
import { createAuthorizer } from './authorizer.ts';
import { Signing } from './signing.ts';

// Endpoints of this test that show what a feature sees of its caller.
const probe = (access: string) =>
  endpoint({
    method: 'GET',
    path: `/api/web/probe/${access.replace('/', '-')}`,
    access: access as `${string}/${string}`,
    deed: 'read',
    summary: 'What a handler is given',
    response: z.looseObject({}),
  });
const probes = [
  'case-reports/read',
  'case-reports/write',
  'mappings/write',
  'restricted-families/read',
  'tenants/write',
  'users/write',
  'general/other',
].map(probe);
const patients = endpoint({
  method: 'GET',
  path: '/api/web/probe/patients',
  access: 'patients/read',
  deed: 'read',
  summary: 'Patients and the families of their results',
  patientData: true,
  response: z.object({ names: z.array(z.string()), families: z.array(z.string()) }),
});

const testing = await testApp(
  {},
  {
    extend(app) {
      for (const one of probes) serve(app, one, ({ org, scope }) => ({ org, scope }));
      serve(app, patients, async (call) => {
        const names: string[] = [];
        const families: string[] = [];
        for (const tenantId of call.org.tenantIds)
          await call.withScope(
            async (tx) => {
              call.audit({ recordKind: 'patient' });
              names.push(
                ...(await tx.rows<{ n: string }>('select last_name as n from patient order by 1')).map(
                  ({ n }) => n,
                ),
              );
              families.push(
                ...(
                  await tx.rows<{ f: string }>('select distinct disease_family as f from result order by 1')
                ).map(({ f }) => f),
              );
            },
            { tenantId },
          );
        return { names, families };
      });
    },
  },
);
const { app, config, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const { demo, vendor } = world;
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
const service = (tenantId: string) => ({ kind: 'service', tenantId }) as const;

const tampa = await makePatient(database, {
  tenant_id: demo.id,
  last_name: 'Demotampa',
  county_fips: '12057',
});
const miami = await makePatient(database, {
  tenant_id: demo.id,
  last_name: 'Demomiami',
  county_fips: '12086',
});
const outside = await makePatient(database, {
  tenant_id: vendor.id,
  last_name: 'Vendortampa',
  county_fips: '12057',
});
await makePatient(database, { tenant_id: vendor.id, last_name: 'Vendorpensacola', county_fips: '12033' });
for (const [patient, family] of [
  [tampa, 'chlamydia'],
  [tampa, 'hiv'],
  [miami, 'syphilis'],
  [outside, 'hepatitis-c'],
] as const)
  await makeResult(database, {
    tenant_id: patient.tenant_id,
    patient_id: patient.id,
    county_fips: patient.county_fips,
    disease_family: family,
    condition_code: family,
  });

beforeEach(() => sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`));

type Headers = Partial<SignedIn['headers']>;
const get = (path: string, headers: Headers) =>
  app.fastify.inject({ url: `/api/web/probe/${path}`, headers });
const status = async (path: string, headers: Headers) => (await get(path, headers)).statusCode;

const epi = await signInAs(testing, 'epi@demo.caseway.test');
const signing = new Signing(config.tokenSecret!);

describe('[S3.3] the organisation a request acts for', () => {
  test('is the one its token names, in the tenant’s time zone', async () => {
    expect((await get('case-reports-read', epi.headers)).json().org).toEqual({
      id: demo.id,
      orgType: 'T',
      name: 'Gulfstream Department of Health',
      experience: 'PUBLIC_HEALTH',
      timeZone: 'America/New_York',
      tenantIds: [demo.id],
    });
  });

  test('distinguishes signed out from signed in without an organisation', async () => {
    const signedOut = await get('case-reports-read', { 'x-org-token': epi.headers['x-org-token'] });
    expect([signedOut.statusCode, signedOut.json().code]).toEqual([401, 'not-signed-in']);
    const without = await get('case-reports-read', { authorization: epi.headers.authorization });
    expect(without.statusCode).toBe(403);
    expect(without.json()).toMatchObject({ code: 'forbidden', permission: 'case-reports/read' });
  });

  test('a token that was forged, cut or signed by another server is refused', async () => {
    const token = epi.headers['x-org-token'];
    const claims = signing.readOrgToken(token)!;
    const forged = [
      `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`,
      token.slice(0, -4),
      'nonsense',
      new Signing('another server').orgToken(claims),
      Buffer.from(JSON.stringify({ orgType: 'T', id: demo.id })).toString('base64url'),
    ];
    for (const one of forged)
      expect(await status('case-reports-read', { ...epi.headers, 'x-org-token': one })).toBe(403);
  });

  test('someone else’s token is refused, even for an organisation that both belong to', async () => {
    const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
    expect(
      await status('case-reports-read', {
        ...epi.headers,
        'x-org-token': investigator.headers['x-org-token'],
      }),
    ).toBe(403);
  });

  test('a correctly signed token for an organisation that the person does not belong to is refused', async () => {
    const { accountId } = signing.readOrgToken(epi.headers['x-org-token'])!;
    for (const org of [
      { orgType: 'T', orgId: vendor.id, tenantId: vendor.id },
      { orgType: 'T', orgId: demo.id, tenantId: vendor.id },
      { orgType: 'O', orgId: demo.organizations[0]!.id, tenantId: demo.id },
      { orgType: 'F', orgId: demo.id, tenantId: demo.id },
      { orgType: 'PHJ', orgId: world.jurisdictions[0]!.id, tenantId: demo.id },
    ] as const)
      expect(
        await status('case-reports-read', {
          ...epi.headers,
          'x-org-token': signing.orgToken({ accountId, ...org }),
        }),
      ).toBe(403);
  });
});

describe('[S6.2] permissions', () => {
  test('a permission that the role does not grant is refused, and the refusal names it', async () => {
    const refused = await get('users-write', epi.headers);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'forbidden', permission: 'users/write' });
  });

  test('[S6.4] a role applies in the organisation it was given in, and in no other', async () => {
    const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!;
    const { headers } = await actFor(testing, epi.tokens, `O:${college.id}`);
    expect(await status('case-reports-read', headers)).toBe(200);
    expect(await status('mappings-write', headers)).toBe(403);
    expect(await status('mappings-write', epi.headers)).toBe(200);
  });

  test('[S6.4] only an organisation of system administration acts as A', async () => {
    const system = await signInAs(testing, 'sysadmin@demo.caseway.test');
    expect((await get('tenants-write', system.headers)).json().scope).toMatchObject({ orgType: 'A' });
    expect(await status('patients', system.headers)).toBe(403);
    const admin = await signInAs(testing, 'admin@demo.caseway.test');
    expect(await status('tenants-write', admin.headers)).toBe(403);
    expect((await get('users-write', admin.headers)).json().scope).toMatchObject({ orgType: 'T' });
  });

  test('[S6.2] a deny overrides what another role allows', async () => {
    const clerk = await signInAs(testing, 'entry@demo.caseway.test');
    expect(await status('case-reports-write', clerk.headers)).toBe(200);
    await database.withScope(service(demo.id), async (tx) => {
      await tx
        .insertInto('role')
        .values({ tenant_id: demo.id, id: randomUUID(), code: 'suspended-writer', label: 'x' })
        .execute();
      const { id: role_id } = await tx
        .selectFrom('role')
        .select('id')
        .where('code', '=', 'suspended-writer')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('role_grant')
        .values({ tenant_id: demo.id, role_id, obj: 'T', act: 'case-reports/write', eft: 'deny' })
        .execute();
      const { id: membership_id } = await tx
        .selectFrom('membership')
        .select('id')
        .where('account_id', '=', clerk.init.user.id)
        .executeTakeFirstOrThrow();
      await tx.insertInto('membership_role').values({ tenant_id: demo.id, membership_id, role_id }).execute();
      await raisePolicyVersion(tx, demo.id);
    });
    const other = await actFor(testing, clerk.tokens);
    expect(other.init.casbinPolicy).toContain('p, role:suspended-writer, T, case-reports/write, deny');
    await expect.poll(() => status('case-reports-write', clerk.headers), { interval: 100 }).toBe(403);
    expect(await status('case-reports-read', clerk.headers)).toBe(200);
  });

  test('[S1.6] a feature that the tenant has switched off is refused as such, with any role', async () => {
    const lab = await signInAs(testing, 'admin@vendor.caseway.test');
    await sql(`update tenant set tenant_features = '{imports}' where id = $1`, [vendor.id]);
    const refused = await get('case-reports-read', lab.headers);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'feature-off', permission: 'case-reports/read' });
    // Mappings belong to the imports feature, which is on.
    expect(await status('mappings-write', lab.headers)).toBe(200);
    await sql(`update tenant set tenant_features = '{imports,case-reports,patients}' where id = $1`, [
      vendor.id,
    ]);
  });
});

describe('[S6.9] visible records', () => {
  const seen = async (headers: Headers) =>
    (await get('patients', headers)).json<{ names: string[]; families: string[] }>();

  test('T sees its tenant', async () => {
    expect((await seen(epi.headers)).names).toEqual(['Demomiami', 'Demotampa']);
  });

  test('[P18] a restricted family is absent without the permission, and present with it', async () => {
    expect((await seen(epi.headers)).families).toEqual(['chlamydia', 'syphilis']);
    const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
    expect((await seen(investigator.headers)).families).toEqual(['chlamydia', 'hiv', 'syphilis']);
  });

  test('[P18] a tenant restricts more families itself', async () => {
    const entry = await signInAs(testing, 'dis@demo.caseway.test');
    await sql(`update tenant set restricted_families = '{syphilis}' where id = $1`, [demo.id]);
    // The permissions of this person are not cached yet.
    const lab = await signInAs(testing, 'lab@demo.caseway.test');
    expect((await seen(lab.headers)).families).toEqual(['chlamydia']);
    expect((await seen(entry.headers)).families).toEqual(['chlamydia', 'hiv', 'syphilis']);
    await sql(`update tenant set restricted_families = '{}' where id = $1`, [demo.id]);
  });

  test('PHJ sees the residents of its counties in every tenant that reports to it, and no one else', async () => {
    const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
    const { org, scope } = (await get('case-reports-read', jurisdiction.headers)).json();
    expect(org.tenantIds).toEqual([vendor.id, demo.id]);
    expect(scope).toMatchObject({
      orgType: 'PHJ',
      counties: ['12057', '12101', '12103'],
      hiddenFamilies: ['hiv'],
      genderIdentityShown: true,
    });
    expect(await seen(jurisdiction.headers)).toEqual({
      names: ['Vendortampa', 'Demotampa'],
      families: ['hepatitis-c', 'chlamydia'],
    });
    // It no longer sees a tenant that has stopped reporting to it.
    await sql('delete from tenant_reporting where tenant_id = $1', [vendor.id]);
    await expect
      .poll(async () => (await seen(jurisdiction.headers)).names, { interval: 100 })
      .toEqual(['Demotampa']);
  });

  test('F sees the people of its facility', async () => {
    const facility = await signInAs(testing, 'facility@demo.caseway.test');
    expect((await seen(facility.headers)).names).toEqual([]);
    await sql('update patient set facility_ids = array[$2::uuid] where id = $1', [
      tampa.id,
      facility.init.selectedOrg!.id,
    ]);
    expect((await seen(facility.headers)).names).toEqual(['Demotampa']);
  });
});

describe('[P14] revoked access ends within five seconds', () => {
  async function endsWithin(headers: Headers, change: () => Promise<unknown>, answer: number): Promise<void> {
    expect(await status('case-reports-read', headers)).toBe(200);
    await change();
    letFiveSecondsPass();
    expect(await status('case-reports-read', headers)).toBe(answer);
  }

  test('a membership', async () => {
    const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
    const end = () =>
      sql(`update membership set ended_at = now() where account_id = $1 and org_type = 'T'`, [
        clinician.init.user.id,
      ]);
    await endsWithin(clinician.headers, end, 403);
  });

  test('a role', async () => {
    const lead = await signInAs(testing, 'investigator@demo.caseway.test');
    const take = () =>
      sql('delete from membership_role where role_id = $1', [defaultRoleId(demo.id, 'case-investigator')]);
    await endsWithin(lead.headers, take, 403);
  });

  test('an account', async () => {
    const other = await signInAs(testing, 'orgadmin@demo.caseway.test');
    const disable = () => sql('update account set disabled_at = now() where id = $1', [other.init.user.id]);
    await endsWithin(other.headers, disable, 401);
  });

  test('a grant of a role', async () => {
    const take = () =>
      database.withScope(service(demo.id), async (tx) => {
        await tx.deleteFrom('role_grant').where('act', '=', 'case-reports/read').execute();
        await raisePolicyVersion(tx, demo.id);
      });
    await endsWithin(epi.headers, take, 403);
  });
});

describe('[P15] no audit, no data', () => {
  test('the log of who read what, for which organisation, from where', async () => {
    const { headers, init } = await signInAs(testing, 'admin@demo.caseway.test');
    await get('patients', headers);
    const [row] = await sql(
      `select tenant_id, account_id, org_type, org_id, action, record_kind, address, request_id is not null as has_request
       from audit_event where account_id = $1 and action like 'GET %'`,
      [init.user.id],
    );
    expect(row).toEqual({
      tenant_id: demo.id,
      account_id: init.user.id,
      org_type: 'T',
      org_id: demo.id,
      action: 'GET /api/web/probe/patients',
      record_kind: 'patient',
      address: '127.0.0.1',
      has_request: true,
    });
  });

  test('if the log cannot be written, nothing of the answer is sent', async () => {
    const { headers } = await signInAs(testing, 'admin@demo.caseway.test');
    await sql('alter table audit_event rename to audit_event_gone');
    const response = await get('patients', headers);
    await sql('alter table audit_event_gone rename to audit_event');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ code: 'internal' });
    expect(response.body).not.toContain('Demo');
  });

  test('events in the log do not change', async () => {
    const change = (text: string) => database.withScope(service(demo.id), (tx) => tx.run(text));
    await expect(change(`update audit_event set action = 'x'`)).rejects.toThrow(/permission denied/);
    await expect(change('delete from audit_event')).rejects.toThrow(/permission denied/);
  });
});

describe('a cached decision', () => {
  test('is a look-up, never an evaluation (bench/policy.ts prints what it costs)', async () => {
    const { headers, init } = await signInAs(testing, 'admin@vendor.caseway.test');
    const authorizer = createAuthorizer({
      database,
      signing,
      restrictedFamilies: ['hiv'],
      guardianship: { database, sensitiveFamilies: [], now: () => new Date() },
    });
    const account = {
      accountId: init.user.id,
      audience: 'staff',
      sessionId: randomUUID(),
      secondCheck: false,
    } as const;
    const { may } = await authorizer.authoriseFor(account, headers['x-org-token'], 'general/other');
    expect(may('users/read')).toBe(true);
    const ask = () => {
      for (let i = 0; i < 100_000; i += 1) may('users/read');
    };
    // A hundred microseconds per check; an evaluation takes far longer.
    expect(await workOf(ask)).toBeLessThan(10_000);
  });
});
