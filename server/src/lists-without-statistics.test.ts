import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { seedRecords } from '../seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { asSuperuser } from '../test/database.ts';
import { makePatient } from '../test/factories.ts';
import { type ApiDescription, operationsOf } from '../test/requests.ts';
import { signInAs, signInAsPatient } from '../test/sign-in.ts';
import { facts } from './facts.ts';
import { copiedFacts, sharedFacts, sharedOf } from './platform/analytics/stored-facts.ts';
import { places } from './platform/db/places.ts';

/*
 * No look-up needs statistics: PostgreSQL knows nothing about a new tenant on a full server until a tenth of each
 * table is new, and nothing at all on a new server. Rows that are read once for each row of a list must still be
 * found by their key, or a list that takes a twentieth of a second takes half a minute. Checked by the plans, not by
 * the clock.
 */

const testing = await testApp({ ANALYTICS_ENGINE: 'postgres' });
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const tenantId = world.demo.id;
const superuser = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
// Nobody else updates the statistics while the test runs.
for (const { name } of await superuser<{ name: string }>(
  "select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
))
  await superuser(`alter table ${name} set (autovacuum_enabled = false)`);
await seedRecords(
  database,
  world.vendor.id,
  { patients: 400, results: 1000, cases: 150 },
  { name: 'demo', seed: 'vendor' },
);
await superuser('analyze');
await seedRecords(
  database,
  tenantId,
  { patients: 4000, results: 8000, cases: 2500 },
  { name: 'demo', seed: 'demo' },
);

await makePatient(database, {
  tenant_id: world.patient.tenantId,
  id: world.patient.patientId,
  birth_date: world.patient.birthDate,
});

/** Tables of records that would take long to read as a whole. */
const large = new Set<string>();
for (const { name } of await superuser<{ name: string }>(
  "select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
)) {
  if (([...places.local, ...places.shared] as string[]).includes(name)) continue;
  const [counted] = await superuser<{ rows: number }>(`select count(*)::int as rows from ${name}`);
  if (counted!.rows > 100) large.add(name);
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Parent Relationship'?: string;
  'Subplan Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Join Type'?: string;
  Plans?: Node[];
}

/**
 * The reads that a plan repeats for each row of something else, searching only by tenant. For a query about one
 * record (`ofOneRecord`), also those that it does once.
 */
function readWhole(plan: Node, ofOneRecord: boolean): string[] {
  const found: string[] = [];
  const text = JSON.stringify(plan);
  const walk = (node: Node, again: boolean, relation = ''): void => {
    const name = node['Relation Name'] ?? relation;
    const bound = (node['Index Cond'] ?? '').replace(/\(?tenant_id = [^()]*(?:\([^()]*\))?[^()]*\)?/g, '');
    const isScan = /^(Seq|Index|Index Only|Bitmap Index) Scan$/.test(node['Node Type']);
    if (again && isScan && large.has(name) && !/\w+ (?:=|&&|>=|<|>|<=|\?)/.test(bound))
      found.push(
        `${node['Node Type']} of ${name} ${node['Index Name'] ?? ''} by ${node['Index Cond'] ?? 'nothing'}`,
      );
    for (const [place, child] of (node.Plans ?? []).entries()) {
      const relationship = child['Parent Relationship'];
      const hashed =
        relationship === 'SubPlan' && text.includes(`hashed ${child['Subplan Name'] ?? 'no name'}`);
      walk(
        child,
        relationship === 'InitPlan'
          ? again
          : relationship === 'SubPlan'
            ? !hashed
            : again || (node['Node Type'] === 'Nested Loop' && place > 0 && relationship === 'Inner'),
        name,
      );
    }
  };
  walk(plan, ofOneRecord);
  return found;
}

/** Plans of the statements in a reader's scope, by their text; each is explained right before it runs. */
const faults = new Map<string, string[]>();
let planned = 0;
/** Whether the current request is about one record. */
let asksForOneRecord = false;
const query = pg.Client.prototype.query;
const reading = new WeakSet<pg.Client>();
// biome-ignore lint/suspicious/noExplicitAny: pg has a dozen ways to query
(pg.Client.prototype as any).query = async function planning(this: pg.Client, ...given: any[]) {
  const send = (...all: unknown[]) => (query as (...all: unknown[]) => Promise<never>).apply(this, all);
  const text: string = given[0]?.text ?? given[0];
  if (typeof text !== 'string') return send(...given);
  if (text.startsWith('begin')) {
    if (/app\.scope = '(?:org|service|patient)'/.test(text)) reading.add(this);
    else reading.delete(this);
  } else if (reading.has(this) && /^\s*(?:select|with)\b/i.test(text)) {
    const { rows } = (await send(
      `explain (format json) ${text}`,
      given[0]?.values ?? given[1],
    )) as unknown as {
      rows: { 'QUERY PLAN': [{ Plan: Node }] }[];
    };
    planned++;
    const found = readWhole(rows[0]!['QUERY PLAN'][0].Plan, asksForOneRecord);
    if (found.length > 0) faults.set(text.replace(/\s+/g, ' '), found);
  }
  return send(...given);
};
afterAll(() => {
  pg.Client.prototype.query = query;
});

