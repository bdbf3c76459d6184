import { isDeepStrictEqual } from 'node:util';
import type { CsvMapping, CsvOptions } from '@caseway/contract/csv-mapping';
import type { Fault } from '@caseway/contract/error';
import { type ImportFaultCode, importFault } from '@caseway/contract/import-fault';
import {
  type ColumnsCheck,
  type MappingState,
  routineTarget,
  type TableColumns,
} from '@caseway/contract/imports';
import type { Tx } from '../../platform/db/database.ts';
import { lockTenant } from '../../platform/db/record-lock.ts';
import { givenRows, json } from '../../platform/db/rows.ts';
import { AppError, refuse } from '../../platform/http/app-error.ts';
import { loadTenantContext } from '../patients/tenant-context.ts';
import { conditionByCode, resultCategories, testByLoinc } from '../reference/catalog.ts';
import type { ImportFault, LabReport } from '../reported/report.ts';
import { type MappedCodes, mappingKey } from '../results/code-asked.ts';
import { textWithout, untold } from '../results/families-in-text.ts';
import { interpret } from '../results/interpret.ts';
import { resultKeys } from '../results/result-key.ts';
import { planBatch } from './batch/batch.ts';
import { digestOf, type MessageState } from './batch/incoming.ts';
import { writePlan } from './batch/write-plan.ts';
import { dateOrderIn, mayHoldWell, suggestAs } from './formats/csv-map.ts';
import {
  cellsOf,
  type FileFormat,
  readMessage,
  type TableOptions,
  TableReader,
  tableFromJson,
  tableToJson,
  textOf,
} from './formats/file-reader.ts';
import { importList } from './import-list.ts';
import { enqueueImport } from './running/import-job.ts';
import { readAgain, type StoredRow } from './running/run-again.ts';
import { narrowed, type Sight, wholeTenant } from './sight.ts';
import { removeUpload } from './upload-store.ts';

/*
 * Actions of people on imports. Each runs in the scope of the service, after the caller has checked that the person
 * sees the import: a decision applies to every message that it concerns, including those the person may not see.
 */

/**
 * Records that a person works on an import. From now on their visibility limits it too, so that correcting a text or
 * mapping a column cannot reveal what they may not see. [P23] Locks the tenant before the import, like a running
 * import; otherwise the two would deadlock.
 */
export async function takeHand(tx: Tx, tenantId: string, importId: string, sight: Sight): Promise<void> {
  await lockTenant(tx, tenantId);
  const [row] = await tx.rows<{ sight: Sight | null }>(
    'select sight from import where tenant_id = $1 and id = $2 for update',
    [tenantId, importId],
  );
  if (!row) return;
  const now = narrowed(row.sight ?? wholeTenant, sight);
  if (JSON.stringify(now) !== JSON.stringify(row.sight ?? wholeTenant))
    await tx.run('update import set sight = $3 where tenant_id = $1 and id = $2', [
      tenantId,
      importId,
      json(now),
    ]);
}

/** Stops an import and removes its file. Messages that were queued to run again do not change. */
export async function cancel(tx: Tx, tenantId: string, importId: string): Promise<void> {
  const stopped = await tx.run(
    `update import set state = 'cancelled', finished_at = now(), file_read = true, rerun_total = 0, rerun_done = 0
     where tenant_id = $1 and id = $2 and state in ('queued', 'running')`,
    [tenantId, importId],
  );
  if (stopped === 0) throw new AppError('conflict');
  await removeUpload(tx, tenantId, importId);
  await tx.run('update import_message set rerun = false where tenant_id = $1 and import_id = $2 and rerun', [
    tenantId,
    importId,
  ]);
}

/** Stores the results of a dry run, or continues an import that failed or waits for a retry after a fault. */
export async function start(tx: Tx, tenantId: string, importId: string): Promise<void> {
  const tried = await tx.run(
    `update import set dry_run = false, state = 'queued', preview = null, next_index = 0, byte_offset = 0,
       resume_point = null, file_read = false, notes = '[]', started_at = null, finished_at = null
     where tenant_id = $1 and id = $2 and dry_run and state = 'done'`,
    [tenantId, importId],
  );
  if (tried > 0)
    await tx.run('delete from import_tally where tenant_id = $1 and import_id = $2', [tenantId, importId]);
  else {
    const failed = await tx.run(
      `update import set state = 'queued', error = null, finished_at = null
       where tenant_id = $1 and id = $2 and (state = 'failed' or state = 'queued' and error is not null)`,
      [tenantId, importId],
    );
    if (failed === 0) throw new AppError('conflict');
  }
  await enqueueImport(tx, tenantId, importId);
}

