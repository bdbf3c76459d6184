import { v7 } from 'uuid';
import type { Tx } from '../db/database.ts';
import type { AuditEvent, Auditor } from '../http/access.ts';

/** Writes the audit log; its rows can be added and never changed. [P15] */
export const auditor: Auditor = {
  async write(tx, event) {
    await tx
      .insertInto('audit_event')
      .values({
        tenant_id: event.tenantId,
        id: v7(),
        account_id: event.accountId,
        org_type: event.orgType,
        org_id: event.orgId,
        action: event.action,
        record_kind: event.recordKind,
        record_ids: event.recordIds,
        detail: JSON.stringify(event.detail),
        request_id: event.requestId,
        address: event.address,
      })
      .execute();
  },
};

/** Who asked, as far as a request says it. */
export type Origin = Partial<Pick<AuditEvent, 'requestId' | 'address'>>;

/**
 * Writes what happened to an account into the log of every tenant it belongs to, so that each finds it in its own. An
 * account without a tenant, whom no tenant could ask about, leaves no row. To be called in the scope `identity`.
 */
export async function auditAccount(
  tx: Tx,
  accountId: string,
  action: string,
  { requestId, address, ...detail }: Origin & Record<string, unknown> = {},
): Promise<void> {
  const tenants = await tx.rows<{ tenant_id: string }>(
    `select tenant_id from membership where account_id = $1
     union select patient_tenant_id from account where id = $1 and patient_tenant_id is not null`,
    [accountId],
  );
  // Also for none, so that it takes as long for an account that does not exist. [P12]
  await tx.run(
    `insert into audit_event (tenant_id, id, account_id, action, record_kind, record_ids, detail, request_id, address)
     select own.tenant_id, own.id, $3, $4, 'account', array[$3::uuid], $5, $6, $7
     from unnest($1::uuid[], $2::uuid[]) as own (tenant_id, id)`,
    [
      tenants.map(({ tenant_id }) => tenant_id),
      tenants.map(() => v7()),
      accountId,
      action,
      JSON.stringify(detail),
      requestId ?? null,
      address ?? null,
    ],
  );
}
