import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { elr } from '../../src/features/imports/test-messages.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { runCommand, runHere } from '../../test/commands.ts';
import { asSuperuser, createTestDatabase } from '../../test/database.ts';
import { makeCaseNumbers, makePersonAt } from '../../test/factories.ts';
import { load } from '../../test/load.ts';
import { fillDemo } from './fill.ts';
import { seedRecords } from './seed-records.ts';
import { seedDemoTenants } from './seed-tenants.ts';
import { demoWorld } from './tenants.ts';

const command = fileURLToPath(new URL('../../src/commands/import.ts', import.meta.url));
const given = await createTestDatabase({ poolSize: 8 });
const other = await openDatabase({ url: given.appUrl, log: createLog('fatal'), poolSize: 8 });
const { database, superuserUrl } = given;
const folder = await mkdtemp(join(tmpdir(), 'caseway-fill-'));
afterAll(async () => {
  await other.close();
  await rm(folder, { recursive: true, force: true });
});

const { demo, vendor } = demoWorld();
// Two or three parts of results, and one of cases.
const sizes = {
  demo: load(
    { patients: 90, results: 900, cases: 60, perPart: 800 },
    { patients: 900, results: 9000, cases: 60 },
  ),
  vendor: { patients: 30, results: 90, cases: 5 },
};
/** The demo's patient has four results and a case of her own in addition to the sizes. */
const whole = {
  finished: 2,
  demo: { results: sizes.demo.results + 4, cases: 61 },
  vendor: { results: 90, cases: 5 },
};
const both = sizes.demo.results + sizes.vendor.results;

const ask = <Row extends object>(text: string, params?: unknown[]) =>
  asSuperuser<Row>(text, params, superuserUrl);

