import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { startChild } from '../../test/child.ts';
import { bare } from '../../test/commands.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { makeCaseNumbers, makeTenant } from '../../test/factories.ts';
import { load } from '../../test/load.ts';
import { importFile } from '../features/imports/import-file.ts';
import { importList } from '../features/imports/import-list.ts';
import { runImport } from '../features/imports/running/run-import.ts';
import { chlamydia, elr, gonorrhoea, notDetected } from '../features/imports/test-messages.ts';

const command = fileURLToPath(new URL('./import.ts', import.meta.url));
const oneFile = fileURLToPath(new URL('../../test/import-file.ts', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'caseway-killed-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Reports, some of which are about one person, corrected later, sent twice, about an unknown test, or not a report
 * at all.
 */
function laboratory(messages: number): string {
  const one = (n: number): string => {
    const person = n % 5 === 4 ? n - 4 : n;
    const patient = {
      id: `P${person}`,
      last: `Name${String.fromCharCode(65 + (person % 26))}${person}`,
      first: `Kim${person % 7}`,
      birth: `19${50 + (person % 50)}0${1 + (person % 9)}1${person % 9}`,
      phone: '',
    };
    if (n % 50 === 49) return `MSH|^~\\&|LIS|Lab|||20260301||ADT^A01|X${n}|P|2.5.1\rPID|1||1^^^A^MR||Doe^J\r`;
    if (n % 20 === 19)
      return elr({ control: `C${n}`, order: `F${n}`, patient, tests: [{ test: `X${n % 3}^Local^L` }] });
    if (n % 9 === 8)
      return elr({
        control: `C${n}`,
        order: `F${n - 4}`,
        patient: { ...patient, id: `P${n - 4}` },
        tests: [{ status: 'C', value: notDetected }],
      });
    return elr({
      control: `C${n}`,
      order: `F${n}`,
      patient,
      collected: `202603${String(1 + (n % 28)).padStart(2, '0')}0930-0500`,
      tests: [
        { test: chlamydia, value: n % 3 ? notDetected : undefined },
        { test: gonorrhoea, value: notDetected },
      ],
    });
  };
  const text = Array.from({ length: messages }, (_, n) => one(n % 13 === 12 ? n - 1 : n));
  return `FHS|^~\\&\rBHS|^~\\&\r${text.join('')}BTS|${messages}\rFTS|1\r`;
}

/** Rows, some of which are equal, about nobody or about one person, refused, or waiting for a code. */
function table(rows: number): string {
  const one = (n: number): string => {
    const person = n % 6 === 5 ? n - 5 : n;
    const name =
      n % 4 === 3 ? 'Anonymous,Anonymous,' : `Name${person},Kim,19${50 + (person % 50)}-03-1${person % 9}`;
    const result = n % 17 === 16 ? '' : n % 3 ? 'Not detected' : 'Detected';
    return `${name},F,${n % 19 === 18 ? 'X-1' : '21613-5'},${result},2026-03-02,Peach Laboratory`;
  };
  return `Last name,First name,Date of birth,Sex,Test performed code,Result,Specimen collection date,Lab name\n${Array.from({ length: rows }, (_, n) => one(n)).join('\n')}\n`;
}

interface Place extends TestDatabase {
  dataDir: string;
  tenantId: string;
}
async function newPlace(name: string): Promise<Place> {
  const made = await createTestDatabase();
  const { id: tenantId } = await makeTenant(made.database, { slug: 'here' });
  await makeCaseNumbers(made.database, tenantId);
  return { ...made, dataDir: join(folder, name), tenantId };
}

const read = <Row extends object>({ database, tenantId }: Place, text: string) =>
  database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.rows<Row>(text, text.includes('$1') ? [tenantId] : []),
  );

/** Everything that an import has made, without ids and clock times. */
async function everything(place: Place) {
  const parts = {
    imports: `select file_name, state, messages, taken, waiting, refused, duplicates, notes from ${importList('$1')} i`,
    messages: `select m.index, m.line, m.state, m.reason, m.occurrence, encode(m.content_hash, 'hex') as hash, m.rerun,
        d.index as repeats, p.last_name
      from import_message m left join import_message d on d.tenant_id = m.tenant_id and d.id = m.duplicate_of
      left join patient p on p.tenant_id = m.tenant_id and p.id = m.patient_id order by m.index`,
    tallies: 'select kind, key, families, n from import_tally order by kind, key, families',
    patients: 'select last_name, first_name, birth_date, phones from patient order by id',
    results: `select r.source_key, r.content_hash, r.test_loinc, r.result_category, r.status, p.last_name,
        r.superseded_by is null as current
      from result r join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id order by r.id`,
    cases: `select c.case_id, c.condition_code, c.classification, c.status, c.review_reason, c.collected_on, p.last_name,
        (select array_agg(e.kind order by e.at) from case_event e
          where e.tenant_id = c.tenant_id and e.case_report_id = c.id) as events
      from case_report c join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id order by c.id`,
    codes: 'select code, occurrences from code_mapping order by code',
  };
  const found: Record<string, Record<string, unknown>[]> = {};
  for (const [part, text] of Object.entries(parts)) found[part] = await read(place, text);
  return found;
}

/**
 * Imports the file in a separate process, in batches of 40, lets it commit some, and kills it: after it has reported
 * the last one as stored, or within the transaction of the next one, just before it writes to a table. Returns the
 * number of messages that it has reported as stored.
 */
async function killed(place: Place, path: string, commits: number, at: string): Promise<number> {
  const child = startChild(process.execPath, [oneFile, place.appUrl, place.tenantId, path], {
    env: bare,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const said = createInterface(child.stdout)[Symbol.asyncIterator]();
  const holder = new pg.Client(place.superuserUrl);
  await holder.connect();
  const hold = async () => {
    await holder.query('begin');
    await holder.query(`lock table ${at} in exclusive mode`);
  };
  let acknowledged = 0;
  try {
    if (commits === 0) await hold();
    for (let done = 1; done <= commits; done++) {
      acknowledged = Number((await said.next()).value);
      expect(acknowledged, 'the process said something else than how far it is').toBeGreaterThan(0);
      // It is now paused, outside of a transaction.
      if (done < commits) child.stdin.write('.');
      else if (at !== '') {
        await hold();
        child.stdin.write('.');
      }
    }
    const waits = async () =>
      (await holder.query('select from pg_locks where not granted and relation = $1::regclass', [at]))
        .rowCount !== 0;
    while (at !== '' && child.exitCode === null && !(await waits())) await sleep(10);
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill('SIGKILL');
    await exited;
    await holder.end();
  }
  return acknowledged;
}

const afterCommit = '';
it.each([
  [
    'laboratory.hl7',
    laboratory(480),
    { taken: 380, duplicates: 30, waiting: 15, refused: 5 },
    // Each table is written at another point of a batch, which begins with the import's row.
    [
      [0, 'patient'],
      [1, afterCommit],
      [0, 'import_message'],
      [1, 'result'],
      [0, 'case_report'],
      [2, 'import_tally'],
      [1, 'import'],
      [1, 'case_event'],
    ],
  ],
  [
    'results.csv',
    table(200),
    { taken: 150, duplicates: 0, waiting: 5, refused: 10 },
    [
      [0, 'import_message'],
      [1, 'result'],
      [1, afterCommit],
      [1, 'import_tally'],
    ],
  ],
] as const)(
  '%s is stored once, however often its import is killed on the way [P5] [S10.6]',
  {
    timeout: 300_000,
  },
  async (name, text, atLeast, kills) => {
    const path = join(folder, name);
    await writeFile(path, text);
    const calm = await newPlace(`calm ${name}`);
    const { database, tenantId } = calm;
    const { end } = await importFile({
      ...{ database, tenantId, path, dryRun: false },
      run: (request, hooks) => runImport({ database, ...request, ...hooks, batchSize: 97 }),
    });
    expect(end).toBe('done');

    const rough = await newPlace(`rough ${name}`);
    let before = 0;
    // In `npm test`, at every other place.
    for (const [commits, at] of kills.filter((_, place) => load(place % 2 === 0, true))) {
      const acknowledged = await killed(rough, path, commits, at);
      const [now] = await read<{ next: number; messages: number; tallied: number }>(
        rough,
        `select (select max(next_index) from import) as next, (select count(*) from import_message) as messages,
         coalesce((select sum(n) from import_tally where kind = 'state'), 0)::integer as tallied`,
      );
      // Acknowledged messages are stored, each once, and counted; nothing of the unfinished batch is.
      expect(acknowledged).toBe(commits === 0 ? 0 : before + 40 * commits);
      before = Math.max(before, acknowledged);
      expect(now).toEqual({ next: before, messages: before, tallied: before });
    }

    const child = startChild(process.execPath, [command, path, '--json'], {
      env: {
        ...bare,
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
    const { file_name: _, state, notes: __, ...counts } = expected.imports![0]!;
    expect(state).toBe('done');
    expect(JSON.parse(line)).toEqual({ files: 1, ...counts });
    for (const [kind, n] of Object.entries(atLeast)) expect(counts[kind], kind).toBeGreaterThanOrEqual(n);
    for (const part of Object.keys(expected)) expect(result[part], part).toEqual(expected[part]);
    expect(await read(rough, 'select from import_upload')).toEqual([]);
  },
);
