import { type UserTableRow, userStatuses } from '@caseway/contract/users';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { carryAll } from '../../../test/carried.ts';
import { changingUsers } from '../../../test/changing-users.ts';
import { asSuperuser } from '../../../test/database.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { recordStatements } from '../../../test/statements.ts';

const statementsOf = recordStatements();
const testing = await testApp();
const { app, database } = testing;
const { demo } = await seedDemoTenants(database);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const orgadmin = await signInAs(testing, 'orgadmin@demo.caseway.test');
const { tryChange } = changingUsers(askingAs(testing, admin).ask);
const sql = (text: string, params: unknown[]) => asSuperuser(text, params, testing.superuserUrl);
const network = 'Mangrove Community Health Network';

type Answer = { rows: UserTableRow[]; fault: { code: string; detail: string } | null };
async function send(text: string, dryRun = false, headers = admin.headers): Promise<Answer> {
  const response = await app.fastify.inject({
    method: 'POST',
    url: '/api/web/users/table',
    headers,
    payload: { text, dryRun },
  });
  expect([response.statusCode, response.body.slice(0, 300)]).toEqual([200, expect.anything()]);
  return response.json();
}
const outcomes = ({ rows }: Answer) =>
  rows.map(({ line, outcome, reason, column, detail }) => [line, outcome, reason, column, ...detail]);
const memberships = (email: string) =>
  asSuperuser<{ org_type: string; active: boolean; roles: string[] }>(
    `select m.org_type, m.ended_at is null as active, array(select r.code from membership_role mr
       join role r on r.tenant_id = mr.tenant_id and r.id = mr.role_id
       where mr.tenant_id = m.tenant_id and mr.membership_id = m.id order by 1) as roles
     from membership m join account a on a.id = m.account_id
     where a.email = $1 and m.tenant_id = $2 order by m.org_type`,
    [email, demo.id],
    testing.superuserUrl,
  );
const header = 'email,firstName,lastName,orgType,organization,roles,status,language';

