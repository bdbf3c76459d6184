import { addDays, todayIn } from '@caseway/contract/date-range';
import { incidentFlow } from '@caseway/contract/incident-flow';
import { incidentRecord } from '@caseway/contract/incident-reports';
import {
  checkVaers,
  listedReports,
  takeVaers,
  type VaersAnswer,
  type VaersFault,
  type VaersFiles,
  type VaersOutcome,
  vaersNumber,
} from '@caseway/contract/vaers';
import { parse } from 'csv-parse/sync';
import { v7 } from 'uuid';
import type { Tx } from '../../../platform/db/database.ts';
import { inTurn, takeTurn } from '../../../platform/db/try-turn.ts';
import type { App } from '../../../platform/http/app.ts';
import { faultAt, refuse } from '../../../platform/http/app-error.ts';
import { type Call, serve } from '../../../platform/http/serve.ts';
import { carryOutNew } from '../../../platform/records/effects.ts';
import { ownPlaceOf } from '../../../platform/records/place-of-made.ts';
import { keepFirstVersions } from '../../../platform/records/record-versions.ts';
import { tenantToMakeIn } from '../../../platform/records/serve-patient-records.ts';
import { insertIncidents } from '../insert-incidents.ts';
import { type ReadReport, type Received, readReport } from './read-vaers.ts';
import { symptomColumns, tablesOf, type VaersForm } from './vaers-columns.ts';
import type { ReadReported } from './vaers-files.ts';
import { type FileReport, readTables } from './vaers-tables.ts';
import { type Reported, vaersLines } from './write-vaers.ts';

/** Bytes of a request, near the limit of the files together. */
const bodyLimit = 16 * 2 ** 20;
/** Rows per statement, for searching and storing. */
const batchSize = 500;
/** No clock starts for a report that was received longer ago than this, because all would have expired. */
const longestClock = Math.max(...(incidentFlow.clocks ?? []).map(({ days }) => days));

interface Considered extends FileReport {
  outcome: VaersOutcome;
  told: ReadReport;
}

/** Serves VAERS files: checks what would become of each report, and stores the new ones. */
export function serveVaers(app: App, read: ReadReported): void {
  serve(
    app,
    checkVaers,
    (call) => {
      const tenantId = tenantToMakeIn(call);
      return inTurn(() =>
        call.withScope(async (tx) => {
          // A tenant reads one set of files at a time, because it is much work.
          await takeTurn(tx, turnOf(tenantId));
          const { considered, faults, known } = await consider(tx, call, call.body.files, read);
          call.audit(compared(known));
          return answerOf(considered, faults);
        }),
      );
    },
    { bodyLimit },
  );

  serve(
    app,
    takeVaers,
    async (call) => {
      const tenantId = tenantToMakeIn(call);
      const { answer, known } = await inTurn(() =>
        call.withScope(async (tx) => {
          // The same file sent twice at the same time is stored once.
          await takeTurn(tx, turnOf(tenantId));
          const { considered, faults, known } = await consider(tx, call, call.body.files, read);
          refuse(faults.map(({ code }) => faultAt('files', 'faulty-table', code)));
          const made = considered.filter(({ outcome }) => outcome === 'new');
          const ids = await store(tx, call, tenantId, made);
          call.audit({ action: 'incident/taken', recordKind: incidentRecord.kind, recordIds: ids });
          return { answer: answerOf(considered, faults), known };
        }),
      );
      if (known.length > 0) await call.writeAudit(tenantId, compared(known));
      return answer;
    },
    { bodyLimit },
  );
}

const turnOf = (tenantId: string) => `vaers ${tenantId}`;

/** The log entry for the reports that files were compared with, because the answer reveals them. */
const compared = (recordIds: string[]) => ({
  action: 'incident/files-checked' as const,
  deed: 'read' as const,
  recordKind: incidentRecord.kind,
  recordIds,
});

async function consider(
  tx: Tx,
  call: Call,
  files: VaersFiles,
  read: ReadReported,
): Promise<{ considered: Considered[]; faults: VaersFault[]; known: string[] }> {
  const today = todayIn(call.org.timeZone);
  const { reports, faults, names } = await readTables(files);
  const considered: Considered[] = [];
  const seen: string[] = [];
  for (let at = 0; at < reports.length; at += batchSize) {
    const some = reports.slice(at, at + batchSize);
    const known = await knownReports(
      tx,
      some.map(({ vaersId }) => vaersId),
      read,
    );
    seen.push(...[...known.values()].flat().map(({ id }) => id));
    for (const one of some) {
      const { told, doubts } = readReport(one.received, today);
      const refusals = [...one.faults];
      // Nothing more can be said about a row that could not be read, or has no report.
      if (refusals.length === 0 && (told.receivedOn < '1900-01-01' || told.receivedOn > today))
        refusals.push({ file: names.data, line: one.line, column: 'RECVDATE', code: 'day-of-receipt' });
      const there = known.get(one.vaersId) ?? [];
      const isSame = there.some((each) => saysSame(each, one));
      const outcome =
        refusals.length > 0 ? 'refused' : isSame ? 'same' : there.length > 0 ? 'differs' : 'new';
      const keptFaults = doubts
        .filter(({ column }) => column !== 'RECVDATE')
        .map(({ column, row, code }): VaersFault => {
          const inVaccines = row !== undefined;
          const file = inVaccines
            ? names.vaccines
            : column.startsWith('SYMPTOM1')
              ? names.symptoms
              : names.data;
          return { file, line: inVaccines ? one.vaccineLines[row]! : one.line, column, code };
        });
      considered.push({
        ...one,
        told,
        outcome,
        faults: outcome === 'refused' ? refusals : outcome === 'new' ? keptFaults : [],
      });
    }
  }
  return { considered, faults, known: seen };
}

