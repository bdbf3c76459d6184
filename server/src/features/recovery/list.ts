import { type Recovery, type RecoveryState, recoveryPageSize } from '@caseway/contract/recovery';
import type { Tx } from '../../platform/db/database.ts';
import type { Call } from '../../platform/http/serve.ts';
import { administeredTenant } from '../../platform/policy/authority.ts';
import { type Held, heldBy, isApproved, neededFor, policiesOf, refusalFor } from './rights.ts';

/** Recoveries as people who administer the accounts see them. All in the scope `identity`. */

/** The organisation whose users a person administers. */
export interface Acting {
  accountId: string;
  tenantId: string;
  orgType: Held['orgType'];
  orgId: string;
}

export const actingOf = (call: Call): Acting => ({
  accountId: call.account.accountId,
  tenantId: administeredTenant(call),
  orgType: call.org.orgType,
  orgId: call.org.id,
});
interface Row {
  id: string;
  account_id: string;
  who: string;
  email: string;
  phone: string | null;
  contact_changed_at: Date | null;
  new_email: string;
  reason: string;
  created_at: Date;
  state: RecoveryState;
  expires_at: Date;
  usable_at: Date | null;
  ended_at: Date | null;
  note: string | null;
  taken: boolean;
}
interface Approval {
  recovery_id: string;
  account_id: string;
  tenant_id: string;
  org_type: Held['orgType'];
  org_id: string;
  by: string;
  verified_by: Recovery['approvals'][number]['verifiedBy'];
  verification: string;
  at: Date;
}

const paramsOf = ({ tenantId, orgType, orgId }: Acting) => [tenantId, orgType, orgId];

/** SQL: the account of recovery `r` belongs to an organisation whose users `$1` to `$3` administers. */
const administered = `r.account_id is not null and exists (
  select from membership m left join facility f on m.org_type = 'F' and f.tenant_id = m.tenant_id and f.id = m.org_id
  where m.account_id = r.account_id and m.tenant_id = $1 and m.ended_at is null
    and ($2 = 'T' or m.org_type = $2 and m.org_id = $3 or $2 = 'O' and m.org_type = 'F' and f.organization_id = $3))`;

const state = `case when r.state in ('open', 'approved') and r.expires_at <= now() then 'expired' else r.state end`;

/**
 * Only the person who receives mail at an address learns that it belongs to someone in another tenant: the code then
 * completes nothing. [P12]
 */
const columns = `r.id, r.account_id, concat_ws(' ', a.first_name, a.middle_name, a.last_name) as who, a.email, a.phone,
  (select max(c.completed_at) from contact_change c where c.account_id = a.id) as contact_changed_at,
  r.email as new_email, r.reason, r.created_at, ${state} as state, r.expires_at, r.usable_at,
  case when r.state in ('open', 'approved') then null else r.ended_at end as ended_at,
  case when r.ended_in = $1 then r.note end as note,
  exists (select from account o join membership m on m.account_id = o.id and m.tenant_id = $1
    where o.id <> a.id and o.patient_id is null
      and (o.username = lower(r.email) or lower(o.email) = lower(r.email))) as taken`;

const approvalsOf = (tx: Tx, recoveryIds: readonly string[]): Promise<Approval[]> =>
  tx.rows<Approval>(
    `select p.recovery_id, p.account_id, p.tenant_id, p.org_type, p.org_id, p.verified_by, p.verification, p.at,
       concat_ws(' ', a.first_name, a.last_name) as by
     from recovery_approval p join account a on a.id = p.account_id
     where p.recovery_id = any ($1::uuid[]) order by p.at, p.account_id`,
    [recoveryIds],
  );

/** The membership that a person acted with, in its current state; undefined if it has ended. */
const actedBy = (held: readonly Held[], acting: Acting): Held | undefined =>
  held.find(
    (one) =>
      one.accountId === acting.accountId &&
      one.tenantId === acting.tenantId &&
      one.orgType === acting.orgType &&
      one.orgId === acting.orgId,
  );

