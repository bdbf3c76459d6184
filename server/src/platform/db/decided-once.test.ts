import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { forgetMemberships, signInAs } from '../../../test/sign-in.ts';
import { type Decided, decided, type Scope } from '../scope.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);

/** How often a transaction began by reading the tables. */
let asked = 0;
/** On a distributed database, the read follows the beginning. */
const begun = new WeakSet<pg.Client>();
const query = pg.Client.prototype.query;
pg.Client.prototype.query = function counting(this: pg.Client, ...given: unknown[]) {
  const text = String(given[0]);
  if (text.startsWith('begin')) begun.add(this);
  if (text.includes('execute decide_') && begun.delete(this)) asked++;
  return (query as (...all: unknown[]) => unknown).apply(this, given);
} as typeof query;
afterAll(() => {
  pg.Client.prototype.query = query;
});

const [reporting] = (await asSuperuser<{ id: string; counties: string[] }>(
  `select r.jurisdiction_id as id, array(select county_fips from jurisdiction_county c
     where c.jurisdiction_id = r.jurisdiction_id order by 1) as counties
   from tenant_reporting r where r.tenant_id = $1 and r.ended_at is null limit 1`,
  [demo.id],
  superuserUrl,
)) as [{ id: string; counties: string[] }];
const jurisdiction = (kept?: Partial<Decided>): Scope & { kind: 'org' } => ({
  kind: 'org',
  tenantId: demo.id,
  orgType: 'PHJ',
  orgId: reporting.id,
  accountId: '00000000-0000-4000-8000-000000000001',
  counties: reporting.counties,
  hiddenFamilies: [],
  genderIdentityShown: true,
  ...(kept && {
    [decided]: { tenantId: demo.id, orgId: reporting.id, until: performance.now() + 60_000, ...kept },
  }),
});
/** The counties that a transaction of a scope sees. */
const counties = (scope: Scope) =>
  database.withScope(scope, async (tx) => {
    const [row] = await tx.rows<{ seen: string[] | null }>('select app_counties() as seen');
    return row!.seen?.sort() ?? null;
  });

beforeEach(() => {
  asked = 0;
});

test('a reader’s rights are read by the first transaction and kept for the next [P19]', async () => {
  const scope = jurisdiction({});
  expect(await counties(scope)).toEqual(reporting.counties);
  expect(await counties(scope)).toEqual(reporting.counties);
  expect(await counties({ ...scope, accountId: '00000000-0000-4000-8000-000000000002' })).toEqual(
    reporting.counties,
  );
  expect(asked).toBe(1);
});

test('they are read each time if they are not kept, or have been kept long enough [P14]', async () => {
  const past = { until: performance.now() - 1, settings: { 'app.reported_counties': '99999' } };
  for (const scope of [jurisdiction(), jurisdiction(past)]) {
    expect(await counties(scope)).toEqual(reporting.counties);
    expect(await counties(scope)).toEqual(reporting.counties);
  }
  expect(asked).toBe(4);
});

test('nothing that was read for one reader is used for another [P1, P2]', async () => {
  const found = { settings: { 'app.reports_here': 'on', 'app.reported_counties': '99999' } };
  expect(await counties(jurisdiction(found))).toEqual(['99999']);
  asked = 0;
  const nowhere = '00000000-0000-4000-8000-00000000000f';
  expect(await counties({ ...jurisdiction(found), orgId: nowhere })).toBeNull();
  expect(await counties({ ...jurisdiction(found), tenantId: nowhere })).toBeNull();
  expect(asked).toBe(2);
});

test('an emergency access is read each time, and is not kept for the reader [P18]', async () => {
  const scope = jurisdiction({});
  const glass = { ...scope, glass: '00000000-0000-4000-8000-00000000000e' };
  for (let time = 0; time < 2; time++) expect(await counties(glass)).toEqual(reporting.counties);
  expect(asked).toBe(2);
  expect(Object.keys(scope[decided]!.settings!)).toEqual(['app.reports_here', 'app.reported_counties']);
});

test.for([
  // Two tenants report to it.
  { name: 'jurisdiction', orgType: 'PHJ', tenants: 2 },
  { name: 'facility', orgType: 'F', tenants: 1 },
  { name: 'orgadmin', orgType: 'O', tenants: 1 },
])(
  'requests of $name read them once while their membership is known, and again when it is forgotten [P14]',
  async ({ name, orgType, tenants }) => {
    const { headers, init } = await signInAs(testing, `${name}@demo.caseway.test`);
    expect(init.selectedOrg?.orgType).toBe(orgType);
    const read = async () => {
      const { statusCode } = await app.fastify.inject({
        method: 'POST',
        url: '/api/web/grid/case-reports/search',
        headers: { ...headers },
        payload: {},
      });
      return statusCode;
    };
    forgetMemberships({ app });
    asked = 0;
    const first = await read();
    const once = asked;
    await read();
    forgetMemberships({ app });
    await read();
    expect({ first, once, again: asked }).toEqual({ first: 200, once: tenants, again: 2 * tenants });
  },
);
