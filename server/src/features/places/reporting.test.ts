import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import type { CaseReportRow } from '@caseway/contract/case-reports';
import { testing as testingAnalytics } from '@caseway/contract/dashboards/testing';
import type {
  jurisdictions as jurisdictionRecords,
  ReportedJurisdiction,
  Reporting,
} from '@caseway/contract/places';
import type { RecordOf } from '@caseway/contract/record';
import type { LookupOption } from '@caseway/contract/reference';
import { initialFilters } from '@caseway/contract/search-params';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeCaseReport, makeMember, makePatient, makeResult } from '../../../test/factories.ts';
import { type SignedIn, signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../roles/default-roles.ts';
import { placesWorld } from './test-places.ts';

const { testing, database, demo, vendor, sql, ask, ok, refused } = await placesWorld();
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');
const jurisdictionUser = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const jurisdictionId = jurisdictionUser.init.selectedOrg!.id;
const { headers: byVendor } = vendorAdmin;

const listed = (headers: SignedIn['headers'], words = '') =>
  ok<{ jurisdictions: ReportedJurisdiction[]; total: number }>(
    'GET',
    `reporting?words=${words}`,
    undefined,
    headers,
  );
const seen = async (headers: SignedIn['headers'], id = jurisdictionId) =>
  (await listed(headers)).jurisdictions.find((one) => one.id === id)!;
/** Makes a tenant's decision, based on what it sees now. */
async function decide(after: Reporting | null, headers = byVendor, id = jurisdictionId) {
  const { version, reporting: before } = await seen(headers, id);
  return ok<ReportedJurisdiction>('PUT', `reporting/${id}`, { version, before, after }, headers);
}
const plainly = { restrictedFamilies: false };
const wholly = { restrictedFamilies: true };

/** The cases and tests that the jurisdiction's user sees. */
const read = async () =>
  (
    await ok<{ rows: CaseReportRow[] }>('POST', 'grid/case-reports/search', {}, jurisdictionUser.headers)
  ).rows.map(({ caseId }) => caseId);
const counted = async () =>
  (
    await ok<AnalyticsAnswer>(
      'POST',
      'analytics/testing',
      {
        dateRangeValue: { start: '2026-01-01', end: '2026-06-30' },
        filters: initialFilters(testingAnalytics),
        eventDate: 'collected',
      },
      jurisdictionUser.headers,
    )
  ).measures.tests!.value;
/** A reader's rights are cached for five seconds, and the last request may come just before their end. [P14] */
const soon = <T>(question: () => Promise<T>) => expect.poll(question, { interval: 50 });

/** A person of the jurisdiction's county with two cases and two results, one restricted of each. */
async function store(tenantId: string, number: number): Promise<void> {
  const { id: patientId } = await makePatient(database, { tenant_id: tenantId, county_fips: '12057' });
  const of = { tenant_id: tenantId, patient_id: patientId, county_fips: '12057' };
  for (const [at, family] of ['chlamydia', 'hiv'].entries()) {
    const kind = { disease_family: family, condition_code: family };
    await makeCaseReport(database, { ...of, ...kind, case_id: `2026-${number}00000${at + 1}` });
    await makeResult(database, { ...of, ...kind, collected_on: '2026-03-02' });
  }
}
const [ours, oursHiv] = ['2026-8000001', '2026-8000002'];
const [theirs, theirsHiv] = ['2026-9000001', '2026-9000002'];
/** Gives a jurisdiction's user the permission for restricted families, or removes it. */
async function grant(granted: boolean): Promise<void> {
  const role = [demo.id, defaultRoleId(demo.id, 'jurisdiction-user')];
  await sql(
    granted
      ? `insert into role_grant (tenant_id, role_id, obj, act, eft) values ($1, $2, 'PHJ', 'restricted-families/read', 'allow')
         on conflict do nothing`
      : `delete from role_grant where tenant_id = $1 and role_id = $2 and act = 'restricted-families/read'`,
    role,
  );
  await sql('update policy_version set version = version + 1 where tenant_id = $1', [demo.id]);
}

beforeAll(async () => {
  // So that differences also show to readers who only get numbers.
  await sql(`insert into role_grant (tenant_id, role_id, obj, act, eft)
  select tenant_id, id, kind, 'analytics/exact', 'allow' from role, unnest(array['T', 'O', 'F', 'PHJ']) kind
  where code = 'read-only-analyst'`);
  await store(demo.id, 8);
  await store(vendor.id, 9);
});

describe('the jurisdictions that a tenant reports to', () => {
  test('are visible to and decided by people who may write its settings [S6.4]', async () => {
    const body = { version: 1, before: plainly, after: null };
    const epi = await signInAs(testing, 'epi@demo.caseway.test');
    for (const headers of [{}, epi.headers, jurisdictionUser.headers]) {
      const status = 'authorization' in headers ? 403 : 401;
      expect((await ask('GET', 'reporting', undefined, headers)).statusCode).toBe(status);
      expect((await ask('PUT', `reporting/${jurisdictionId}`, body, headers)).statusCode).toBe(status);
      const reporters = await ask('GET', `jurisdictions/${jurisdictionId}/reporting`, undefined, headers);
      expect(reporters.statusCode).toBe(status);
    }
    expect((await ask('PUT', `reporting/${demo.id}`, body)).statusCode).toBe(404);
  });

  test('come from the list of all jurisdictions, its own ones first, found by words', async () => {
    const other = await ok<RecordOf<typeof jurisdictionRecords>>('POST', 'jurisdictions', {
      name: 'Aardvark County',
      parent: null,
      counties: ['12001'],
      reporting: true,
    });
    const { jurisdictions } = await listed(byVendor);
    const at = jurisdictions.findIndex(({ id }) => id === other.id);
    expect(jurisdictions[at]).toEqual({
      id: other.id,
      version: 1,
      name: 'Aardvark County',
      counties: ['12001'],
      managedBy: demo.name,
      own: false,
      open: true,
      reporting: null,
      since: null,
    });
    expect(jurisdictions.findIndex(({ reporting }) => reporting === null)).toBe(at);
    expect((await listed(byVendor, 'aardv gulf')).jurisdictions.map(({ id }) => id)).toEqual([other.id]);
    expect(await listed(byVendor, 'aardv tidal')).toEqual({ jurisdictions: [], total: 0 });
    expect(await seen((await signInAs(testing, 'admin@demo.caseway.test')).headers, other.id)).toMatchObject({
      own: true,
      reporting: plainly,
      since: expect.any(String),
    });
  });

  test('reporting to a deactivated jurisdiction, or one of a suspended tenant, can be ended but not begun', async () => {
    const made = await ok<RecordOf<typeof jurisdictionRecords>>('POST', 'jurisdictions', {
      name: 'Zebra County',
      parent: null,
      counties: ['12001'],
      reporting: false,
    });
    const { version } = await decide(plainly, byVendor, made.id);
    expect(version).toBe(2);
    await ok('PATCH', `jurisdictions/${made.id}`, { version, active: false });
    expect(await seen(byVendor, made.id)).toMatchObject({ open: false, reporting: plainly });
    const body = { version: 3, before: plainly, after: null };
    expect((await ask('PUT', `reporting/${made.id}`, body, byVendor)).statusCode).toBe(200);
    // Answered as if it did not exist.
    expect(await seen(byVendor, made.id)).toBeUndefined();
    const again = { version: 4, before: null, after: plainly };
    expect((await ask('PUT', `reporting/${made.id}`, again, byVendor)).statusCode).toBe(404);

    await sql('update tenant set suspended_at = now() where id = $1', [demo.id]);
    const open = (await listed(byVendor)).jurisdictions.map((one) => [one.open, one.reporting !== null]);
    expect(open.length).toBeGreaterThan(0);
    expect(new Set(open.map(String))).toEqual(new Set(['false,true']));
    await sql('update tenant set suspended_at = null where id = $1', [demo.id]);
  });

  test('no one starts reporting on outdated information: neither the reporting nor the counties may have changed [P1]', async () => {
    const made = await ok<RecordOf<typeof jurisdictionRecords>>('POST', 'jurisdictions', {
      name: 'Changing County',
      parent: null,
      counties: ['12001'],
      reporting: false,
    });
    const begin = { version: 1, before: null, after: plainly };
    await ok('PATCH', `jurisdictions/${made.id}`, { version: 1, counties: ['12001', '12057'] });
    expect(await refused('PUT', `reporting/${made.id}`, begin, byVendor)).toEqual([409]);
    await decide(plainly, byVendor, made.id);
    expect(await refused('PUT', `reporting/${made.id}`, { ...begin, version: 3 }, byVendor)).toEqual([409]);
    // Its manager cannot add any to the agreed ones.
    const more = { version: 3, counties: ['12001', '12057', '12086'] };
    expect(await refused('PATCH', `jurisdictions/${made.id}`, more)).toEqual([422, 'counties others-report']);
    await decide(null, byVendor, made.id);
    await ok('PATCH', `jurisdictions/${made.id}`, { ...more, version: 4 });
  });
});

describe('what a jurisdiction reads of a tenant', () => {
  test('disappears within five seconds when reporting ends, and comes back when it begins [S6.9, P14]', async () => {
    await soon(counted).toBe(2);
    expect((await read()).sort()).toEqual([ours, theirs]);
    await decide(null);
    await soon(read).toEqual([ours]);
    await soon(counted).toBe(1);
    await decide(plainly);
    await soon(async () => (await read()).sort()).toEqual([ours, theirs]);
    await soon(counted).toBe(2);
  });

  test('a former jurisdiction of a tenant is still named, and marked as no longer in use', async () => {
    const option = async () =>
      (
        await ok<{ options: LookupOption[] }>('GET', 'list/options/jurisdictions', undefined, byVendor)
      ).options.find(({ id }) => id === jurisdictionId)!;
    expect(await option()).not.toHaveProperty('inactive', true);
    await decide(null);
    expect(await option()).toMatchObject({ label: expect.any(String), inactive: true });
    await decide(plainly);
  });

  test.each([
    [false, false, [ours, theirs], 2],
    [false, true, [ours, theirs], 2],
    [true, false, [ours, theirs], 2],
    [true, true, [ours, theirs, theirsHiv], 3],
  ])(
    '[P18] with the permission %s and the consent of a tenant %s',
    async (granted, consented, cases, tests) => {
      await grant(granted);
      await decide({ restrictedFamilies: consented });
      await soon(async () => (await read()).sort()).toEqual(cases);
      await soon(counted).toBe(tests);
      await grant(false);
      await decide(plainly);
    },
  );

  test('[P18] the managing tenant decides about its own records like any other', async () => {
    const admin = (await signInAs(testing, 'admin@demo.caseway.test')).headers;
    await grant(true);
    await decide(wholly, admin);
    await soon(async () => (await read()).sort()).toEqual([ours, oursHiv, theirs]);
    // A change of the jurisdiction does not affect that.
    const { version } = await seen(admin);
    const name = 'Bay Region of another name';
    await ok('PATCH', `jurisdictions/${jurisdictionId}`, { version, name });
    expect((await seen(admin)).reporting).toEqual(wholly);
    await ok('PATCH', `jurisdictions/${jurisdictionId}`, { version: version + 1, reporting: false });
    await soon(read).toEqual([theirs]);
    await ok('PATCH', `jurisdictions/${jurisdictionId}`, { version: version + 2, reporting: true });
    await soon(async () => (await read()).sort()).toEqual([ours, theirs]);
    await grant(false);
  });

  test('[P18] people who may not see restricted families cannot include them, but can leave them out', async () => {
    const { account, membership } = await makeMember(database, { tenant_id: vendor.id });
    const [role] = await sql<{ id: string }>(
      `insert into role (tenant_id, id, code, label) values ($1, gen_random_uuid(), 'clerk', 'Clerk') returning id`,
      [vendor.id],
    );
    await sql(
      `insert into role_grant (tenant_id, role_id, obj, act, eft) values ($1, $2, 'T', 'settings/write', 'allow')`,
      [vendor.id, role!.id],
    );
    await sql('insert into membership_role (tenant_id, membership_id, role_id) values ($1, $2, $3)', [
      vendor.id,
      membership.id,
      role!.id,
    ]);
    await sql('update policy_version set version = version + 1 where tenant_id = $1', [vendor.id]);
    const { headers } = await signInAs(testing, account.username);
    const { version } = await seen(headers);
    const include = { version, before: plainly, after: wholly };
    const answer = await ask('PUT', `reporting/${jurisdictionId}`, include, headers);
    expect([answer.statusCode, answer.json().permission]).toEqual([403, 'restricted-families/read']);
    await decide(wholly);
    expect(await decide(plainly, headers)).toMatchObject({ reporting: plainly });
    await decide(null, headers);
    const begin = { version: (await seen(headers)).version, before: null, after: wholly };
    expect(await refused('PUT', `reporting/${jurisdictionId}`, begin, headers)).toEqual([403]);
    await decide(plainly, headers);
  });
});

describe('visibility of the decision', () => {
  test('the log of the tenant says who and what, that of the manager only what [P15]', async () => {
    const told = (tenantId: string) =>
      sql<{ action: string; account_id: string | null; detail: object }>(
        `select action, account_id, detail from audit_event
         where tenant_id = $1 and $2 = any (record_ids) and action like '%report%' order by at desc, id desc limit 3`,
        [tenantId, jurisdictionId],
      );
    await decide(null);
    await decide(plainly);
    await decide(wholly);
    const { name } = await decide(wholly);
    const place = { jurisdiction: name, managedBy: demo.name };
    const { id: who } = vendorAdmin.init.user;
    expect(await told(vendor.id)).toEqual([
      {
        action: 'reporting/changed',
        account_id: who,
        detail: { ...place, before: { restrictedReported: false }, after: { restrictedReported: true } },
      },
      {
        action: 'reporting/began',
        account_id: who,
        detail: { ...place, before: { reports: false }, after: { reports: true } },
      },
      {
        action: 'reporting/ended',
        account_id: who,
        detail: { ...place, before: { reports: true }, after: { reports: false } },
      },
    ]);
    expect(await told(demo.id)).toEqual(
      (await told(vendor.id)).map(({ action, detail }) => {
        const { before, after } = detail as { before: object; after: object };
        return {
          action: `jurisdiction/${action.replace('/', '-')}`,
          account_id: null,
          detail: { tenant: vendor.name, before, after },
        };
      }),
    );
    await decide(plainly);
  });

  test('only the manager of a jurisdiction sees which tenants report to it [P1]', async () => {
    const path = `jurisdictions/${jurisdictionId}/reporting`;
    const { tenants } = await ok<{ tenants: object[] }>('GET', path);
    expect(tenants).toMatchObject([
      { id: vendor.id, name: vendor.name, active: true, restrictedFamilies: false },
      { id: demo.id, name: demo.name, active: true, restrictedFamilies: false },
    ]);
    await decide(null);
    expect((await ok<{ tenants: object[] }>('GET', path)).tenants).toMatchObject([{ id: demo.id }]);
    await decide(plainly);
    expect((await ask('GET', path, undefined, byVendor)).statusCode).toBe(404);
  });
});
