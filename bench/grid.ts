import { join } from 'node:path';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { type GridQuery, gridQuery } from '@caseway/contract/grid';
import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { buildApp } from '../server/src/app.ts';
import { facts } from '../server/src/facts.ts';
import { readCaseRows } from '../server/src/features/case-reports/rows.ts';
import { caseReportSource } from '../server/src/features/case-reports/source.ts';
import { optionsOf } from '../server/src/features/lookups/options.ts';
import { startAnalytics } from '../server/src/platform/analytics/engine.ts';
import { connected } from '../server/src/platform/db/roles.ts';
import { countStatement, type GridContext, pageStatement } from '../server/src/platform/grid/grid-sql.ts';
import type { Scope } from '../server/src/platform/scope.ts';
import { signInAs } from '../server/test/sign-in.ts';
import { withOwnDatabase } from './data-folder.ts';
import { type Bench, percentile } from './figure.ts';
import { everySort, fillCases, fillPersons, timesOf } from './filled.ts';

const cases = Number(process.env.BENCH_CASES ?? 1_000_000);

/** Queries of the list: every kind of filter, each kind of sort column, words, and several together. */
const asked: Record<string, object> = {
  'as it opens': { dateRangeValue: { start: '2022-01-02', end: '2027-01-01' } },
  ...everySort(caseReportGrid),
  'sorted by three fields': {
    sortModel: [
      { field: 'status', sort: 'asc' },
      { field: 'lastName', sort: 'asc' },
      { field: 'birthDate', sort: 'desc' },
    ],
  },
  ...Object.fromEntries(
    (
      [
        ['lastName', 'contains', 'ame12'],
        ['lastName', 'doesNotContain', 'ame12'],
        ['lastName', 'equals', 'name1234'],
        ['lastName', 'startsWith', 'na'],
        ['lastName', 'endsWith', '77'],
        ['lastName', 'isAnyOf', ['name1', 'name2', 'name3']],
        ['lastName', 'isNotEmpty', undefined],
        ['caseId', 'contains', '123'],
        ['caseId', 'contains', '%_%_%'],
        ['city', 'contains', 'y 12'],
        ['age', '>=', 65],
        ['age', '!=', 30],
        ['birthDate', 'is', '1980-02-13'],
        ['onsetOn', 'isEmpty', undefined],
        ['createdOn', 'onOrAfter', '2025-06-01'],
        ['updatedAt', 'is', '2025-03-03'],
        ['status', 'is', 'new'],
        ['status', 'not', 'closed'],
        ['county', 'isAnyOf', ['12086', '12011', '12099']],
        ['condition', 'is', 'chlamydia'],
      ] as const
    ).map(([field, operator, value]) => [
      `filtered by ${field} ${operator} ${value ?? ''}`,
      {
        filterModel: { items: [{ field, operator, value }] },
        sortModel: [{ field: 'lastName', sort: 'asc' }],
      },
    ]),
  ),
  'three filters with OR': {
    filterModel: {
      logicOperator: 'or',
      items: [
        { field: 'lastName', operator: 'startsWith', value: 'name12' },
        { field: 'status', operator: 'is', value: 'new' },
        { field: 'age', operator: '<', value: 5 },
      ],
    },
  },
  'a rare word': { filterModel: { items: [], quickFilterValues: ['name12345'] } },
  'two words': { filterModel: { items: [], quickFilterValues: ['name12', 'first3'] } },
  'a word that half of all have': { filterModel: { items: [], quickFilterValues: ['name1'] } },
  'a birth date': { filterModel: { items: [], quickFilterValues: ['02/13/1980'] } },
  'a case number': { filterModel: { items: [], quickFilterValues: ['2024-0000123'] } },
  'a phone number': { filterModel: { items: [], quickFilterValues: ['(305)', '555-0100'] } },
};

const farPages: Record<string, object> = Object.fromEntries(
  (['caseId', 'lastName', 'birthDate', 'status', 'county', 'updatedAt'] as const).map((field) => [
    `page 1,000 by ${field}`,
    { sortModel: [{ field, sort: 'desc' }], paginationModel: { page: 999, pageSize: 25 } },
  ]),
);

