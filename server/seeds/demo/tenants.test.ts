import { describe, expect, test } from 'vitest';
import { defaultRoles } from '../../src/features/roles/default-roles.ts';
import { demoAccounts } from './accounts.ts';
import { demoWorld } from './tenants.ts';

const world = demoWorld();
const accounts = demoAccounts(world);
const facilities = [...world.demo.facilities, ...world.vendor.facilities];

/** The NPI check of 45 CFR 162.406, written as CMS explains it: double every other digit from the right, add 24. */
const npiHolds = (npi: string) => {
  const doubled = [0, 2, 4, 6, 8].map((at) => Number(npi[at]) * 2).join('');
  const sum =
    24 + [...doubled, npi[1], npi[3], npi[5], npi[7]].reduce((total, digit) => total + Number(digit), 0);
  return (10 - (sum % 10)) % 10 === Number(npi[9]);
};

describe('demo tenants', () => {
  test('the department has a clinic in each of its 67 counties and some 120 facilities', () => {
    const clinics = world.demo.facilities.filter(({ facilityType }) => facilityType === 'county-health');
    expect(new Set(clinics.map(({ countyFips }) => countyFips)).size).toBe(67);
    expect(world.demo.facilities.length).toBeGreaterThanOrEqual(115);
  });

  test('the check above accepts the published example and refuses its neighbour', () => {
    expect(npiHolds('1234567893')).toBe(true);
    expect(npiHolds('1234567894')).toBe(false);
  });

  test('every facility has its own NPI, with a valid check digit, that no real provider can have', () => {
    for (const { npi } of facilities) {
      expect(npi).toMatch(/^2\d{9}$/);
      expect(npiHolds(npi)).toBe(true);
    }
    expect(new Set(facilities.map(({ npi }) => npi)).size).toBe(facilities.length);
  });

  test('every facility that tests specimens has its own well-formed CLIA number', () => {
    const clias = facilities.flatMap(({ clia }) => (clia ? [clia] : []));
    for (const clia of clias) expect(clia).toMatch(/^10D9\d{6}$/);
    expect(new Set(clias).size).toBe(clias.length);
    for (const { facilityType, clia } of facilities)
      if (facilityType === 'laboratory') expect(clia).not.toBeNull();
  });

  test('telephone numbers are in the block kept for fiction', () => {
    for (const { phone } of facilities) expect(phone).toMatch(/^\+1[2-9]\d{2}55501\d{2}$/);
  });

  test('no disease family belongs to two programmes of a tenant', () => {
    for (const tenant of [world.demo, world.vendor]) {
      const families = tenant.programs.flatMap(({ diseaseFamilies }) => diseaseFamilies);
      expect(new Set(families).size).toBe(families.length);
    }
  });

  test('ids are unique and the same each time', () => {
    const ids = [world.demo, world.vendor, world.system].flatMap((tenant) => [
      tenant.id,
      ...[
        ...tenant.organizations,
        ...tenant.facilities,
        ...tenant.programTypes,
        ...tenant.programs,
        ...tenant.tasks,
      ].map(({ id }) => id),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(demoWorld()).toEqual(world);
  });
});

describe('[S10.8] demo accounts', () => {
  test('are those that the requirements name, a privacy officer, an employer, and two named after their language', () => {
    const names = (domain: string) =>
      accounts.flatMap(({ username }) =>
        username.endsWith(`@${domain}.caseway.test`) ? [username.split('@')[0]] : [],
      );
    expect(names('demo').sort()).toEqual(
      [
        'sysadmin',
        'admin',
        'epi',
        'investigator',
        'dis',
        'supervisor',
        'programs',
        'clinician',
        'lab',
        'entry',
        'analyst',
        'orgadmin',
        'facility',
        'jurisdiction',
        'auditor',
        'patient',
        'privacy',
        'employer',
        'espanol',
        'kreyol',
      ].sort(),
    );
    expect(names('vendor').sort()).toEqual(['admin', 'analyst', 'lab']);
  });

  test('staff work in English, except those who are named after their language', () => {
    const others = accounts.flatMap(({ username, languageCode, patient }) =>
      patient || languageCode === 'en' ? [] : [[username.split('@')[0], languageCode]],
    );
    expect(others).toEqual([
      ['espanol', 'es'],
      ['kreyol', 'ht'],
    ]);
  });

  const rolesOf = (username: string) =>
    accounts.find((account) => account.username === username)!.memberships.flatMap(({ roles }) => roles);
  const holds = (code: string, permission: string): boolean => {
    const role = defaultRoles.find((one) => one.code === code)!;
    return (
      role.grants.some(({ allow = [] }) => (allow as readonly string[]).includes(permission)) ||
      role.inherits.some((parent) => holds(parent, permission))
    );
  };

  test('epi has several organisations and no restricted family; investigator may see restricted families', () => {
    expect(
      accounts.find(({ username }) => username.startsWith('epi@'))!.memberships.length,
    ).toBeGreaterThanOrEqual(2);
    expect(rolesOf('epi@demo.caseway.test').some((role) => holds(role, 'restricted-families/read'))).toBe(
      false,
    );
    expect(
      rolesOf('investigator@demo.caseway.test').some((role) => holds(role, 'restricted-families/read')),
    ).toBe(true);
  });

  test('one account imports, maps codes and decides pairs; the others do the part of their work, as the README says', () => {
    const may = (name: string) =>
      ['imports/write', 'mappings/write', 'patients/merge'].filter((permission) =>
        rolesOf(`${name}@demo.caseway.test`).some((role) => holds(role, permission)),
      );
    expect(may('epi')).toEqual(['imports/write', 'mappings/write', 'patients/merge']);
    expect(may('lab')).toEqual(['imports/write', 'mappings/write']);
    expect(may('entry')).toEqual(['imports/write']);
    for (const name of ['investigator', 'supervisor']) expect(may(name)).toEqual(['patients/merge']);
  });

  test('[S1.5] a demo account can choose a school, a prison and an employer', () => {
    const chosen = new Set(
      accounts.flatMap(({ memberships }) => memberships.map(({ orgType, orgId }) => `${orgType}:${orgId}`)),
    );
    const experiences = [world.demo, world.vendor].flatMap(({ organizations }) =>
      organizations.flatMap(({ id, experience }) => (chosen.has(`O:${id}`) ? [experience] : [])),
    );
    expect(experiences).toEqual(expect.arrayContaining(['EDUCATION', 'CORRECTIONS', 'WORKPLACE']));
  });

  test('jurisdiction is a user of a jurisdiction with three counties', () => {
    const [membership] = accounts.find(({ username }) => username.startsWith('jurisdiction@'))!.memberships;
    expect(membership!.orgType).toBe('PHJ');
    expect(world.jurisdictions.find(({ id }) => id === membership!.orgId)!.countyFips).toHaveLength(3);
  });

  test('every assigned role exists, and every parent role too', () => {
    const codes = new Set(defaultRoles.map(({ code }) => code));
    for (const account of accounts)
      for (const role of account.memberships.flatMap(({ roles }) => roles)) expect(codes).toContain(role);
    for (const role of defaultRoles) for (const parent of role.inherits) expect(codes).toContain(parent);
  });

  test('a read-only analyst reads numbers and no single record', () => {
    expect(holds('read-only-analyst', 'testing-analytics/read')).toBe(true);
    for (const permission of ['line-lists/read', 'case-reports/read', 'patients/read'])
      expect(holds('read-only-analyst', permission)).toBe(false);
  });
});
