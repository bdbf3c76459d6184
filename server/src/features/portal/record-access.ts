import type { Labelled } from '@caseway/contract/label';
import type { RecordAccess } from '@caseway/contract/portal';
import type { Tx } from '../../platform/db/database.ts';
import type { OwnRecord } from '../../platform/http/access.ts';

const pageSize = 50;

interface Stored {
  id: string;
  at: Date;
  accountId: string | null;
  organization: string | null;
  roles: Labelled[];
  deed: RecordAccess['deed'];
}

/**
 * The events of the audit log that name a patient, or a case or result of theirs, the latest first: when, for which
 * organisation, in which role, and what was done; never which person, which record, or who else was looked at. The log is
 * not the patient's own, so it is read as the service of the tenant.
 */
export async function readRecordAccess(
  tx: Tx,
  { tenantId, patientId }: OwnRecord,
  accountId: string,
  before: string | undefined,
): Promise<{ entries: RecordAccess[]; more: boolean }> {
  const rows = await tx.rows<Stored>(
    `with own as (
       select $2::uuid as id
       union select id from case_report where tenant_id = $1 and patient_id = $2
       union select id from result where tenant_id = $1 and patient_id = $2
     ), named as (
       select event_id from audit_record where tenant_id = $1 and record_id in (select id from own)
       union select id from audit_event where tenant_id = $1 and wide and record_ids && (select array_agg(id) from own)
     )
     select e.id, e.at, e.account_id as "accountId", e.organization, e.deed,
       array(select json_build_object('label', r.label, 'labelI18N', r.label_i18n) from membership m
         join membership_role g on g.tenant_id = m.tenant_id and g.membership_id = m.id
         join role r on r.tenant_id = g.tenant_id and r.id = g.role_id
         where m.tenant_id = e.tenant_id and m.account_id = e.account_id and m.org_id = e.org_id
         order by r.label) as roles
     from audit_list e where e.tenant_id = $1 and e.id in (select event_id from named)
       and ($3::uuid is null or (e.at, e.id) < (select b.at, b.id from audit_event b where b.tenant_id = $1 and b.id = $3))
     order by e.at desc, e.id desc limit $4`,
    [tenantId, patientId, before ?? null, pageSize + 1],
  );
  return {
    entries: rows.slice(0, pageSize).map(({ at, accountId: who, ...event }) => ({
      ...event,
      at: at.toISOString(),
      by: who === accountId ? 'you' : who === null ? 'system' : 'staff',
    })),
    more: rows.length > pageSize,
  };
}
