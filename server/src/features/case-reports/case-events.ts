import { caseFlow } from '@caseway/contract/case-flow';
import { v7 } from 'uuid';
import { insertCarried } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Changes } from '../../platform/records/record-history.ts';
import type { StoredCase } from './stored-case.ts';

/* What the timeline of a case has of what people do. */

type Event = readonly [kind: string, detail: Record<string, unknown>];

/** Adds entries to the timeline of a case, with the time of the database. */
export async function addEvents(
  tx: Tx,
  { tenantId, accountId }: { tenantId: string; accountId: string },
  caseId: string,
  events: readonly Event[],
): Promise<void> {
  const [now] = await tx.rows<{ at: string }>('select clock_timestamp()::text as at');
  for (const [kind, detail] of events)
    await insertCarried(tx, 'case_event', 'case_report', tenantId, caseId, {
      id: v7(),
      account_id: accountId,
      kind,
      detail: JSON.stringify(detail),
      at: now!.at,
    });
}

/** The entries of a change: one for each important field, and one for everything else. */
export function eventsOf(stored: StoredCase, changes: Changes, isUndo: boolean): Event[] {
  const events: Event[] = [];
  const { classification, status, investigator, classifiedBy, reviewReason: _, ...others } = changes;
  // Why it was up for review.
  const decided = stored.reviewReason === null ? {} : { review: stored.reviewReason };
  if (classification)
    events.push([
      'classification-changed',
      { ...classification, classifiedBy: stored.classifiedBy, ...decided },
    ]);
  if (classifiedBy?.to === 'rule' && !isUndo)
    events.push(['rule-followed', { classifiedBy: stored.classifiedBy }]);
  if (investigator) events.push(['assigned', { ...investigator }]);
  // By which version of the flow, whatever it becomes later.
  if (status) events.push(['status-changed', { ...status, flow: caseFlow.version, ...decided }]);
  const fields = Object.keys(others);
  if (fields.length > 0) events.push(['updated', { fields, changes: others }]);
  return events;
}
