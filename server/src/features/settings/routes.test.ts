import type { InitUserAnswer } from '@caseway/contract/session';
import type {
  Guide,
  Label,
  Message,
  OwnSwitch,
  SettingsAnswer,
  SwitchedPlace,
  TenantSettings,
} from '@caseway/contract/settings';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeMember } from '../../../test/factories.ts';
import { actFor, type SignedIn, signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const { demo, vendor } = await seedDemoTenants(database);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);
const orgadmin = await signInAs(testing, 'orgadmin@demo.caseway.test');
const system = await signInAs(testing, 'sysadmin@demo.caseway.test');
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const { ask, ok } = askingAs(testing, admin, '/api/web/settings');
const read = (headers?: Headers) => ok<SettingsAnswer>('GET', '', undefined, headers);
const change = async (changes: Partial<TenantSettings>, headers?: Headers) =>
  ok<SettingsAnswer>('PATCH', '', { version: (await read(headers)).version, changes }, headers);
const faultOf = async (changes: object, headers?: Headers) => {
  const response = await ask('PATCH', '', { version: (await read(headers)).version, changes }, headers);
  return [response.statusCode, response.json().faults?.[0]?.path, response.json().faults?.[0]?.code];
};
const lastEvent = async (action: string) =>
  (
    await sql<{ detail: Record<string, unknown>; record_ids: string[] }>(
      'select detail, record_ids from audit_event where action = $1 order by at desc, id desc limit 1',
      [action],
    )
  )[0]!;
const initOf = async (who: SignedIn, org = `T:${demo.id}`): Promise<InitUserAnswer> =>
  (await actFor(testing, who.tokens, org)).init;

