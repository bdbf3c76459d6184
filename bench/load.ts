import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { seedRecords } from '../server/seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { buildApp } from '../server/src/app.ts';
import { parseConfig } from '../server/src/config.ts';
import { connectDatabase } from '../server/src/platform/db/connect.ts';
import { connected } from '../server/src/platform/db/roles.ts';
import { createLog } from '../server/src/platform/log/log.ts';
import { crowdAtWork, type Sample } from '../server/test/crowd.ts';
import { dataFolder } from './data-folder.ts';
import { type Bench, percentile } from './figure.ts';

const users = Number(process.env.BENCH_USERS ?? 2000);
/** Seconds between the requests of a person at work. */
const secondsBetween = 20;
const seconds = Number(process.env.BENCH_SECONDS ?? 30);
const tokenSecret = 'signs nothing outside of this bench';

export const load: Bench = {
  name: `${users.toLocaleString('en')} people signed in, each with a stream of events and a request every ${secondsBetween} seconds`,
  async run() {
    const dataDir = await dataFolder();
    const log = createLog('error');
    const config = parseConfig({ DATA_DIR: dataDir, DEMO: 'off', TOKEN_SECRET: tokenSecret });
    const connection = await connectDatabase({ dataDir, log });
    const { database } = connection;
    try {
      const { demo } = await seedDemoTenants(database);
      await seedRecords(database, demo.id, { patients: 20_000, results: 60_000, cases: 8000 });
      await connected(connection.ownerUrl!, 'the bench', (client) => client.query('vacuum analyze'));
      const app = await buildApp({ config, connection, log });
      await app.fastify.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.fastify.server.address() as AddressInfo;
      const { samples, open } = await crowdAtWork({
        database,
        tokenSecret,
        port,
        tenantId: demo.id,
        people: users,
        secondsBetween,
        seconds,
      });
      await app.fastify.close();
      const failed = samples.filter(({ status }) => status !== 200);
      if (failed.length > 0)
        throw new Error(
          `${failed.length} failed, the first one with ${failed[0]!.status}: ${failed[0]!.name}`,
        );
      if (open !== users) throw new Error(`${users - open} streams have ended`);
      const times = (of: readonly Sample[]) => of.map(({ ms }) => ms);
      return [
        {
          what: `${samples.length.toLocaleString('en')} requests without an error, p95`,
          value: percentile(times(samples), 0.95),
          unit: 'ms',
          promised: '≤ 500',
        },
        { what: '… median', value: percentile(times(samples), 0.5), unit: 'ms' },
        ...[...Map.groupBy(samples, ({ name }) => name)].map(([name, of]) => ({
          what: `… ${name}, p95`,
          value: percentile(times(of), 0.95),
          unit: 'ms' as const,
        })),
      ];
    } finally {
      await connection.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
