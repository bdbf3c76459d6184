import type { jurisdictions, organizations } from '@caseway/contract/places';
import type { RecordOf } from '@caseway/contract/record';
import { describe, expect, test } from 'vitest';
import { makeMember } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../roles/default-roles.ts';
import { placesWorld } from './test-places.ts';

const { testing, database, demo, vendor, sql, ask, ok, refused, options, audited, search } =
  await placesWorld();
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');

let counted = 0;
const anOrganization = (more: object = {}) => ({
  name: `Organization ${++counted}`,
  experience: 'WORKPLACE',
  contactName: null,
  contactEmail: null,
  contactPhone: null,
  ...more,
});

describe('organisations', () => {
  test('are made, found and changed, with before and after in the log [P15]', async () => {
    const made = await ok<RecordOf<typeof organizations>>(
      'POST',
      'organizations',
      anOrganization({ name: 'Osprey Schools', experience: 'EDUCATION', contactEmail: 'desk@example.org' }),
    );
    expect(made).toMatchObject({
      name: 'Osprey Schools',
      version: 1,
      active: true,
      facilities: 0,
      programs: 0,
    });
    const { rows } = await search<RecordOf<typeof organizations>>('organizations', {
      filterModel: { items: [], quickFilterValues: ['osp'] },
    });
    expect(rows).toEqual([made]);

    const changed = await ok<RecordOf<typeof organizations>>('PATCH', `organizations/${made.id}`, {
      version: 1,
      contactPhone: '+18135550123',
    });
    expect(changed).toMatchObject({ contactPhone: '+18135550123', version: 2 });
    expect(await audited(made.id)).toMatchObject([
      { action: 'organization/made', detail: { after: { name: 'Osprey Schools' } } },
      {
        action: 'organization/changed',
        detail: { before: { contactPhone: null }, after: { contactPhone: '+18135550123' } },
      },
    ]);
    // A change without effect is not logged.
    await ok('PATCH', `organizations/${made.id}`, { version: 2, name: 'Osprey Schools' });
    expect(await audited(made.id)).toHaveLength(2);
  });

  test('all faults are reported together, each at its field [S5.1]', async () => {
    expect(
      await refused(
        'POST',
        'organizations',
        anOrganization({
          name: ' ',
          contactEmail: 'x',
          contactPhone: '1',
          experience: 'SYSTEM_ADMINISTRATION',
        }),
      ),
    ).toEqual([
      422,
      'name too_small',
      'experience invalid_value',
      'contactEmail invalid_format',
      'contactPhone invalid-phone',
    ]);
    const taken = demo.organizations[0]!.name.toUpperCase();
    expect(await refused('POST', 'organizations', anOrganization({ name: taken }))).toEqual([
      422,
      'name name-taken',
    ]);
  });

  test('if two people enter the same name at the same time, only one gets it', async () => {
    const twin = anOrganization({ name: 'Twin Lakes Partners' });
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', 'organizations', twin)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422, 422]);
  });

  test('a new one can be assigned to people; a deactivated one lets no one in and keeps its records [S3.5, P14]', async () => {
    const organization = await ok<RecordOf<typeof organizations>>('POST', 'organizations', anOrganization());
    const place = { orgType: 'O', orgId: organization.id };
    const offered = async () =>
      (
        await ok<{ organizations: { id: string }[] }>(
          'GET',
          `users/organizations?orgType=O&words=${encodeURIComponent(organization.name)}`,
        )
      ).organizations.map(({ id }) => id);
    expect(await offered()).toEqual([organization.id]);
    const { account } = await makeMember(database, { tenant_id: demo.id });
    const [{ id: membership }] = (await sql<{ id: string }>(
      'select id from membership where account_id = $1',
      [account.id],
    )) as [{ id: string }];
    const roleIds = [defaultRoleId(demo.id, 'organization-administrator')];
    await ok('POST', `users/${membership}/memberships`, { ...place, roleIds });
    const member = await signInAs(testing, account.username, `O:${organization.id}`);
    expect(member.init.selectedOrg).toMatchObject({ id: organization.id, orgType: 'O' });
    expect(member.init.casbinPolicy.some((line) => line.includes(`O:${organization.id}`))).toBe(true);
    const works = async () =>
      (await ask('POST', 'grid/organization-users/search', {}, member.headers)).statusCode;
    expect(await works()).toBe(200);

    await ok('PATCH', `organizations/${organization.id}`, { version: 1, active: false });
    // It leaves the list of organisations to switch to immediately; already checked access ends within five seconds.
    const orgs = async () => (await actFor(testing, member.tokens)).init.availableOrgs.map(({ id }) => id);
    expect(await orgs()).not.toContain(organization.id);
    await expect.poll(works, { interval: 100 }).toBe(403);
    expect(await offered()).toEqual([]);
    expect(await refused('POST', `users/${membership}/memberships`, { ...place, roleIds })).toEqual([
      422,
      'orgId unknown-organization',
    ]);
    // The tenant still reads its name, marked as no longer in use.
    expect((await options('organizations')).find(({ id }) => id === organization.id)).toMatchObject({
      label: organization.name,
      inactive: true,
    });

    await ok('PATCH', `organizations/${organization.id}`, { version: 2, active: true });
    expect(await orgs()).toContain(organization.id);
    await expect.poll(works, { interval: 100 }).toBe(200);
    expect((await audited(organization.id)).map(({ action }) => action).slice(1)).toEqual([
      'organization/deactivated',
      'organization/reactivated',
    ]);
  });
});

