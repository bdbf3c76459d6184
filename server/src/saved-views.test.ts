import { randomUUID } from 'node:crypto';
import { testing as testingAnalytics } from '@caseway/contract/dashboards/testing';
import { initialFilters } from '@caseway/contract/search-params';
import { afterEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { asSuperuser } from '../test/database.ts';
import { type SignedIn, signInAs } from '../test/sign-in.ts';
import { defaultRoleId } from './features/roles/default-roles.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);

// Both may share views; the administrator also changes settings. The others may only look.
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
const call = async (
  method: Method,
  url: string,
  { headers }: Pick<SignedIn, 'headers'>,
  payload?: object,
) => {
  const response = await app.fastify.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: response.statusCode, body: response.json() };
};
const lastEvent = async () =>
  (
    await asSuperuser<{ action: string; deed: string; detail: object }>(
      'select action, deed, detail from audit_event order by at desc, number desc limit 1',
      [],
      superuserUrl,
    )
  )[0]!;
const role = (code: string) => defaultRoleId(world.demo.id, code);

const listView = {
  filterModel: { items: [], logicOperator: 'and' },
  sortModel: [{ field: 'createdOn', sort: 'desc' }],
  filters: {},
  range: null,
};
const dashboardView = {
  filters: initialFilters(testingAnalytics),
  range: { relative: 'last-7-days' },
  eventDate: 'reported',
  granularity: null,
};
const both = [
  {
    name: 'a list',
    base: '/api/web/grid/case-reports',
    views: 'views',
    view: listView,
    looker: investigator,
  },
  {
    name: 'a dashboard',
    base: '/api/web/analytics/testing',
    views: 'presets',
    view: dashboardView,
    looker: analyst,
  },
];
const sharers = [epi, admin];

