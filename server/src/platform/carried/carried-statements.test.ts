import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { carriers, type Deciding, passingName } from './carried.ts';

/*
 * Row-level security trusts a row's own columns for who sees it. So each statement that writes such a row has to
 * copy these columns from the row that decides. [P1, P18]
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources: { file: string; text: string }[] = [];
for (const name of (await readdir(root, { recursive: true })).sort())
  if (name.endsWith('.ts') && !/(^|\/)test-|\.test\.ts$/.test(name))
    sources.push({ file: name, text: await readFile(join(root, name), 'utf8') });

/** The columns that rows of a table carry. */
const carried = new Map<string, string[]>([['jurisdiction_county', ['managed_by_tenant_id', 'reported_by']]]);
for (const { table, columns } of Object.values(carriers).flat())
  carried.set(table, [...new Set([...(carried.get(table) ?? []), ...Object.keys(columns)])]);

/** The text from a position to the parenthesis that closes the first one. */
function inParentheses(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return text.slice(from, at + 1);
  }
  return text.slice(from);
}

interface Insert {
  file: string;
  table: string;
  how: 'of the row that decides' | 'named' | 'nothing';
}

/** Every insert into one of these tables, and where its carried columns come from. */
function inserts({ file, text }: { file: string; text: string }): Insert[] {
  const found: Insert[] = [];
  const note = (table: string, call: string, isTaken: boolean) => {
    const columns = carried.get(table);
    if (!columns) return;
    const isNamed = columns.every((column) => new RegExp(`\\b${column}\\b`).test(call));
    found.push({ file, table, how: isTaken ? 'of the row that decides' : isNamed ? 'named' : 'nothing' });
  };
  for (const { 1: table, index } of text.matchAll(/insert into (\w+)\b/g)) {
    const list = inParentheses(text, index);
    const [, name] = /\$\{(\w+)\.columns\}\)$/.exec(list) ?? [];
    note(table!, list, name !== undefined && text.includes(`const ${name} = carriedBy('${table}', `));
    // The values for a scope that does not see the row that decides.
    if (/\$\{Object\.keys\(carried\)/.test(list) && found.at(-1)?.table === table)
      found.at(-1)!.how = 'of the row that decides';
  }
  for (const { 1: table, index } of text.matchAll(/insertRows\(\s*tx,\s*tenantId,\s*'(\w+)'/g)) {
    const call = inParentheses(text, index);
    // A parameter can also be one of these tables.
    note(table!, call, /carriedOf: ('\w+'|record\.table|of\b)/.test(call));
  }
  for (const { 1: table } of text.matchAll(/insertCarried\(\s*tx,\s*'(\w+)'/g)) note(table!, '', true);
  for (const { 1: table, index } of text.matchAll(/insertInto\('(\w+)'\)/g))
    note(table!, text.slice(index, text.indexOf('execute', index)), false);
  return found;
}

const all = sources.flatMap(inserts);

test('every statement that inserts rows that depend on another row takes from that row who sees them', () => {
  expect(all.filter(({ how }) => how === 'nothing')).toEqual([]);
  // Statements that name the columns. They make the other row in the same statement or just before it.
  expect(all.filter(({ how }) => how === 'named').map(({ file, table }) => `${table} in ${file}`)).toEqual([
    'jurisdiction_county in features/places/jurisdictions.ts',
    'membership_role in features/users/create-administrator.ts',
  ]);
  // Tables that are written by statements for any table: search keys and histories carry by themselves, transitions
  // are kept for any record, a task gets its columns passed on, and answers take them from the record
  // (`insertCarried` in `platform/records/answers.ts`).
  const tables = new Set(all.map(({ table }) => table));
  expect(
    [...carried.keys()].filter((table) => !tables.has(table)),
    'tables that only such statements write are in this list, in the order of carried.ts',
  ).toEqual([
    'task',
    'case_answers',
    'case_answer_key',
    'case_answers_history',
    'case_report_history',
    'treatment_history',
    'contact',
    'contact_history',
    'contact_transition',
    'case_follow_up',
    'case_follow_up_history',
    'case_follow_up_transition',
    'partner_service',
    'partner_service_history',
    'partner_service_transition',
    'field_visit',
    'field_visit_history',
    'field_visit_transition',
    'document',
    'document_history',
    'telemedicine_visit',
    'telemedicine_visit_history',
    'telemedicine_visit_transition',
    'work_task_history',
    'case_report_transition',
    'search_key',
    'vaccination_history',
    'incident_history',
    'incident_transition',
    'shipment_history',
    'shipment_transition',
    'vaccination',
    'incident',
    'patient_history',
  ]);
  const general = sources.filter(({ text }) => /insert into \$\{/.test(text)).map(({ file }) => file);
  expect(general).toEqual([
    'platform/analytics/replica.ts',
    'platform/analytics/roll-up-tables.ts',
    'platform/analytics/staged-rows.ts',
    // It writes only tables of the audit log.
    'platform/audit/auditor.ts',
    'platform/carried/carried.ts',
    'platform/db/distribute.ts',
    // It writes only the bytes of files.
    'platform/db/file-pieces.ts',
    'platform/db/record-keys.ts',
    'platform/db/rows.ts',
    'platform/records/record-history.ts',
    'platform/records/save-record.ts',
  ]);
});

const columns = '$' + '{carried.columns}';
test.each([
  ["await insertRows(tx, tenantId, 'case_result', { id: 'uuid' }, rows);", 'nothing'],
  [
    "await insertRows(tx, tenantId, 'case_result', { id: 'uuid' }, rows, { carriedOf: 'case_report' });",
    'of the row that decides',
  ],
  ['`insert into case_event (tenant_id, id) values ($1, $2)`', 'nothing'],
  [`insert into case_event (tenant_id, ${columns}) select 1`, 'nothing'],
  [
    `const carried = carriedBy('case_event', 'case_report'); insert into case_event (tenant_id, ${columns}) select 1`,
    'of the row that decides',
  ],
  ["tx.insertInto('membership_role').values({ role_id }).execute()", 'nothing'],
])('knows %s', (text, how) => {
  expect(inserts({ file: 'a.ts', text }).map((one) => one.how)).toEqual([how]);
});

/** The rows that decide about other rows, and the columns that do. */
const deciding: Record<string, RegExp> = {
  program: /\borganization_id =/,
  import: /\b(organization_id|facility_id|created_by) =/,
  case_report: /\b(disease_family|organization_id|facility_id|county_fips) =/,
  patient:
    /\b(disease_families|organization_ids|facility_ids|restricted_at|county_fips|told_openly|told_by) =/,
  membership: /\b(account_id|org_type|org_id) =/,
};

test('every statement that changes what decides about other rows is in a file that passes it on', () => {
  const changing = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\bupdate (\w+)\b[^;`]*?\bset\b([^`]*?)(?:\bwhere\b|`)/g)]
      .filter(([, table, set]) => deciding[table!]?.test(set!))
      .map(([, table]) => ({ file, table: table!, passed: text.includes('passOn(') })),
  );
  expect(changing.filter(({ passed }) => !passed)).toEqual([]);
  expect(new Set(changing.map(({ table }) => table))).toEqual(new Set(['patient', 'case_report', 'import']));
});

test('the statements that pass columns on have names that PostgreSQL tells apart', () => {
  const names = Object.entries(carriers).flatMap(([of, those]) =>
    those.flatMap((one) => [false, true].map((all) => passingName(of as Deciding, one, all))),
  );
  expect(names.filter((name) => name.length > 63)).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