/** Selects messages to run again: SQL over the message `m`, with its values from `$2` on. */
interface Asked {
  condition: string;
  params: readonly unknown[];
}
const canRun = 'm.tenant_id = $1 and m.corrected_by is null and m.raw is not null and not m.rerun';

/** The messages that wait for any of these codes. */
export const waitingFor = (...codeIds: string[]): Asked => ({
  condition: `m.state = 'waiting' and m.waiting_for && $2::uuid[]`,
  params: [codeIds],
});

/** The messages of a table that wait until someone maps its columns. */
export const waitingForColumns = (importId: string): Asked => ({
  condition: `m.import_id = $2 and m.state = 'waiting' and m.reason = any ($3)`,
  params: [importId, undecidedReasons],
});

/** How many of them the scope of the transaction sees. [P24] */
export async function countAsked(tx: Tx, tenantId: string, { condition, params }: Asked): Promise<number> {
  const [counted] = await tx.rows<{ n: number }>(
    `select count(*) as n from import_message m where ${canRun} and ${condition}`,
    [tenantId, ...params],
  );
  return counted!.n;
}

/** Marks messages to be run again; returns how many. */
async function runAgain(tx: Tx, tenantId: string, { condition, params }: Asked): Promise<number> {
  const imports = await tx.rows<{ id: string; n: number }>(
    `with asked as (
       update import_message m set rerun = true where ${canRun} and ${condition} returning m.import_id)
     select import_id as id, count(*) as n from asked group by import_id order by import_id`,
    [tenantId, ...params],
  );
  for (const { id, n } of imports) {
    await tx.run(
      `update import set rerun_total = rerun_total + $3,
         state = case when state = 'running' then state else 'queued' end,
         finished_at = null, error = null
       where tenant_id = $1 and id = $2`,
      [tenantId, id, n],
    );
    await enqueueImport(tx, tenantId, id);
  }
  return imports.reduce((total, { n }) => total + n, 0);
}

/**
 * Runs again the messages of an import that the person sees: all in a state, or those with one reason. Their number,
 * and that the import is running, reveals nothing about the others. [P24]
 */
export async function rerun(
  tx: Tx,
  tenantId: string,
  importId: string,
  { state, reason }: { state: MessageState; reason?: string },
  { hiddenFamilies, accountId }: { hiddenFamilies: readonly string[]; accountId: string },
): Promise<number> {
  // The same condition as the policy of the table.
  return runAgain(tx, tenantId, {
    condition: `m.import_id = $2 and m.state = $3 and ($4::text is null or m.reason = $4)
      and not m.disease_families && $5::text[] and ($5::text[] = '{}' or not $6 = any (m.disease_families) or exists (
        select from import i where i.tenant_id = $1 and i.id = $2 and i.created_by = $7))`,
    params: [importId, state, reason ?? null, hiddenFamilies, untold, accountId],
  });
}

// — Codes —

/** The faults in the targets of codes, by their places in the list. */
export function faultsOfTargets(
  codes: readonly { kind: 'test' | 'value'; target: string | null }[],
  pathOf: (index: number) => string,
): Fault[] {
  return codes.flatMap(({ kind, target }, index) => {
    const known =
      target === null ||
      (kind === 'test'
        ? target === routineTarget || testByLoinc(target) !== undefined
        : resultCategories.some(({ code }) => code === target));
    if (known) return [];
    return kind === 'test'
      ? { path: pathOf(index), code: 'unknown-test', message: 'not a laboratory test of the catalog' }
      : { path: pathOf(index), code: 'unknown-category', message: 'not a result category' };
  });
}