describe.each(both)('the saved views of $name', ({ base, views, view, looker }) => {
  const path = `${base}/${views}`;
  const list = async (of: SignedIn = admin) => (await call('GET', path, of)).body;
  const save = async (given: object = {}, of: SignedIn = epi) =>
    (await call('POST', path, of, { name: 'Ours', shared: true, view, ...given })).body;
  const change = (id: string, given: object, of: SignedIn = admin) =>
    call('PATCH', `${path}/${id}`, of, given);
  const remove = (id: string, version: number, of: SignedIn = admin) =>
    call('DELETE', `${path}/${id}?version=${version}`, of);
  afterEach(async () => {
    await asSuperuser('delete from analytics_preset', [], superuserUrl);
    await asSuperuser('delete from grid_preference', [], superuserUrl);
  });

  test('a shared one is changed and deleted by people who may share views', async () => {
    const { id } = await save();
    const [seen] = (await list()).presets;
    expect(seen).toMatchObject({ own: false, changeable: true, version: 1, locked: null });
    expect((await change(id, { version: 1, name: 'Theirs' })).body).toMatchObject({
      name: 'Theirs',
      own: false,
      version: 2,
    });
    expect(await lastEvent()).toMatchObject({ action: 'view/changed', deed: 'change', detail: { view: id } });
    expect((await list(epi)).presets).toMatchObject([{ name: 'Theirs', own: true, version: 2 }]);
    // Only its owner takes it away from the others without deleting it.
    expect((await change(id, { version: 2, shared: false })).status).toBe(403);
    expect((await change(id, { version: 2, name: 'Foreign' }, vendor)).status).toBe(404);
    expect((await remove(id, 2, vendor)).status).toBe(404);
    // It was changed since it was read.
    expect(await remove(id, 1)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await remove(id, 2)).status).toBe(200);
    expect(await lastEvent()).toMatchObject({ action: 'view/deleted', detail: { view: id } });
    expect((await list(epi)).presets).toEqual([]);
  });

  test('a personal one is nobody else’s, and cannot be locked', async () => {
    const { id } = await save({ shared: false });
    expect((await change(id, { version: 1, name: 'Theirs' })).status).toBe(404);
    expect((await remove(id, 2)).status).toBe(404);
    expect((await change(id, { version: 1, locked: true }, epi)).status).toBe(422);
  });

  test('a change of an older version is a conflict, and stores nothing', async () => {
    const { id } = await save();
    expect((await change(id, { version: 1, name: 'First' })).status).toBe(200);
    const { status, body } = await change(id, { version: 1, name: 'Second' }, epi);
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect((await list()).presets).toMatchObject([{ name: 'First', version: 2 }]);
  });

  test('of two changes at the same time one is a conflict', async () => {
    const { id } = await save();
    const answers = await Promise.all(
      sharers.map((of) => change(id, { version: 1, name: of.init.user.email }, of)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a locked one is changed by nobody, its owner included, until somebody unlocks it', async () => {
    const { id } = await save();
    const { firstName, lastName } = admin.init.user;
    const locked = (await change(id, { version: 1, locked: true })).body;
    expect(locked).toMatchObject({ locked: { by: `${firstName} ${lastName}` }, version: 2 });
    expect(await lastEvent()).toMatchObject({ action: 'view/locked', detail: { view: id } });
    expect((await list(epi)).presets[0].locked).toEqual(locked.locked);
    for (const of of sharers) {
      const { status, body } = await change(id, { version: 2, name: 'Other' }, of);
      expect([status, body.code]).toEqual([409, 'view-locked']);
      expect((await remove(id, 2, of)).body.code).toBe('view-locked');
    }
    // Saved as a new one, it can be changed.
    expect((await save({ shared: false }, epi)).locked).toBeNull();
    expect((await change(id, { version: 2, locked: false }, epi)).body).toMatchObject({ locked: null });
    expect(await lastEvent()).toMatchObject({ action: 'view/unlocked' });
    expect((await change(id, { version: 3, name: 'Other' })).status).toBe(200);
  });

  test('who may not share views changes, locks and deletes no shared one', async () => {
    const { id } = await save();
    expect((await list(looker)).presets).toMatchObject([{ changeable: false }]);
    for (const given of [{ name: 'Theirs' }, { locked: true }, { shared: true }])
      expect((await change(id, { version: 1, ...given }, looker)).body).toMatchObject({
        code: 'forbidden',
        permission: 'presets/share',
      });
    expect((await remove(id, 1, looker)).status).toBe(403);
    // Nor their own, if somebody shared it, can they lock.
    const own = await save({ shared: false }, looker);
    await asSuperuser(
      'update analytics_preset set shared_with_org = $2 where id = $1',
      [own.id, world.demo.id],
      superuserUrl,
    );
    expect((await change(own.id, { version: 1, locked: true }, looker)).status).toBe(403);
    expect((await change(own.id, { version: 1, name: 'Still mine' }, looker)).status).toBe(200);
  });

  describe('the view with which it opens', () => {
    const openings = `${base}/roles-open-with`;
    const forRole = (code: string, before: string | null, opensWith: string | null, of: SignedIn = admin) =>
      call('PUT', openings, of, { roles: [{ id: role(code), before, opensWith }] });
    const opens = async (of: SignedIn = epi) => {
      const { opensWith, roleOpensWith } = await list(of);
      return { opensWith, roleOpensWith };
    };
    const open = (opensWith: string | null, of: SignedIn = epi) =>
      call('PUT', `${base}/opens-with`, of, { opensWith });

    test('is one’s own choice, beside that of the roles one has', async () => {
      const { id } = await save();
      expect(await opens()).toEqual({ opensWith: null, roleOpensWith: null });
      const answer = await forRole('epidemiologist', null, id);
      expect(answer.body.roles).toContainEqual({
        id: role('epidemiologist'),
        label: 'Epidemiologist',
        labelI18N: expect.objectContaining({ es: 'Profesional de epidemiología' }),
        opensWith: id,
      });
      expect(await lastEvent()).toMatchObject({
        action: 'setting/view-for-role',
        deed: 'administration',
        detail: {
          before: [{ role: 'epidemiologist', view: null }],
          after: [{ role: 'epidemiologist', view: id }],
        },
      });
      expect(await opens()).toEqual({ opensWith: null, roleOpensWith: id });
      // A role that is only inherited gives no default.
      expect(await opens(admin)).toEqual({ opensWith: null, roleOpensWith: null });
      const own = await save({ shared: false });
      await open(own.id);
      expect(await opens()).toEqual({ opensWith: own.id, roleOpensWith: id });
      await open(null);
      expect(await opens()).toEqual({ opensWith: null, roleOpensWith: id });
    });

    test('with several roles is that of the first by name', async () => {
      const [first, second] = [await save({ name: 'First' }), await save({ name: 'Second' })];
      const [{ membership_id }] = (await asSuperuser<{ membership_id: string }>(
        `insert into membership_role (tenant_id, membership_id, role_id, account_id, org_type, org_id)
         select mr.tenant_id, mr.membership_id, $2, mr.account_id, mr.org_type, mr.org_id from membership_role mr
         where mr.tenant_id = $1 and mr.role_id = $3 and mr.org_type = 'T' and mr.account_id = $4 returning membership_id`,
        [world.demo.id, role('supervisor'), role('epidemiologist'), epi.init.user.id],
        superuserUrl,
      )) as [{ membership_id: string }];
      await forRole('supervisor', null, second.id);
      expect((await opens()).roleOpensWith).toBe(second.id);
      await forRole('epidemiologist', null, first.id);
      expect((await opens()).roleOpensWith).toBe(first.id);
      await asSuperuser(
        'delete from membership_role where membership_id = $1 and role_id = $2',
        [membership_id, role('supervisor')],
        superuserUrl,
      );
    });

    test('for a role is set by people who may change settings, to a shared view', async () => {
      const { id } = await save();
      for (const answer of [await forRole('epidemiologist', null, id, epi), await call('GET', openings, epi)])
        expect(answer.body).toMatchObject({ code: 'forbidden', permission: 'settings/write' });
      const own = await save({ shared: false }, admin);
      expect((await forRole('epidemiologist', null, own.id)).status).toBe(404);
      expect((await forRole('epidemiologist', null, randomUUID())).status).toBe(404);
      expect((await forRole('no-such-role', null, id)).status).toBe(404);
      expect((await forRole('epidemiologist', null, id, vendor)).status).toBe(404);
      expect(await opens()).toEqual({ opensWith: null, roleOpensWith: null });
    });

    test('is a conflict if the role has another default by now', async () => {
      const [one, other] = [await save(), await save()];
      expect((await forRole('epidemiologist', null, one.id)).status).toBe(200);
      expect((await forRole('epidemiologist', null, other.id)).body.code).toBe('conflict');
      expect((await opens()).roleOpensWith).toBe(one.id);
      expect((await forRole('epidemiologist', one.id, other.id)).status).toBe(200);
      expect((await opens()).roleOpensWith).toBe(other.id);
      expect((await forRole('epidemiologist', other.id, null)).status).toBe(200);
      expect((await opens()).roleOpensWith).toBeNull();
    });

    test('is none any more once its view is deleted or personal', async () => {
      const [kept, gone] = [await save(), await save()];
      await forRole('epidemiologist', null, gone.id);
      await remove(gone.id, gone.version);
      expect((await opens()).roleOpensWith).toBeNull();
      await forRole('epidemiologist', null, kept.id);
      await change(kept.id, { version: 1, shared: false }, epi);
      await change(kept.id, { version: 2, shared: true }, epi);
      expect((await opens()).roleOpensWith).toBeNull();
    });
  });
});
