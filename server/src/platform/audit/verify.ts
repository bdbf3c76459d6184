import { createHash } from 'node:crypto';
import type { Database } from '../db/database.ts';

/** The last event of a lane of a tenant's chain. */
export interface ChainHead {
  lane: number;
  number: number;
  /** In hexadecimal. */
  hash: string;
}

/**
 * - `edited`: the event was changed after it was written.
 * - `missing`: the event at place `number` is gone.
 * - `foreign`: the product never wrote it.
 */
export interface ChainFault {
  kind: 'edited' | 'missing' | 'foreign';
  lane: number | null;
  number: number | null;
  eventId: string | null;
  at: Date | null;
}

export interface ChainReport {
  events: number;
  /** The number of events in archive files. Their places are verified here, their contents only with the file. */
  archived: number;
  heads: ChainHead[];
  /** In the order of lanes and places, at most 1,000. */
  faults: ChainFault[];
  /** A fingerprint of the whole log: the hash of all heads. */
  digest: string;
}

/** At most this many faults are listed. More say nothing about a table that someone emptied. */
const faultLimit = 1000;

/**
 * Checks the whole log of a tenant in the scope `service`, and finds every event that someone else edited, removed
 * or inserted, up to the last one. It cannot detect that everything after an event was removed and the chain's end
 * reset to it; `lostHeads` does, by comparing the heads of an earlier day.
 */
export async function verifyChain(database: Database, tenantId: string): Promise<ChainReport> {
  return database.withScope(
    { kind: 'service', tenantId },
    async (tx) => {
      const heads = await tx.rows<ChainHead>(
        `select lane, number, encode(hash, 'hex') as hash from audit_chain where tenant_id = $1 order by lane`,
        [tenantId],
      );
      const [{ events, archived }] = (await tx.rows(
        `select (select count(*) from audit_event where tenant_id = $1) as events,
           (select coalesce(sum(last - first + 1), 0)::bigint from audit_archive where tenant_id = $1) as archived`,
        [tenantId],
      )) as [{ events: number; archived: number }];
      const faults = await tx.rows<ChainFault>(
        `with link as (
           select e.lane, e.number as first, e.number as last, e.hash, e.id, e.at, app_audit_text(e.tenant_id, e.id, e.at,
               e.account_id, e.org_type, e.org_id, e.action, e.record_kind, e.record_ids, e.detail, e.request_id, e.address,
               e.deed) as event, null::bytea as archived_before
           from audit_event e where tenant_id = $1
           union all
           select a.lane, a.first, a.last, a.hash, null, null, null, a.hash_before from audit_archive a where tenant_id = $1
         ), linked as (
           select l.*, lag(hash) over lane as hash_before, coalesce(lag(last) over lane, 0) as number_before
           from link l window lane as (partition by lane order by first, last)
         ), ends as (
           select lane, max(last) as number from link where lane is not null group by lane
         ), fault as (
           select case when l.lane is null or l.first is null or c.lane is null or l.last > c.number
                 or l.first <= l.number_before then 'foreign'
               when l.first <> l.number_before + 1 then 'missing' else 'edited' end as kind,
             l.lane, case when l.first > l.number_before + 1 then l.number_before + 1 else l.first end as number,
             case when l.first <= l.number_before + 1 or l.lane is null then l.id end as id, l.at
           from linked l left join audit_chain c on c.tenant_id = $1 and c.lane = l.lane
           where l.lane is null or l.first is null or c.lane is null or l.last > c.number
             or l.first <> l.number_before + 1
             or case when l.id is null then l.archived_before <> coalesce(l.hash_before, '')
               else l.hash <> sha256(coalesce(l.hash_before, '') || convert_to(l.event, 'UTF8')) end
           union all
           select 'missing', c.lane, coalesce(e.number, 0) + 1, null, null
           from audit_chain c left join ends e on e.lane = c.lane
           where c.tenant_id = $1 and c.number > coalesce(e.number, 0)
           union all
           select 'edited', c.lane, c.number, l.id, l.at
           from audit_chain c join link l on l.lane = c.lane and l.last = c.number
           where c.tenant_id = $1 and c.hash <> l.hash
         )
         select distinct kind, lane, number, id as "eventId", at from fault order by lane, number, kind limit ${faultLimit}`,
        [tenantId],
      );
      const digest = createHash('sha256').update(JSON.stringify(heads)).digest('hex');
      return { events, archived, heads, faults, digest };
    },
    // Reads log and chain from one snapshot, while others write.
    { readOnly: true, snapshot: true },
  );
}

/**
 * Earlier heads that the log no longer contains unchanged. The contents of archive files are trusted; see
 * `verifyArchive`.
 */
export async function lostHeads(
  database: Database,
  tenantId: string,
  noted: readonly ChainHead[],
): Promise<ChainHead[]> {
  const rows = await database.withScope(
    { kind: 'service', tenantId },
    (tx) =>
      tx.rows<{ place: number }>(
        `select n.place::int from unnest($2::int[], $3::bigint[], $4::text[]) with ordinality as n (lane, number, hash, place)
         where n.number = 0 or exists (select from audit_event e where e.tenant_id = $1 and e.lane = n.lane
           and e.number = n.number and encode(e.hash, 'hex') = n.hash)
           or exists (select from audit_archive a where a.tenant_id = $1 and a.lane = n.lane
             and (n.number between a.first and a.last - 1
               or n.number = a.last and encode(a.hash, 'hex') = n.hash))`,
        [
          tenantId,
          noted.map(({ lane }) => lane),
          noted.map(({ number }) => number),
          noted.map(({ hash }) => hash),
        ],
      ),
    { readOnly: true },
  );
  const found = new Set(rows.map(({ place }) => place - 1));
  return noted.filter((_, index) => !found.has(index));
}