const people = ['epi', 'orgadmin', 'facility', 'jurisdiction'];
const signedIn = await Promise.all(
  people.map(async (name) => ({ name, ...(await signInAs(testing, `${name}@demo.caseway.test`)) })),
);
const patient = await signInAsPatient(testing, { email: world.patient.email }, world.patient.birthDate);
const description = (await app.fastify.inject({ url: '/api/openapi.json' })).json<ApiDescription>();
const operations = operationsOf(description).filter(
  ({ method, path, access, produces }) =>
    access.includes('/') &&
    produces !== 'text/event-stream' &&
    (method === 'GET' || /\/(search|export)$|\/analytics\/[a-z-]+$/.test(path)),
);
const ofPatients = operationsOf(description).filter(
  ({ method, path, access }) => method === 'GET' && access === 'patient' && !path.includes('{'),
);
const ids = (
  await superuser<{ id: string }>(
    `(select id from patient where tenant_id = $1 limit 1) union all (select id from case_report where tenant_id = $1 limit 2)
     union all (select id from result where tenant_id = $1 limit 1)`,
    [tenantId],
  )
).map(({ id }) => id);
const caseSearches = [
  {},
  { filterModel: { items: [{ field: 'notes', operator: 'contains', value: 'clinic' }] } },
  { filterModel: { items: [], quickFilterValues: ['mar'] } },
  { sortModel: [{ field: 'lastName', sort: 'asc' }] },
];

/** Sends every reading request as every reader; returns who got which answer. */
async function readEverything(): Promise<Map<string, number>> {
  const answers = new Map<string, number>();
  for (const { name, headers } of signedIn) {
    const ask = async (method: 'GET' | 'POST', url: string, payload?: object) => {
      const { statusCode } = await app.fastify.inject({ method, url, headers: { ...headers }, payload });
      const key = `${name} ${url}`;
      if (statusCode === 200) answers.set(key, (answers.get(key) ?? 0) + 1);
    };
    for (const { method, path } of operations)
      for (const id of path.includes('{') ? ids : ['']) {
        asksForOneRecord = path.includes('{');
        await ask(
          method as 'GET' | 'POST',
          path.replace(/\{\w+\}/g, id),
          method === 'POST'
            ? path.includes('/analytics/')
              ? { dateRangeValue: { start: '2020-01-01', end: '2099-12-31' } }
              : {}
            : undefined,
        );
      }
    asksForOneRecord = false;
    for (const payload of caseSearches) await ask('POST', '/api/web/grid/case-reports/search', payload);
  }
  asksForOneRecord = true;
  for (const { path } of ofPatients) {
    const { statusCode } = await app.fastify.inject({
      url: path,
      headers: patient.headers,
      query: path.endsWith('/free-times') ? { from: '2026-01-01' } : {},
    });
    if (statusCode === 200) answers.set(`patient ${path}`, 1);
  }
  asksForOneRecord = false;
  // The queries that make a replica, and that it repeats.
  await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    const among = (column: string) => `c.${column} = any ('{${ids.join(',')}}'::uuid[])`;
    for (const fact of facts)
      for (const condition of [
        'true',
        ['id', ...('patientId' in fact.shape.columns ? ['patient_id'] : [])].map(among).join(' or '),
      ])
        await tx.rows(copiedFacts(fact, `cast('${tenantId}' as uuid)`, condition));
    for (const fact of facts)
      for (const shared of sharedOf(fact))
        for (const all of [true, false])
          await tx.rows(sharedFacts(fact, shared, `cast('${tenantId}' as uuid)`, all));
  });
  return answers;
}

const never = `delete from pg_statistic where starelid in
    (select oid from pg_class where relnamespace = 'public'::regnamespace);
  update pg_class set relpages = 0, reltuples = -1 where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`;

test.for([
  { statistics: 'know another tenant alone', change: '' },
  { statistics: 'were never made', change: never },
])(
  'reads no tenant again for each row of a list, and none at all for one record, while statistics $statistics [P19]',
  { timeout: 300_000 },
  async ({ change }) => {
    if (change) await superuser(change);
    faults.clear();
    planned = 0;
    const answers = await readEverything();
    for (const name of people)
      expect(answers.get(`${name} /api/web/grid/case-reports/search`), name).toBeGreaterThan(3);
    expect(ofPatients.map(({ path }) => answers.get(`patient ${path}`))).toEqual(ofPatients.map(() => 1));
    expect(ofPatients.length).toBeGreaterThan(2);
    expect(planned).toBeGreaterThan(300);
    expect(Object.fromEntries(faults)).toEqual({});
  },
);

test('no record table has statistics on its tenants', async () => {
  const rows = await superuser<{ name: string; target: number }>(
    `select c.relname as name, a.attstattarget as target from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition`,
  );
  const kept = rows.filter(({ target }) => target !== 0).map(({ name }) => name);
  expect(kept.filter((name) => !([...places.local, ...places.shared] as string[]).includes(name))).toEqual(
    [],
  );
  expect([...large].sort()).toEqual([
    'case_event',
    'case_report',
    'case_report_transition',
    'case_result',
    'patient',
    'patient_block',
    'patient_identifier',
    'record_clock',
    'result',
    'search_key',
    'specimen',
    'treatment',
    'work_task',
  ]);
  expect(rows.length).toBeGreaterThan(30);
});
