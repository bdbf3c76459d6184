import { glassPageSize, type WatchedAccess } from '@caseway/contract/break-glass';
import type { Tx } from '../../platform/db/database.ts';

/** What a privacy officer sees of accesses to hidden records. In the scope of the whole tenant. */

interface Stored extends Omit<WatchedAccess, 'openedAt' | 'expiresAt' | 'endedAt' | 'review' | 'own'> {
  accountId: string;
  openedAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  reviewedAt: Date | null;
  reviewer: string | null;
  note: string | null;
}

const columns = `b.id, b.account_id as "accountId", concat_ws(' ', a.first_name, a.last_name) as who,
  coalesce(a.email, '') as email, b.org_type as "orgType", coalesce(o.name, f.name, t.name) as organization,
  b.case_number as "caseNumber", b.reason_kind as "reasonKind", b.reason, b.opened_at as "openedAt",
  b.expires_at as "expiresAt", b.ended_at as "endedAt",
  case when b.case_report_id is null then 'nothing' when b.ended_by = b.account_id then 'given-up'
    when b.ended_at is not null then 'revoked' when b.expires_at > now() then 'open' else 'expired' end as state,
  (select count(*)::int from audit_event e where e.tenant_id = $1 and e.at between b.opened_at and b.expires_at
     and e.account_id = b.account_id and e.action like 'GET %' and e.detail ->> 'breakGlass' = b.id::text) as reads,
  b.reviewed_at as "reviewedAt", concat_ws(' ', r.first_name, r.last_name) as reviewer, b.review_note as note`;
const tables = `break_glass b
  left join account a on a.id = b.account_id
  left join account r on r.id = b.reviewed_by
  left join tenant t on b.org_type = 'T' and t.id = b.tenant_id
  left join organization o on b.org_type = 'O' and o.tenant_id = b.tenant_id and o.id = b.org_id
  left join facility f on b.org_type = 'F' and f.tenant_id = b.tenant_id and f.id = b.org_id`;

const rowOf = (
  { accountId, reviewedAt, reviewer, note, ...row }: Stored,
  officer: string,
): WatchedAccess => ({
  ...row,
  openedAt: row.openedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  review: reviewedAt && { at: reviewedAt.toISOString(), by: reviewer ?? '', note },
  own: accountId === officer,
});

const wanted = (only: 'unreviewed' | 'all') =>
  `b.tenant_id = $1 ${only === 'unreviewed' ? 'and b.reviewed_at is null' : ''}`;

/** One page, the newest first. */
export async function readAccesses(
  tx: Tx,
  officer: string,
  { only, page }: { only: 'unreviewed' | 'all'; page: number },
): Promise<{ accesses: WatchedAccess[]; rowCount: number }> {
  const rows = await tx.rows<Stored>(
    `select ${columns} from ${tables} where ${wanted(only)} order by b.opened_at desc, b.id limit $2 offset $3`,
    [tx.tenantId, glassPageSize, page * glassPageSize],
  );
  return { accesses: rows.map((row) => rowOf(row, officer)), rowCount: await countAccesses(tx, only) };
}

export async function countAccesses(tx: Tx, only: 'unreviewed' | 'all'): Promise<number> {
  const [count] = await tx.rows<{ n: number }>(
    `select count(*)::int as n from break_glass b where ${wanted(only)}`,
    [tx.tenantId],
  );
  return count!.n;
}

export async function readAccess(tx: Tx, officer: string, id: string): Promise<WatchedAccess | undefined> {
  const [row] = await tx.rows<Stored>(
    `select ${columns} from ${tables} where b.tenant_id = $1 and b.id = $2`,
    [tx.tenantId, id],
  );
  return row && rowOf(row, officer);
}
