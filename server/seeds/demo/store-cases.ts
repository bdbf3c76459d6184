import { keysOfCase } from '../../src/features/case-reports/case-keys.ts';
import { takeCaseNumbers } from '../../src/features/case-reports/case-numbers.ts';
import { writeSearchKeys } from '../../src/features/patients/search-keys.ts';
import { familyByCode } from '../../src/features/reference/catalog.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { calendarOf } from '../../src/platform/records/effects.ts';
import { loadRows } from './load.ts';
import type { CaseEventRow, CaseResultRow, CaseRow } from './rows.ts';
import { treatmentsOf } from './treatments.ts';
import { workOf } from './work.ts';

/** Takes the numbers for these cases, by case id. */
export const numbersOf = (
  tx: Tx,
  cases: readonly Pick<CaseRow, 'id' | 'created_on' | 'disease_family'>[],
): Promise<Map<string, string>> =>
  takeCaseNumbers(
    tx,
    tx.tenantId,
    cases.map((row) => ({
      id: row.id,
      year: row.created_on.slice(0, 4),
      isRestricted: familyByCode(row.disease_family)?.restricted ?? false,
    })),
  );

/** Stores numbered cases with their treatments, tasks and clocks, and their search keys. */
export async function storeCases(
  tx: Tx,
  {
    cases,
    caseResults = [],
    events = [],
    today,
  }: {
    cases: readonly CaseRow[];
    caseResults?: readonly CaseResultRow[];
    events?: readonly CaseEventRow[];
    today: string;
  },
): Promise<void> {
  await loadRows(tx, 'case_report', cases);
  await loadRows(tx, 'case_result', caseResults, 'case_report');
  await loadRows(tx, 'case_event', events, 'case_report');
  await loadRows(tx, 'treatment', treatmentsOf(cases, today), 'case_report');
  const { tasks, clocks, transitions } = workOf(cases, { ...(await calendarOf(tx, tx.tenantId)), today });
  await loadRows(tx, 'work_task', tasks, 'case_report');
  await loadRows(tx, 'record_clock', clocks, 'case_report');
  await loadRows(tx, 'case_report_transition', transitions, 'case_report');
  await writeSearchKeys(
    tx,
    tx.tenantId,
    'case',
    cases.map((row) => ({
      id: row.id,
      keys: keysOfCase({ caseId: row.case_id, externalId: null }),
      before: [],
    })),
  );
}
