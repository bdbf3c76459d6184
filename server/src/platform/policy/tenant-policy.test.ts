import { randomUUID } from 'node:crypto';
import { permissions } from '@caseway/contract/permission';
import { compilePolicy } from '@caseway/contract/policy';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { defaultRoleId, defaultRoles, installDefaultRoles } from '../../features/roles/default-roles.ts';
import { loadTenantPolicy, policyLines, raisePolicyVersion } from './tenant-policy.ts';

const { database } = await createTestDatabase();
const tenant = await makeTenant(database);
const service = { kind: 'service', tenantId: tenant.id } as const;
await database.withScope(service, async (tx) => {
  await tx.deleteFrom('policy_version').execute();
  await installDefaultRoles(tx, tenant.id);
});
const policy = await database.withScope({ kind: 'identity' }, (tx) => loadTenantPolicy(tx, tenant.id));
const org = { id: randomUUID(), orgType: 'T', experience: 'PUBLIC_HEALTH' } as const;
const lines = (role: string, where: Parameters<typeof policyLines>[1] = org) =>
  policyLines('account', where, [defaultRoleId(tenant.id, role)], policy);
const allowed = (role: string, subject: string, where: Parameters<typeof policyLines>[1] = org) => {
  const compiled = compilePolicy(lines(role, where));
  return permissions.filter((permission) => compiled.allows('account', subject, permission));
};