describe('jurisdictions', () => {
  const fields = (more: object = {}) => ({
    name: `Jurisdiction ${++counted}`,
    parent: null,
    counties: ['12057', '12103'],
    reporting: true,
    ...more,
  });

  test('have counties of the reference data and can be inside others, but not in a circle', async () => {
    const outer = await ok<RecordOf<typeof jurisdictions>>('POST', 'jurisdictions', fields());
    expect(outer).toMatchObject({ counties: ['12057', '12103'], reporting: true, active: true });
    const inner = await ok<RecordOf<typeof jurisdictions>>(
      'POST',
      'jurisdictions',
      fields({ parent: outer.id }),
    );
    expect(await refused('PATCH', `jurisdictions/${outer.id}`, { version: 1, parent: inner.id })).toEqual([
      422,
      'parent circle',
    ]);
    expect(await refused('POST', 'jurisdictions', fields({ counties: ['12999'] }))).toEqual([
      422,
      'counties unknown-choice',
    ]);
    expect(await refused('POST', 'jurisdictions', fields({ counties: [] }))).toEqual([
      422,
      'counties too_small',
    ]);
    const changed = await ok<RecordOf<typeof jurisdictions>>('PATCH', `jurisdictions/${outer.id}`, {
      version: 1,
      counties: ['12103', '12101'],
      reporting: false,
    });
    expect(changed).toMatchObject({ counties: ['12101', '12103'], reporting: false, version: 2 });
    expect((await audited(outer.id)).at(-1)).toMatchObject({
      action: 'jurisdiction/changed',
      detail: {
        before: { counties: ['12057', '12103'], reporting: true },
        after: { counties: ['12103', '12101'], reporting: false },
      },
    });
  });

  test('the new counties apply to its users, and a deactivated one lets no one in [P14, S6.9]', async () => {
    const made = await ok<RecordOf<typeof jurisdictions>>(
      'POST',
      'jurisdictions',
      fields({ counties: ['12057'] }),
    );
    const { account, membership } = await makeMember(database, {
      tenant_id: demo.id,
      org_type: 'PHJ',
      org_id: made.id,
    });
    await sql('insert into membership_role (tenant_id, membership_id, role_id) values ($1, $2, $3)', [
      demo.id,
      membership.id,
      defaultRoleId(demo.id, 'jurisdiction-user'),
    ]);
    const member = await signInAs(testing, account.username);
    const counties = async () => (await options('counties', member.headers)).map(({ id }) => id);
    expect(await counties()).toEqual(['12057']);
    await ok('PATCH', `jurisdictions/${made.id}`, { version: 1, counties: ['12057', '12101'] });
    await expect.poll(counties, { interval: 100 }).toEqual(['12057', '12101']);
    await ok('PATCH', `jurisdictions/${made.id}`, { version: 2, active: false });
    expect((await actFor(testing, member.tokens)).init.availableOrgs).toEqual([]);
    await expect
      .poll(async () => (await ask('GET', 'list/options/counties', undefined, member.headers)).statusCode, {
        interval: 100,
      })
      .toBe(403);
  });

  test('get from tenants that report to them only the counties of the time when reporting began [P1]', async () => {
    const made = await ok<RecordOf<typeof jurisdictions>>(
      'POST',
      'jurisdictions',
      fields({ counties: ['12057', '12103'] }),
    );
    await sql('insert into tenant_reporting (tenant_id, jurisdiction_id) values ($1, $2)', [
      vendor.id,
      made.id,
    ]);
    const change = (counties: string[], version = 1) => ({ version, counties });
    expect(await refused('PATCH', `jurisdictions/${made.id}`, change(['12057', '12103', '12101']))).toEqual([
      422,
      'counties others-report',
    ]);
    // Another tenant's administrator sees nothing of it.
    expect(
      (await ask('PATCH', `jurisdictions/${made.id}`, change(['12101']), vendorAdmin.headers)).statusCode,
    ).toBe(404);
    const fewer = await ok<RecordOf<typeof jurisdictions>>(
      'PATCH',
      `jurisdictions/${made.id}`,
      change(['12103']),
    );
    expect(fewer.counties).toEqual(['12103']);
  });
});
