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
 * - `edited`: the event is not what was written.
 * - `missing`: the event that stood there is gone; `number` is its place.
 * - `foreign`: it was never written by the product.
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
  heads: ChainHead[];
  /** In the order of lanes and places, at most 1,000. */
  faults: ChainFault[];
  /** Stands for all that is in the log: the hash of all heads. */
  digest: string;
}

/** The longest list of faults: of a table that somebody emptied, a thousand say enough. */
const faultLimit = 1000;

/**
 * Goes through the whole log of a tenant as the scope `service`, and finds every event that was edited, taken out or put
 * in by another hand, up to the last one. What cannot be found: that everything from an event on was taken out and the
 * chain's own last place put back to it; for that the heads of an earlier day are compared with `lostHeads`.
 */
export async function verifyChain(database: Database, tenantId: string): Promise<ChainReport> {
  return database.withScope(
    { kind: 'service', tenantId },
    async (tx) => {
      // One state of log and chain, whatever is written meanwhile.
      await tx.run('set transaction isolation level repeatable read');
      const heads = await tx.rows<ChainHead>(
        `select lane, number, encode(hash, 'hex') as hash from audit_chain where tenant_id = $1 order by lane`,
        [tenantId],
      );
      const [{ events }] = (await tx.rows('select count(*) as events from audit_event where tenant_id = $1', [
        tenantId,
      ])) as [{ events: number }];
      const faults = await tx.rows<ChainFault>(
        `with linked as (
           select e.*, lag(hash) over lane as hash_before, coalesce(lag(number) over lane, 0) as number_before
           from audit_event e where tenant_id = $1 window lane as (partition by lane order by number)
         ), ends as (
           select lane, max(number) as number from audit_event where tenant_id = $1 and lane is not null group by lane
         ), fault as (
           select case when l.lane is null or l.number is null or c.lane is null or l.number > c.number then 'foreign'
               when l.number <> l.number_before + 1 then 'missing' else 'edited' end as kind,
             l.lane, case when l.number <> l.number_before + 1 then l.number_before + 1 else l.number end as number,
             case when l.number = l.number_before + 1 or l.lane is null then l.id end as id, l.at
           from linked l left join audit_chain c on c.tenant_id = $1 and c.lane = l.lane
           where l.lane is null or l.number is null or c.lane is null or l.number > c.number
             or l.number <> l.number_before + 1
             or l.hash <> sha256(coalesce(l.hash_before, '') || convert_to(app_audit_text(l.tenant_id, l.id, l.at,
               l.account_id, l.org_type, l.org_id, l.action, l.record_kind, l.record_ids, l.detail, l.request_id,
               l.address), 'UTF8'))
           union all
           select 'missing', c.lane, coalesce(e.number, 0) + 1, null, null
           from audit_chain c left join ends e on e.lane = c.lane
           where c.tenant_id = $1 and c.number > coalesce(e.number, 0)
           union all
           select 'edited', c.lane, c.number, e.id, e.at
           from audit_chain c join audit_event e on e.tenant_id = $1 and e.lane = c.lane and e.number = c.number
           where c.tenant_id = $1 and c.hash <> e.hash
         )
         select distinct kind, lane, number, id as "eventId", at from fault order by lane, number, kind limit ${faultLimit}`,
        [tenantId],
      );
      const digest = createHash('sha256').update(JSON.stringify(heads)).digest('hex');
      return { events, heads, faults, digest };
    },
    { readOnly: true },
  );
}

/** Which of the heads that were noted earlier are in the log no more as they were. */
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
           and e.number = n.number and encode(e.hash, 'hex') = n.hash)`,
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