describe('a table of users', () => {
  test('is previewed row by row, and does exactly that', async () => {
    const text = [
      header,
      `ana@example.test,Ana,Abel,,,epidemiologist; Auditor,,es`,
      `ana@example.test,Ana,Abel,O,${network},Analista de solo lectura,,`,
      'ben@example.test,Ben,Bell,X,,auditor,,',
      'cy@example.test,Cy,Cole,,,Grand vizier,,',
      'not an address,Di,Dorn,,,auditor,,',
      'eve@example.test,,Eden,,,auditor,,',
      'fay@example.test,Fay,Frost,O,Nowhere at all,auditor,,',
      'gus@example.test,Gus,Grove,,,auditor,retired,',
      'hal@example.test,Hal,Hill,,,auditor,,Klingon',
      'ana@example.test,Ana,Abel,,,auditor,,',
      'ivy@example.test,Ivy,Inch,,,,,',
      'auditor@demo.caseway.test,Any,Name,,,auditor,,',
      'epi@demo.caseway.test,,,,,epidemiologist;auditor,,',
      'entry@demo.caseway.test,,,T,,,inactive,',
      'admin@demo.caseway.test,,,,,auditor,,',
    ].join('\n');
    const expected = [
      [2, 'invited', null, null],
      [3, 'invited', null, null],
      [4, 'refused', 'unknown-organization', 'organization', ''],
      [5, 'refused', 'unknown-role', 'roles', 'Grand vizier'],
      [6, 'refused', 'invalid_format', 'email'],
      [7, 'refused', 'too_small', 'firstName'],
      [8, 'refused', 'unknown-organization', 'organization', 'Nowhere at all'],
      [9, 'refused', 'unknown-status', 'status'],
      [10, 'refused', 'unknown-language', 'language'],
      [11, 'refused', 'twice', null],
      [12, 'refused', 'required', 'roles'],
      [13, 'unchanged', null, null],
      [14, 'changed', null, null],
      [15, 'ended', null, null],
      [16, 'refused', 'own-membership', 'roles'],
    ];
    expect(outcomes(await send(text, true))).toEqual(expected);
    expect(await memberships('ana@example.test')).toEqual([]);
    expect(outcomes(await send(text))).toEqual(expected);
    expect(await memberships('ana@example.test')).toEqual([
      { org_type: 'O', active: true, roles: ['read-only-analyst'] },
      { org_type: 'T', active: true, roles: ['auditor', 'epidemiologist'] },
    ]);
    expect(await memberships('entry@demo.caseway.test')).toEqual([
      { org_type: 'T', active: false, roles: ['data-entry'] },
    ]);
    // Repeating it changes nothing.
    expect(
      (await send(text)).rows.filter(({ outcome }) => !['unchanged', 'refused'].includes(outcome)),
    ).toEqual([]);
  });

  test('sends each person one email, and the log has the values before and after', async () => {
    const [job] = await asSuperuser<{ n: number }>(
      `select count(*)::int as n from graphile_worker.jobs where task_identifier = 'users/send-invitation'`,
      [],
      testing.superuserUrl,
    );
    expect(job!.n).toBe(1);
    const [event] = await asSuperuser<{ detail: { rows: Record<string, unknown>[] } }>(
      `select detail from audit_event where action = 'user/table'`,
      [],
      testing.superuserUrl,
    );
    expect(event!.detail.rows).toHaveLength(4);
    expect(event!.detail.rows.at(-2)).toMatchObject({
      before: { roles: ['epidemiologist'], active: true },
      after: { roles: ['auditor', 'epidemiologist'], active: true },
    });
  });

  test('gives no one more than its sender has', async () => {
    const text = [
      'Email;First name;Last name;Roles',
      'jo@example.test;Jo;Jett;facility-user',
      'ken@example.test;Ken;Kerr;case-investigator',
      'lou@example.test;Lou;Lamb;read-only-analyst | organization-administrator',
    ].join('\r\n');
    expect(outcomes(await send(text, false, orgadmin.headers))).toEqual([
      [2, 'invited', null, null],
      [
        3,
        'refused',
        'beyond-your-rights',
        'roles',
        'case-reports/write',
        'case-reports/investigate',
        'contacts/read',
        'contacts/write',
        'partner-services/read',
        'partner-services/investigate',
        'field-visits/read',
        'field-visits/write',
        'patients/write',
        'documents/write',
        'hiv-analytics/read',
        'restricted-families/read',
        'break-glass/write',
      ],
      [4, 'invited', null, null],
    ]);
  });

  test('is accepted as it was exported, and then changes nothing', async () => {
    const response = await app.fastify.inject({
      method: 'POST',
      url: '/api/web/users/export',
      headers: { ...admin.headers, 'accept-language': 'es' },
      payload: { orgType: 'O', query: { sortModel: [{ field: 'organization', sort: 'asc' }] } },
    });
    expect(response.headers['content-disposition']).toMatch(/users-\d{4}-\d\d-\d\d\.csv/);
    const records = parse(response.body, { bom: true, columns: false }) as string[][];
    expect(records[0]![0]).toBe('Correo electrónico');
    expect(records.length).toBeGreaterThan(3);
    const { rows, fault } = await send(response.body, true);
    expect(fault).toBeNull();
    expect(rows.map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: records.length - 1 }, () => 'unchanged'),
    );
  });

  test('changes sixty people in as many statements as two: on several servers, other administrators wait for it [P30]', async () => {
    const people = (name: string, n: number, rest: string) =>
      Array.from({ length: n }, (_, at) => `${name}${at}@many.test,Many,People,,,${rest},`);
    const counted = async (name: string, n: number, rest: string, outcome: string) => {
      let answer!: Answer;
      const sent = await statementsOf(async () => {
        answer = await send([header, ...people(name, n, rest)].join('\n'));
      });
      expect(answer.rows.map((row) => row.outcome)).toEqual(Array.from({ length: n }, () => outcome));
      // The caller's rights are re-read now and then.
      return sent.filter((one) => /\b(?:insert into|update|delete from) /.test(one)).length;
    };
    for (const [rest, outcome] of [
      ['auditor,', 'invited'],
      ['auditor; epidemiologist,', 'changed'],
      ['auditor,inactive', 'ended'],
      ['auditor,active', 'added'],
    ] as const)
      expect(await counted('many', 60, rest, outcome), outcome).toBe(await counted('few', 2, rest, outcome));
    expect(await memberships('many59@many.test')).toEqual([
      { org_type: 'T', active: true, roles: ['auditor'] },
    ]);
  });

  test('with one person under two addresses gives what the later row says', async () => {
    await sql(
      `insert into account (id, username, email, first_name, last_name)
       values (gen_random_uuid(), 'one@two.test', 'other@two.test', 'Two', 'Addresses')`,
      [],
    );
    const text = [header, 'one@two.test,,,,,auditor,,', 'other@two.test,,,,,epidemiologist,,'].join('\n');
    expect(outcomes(await send(text))).toEqual([
      [2, 'added', null, null],
      [3, 'added', null, null],
    ]);
    expect(await memberships('other@two.test')).toEqual([
      { org_type: 'T', active: true, roles: ['epidemiologist'] },
    ]);
  });

  test('adds nobody to a deactivated organization, and can remove people from it [P8]', async () => {
    const closed = 'Closed Sands Clinic Group';
    const [{ id }] = (await sql(
      `insert into organization (tenant_id, id, name, experience, deactivated_at)
       values ($1, gen_random_uuid(), $2, 'PUBLIC_HEALTH', now()) returning id`,
      [demo.id, closed],
    )) as [{ id: string }];
    const member = async (username: string, endedAt: string | null) => {
      const [row] = (await sql(
        `with made as (insert into membership (tenant_id, id, account_id, org_type, org_id, ended_at)
           select $1, gen_random_uuid(), a.id, 'O', $2, $4::timestamptz from account a where username = $3 returning *)
         insert into membership_role (tenant_id, membership_id, role_id)
         select made.tenant_id, made.id, r.id from made join role r on r.tenant_id = made.tenant_id and r.code = 'auditor'
         returning membership_id as id`,
        [demo.id, id, username, endedAt],
      )) as [{ id: string }];
      return row.id;
    };
    await member('epi@demo.caseway.test', null);
    const ended = await member('entry@demo.caseway.test', '2026-01-02T00:00:00Z');
    const text = [
      header,
      `new@example.test,Nia,New,O,${closed},auditor,,`,
      `new@example.test,Nia,New,O,${id},auditor,,`,
      `auditor@demo.caseway.test,,,O,${closed},auditor,,`,
      `entry@demo.caseway.test,,,O,${closed},auditor,active,`,
      `entry@demo.caseway.test,,,T,,,,`,
      `epi@demo.caseway.test,,,O,${closed},auditor,inactive,`,
    ].join('\n');
    for (const dryRun of [true, false])
      expect(outcomes(await send(text, dryRun))).toEqual([
        [2, 'refused', 'unknown-organization', 'organization', closed],
        [3, 'refused', 'twice', null],
        [4, 'refused', 'unknown-organization', 'organization', closed],
        [5, 'refused', 'unknown-organization', 'organization', closed],
        [6, 'added', null, null],
        [7, 'ended', null, null],
      ]);
    expect(await memberships('new@example.test')).toEqual([]);
    const renewed = await tryChange(ended, { active: true });
    expect([renewed.statusCode, renewed.json().faults]).toMatchObject([
      422,
      [{ path: 'active', code: 'unknown-organization' }],
    ]);
  });

  test('is accepted with people in every state and organization, and then changes nothing', async () => {
    // Two organizations with one name, a deactivated one, and people stored before names were checked.
    const [one, other, closed] = (await sql(
      `insert into organization (tenant_id, id, name, experience, deactivated_at)
       select $1, gen_random_uuid(), name, 'PUBLIC_HEALTH', case when name like 'Shut%' then now() end
       from unnest(array['Twin Palms', 'TWIN palms', 'Shut Palms']) name returning id`,
      [demo.id],
    )) as { id: string }[];
    const came = `insert into account_state (account_id, last_sign_in_at) select id, now() from account`;
    const states = {
      active: came,
      invited: 'update account set disabled_at = null',
      locked: `insert into account_state (account_id, last_sign_in_at, locked_at, locked_until)
        select id, now(), now(), now() + interval '1 hour' from account`,
      inactive: came,
      disabled: 'update account set disabled_at = now()',
    };
    for (const [state, change] of Object.entries(states))
      for (const [index, org] of [one!.id, other!.id, closed!.id].entries()) {
        const email = `${state}${index}@states.test`;
        await sql(
          `insert into account (id, username, email, first_name, last_name, phone, language_code)
           values (gen_random_uuid(), $1, $1, E'Sta\tte', 'Of', '305 555 0123', 'fr')`,
          [email],
        );
        await sql(`${change} where username = $1`, [email]);
        await sql(
          `with made as (insert into membership (tenant_id, id, account_id, org_type, org_id, ended_at)
             select $1, gen_random_uuid(), id, 'O', $2, case when $3 = 'inactive' then now() end
             from account where username = $4 returning *)
           insert into membership_role (tenant_id, membership_id, role_id)
           select made.tenant_id, made.id, r.id from made join role r
             on r.tenant_id = made.tenant_id and r.code in ('auditor', 'read-only-analyst')`,
          [demo.id, org, state, email],
        );
      }
    await carryAll(testing.superuserUrl);
    const response = await app.fastify.inject({
      method: 'POST',
      url: '/api/web/users/export',
      headers: admin.headers,
      payload: { orgType: 'O', query: {} },
    });
    const records = parse(response.body, { bom: true, columns: true }) as Record<string, string>[];
    const exported = records.filter((record) => record.Email!.endsWith('@states.test'));
    expect(new Set(exported.map(({ Status }) => Status))).toEqual(new Set(userStatuses));
    expect(exported).toHaveLength(15);
    for (const dryRun of [true, false]) {
      const { rows } = await send(response.body, dryRun);
      expect(rows.filter(({ outcome }) => outcome !== 'unchanged')).toEqual([]);
      expect(rows).toHaveLength(records.length);
    }
    // A table neither locks nor disables accounts.
    const text = [
      'email,orgType,organization,roles,status',
      `active0@states.test,O,${one!.id},auditor,disabled`,
      `inactive0@states.test,O,${one!.id},auditor,locked`,
    ].join('\n');
    expect(outcomes(await send(text))).toEqual([
      [2, 'refused', 'unknown-status', 'status'],
      [3, 'refused', 'unknown-status', 'status'],
    ]);
  });

  test('says which name has invisible characters [P8]', async () => {
    expect(outcomes(await send(`${header}\nnew@example.test,Nia\u202e,New,,,auditor,,`))).toEqual([
      [2, 'refused', 'unseen-character', 'firstName'],
    ]);
  });

  test('is refused as a whole if it is not a table of users', async () => {
    const fault = async (text: string) => (await send(text, true)).fault;
    expect(await fault('email,roles\n')).toEqual({ code: 'no-rows', detail: '' });
    expect(await fault('name,town\nAna,Tampa')).toEqual({ code: 'columns-missing', detail: 'email, roles' });
    expect(await fault('email,roles\n"ana@example.test,auditor')).toMatchObject({ code: 'unreadable' });
    const many = Array.from({ length: 5001 }, (_, index) => `p${index}@example.test,auditor`).join('\n');
    expect(await fault(`email,roles\n${many}`)).toEqual({ code: 'too-many-rows', detail: '5000' });
  });
});
