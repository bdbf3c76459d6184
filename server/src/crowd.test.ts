import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { seedRecords } from '../seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { crowdAtWork } from '../test/crowd.ts';

const { app, config, database } = await testApp();

// At an easy pace: how fast the answers are is a figure, which the bench prints.
test('[P22] two thousand people who are signed in, each with a stream of events, read without one error', async () => {
  const { demo } = await seedDemoTenants(database);
  await seedRecords(database, demo.id, { patients: 2000, results: 6000, cases: 800 });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { samples, open } = await crowdAtWork({
    database,
    tokenSecret: config.tokenSecret!,
    port: (app.fastify.server.address() as AddressInfo).port,
    tenantId: demo.id,
    people: 2000,
    secondsBetween: 50,
    seconds: 5,
  });
  expect(samples.filter(({ status }) => status !== 200)).toEqual([]);
  expect(samples).toHaveLength(200);
  expect(open).toBe(2000);
}, 240_000);
