import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startChild } from '../../../test/child.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient, makeResult, makeTenant } from '../../../test/factories.ts';
import { load } from '../../../test/load.ts';
import { facts } from '../../facts.ts';
import { resultFact } from '../../features/results/result-fact.ts';
import { createLog } from '../log/log.ts';
import { sharedOf, storedFacts } from './stored-facts.ts';
import {
  changed,
  count,
  database,
  folder,
  hideUnannounced,
  service,
  soon,
  start,
  stop,
  superuserUrl,
  tenantWithResults,
} from './test-replica.ts';
import { statementFor } from './visible-facts.ts';

/** Runs a statement in a tenant's replica file while no process has it open. */
async function inFile(tenantId: string, statement: string): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(join(folder, `${tenantId}.duckdb`));
  const connection = await instance.connect();
  await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

describe('a replica', () => {
  it('is made from existing records, and stores values of every kind like PostgreSQL', async () => {
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
    const analytics = await start({ facts });
    await analytics.caughtUp(tenant.id);
    for (const { table, columns: all } of facts) {
      // A replica keeps the texts that readers see of notes differently, and numbers persons itself;
      // visible-facts.test.ts compares what readers see.
      const columns = all.flatMap(({ name, numbers }) =>
        numbers || /._notes_key$/.test(name) ? [] : [name],
      );
      const question = {
        scopes: [service(tenant.id)],
        freshness: 'any' as const,
        select: `select ${columns.join(', ')} from ${table}`,
      };
      const { rows } = await analytics.query(question);
      const { text, params } = statementFor(facts, service(tenant.id), question, 'postgres');
      const expected = await database.withScope(service(tenant.id), (tx) => tx.rows(text, params));
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
      // 1 h 59 min 59 s. A result before the receipt says nothing about the time between them.
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

  it.each([
    ['of every record where most have rows', 0],
    ['of those with rows where most have none', 3],
  ])('is sent what rows share once for each record: %s', async (_, others) => {
    const [shared] = sharedOf(resultFact);
    expect(shared).toMatchObject({ table: 'patient', key: 'patient_id' });
    const names = shared!.columns.map(({ name }) => name);
    // Columns that are computed from the row are included too.
    expect(names).toEqual(expect.arrayContaining(['sex', 'open_race', 'patient_organization_ids', 'half']));
    expect(names).not.toEqual(expect.arrayContaining(['demographics_known']));
    const { tenantId } = await tenantWithResults(2);
    const { id: patient_id } = await makePatient(database, {
      tenant_id: tenantId,
      race: '2054-5',
      organization_ids: [randomUUID()],
      told_openly: JSON.stringify({ sex_at_birth: 'F', race: 'UNK' }),
    });
    for (let n = 0; n < 2; n++) await makeResult(database, { tenant_id: tenantId, patient_id });
    for (let n = 0; n < others; n++) await makePatient(database, { tenant_id: tenantId });
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const question = {
      scopes: [service(tenantId)],
      freshness: 'any' as const,
      select: `select id, ${names.join(', ')}, demographics_known from result_fact order by id`,
    };
    const { text, params } = statementFor(facts, service(tenantId), question, 'postgres');
    const expected = await database.withScope(service(tenantId), (tx) => tx.rows(text, params));
    expect((await analytics.query(question)).rows).toEqual(expected);
    expect(new Set(expected.map(({ race }) => race)).size).toBe(2);
  });

  it('numbers persons without gaps, and counts each of them once by words of bits', async () => {
    const { tenantId } = await tenantWithResults(2);
    const analytics = await start();
    const persons = async () => {
      const { rows } = await analytics.query<Record<string, number>>({
        scopes: [service(tenantId)],
        freshness: 'any',
        select: `select cast(sum(bit_count(cast(bits as bit(64)))) as bigint) as persons, count(*) as words,
            (select max(patient_number) from result_fact) as greatest
          from (select bit_or(person_bit) as bits from result_fact group by person_word) as g`,
      });
      return rows[0];
    };
    await analytics.caughtUp(tenantId);
    expect(await persons()).toEqual({ persons: 1, words: 1, greatest: 0 });
    // With 63 more persons, each with two results, there is one more than a word has bits for.
    for (let n = 0; n < 63; n++) {
      const { id: patient_id } = await makePatient(database, { tenant_id: tenantId });
      const results = [0, 1].map(() => makeResult(database, { tenant_id: tenantId, patient_id }));
      await changed(
        tenantId,
        'result',
        (await Promise.all(results)).map(({ id }) => id),
      );
      if (n === 30) await analytics.caughtUp(tenantId);
    }
    await analytics.caughtUp(tenantId);
    expect(await persons()).toEqual({ persons: 64, words: 2, greatest: 63 });
  });

  it('gives a new combination of codes a number, and leaves the others as they are', async () => {
    const { tenantId, patientId, ids } = await tenantWithResults(2);
    const analytics = await start();
    const packs = async () => {
      const { rows } = await analytics.query<{ pack: string; n: number }>({
        scopes: [service(tenantId)],
        freshness: 'any',
        select:
          'select cast(pack_places as text) as pack, count(*) as n from result_fact group by pack_places',
      });
      return rows.map(({ pack, n }) => `${pack.split('|').at(-1)} ${n}`).sort();
    };
    await analytics.caughtUp(tenantId);
    expect(await packs()).toEqual(['negative 2']);
    await database.withScope(service(tenantId), (tx) =>
      tx.run("update result set result_category = 'positive' where tenant_id = $1 and id = $2", [
        tenantId,
        ids[0],
      ]),
    );
    const { id } = await makeResult(database, {
      tenant_id: tenantId,
      patient_id: patientId,
      result_category: 'invalid',
    });
    await changed(tenantId, 'result', [ids[0]!, id]);
    await analytics.caughtUp(tenantId);
    expect(await packs()).toEqual(['invalid 1', 'negative 1', 'positive 1']);
  });

  it('follows a new value after an older one has no rows left', async () => {
    const { tenantId, ids } = await tenantWithResults(3);
    const analytics = await start();
    const counties = async () =>
      (
        await analytics.query<{ county_fips: string | null }>({
          scopes: [service(tenantId)],
          freshness: 'any',
          select: 'select county_fips from result_fact order by county_fips',
        })
      ).rows.map((row) => row.county_fips);
    const move = async (id: string, county: string) => {
      await database.withScope(service(tenantId), (tx) =>
        tx.run('update result set county_fips = $2 where tenant_id = $3 and id = $1', [id, county, tenantId]),
      );
      await changed(tenantId, 'result', [id]);
      await analytics.caughtUp(tenantId);
    };
    await analytics.caughtUp(tenantId);
    for (const county of ['02020', '13121', '13089', '13067']) await move(ids[0]!, county);
    for (const county of ['02050', '13089']) await move(ids[1]!, county);
    expect(await counties()).toEqual(expect.arrayContaining(['13067', '13089']));
  });

  it('has the same columns as PostgreSQL, with the same types', async () => {
    const types: Record<string, string> = {
      uuid: 'id code',
      text: 'text label code',
      date: 'day',
      integer: 'integer',
      bigint: 'wide',
      boolean: 'flag',
      'timestamp with time zone': 'instant',
      ARRAY: 'ids',
    };
    for (const fact of facts) {
      const { table } = fact;
      const columns = Object.fromEntries(fact.columns.map(({ name, kind }) => [name, kind]));
      const columnsIn = (view: string) =>
        asSuperuser<{ name: string; type: string }>(
          `select column_name as name, data_type as type from information_schema.columns
          where table_name = $1 and column_name <> 'tenant_id' order by ordinal_position`,
          [view],
          superuserUrl,
        );
      const inView = (await columnsIn(table)).map(({ name }) => name).filter((name) => !(name in columns));
      // Texts of search keys are built from this column.
      expect(inView).toEqual(['case_fact', 'patient_fact'].includes(table) ? ['open_keys'] : []);
      await asSuperuser(
        `create view all_of_${table} as select * from ${storedFacts(fact, () => 'cast(null as uuid)', Object.keys(columns).join())}`,
        [],
        superuserUrl,
      );
      const stored = await columnsIn(`all_of_${table}`);
      expect(stored.map(({ name }) => name)).toEqual(Object.keys(columns));
      for (const { name, type } of stored)
        expect(types[type]?.split(' '), `${table}.${name}`).toContain(columns[name]);
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
        // No row has this site.
        `select specimen_site from result_fact order by specimen_site ${direction}`,
        'select 7 / 2 as n',
      ]) {
        const { rows } = await analytics.query({ scopes: [service(tenantId)], freshness: 'any', select });
        expect(rows).toEqual(await database.withScope(service(tenantId), (tx) => tx.rows(select)));
      }
  });

  it('is read from its file after a restart, and follows from where it was', async () => {
    const { tenantId, ids } = await tenantWithResults(2);
    const first = await start();
    await first.caughtUp(tenantId);
    await stop(first);
    const { id: patient_id } = await makePatient(database, { tenant_id: tenantId });
    await makeResult(database, { tenant_id: tenantId, patient_id });
    // An unannounced change shows that the file was read and not rebuilt.
    await hideUnannounced(tenantId, ids[0]!);
    const second = await start();
    await second.caughtUp(tenantId);
    expect(await count(second, tenantId)).toBe(3);
  });

  it('is not thrown away after a kill that followed a new value of a code', async () => {
    const { tenantId, patientId } = await tenantWithResults(2);
    const running = await start();
    await running.caughtUp(tenantId);
    for (const specimen_site of ['left arm', 'right arm', 'nose'])
      for (const test_name of ['Test of the left', 'Test of the right']) {
        await makeResult(database, {
          tenant_id: tenantId,
          patient_id: patientId,
          specimen_site,
          test_name,
          condition_code: 'mumps',
          disease_family: 'mumps',
        });
        await running.caughtUp(tenantId);
      }
    // The state after a kill: the file and its log as they are now.
    const left = await mkdtemp(join(tmpdir(), 'caseway-killed-'));
    await cp(folder, left, { recursive: true });
    await stop(running);
    const said: string[] = [];
    const log = createLog('warn', { write: (line: string) => void said.push(line) });
    const again = await start({ folder: left, log });
    await again.caughtUp(tenantId);
    expect(await count(again, tenantId)).toBe(8);
    expect(said.filter((line) => line.includes('rebuilt') && line.includes(tenantId))).toEqual([]);
    await stop(again);
    await rm(left, { recursive: true });
  });

  it.each([
    ['is missing', (file: string) => rm(file)],
    ['is no database', (file: string) => writeFile(file, 'x'.repeat(20_000))],
    ['ends too early', (file: string) => truncate(file, 5000)],
  ])('is rebuilt when its file %s', async (_, damage) => {
    const { tenantId } = await tenantWithResults(3);
    const first = await start();
    await first.caughtUp(tenantId);
    await stop(first);
    await damage(join(folder, `${tenantId}.duckdb`));
    const second = await start();
    await second.caughtUp(tenantId);
    expect(await count(second, tenantId)).toBe(3);
  });

  it('is rebuilt when it followed another database, and when its changes are no longer in the outbox', async () => {
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
      await inFile(tenantId, spoil);
      // Not in the outbox: only a rebuilt replica has this result.
      await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
      const again = await start();
      await again.caughtUp(tenantId);
      expect(await count(again, tenantId), spoil).toBe(before + 1);
      await stop(again);
    }
    await changed(tenantId, 'patient', [patientId]);
    const deleted = await asSuperuser(
      `with gone as (delete from outbox where tenant_id = $1 returning number)
      update change_counter set deleted_to = gone.number from gone where tenant_id = $1 returning deleted_to::int`,
      [tenantId],
      superuserUrl,
    );
    expect(deleted).toEqual([{ deleted_to: 1 }]);
    await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
    const again = await start();
    await again.caughtUp(tenantId);
    expect(await count(again, tenantId)).toBe(5);
  });

  it('is rebuilt if it cannot apply changes', async () => {
    const { tenantId, patientId } = await tenantWithResults(2);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    await stop(analytics);
    await inFile(tenantId, 'alter table result_fact drop column method');
    const again = await start();
    await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
    // Until then, PostgreSQL answers.
    await soon(async () => (await count(again, tenantId)) === 3);
    await soon(async () => again.lag().every(({ failing, seconds }) => !failing && seconds !== null));
    const { rows } = await again.query({
      scopes: [service(tenantId)],
      freshness: 'any',
      select: 'select distinct method from result_fact',
    });
    expect(rows).toHaveLength(1);
  });

  it('can be abandoned soon while it is being made, and is made the next time', async () => {
    const { tenantId, patientId } = await tenantWithResults(1);
    const more = load(20_000, 60_000);
    await database.withScope(service(tenantId), (tx) =>
      tx.run(
        `insert into result (tenant_id, id, patient_id, source_key, content_hash, test_name, result_category, status, created_on)
        select $1, gen_random_uuid(), $2, n::text, '', 'Test', 'negative', 'final', '2026-03-05'
        from generate_series(1, $3::integer) n returning 1`,
        [tenantId, patientId, more],
      ),
    );
    for (const milliseconds of load([20, 200], [20, 200, 500])) {
      const analytics = await start();
      const caughtUp = analytics.caughtUp(tenantId).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      const began = performance.now();
      await stop(analytics);
      expect(performance.now() - began).toBeLessThan(60_000);
      await caughtUp;
      expect(await readdir(folder)).not.toContain('staging');
    }
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    expect(await count(analytics, tenantId)).toBe(more + 1);
  });

  it('is left alone when another process has it open, and PostgreSQL answers', async () => {
    const { tenantId } = await tenantWithResults(2);
    const first = await start();
    await first.caughtUp(tenantId);
    const file = join(folder, `${tenantId}.duckdb`);
    await stop(first);
    const holder = startChild(
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
      // A replica that cannot be opened is reported to operations.
      expect(second.lag().find((one) => one.tenantId === tenantId)).toMatchObject({ failing: true });
      expect(await count(second, tenantId)).toBe(2);
      expect(await stat(file)).toMatchObject({ size, ino });
    } finally {
      holder.kill();
    }
  });

  it('keeps one file per tenant, readable only by its owner, and no rows elsewhere', async () => {
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
