import { randomInt } from 'node:crypto';
import type { NamedAction } from '@caseway/contract/audit-action';
import type { AuditDeed } from '@caseway/contract/audit-deed';
import { v7 } from 'uuid';
import type { Tx } from '../db/database.ts';
import type { AuditEvent, Auditor } from '../http/access.ts';

/** Stands in for the tenant of an account without one. Nobody reads its events. */
export const nobodysTenant = '00000000-0000-0000-0000-000000000000';

const sealed = (at: string) => `number = c.number + 1, hash = sha256(c.hash || convert_to(
    app_audit_text($1, $2, ${at}, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12), 'UTF8'))`;

/** Takes a lane of the tenant's chain that no other transaction holds, and links the event to the previous one. */
const linkedAt = (at: string) => `update audit_chain c set ${sealed(at)}
  where c.tenant_id = $1
    and c.lane = (select lane from audit_chain where tenant_id = $1 order by lane limit 1 for update skip locked)
  returning c.lane, c.number, c.hash`;
const linked = linkedAt('now()');

const eventColumns = `id, at, account_id, org_type, org_id, action, record_kind, record_ids, detail, request_id,
  address, deed, lane, number, hash`;
const eventValues = '$1, $2, now(), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12';

const written = `insert into audit_event (tenant_id, ${eventColumns}) values (${eventValues}, $13, $14, $15)`;

/** In events with more records, a search tests them one by one. */
const namedAtMost = 200;

const named = (
  count: number,
) => `insert into audit_record (tenant_id, record_id, event_id, at, org_type, org_id)
  values ${Array.from({ length: count }, (_, index) => `($1, $${index + 5}, $2, now(), $3, $4)`).join(', ')}`;

/**
 * The same statements for an account without a tenant, whose event nobody reads. [P12] Each takes the tenant from
 * its row of the chain, so that only that tenant's server is asked. `$13` is the time, because servers' clocks
 * differ.
 */
const alike = (() => {
  const values = `$2::uuid, $13::timestamptz, $3::uuid, $4::text, $5::uuid, $6::text, $7::text, $8::uuid[], $9::jsonb, $10::text,
    $11::text, $12::text, c.lane, c.number, c.hash`;
  const from = (is: string) =>
    `from audit_chain c where c.tenant_id = $1 and c.lane = $14 and c.tenant_id ${is} '${nobodysTenant}' returning 1`;
  const into = (table: string, is: string) =>
    `insert into ${table} (tenant_id, ${eventColumns}) select c.tenant_id, ${values} ${from(is)}`;
  return {
    link: linkedAt('$13::timestamptz'),
    event: into('audit_event', '<>'),
    decoy: into('audit_decoy', '='),
    record: `insert into audit_record (tenant_id, record_id, event_id, at, org_type, org_id)
      select c.tenant_id, $3::uuid, $2::uuid, $4::timestamptz, null, null from audit_chain c
      where c.tenant_id = $1 and c.lane = $5 and c.tenant_id <> '${nobodysTenant}' returning 1`,
  };
})();

type Written = Omit<AuditEvent, 'requestId' | 'address'> & Origin;

/** Events that this process could not write since its start. The action of each was rolled back with it. [P15] */
export const auditWrites = { failed: 0 };

type Writes = Pick<Tx, 'run' | 'prepared'>;

const valuesOf = (id: string, event: Written): unknown[] => [
  event.tenantId,
  id,
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

/** Returns whether a lane was free and the event, with the records it names, is written. */
async function link(tx: Writes, event: Written): Promise<boolean> {
  const { tenantId, orgType, orgId, recordIds } = event;
  const id = v7();
  const values = valuesOf(id, event);
  const [lane] = await tx.prepared<{ lane: number; number: number; hash: Buffer }>(
    'audit lane',
    linked,
    values,
  );
  if (!lane) return false;
  await tx.prepared('write audit event', written, [...values, lane.lane, lane.number, lane.hash]);
  const records = recordIds.length > namedAtMost ? [] : [...new Set(recordIds)];
  if (records.length > 0)
    await tx.prepared(`audit ${records.length} records`, named(records.length), [
      tenantId,
      id,
      orgType,
      orgId,
      ...records,
    ]);
  return true;
}

/** The same for an event of an account. It names only that account. */
const linkAlike =
  (at: string) =>
  async (tx: Writes, event: Written): Promise<boolean> => {
    const id = v7();
    const values = [...valuesOf(id, event), at];
    const [lane] = await tx.prepared<{ lane: number }>('link event of account', alike.link, values);
    if (!lane) return false;
    await tx.prepared('write event of account', alike.event, [...values, lane.lane]);
    await tx.prepared('write event of nobody', alike.decoy, [...values, lane.lane]);
    await tx.prepared('name account of event', alike.record, [
      event.tenantId,
      id,
      event.recordIds[0],
      at,
      lane.lane,
    ]);
    return true;
  };

async function write(
  tx: Writes,
  event: Written,
  by: (tx: Writes, event: Written) => Promise<boolean>,
): Promise<void> {
  try {
    while (!(await by(tx, event)))
      await tx.run('insert into audit_chain (tenant_id, lane) values ($1, $2) on conflict do nothing', [
        event.tenantId,
        // Random, so that two transactions that need a lane at the same time do not wait for each other.
        randomInt(2 ** 31 - 1),
      ]);
  } catch (error) {
    auditWrites.failed += 1;
    throw error;
  }
}

/** Adds an event to a tenant's log in the given transaction. The order of events can be proved. */
export const writeEvent = (tx: Writes, event: Written): Promise<void> => write(tx, event, link);

/** Writes the audit log. Rows can be added but never changed. [P15] */
export const auditor: Auditor = { write: writeEvent };

/** The kinds of actions in the audit of accounts, by the first part of their names. */
const accountDeeds = {
  'sign-in': 'sign-in',
  session: 'sign-in',
  account: 'sign-in',
  recovery: 'administration',
} as const satisfies Record<string, AuditDeed>;
type AccountAction = Extract<NamedAction, `${keyof typeof accountDeeds}/${string}`>;

/** What is known about who made the request. */
export type Origin = Partial<Pick<AuditEvent, 'requestId' | 'address'>>;

/**
 * Writes an event about an account into the log of every tenant it belongs to now. An account without a tenant
 * leaves no row, because no tenant could find it. `alsoIn`: tenants that the event is about, even if the account no
 * longer belongs to them. `at`: when it happened, if that is not now. Call it in the scope `identity`.
 */
export async function auditAccount(
  tx: Tx,
  accountId: string,
  action: AccountAction,
  { requestId, address, ...detail }: Origin & Record<string, unknown> = {},
  { alsoIn = [], at: was }: { alsoIn?: readonly string[]; at?: string } = {},
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
  const [known] = await tx.rows<{ at: string; tenants: string[] }>(
    `select coalesce($3::timestamptz, now())::text as at, array(
       select tenant_id::text from membership where account_id = $1 and ended_at is null
       union select patient_tenant_id::text from account where id = $1 and patient_tenant_id is not null
       union select unnest($2::text[])) as tenants`,
    [accountId, alsoIn, was ?? null],
  );
  const { at, tenants } = known!;
  // An account without a tenant gets the same work, so that an unknown account takes as long. [P12]
  const tenantIds = tenants.length === 0 ? [nobodysTenant] : tenants;
  for (const tenantId of tenantIds) await write(tx, { ...event, tenantId }, linkAlike(at));
}
