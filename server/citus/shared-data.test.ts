import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { importFile } from '../src/features/imports/import-file.ts';
import { runImport } from '../src/features/imports/running/run-import.ts';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import { createLog } from '../src/platform/log/log.ts';
import { asked, databaseUrl, makeDatabase, plainTemplate, removeDatabase } from '../test/cluster.ts';
import { createTestDatabase } from '../test/database.ts';
import { makeCaseNumbers, makeFacility, makeTenant } from '../test/factories.ts';
import { sharedData } from '../test/shared-data.ts';

/*
 * Messages and tables from elsewhere, if they are beside the checkout: imported into a distributed database and into
 * one on a single server, they give the same rows.
 */

/** The folders with messages and tables of laboratories, health departments and clinics. */
const folders = /^(?:hl7-|csv-lab-results|csv-linelist|csv-patients)/;
/** Twelve thousand similar rows, which would take longer than all other files. */
const tooLong = ['csv-linelist/ebola_line_cases.csv', 'csv-linelist/simulated_ebola.csv'];

/** Line lists whose condition is chosen at the import. */
const conditions: Record<string, string> = {
  'csv-linelist/covid_simulist_messy.csv': 'covid-19',
  'csv-linelist/stegen_salmonella_raw.csv': 'salmonellosis',
};

interface Place {
  database: Database;
  /** Connection string of the superuser. */
  url: string;
  tenantId: string;
  facilityId: string;
}

async function placeIn(database: Database, url: string): Promise<Place> {
  const { id: tenantId } = await makeTenant(database);
  await makeCaseNumbers(database, tenantId);
  const { id: facilityId } = await makeFacility(database, {
    tenant_id: tenantId,
    name: 'Sender',
    match_name: 'sender',
  });
  return { database, url, tenantId, facilityId };
}

async function onOneServer(): Promise<Place> {
  const { servers: _, ...cluster } = inject('cluster');
  const name = `plain_${randomBytes(6).toString('hex')}`;
  await makeDatabase(cluster, name, plainTemplate);
  const url = databaseUrl(cluster.app, name);
  const database = await openDatabase({ url, log: createLog('fatal'), poolSize: 4 });
  afterAll(async () => {
    await database.close();
    await removeDatabase(cluster, name);
  });
  return placeIn(database, databaseUrl(cluster.superuser, name));
}

/** The outcome of each file: its format, and how many messages or rows ended in which state. */
async function imported({ database, tenantId, facilityId }: Place, files: readonly string[]) {
  const all: Record<string, unknown> = {};
  for (const file of files) {
    const { end, detail } = await importFile({
      database,
      tenantId,
      path: join(sharedData!, file),
      facility: { facilityId, organizationId: null },
      condition: conditions[file],
      dryRun: false,
      run: (request, hooks) => runImport({ database, ...request, ...hooks }),
    });
    const { format, messages, taken, waiting, refused, duplicates } = detail;
    all[file] = { end, format, messages, taken, waiting, refused, duplicates };
  }
  return all;
}

/** What an import writes, and how these rows are linked. */
const tables = [
  'patient',
  'patient_identifier',
  'patient_block',
  'patient_match',
  'search_key',
  'specimen',
  'result',
  'case_report',
  'case_result',
  'case_event',
  'code_mapping',
  'facility',
  'organization',
  'import',
  'import_message',
  'import_tally',
];
const together = {
  'result of a person': `select r.source_key, p.last_name, p.first_name, p.birth_date, f.name, s.accession
    from result r join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id
    left join specimen s on s.tenant_id = r.tenant_id and s.id = r.specimen_id
    left join facility f on f.tenant_id = r.tenant_id and f.id = r.facility_id where r.tenant_id = $1`,
  'result of a case': `select c.case_id, r.source_key from case_result l
    join case_report c on c.tenant_id = l.tenant_id and c.id = l.case_report_id
    join result r on r.tenant_id = l.tenant_id and r.id = l.result_id where l.tenant_id = $1`,
  'case of a person': `select c.case_id, p.last_name, p.first_name, p.birth_date from case_report c
    join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id where c.tenant_id = $1`,
};

/** The rows of each kind, sorted, without values that always differ: ids, and when they were written. */
async function rowsOf({ url, tenantId }: Place, began: number): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  const statements = [
    ...tables.map((table) => [table, `select t.* from ${table} t where t.tenant_id = $1`] as const),
    ...Object.entries(together),
  ];
  for (const [kind, text] of statements) {
    // The hash of an empty file comes from its import's id, and the half of a person is random.
    const left = kind === 'import_message' ? `- 'content_hash'` : kind === 'patient' ? `- 'half'` : '';
    const rows = await asked<{ row: string }>(
      url,
      `select (to_jsonb(s) ${left})::text as row from (${text}) s`,
      [tenantId],
    );
    all[kind] = rows
      .map(({ row }) =>
        row
          .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
          .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:\+\d\d(?::\d\d)?|Z)/g, (at) =>
            Date.parse(at) >= began ? 'now' : at,
          ),
      )
      .sort();
  }
  return all;
}

/** The rows that the other list does not have. */
function without(rows: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const row of others) left.set(row, (left.get(row) ?? 0) + 1);
  return rows.filter((row) => {
    const n = left.get(row) ?? 0;
    left.set(row, n - 1);
    return n <= 0;
  });
}

it('accepts every file from elsewhere like one server does, with the same rows [P30, S10.6]', async () => {
  if (sharedData === undefined) {
    console.log('There are no files from elsewhere next to the checkout, so none is imported.');
    return;
  }
  const began = Date.now();
  const files = readdirSync(sharedData, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(sharedData!, join(entry.parentPath, entry.name)))
    .filter((file) => folders.test(file) && !tooLong.includes(file))
    .sort();
  expect(files.length).toBeGreaterThan(190);
  const distributed = await createTestDatabase();
  const places = [
    await placeIn(distributed.database, distributed.superuserUrl),
    await onOneServer(),
  ] as const;
  const [spread, plain] = await Promise.all(places.map((place) => imported(place, files)));
  expect(spread).toEqual(plain);
  const [rows, others] = await Promise.all(places.map((place) => rowsOf(place, began)));
  for (const [kind, found] of Object.entries(rows!))
    expect({
      kind,
      n: found.length,
      more: without(found, others![kind]!).slice(0, 3),
      fewer: without(others![kind]!, found).slice(0, 3),
    }).toEqual({ kind, n: others![kind]!.length, more: [], fewer: [] });
  console.log(`${files.length} files: ${rows!.result!.length} results, ${rows!.case_report!.length} cases`);
  expect(rows!.result!.length).toBeGreaterThan(300);
  expect(rows!.case_report!.length).toBeGreaterThan(400);
});