/** Stores the meaning of codes, and runs the waiting messages again. */
export async function decideCodes(
  tx: Tx,
  tenantId: string,
  state: MappingState,
  codes: readonly { id: string; kind: 'test' | 'value'; target: string | null }[],
  accountId: string,
): Promise<void> {
  // After this, no running batch still treats the codes as unknown.
  await lockTenant(tx, tenantId);
  const decided = codes.map(({ id, kind, target }) => ({
    id,
    target,
    family: kind === 'test' && target ? (testByLoinc(target)?.family ?? null) : null,
  }));
  await tx.run(
    `update code_mapping c set state = $3, target = d.target, disease_family = coalesce(d.family, c.disease_family),
       decided_by = $4, decided_at = now()
     from ${givenRows('$2', { id: 'uuid', target: 'text', family: 'text' })} as d
     where c.tenant_id = $1 and c.id = d.id`,
    [tenantId, json(decided), state, accountId],
  );
  if (state !== 'open') await runAgain(tx, tenantId, waitingFor(...codes.map(({ id }) => id)));
}

// — Corrections —

interface CorrectableImport {
  format: FileFormat | null;
  facility_id: string | null;
  organization_id: string | null;
  sender: string | null;
  options: { table?: unknown };
  sight: Sight | null;
}

/** Runs the corrected text of a message; returns the id of the new message. */
export async function correct(
  tx: Tx,
  tenantId: string,
  importId: string,
  messageId: string,
  text: string,
): Promise<string> {
  const [about] = await tx.rows<CorrectableImport>(
    `select i.format, i.facility_id, i.organization_id, i.options, i.sight, coalesce(f.name, o.name) as sender
     from import i left join facility f on f.tenant_id = i.tenant_id and f.id = i.facility_id
     left join organization o on o.tenant_id = i.tenant_id and o.id = i.organization_id
     where i.tenant_id = $1 and i.id = $2`,
    [tenantId, importId],
  );
  const [stored] = await tx.rows<StoredRow>(
    `select id, index, line, revision, raw, charset, content_hash, occurrence, state, reason, disease_families, waiting_for
     from import_message where tenant_id = $1 and import_id = $2 and id = $3 and corrected_by is null
       and state in ('refused', 'waiting') for update`,
    [tenantId, importId, messageId],
  );
  if (!about || !stored) throw new AppError('conflict');
  const tenant = await loadTenantContext(tx, tenantId);
  const reading = {
    clock: { timeZone: tenant.timeZone },
    sender: about.sender ?? '',
    place: about.facility_id ?? about.organization_id,
  };
  const table = tableFromJson(about.options.table);
  const rows = about.format === 'csv' && table ? new TableReader(table, reading) : undefined;
  const read = rows ? await rows.readText(text, stored) : readMessage(Buffer.from(text), stored, reading);
  const before = {
    id: stored.id,
    importId,
    state: stored.state,
    reason: stored.reason,
    families: stored.disease_families,
    waitingFor: stored.waiting_for,
  };
  // Unchanged text means that the message itself is run again.
  const unchanged = read.contentHash === stored.content_hash.toString('hex');
  const incoming = unchanged
    ? await readAgain(stored, importId, about.format, rows, reading)
    : {
        ...read,
        raw: Buffer.from(text),
        charset: 'utf-8',
        revision: stored.revision + 1,
        corrects: before,
      };
  const today = tenant.today();
  const plan = await planBatch(
    tx,
    tenantId,
    {
      importId,
      facilityId: about.facility_id,
      organizationId: about.organization_id,
      format: about.format === 'csv' ? 'csv' : 'hl7',
      condition: table?.options.condition ?? null,
      today,
      facts: tenant.facts,
      sight: about.sight ?? wholeTenant,
      restrictedFamilies: tenant.restrictedFamilies,
      testSenders: tenant.testSenders,
    },
    [{ incoming, digest: digestOf(incoming, tenant.facts) }],
  );
  await writePlan(tx, tenantId, importId, plan, {
    today,
    restrictedFamilies: tenant.restrictedFamilies,
  });
  return plan.messages[0]!.id;
}

// — Columns of a table —

const previewRows = 20;
const checkedRows = 200;
/** Rows that wait until the table is decided. */
export const undecidedReasons = [
  'first-row-is-data',
  'columns-unmapped',
  'condition-unchosen',
  'case-column-unchosen',
  'date-order-unchosen',
] satisfies ImportFaultCode[];

