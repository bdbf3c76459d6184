import { randomInt } from 'node:crypto';
import type { NamedAction } from '@caseway/contract/audit-action';
import type { AuditDeed } from '@caseway/contract/audit-deed';
import { v7 } from 'uuid';
import type { Tx } from '../db/database.ts';
import type { AuditEvent, Auditor } from '../http/access.ts';

/** Replaces the tenant of an account that has none. Nobody reads what is written for it. */
const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * Takes a lane of the tenant's chain that no other transaction holds, links the event to the one before it, and writes
 * it with the records it names. Returns no row if every lane is held.
 */
const linked = `
  with free as (
    select lane from audit_chain where tenant_id = $1 order by lane limit 1 for update skip locked
  ), link as (
    update audit_chain c set number = c.number + 1, hash = sha256(c.hash || convert_to(
      app_audit_text($1, $2, now(), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12), 'UTF8'))
    from free where c.tenant_id = $1 and c.lane = free.lane
    returning c.lane, c.number, c.hash
  ), event as (
    insert into audit_event (tenant_id, id, at, account_id, org_type, org_id, action, record_kind, record_ids, detail,
      request_id, address, deed, lane, number, hash)
    select $1, $2, now(), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, lane, number, hash from link
    where $1 <> '${nobody}'
    returning 1
  ), decoy as (
    insert into audit_decoy (tenant_id, id, at, account_id, org_type, org_id, action, record_kind, record_ids, detail,
      request_id, address, deed, lane, number, hash)
    select $1, $2, now(), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, lane, number, hash from link
    where $1 = '${nobody}'
    returning 1
  ), named as (
    insert into audit_record (tenant_id, record_id, event_id, at, org_type, org_id)
    select distinct $1::uuid, record_id, $2::uuid, now(), $4::text, $5::uuid from link, unnest($8::uuid[]) as record_id
    where cardinality($8::uuid[]) <= 200 and $1 <> '${nobody}'
    returning 1
  )
  select lane from link`;

type Written = Omit<AuditEvent, 'requestId' | 'address'> & Origin;

/** Events that this process could not write since its start. The action of each was rolled back with it. [P15] */
export const auditWrites = { failed: 0 };

/** Whether a lane was free and the event is written. */
async function link(tx: Pick<Tx, 'rows'>, event: Written): Promise<boolean> {
  const values = [
    event.tenantId,
    v7(),
    event.accountId,
    event.orgType,
    event.orgId,
    event.action,
    event.recordKind,
    event.recordIds,
    JSON.stringify(event.detail),
    event.requestId ?? null,
    event.address ?? null,
    event.deed,
  ];
  try {
    return (await tx.rows(linked, values)).length > 0;
  } catch (error) {
    auditWrites.failed += 1;
    throw error;
  }
}

/** Adds an event to the log of a tenant, in the given transaction; the order in which they were added can be proved. */
export async function writeEvent(tx: Pick<Tx, 'rows' | 'run'>, event: Written): Promise<void> {
  while (!(await link(tx, event)))
    await tx.run('insert into audit_chain (tenant_id, lane) values ($1, $2) on conflict do nothing', [
      event.tenantId,
      // Random, so that two transactions that need one at the same time do not wait for each other.
      randomInt(2 ** 31 - 1),
    ]);
}

/** Writes the audit log; its rows can be added and never changed. [P15] */
export const auditor: Auditor = { write: writeEvent };

/** The kinds of actions in the audit of accounts, by the first part of their names. */
const accountDeeds = {
  'sign-in': 'sign-in',
  session: 'sign-in',
  account: 'sign-in',
  recovery: 'administration',
} as const satisfies Record<string, AuditDeed>;
type AccountAction = Extract<NamedAction, `${keyof typeof accountDeeds}/${string}`>;

/** Who made the request, as far as it shows. */
export type Origin = Partial<Pick<AuditEvent, 'requestId' | 'address'>>;

/**
 * Writes an event about an account into the log of every tenant it belongs to now, so that each finds it in its own
 * log. An account without a tenant leaves no row, because no tenant could look for it. `alsoIn`: tenants that it is
 * about, whether or not the account still belongs to them. Call it in the scope `identity`.
 */
export async function auditAccount(
  tx: Tx,
  accountId: string,
  action: AccountAction,
  { requestId, address, ...detail }: Origin & Record<string, unknown> = {},
  alsoIn: readonly string[] = [],
): Promise<void> {
  const event = {
    accountId,
    orgType: null,
    orgId: null,
    action,
    deed: accountDeeds[action.split('/', 1)[0] as keyof typeof accountDeeds],
    recordKind: 'account' as const,
    recordIds: [accountId],
    detail,
    requestId,
    address,
  };
  const tenants = await tx.rows<{ tenant_id: string }>(
    `select tenant_id from membership where account_id = $1 and ended_at is null
     union select patient_tenant_id from account where id = $1 and patient_tenant_id is not null
     union select unnest($2::uuid[])`,
    [accountId, alsoIn],
  );
  // The same work even without a tenant, so that an unknown account takes as long. [P12]
  if (tenants.length === 0) await writeEvent(tx, { ...event, tenantId: nobody });
  for (const { tenant_id: tenantId } of tenants) await writeEvent(tx, { ...event, tenantId });
}
