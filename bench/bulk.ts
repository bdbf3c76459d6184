import { randomUUID } from 'node:crypto';
import type { BulkAction } from '@caseway/contract/bulk';
import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { buildApp } from '../server/src/app.ts';
import { connected } from '../server/src/platform/db/roles.ts';
import { bulkJobIn } from '../server/test/bulk.ts';
import { signInAs } from '../server/test/sign-in.ts';
import { withOwnDatabase } from './data-folder.ts';
import { type Bench, type Figure, worked } from './figure.ts';
import { fillCases, fillPersons } from './filled.ts';

const cases = 10_000;

/** Many cases changed by one action, with all effects of a transition: tasks, clocks, versions and the log. */
export const bulk: Bench = {
  name: `Change of ${cases.toLocaleString('en')} cases at once`,
  run: () =>
    withOwnDatabase(async ({ log, config, connection }) => {
      const { database } = connection;
      const { demo } = await seedDemoTenants(database);
      await fillPersons(database, demo.id, cases);
      await fillCases(database, demo.id, cases);
      // Unassigned and from this month, like cases that wait for an assignment.
      await database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
        tx.run(
          `update case_report set status = 'new', investigator_id = null,
             created_on = current_date - abs(hashtext(case_id)) % 30 where tenant_id = $1`,
          [demo.id],
        ),
      );
      await connected(connection.ownerUrl!, 'the bench', (client) => client.query('vacuum analyze'));
      const app = await buildApp({ config, connection, log });
      await app.fastify.ready();
      const admin = await signInAs({ app, config }, 'admin@demo.caseway.test', `T:${demo.id}`);
      const response = async <T>(method: 'GET' | 'POST', path: string, payload?: object): Promise<T> => {
        const url = `/api/web/${path}`;
        const answer = await app.fastify.inject({
          method,
          url,
          headers: admin.headers,
          ...(payload && { payload }),
        });
        if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
        return answer.json<T>();
      };
      const work = bulkJobIn(database, undefined, 200);
      const figures: Figure[] = [];
      /** Runs an action to its end. */
      async function act(what: string, path: string, body: object, promised?: string): Promise<string> {
        const id = randomUUID();
        const started = performance.now();
        let seconds = 0;
        const cpu = await worked(async () => {
          await response('POST', path, { id, ...body });
          // It queues again after some seconds.
          const read = () => response<BulkAction>('GET', `case-reports/bulk/${id}`);
          while ((await read()).state === 'running') await work(demo.id, id);
          seconds = (performance.now() - started) / 1000;
        });
        const done = await response<BulkAction>('GET', `case-reports/bulk/${id}`);
        if (done.changed !== cases) throw new Error(`${what}: ${JSON.stringify(done)}`);
        figures.push({ what, value: seconds, unit: 's', ...(promised && { promised }) });
        figures.push({ what: 'of that, in the program', value: cpu / 1000, unit: 's' });
        return id;
      }
      const all = { selection: { query: {} }, expected: cases };
      const assign = { transition: { id: 'assign', fields: { investigator: admin.init.user.id } } };
      const dry = { ...all, ...assign, dryRun: true };
      await act('looked at before it is done', 'case-reports/bulk', dry);
      const done = await act('assigned', 'case-reports/bulk', { ...all, ...assign }, '≤ 10');
      await act('taken back', `case-reports/bulk/${done}/undo`, {}, '≤ 10');
      await app.fastify.close();
      return figures;
    }),
};