export const grid: Bench = {
  name: `Case-report grid, ${cases.toLocaleString('en')} cases`,
  run: () =>
    withOwnDatabase(async ({ dataDir, log, config, connection }) => {
      const { database } = connection;
      const world = await seedDemoTenants(database);
      const tenantId = world.demo.id;
      const said = (what: string, since: number) =>
        console.error(`${what}: ${((performance.now() - since) / 1000).toFixed(1)} s`);
      let began = performance.now();
      await fillPersons(database, tenantId, cases);
      await fillCases(database, tenantId, cases);
      await connected(connection.ownerUrl!, 'the bench', (client) => client.query('vacuum analyze'));
      said('filled', began);
      const engine = { database, facts, log, folder: join(dataDir, 'analytics') };
      began = performance.now();
      const first = await startAnalytics({ ...engine, engine: 'duckdb' });
      await first.caughtUp(tenantId);
      await first.close();
      said('replica made', began);

      const app = await buildApp({ config, connection, log });
      await app.fastify.ready();
      const { headers, init } = await signInAs({ app, config }, 'epi@demo.caseway.test');
      const search = async (payload: object) => {
        const started = performance.now();
        const answer = await app.fastify.inject({
          method: 'POST',
          url: '/api/web/grid/case-reports/search',
          headers,
          payload,
        });
        const ms = performance.now() - started;
        if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
        return ms;
      };
      const near = await timesOf(search, asked, 7);
      const far = await timesOf(search, farPages, 7);
      await app.fastify.close();

      // Only the statements: no HTTP, permission, audit or check of the outbox.
      const scope: Scope = {
        kind: 'org',
        tenantId,
        orgType: 'T',
        orgId: tenantId,
        accountId: init.user.id,
        counties: [],
        hiddenFamilies: ['hiv'],
        genderIdentityShown: true,
      };
      const orders: Record<string, string[]> = {};
      for (const field of Object.values(caseReportSource.fields))
        if (field.kind === 'choice' && typeof field.order === 'string') {
          const options = await optionsOf(field.order, [tenantId], (_, work) =>
            database.withScope(scope, (tx) => work(tx, scope)),
          );
          orders[field.order] = options!.map(({ id }) => id);
        }
      const bareTimes = async (kind: 'duckdb' | 'postgres', queries: GridQuery[], runs: number) => {
        const analytics = await startAnalytics({ ...engine, engine: kind });
        if (kind === 'duckdb') await analytics.caughtUp(tenantId);
        const context: GridContext = { engine: kind, tenantId, timeZone: 'America/New_York', orders };
        const samples: number[] = [];
        for (const query of queries)
          for (let run = 0; run < runs + 1; run++) {
            const started = performance.now();
            const ids = await analytics.read(
              { scopes: [scope], freshness: 'any', timeoutMs: 120_000 },
              async (ask) => {
                const page = pageStatement(caseReportSource, query, context, { offset: 0, limit: 25 });
                const rows = await ask<{ id: string }>(page);
                const count = countStatement(caseReportSource, query, context);
                await ask(count);
                return rows.map(({ id }) => id);
              },
            );
            await database.withScope(scope, (tx) => readCaseRows(tx, ids), { readOnly: true });
            if (run > 0) samples.push(performance.now() - started);
          }
        await analytics.close();
        return samples;
      };
      const queries = Object.values(asked).map((query) => gridQuery(caseReportGrid).parse(query));
      const bare = await bareTimes('duckdb', queries, 4);
      const some = queries.filter((_, index) => index % 9 === 0);
      const postgres = await bareTimes('postgres', some, 1);
      return [
        {
          what: `first page, ${Object.keys(asked).length} sorts, filters and searches, p95`,
          value: percentile(near, 0.95),
          unit: 'ms',
          promised: '≤ 50',
          against: {
            what: 'PostgreSQL alone takes',
            ratio: percentile(postgres, 0.5) / percentile(bare, 0.5),
          },
        },
        { what: 'the same, median', value: percentile(near, 0.5), unit: 'ms' },
        {
          what: 'the same against the bare SQL, p95',
          value: percentile(near, 0.95) / percentile(bare, 0.95),
          unit: '×',
          promised: '≤ 2',
        },
        { what: 'page 1,000 of any sort, p95', value: percentile(far, 0.95), unit: 'ms', promised: '≤ 150' },
      ];
    }),
};