/** Whether the approvals are enough, given the current rights of the account and of the approvers. */
export async function isEnough(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
): Promise<boolean> {
  const approvals = await approvalsOf(tx, [id]);
  const held = await heldBy(tx, { accountIds: [accountId, ...approvals.map((one) => one.account_id)] });
  const policies = await policiesOf(
    tx,
    held.map(({ tenantId }) => tenantId),
  );
  const approvers = approvals.flatMap(
    ({ account_id, tenant_id, org_type, org_id }) =>
      actedBy(held, { accountId: account_id, tenantId: tenant_id, orgType: org_type, orgId: org_id }) ?? [],
  );
  const account = { id: accountId, holds: held.filter((one) => one.accountId === accountId) };
  return isApproved(policies, account, approvers);
}

async function answersOf(tx: Tx, acting: Acting, rows: readonly Row[]): Promise<Recovery[]> {
  const approvals = await approvalsOf(
    tx,
    rows.map(({ id }) => id),
  );
  const held = await heldBy(tx, { accountIds: [acting.accountId, ...rows.map((row) => row.account_id)] });
  const policies = await policiesOf(tx, [acting.tenantId, ...held.map(({ tenantId }) => tenantId)]);
  const own = actedBy(held, acting);
  return rows.map((row) => {
    const account = { id: row.account_id, holds: held.filter((one) => one.accountId === row.account_id) };
    const ofThis = approvals.filter(({ recovery_id }) => recovery_id === row.id);
    const barred = own ? refusalFor(policies, own, account) : 'elsewhere';
    const isSecondTime = ofThis.some(({ account_id }) => account_id === acting.accountId);
    return {
      id: row.id,
      accountId: row.account_id,
      who: row.who,
      email: row.email,
      phone: row.phone,
      contactChangedAt: row.contact_changed_at?.toISOString() ?? null,
      newEmail: row.new_email,
      reason: row.reason,
      askedAt: row.created_at.toISOString(),
      state: row.state,
      expiresAt: row.expires_at.toISOString(),
      usableAt: row.usable_at?.toISOString() ?? null,
      endedAt: row.ended_at?.toISOString() ?? null,
      note: row.note,
      approvals: ofThis.map((approval) => {
        const isOurs = approval.tenant_id === acting.tenantId;
        return {
          by: isOurs ? approval.by : null,
          at: approval.at.toISOString(),
          verifiedBy: isOurs ? approval.verified_by : null,
          verification: isOurs ? approval.verification : null,
        };
      }),
      needed: neededFor(policies, account.holds),
      refusal: barred ?? (isSecondTime ? 'approved-already' : row.taken ? 'address-taken' : null),
    };
  });
}

const wanted = (only: 'waiting' | 'all') =>
  `${administered} ${only === 'waiting' ? `and ${state} in ('open', 'approved')` : ''}`;

/** One page, the newest first. */
export async function readRecoveries(
  tx: Tx,
  acting: Acting,
  { only, page }: { only: 'waiting' | 'all'; page: number },
): Promise<{ recoveries: Recovery[]; rowCount: number }> {
  const rows = await tx.rows<Row>(
    `select ${columns} from account_recovery r join account a on a.id = r.account_id where ${wanted(only)}
     order by r.created_at desc, r.id limit $4 offset $5`,
    [...paramsOf(acting), recoveryPageSize, page * recoveryPageSize],
  );
  return { recoveries: await answersOf(tx, acting, rows), rowCount: await countRecoveries(tx, acting, only) };
}

export async function countRecoveries(tx: Tx, acting: Acting, only: 'waiting' | 'all'): Promise<number> {
  const [count] = await tx.rows<{ n: number }>(
    `select count(*)::int as n from account_recovery r where ${wanted(only)}`,
    paramsOf(acting),
  );
  return count!.n;
}

/** One of them, or undefined. With `lock`, anyone else who decides it waits until the transaction has ended. */
export async function readRecovery(
  tx: Tx,
  acting: Acting,
  id: string,
  lock = false,
): Promise<Recovery | undefined> {
  const rows = await tx.rows<Row>(
    `select ${columns} from account_recovery r join account a on a.id = r.account_id
     where ${administered} and r.id = $4 ${lock ? 'for update of r' : ''}`,
    [...paramsOf(acting), id],
  );
  return (await answersOf(tx, acting, rows))[0];
}
