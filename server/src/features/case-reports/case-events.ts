import { caseFlow } from '@caseway/contract/case-flow';
import { v7 } from 'uuid';
import { carriedBy } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import { givenRows, json } from '../../platform/db/rows.ts';
import { fromTenantRow, haveTenantRow } from '../../platform/db/tenant-row.ts';
import { AppError } from '../../platform/http/app-error.ts';
import type { Changing } from '../../platform/records/patient-record.ts';
import type { CaseEventWrite } from './case-record.ts';
import type { StoredCase } from './stored-case.ts';

/* The entries in a case's timeline about people's actions. */

const carried = carriedBy('case_event', 'case_report');

/** Adds entries to the timelines of cases, with the time of the database. */
export async function addEvents(
  tx: Tx,
  { tenantId, accountId }: { tenantId: string; accountId: string },
  events: readonly CaseEventWrite[],
): Promise<void> {
  const [now] = await tx.rows<{ at: string }>('select clock_timestamp()::text as at');
  await haveTenantRow(tx, tenantId);
  const added = await tx.run(
    `insert into case_event (tenant_id, id, at, account_id, case_report_id, kind, detail, ${carried.columns})
     select ${fromTenantRow.id}, c.id, $3::timestamptz, $4::uuid, c.case_report_id, c.kind, c.detail, ${carried.values}
     from ${fromTenantRow.table} cross join (select r.*, r."caseId" as case_report_id
       from ${givenRows('$2', { id: 'uuid', caseId: 'uuid', kind: 'text', detail: 'jsonb' })} as r) as c ${carried.join}
     where ${fromTenantRow.is} and p.id is not null`,
    [tenantId, json(events.map((event) => ({ ...event, id: v7() }))), now!.at, accountId],
  );
  if (added === events.length) return;
  // On Citus, a statement that waited while its tenant moved finds nothing once.
  const cause = new Error('a case that decides about an event is not seen');
  throw new AppError('unavailable', { retryAfter: 2, cause });
}

/** The entries for a change: one for each important field, and one for all others. */
export function eventsOf({ stored, changes, undoes, done }: Changing<StoredCase>): CaseEventWrite[] {
  const events: CaseEventWrite[] = [];
  const add = (kind: string, detail: Record<string, unknown>) =>
    events.push({ caseId: stored.id, kind, detail });
  // The person who completed it is the author of the entry.
  const {
    classification,
    status,
    investigator,
    completedBy: _,
    classifiedBy,
    reviewReason: __,
    ...others
  } = changes;
  // Why it was up for review.
  const decided = stored.reviewReason === null ? {} : { review: stored.reviewReason };
  if (classification)
    add('classification-changed', { ...classification, classifiedBy: stored.classifiedBy, ...decided });
  if (classifiedBy?.to === 'rule' && undoes === undefined)
    add('rule-followed', { classifiedBy: stored.classifiedBy });
  if (investigator) add('assigned', { ...investigator });
  // The version of the flow at that time.
  if (status)
    add('status-changed', {
      ...status,
      flow: caseFlow.version,
      ...(done && { transition: done.transition, ...(done.reason !== null && { reason: done.reason }) }),
      ...decided,
    });
  const fields = Object.keys(others);
  if (fields.length > 0) add('updated', { fields, changes: others });
  return events;
}
