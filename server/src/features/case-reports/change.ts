import { caseFlow, lacksInvestigator } from '@caseway/contract/case-flow';
import {
  type CaseChange,
  type CaseReport,
  type CaseStatus,
  type ChangeRefusal,
  type EventDateFault,
  eventDateFaults,
  eventDates,
} from '@caseway/contract/case-reports';
import { type Actor, stateAfter } from '@caseway/contract/workflow';
import { v7 } from 'uuid';
import { insertCarried } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import { lawfulFor } from './record.ts';
import { caseTables } from './rows.ts';

/** The columns of `case_report` that decide a change. */
export type ChangeableCase = Pick<
  CaseReport,
  | 'id'
  | 'condition'
  | 'classification'
  | 'status'
  | 'investigator'
  | 'onsetOn'
  | 'collectedOn'
  | 'reportedOn'
  | 'receivedOn'
  | 'createdOn'
  | 'outcome'
  | 'pregnant'
  | 'hospitalized'
  | 'visitType'
  | 'birthDate'
  | 'reviewReason'
  | 'classifiedBy'
> & {
  /** The rule's classification; null if none was applied. */
  ruleSays: CaseReport['classification'] | null;
};

export interface ChangeContext {
  tenantId: string;
  accountId: string;
  /** What the account may do. */
  may: Actor['may'];
  /** The tenant's. */
  today: string;
  /** Accounts that can be given a case of this tenant. */
  investigators: ReadonlySet<string>;
}

export type ChangeFault =
  | EventDateFault
  | { field: keyof CaseChange; code: Exclude<ChangeRefusal, 'changed-meanwhile' | 'not-found'> };

const columns: Record<keyof CaseChange, string> = {
  classification: 'classification',
  status: 'status',
  investigator: 'investigator_id',
  onsetOn: 'onset_on',
  collectedOn: 'collected_on',
  reportedOn: 'reported_on',
  receivedOn: 'received_on',
  outcome: 'outcome',
  pregnant: 'pregnant',
  hospitalized: 'hospitalized',
  visitType: 'visit_type',
};

/** The values next to the row, if another place has reported something else. */
const toldWithin: Partial<Record<keyof CaseChange, 'date' | 'text'>> = {
  onsetOn: 'date',
  collectedOn: 'date',
  reportedOn: 'date',
  outcome: 'text',
  pregnant: 'text',
  hospitalized: 'text',
  visitType: 'text',
};

/** The fields of a case that a change would change, with its consequences. */
export function differences(current: ChangeableCase, asked: CaseChange): CaseChange {
  const change = Object.fromEntries(
    Object.entries(asked).filter(
      ([field, value]) => value !== undefined && value !== current[field as keyof CaseChange],
    ),
  ) as CaseChange;
  const investigator = change.investigator === undefined ? current.investigator : change.investigator;
  if (change.status === undefined) {
    const after = stateAfter(
      caseFlow,
      { state: current.status, values: { investigator } },
      Object.keys(change),
    );
    if (after !== current.status) change.status = after;
  }
  return change;
}

/** Everything that is wrong with a change. [S5.1] */
export function faultsOf(current: ChangeableCase, change: CaseChange, context: ChangeContext): ChangeFault[] {
  const faults: ChangeFault[] = [];
  const { classification, investigator } = change;
  if (classification !== undefined && !lawfulFor(current.condition).includes(classification))
    faults.push({ field: 'classification', code: 'unlawful' });
  if (investigator && !context.investigators.has(investigator))
    faults.push({ field: 'investigator', code: 'not-an-investigator' });
  if (lacksInvestigator(current, change, { ...context, id: context.accountId }))
    faults.push({ field: 'status', code: 'investigator-needed' });
  const dates = Object.fromEntries(
    eventDates.map((field) => [field, field in change ? change[field as keyof CaseChange] : current[field]]),
  ) as Parameters<typeof eventDateFaults>[0];
  faults.push(
    ...eventDateFaults(dates, new Set(Object.keys(change)), {
      today: context.today,
      birthDate: current.birthDate,
    }),
  );
  return faults;
}

/**
 * Applies a change without faults, with its entries in the timeline, and returns the case's new version. The caller
 * holds the lock of the case and records the change for the replicas.
 */
