import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { demoWorld } from '../../seeds/demo/tenants.ts';
import { runCommand } from '../../test/commands.ts';
import { createTestDatabase } from '../../test/database.ts';
import { makeFacility, makeTenant } from '../../test/factories.ts';
import { load } from '../../test/load.ts';
import { elr } from '../features/imports/test-messages.ts';

const command = fileURLToPath(new URL('./import.ts', import.meta.url));
const given = await createTestDatabase();
const { database } = given;
const folder = await mkdtemp(join(tmpdir(), 'caseway-import-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const table =
  'Last name,First name,Date of birth,Sex,Date of report,Case status\nReed,Ann,1980-01-31,F,2026-03-02,confirmed\nBell,Joe,1991-12-01,M,2026-03-03,probable\n';

let tenantId: string;
let slug: string;
let place: string;
beforeEach(async () => {
  ({ id: tenantId, slug } = await makeTenant(database));
  place = await mkdtemp(join(folder, 'files-'));
});

const run = (args: string[], { environment = {}, cwd = place, urls = given } = {}) =>
  runCommand(
    command,
    args,
    {
      DATABASE_URL: urls.appUrl,
      DATABASE_OWNER_URL: urls.ownerUrl,
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'fatal',
      ...environment,
    },
    cwd,
  );
/** Runs the command with `--json` and reads the counts of its last line. */
const json = async (args: string[], options?: Parameters<typeof run>[1]) => {
  const { out, ...rest } = await run([...args, '--json'], options);
  expect(out).toMatch(/^\{.*\}\n$/);
  return { ...rest, counts: JSON.parse(out) };
};
const write = async (name: string, text: string) => {
  const path = join(place, name);
  await writeFile(path, text);
  return path;
};
const rows = <Row extends object = Record<string, unknown>>(text: string) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text));

