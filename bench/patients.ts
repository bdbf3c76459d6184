import { join } from 'node:path';
import { patientGrid } from '@caseway/contract/patients';
import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { buildApp } from '../server/src/app.ts';
import { facts } from '../server/src/facts.ts';
import { startAnalytics } from '../server/src/platform/analytics/engine.ts';
import { connected } from '../server/src/platform/db/roles.ts';
import { signInAs } from '../server/test/sign-in.ts';
import { withOwnDatabase } from './data-folder.ts';
import { type Bench, percentile } from './figure.ts';
import { everySort, fillCases, fillPersons, timesOf } from './filled.ts';

const persons = Number(process.env.BENCH_PERSONS ?? 1_000_000);

const filtered = (
  [
    ['lastName', 'contains', 'ame12'],
    ['lastName', 'startsWith', 'na'],
    ['firstName', 'endsWith', '77'],
    ['lastName', 'isAnyOf', ['name1', 'name2', 'name3']],
    ['city', 'contains', 'y 12'],
    ['birthDate', 'is', '1980-02-13'],
    ['birthDate', 'isEmpty', undefined],
    ['phone', 'contains', '0142'],
    ['sex', 'is', 'F'],
    ['race', 'not', '2054-5'],
    ['county', 'isAnyOf', ['12086', '12011', '12099']],
    ['deceased', 'is', 'no'],
  ] as const
).map(([field, operator, value]) => [
  `filtered by ${field} ${operator} ${value ?? ''}`,
  { filterModel: { items: [{ field, operator, value }] } },
]);

/** Queries of the patient database: every sort, each kind of filter, and words. */
const asked: Record<string, object> = {
  'as it opens': {},
  ...everySort(patientGrid),
  ...Object.fromEntries(filtered),
  'narrowed to a county': { filters: { county: ['12086'] } },
  'a rare word': { filterModel: { items: [], quickFilterValues: ['name12345'] } },
  'two words': { filterModel: { items: [], quickFilterValues: ['name12', 'first3'] } },
  'a word that half of all have': { filterModel: { items: [], quickFilterValues: ['name1'] } },
  'a birth date': { filterModel: { items: [], quickFilterValues: ['02/13/1980'] } },
  'a phone number': { filterModel: { items: [], quickFilterValues: ['(305)', '555-0100'] } },
};

export const patients: Bench = {
  name: `Patient database, ${persons.toLocaleString('en')} persons`,
  run: () =>
    withOwnDatabase(async ({ dataDir, log, config, connection }) => {
      const { database } = connection;
      const { demo } = await seedDemoTenants(database);
      await fillPersons(database, demo.id, persons);
      // The page counts the cases of its persons.
      await fillCases(database, demo.id, persons / 10);
      await connected(connection.ownerUrl!, 'the bench', (client) => client.query('vacuum analyze'));
      const folder = join(dataDir, 'analytics');
      const replica = await startAnalytics({ database, facts, log, folder, engine: 'duckdb' });
      await replica.caughtUp(demo.id);
      await replica.close();

      const app = await buildApp({ config, connection, log });
      await app.fastify.ready();
      const searchAs = async (email: string, selected?: string) => {
        const { headers } = await signInAs({ app, config }, email, selected);
        return async (payload: object) => {
          const started = performance.now();
          const answer = await app.fastify.inject({
            method: 'POST',
            url: '/api/web/grid/patients/search',
            headers,
            payload,
          });
          const ms = performance.now() - started;
          if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
          return ms;
        };
      };
      const whole = await timesOf(await searchAs('admin@demo.caseway.test', `T:${demo.id}`), asked, 5);
      // Without restricted families.
      const blind = await timesOf(await searchAs('epi@demo.caseway.test', `T:${demo.id}`), asked, 5);
      await app.fastify.close();
      const queries = Object.keys(asked).length;
      return [
        {
          what: `first page, ${queries} sorts, filters and searches, p95`,
          value: percentile(whole, 0.95),
          unit: 'ms',
          promised: '≤ 50',
        },
        { what: 'the same, median', value: percentile(whole, 0.5), unit: 'ms' },
        {
          what: 'the same for a reader without restricted families, p95',
          value: percentile(blind, 0.95),
          unit: 'ms',
          promised: '≤ 50',
          against: {
            what: 'than for one who sees all',
            ratio: percentile(blind, 0.5) / percentile(whole, 0.5),
          },
        },
      ];
    }),
};