/** A table and the texts of its first rows, as far as the scope of the transaction sees them. */
export async function readTable(
  tx: Tx,
  importId: string,
  limit = previewRows,
): Promise<{ table: TableOptions; texts: string[]; sender: string }> {
  const [row] = await tx.rows<{
    options: { table?: unknown };
    format: FileFormat | null;
    sender: string | null;
    hidden: string[];
  }>(
    `select i.options, i.format, coalesce(f.name, o.name) as sender, app_hidden_families() as hidden from ${importList('$1')} i
     left join facility f on f.tenant_id = i.tenant_id and f.id = i.facility_id
     left join organization o on o.tenant_id = i.tenant_id and o.id = i.organization_id
     where i.tenant_id = $1 and i.id = $2`,
    [tx.tenantId, importId],
  );
  const table = row && tableFromJson(row.options.table);
  if (!table || row.format !== 'csv') throw new AppError('not-found');
  const rows = await tx.rows<{ raw: Buffer; charset: string }>(
    `select raw, charset from import_message
     where tenant_id = $1 and import_id = $2 and raw is not null and revision = 0 order by index limit $3`,
    [tx.tenantId, importId, limit],
  );
  const texts = rows.map(({ raw, charset }) =>
    textWithout(row.hidden, textOf(raw, charset), table.dialect.delimiter),
  );
  return { table, texts, sender: row.sender ?? '' };
}

export async function describeTable({
  table,
  texts,
}: {
  table: TableOptions;
  texts: string[];
}): Promise<TableColumns> {
  const { header, profiles, mapping, options, remembered } = table;
  const suggested = (kind: CsvMapping['kind']) =>
    suggestAs(kind, header, profiles).map(({ column, field, confidence }) => ({
      column,
      field: field ?? null,
      confidence,
    }));
  return {
    header,
    mapping,
    options,
    remembered,
    suggestions: {
      results: suggested('results'),
      'line-list': suggested('line-list'),
      treatments: suggested('treatments'),
    },
    ambiguousDates: header.flatMap((_, column) =>
      dateOrderIn(table, { ...options, dateOrders: {} }, column) === 'unknown' ? [column] : [],
    ),
    mayHoldWell: mayHoldWell(header, profiles),
    rows: await Promise.all(texts.map((text) => cellsOf(table, text))),
  };
}

/** Tries a mapping on the first rows. */
export async function checkTable(
  { table, texts, sender }: { table: TableOptions; texts: string[]; sender: string },
  decided: { mapping: CsvMapping; options: CsvOptions },
  timeZone: string,
  mapped: MappedCodes,
): Promise<Omit<ColumnsCheck, 'preview'>> {
  const unknown = faultsOfColumns(table, decided);
  if (unknown.length > 0) throw new AppError('validation-failed', { faults: unknown });
  const rows = new TableReader({ ...table, ...decided }, { clock: { timeZone }, sender, place: null });
  if (rows.waits.length > 0)
    return { undecided: [...rows.waits], rows: texts.length, readable: 0, faults: [] };
  const found = new Map<string, ColumnsCheck['faults'][number]>();
  let readable = 0;
  for (const [at, text] of texts.entries()) {
    const { content, faults, sender: from } = await rows.readText(text, { index: at, line: at + 2 });
    const open = content.kind === 'report' ? openIn(content.report, from ?? '', mapped) : [];
    if (
      content.kind === 'case' ||
      content.kind === 'treatment' ||
      (content.kind === 'report' && open.length === 0)
    )
      readable += 1;
    for (const { place, code, severity, message } of [...faults, ...open]) {
      const key = `${place}\u0000${code}\u0000${severity}`;
      const known = found.get(key);
      if (known) known.n += 1;
      else found.set(key, { place, code, severity, message, n: 1 });
    }
  }
  const faults = [...found.values()].sort((a, b) =>
    a.severity === b.severity ? b.n - a.n : a.severity === 'error' ? -1 : 1,
  );
  return { undecided: [], rows: texts.length, readable, faults };
}

