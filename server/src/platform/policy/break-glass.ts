import type { GlassAccess } from '@caseway/contract/break-glass';
import type { Tx } from '../db/database.ts';

interface Stored extends Omit<GlassAccess, 'expiresAt'> {
  expiresAt: Date;
}

/**
 * A person's valid accesses to hidden records in their organisation, newest first; with `caseReportId` only those to
 * one record. In their own scope.
 */
export async function accessesOf(
  tx: Tx,
  { accountId, orgId }: { accountId: string; orgId: string },
  caseReportId: string | null = null,
): Promise<GlassAccess[]> {
  const rows = await tx.rows<Stored>(
    `select id, case_report_id as "caseReportId", case_number as "caseNumber", reason_kind as "reasonKind", reason,
       expires_at as "expiresAt"
     from break_glass where tenant_id = $1 and account_id = $2 and org_id = $3
       and case_report_id is not null and ($4::uuid is null or case_report_id = $4)
       and ended_at is null and expires_at > now() order by opened_at desc, id`,
    [tx.tenantId, accountId, orgId, caseReportId],
  );
  return rows.map((row) => ({ ...row, expiresAt: row.expiresAt.toISOString() }));
}