describe('the settings of a tenant', () => {
  test('are read and changed; the change is immediate, and is audited with before and after [P15]', async () => {
    const before = await read();
    expect(before).toMatchObject({
      system: false,
      settings: {
        name: 'Gulfstream Department of Health',
        timeZone: 'America/New_York',
        tenantLanguages: ['en', 'en-GB', 'es', 'ht'],
        defaultLanguage: 'en',
        smallCellThreshold: 11,
        secondFactorRequired: false,
      },
    });
    expect(before.alwaysRestricted).toContain('hiv');
    const after = await change({ timeZone: 'America/Chicago', defaultLanguage: 'es' });
    expect(after.version).toBe(before.version + 1);
    const { selectedOrg, languageSupport } = await initOf(epi);
    expect([selectedOrg!.timeZone, languageSupport.defaultLanguage]).toEqual(['America/Chicago', 'es']);
    const event = await lastEvent('setting/changed');
    expect(event.record_ids).toEqual([demo.id]);
    expect(event.detail).toEqual({
      before: { timeZone: 'America/New_York', defaultLanguage: 'en' },
      after: { timeZone: 'America/Chicago', defaultLanguage: 'es' },
    });
    await change({ timeZone: 'America/New_York', defaultLanguage: 'en' });
    expect((await change({ phone: '(850) 555-0144' })).settings.phone).toBe('(850) 555-0144');
    expect((await change({ phone: '' })).settings.phone).toBe('');
  });

  test('nobody shows themselves what they may not see: hidden families, small numbers [S6.4, P17, P18]', async () => {
    await change({ restrictedFamilies: ['syphilis'] });
    const { account, membership } = await makeMember(database, { tenant_id: demo.id });
    const [role] = await sql<{ id: string }>(
      `insert into role (tenant_id, id, code, label) values ($1, gen_random_uuid(), 'clerk', 'Clerk') returning id`,
      [demo.id],
    );
    await sql(
      `insert into role_grant (tenant_id, role_id, obj, act, eft) values ($1, $2, 'T', 'settings/write', 'allow')`,
      [demo.id, role!.id],
    );
    await sql('insert into membership_role (tenant_id, membership_id, role_id) values ($1, $2, $3)', [
      demo.id,
      membership.id,
      role!.id,
    ]);
    await sql('update policy_version set version = version + 1 where tenant_id = $1', [demo.id]);
    const { headers } = await signInAs(testing, account.username);
    for (const changes of [{ restrictedFamilies: [] }, { smallCellThreshold: 5 }]) {
      const { version } = await read(headers);
      expect((await ask('PATCH', '', { version, changes }, headers)).statusCode).toBe(403);
    }
    // Hiding more must not be a way to see more.
    const stricter = { restrictedFamilies: ['chlamydia', 'syphilis'], smallCellThreshold: 20 };
    expect((await change(stricter, headers)).settings).toMatchObject(stricter);
    // People who may see exact numbers may set the threshold below which others do not see them.
    await sql(
      `insert into role_grant (tenant_id, role_id, obj, act, eft) values ($1, $2, 'T', 'analytics/exact', 'allow')`,
      [demo.id, role!.id],
    );
    await sql('update policy_version set version = version + 1 where tenant_id = $1', [demo.id]);
    const exact = await signInAs(testing, account.username);
    expect((await change({ smallCellThreshold: 5 }, exact.headers)).settings.smallCellThreshold).toBe(5);
    await change({ restrictedFamilies: [], smallCellThreshold: 11 });
  });

  test.each([4, 31])(
    'a threshold of %i is refused: it protects no one, or cannot be counted [P17]',
    async (smallCellThreshold) => {
      const { version } = await read();
      const refused = await ask('PATCH', '', { version, changes: { smallCellThreshold } });
      expect(refused.statusCode).toBe(422);
    },
  );

  test('a change based on an older version is refused and overwrites nothing', async () => {
    const { version } = await read();
    await ok('PATCH', '', { version, changes: { smallCellThreshold: 5 } });
    const late = await ask('PATCH', '', { version, changes: { smallCellThreshold: 20 } });
    expect([late.statusCode, late.json().code]).toEqual([409, 'conflict']);
    expect((await change({ smallCellThreshold: 11 })).settings.smallCellThreshold).toBe(11);
  });

  test('when two administrators save at the same time, the slower one gets a conflict', async () => {
    const { version } = await read();
    const answers = await Promise.all(
      [15, 16, 17].map((smallCellThreshold) =>
        ask('PATCH', '', { version, changes: { smallCellThreshold } }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    await change({ smallCellThreshold: 11 });
  });

  test('a change without effect is not a change: no version, no event', async () => {
    const { version, settings } = await read();
    const events = 'select count(*) as n from audit_event where action = $1';
    const before = await sql(events, ['setting/changed']);
    const answer = await ok<SettingsAnswer>('PATCH', '', { version, changes: settings });
    expect(answer.version).toBe(version);
    expect(await sql(events, ['setting/changed'])).toEqual(before);
  });

  test('invalid values are refused at their field', async () => {
    for (const timeZone of ['Gulfstream/Nowhere', '+05:00', '+14:00', 'Etc/GMT+5'])
      expect(await faultOf({ timeZone })).toEqual([422, 'changes.timeZone', 'time-zone']);
    // [P8] A person who chooses where to act could not tell the two apart.
    expect(await faultOf({ name: vendor.name.toUpperCase() })).toEqual([422, 'changes.name', 'name-taken']);
    expect(await faultOf({ tenantLanguages: ['es'] })).toEqual([
      422,
      'changes.defaultLanguage',
      'language-not-offered',
    ]);
    expect(await faultOf({ tenantLanguages: [] })).toEqual([422, 'changes.tenantLanguages', 'too_small']);
    expect(await faultOf({ sessionIdleMinutes: 61 })).toEqual([422, 'changes.sessionIdleMinutes', 'too_big']);
    expect(await faultOf({ features: ['flying'] })).toEqual([422, 'changes.features.0', 'invalid_value']);
  });

  test('[S6.4] nobody makes their tenant administer the system, or undoes that', async () => {
    const fault = [422, 'changes.experience', 'system-experience'];
    expect(await faultOf({ experience: 'SYSTEM_ADMINISTRATION' })).toEqual(fault);
    expect(await faultOf({ experience: 'PUBLIC_HEALTH' }, system.headers)).toEqual(fault);
    expect((await read(system.headers)).system).toBe(true);
  });

  test('[S1.6] a feature that is switched off is gone from the menu, and refused by the API immediately', async () => {
    const search = () =>
      app.fastify.inject({
        method: 'POST',
        url: '/api/web/grid/imports/search',
        headers: admin.headers,
        payload: {},
      });
    expect((await search()).statusCode).toBe(200);
    const { settings } = await read();
    await change({ features: settings.features.filter((one) => one !== 'imports') });
    await expect.poll(async () => (await search()).statusCode, { interval: 20 }).toBe(403);
    expect((await search()).json().code).toBe('feature-off');
    expect((await initOf(admin)).tenantFeatures).not.toContain('imports');
    await change({ features: settings.features });
    await expect.poll(async () => (await search()).statusCode, { interval: 20 }).toBe(200);
  });

  describe('[S1.6] features of single organisations, facilities and jurisdictions', () => {
    const places = (query: string, headers?: Headers) =>
      ok<{ features: string[]; places: SwitchedPlace[]; total: number }>(
        'GET',
        `/features?${query}`,
        undefined,
        headers,
      );
    const switchIn = async (switches: Partial<OwnSwitch>[], headers?: Headers) =>
      ask('PATCH', '', { version: (await read(headers)).version, changes: {}, switches }, headers);
    const network = async () => (await places('words=mangrove network')).places[0]!;

    test('are found by their words and their kind, except places of others', async () => {
      const all = await places('');
      const { places: own, total } = await places('which=O');
      expect(own.map(({ name }) => name)).toEqual([...own.map(({ name }) => name)].sort());
      expect(own.map(({ orgType }) => orgType)).toEqual(own.map(() => 'O'));
      const counts = await Promise.all(
        ['PHJ', 'O', 'F'].map(async (one) => (await places(`which=${one}`)).total),
      );
      expect(all.total).toBe(counts.reduce((sum, count) => sum + count, 0));
      expect(total).toBe(own.length);
      expect(await network()).toMatchObject({ orgType: 'O', inactive: false, managedBy: null, own: {} });
      expect((await places('which=switched')).total).toBe(0);
      expect((await places(`id=${own[0]!.id}`)).places).toEqual([own[0]]);
      // Brightwell reports to two jurisdictions of Gulfstream, and sees who manages them.
      const theirs = await places('which=PHJ', vendorAdmin.headers);
      expect(theirs.places.map(({ managedBy }) => managedBy)).toEqual([
        'Gulfstream Department of Health',
        'Gulfstream Department of Health',
      ]);
      expect((await places(`id=${own[0]!.id}`, vendorAdmin.headers)).total).toBe(0);
    });

    test('a feature switched off for one organisation is refused only there, and the audit names the organisation', async () => {
      const { id: orgId } = await network();
      const cases = (headers: Headers) =>
        app.fastify.inject({
          method: 'POST',
          url: '/api/web/grid/case-reports/search',
          headers,
          payload: {},
        });
      expect((await cases(orgadmin.headers)).json().code).not.toBe('feature-off');
      const off = { orgType: 'O', orgId, feature: 'case-reports' } as const;
      expect((await switchIn([{ ...off, before: null, after: false }])).statusCode).toBe(200);
      await expect
        .poll(async () => (await cases(orgadmin.headers)).json().code, { interval: 20 })
        .toBe('feature-off');
      expect((await cases(epi.headers)).statusCode).toBe(200);
      expect((await initOf(orgadmin, `O:${orgId}`)).tenantFeatures).not.toContain('case-reports');
      expect((await network()).own).toEqual({ 'case-reports': false });
      expect((await places('which=switched')).places.map(({ id }) => id)).toEqual([orgId]);
      expect(await lastEvent('setting/features-switched')).toEqual({
        record_ids: [orgId],
        detail: { before: { 'case-reports': null }, after: { 'case-reports': false } },
      });
      // The value that was seen has changed.
      expect((await switchIn([{ ...off, before: null, after: false }])).json().code).toBe('conflict');
      expect((await switchIn([{ ...off, before: false, after: null }])).statusCode).toBe(200);
      await expect
        .poll(async () => (await cases(orgadmin.headers)).json().code, { interval: 20 })
        .not.toBe('feature-off');
      expect((await network()).own).toEqual({});
    });

    test('no place of another tenant can be switched, and no place gets more than its tenant', async () => {
      const { id: orgId } = await network();
      const one = { orgType: 'O', orgId, feature: 'imports', before: null, after: false } as const;
      const faults = async (...given: Parameters<typeof switchIn>) =>
        ((await switchIn(...given)).json().faults as { path: string; code: string }[]).map(
          ({ path, code }) => `${path} ${code}`,
        );
      expect(await faults([one], vendorAdmin.headers)).toEqual(['switches.0.orgId unknown-choice']);
      expect(await faults([{ ...one, orgType: 'F' }])).toEqual(['switches.0.orgId unknown-choice']);
      expect(await faults([{ ...one, after: true }])).toEqual(['switches.0.after unknown-choice']);
      expect(
        (await ask('PATCH', '', { version: 1, changes: {}, switches: [one] }, epi.headers)).statusCode,
      ).toBe(403);
      expect((await places('which=switched')).total).toBe(0);
    });
  });

  test('[P18] how long a hidden record stays open is a number of minutes within bounds, and audited', async () => {
    expect((await read()).settings.breakGlassMinutes).toBe(60);
    for (const breakGlassMinutes of [4, 481, 7.5])
      expect((await faultOf({ breakGlassMinutes }))[0], String(breakGlassMinutes)).toBe(422);
    expect((await change({ breakGlassMinutes: 5 })).settings.breakGlassMinutes).toBe(5);
    expect((await lastEvent('setting/changed')).detail).toEqual({
      before: { breakGlassMinutes: 60 },
      after: { breakGlassMinutes: 5 },
    });
    expect((await change({ breakGlassMinutes: 480 })).settings.breakGlassMinutes).toBe(480);
    await change({ breakGlassMinutes: 60 });
  });

  test('[P13] open sessions end no later than new ones would', async () => {
    await change({ sessionIdleMinutes: 20, sessionHours: 8 });
    const [own] = await sql<{ idle: number; hours: number }>(
      `select s.idle_minutes as idle, extract(epoch from s.expires_at - s.created_at) / 3600 as hours
       from session s join account a on a.id = s.account_id where a.username = 'epi@demo.caseway.test'`,
    );
    expect([own!.idle, Number(own!.hours)]).toEqual([20, 8]);
    const [theirs] = await sql<{ idle: number }>(
      `select s.idle_minutes as idle from session s join account a on a.id = s.account_id
       where a.username = 'admin@vendor.caseway.test'`,
    );
    expect(theirs!.idle).toBe(60);
    await change({ sessionIdleMinutes: 60, sessionHours: 24 });
  });

  test('[P21] settings that protect accounts are changed only after a recent sign-in', async () => {
    await sql(`update session set created_at = created_at - interval '1 hour' where account_id = $1`, [
      admin.init.user.id,
    ]);
    expect((await faultOf({ secondFactorRequired: true }))[0]).toBe(403);
    expect(
      (await ask('PATCH', '', { version: (await read()).version, changes: { name: 'Gulfstream' } }))
        .statusCode,
    ).toBe(200);
    await change({ name: 'Gulfstream Department of Health' });
    await sql(`update session set created_at = created_at + interval '1 hour' where account_id = $1`, [
      admin.init.user.id,
    ]);
    const { withoutSecondFactor } = await change({ secondFactorRequired: true });
    // Everyone in the demo's department: none has a second factor.
    const [{ n }] = (await sql<{ n: number }>(
      'select count(distinct account_id)::int as n from membership where tenant_id = $1 and ended_at is null',
      [demo.id],
    )) as [{ n: number }];
    expect(withoutSecondFactor).toBe(n);
    await expect
      .poll(async () => (await ask('GET', '')).json().code, { interval: 20 })
      .toBe('second-factor-needed');
    await sql(
      'update tenant set second_factor_required = false, settings_version = settings_version + 1 where id = $1',
      [demo.id],
    );
    await expect.poll(async () => (await ask('GET', '')).statusCode).toBe(200);
  });

  test('need the permission, and are separate for each tenant', async () => {
    const body = { version: 1, changes: { name: 'Mine' } };
    for (const headers of [epi.headers, orgadmin.headers])
      expect((await ask('PATCH', '', body, headers)).statusCode).toBe(403);
    expect((await ask('GET', '', undefined, epi.headers)).statusCode).toBe(403);
    expect((await ask('GET', '', undefined, {})).statusCode).toBe(401);
    expect((await read(vendorAdmin.headers)).settings.name).toBe(vendor.name);
  });
});

describe('the wording of the screens [S7.7]', () => {
  const find = (query: string, headers?: Headers) =>
    ok<{ labels: Label[]; total: number }>('GET', `/labels?${query}`, undefined, headers);
  const put = (body: object, headers?: Headers) => ask('PUT', '/labels', body, headers);

  test('a label is found by its English words or its key, with the product’s words', async () => {
    const { labels } = await find('language=es&words=sign%20out');
    expect(labels[0]).toEqual({
      key: 'common:user.signOut',
      english: 'Sign out',
      builtIn: 'Cerrar sesión',
      text: null,
    });
    const byKey = await find('language=en-GB&words=common:org.title');
    expect(byKey.labels).toEqual([
      { key: 'common:org.title', english: 'Change organization', builtIn: 'Change organisation', text: null },
    ]);
    // A Creole noun has one form.
    expect((await find('language=ht&words=form.summary')).labels.map(({ key }) => key)).toEqual([
      'common:form.summary_other',
    ]);
    const many = await find('language=en');
    expect([many.labels.length, many.total > 500]).toEqual([50, true]);
  });

  test('other words reach everyone in the tenant with the init answer, and can be restored [S3.5, P15]', async () => {
    const label = { language: 'es', key: 'common:user.signOut' };
    expect((await put({ ...label, text: 'Salir', before: null })).json()).toMatchObject({ text: 'Salir' });
    expect((await initOf(epi)).labelOverrides).toEqual({ es: { 'common:user.signOut': 'Salir' } });
    expect((await initOf(vendorAdmin, `T:${vendor.id}`)).labelOverrides).toEqual({});
    expect((await lastEvent('setting/label-changed')).detail).toEqual({
      ...label,
      before: { label: 'Cerrar sesión' },
      after: { label: 'Salir' },
    });
    expect((await find('language=es&which=changed')).total).toBe(1);
    // Sent by a person who has not seen the change.
    expect((await put({ ...label, text: 'Adiós', before: null })).statusCode).toBe(409);
    expect((await put({ ...label, text: null, before: 'Salir' })).json()).toMatchObject({ text: null });
    expect((await initOf(epi)).labelOverrides).toEqual({});
    // The product's own words need no row.
    expect((await put({ ...label, text: 'Cerrar sesión', before: null })).json()).toMatchObject({
      text: null,
    });
  });

  test('the placeholders in a text do not change, and no text refers to another', async () => {
    const label = { language: 'en', key: 'common:home.title', before: null };
    const code = async (text: string) => (await put({ ...label, text })).json().faults?.[0]?.code;
    expect(await code('Welcome')).toBe('placeholders-differ');
    expect(await code('Welcome, {{name}} of {{org}}')).toBe('placeholders-differ');
    expect(await code('{{name}} $t(home.title)')).toBe('nesting');
    expect(await code('Welcome, {{ name }}')).toBeUndefined();
    await put({ ...label, text: null, before: 'Welcome, {{ name }}' });
    expect((await put({ ...label, key: 'common:no.such', text: 'x' })).json().faults[0].code).toBe(
      'unknown-label',
    );
    expect((await put({ ...label, text: '' })).statusCode).toBe(422);
  });

  test('are changed only by administrators of the tenant', async () => {
    const label = { language: 'en', key: 'common:user.signOut', text: 'Leave', before: null };
    expect((await put(label, epi.headers)).statusCode).toBe(403);
    expect((await put(label, orgadmin.headers)).statusCode).toBe(403);
  });
});

describe('the messages', () => {
  const own = (body: object, headers?: Headers) => ask('PUT', '/messages', body, headers);
  const code = { kind: 'sign-in-code', language: 'en', before: null };

  test('are listed in every language with the product’s words', async () => {
    const { messages } = await ok<{ messages: Message[] }>('GET', '/messages');
    expect(messages).toHaveLength(22 * 4);
    const spanish = messages.find(({ kind, language }) => kind === 'invitation' && language === 'es')!;
    expect(spanish).toMatchObject({ builtIn: { subject: 'Su acceso a Caseway para {{tenant}}' }, own: null });
  });

  test('[S10.3] the message must have the code, alone on its line, and not in the subject', async () => {
    const faultsOf = async (subject: string, body: string, kind = 'sign-in-code') =>
      ((await own({ ...code, kind, text: { subject, body } })).json().faults ?? []).map(
        (fault: { path: string; code: string }) => `${fault.path} ${fault.code}`,
      );
    expect(await faultsOf('Code', 'Hello')).toEqual(['text.body placeholder-missing']);
    expect(await faultsOf('Code', 'Your code is {{code}}')).toEqual(['text.body code-line']);
    expect(await faultsOf('{{code}}', '{{code}}')).toEqual(['text.subject placeholder-unknown']);
    expect(await faultsOf('', '{{code}}')).toEqual(['text.subject required']);
    expect(await faultsOf('a\nb', '{{code}}')).toEqual(['text.subject control-character']);
    // It goes to an unconfirmed address, and must not reveal whose account it is. [P12]
    for (const value of ['name', 'email', 'tenant', 'organizations'])
      expect(await faultsOf('Code', `{{code}}\n{{${value}}}`, 'contact-new')).toEqual([
        'text.body placeholder-unknown',
      ]);
    expect(await faultsOf('Welcome', 'Welcome, {{name}}', 'invitation')).toEqual([
      'text.body placeholder-missing',
    ]);
  });

  test('are changed and restored, audited with before and after; people who have not seen a change do not undo it', async () => {
    const text = { subject: 'Gulfstream code', body: 'At {{host}}:\n\n{{code}}' };
    expect((await own({ ...code, text })).json()).toMatchObject({ own: text });
    const { detail } = await lastEvent('setting/message-changed');
    expect(detail).toMatchObject({
      message: 'sign-in-code',
      language: 'en',
      before: { subject: 'Your sign-in code' },
      after: { subject: 'Gulfstream code' },
    });
    expect((await own({ ...code, text: { ...text, subject: 'Mine' } })).statusCode).toBe(409);
    expect((await own({ ...code, text: null, before: text })).json()).toMatchObject({ own: null });
    expect((await own({ ...code, text }, epi.headers)).statusCode).toBe(403);
  });
});

describe('the first-run guide', () => {
  const stateOf = ({ steps }: Guide) => Object.fromEntries(steps.map(({ step, state }) => [step, state]));

  test('shows from the data which steps are done', async () => {
    expect(stateOf(await ok<Guide>('GET', '/guide', undefined, vendorAdmin.headers))).toEqual({
      basics: 'open',
      places: 'done',
      jurisdictions: 'done',
      programs: 'done',
      roles: 'open',
      people: 'done',
      import: 'open',
    });
    expect(stateOf(await ok<Guide>('GET', '/guide', undefined, system.headers))).toMatchObject({
      places: 'open',
      people: 'open',
    });
  });

  test('a step can be confirmed as it is, which is audited, and undone', async () => {
    const check = (checked: boolean) =>
      ok<Guide>('POST', '/guide', { step: 'basics', checked }, vendorAdmin.headers);
    expect(stateOf(await check(true)).basics).toBe('checked');
    expect((await lastEvent('setting/guide-step')).detail).toEqual({
      step: 'basics',
      before: { checked: false },
      after: { checked: true },
    });
    expect(stateOf(await check(true)).basics).toBe('checked');
    expect(stateOf(await check(false)).basics).toBe('open');
  });

  test('a feature that is off needs no step', async () => {
    const { settings } = await read(vendorAdmin.headers);
    await change({ features: settings.features.filter((one) => one !== 'imports') }, vendorAdmin.headers);
    const { steps } = await ok<Guide>('GET', '/guide', undefined, vendorAdmin.headers);
    expect(steps.map(({ step }) => step)).not.toContain('import');
    await change({ features: settings.features }, vendorAdmin.headers);
  });
});
