import { randomUUID } from 'node:crypto';
import { mkdtemp, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { makeCaseReport, makePatient, makeResult, makeTenant } from '../../../test/factories.ts';
import { createLog } from '../log.ts';
import type { Scope } from '../scope.ts';
import { type Analytics, AnalyticsTimeout, startAnalytics } from './engine.ts';
import { recordChange } from './outbox.ts';

const { database, superuserUrl, appUrl } = await createTestDatabase({ poolSize: 6 });
const folder = await mkdtemp(join(tmpdir(), 'caseway-analytics-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const running = new Set<Analytics>();
async function start(given: Partial<Parameters<typeof startAnalytics>[0]> = {}) {
  const analytics = await startAnalytics({
    database,
    log: createLog('fatal'),
    folder,
    engine: 'duckdb',
    sweepMs: 60_000,
    ...given,
  });
  running.add(analytics);
  return analytics;
}
async function stop(analytics: Analytics) {
  running.delete(analytics);
  await analytics.close();
}
afterEach(() => Promise.all([...running].map(stop)));

const service = (tenantId: string): Scope => ({ kind: 'service', tenantId });
const count = async (analytics: Analytics, tenantId: string, freshness: 'any' | 'current' = 'any') => {
  const { rows } = await analytics.query<{ n: number }>({
    scopes: [service(tenantId)],
    freshness,
    select: 'select count(*) as n from result_fact',
  });
  return rows[0]!.n;
};
const changed = (tenantId: string, kind: 'result' | 'case' | 'patient', ids: string[]) =>
  database.withScope(service(tenantId), (tx) => recordChange(tx, tenantId, kind, ids));

/** Waits for a condition that is to come true soon; the milliseconds it took. */
async function soon(condition: () => Promise<boolean>, withinMs = 1000): Promise<number> {
  const began = performance.now();
  while (!(await condition())) {
    if (performance.now() - began > withinMs) throw new Error(`not within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return performance.now() - began;
}

async function tenantWithResults(results: number) {
  const tenant = await makeTenant(database);
  const patient = await makePatient(database, { tenant_id: tenant.id });
  const ids: string[] = [];
  for (let index = 0; index < results; index++)
    ids.push((await makeResult(database, { tenant_id: tenant.id, patient_id: patient.id })).id);
  return { tenantId: tenant.id, patientId: patient.id, ids };
}

describe('a replica', () => {
  it('is made from what is there, and keeps values of every kind as PostgreSQL has them', async () => {
    const tenant = await makeTenant(database);
    const organization = randomUUID();
    const patient = await makePatient(database, {
      tenant_id: tenant.id,
      last_name: 'O\'Néill, "Bo"\nJr.',
      first_name: '',
      organization_ids: [organization, randomUUID()],
      race: '2106-3',
    });
    const result = await makeResult(database, {
      tenant_id: tenant.id,
      patient_id: patient.id,
      organization_id: null,
      test_name: 'Name, with "quotes"',
      method: '',
      age_years: 33,
      collected_at: '2026-03-02T15:00:00Z',
      received_at: '2026-03-02T16:59:59Z',
      resulted_at: '2026-03-02T15:30:00Z',
    });
    const report = await makeCaseReport(database, {
      tenant_id: tenant.id,
      patient_id: patient.id,
      case_id: '\\N',
    });
    const analytics = await start();
    await analytics.caughtUp(tenant.id);
    for (const table of ['result_fact', 'case_fact']) {
      const question = {
        scopes: [service(tenant.id)],
        freshness: 'any' as const,
        select: `select * from ${table}`,
      };
      const { rows } = await analytics.query(question);
      const expected = await database.withScope(service(tenant.id), (tx) =>
        tx.rows(`select * from ${table}`),
      );
      expect(rows).toEqual(expected);
    }
    const { rows } = await analytics.query<Record<string, unknown>>({
      scopes: [service(tenant.id)],
      freshness: 'any',
      select: 'select * from result_fact',
    });
    expect(rows[0]).toMatchObject({
      id: result.id,
      organization_id: null,
      test_name: 'Name, with "quotes"',
      method: '',
      age_years: 33,
      age_band: '30-34',
      collected_on: '2026-03-02',
      // 1 h 59 min 59 s; and a result before the receipt tells nothing about the time between them.
      tenths_collected_to_received: 19,
      tenths_received_to_resulted: null,
      tenths_collected_to_resulted: 5,
      race: '2106-3',
      patient_organization_ids: patient.organization_ids,
    });
    const { rows: cases } = await analytics.query<Record<string, unknown>>({
      scopes: [service(tenant.id)],
      freshness: 'any',
      select: 'select * from case_fact',
    });
    expect(cases[0]).toMatchObject({
      id: report.id,
      case_id: '\\N',
      // Folded, as grids compare it.
      last_name_key: 'o\'neill, "bo"\njr.',
      first_name_key: '',
    });
  });

  it('has the columns that the views have, of the types that they have', async () => {
    const { facts } = await import('./facts.ts');
    const types: Record<string, string> = {
      uuid: 'id code',
      text: 'text label code',
      date: 'day',
      integer: 'integer',
      boolean: 'flag',
      'timestamp with time zone': 'instant',
      ARRAY: 'ids',
    };
    for (const [table, columns] of Object.entries(facts)) {
      const views = await asSuperuser<{ name: string; type: string }>(
        `select column_name as name, data_type as type from information_schema.columns
        where table_name = $1 and column_name <> 'tenant_id' order by ordinal_position`,
        [table],
        superuserUrl,
      );
      expect(views.map(({ name }) => name)).toEqual(Object.keys(columns));
      for (const { name, type } of views)
        expect(types[type]?.split(' '), `${table}.${name}`).toContain(
          (columns as Record<string, string>)[name],
        );
    }
  });

  it('sorts codes as texts and nulls as PostgreSQL does, also after codes have been added', async () => {
    const { tenantId, patientId } = await tenantWithResults(0);
    const make = (assay: string | null) =>
      makeResult(database, { tenant_id: tenantId, patient_id: patientId, assay });
    await make('m');
    await make(null);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const later = [await make('z'), await make('a'), await make('B'), await make('é')];
    await changed(
      tenantId,
      'result',
      later.map(({ id }) => id),
    );
    await analytics.caughtUp(tenantId);
    for (const direction of ['asc', 'desc'])
      for (const select of [
        `select assay from result_fact order by assay ${direction}`,
        // No row has one.
        `select specimen_site from result_fact order by specimen_site ${direction}`,
        'select 7 / 2 as n',
      ]) {
        const { rows } = await analytics.query({ scopes: [service(tenantId)], freshness: 'any', select });
        expect(rows).toEqual(await database.withScope(service(tenantId), (tx) => tx.rows(select)));
      }
  });

  it('is read again from its file after a restart, and follows from where it was', async () => {
    const { tenantId, patientId } = await tenantWithResults(2);
    const first = await start();
    await first.caughtUp(tenantId);
    await stop(first);
    const result = await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
    await changed(tenantId, 'result', [result.id]);
    // What nobody announced in the outbox shows that the file was read and not made anew.
    await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
    const second = await start();
    await second.caughtUp(tenantId);
    expect(await count(second, tenantId)).toBe(3);
  });

  it.each([
    ['is missing', (file: string) => rm(file)],
    ['is no database', (file: string) => writeFile(file, 'x'.repeat(20_000))],
    ['ends too early', (file: string) => truncate(file, 5000)],
  ])('is made anew when its file %s', async (_, damage) => {
    const { tenantId } = await tenantWithResults(3);
    const first = await start();
    await first.caughtUp(tenantId);
    await stop(first);
    await damage(join(folder, `${tenantId}.duckdb`));
    const second = await start();
    await second.caughtUp(tenantId);
    expect(await count(second, tenantId)).toBe(3);
  });

  it('is made anew when it followed another database, and when its changes are no longer in the outbox', async () => {
    const { tenantId, patientId } = await tenantWithResults(1);
    for (const spoil of [
      `update replica set origin = 'elsewhere'`,
      `update replica set cursor = '99999999999'`,
      `update replica set layout = 'old'`,
    ]) {
      const analytics = await start();
      await analytics.caughtUp(tenantId);
      const before = await count(analytics, tenantId);
      await stop(analytics);
      const { DuckDBInstance } = await import('@duckdb/node-api');
      const instance = await DuckDBInstance.create(join(folder, `${tenantId}.duckdb`));
      const connection = await instance.connect();
      await connection.run(spoil);
      connection.closeSync();
      instance.closeSync();
      // Not in the outbox: only a replica made anew has it.
      await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
      const again = await start();
      await again.caughtUp(tenantId);
      expect(await count(again, tenantId), spoil).toBe(before + 1);
      await stop(again);
    }
    await changed(tenantId, 'patient', [patientId]);
    const [{ below }] = (await asSuperuser<{ below: string }>(
      `with gone as (delete from outbox where tenant_id = $1 returning xid)
      insert into outbox_pruned select $1, (xid::text::numeric + 1)::text::xid8 from gone order by xid desc limit 1 returning below`,
      [tenantId],
      superuserUrl,
    )) as [{ below: string }];
    expect(Number(below)).toBeGreaterThan(0);
    await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
    const again = await start();
    await again.caughtUp(tenantId);
    expect(await count(again, tenantId)).toBe(5);
  });

  it('can be given up while it is being made, soon, and is made the next time', async () => {
    const { tenantId, patientId } = await tenantWithResults(1);
    await database.withScope(service(tenantId), (tx) =>
      tx.run(
        `insert into result (tenant_id, id, patient_id, source_key, content_hash, test_name, result_category, status, created_on)
        select $1, gen_random_uuid(), $2, n::text, '', 'Test', 'negative', 'final', '2026-03-05'
        from generate_series(1, 60000) n`,
        [tenantId, patientId],
      ),
    );
    for (const milliseconds of [20, 200, 500]) {
      const analytics = await start();
      const caughtUp = analytics.caughtUp(tenantId).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      const began = performance.now();
      await stop(analytics);
      expect(performance.now() - began).toBeLessThan(15_000);
      await caughtUp;
      expect(await readdir(folder)).not.toContain('staging');
    }
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    expect(await count(analytics, tenantId)).toBe(60_001);
  });

  it('is left alone when another process has it, and PostgreSQL answers', async () => {
    const { tenantId } = await tenantWithResults(2);
    const first = await start();
    await first.caughtUp(tenantId);
    const { spawn } = await import('node:child_process');
    const file = join(folder, `${tenantId}.duckdb`);
    await stop(first);
    const holder = spawn(
      process.execPath,
      [
        '-e',
        `require('@duckdb/node-api').DuckDBInstance.create(${JSON.stringify(file)}).then((it) => { globalThis.it = it; console.log('held'); setInterval(() => {}, 1000); })`,
      ],
      { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      await new Promise((resolve) => holder.stdout.once('data', resolve));
      const { size, ino } = await stat(file);
      const second = await start();
      expect(await count(second, tenantId)).toBe(2);
      await expect(second.caughtUp(tenantId)).rejects.toThrow('the analytics replica cannot follow');
      expect(await count(second, tenantId)).toBe(2);
      expect(await stat(file)).toMatchObject({ size, ino });
    } finally {
      holder.kill();
    }
  });

  it('keeps one file per tenant, readable for its owner alone, and no rows elsewhere', async () => {
    const own = await mkdtemp(join(tmpdir(), 'caseway-analytics-'));
    const analytics = await start({ folder: join(own, 'analytics') });
    const { tenantId } = await tenantWithResults(1);
    await analytics.caughtUp(tenantId);
    await changed(tenantId, 'result', [randomUUID()]);
    await analytics.caughtUp(tenantId);
    expect((await stat(join(own, 'analytics'))).mode & 0o777).toBe(0o700);
    await stop(analytics);
    const left = (await readdir(join(own, 'analytics'))).filter(
      (name) => name.includes(tenantId) || name === 'staging',
    );
    expect(left).toEqual([`${tenantId}.duckdb`]);
    await rm(own, { recursive: true });
  });
});

describe('following', () => {
  it('shows a committed result, correction, deletion and change of a person within a second', async () => {
    const { tenantId, patientId, ids } = await tenantWithResults(2);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const added = await makeResult(database, {
      tenant_id: tenantId,
      patient_id: patientId,
      result_category: 'negative',
    });
    await changed(tenantId, 'result', [added.id]);
    await soon(async () => (await count(analytics, tenantId)) === 3);

    // A correction takes the first one's place.
    const corrected = randomUUID();
    await database.withScope(service(tenantId), async (tx) => {
      await tx.run('update result set superseded_by = $1 where id = $2', [corrected, ids[0]]);
      await tx.run(
        `insert into result (tenant_id, id, patient_id, source_key, content_hash, test_name, result_category, status, created_on)
        select tenant_id, $1, patient_id, source_key, 'other', test_name, 'positive', 'corrected', created_on from result where id = $2`,
        [corrected, ids[0]],
      );
      await recordChange(tx, tenantId, 'result', [corrected, ids[0]!]);
    });
    const categories = async () => {
      const { rows } = await analytics.query<{ id: string; result_category: string }>({
        scopes: [service(tenantId)],
        freshness: 'any',
        select: 'select id, result_category from result_fact',
      });
      return rows;
    };
    await soon(async () => (await categories()).some(({ id }) => id === corrected));
    expect((await categories()).map(({ id }) => id).sort()).toEqual([corrected, ids[1]!, added.id].sort());

    await database.withScope(service(tenantId), async (tx) => {
      await tx.run('delete from result where id = $1', [added.id]);
      await recordChange(tx, tenantId, 'result', [added.id]);
    });
    await soon(async () => (await count(analytics, tenantId)) === 2);

    await database.withScope(service(tenantId), async (tx) => {
      await tx.run("update patient set race = '2028-9' where id = $1", [patientId]);
      await recordChange(tx, tenantId, 'patient', [patientId]);
    });
    await soon(async () => {
      const { rows } = await analytics.query({
        scopes: [service(tenantId)],
        freshness: 'any',
        select: "select id from result_fact where race = '2028-9'",
      });
      return rows.length === 2;
    });
  });

  it('moves the facts of a merged person, and back, without losing or doubling one', async () => {
    const { tenantId, patientId, ids } = await tenantWithResults(2);
    const other = await makePatient(database, { tenant_id: tenantId });
    const moving = await makeResult(database, { tenant_id: tenantId, patient_id: other.id });
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const move = (to: string, told: string[]) =>
      database.withScope(service(tenantId), async (tx) => {
        await tx.run('update result set patient_id = $1 where id = $2', [to, moving.id]);
        await recordChange(tx, tenantId, 'patient', told);
      });
    const owners = async () => {
      await analytics.caughtUp(tenantId);
      const { rows } = await analytics.query<{ id: string; patient_id: string }>({
        scopes: [service(tenantId)],
        freshness: 'any',
        select: 'select id, patient_id from result_fact order by id',
      });
      return rows;
    };
    const expected = (owner: string) =>
      [...ids.map((id) => ({ id, patient_id: patientId })), { id: moving.id, patient_id: owner }].sort(
        (a, b) => (a.id < b.id ? -1 : 1),
      );
    await move(patientId, [patientId, other.id]);
    expect(await owners()).toEqual(expected(patientId));
    await move(other.id, [patientId, other.id]);
    expect(await owners()).toEqual(expected(other.id));
    // Told about the receiving person alone.
    await move(patientId, [patientId]);
    expect(await owners()).toEqual(expected(patientId));
  });

  it('does not skip a transaction that began earlier and commits later, nor wait for it', async () => {
    const { tenantId, patientId } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    let finish = () => {};
    const late = database.withScope(service(tenantId), async (tx) => {
      await recordChange(tx, tenantId, 'result', [randomUUID()]);
      const patient = await tx.rows<{ id: string }>('select id from patient limit 1');
      await tx.run(
        `insert into result (tenant_id, id, patient_id, source_key, content_hash, test_name, result_category, status, created_on)
        values ($1, $2, $3, 'late', 'late', 'late', 'positive', 'final', '2026-03-05')`,
        [tenantId, lateId, patient[0]!.id],
      );
      await recordChange(tx, tenantId, 'result', [lateId]);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    const early = await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
    await changed(tenantId, 'result', [early.id]);
    await soon(async () => (await count(analytics, tenantId)) === 2);
    const second = await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
    await changed(tenantId, 'result', [second.id]);
    await soon(async () => (await count(analytics, tenantId)) === 3);
    // Also a server that starts meanwhile does not pass it over.
    await stop(analytics);
    const again = await start();
    await again.caughtUp(tenantId);
    expect(await count(again, tenantId)).toBe(3);
    finish();
    await late;
    await soon(async () => (await count(again, tenantId)) === 4);
  });
  const lateId = randomUUID();

  it('leaves out what was rolled back', async () => {
    const { tenantId, patientId } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    await database
      .withScope(service(tenantId), async (tx) => {
        await tx.run('update result set superseded_by = id where patient_id = $1', [patientId]);
        await recordChange(tx, tenantId, 'patient', [patientId]);
        throw new Error('no');
      })
      .catch(() => {});
    await analytics.caughtUp(tenantId);
    expect(await count(analytics, tenantId)).toBe(1);
  });

  it('answers a question for the current state with what has just been committed', async () => {
    const { tenantId, patientId } = await tenantWithResults(0);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    for (let expected = 1; expected <= 15; expected++) {
      const result = await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
      await changed(tenantId, 'result', [result.id]);
      expect(await count(analytics, tenantId, 'current')).toBe(expected);
    }
  });

  it('tells of each step, with the moment whose state it is', async () => {
    const { tenantId, ids } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const told: { tenantId: string; asOf: Date; changed: boolean }[] = [];
    const stopTelling = analytics.onFreshness((freshness) => told.push(freshness));
    const before = new Date();
    await changed(tenantId, 'result', ids);
    await soon(async () => told.some((one) => one.tenantId === tenantId && one.changed));
    expect(told.at(-1)!.asOf.getTime()).toBeGreaterThanOrEqual(before.getTime());
    stopTelling();
  });

  it('makes the replica anew when a good part of it has changed', async () => {
    const { tenantId, patientId, ids } = await tenantWithResults(3);
    const analytics = await start({ limits: { rebuildFrom: 2, recordsPerPull: 100 } });
    await analytics.caughtUp(tenantId);
    // Nobody announces this one: only a replica made anew has it.
    await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
    await changed(tenantId, 'result', [ids[0]!]);
    await analytics.caughtUp(tenantId);
    expect(await count(analytics, tenantId)).toBe(3);
    await changed(tenantId, 'result', ids.slice(0, 2));
    await analytics.caughtUp(tenantId);
    expect(await count(analytics, tenantId)).toBe(4);
  });

  it('takes more changes than it reads at once in several pulls, and is current only after the last', async () => {
    const { tenantId, ids } = await tenantWithResults(6);
    const analytics = await start({ limits: { rebuildFrom: 1000, recordsPerPull: 2 } });
    await analytics.caughtUp(tenantId);
    const steps: string[] = [];
    analytics.onFreshness(({ asOf, changed }) => changed && steps.push(asOf.toISOString()));
    await database.withScope(service(tenantId), async (tx) => {
      await tx.run('update result set superseded_by = id where tenant_id = $1', [tenantId]);
      for (const id of ids) await recordChange(tx, tenantId, 'result', [id]);
    });
    await analytics.caughtUp(tenantId);
    expect(steps).toHaveLength(3);
    // With a part of the changes it does not claim to be any later than before.
    expect(steps[1]).toBe(steps[0]);
    expect(steps[2]! > steps[1]!).toBe(true);
    expect(await count(analytics, tenantId)).toBe(0);
    expect(await count(analytics, tenantId, 'current')).toBe(0);
  });

  it('empties the outbox of what is old and has been followed', async () => {
    const { tenantId, ids } = await tenantWithResults(1);
    const analytics = await start();
    await changed(tenantId, 'result', ids);
    await asSuperuser(
      "update outbox set created_at = now() - interval '2 hours' where tenant_id = $1",
      [tenantId],
      superuserUrl,
    );
    await changed(tenantId, 'result', ids);
    await analytics.caughtUp(tenantId);
    await stop(analytics);
    const again = await start();
    await again.caughtUp(tenantId);
    const left = () =>
      asSuperuser<{ n: string }>(
        'select count(*) as n from outbox where tenant_id = $1',
        [tenantId],
        superuserUrl,
      );
    await soon(async () => (await left())[0]!.n === '1', 3000);
    expect(await count(again, tenantId)).toBe(1);
  });
});

describe('questions', () => {
  it('see one state of the facts, however many there are', async () => {
    const { tenantId, patientId } = await tenantWithResults(1);
    for (const engine of ['duckdb', 'postgres'] as const) {
      const analytics = await start({ engine });
      await analytics.caughtUp(tenantId);
      const counts = await analytics.read({ scopes: [service(tenantId)], freshness: 'any' }, async (ask) => {
        const select = 'select count(*) as n from result_fact';
        const [before] = await ask<{ n: number }>({ select });
        const result = await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
        await changed(tenantId, 'result', [result.id]);
        await analytics.caughtUp(tenantId);
        const [after] = await ask<{ n: number }>({ select });
        return [before!.n, after!.n];
      });
      expect(counts[1]).toBe(counts[0]);
      await stop(analytics);
    }
  });

  it('take parameters of every kind, with the same answer from both engines', async () => {
    const { tenantId } = await tenantWithResults(1);
    const facility = randomUUID();
    const question = {
      scopes: [service(tenantId)],
      freshness: 'any' as const,
      select: `select cast($1 as integer) + 1 as n, cast($2 as text) as t, cast($3 as boolean) as b, cast($4 as text) as nothing,
        count(*) filter (where facility_id = any($5)) as listed, count(*) filter (where collected_on >= cast($6 as date)) as later,
        cast(sum(age_years) as bigint) as none, cast($7 as double precision) as d from result_fact`,
      params: [1, "it's; drop table result_fact --", true, null, [facility], '2026-03-02', 1.5],
    };
    for (const engine of ['duckdb', 'postgres'] as const) {
      const analytics = await start({ engine });
      await analytics.caughtUp(tenantId);
      const { rows } = await analytics.query(question);
      expect(rows).toEqual([
        {
          n: 2,
          t: "it's; drop table result_fact --",
          b: true,
          nothing: null,
          listed: 0,
          later: 1,
          none: null,
          d: 1.5,
        },
      ]);
      await stop(analytics);
    }
  });

  it('cannot read files', async () => {
    const { tenantId } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const select = "select * from read_text('/etc/passwd')";
    await expect(analytics.query({ scopes: [service(tenantId)], freshness: 'any', select })).rejects.toThrow(
      'disabled by configuration',
    );
  });

  it('end when their time is up or their reader has gone, on both engines', async () => {
    const { tenantId } = await tenantWithResults(1);
    for (const engine of ['duckdb', 'postgres'] as const) {
      const analytics = await start({ engine });
      await analytics.caughtUp(tenantId);
      const slow = {
        scopes: [service(tenantId)],
        freshness: 'any' as const,
        select: `select count(*) as n from result_fact, ${
          engine === 'duckdb'
            ? 'range(100000000) a, range(1000) b'
            : 'generate_series(1, 100000000) a, generate_series(1, 1000) b'
        }`,
      };
      const began = performance.now();
      await expect(analytics.query({ ...slow, timeoutMs: 100 })).rejects.toThrow(AnalyticsTimeout);
      expect(performance.now() - began).toBeLessThan(3000);
      const reader = new AbortController();
      setTimeout(() => reader.abort(new Error('gone')), 50);
      if (engine === 'duckdb')
        await expect(analytics.query({ ...slow, signal: reader.signal })).rejects.toThrow('gone');
      expect(await count(analytics, tenantId)).toBe(1);
      await stop(analytics);
    }
  });

  it('are answered by PostgreSQL while the file turns out to be damaged, and by a new replica afterwards', async () => {
    const { tenantId } = await tenantWithResults(2);
    const first = await start();
    await first.caughtUp(tenantId);
    await stop(first);
    const file = await open(join(folder, `${tenantId}.duckdb`), 'r+');
    const { size } = await file.stat();
    const lines: string[] = [];
    const log = createLog('error', { write: (line) => lines.push(line) });
    const second = await start({ log });
    // The file is opened, its header read; then its blocks are spoiled.
    await second.caughtUp(tenantId);
    await file.write(Buffer.alloc(size - 3 * 4096, 0xa5), 0, size - 3 * 4096, 3 * 4096);
    await file.close();
    expect(await count(second, tenantId)).toBe(2);
    const { rows } = await second.query<{ test_name: string }>({
      scopes: [service(tenantId)],
      freshness: 'any',
      select: 'select test_name, race, accession_key from result_fact',
    });
    expect(rows).toHaveLength(2);
    expect(lines.join()).toContain('could not answer');
    await soon(
      async () => second.lag().some((one) => one.tenantId === tenantId && one.seconds !== null),
      3000,
    );
    expect(await count(second, tenantId)).toBe(2);
  });

  it('without a scope of a tenant see nothing', async () => {
    const { tenantId } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    for (const kind of ['system', 'identity'] as const) {
      const { rows } = await analytics.query<{ n: number }>({
        scopes: [{ kind }],
        freshness: 'any',
        select: 'select count(*) as n from result_fact',
      });
      expect(rows[0]!.n).toBe(0);
    }
  });
});

describe('announcements', () => {
  it('that are no id of a tenant are passed over', async () => {
    const analytics = await start();
    const client = new pg.Client(appUrl);
    await client.connect();
    await client.query("select pg_notify('outbox', '../../elsewhere')");
    await client.end();
    const { tenantId } = await tenantWithResults(1);
    await analytics.caughtUp(tenantId);
    expect(await count(analytics, tenantId)).toBe(1);
    expect(analytics.lag().every((one) => !one.tenantId.includes('..'))).toBe(true);
  });
});