/**
 * Stored reports with these numbers, including our own numbers. There can be several if places of the tenant that do
 * not see each other's reports have stored one.
 */
async function knownReports(
  tx: Tx,
  numbers: readonly string[],
  read: ReadReported,
): Promise<Map<string, (Reported & { id: string })[]>> {
  const found = await tx.rows<{ id: string }>(
    `select id from incident where tenant_id = $1 and kind = 'vaccine-adverse-event'
       and (vaers_id = any ($2::text[]) or number = any ($2::text[]) and vaers_id is null)`,
    [tx.tenantId, numbers],
  );
  const reports = await read(
    tx,
    found.map(({ id }) => id),
  );
  return Map.groupBy(reports, (one) => one.vaersId ?? one.number);
}

const inOrder = (cells: object): string =>
  JSON.stringify(Object.entries(cells).toSorted(([one], [other]) => (one < other ? -1 : 1)));
const sameRows = (some: readonly object[], others: readonly object[]): boolean =>
  some.length === others.length && some.every((one, index) => inOrder(one) === inOrder(others[index]!));

/** Whether a file says the same about a report as when it was stored, or as our own export of it. */
function saysSame(there: Reported, { received }: FileReport): boolean {
  const before = there.cells ?? asWritten(there, received);
  return (
    inOrder(before.data) === inOrder(received.data) &&
    sameRows(before.vaccines, received.vaccines) &&
    sameRows(before.symptoms, received.symptoms)
  );
}

/** The cells that our own export has for a report. */
function asWritten(report: Reported, { form, data }: Received): Received {
  const asked: VaersForm = 'FORM_VERS' in data ? '2' : '1';
  const lines = vaersLines(report, asked);
  const names = (columns: readonly { name: string }[]) => columns.map(({ name }) => name);
  const rows = (text: string, columns: readonly string[]) =>
    (parse(text) as string[][]).map((cells) =>
      Object.fromEntries(columns.map((name, index) => [name, cells[index]!])),
    );
  const beside = (text: string, columns: readonly string[]) =>
    rows(text, ['VAERS_ID', ...columns]).map(({ VAERS_ID: _, ...cells }) => cells);
  const { data: ofData, vaccines } = tablesOf(asked);
  return {
    form,
    data: rows(lines.data, names(ofData))[0]!,
    vaccines: beside(lines.vaccines, names(vaccines)),
    symptoms: beside(lines.symptoms, symptomColumns),
  };
}

/** Stores reports about nobody, at the place of the importer; returns their ids. */
async function store(
  tx: Tx,
  call: Call,
  tenantId: string,
  reports: readonly Considered[],
): Promise<string[]> {
  const today = todayIn(call.org.timeZone);
  const accountId = call.account.accountId;
  const since = addDays(today, -longestClock);
  const ids: string[] = [];
  for (let at = 0; at < reports.length; at += batchSize) {
    const some = reports.slice(at, at + batchSize).map((one) => ({ ...one, id: v7() }));
    await insertIncidents(
      tx,
      { tenantId, today, own: ownPlaceOf(call) },
      some.map(({ id, told, vaersId, received }) => ({
        ...told,
        id,
        kind: 'vaccine-adverse-event',
        vaersId,
        cells: received,
      })),
    );
    await carryOutNew(
      tx,
      { record: incidentRecord, tenantId, accountId },
      some.filter(({ told }) => told.receivedOn >= since).map(({ id }) => ({ id, on: today })),
    );
    await keepFirstVersions(
      tx,
      incidentRecord,
      tenantId,
      some.map(({ id }) => id),
      accountId,
    );
    ids.push(...some.map(({ id }) => id));
  }
  return ids;
}

function answerOf(considered: readonly Considered[], faults: VaersFault[]): VaersAnswer {
  const counts = { new: 0, same: 0, differs: 0, refused: 0 };
  for (const { outcome } of considered) counts[outcome] += 1;
  const listed = considered.filter(
    ({ outcome, faults }) => outcome === 'differs' || outcome === 'refused' || faults.length > 0,
  );
  return {
    counts,
    faults,
    reports: listed.slice(0, listedReports).map(({ vaersId, line, outcome, faults }) => ({
      vaersId: vaersNumber.test(vaersId) ? vaersId : '',
      line,
      outcome,
      faults,
    })),
    reportCount: listed.length,
  };
}
