import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { seedRecords } from '../seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { crowdAtWork } from '../test/crowd.ts';
import { load } from '../test/load.ts';

const { app, config, database } = await testApp();

// At an easy pace, because speed is a figure that the bench prints.
const people = load(300, 2000);

test(`[P22] ${people} people who are signed in, each with a stream of events, read without one error`, async () => {
  const { demo } = await seedDemoTenants(database);
  await seedRecords(database, demo.id, { patients: people, results: 3 * people, cases: 0.4 * people });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { samples, open } = await crowdAtWork({
    database,
    tokenSecret: config.tokenSecret!,
    port: (app.fastify.server.address() as AddressInfo).port,
    tenantId: demo.id,
    people,
    secondsBetween: people / 40,
    seconds: 5,
  });
  expect(samples.filter(({ status }) => status !== 200)).toEqual([]);
  expect(samples).toHaveLength(200);
  expect(open).toBe(people);
});
