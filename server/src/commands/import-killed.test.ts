import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { makeFacility, makeTenant } from '../../test/factories.ts';
import { chlamydia, elr, gonorrhoea, notDetected } from '../features/imports/test-messages.ts';

const command = fileURLToPath(new URL('./import.ts', import.meta.url));
const oneFile = fileURLToPath(new URL('../../test/import-file.ts', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'caseway-killed-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ka', 'le', 'mi', 'no', 'ru', 'sa', 'te', 'vi', 'wo', 'zu'];
/** Names that nobody takes for one another. */
const nameOf = (n: number) =>
  [n % 15, Math.floor(n / 15) % 15, Math.floor(n / 225) % 15, (n * 11) % 13]
    .map((at) => syllables[at])
    .join('');

/** Every fifth message is about somebody from before, every 50th corrects the one before it, every 70th repeats it. */
function messages(count: number): string[] {
  const made: string[] = [];
  for (let n = 0; n < count; n++) {
    const person = n % 5 === 4 ? Math.floor(n / 7) : n;
    const given = {
      control: `K${n}`,
      order: `F-K${n}`,
      patient: {
        id: `MRN${person}`,
        last: nameOf(person),
        first: nameOf(person * 7 + 3),
        birth: String(19400101 + (person % 28) + 10000 * (person % 61)),
        street: `${person} Oak St`,
        phone: String(5550000 + person),
      },
      tests: [
        { test: chlamydia, value: n % 3 === 0 ? undefined : notDetected },
        { test: gonorrhoea, value: notDetected },
      ],
    };
    if (n % 70 === 69) made.push(made[n - 1]!);
    else if (n % 50 === 49)
      made.push(
        elr({
          ...given,
          order: `F-K${n - 1}`,
          reported: '20260305150000-0500',
          tests: [{ status: 'C' }, { test: gonorrhoea, status: 'C' }],
        }),
      );
    else if (n % 90 === 89) made.push(elr(given).replace(/PID.*\r/, ''));
    else made.push(elr(given));
  }
  return made;
}

interface Place extends TestDatabase {
  dataDir: string;
  tenantId: string;
}
async function newPlace(name: string): Promise<Place> {
  const made = await createTestDatabase();
  const { id: tenantId } = await makeTenant(made.database, { slug: 'here' });
  await makeFacility(made.database, {
    tenant_id: tenantId,
    name: 'Mercy Clinic',
    match_name: 'mercy clinic',
  });
  return { ...made, dataDir: join(folder, name), tenantId };
}

/** Starts a process that imports; `acknowledged` are the messages that it has said are stored. */
function start(place: Place, path: string) {
  const child = spawn(process.execPath, [oneFile, place.appUrl, place.dataDir, place.tenantId, path], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const running = { child, said: '', err: '', exited: once(child, 'close') };
  child.stdout.on('data', (chunk) => {
    running.said += chunk;
  });
  child.stderr.on('data', (chunk) => {
    running.err += chunk;
  });
  return running;
}
const acknowledged = (said: string) =>
  Number(
    said
      .split('\n')
      .slice(0, -1)
      .findLast((line) => /^\d+$/.test(line)) ?? 0,
  );

const read = <Row extends object>({ database, tenantId }: Place, text: string) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text));
const stored = async (place: Place) => {
  const [row] = await read<{ next: number; messages: number; tallied: number }>(
    place,
    `select coalesce((select max(next_index) from import), 0) as next, (select count(*) from import_message) as messages,
       coalesce((select sum(n) from import_tally where kind = 'state'), 0)::integer as tallied`,
  );
  return row!;
};

/** All that an import has made, without ids and times of the clock. */
const everything = async (place: Place) => ({
  imports: await read(
    place,
    'select file_name, state, messages, taken, waiting, refused, duplicates from import_list',
  ),
  messages: await read(
    place,
    `select m.index, m.line, m.state, m.reason, encode(m.content_hash, 'hex') as hash, d.index as repeats, p.last_name
     from import_message m left join import_message d on d.tenant_id = m.tenant_id and d.id = m.duplicate_of
     left join patient p on p.tenant_id = m.tenant_id and p.id = m.patient_id order by m.index`,
  ),
  tallies: await read(place, 'select kind, key, families, n from import_tally order by kind, key, families'),
  patients: await read(
    place,
    'select last_name, first_name, birth_date::text, phones from patient order by last_name, birth_date, phones',
  ),
  results: await read(
    place,
    `select r.source_key, r.content_hash, r.test_loinc, r.result_category, r.status, r.superseded_by is null as current,
       p.last_name from result r join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id
     order by r.source_key, r.content_hash, r.status`,
  ),
  cases: await read(
    place,
    `select c.case_id, c.condition_code, c.classification, c.status, c.review_reason, p.last_name,
       (select count(*) from case_event e where e.tenant_id = c.tenant_id and e.case_report_id = c.id) as events
     from case_report c join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id order by c.case_id`,
  ),
});

it('stores every message once, however often it is killed on the way [P5] [S10.6]', {
  timeout: 180_000,
}, async () => {
  const path = join(folder, 'laboratory.hl7');
  await writeFile(path, messages(2000).join(''));
  const calm = await newPlace('calm');
  const rough = await newPlace('rough');
  const undisturbed = start(calm, path);
  await undisturbed.exited;
  expect([undisturbed.said.trim().split('\n').at(-1), undisturbed.err]).toEqual(['done', '']);

  const kills = 10;
  let said = 0;
  for (let kill = 0; kill < kills; kill++) {
    const before = await stored(rough);
    const running = start(rough, path);
    // At least one batch further, so that the process is killed at work, and then at any point of the next ones.
    while (running.child.exitCode === null && (await stored(rough)).next === before.next) await sleep(5);
    await sleep(Math.random() * 60);
    expect(running.child.exitCode, 'the file is too short to be killed so often').toBeNull();
    running.child.kill('SIGKILL');
    await running.exited;
    said = Math.max(said, acknowledged(running.said));
    const now = await stored(rough);
    // What was acknowledged is stored, each message once, and counted.
    expect(now.next).toBeGreaterThanOrEqual(said);
    expect(now.next).toBeGreaterThan(before.next);
    expect([now.messages, now.tallied]).toEqual([now.next, now.next]);
  }
  expect(said).toBeGreaterThan(0);

  const child = spawn(process.execPath, [command, path, '--json'], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: rough.appUrl,
      DATABASE_OWNER_URL: rough.ownerUrl,
      DATA_DIR: rough.dataDir,
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let line = '';
  child.stdout.on('data', (chunk) => {
    line += chunk;
  });
  expect((await once(child, 'close'))[0]).toBe(0);

  const expected = await everything(calm);
  const result = await everything(rough);
  expect(expected.imports).toEqual([expect.objectContaining({ state: 'done', messages: 2000 })]);
  const { file_name: _, state: __, ...counts } = expected.imports[0] as Record<string, unknown>;
  expect(JSON.parse(line)).toEqual({ files: 1, ...counts });
  expect(expected.patients.length).toBeGreaterThan(1000);
  for (const part of Object.keys(expected) as (keyof typeof expected)[])
    expect(result[part], part).toEqual(expected[part]);
  expect(await readdir(join(rough.dataDir, 'imports'))).toEqual([]);
});
