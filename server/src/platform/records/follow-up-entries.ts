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

/* What was found on the days of a follow-up. Those who add it are staff, or the person themselves in the portal. */

export type StoredEntry = Omit<FollowUpEntry, 'addedAt'> & {
  addedAt: Date;
  accountId: string;
  /** The person who has answered it. */
  answeredBy: string | null;
};

/** As many as the scope sees, the newest first. `person`: whose record it is. */
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

/** Keeps beside a record what its entries say, so that lists find who is due. */
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
  /** The person who answers it; absent where staff note it. */
  answeredBy?: string;
};

/** Whether what is sent is what is there: a request that is sent again adds nothing. */
export function isSameEntry(
  { id: _, addedAt: __, by: ___, former: ____, answeredBy: _____, ...there }: StoredEntry,
  { answeredBy: ______, ...sent }: Found,
): boolean {
  return same(there, sent);
}

/**
 * Adds an entry to the follow-up of a record that the scope sees. Symptoms and a fever are told to its investigator,
 * but not those that the same person has noted before on that day. `entries`: those of the record until now.
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
  // A default of the column would be asked on another server than its row.
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

/** Whether there is a sign of illness that was not there before. */
const isWorse = (found: Signs, before: readonly Signs[]): boolean =>
  found.symptoms.some((symptom) => !before.some(({ symptoms }) => symptoms.includes(symptom))) ||
  (hasFever(found) && !before.some(hasFever));

/** An actor is somebody whom staff know; whom a notification is about, they see on the record. */
const actorOf = (outcome: FollowUpFinding, accountId: string) => (outcome === 'answered' ? null : accountId);
