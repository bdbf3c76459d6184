import type { HistoryEntry } from '@caseway/contract/record-history';
import type { AccessCheck, Role, RoleDraft, RolePreview } from '@caseway/contract/roles';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { changingUsers } from '../../../test/changing-users.ts';
import { asSuperuser } from '../../../test/database.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from './default-roles.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);
const orgadmin = await signInAs(testing, 'orgadmin@demo.caseway.test');
const facility = await signInAs(testing, 'facility@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const system = await signInAs(testing, 'sysadmin@demo.caseway.test');
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');
const role = (code: string) => defaultRoleId(demo.id, code);

const { ask, ok } = askingAs(testing, admin);
type List = { version: number; kinds: string[]; roles: Role[]; held: string[] };
const list = (headers?: Headers) => ok<List>('GET', 'roles', undefined, headers);
const draftOf = ({ label, labelI18N, parentIds, grants }: Role): RoleDraft =>
  ({ label, labelI18N, parentIds, grants }) as RoleDraft;
const membershipOf = async (email: string, orgType = 'T') =>
  (
    await asSuperuser<{ id: string }>(
      `select m.id from membership m join account a on a.id = m.account_id where a.email = $1 and m.org_type = $2`,
      [email, orgType],
      superuserUrl,
    )
  )[0]!.id;

describe('the roles of a tenant [S6.8]', () => {
  test('are listed with their grants, inheritance, and number of people', async () => {
    const { roles, kinds, held } = await list();
    expect(kinds).toEqual(['T', 'O', 'F', 'PHJ']);
    expect(held).toContain('roles/write');
    const epidemiologist = roles.find(({ code }) => code === 'epidemiologist')!;
    expect(epidemiologist).toMatchObject({
      label: 'Epidemiologist',
      parentIds: [role('read-only-analyst')],
      // One person, in three organisations.
      holders: 1,
    });
    expect(epidemiologist.grants).toContainEqual({ on: 'T', permission: 'mappings/write', effect: 'allow' });
    // Permissions for the administration of the system have no effect here.
    expect(roles.map(({ code }) => code)).not.toContain('system-administrator');
    expect((await list(system.headers)).kinds).toEqual(['A']);
    expect((await list(system.headers)).roles.map(({ code }) => code)).toContain('system-administrator');
  });

  test('are changed after a preview of the effects; the change is immediate, and is audited', async () => {
    const { version, roles } = await list();
    const analyst = roles.find(({ code }) => code === 'read-only-analyst')!;
    const draft = draftOf(analyst);
    draft.grants = [...draft.grants, { on: 'T', permission: 'line-lists/read', effect: 'allow' }];
    const change = { version, id: analyst.id, draft };
    const preview = await ok<RolePreview>('POST', 'roles/preview', change);
    expect(preview.refusals).toEqual([]);
    expect(preview.effects).toEqual([
      {
        kind: 'T',
        roleIds: [role('read-only-analyst')],
        people: 1,
        names: ['Anton Reyes'],
        gained: ['line-lists/read'],
        lost: [],
      },
    ]);
    expect((await list()).version).toBe(version);
    expect(await ok('POST', 'roles', change)).toEqual({ id: analyst.id, version: version + 1 });
    const { init } = await signInAs(testing, 'analyst@demo.caseway.test');
    expect(init.casbinPolicy).toContain('p, role:read-only-analyst, T, line-lists/read, allow');
    const [event] = await asSuperuser<{ detail: Record<string, unknown> }>(
      `select detail from audit_event where action = 'role/changed' and record_ids = array[$1::uuid]`,
      [analyst.id],
      superuserUrl,
    );
    expect(event!.detail).toMatchObject({ role: 'Read-only analyst', people: 1 });
    expect((event!.detail.after as { grants: string[] }).grants).toContain('T line-lists/read allow');
    expect((event!.detail.before as { grants: string[] }).grants).not.toContain('T line-lists/read allow');
    // Based on the previous version: someone else was faster.
    expect((await ask('POST', 'roles', change)).statusCode).toBe(409);
  });

  test('a new one is made, assigned, and removed once it has no people', async () => {
    const { version } = await list();
    const draft: RoleDraft = {
      label: 'Outbreak reader',
      labelI18N: { es: 'Lector de brotes' },
      parentIds: [role('member')],
      grants: [{ on: 'T', permission: 'case-reports/read', effect: 'allow' }],
    };
    const { id } = await ok<{ id: string }>('POST', 'roles', { version, id: null, draft });
    const made = (await list()).roles.find((one) => one.id === id)!;
    expect(made).toMatchObject({ ...draft, holders: 0 });
    const clinician = await membershipOf('clinician@demo.caseway.test');
    const give = (roles: string[]) => changingUsers(ask).tryChange(clinician, { roles });
    expect((await give([role('clinician'), id])).statusCode).toBe(200);
    const remove = async () => ask('POST', 'roles', { version: (await list()).version, id, draft: null });
    expect((await remove()).json().faults).toMatchObject([{ code: 'in-use' }]);
    expect((await give([role('clinician')])).statusCode).toBe(200);
    expect((await remove()).statusCode).toBe(200);
    expect((await list()).roles.some((one) => one.id === id)).toBe(false);
  });

  test('have a history by their parts, and a change of one can be undone', async () => {
    const draft: RoleDraft = {
      label: 'Night reader',
      labelI18N: {},
      parentIds: [],
      grants: [{ on: 'T', permission: 'case-reports/read', effect: 'allow' }],
    };
    const save = async (id: string | null, next: RoleDraft) =>
      ok<{ id: string; version: number }>('POST', 'roles', {
        version: (await list()).version,
        id,
        draft: next,
      });
    const { id, version: first } = await save(null, draft);
    const second = await save(id, {
      ...draft,
      label: 'Day reader',
      grants: [...draft.grants, { on: 'O', permission: 'case-reports/read', effect: 'allow' }],
    });
    const history = async (headers?: Headers) =>
      (await ok<{ entries: HistoryEntry[] }>('GET', `roles/${id}/history`, undefined, headers)).entries;
    expect((await history()).map(({ version, changes, undoes }) => [version, changes, undoes])).toEqual([
      [
        second.version,
        {
          label: { from: 'Night reader', to: 'Day reader' },
          'grant/O/case-reports/read': { from: '', to: 'allow' },
        },
        null,
      ],
      [first, { label: { to: 'Night reader' }, 'grant/T/case-reports/read': { to: 'allow' } }, null],
    ]);
    // Roles belong to the whole tenant, and so does their history.
    expect(await history(orgadmin.headers)).toEqual([]);
    const third = await save(id, { ...draft, label: 'Evening reader' });
    const undo = (version: number, headers?: Headers) =>
      ask('POST', `roles/${id}/undo`, { version }, headers);
    expect((await undo(third.version, orgadmin.headers)).statusCode).toBe(403);
    expect((await undo(third.version, vendorAdmin.headers)).statusCode).toBe(404);
    expect((await undo(first)).statusCode).toBe(404);
    const undone = (await undo(second.version)).json<{ kept: string[]; code?: string }>();
    // Both have been changed again.
    expect(undone.code).toBe('conflict');
    expect((await undo(third.version)).json()).toMatchObject({
      record: { label: 'Day reader', grants: [{ on: 'O' }, { on: 'T' }] },
      kept: [],
    });
    const partly = await save(id, { ...draft, label: 'Day reader' });
    expect((await undo(second.version)).json()).toMatchObject({
      record: { label: 'Night reader', grants: draft.grants },
      kept: ['grant/O/case-reports/read'],
    });
    expect((await history())[0]).toMatchObject({ undoes: second.version, version: partly.version + 1 });
    // Something that nobody could give back cannot be undone either.
    const roles = (await list()).roles;
    const own = roles.find((one) => one.id === role('tenant-administrator'))!;
    const { statusCode } = await ask('POST', 'roles', {
      version: (await list()).version,
      id: own.id,
      draft: { ...draftOf(own), grants: own.grants.filter(({ permission }) => permission !== 'roles/write') },
    });
    expect(statusCode).toBe(422);
    expect((await ok<{ entries: [] }>('GET', `roles/${own.id}/history`)).entries).toEqual([]);
  });

  test('two with one name are refused, with or without accents', async () => {
    const { version } = await list();
    const draft = { label: 'AUDITÓR', labelI18N: {}, parentIds: [], grants: [] };
    const response = await ask('POST', 'roles', { version, id: null, draft });
    expect([response.statusCode, response.json().faults[0].code]).toEqual([422, 'name-taken']);
  });

  test('[P8] inherit only from roles of the tenant: any other is named, and nothing changes', async () => {
    const { version, roles } = await list();
    const vendors = (await list(vendorAdmin.headers)).roles[0]!.id;
    for (const stranger of [crypto.randomUUID(), vendors]) {
      const draft = { label: 'Heir', labelI18N: {}, parentIds: [role('member'), stranger], grants: [] };
      for (const path of ['roles/preview', 'roles']) {
        const response = await ask('POST', path, { version, id: null, draft });
        expect([response.statusCode, response.json().faults]).toMatchObject([
          422,
          [{ path: 'draft.parentIds.1', code: 'unknown-role' }],
        ]);
      }
    }
    expect(await list()).toMatchObject({ version, roles: roles.map(({ id }) => ({ id })) });
  });

  test('are changed by people who act for the whole tenant, and are separate for each tenant', async () => {
    const { version, roles } = await list();
    const change = {
      version,
      id: role('auditor'),
      draft: draftOf(roles.find(({ code }) => code === 'auditor')!),
    };
    expect((await ask('POST', 'roles', change, orgadmin.headers)).statusCode).toBe(403);
    expect((await ask('POST', 'roles', change, epi.headers)).statusCode).toBe(403);
    expect((await ask('POST', 'roles', change, {})).statusCode).toBe(401);
    expect((await list(vendorAdmin.headers)).roles.some(({ id }) => id === role('auditor'))).toBe(false);
    const theirs = await list(vendorAdmin.headers);
    expect(
      (await ask('POST', 'roles', { ...change, version: theirs.version }, vendorAdmin.headers)).statusCode,
    ).toBe(404);
    expect((await ask('GET', 'roles', undefined, epi.headers)).statusCode).toBe(403);
  });
});

describe('“can this user do that here, and by which line?”', () => {
  const check = async (membershipId: string, permission: string, headers?: Headers) =>
    ok<AccessCheck>('POST', 'roles/check', { membershipId, permission }, headers);

  test('is answered with the lines and the path through the roles', async () => {
    const answer = await check(await membershipOf('epi@demo.caseway.test'), 'testing-analytics/read');
    expect(answer).toEqual({
      allowed: true,
      ended: false,
      featureOff: false,
      subject: 'T',
      lines: [
        {
          line: 'p, role:read-only-analyst, T, testing-analytics/read, allow',
          effect: 'allow',
          roleIds: [role('epidemiologist'), role('read-only-analyst')],
        },
      ],
    });
    expect(await check(await membershipOf('epi@demo.caseway.test'), 'audit/read')).toMatchObject({
      allowed: false,
      lines: [],
    });
  });

  test('considers switched-off features and ended memberships', async () => {
    const id = await membershipOf('lab@demo.caseway.test');
    const sql = (text: string) => asSuperuser(text, [demo.id], superuserUrl);
    await sql(`update tenant set tenant_features = array_remove(tenant_features, 'imports') where id = $1`);
    expect(await check(id, 'imports/read')).toMatchObject({
      allowed: false,
      featureOff: true,
      lines: [{ effect: 'allow' }],
    });
    await sql(`update tenant set tenant_features = tenant_features || '{imports}' where id = $1`);
    expect(await check(id, 'imports/read')).toMatchObject({ allowed: true, featureOff: false });
    // A feature that is off for one place is off only for people who act for it.
    const [{ id: facility }] = (await asSuperuser<{ id: string }>(
      `select m.id from membership m join account a on a.id = m.account_id
       where a.username = 'facility@demo.caseway.test' and m.org_type = 'F'`,
      [],
      superuserUrl,
    )) as [{ id: string }];
    await sql(`insert into feature_switch (tenant_id, org_type, org_id, feature, is_on)
      select tenant_id, org_type, org_id, 'case-reports', false from membership where tenant_id = $1 and id = '${facility}'`);
    expect(await check(facility, 'case-reports/read')).toMatchObject({ allowed: false, featureOff: true });
    expect(await check(id, 'case-reports/read')).toMatchObject({ featureOff: false });
    await sql('delete from feature_switch where tenant_id = $1');
    await asSuperuser('update membership set ended_at = now() where id = $1', [id], superuserUrl);
    expect(await check(id, 'imports/read')).toMatchObject({ allowed: false, ended: true });
    await asSuperuser('update membership set ended_at = null where id = $1', [id], superuserUrl);
  });

  test('[P1] is not answered about people whom the reader does not administer', async () => {
    const id = await membershipOf('epi@demo.caseway.test');
    const body = { membershipId: id, permission: 'audit/read' };
    expect((await ask('POST', 'roles/check', body, vendorAdmin.headers)).statusCode).toBe(404);
    expect((await ask('POST', 'roles/check', body, orgadmin.headers)).statusCode).toBe(404);
    expect((await ask('POST', 'roles/check', body, epi.headers)).statusCode).toBe(403);
  });

  test('people are found by the beginnings of their names', async () => {
    const found = async (words: string, headers?: Headers) =>
      (
        await ok<{ users: { name: string; orgName: string }[] }>('POST', 'users/find', { words }, headers)
      ).users.map(({ name, orgName }) => `${name} ${orgName}`);
    expect(await found('stone adae')).toEqual([`Adaeze Stone ${demo.name}`]);
    expect(await found('orgadmin@')).toEqual(['Odette Larkin Mangrove Community Health Network']);
    expect(await found('stone', orgadmin.headers)).toEqual([]);
  });
});

describe('“why can’t I?”', () => {
  type Granters = { roles: { label: string }[]; people: { name: string; email: string }[] };
  const granters = (permission: string, headers: Headers) =>
    ok<Granters>('GET', `access/granters?permission=${permission}`, undefined, headers);

  test('names the roles that allow it here, and who can grant it', async () => {
    const { roles, people } = await granters('audit/read', epi.headers);
    expect(roles.map(({ label }) => label)).toEqual(['Auditor', 'Privacy officer', 'Tenant administrator']);
    expect(people).toEqual([{ name: 'Adaeze Stone', email: 'admin@demo.caseway.test' }]);
  });

  test('names the nearest first: an organisation’s own administrator, if they have it', async () => {
    const near = await granters('case-reports/read', facility.headers);
    expect(near.people.map(({ name }) => name)).toEqual(['Odette Larkin', 'Adaeze Stone']);
    const far = await granters('case-reports/write', facility.headers);
    expect(far.people.map(({ name }) => name)).toEqual(['Adaeze Stone']);
  });

  test('for a jurisdiction names the tenant that runs it', async () => {
    expect((await granters('presets/share', jurisdiction.headers)).people.map(({ name }) => name)).toEqual([
      'Adaeze Stone',
    ]);
  });

  test('is answered for everyone who is signed in, and for no one else', async () => {
    expect((await ask('GET', 'access/granters?permission=audit/read', undefined, {})).statusCode).toBe(401);
    expect((await ask('GET', 'access/granters?permission=no/such', undefined, epi.headers)).statusCode).toBe(
      422,
    );
  });
});