export async function makeChange(
  tx: Tx,
  current: ChangeableCase,
  change: CaseChange,
  { tenantId, accountId }: ChangeContext,
  { undo = false, followRule = false } = {},
): Promise<number> {
  const fields = Object.keys(change) as (keyof CaseChange)[];
  const sets = fields.map((field, index) => `${columns[field]} = $${index + 3}`);
  if (change.status !== undefined && (change.status === 'closed') !== (current.status === 'closed'))
    sets.push(`closed_at = ${change.status === 'closed' ? 'now()' : 'null'}`);
  if (followRule) sets.push(`classified_by = 'rule'`);
  else if (change.classification !== undefined)
    // Undoing a decision returns it to its earlier author.
    sets.push(
      undo
        ? `classified_by = coalesce((select e.detail ->> 'classifiedBy' from case_event e where e.tenant_id = $1
            and e.case_report_id = $2 and e.kind = 'classification-changed' order by e.at desc, e.id desc limit 1), 'person')`
        : `classified_by = 'person'`,
    );
  // A person has reviewed it and decided; or undoes that, and it is up for review as before.
  if (change.classification !== undefined || change.status !== undefined || followRule)
    sets.push(
      undo
        ? `review_reason = (select e.detail ->> 'review' from case_event e where e.tenant_id = $1 and e.case_report_id = $2
            and e.kind in ('classification-changed', 'status-changed') order by e.at desc, e.id desc limit 1)`
        : 'review_reason = null',
    );
  // The part of a case that its own place sees, if others have reported on it too: a person's change is for everyone.
  const within = fields.flatMap((field, index) =>
    toldWithin[field] ? [`'${columns[field]}', cast($${index + 3} as ${toldWithin[field]})`] : [],
  );
  sets.push(
    `told_within = app_within_next(told_within, to_jsonb(now())) || jsonb_build_object(${within.join(', ')})`,
    'version = version + 1',
    'updated_at = now()',
  );
  await tx.run(`update case_report set ${sets.join(', ')} where tenant_id = $1 and id = $2`, [
    tenantId,
    current.id,
    ...fields.map((field) => change[field]),
  ]);
  const [changed] = await tx.rows<{ version: number; at: string }>(
    `select (app_case_shown(report, report.told_within)).version, clock_timestamp()::text as at
     from case_report report where tenant_id = $1 and id = $2`,
    [tenantId, current.id],
  );
  for (const [kind, detail] of eventsOf(current, change, followRule))
    await addEvent(tx, { tenantId, accountId }, current.id, kind, detail, changed!.at);
  return changed!.version;
}

/** Adds an entry to the timeline of a case; `at`: the time of the database, if it is known already. */
export async function addEvent(
  tx: Tx,
  { tenantId, accountId }: Pick<ChangeContext, 'tenantId' | 'accountId'>,
  caseId: string,
  kind: string,
  detail: Record<string, unknown>,
  at?: string,
): Promise<void> {
  const [now] =
    at === undefined ? await tx.rows<{ at: string }>('select clock_timestamp()::text as at') : [{ at }];
  await insertCarried(tx, 'case_event', 'case_report', tenantId, caseId, {
    id: v7(),
    account_id: accountId,
    kind,
    detail: JSON.stringify(detail),
    at: now!.at,
  });
}

/** The timeline entries of a change: one for each important field, and one for everything else. */
function eventsOf(
  current: ChangeableCase,
  change: CaseChange,
  followRule: boolean,
): [kind: string, detail: Record<string, unknown>][] {
  const events: [string, Record<string, unknown>][] = [];
  const { classification, status, investigator, ...others } = change;
  // Why it was up for review, in case the decision is undone.
  const decided = current.reviewReason === null ? {} : { review: current.reviewReason };
  if (classification !== undefined)
    events.push([
      'classification-changed',
      {
        from: current.classification,
        to: classification,
        classifiedBy: current.classifiedBy,
        ...decided,
      },
    ]);
  if (followRule) events.push(['rule-followed', { classifiedBy: current.classifiedBy }]);
  if (investigator !== undefined) events.push(['assigned', { from: current.investigator, to: investigator }]);
  if (status !== undefined) events.push(['status-changed', { from: current.status, to: status, ...decided }]);
  const fields = Object.keys(others) as (keyof typeof others)[];
  if (fields.length > 0)
    events.push([
      'updated',
      {
        fields,
        changes: Object.fromEntries(
          fields.map((field) => [field, { from: current[field], to: others[field] }]),
        ),
      },
    ]);
  return events;
}

/** The parts of a case that a bulk change needs. */
export type LockedCase = ChangeableCase & { caseId: string; version: number; status: CaseStatus };

/**
 * Cases by id, locked against others until the transaction ends, always in the same order so that two never wait for
 * each other.
 */
export async function lockCases(tx: Tx, ids: readonly string[]): Promise<Map<string, LockedCase>> {
  // In a statement of their own: rows joined to a locked row are not read again after another transaction has changed
  // it.
  await tx.rows(
    'select from case_report where tenant_id = $1 and id = any($2::uuid[]) order by id for update',
    [tx.tenantId, ids],
  );
  const rows = await tx.rows<LockedCase>(
    `select c.id, c.case_id as "caseId", c.version, c.condition_code as condition, c.classification, c.status,
      c.investigator_id as investigator, c.onset_on as "onsetOn", c.collected_on as "collectedOn",
      c.reported_on as "reportedOn", c.received_on as "receivedOn", c.created_on as "createdOn", c.outcome, c.pregnant,
      c.hospitalized, c.visit_type as "visitType", c.review_reason as "reviewReason", c.classified_by as "classifiedBy",
      c.explanation ->> 'classification' as "ruleSays", p.birth_date as "birthDate"
    from ${caseTables}
    where report.tenant_id = $1 and report.id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