/** Removes every record, whatever table keeps it; the tenants and their accounts stay. */
const clear = async () => {
  const tables = await ask<{ name: string }>(
    `select relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' and (relname in
       ('patient', 'work_task', 'record_clock', 'seeding', 'import', 'import_message', 'case_counter', 'outbox', 'shipment',
        'location', 'document_file', 'document_piece')
       or (relname <> 'account' and exists (
         select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'patient_id')))`,
  );
  await ask(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`);
};
beforeEach(clear);

/** Finished seedings, and the contents of the tenants. */
async function held() {
  const count = async (tenantId: string) => {
    const [row] = await ask<{ results: number; cases: number }>(
      `select (select count(*)::int from result where tenant_id = $1 and superseded_by is null
           and source_key not like 'demo:care:%') as results,
         (select count(*)::int from case_report where tenant_id = $1) as cases`,
      [tenantId],
    );
    return row!;
  };
  return { finished: await finished(), demo: await count(demo.id), vendor: await count(vendor.id) };
}
const finished = async () => (await ask('select from seeding where finished_at is not null')).length;

/** Results of the demo's patient at a place that does not know her: its readers would miss them in every count. */
const strangers = () =>
  ask(
    `select r.source_key from result r join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id
     where r.source_key like 'portal-%'
       and (r.facility_id <> all (p.facility_ids) or r.organization_id <> all (p.organization_ids))`,
  );

/** A hash of everything that identifies what a seeding made. */
async function identity(tenantId: string) {
  const [row] = await ask<{ hash: string }>(
    `select md5(string_agg(line, ',' order by line)) as hash from (
       select id::text as line from patient where tenant_id = $1 union all
       select id::text || content_hash::text from result where tenant_id = $1 union all
       select id::text || case_id from case_report where tenant_id = $1 union all
       select search_key::text from search_key where tenant_id = $1) lines`,
    [tenantId],
  );
  return row!.hash;
}

let message: string;
beforeEach(() => {
  message = elr({ patient: { id: 'MRN-FILL', last: 'Quillfeather', first: 'Ann' } });
});

/** Runs `npm run import` with one message, and returns the counts of its last line. */
async function importOne(run = load(runHere, runCommand)): Promise<Record<string, number>> {
  const file = join(folder, 'one.hl7');
  await writeFile(file, message);
  const { out } = await run(command, [file, '--json'], {
    DATABASE_URL: given.appUrl,
    DATABASE_OWNER_URL: given.ownerUrl,
    DATA_DIR: join(folder, 'data'),
    DEMO: 'on',
    LOG_LEVEL: 'fatal',
  });
  return JSON.parse(out);
}

/** Seeds the demo until the first part is stored, like a process that is then killed. */
async function broken(seeding: Parameters<typeof seedRecords>[3], size = sizes.demo): Promise<void> {
  await seedDemoTenants(database);
  const died = seedRecords(database, demo.id, size, {
    ...seeding,
    onProgress() {
      throw new Error('killed');
    },
  });
  await expect(died).rejects.toThrow('killed');
}
const world = demoWorld();
const asTheServer = { name: 'demo', seed: 'demo', patient: world.patient };

/** The imported message is there with its patient and result, and is recognized when it comes again. */
async function importIsKept() {
  expect(
    await ask(
      `select count(*)::int as kept from import_message m join patient p on p.tenant_id = m.tenant_id and p.id = m.patient_id
         where p.last_name = 'Quillfeather'
           and exists (select from result r where r.tenant_id = m.tenant_id and r.patient_id = p.id)`,
    ),
  ).toEqual([{ kept: 1 }]);
  expect(await importOne()).toMatchObject({ messages: 1, duplicates: 1 });
}

describe('the demo is added to existing data, and nothing is removed [P5]', () => {
  it('keeps what was imported before the first start', async () => {
    expect(await importOne()).toMatchObject({ messages: 1, taken: 1 });
    const told: number[] = [];
    expect(await fillDemo(database, sizes, ({ results, of }) => told.push(results / of))).toBe(both);
    // The progress, for people who wait for the first start.
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
    await importIsKept();
    expect(await finished()).toBe(2);
    expect(await fillDemo(database, sizes)).toBe(0);
    await importIsKept();
  });

  it('finishes a first start that was killed, with the same records it set out to make', async () => {
    await fillDemo(database, sizes);
    expect(await held()).toEqual(whole);
    expect(await strangers()).toEqual([]);
    const [{ now }] = (await ask<{ now: string }>(
      `select plan ->> 'now' as now from seeding where tenant_id = $1`,
      [demo.id],
    )) as [{ now: string }];
    await clear();
    await makeCaseNumbers(database, demo.id);
    await seedRecords(database, demo.id, sizes.demo, { ...asTheServer, now: Number(now) });
    const uninterrupted = await identity(demo.id);

    await clear();
    await makeCaseNumbers(database, demo.id);
    await broken({ ...asTheServer, now: Number(now) });
    expect(await identity(demo.id)).not.toBe(uninterrupted);
    await seedRecords(database, demo.id, sizes.demo, asTheServer);
    expect(await identity(demo.id)).toBe(uninterrupted);
  });

  it('keeps what was imported between a killed start and the next', async () => {
    await broken(asTheServer);
    expect(await importOne()).toMatchObject({ messages: 1, taken: 1 });
    expect(await fillDemo(database, sizes)).toBe(both);
    await importIsKept();
    expect(await finished()).toBe(2);
  });

  it('accepts an import while it is being made', async () => {
    const [made, counts] = await Promise.all([fillDemo(database, sizes), importOne(runCommand)]);
    expect(made).toBe(both);
    expect(counts).toMatchObject({ messages: 1, taken: 1 });
    await importIsKept();
  });

  it('is made once by two that start at the same moment, and both finish', async () => {
    const made = await Promise.all([fillDemo(database, sizes), fillDemo(other, sizes)]);
    expect(made[0]! + made[1]!).toBe(both);
    expect(await held()).toEqual(whole);
  });

  it('does not touch tenants that another version began to fill', async () => {
    await broken(asTheServer);
    await ask(`update seeding set plan = jsonb_set(plan, '{fingerprint}', '"other"')`);
    const before = await identity(demo.id);
    expect(await seedRecords(database, demo.id, sizes.demo, asTheServer)).toBe('other-version');
    expect(await identity(demo.id)).toBe(before);
    expect(await seedRecords(database, demo.id, sizes.demo, asTheServer)).toBe('was-made');
  });
});

describe('the years before the first result [S10.1]', () => {
  it('have cases of people who were tested for the same, and people who have long lived with HIV and are in care', async () => {
    // Whether a demo this small has an infant depends on the day.
    const [clinic] = await ask<{ id: string; organization_id: string; county_fips: string }>(
      `select id, organization_id, county_fips from facility
       where tenant_id = $1 and county_fips is not null order by id limit 1`,
      [demo.id],
    );
    await makePersonAt(
      database,
      demo.id,
      { facility_id: clinic!.id, organization_id: clinic!.organization_id, county_fips: clinic!.county_fips },
      { birth_date: addDays(todayIn('America/New_York'), -100) },
    );
    const size = { patients: 700, results: 1500, cases: 200, earlierYears: true };
    await fillDemo(database, { ...sizes, demo: size });
    const [cases] = await ask(
      `select count(*) filter (where c.source = 'csv' and c.disease_family <> 'hiv') > 40 as earlier,
         count(*) filter (where c.disease_family = 'hiv' and c.collected_on < current_date - 365) > 1 as "livingWithHiv",
         count(*) filter (where c.condition_code = 'syphilis-congenital') > 0 as congenital,
         bool_and(c.disease_family = any (p.disease_families)) as "knownOfThePerson",
         bool_and(p.birth_date is null or p.birth_date <= coalesce(c.collected_on, c.reported_on)) as born,
         bool_and(c.reported_on <= c.received_on and c.received_on <= c.created_on) as "inOrder",
         max(c.created_on) <= current_date + 1 as "notAhead",
         count(distinct c.case_id) = count(*) as numbered
       from case_report c join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id
       where c.tenant_id = $1 and c.source <> 'elr'`,
      [demo.id],
    );
    expect(cases).toEqual({
      earlier: true,
      livingWithHiv: true,
      congenital: true,
      knownOfThePerson: true,
      born: true,
      inOrder: true,
      notAhead: true,
      numbered: true,
    });
    const [results] = await ask(
      `select count(*) filter (where source_key like 'demo:care:%') > 5 as care,
         bool_and(collected_on <= current_date) as "notAhead" from result
       where tenant_id = $1 and (source_key like 'demo:care:%' or source_key like 'demo:retest:%')`,
      [demo.id],
    );
    expect(results).toEqual({ care: true, notAhead: true });
    // A retest is 56 to 180 days after its treatment.
    expect(
      await ask(
        `select r.source_key from result r join treatment t on t.tenant_id = r.tenant_id
           and r.source_key = 'demo:retest:' || t.id
         where r.tenant_id = $1 and r.collected_on - t.started_on not between 56 and 180`,
        [demo.id],
      ),
    ).toEqual([]);
  });
});
