import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startChild } from '../../../../test/child.ts';
import { bare } from '../../../../test/commands.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { makeFacility, makeTenant } from '../../../../test/factories.ts';
import { load } from '../../../../test/load.ts';
import { mixedFiles } from '../test-files.ts';
import { countsOf, elr, importText } from '../test-messages.ts';

const { database, appUrl } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'caseway-dry-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

let tenantId: string;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database));
});

const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
const take = (text: string, given: Parameters<typeof importText>[3] = {}) =>
  importText(database, tenantId, text, given);

test('reports what would happen and stores nothing', async () => {
  const text = [elr(), elr({ order: 'F-2', tests: [{ test: 'Q^Odd^L' }] }), 'MSH|^~\\&|x\r'].join('');
  const dry = await take(text, { dryRun: true });
  expect(dry.end).toBe('done');
  expect(dry.counts).toEqual({ messages: 3, taken: 1, waiting: 1, refused: 1, duplicates: 0 });
  expect(dry.effects).toMatchObject({ patientsCreated: 1, resultsCreated: 1, casesOpened: 1 });
  for (const table of [
    'patient',
    'result',
    'case_report',
    'import_message',
    'code_mapping',
    'facility',
    'outbox',
  ])
    expect(await rows(`select from ${table}`), table).toEqual([]);
  const [row] = await rows<{
    preview: { state: string; reason: string | null; results?: object[] }[];
    codes: object[];
  }>(`select preview -> 'messages' as preview, preview -> 'codes' as codes from import`);
  // Which code it would wait for.
  expect(row!.codes).toMatchObject([{ kind: 'test', system: 'L', code: 'Q', text: 'Odd', n: 1 }]);
  expect(row!.preview.map(({ state, reason }) => `${state} ${reason}`)).toEqual([
    'taken null',
    'waiting test-unknown',
    'refused field-missing',
  ]);
  // What it would store of the first message, without its person.
  expect(row!.preview.map(({ results }) => results)).toEqual([
    [
      {
        testName: 'Chlamydia trachomatis DNA',
        testNameI18N: { es: expect.any(String), ht: expect.any(String) },
        category: 'positive',
        conditionCode: 'chlamydia',
      },
    ],
    undefined,
    undefined,
  ]);
  expect(JSON.stringify(row!.preview)).not.toMatch(/Okafor/i);
  expect((await take(text)).counts).toEqual(dry.counts);
});

test('reports exactly what the real run does, also if much is already known', async () => {
  await makeFacility(database, { tenant_id: tenantId, name: 'Mercy Clinic', match_name: 'mercy clinic' });
  for (const { messages, list } of mixedFiles(load(1, 3)))
    for (const [text, condition] of [[messages], [list, 'measles']] as const) {
      const { importId: _, ...dry } = await take(text, { condition, dryRun: true, batchSize: 7 });
      const { importId: __, ...real } = await take(text, { condition, batchSize: 20 });
      expect(dry).toEqual(real);
    }
  // Nothing of a dry run remains to be counted.
  expect(
    await rows('select from case_counter where last_number >= 2500000 or restricted_number >= 2500000'),
  ).toEqual([]);
});

test('holds up no other import, and is not disturbed by one', async () => {
  const messageOf = (n: number, given: Parameters<typeof elr>[0] = {}) =>
    elr({
      control: `D${n}`,
      order: `F-D${n}`,
      patient: { id: `D${n % 30}`, last: `Okafor${n % 30}`, phone: '' },
      ...given,
    });
  // Known people, who are seen at one more place with the file.
  await take(
    [0, 1, 2].map((n) => messageOf(n, { control: `K${n}`, order: `F-K${n}`, clinic: 'Grady' })).join(''),
  );
  const text = Array.from({ length: 90 }, (_, n) => messageOf(n)).join('');
  const path = join(dataDir, 'tried.hl7');
  await writeFile(path, text);
  const script = fileURLToPath(new URL('../../../../test/import-file.ts', import.meta.url));
  const child = startChild(process.execPath, [script, appUrl, tenantId, path, 'dry'], {
    env: bare,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = createInterface(child.stdout)[Symbol.asyncIterator]();
  // It is now paused in the middle of its transaction.
  expect((await said.next()).value).toBe('40');
  const [tried] = await rows<{ id: string }>('select id from import where dry_run');

  // It has written to no table that others use; a table missing in the overlay would show up here.
  expect(
    await rows(
      `select c.relname, l.mode from pg_locks l join pg_class c on c.oid = l.relation
       join pg_stat_activity a on a.pid = l.pid and a.backend_type = 'client backend'
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and l.mode not in ('AccessShareLock')
         and l.database = (select oid from pg_database where datname = current_database())`,
    ),
  ).toEqual([]);

  const real = await take(text);
  expect([real.end, real.counts!.taken]).toEqual(['done', 90]);

  for (const next of ['80', '90', 'done']) {
    child.stdin.write('.');
    expect((await said.next()).value).toBe(next);
  }
  if (child.exitCode === null) await once(child, 'exit');
  // It sees what was stored in the meantime.
  const { counts } = await countsOf(database, tenantId, tried!.id);
  expect(counts).toEqual({ messages: 90, taken: 40, waiting: 0, refused: 0, duplicates: 50 });
});