/** What a row would wait for: unmapped codes and names, and results that a person has to check. */
function openIn(report: LabReport, sender: string, mapped: MappedCodes): ImportFault[] {
  const { unknown, doubts } = interpret(report, sender, mapped, resultKeys(report));
  const kinds = [...new Set(unknown.map(({ kind }) => kind))];
  return [
    ...kinds.map((kind) => importFault('waits', kind === 'test' ? 'test-unknown' : 'result-unknown', 'row')),
    ...doubts,
  ];
}

/** The decisions about senders' codes, as far as the scope of the transaction sees them. */
export async function readMapped(tx: Tx): Promise<MappedCodes> {
  const rows = await tx.rows<{
    kind: 'test' | 'value';
    sender: string;
    system: string;
    code: string;
    target: string | null;
  }>(
    `select kind, sender, system, code, case when state = 'mapped' then target end as target
     from code_mapping where tenant_id = $1 and state <> 'open'`,
    [tx.tenantId],
  );
  return new Map(rows.map(({ target, ...key }) => [mappingKey(key), { target }]));
}

export const rowsToCheck = checkedRows;

/**
 * A decision, or the valid parts of one with faults. A mapping is one of two kinds, and is present as a whole or not
 * at all.
 */
export interface PartOfDecision {
  mapping?: unknown;
  options?: { dateOrders?: Record<string, string | undefined>; condition?: string } | undefined;
}
const mappingOf = ({ mapping }: PartOfDecision) => mapping as CsvMapping | undefined;

/** A mapping may name only columns of the table. */
export function faultsOfColumns({ header }: TableOptions, part: PartOfDecision): Fault[] {
  const named = [
    ...(mappingOf(part)?.columns ?? []).map(({ column }) => column),
    ...Object.keys(part.options?.dateOrders ?? {}).map(Number),
  ];
  return named.some((column) => column >= header.length)
    ? [{ path: 'mapping.columns', code: 'unknown-column', message: 'the table has no such column' }]
    : [];
}

/** All faults of a decision: wrong names, and missing choices. [S5.1] */
export function faultsOfDecision(
  { table, sender }: { table: TableOptions; sender: string },
  part: PartOfDecision,
): Fault[] {
  const mapping = mappingOf(part);
  const condition = part.options?.condition;
  const dateOrders = part.options?.dateOrders as CsvOptions['dateOrders'] | undefined;
  const faults = faultsOfColumns(table, part);
  const waits: readonly ImportFault[] =
    mapping && dateOrders && faults.length === 0
      ? new TableReader(
          { ...table, mapping, options: { dateOrders, condition } },
          { clock: { timeZone: 'UTC' }, sender, place: null },
        ).waits
      : [];
  return [
    ...(condition !== undefined && !conditionByCode(condition)
      ? [{ path: 'options.condition', code: 'unknown-condition', message: 'no such condition' }]
      : []),
    ...faults,
    ...waits.map(({ place, code, message }) => ({ path: place, code, message })),
  ];
}

export interface Decision {
  mapping: CsvMapping;
  options: CsvOptions;
}

/** Stores the decision about a table, remembers it for its header, and runs the waiting rows. */
export async function decideColumns(
  tx: Tx,
  tenantId: string,
  importId: string,
  { before, ...decided }: Decision & { before?: Decision | undefined },
  accountId: string,
): Promise<void> {
  const { table, sender } = await readTable(tx, importId, 0);
  const { mapping, options } = table;
  if (before && !isDeepStrictEqual(before, { mapping, options })) throw new AppError('conflict');
  refuse(faultsOfDecision({ table, sender }, decided));
  const now: TableOptions = { ...table, ...decided };
  await tx.run(
    `update import set options = options || jsonb_build_object('table', $3::jsonb) where tenant_id = $1 and id = $2`,
    [tenantId, importId, json(tableToJson(now))],
  );
  // The condition differs from file to file.
  const { condition: _, ...lasting } = decided.options;
  await tx.run(
    `insert into csv_mapping (tenant_id, signature, mapping, options, decided_by) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, signature) do update set mapping = excluded.mapping, options = excluded.options,
       decided_by = excluded.decided_by, decided_at = excluded.decided_at`,
    [tenantId, table.signature, json(decided.mapping), json(lasting), accountId],
  );
  await runAgain(tx, tenantId, waitingForColumns(importId));
}
