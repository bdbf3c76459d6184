import type { Labelled } from '@caseway/contract/label';
import type { RecordAccess } from '@caseway/contract/portal';
import { auditList } from '../../platform/audit/audit-list.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { OwnRecord } from '../../platform/http/access.ts';
import { heldRules } from './held-results.ts';

const pageSize = 50;

interface Stored {
  id: string;
  at: Date;
  accountId: string | null;
  organization: string | null;
  atOrganization: boolean;
  roles: Labelled[];
  deed: RecordAccess['deed'];
}

/**
 * The events of the audit log that name a patient, or a case or result of theirs, the latest first: when, for which
 * organisation, in which role, and what was done; never the person, the record, or which other patients were viewed.
 * Events that name a withheld result, or a case that rests on one, are left out until it is released: work on a
 * record without a visible result would reveal that there is one. The log does not belong to the patient, so it is
 * read as the service of the tenant.
 */
export async function readRecordAccess(
  tx: Tx,
  { tenantId, patientId }: OwnRecord,
  accountId: string,
  before: string | undefined,
): Promise<{ entries: RecordAccess[]; more: boolean; since: string | null }> {
  const rows = await tx.rows<Stored>(
    `with outcome as (
       select id, released_at is null and app_held($5, disease_family, condition_code, result_category) as held,
         superseded_by is null and status <> 'withdrawn' as counts
       from result where tenant_id = $1 and patient_id = $2
     ), report as (
       select c.id, coalesce(
           (select bool_or(o.held) from case_result r join outcome o on o.id = r.result_id and o.counts
            where r.tenant_id = $1 and r.case_report_id = c.id),
           -- Of one without a result it is not known what it rests on.
           app_held($5, c.disease_family, c.condition_code, 'positive')) as held
       from case_report c where c.tenant_id = $1 and c.patient_id = $2
     ), own as (
       select $2::uuid as id, false as held union all select id, held from outcome union all select * from report
     ), named as (
       select a.event_id, o.held from audit_record a join own o on o.id = a.record_id where a.tenant_id = $1
       union all
       select e.id, o.held from audit_event e join own o on o.id = any (e.record_ids) where e.tenant_id = $1 and e.wide
     ), shown as (select event_id from named group by event_id having not bool_or(held))
     select e.id, e.at, e.account_id as "accountId", e.organization, e.org_id is not null as "atOrganization", e.deed,
       array(select json_build_object('label', r.label, 'labelI18N', r.label_i18n) from membership m
         join membership_role g on g.tenant_id = m.tenant_id and g.membership_id = m.id
         join role r on r.tenant_id = g.tenant_id and r.id = g.role_id
         where m.tenant_id = e.tenant_id and m.account_id = e.account_id and m.org_id = e.org_id
         order by r.label) as roles
     from ${auditList('$1')} e where e.id in (select event_id from shown)
       and ($3::uuid is null or (e.at, e.id) < (select b.at, b.id from audit_event b where b.tenant_id = $1 and b.id = $3))
     order by e.at desc, e.id desc limit $4`,
    [tenantId, patientId, before ?? null, pageSize + 1, await heldRules(tx, tenantId)],
  );
  const [archived] = await tx.rows<{ since: string | null }>(
    `select to_char(max(month) + interval '1 month', 'YYYY-MM-DD') as since from audit_archive where tenant_id = $1`,
    [tenantId],
  );
  return {
    since: archived?.since ?? null,
    entries: rows.slice(0, pageSize).map(({ at, accountId: who, atOrganization, ...event }) => ({
      ...event,
      at: at.toISOString(),
      // Only patients act without an organization, here on the record of another.
      by: who === accountId ? 'you' : who === null ? 'system' : atOrganization ? 'staff' : 'guardian',
    })),
    more: rows.length > pageSize,
  };
}
