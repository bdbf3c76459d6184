import type { AddressInfo } from 'node:net';
import type { ImportDetail } from '@caseway/contract/imports';
import { expect, test } from 'vitest';
import { seedDemoTenants } from '../../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../../test/app.ts';
import { asSuperuser } from '../../../../test/database.ts';
import { signInAs } from '../../../../test/sign-in.ts';
import { defaultBatchSize } from '../batch/batch.ts';
import { elr } from '../test-messages.ts';
import { importJob } from './import-job.ts';

const testing = await testApp({}, { background: true });
const { app, database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
await app.fastify.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.fastify.server.address() as AddressInfo;
const lab = await signInAs(testing, 'lab@demo.caseway.test');
const sql = (text: string) => asSuperuser(text, [], superuserUrl);

/** A batch of messages and some more. */
const batch = defaultBatchSize;
const all = batch + 100;
const file = Array.from({ length: all }, (_, at) => elr({ control: `C${at}`, order: `F${at}` })).join('');

const detail = async (id: string): Promise<ImportDetail> =>
  (await app.fastify.inject({ url: `/api/web/imports/${id}`, headers: lab.headers })).json();
const start = (id: string) =>
  app.fastify.inject({ method: 'POST', url: `/api/web/imports/${id}/start`, headers: lab.headers });
const becomes = (id: string, expected: Partial<ImportDetail>) =>
  expect.poll(() => detail(id), { timeout: 60_000, interval: 50 }).toEqual(expect.objectContaining(expected));

test('[P5] an import that a fault has interrupted says so, and continues from there on request: nothing is lost, nothing is stored twice', async () => {
  // A fault of the program that no message is to blame for: behind the first batch nothing can be stored.
  await sql(`create function break_down() returns trigger language plpgsql as $$
    begin raise exception 'broken'; end $$`);
  await sql(`create trigger break_down before update on import for each row
    when (old.next_index >= ${batch} and new.next_index > old.next_index) execute function break_down()`);
  const sent = await fetch(`http://127.0.0.1:${port}/api/web/imports?fileName=broken.hl7`, {
    method: 'POST',
    headers: { ...lab.headers, 'content-type': 'application/octet-stream' },
    body: file,
  });
  const { id } = (await sent.json()) as ImportDetail;
  await becomes(id, { state: 'queued', error: 'internal', messages: batch, taken: batch });

  // It is tried again automatically; after the last time it says that it has failed, and can still be continued.
  await sql(`update graphile_worker._private_jobs set attempts = ${importJob.attempts - 1}, run_at = now()
    where locked_at is null`);
  await becomes(id, { state: 'failed', error: 'internal', messages: batch, taken: batch });
  expect((await start(id)).statusCode).toBe(200);
  await becomes(id, { state: 'queued', error: 'internal', messages: batch, taken: batch });

  await sql('drop trigger break_down on import');
  expect((await start(id)).statusCode).toBe(200);
  await becomes(id, { state: 'done', error: null });
  expect(await detail(id)).toMatchObject({
    messages: all, taken: all, waiting: 0, refused: 0, duplicates: 0,
    effects: { patientsCreated: 1, resultsCreated: all, casesOpened: 1 },
  }); // biome-ignore format: a record
  const [stored] = await database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
    tx.rows('select count(*) as results, count(distinct source_key) as observations from result'),
  );
  expect(stored).toEqual({ results: all, observations: all });
  expect((await start(id)).statusCode).toBe(409);
});
