import { randomUUID } from 'node:crypto';
import type { UserRow } from '@caseway/contract/users';
import { expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { carryAll } from '../../../test/carried.ts';
import { asSuperuser } from '../../../test/database.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../roles/default-roles.ts';

const people = 50_000;
const testing = await testApp();
const { app, database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const sql = (text: string, params: unknown[] = []) => asSuperuser(text, params, superuserUrl);

// Every second user is in the tenant, the others in one of its organisations.
const organization = demo.organizations[0]!.id;
const prefix = randomUUID().slice(0, 8);
await sql(
  `insert into account (id, username, email, first_name, last_name)
   select ('${prefix}-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'p' || n || '@many.test', 'p' || n || '@many.test',
     'Person', 'Number ' || lpad(((n::bigint * 7919) % ${people})::text, 5, '0')
   from generate_series(1, ${people}) n`,
);
await sql(
  `insert into account_state (account_id, last_sign_in_at)
   select ('${prefix}-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, now() - make_interval(hours => n)
   from generate_series(1, ${people}) n where n % 3 > 0`,
);
await sql(
  `insert into membership (tenant_id, id, account_id, org_type, org_id)
   select $1::uuid, id, id, case when right(id::text, 1)::int % 2 = 0 then 'T' else 'O' end,
     case when right(id::text, 1)::int % 2 = 0 then $1::uuid else $2::uuid end
   from account where username like '%@many.test'`,
  [demo.id, organization],
);
await sql(
  `insert into membership_role (tenant_id, membership_id, role_id)
   select $1::uuid, id, case when substr(id::text, 35, 1) = '7' then $2::uuid else $3::uuid end from membership
   where id::text like '${prefix}%'`,
  [demo.id, defaultRoleId(demo.id, 'auditor'), defaultRoleId(demo.id, 'read-only-analyst')],
);
await carryAll(superuserUrl);
await sql('analyze');

// Queries that take longer than two seconds are refused, so each of these was fast enough. [P19]
test('[P19] the grids answer for 50,000 users: any sort, filter and words, and far pages', async () => {
  const { headers } = await signInAs(testing, 'admin@demo.caseway.test');
  const search = async (query: object) => {
    const response = await app.fastify.inject({
      method: 'POST',
      url: '/api/web/grid/tenant-users/search',
      headers,
      payload: query,
    });
    expect([response.statusCode, response.body.slice(0, 200)]).toEqual([200, expect.anything()]);
    return response.json<{ rows: UserRow[]; rowCount: number }>();
  };
  const where = (field: string, operator: string, value: unknown) => ({
    filterModel: { items: [{ field, operator, value }] },
  });
  const first = await search({});
  // In addition to the fourteen of the demo.
  expect([first.rows.length, first.rowCount]).toEqual([25, people / 2 + 14]);
  // The surnames have every even number once, and seven people of the demo come before them: the row 24,999, counted
  // from 0, has the number 2 × (24,999 − 7).
  expect((await search({ paginationModel: { page: 999, pageSize: 25 } })).rows.at(-1)!.name).toBe(
    'Number 49984, Person',
  );
  const [latest] = (await search({ sortModel: [{ field: 'lastSignInAt', sort: 'desc' }] })).rows;
  expect(latest!.email).toBe('admin@demo.caseway.test');
  // Every sixth is even and divisible by three, and never signed in; nor did anyone in the demo except the
  // administrator.
  expect((await search(where('status', 'is', 'invited'))).rowCount).toBe(8333 + 13);
  expect((await search(where('roles', 'is', defaultRoleId(demo.id, 'auditor')))).rowCount).toBe(2501);
  expect((await search({ filterModel: { items: [], quickFilterValues: ['01234'] } })).rowCount).toBe(1);
  expect((await search(where('email', 'equals', 'p4242@many.test'))).rowCount).toBe(1);
});