describe('[S6.8] default roles', () => {
  test('are those of the requirements, and have the common base', () => {
    expect(defaultRoles.map(({ code }) => code)).toEqual([
      'member',
      'system-administrator',
      'tenant-administrator',
      'epidemiologist',
      'case-investigator',
      'disease-intervention-specialist',
      'supervisor',
      'program-manager',
      'clinician',
      'laboratorian',
      'data-entry',
      'read-only-analyst',
      'organization-administrator',
      'facility-user',
      'jurisdiction-user',
      'auditor',
      'privacy-officer',
    ]);
    for (const { labelI18N } of defaultRoles)
      expect(Object.keys(labelI18N)).toEqual(expect.arrayContaining(['es', 'ht']));
  });

  test('an epidemiologist works with cases, imports and numbers, and sees no restricted family', () => {
    expect(allowed('epidemiologist', 'T').sort()).toEqual([
      'break-glass/write',
      'case-report-analytics/read',
      'case-reports/approve',
      'case-reports/assign',
      'case-reports/export',
      'case-reports/investigate',
      'case-reports/read',
      'case-reports/route',
      'case-reports/write',
      'contacts/export',
      'contacts/read',
      'contacts/write',
      'documents/export',
      'documents/read',
      'documents/write',
      'field-visit-analytics/read',
      'field-visits/assign',
      'field-visits/export',
      'field-visits/read',
      'field-visits/write',
      'general/other',
      'imports/read',
      'imports/write',
      'incident-report-analytics/read',
      'incident-reports/close',
      'incident-reports/export',
      'incident-reports/read',
      'incident-reports/write',
      'line-lists/export',
      'line-lists/read',
      'mappings/write',
      'operations-analytics/read',
      'partner-service-analytics/read',
      'partner-services/export',
      'partner-services/investigate',
      'partner-services/read',
      'partner-services/supervise',
      'patients/export',
      'patients/merge',
      'patients/read',
      'presets/share',
      'sample-shipments/export',
      'sample-shipments/read',
      'sti-analytics/read',
      'telemedicine-analytics/read',
      'telemedicine/export',
      'telemedicine/read',
      'tenant-case-report-analytics/read',
      'testing-analytics/read',
      'vaccinations/export',
      'vaccinations/read',
      'vaccinations/write',
    ]);
    expect(allowed('epidemiologist', 'A')).toEqual(['general/other']);
  });

  test('a read-only analyst reads only numbers', () => {
    expect(allowed('read-only-analyst', 'T')).toEqual([
      'general/other',
      'testing-analytics/read',
      'sti-analytics/read',
      'case-report-analytics/read',
      'tenant-case-report-analytics/read',
      'incident-report-analytics/read',
      'field-visit-analytics/read',
      'telemedicine-analytics/read',
      'partner-service-analytics/read',
      'operations-analytics/read',
    ]);
    expect(allowed('read-only-analyst', 'PHJ')).not.toContain('tenant-case-report-analytics/read');
  });

  test('a supervisor investigates, assigns and approves work, and sets up nothing', () => {
    const more = [
      'case-reports/route',
      'case-reports/assign',
      'case-reports/approve',
      'partner-services/supervise',
      'field-visits/assign',
      'incident-reports/close',
    ];
    const may = allowed('supervisor', 'T');
    expect(may).toEqual(expect.arrayContaining([...allowed('case-investigator', 'T'), ...more]));
    for (const permission of more) expect(allowed('case-investigator', 'T')).not.toContain(permission);
    expect(may.filter((one) => /^(users|roles|settings|audit|privacy)\//.test(one))).toEqual([]);
    expect(allowed('supervisor', 'PHJ')).toEqual(['general/other']);
  });

  test('a program manager sees all of HIV and STI, and changes no record', () => {
    const may = allowed('program-manager', 'T');
    expect(may).toEqual(
      expect.arrayContaining(['hiv-analytics/read', 'sti-analytics/read', 'restricted-families/read']),
    );
    expect(may.filter((permission) => permission.endsWith('/write'))).toEqual([]);
    expect(allowed('program-manager', 'PHJ')).not.toContain('restricted-families/read');
  });

  test('only a tenant administrator can grant exact numbers, as a separate permission [P17]', () => {
    expect(allowed('tenant-administrator', 'T')).toContain('analytics/exact');
    const others = defaultRoles.filter(({ code }) => code !== 'tenant-administrator');
    for (const { code } of others)
      for (const on of ['T', 'O', 'F', 'PHJ'])
        expect(allowed(code, on), code).not.toContain('analytics/exact');
  });

  test('an auditor reads only the log', () => {
    expect(allowed('auditor', 'T')).toEqual(['general/other', 'audit/read']);
  });

  test('a tenant administrator has everything in a tenant, and nothing in the system', () => {
    expect(
      permissions.filter((permission) => !allowed('tenant-administrator', 'T').includes(permission)),
    ).toEqual(['tenants/write', 'system/read']);
    expect(allowed('tenant-administrator', 'A')).not.toContain('tenants/write');
  });

  test('a system administrator sees no record of a person', () => {
    const seen = allowed('system-administrator', 'A');
    expect(seen).toContain('tenants/write');
    for (const permission of [
      'case-reports/read',
      'patients/read',
      'line-lists/read',
      'testing-analytics/read',
      'case-report-analytics/read',
    ])
      expect(seen).not.toContain(permission);
  });

  test('a facility user has their rights on their facility', () => {
    const facility = { id: 'f1', orgType: 'F', experience: 'HEALTH_CARE' } as const;
    expect(allowed('facility-user', 'F:f1', facility)).toContain('case-reports/read');
    expect(allowed('facility-user', 'F:f2', facility)).toEqual([]);
    expect(allowed('facility-user', 'T', facility)).not.toContain('case-reports/read');
  });
});

describe('policy lines', () => {
  test('have the person’s roles, all they inherit, and no other', () => {
    const written = lines('laboratorian');
    expect(written).toContain('g, account, role:laboratorian');
    expect(written).toContain('g, role:laboratorian, role:read-only-analyst');
    expect(written).toContain('g, role:read-only-analyst, role:member');
    expect(written.some((line) => line.includes('auditor'))).toBe(false);
    expect(new Set(written).size).toBe(written.length);
  });

  test('roles that inherit from each other in a circle are written once', async () => {
    await database.withScope(service, async (tx) => {
      const [member, auditor] = ['member', 'auditor'].map((code) => defaultRoleId(tenant.id, code)) as [
        string,
        string,
      ];
      await tx
        .insertInto('role_parent')
        .values({ tenant_id: tenant.id, role_id: member, parent_id: auditor })
        .execute();
    });
    const ring = await database.withScope({ kind: 'identity' }, (tx) => loadTenantPolicy(tx, tenant.id));
    const written = policyLines('account', org, [defaultRoleId(tenant.id, 'auditor')], ring);
    expect(written).toContain('g, role:member, role:auditor');
    expect(compilePolicy(written).allows('account', 'T', 'audit/read')).toBe(true);
  });

  test('no role, no line', () => {
    expect(policyLines('account', org, [], policy)).toEqual([]);
    expect(policyLines('account', org, [randomUUID()], policy)).toEqual([]);
  });
});

test('every change raises the version', async () => {
  const version = () =>
    database.withScope({ kind: 'identity' }, async (tx) => (await loadTenantPolicy(tx, tenant.id)).version);
  const before = await version();
  await database.withScope(service, (tx) => raisePolicyVersion(tx, tenant.id));
  expect(await version()).toBe(before + 1);
});
