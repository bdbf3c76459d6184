import type { AddressInfo } from 'node:net';
import type { ImportDetail } from '@caseway/contract/imports';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
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
const sql = (text: string) => asSuperuser<Record<string, unknown>>(text, [], superuserUrl);

/** A batch of messages and some more. */
const batch = defaultBatchSize;
const all = batch + 100;
const file = Array.from({ length: all }, (_, at) => elr({ control: `C${at}`, order: `F${at}` })).join('');

const detail = async (id: string): Promise<ImportDetail> =>
  (await app.fastify.inject({ url: `/api/web/imports/${id}`, headers: lab.headers })).json();
const start = (id: string) =>
  app.fastify.inject({ method: 'POST', url: `/api/web/imports/${id}/start`, headers: lab.headers });
const becomes = (id: string, expected: Partial<ImportDetail>) =>
  expect.poll(() => detail(id), { interval: 50 }).toEqual(expect.objectContaining(expected));

test('[P5] an import that a fault has interrupted says so, and continues from there on request: nothing is lost, nothing is stored twice', async () => {
  // A program fault that no message causes: after the first batch, nothing can be stored.
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

  // It is retried automatically. After the last try it has failed, and can still be continued.
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

test('[P5, P6] an import whose database does not answer is never given up, however long that takes', async () => {
  await sql(`create function be_away() returns trigger language plpgsql as $$
    begin raise exception 'could not connect' using errcode = '08006'; end $$`);
  await sql(`create trigger be_away before update on import for each row
    when (new.file_name = 'away.hl7') execute function be_away()`);
  const sent = await fetch(`http://127.0.0.1:${port}/api/web/imports?fileName=away.hl7`, {
    method: 'POST',
    headers: { ...lab.headers, 'content-type': 'application/octet-stream' },
    body: elr({ control: 'H1', order: 'H1' }),
  });
  const { id } = (await sent.json()) as ImportDetail;
  const job = async () =>
    (
      await sql(
        `select attempts, last_error from graphile_worker._private_jobs
         where locked_at is null and payload ->> 'importId' = '${id}'`,
      )
    )[0];
  const waits = { last_error: 'DatabaseAway' };
  await expect.poll(job).toEqual({ ...waits, attempts: 0 });
  // Faults of another kind count as attempts; the last attempt is not used up.
  const most = importJob.attempts - 1;
  await sql(
    `update graphile_worker._private_jobs set attempts = ${most}, last_error = null, run_at = now()
     where payload ->> 'importId' = '${id}'`,
  );
  await expect.poll(job).toEqual({ ...waits, attempts: most });
  expect(await detail(id)).toMatchObject({ state: 'queued', error: null });

  await sql('drop trigger be_away on import');
  await sql('update graphile_worker._private_jobs set run_at = now()');
  await becomes(id, { state: 'done', error: null, taken: 1 });
});

// With several servers, Citus looks for deadlocks; citus/shared-turns.test.ts covers that.
test.runIf(inject('cluster').servers === undefined)(
  '[P5] an import that PostgreSQL ends because of a deadlock continues automatically: nothing is lost, nothing is stored or numbered twice',
  async () => {
    // A session that holds the number of the tenant's last change and then wants the imports' lock. PostgreSQL looks
    // for deadlocks when a session has waited for a second; this session does not look.
    const other = new pg.Client(superuserUrl);
    await other.connect();
    onTestFinished(() => other.end());
    await other.query(`set deadlock_timeout = '10min'`);
    await other.query('begin');
    await other.query('select from change_counter where tenant_id = $1 for update', [demo.id]);
    const [before] = await sql(
      `select last_number as number, (select count(*)::int from result) as results,
       (select deadlocks::int from pg_stat_database where datname = current_database()) as deadlocks
     from change_counter where tenant_id = '${demo.id}'`,
    );
    const sent = await fetch(`http://127.0.0.1:${port}/api/web/imports?fileName=deadlock.hl7`, {
      method: 'POST',
      headers: { ...lab.headers, 'content-type': 'application/octet-stream' },
      body: Array.from({ length: all }, (_, at) => elr({ control: `D${at}`, order: `G${at}` })).join(''),
    });
    const { id } = (await sent.json()) as ImportDetail;
    const waiting = async () => {
      const [row] = await sql(
        `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%change_counter%'`,
      );
      return row!.n;
    };
    await expect.poll(waiting, { interval: 10 }).toBe(1);
    await other.query(`select pg_advisory_xact_lock(hashtextextended('import ' || $1, 0))`, [demo.id]);
    // It has the lock, because the import was ended.
    expect(await detail(id)).toMatchObject({ messages: 0 });
    await other.query('commit');

    await becomes(id, { state: 'done', error: null });
    expect(await detail(id)).toMatchObject({ messages: all, taken: all, effects: { resultsCreated: all } });
    const [after] = await sql(
      `select (select count(*)::int from result) as results,
       (select count(distinct source_key)::int from result) as observations,
       (select count(*)::int from outbox o, unnest(record_ids) where kind = 'result' and number > ${before!.number}) as changed,
       (select array_agg(number order by number) from outbox) as numbers from change_counter`,
    );
    const results = Number(before!.results) + all;
    expect(after).toMatchObject({ results, observations: results, changed: all });
    // Without gaps.
    const numbers = (after!.numbers as number[]).map(Number);
    expect(numbers).toEqual(numbers.map((_, place) => place + 1));
    await expect
      .poll(async () => {
        const [row] = await sql(
          'select deadlocks::int as n from pg_stat_database where datname = current_database()',
        );
        return row!.n;
      })
      .toBe(Number(before!.deadlocks) + 1);
  },
);
