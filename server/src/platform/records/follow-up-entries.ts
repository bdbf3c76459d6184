import {
  type FollowUpEntry,
  type FollowUpFinding,
  type FollowUpFound,
  followUpKept,
  isIll,
} from '@caseway/contract/follow-up';
import { type Deciding, insertCarried } from '../carried/carried.ts';
import type { Tx } from '../db/database.ts';
import { tell } from '../inbox/tell.ts';
import { same } from './record-history.ts';

/* Daily findings of a follow-up, entered by staff or, in the portal, by the person themselves. */

export type StoredEntry = Omit<FollowUpEntry, 'addedAt'> & {
  addedAt: Date;
  accountId: string;
  /** The person who answered. */
  answeredBy: string | null;
};

/** All entries that the scope sees, the newest first. `person`: the person whose record it is. */
export async function readEntries(tx: Tx, id: string, person: unknown): Promise<StoredEntry[]> {
  const rows = await tx.rows<Omit<StoredEntry, 'former'>>(
    `select e.id, e.day, e.outcome, e.symptoms, cast(e.temperature as double precision) as temperature,
       e.temperature_unit as "temperatureUnit", e.note, e.added_at as "addedAt", e.account_id as "accountId",
       e.answered_by as "answeredBy",
       case when e.outcome <> 'answered' then nullif(concat_ws(' ', a.first_name, a.last_name), '') end as by
     from follow_up_entry e left join account a on a.id = e.account_id
     where e.tenant_id = $1 and e.record_id = $2 order by e.added_at desc, e.id desc`,
    [tx.tenantId, id],
  );
  return rows.map((row) => ({ ...row, former: row.outcome === 'answered' && row.answeredBy !== person }));
}

/** Stores a summary of the entries with the record, so that lists find who is due. */
export async function keepFollowUp(tx: Tx, table: string, id: string, entries: readonly StoredEntry[]) {
  const kept = followUpKept(entries);
  await tx.run(
    `update ${table} set last_entry_on = $3, last_outcome = $4, last_seen_on = $5 where tenant_id = $1 and id = $2`,
    [tx.tenantId, id, kept.lastEntryOn, kept.lastOutcome, kept.lastSeenOn],
  );
  return kept;
}

type Found = Omit<FollowUpFound, 'outcome'> & {
  outcome: FollowUpFinding;
  accountId: string;
  /** The person who answers; absent if staff enter it. */
  answeredBy?: string;
};

/** Whether a sent entry equals the stored one, so that a repeated request adds nothing. */
export function isSameEntry(
  { id: _, addedAt: __, by: ___, former: ____, answeredBy: _____, ...there }: StoredEntry,
  { answeredBy: ______, ...sent }: Found,
): boolean {
  return same(there, sent);
}

/**
 * Adds an entry to the follow-up of a record that the scope sees. Its investigator is notified of symptoms and
 * fever, except those that the same person already reported that day. `entries`: the record's entries so far.
 */
export async function addEntry(
  tx: Tx,
  {
    kind,
    table,
    id,
    investigator,
  }: { kind: string; table: Deciding; id: string; investigator: string | null },
  { accountId, answeredBy = undefined, ...found }: Found & { id: string },
  entries: readonly StoredEntry[],
): Promise<void> {
  const before = entries.filter((entry) => entry.day === found.day && entry.accountId === accountId);
  // A column default would be evaluated on another server than its row.
  const [clock] = await tx.rows<{ now: string }>('select clock_timestamp()::text as now');
  await insertCarried(tx, 'follow_up_entry', table, tx.tenantId, id, {
    record_kind: kind,
    id: found.id,
    day: found.day,
    outcome: found.outcome,
    symptoms: found.symptoms,
    temperature: found.temperature,
    temperature_unit: found.temperatureUnit,
    note: found.note,
    added_at: clock!.now,
    account_id: accountId,
    answered_by: answeredBy ?? null,
  });
  if (investigator !== null && isWorse(found, before))
    await tell(tx, { tenantId: tx.tenantId, recordKind: kind, actorId: actorOf(found.outcome, accountId) }, [
      { kind: 'symptoms-noted', recordId: id, to: investigator },
    ]);
}

type Signs = Parameters<typeof isIll>[0];
const hasFever = (signs: Signs) => isIll({ ...signs, symptoms: [] });

/** Whether there is a new sign of illness. */
const isWorse = (found: Signs, before: readonly Signs[]): boolean =>
  found.symptoms.some((symptom) => !before.some(({ symptoms }) => symptoms.includes(symptom))) ||
  (hasFever(found) && !before.some(hasFever));

/** An actor is an account that staff know. The person whom a notification is about is shown on the record. */
const actorOf = (outcome: FollowUpFinding, accountId: string) => (outcome === 'answered' ? null : accountId);
