import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { buildApp } from '../server/src/app.ts';
import { connected } from '../server/src/platform/db/roles.ts';
import { signInAs } from '../server/test/sign-in.ts';
import { withOwnDatabase } from './data-folder.ts';
import { type Bench, percentile } from './figure.ts';
import { fillPersons, idOf } from './filled.ts';

const people = 40;
const each = 5_000;

/** The timeline of people with very many results that lie far apart, because results come in day by day. */
export const timeline: Bench = {
  name: `Timeline of a person with ${each.toLocaleString('en')} results, ${people} of them`,
  run: () =>
    withOwnDatabase(async ({ log, config, connection }) => {
      const { database } = connection;
      const { demo } = await seedDemoTenants(database);
      await fillPersons(database, demo.id, people * 100);
      const persons = await database.withScope({ kind: 'service', tenantId: demo.id }, async (tx) => {
        const found = await tx.rows<{ id: string }>(
          `select ${idOf(`'p' || n`)} as id from generate_series(1, $1::int) n`,
          [people],
        );
        await tx.run(
          `insert into result (tenant_id, id, patient_id, source_key, content_hash, test_name, result_category, status,
             disease_family, collected_on, created_on, county_fips)
           select $1, md5('r' || n)::uuid, case when n % 2 = 0 then ($2::uuid[])[n / 2 % $3 + 1]
               else ${idOf(`'p' || n % ($3 * 99) + 1`)} end, n::text, n::text,
             'A test with a name of some length ' || n % 40, 'negative', 'final', 'chlamydia',
             date '2020-01-01' + n / 200, date '2020-01-03' + n / 200, '12057'
           from generate_series(1, $4::int) n`,
          [demo.id, found.map(({ id }) => id), people, people * each * 2],
        );
        return found;
      });
      await connected(connection.ownerUrl!, 'the bench', (client) => client.query('vacuum analyze'));
      const app = await buildApp({ config, connection, log });
      await app.fastify.ready();
      const { headers } = await signInAs({ app, config }, 'epi@demo.caseway.test', `T:${demo.id}`);
      const read = async (id: string) => {
        const started = performance.now();
        const url = `/api/web/patients/${id}/timeline`;
        const answer = await app.fastify.inject({ method: 'GET', url, headers });
        const ms = performance.now() - started;
        if (answer.statusCode !== 200 || answer.json().entries.length < 50) throw new Error(answer.body);
        return ms;
      };
      // The program's one-time work is not counted for any person.
      await read(persons[0]!.id);
      const first: number[] = [];
      for (const { id } of persons.slice(1)) first.push(await read(id));
      const again: number[] = [];
      for (const { id } of persons) again.push(await read(id));
      await app.fastify.close();
      return [
        {
          what: 'read for the first time, p95',
          value: percentile(first, 0.95),
          unit: 'ms',
          promised: '≤ 50',
        },
        { what: 'the same, median', value: percentile(first, 0.5), unit: 'ms' },
        { what: 'read again, p95', value: percentile(again, 0.95), unit: 'ms', promised: '≤ 50' },
        { what: 'the same, median', value: percentile(again, 0.5), unit: 'ms' },
      ];
    }),
};