describe('npm run import [S10.6]', () => {
  it('stores the contents of the files, and counts every message once', async () => {
    const second = elr({ patient: { id: 'MRN2', last: 'Bell', first: 'Jo' } });
    const nobody = elr().replace(/PID.*\r/, '');
    const hl7 = await write('two.hl7', elr() + second + second + nobody);
    const csv = await write('cases.csv', table);
    const { code, counts } = await json([hl7, csv, '--tenant', slug]);
    // Two messages are accepted, one repeats the second, one is about nobody; the rows wait for their condition.
    expect(counts).toEqual({ files: 2, messages: 6, taken: 2, waiting: 2, refused: 1, duplicates: 1 });
    expect(code).toBe(0);
    expect(await rows('select last_name from patient order by last_name')).toEqual([
      { last_name: 'Bell' },
      { last_name: 'Okafor' },
    ]);
    expect(await rows('select file_name, state, created_by from import order by file_name')).toEqual([
      { file_name: 'cases.csv', state: 'needs-mapping', created_by: null },
      { file_name: 'two.hl7', state: 'done', created_by: null },
    ]);
    expect(await rows('select action, record_kind from audit_event')).toEqual([
      { action: 'upload', record_kind: 'import' },
      { action: 'upload', record_kind: 'import' },
    ]);
    expect(await rows('select key from graphile_worker.jobs')).toEqual([]);
    expect(await rows('select from import_upload')).toEqual([]);
  });

  it('finds everything a duplicate when a file is imported again', async () => {
    const hl7 = await write('one.hl7', elr());
    const csv = await write('cases.csv', table);
    const args = [hl7, csv, '--tenant', slug, '--condition', 'salmonellosis'];
    const counted = () =>
      rows(
        'select (select count(*) from patient) as patients, (select count(*) from result) as results, (select count(*) from case_report) as cases',
      );
    expect((await json(args)).counts).toMatchObject({ messages: 3, taken: 3, duplicates: 0 });
    const before = await counted();
    expect(before).toEqual([{ patients: 3, results: 1, cases: 3 }]);
    expect((await json(args)).counts).toMatchObject({ messages: 3, taken: 0, duplicates: 3 });
    expect(await counted()).toEqual(before);
  });

  it('says for each file why messages wait or were refused, with the place', async () => {
    await write('bad.hl7', elr() + elr().replace(/PID.*\r/, ''));
    const { out, code } = await run(['bad.hl7', '--tenant', tenantId]);
    expect(out.split('\n')).toEqual([
      '  messages      taken    waiting    refused duplicates  file',
      '         2          1          0          1          0  bad.hl7',
      expect.stringMatching(/^ {12}1 refused: \S+ \(message 2, line \d+, PID\): \S.*\.$/),
      '',
    ]);
    expect(code).toBe(0);
  });

  it('walks folders, and imports the other files if one cannot be imported', async () => {
    await mkdir(join(place, 'in/deep'), { recursive: true });
    await write('in/a.hl7', elr());
    await write('in/deep/b.hl7', elr({ order: 'F-9' }));
    await write('in/.hidden', 'x');
    await write('in/bundle.json', '{"resourceType":"Bundle"}');
    const { code, err, counts } = await json(['missing.hl7', 'in', '--tenant', slug]);
    expect(counts).toEqual({ files: 3, messages: 3, taken: 2, waiting: 0, refused: 1, duplicates: 0 });
    expect(err.trim().split('\n')).toEqual([
      'missing.hl7: There is no such file.',
      expect.stringMatching(/^in\/bundle\.json: This is JSON;/),
    ]);
    expect(code).toBe(1);
  });

  it('says that a later format cannot be imported yet, and stores nothing', async () => {
    await write('a.xml', '<ClinicalDocument/>');
    const { code, err, counts } = await json(['a.xml', '--format', 'cda', '--tenant', slug]);
    expect(counts).toEqual({ files: 0, messages: 0, taken: 0, waiting: 0, refused: 0, duplicates: 0 });
    expect(err).toBe('a.xml: CDA cannot be imported yet; nothing of it was stored.\n');
    expect(code).toBe(1);
    expect(await rows('select id from import')).toEqual([]);
  });

  it('only tries with --dry-run', async () => {
    await write('one.hl7', elr());
    const { out } = await run(['one.hl7', '--tenant', slug, '--dry-run']);
    expect(out).toContain(
      '1          1          0          0          0  one.hl7 (tried; nothing was stored)',
    );
    expect(await rows('select id from patient')).toEqual([]);
  });

  it('uses the given facility, by name or id, for messages without one', async () => {
    const { id } = await makeFacility(database, {
      tenant_id: tenantId,
      name: "St. Mary's Hospital",
      match_name: 'st marys hospital',
    });
    await write('one.hl7', elr({ clinic: '' }));
    expect((await json(['one.hl7', '--tenant', slug, '--facility', 'St Mary’s hospital'])).code).toBe(0);
    expect(await rows('select facility_id from import')).toEqual([{ facility_id: id }]);
    expect((await json(['one.hl7', '--tenant', slug, '--facility', id])).counts.duplicates).toBe(1);
  });

  it.each([
    [[], 'There is no file to import.'],
    [['one.hl7', '--tenant', 'nowhere'], 'There is no tenant nowhere. There are: '],
    [['one.hl7'], 'Say which tenant it is for with --tenant. There are: '],
    [['one.hl7', '--facility', 'Nowhere Clinic'], 'There is no facility Nowhere Clinic in this tenant.'],
    [['one.hl7', '--condition', 'boredom'], 'There is no condition boredom.'],
    [['one.hl7', '--format', 'docx'], '--format takes hl7, csv, hl7-queue, fhir or cda.'],
    [['one.hl7', '--speed', '9'], "Unknown option '--speed'"],
  ])('ends %j with: %s', async (args, sentence) => {
    await write('one.hl7', elr());
    const asked = args.includes('--facility') ? [...args, '--tenant', slug] : args;
    const { code, err } = await run(asked);
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
    // A program that reads the line still gets it, whatever is wrong.
    if (!load(args.length === 0 || args.includes('docx'), true)) return;
    const nothing = { files: 0, messages: 0, taken: 0, waiting: 0, refused: 0, duplicates: 0 };
    expect((await json(asked)).counts).toEqual(nothing);
  });

  it('finds the demo in an empty database while the demo is on, otherwise the only tenant', async () => {
    const urls = await createTestDatabase({ empty: true });
    await write('one.hl7', elr());
    const { counts } = await json(['one.hl7'], { urls, environment: { DEMO: 'on' } });
    expect(counts).toMatchObject({ files: 1, taken: 1 });
    const { demo } = demoWorld();
    const stored = await urls.database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
      tx.rows('select last_name from patient'),
    );
    expect(stored).toEqual([{ last_name: 'Okafor' }]);

    const other = await createTestDatabase();
    await makeTenant(other.database);
    expect((await json(['one.hl7'], { urls: other })).counts).toMatchObject({ files: 1, taken: 1 });
  });
});
