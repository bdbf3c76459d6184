import { randomUUID } from 'node:crypto';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { afterAll, describe, expect, test } from 'vitest';
import { fillDemo } from '../seeds/demo/fill.ts';
import { demoWorld } from '../seeds/demo/tenants.ts';
import { testApp } from '../test/app.ts';
import { askingAs } from '../test/asking.ts';
import { asSuperuser } from '../test/database.ts';
import { type SignedIn, signInAs } from '../test/sign-in.ts';
import { buildApp } from './app.ts';
import { createLog } from './platform/log/log.ts';

/*
 * Two processes of one server and, for comparison, one that only uses PostgreSQL: whichever process is asked or has
 * the replica, the answer is the same for every reader.
 */

const alone = await testApp({ ANALYTICS_ENGINE: 'postgres' });
const { database, appUrl, ownerUrl, superuserUrl } = alone;
await fillDemo(database, {
  demo: { patients: 300, results: 900, cases: 60 },
  vendor: { patients: 60, results: 200, cases: 12 },
});
await asSuperuser(
  "update tenant set tenant_features = tenant_features || '{weekly-cases}'",
  [],
  superuserUrl,
);
const { demo, vendor } = demoWorld();
const server = randomUUID();
/** Started together, because one that waits long for the other takes more than its share of the tenants. */
const processes: Pick<typeof alone, 'app' | 'config'>[] = await Promise.all(
  [1, 2].map(async (number) => {
    const app = await buildApp({
      config: { ...alone.config, analyticsEngine: 'duckdb' },
      connection: { database, appUrl, ownerUrl },
      log: createLog('fatal'),
      checkAnswers: true,
      // For slow machines and many tests: this compares what is found, not how fast.
      listMs: 60_000,
      place: { number, of: 2, server, id: randomUUID() },
    });
    await app.fastify.ready();
    return { app, config: alone.config };
  }),
);
afterAll(() => Promise.all(processes.map(({ app }) => app.fastify.close())));

const ownerOf = async (tenantId: string) => {
  const [lease] = await asSuperuser<{ server: string; size: number | null }>(
    'select server, size::int from replica_owner where tenant_id = $1',
    [tenantId],
    superuserUrl,
  );
  return lease;
};

const today = todayIn('America/New_York');
const range = { dateRangeValue: { start: addDays(today, -700), end: today } };
const page = (more: object) => ({ paginationModel: { page: 0, pageSize: 50 }, ...more });
const questions: Record<string, [path: string, body: object | undefined]> = {
  'the numbers of testing': ['analytics/testing', range],
  'by another date and with filters': [
    'analytics/testing',
    {
      ...range,
      eventDate: 'resulted',
      filters: { sexFilter: ['F'], diseaseFamilyFilter: ['chlamydia', 'hiv'] },
    },
  ],
  'a page of cases': ['grid/case-reports/search', page({})],
  'cases by the moment of their change, and a place': [
    'grid/case-reports/search',
    page({
      sortModel: [
        { field: 'updatedAt', sort: 'desc' },
        { field: 'facility', sort: 'asc' },
      ],
    }),
  ],
  'cases by a word and a condition': [
    'grid/case-reports/search',
    page({
      filterModel: {
        items: [{ field: 'status', operator: 'isAnyOf', value: ['new', 'assigned', 'closed'] }],
        quickFilterValues: ['a'],
      },
    }),
  ],
  'the results behind a number': ['grid/testing-records/search', page({ filters: { sexFilter: ['M'] } })],
  'the weekly table': [`weekly-cases?weekOf=${today}`, undefined],
};

/** The answer without its moment. */
const answerOf = async (
  of: (typeof processes)[number],
  reader: SignedIn,
  [path, body]: [string, object?],
) => {
  const response = await askingAs(of, reader).ask(body ? 'POST' : 'GET', path, body);
  const { asOf: _, ...answer } = response.json<{ asOf?: string; requestId?: string; rows?: object[] }>();
  return { status: response.statusCode, ...answer, requestId: undefined };
};

test('[P29] the tenants are shared among the processes', async () => {
  await expect
    .poll(async () => [await ownerOf(demo.id), await ownerOf(vendor.id)], { interval: 200 })
    .toEqual([
      { server: expect.any(String), size: expect.any(Number) },
      { server: expect.any(String), size: expect.any(Number) },
    ]);
  expect((await ownerOf(demo.id))!.server).not.toBe((await ownerOf(vendor.id))!.server);
});

const readers = {
  'who sees no restricted family': 'epi@demo.caseway.test',
  'who sees everything': 'investigator@demo.caseway.test',
  'from whom small numbers are withheld': 'analyst@demo.caseway.test',
  'of a facility': 'facility@demo.caseway.test',
  'of an employer': 'employer@demo.caseway.test',
  'of a jurisdiction, over both tenants': 'jurisdiction@demo.caseway.test',
  'of the other tenant': 'analyst@vendor.caseway.test',
};

describe.each(Object.entries(readers))('[P1, P17, P18] a reader %s', async (_, username) => {
  const reader = await signInAs(alone, username);

  test.each(Object.entries(questions))('%s', async (_, question) => {
    const expected = await answerOf(alone, reader, question);
    for (const one of processes) expect(await answerOf(one, reader, question)).toEqual(expected);
  });
});
