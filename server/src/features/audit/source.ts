import { type AuditRow, auditGrid } from '@caseway/contract/audit';
import { auditActionKeySql } from '@caseway/contract/audit-action';
import { auditDeeds } from '@caseway/contract/audit-deed';
import { auditList } from '../../platform/audit/audit-list.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { GridSource } from '../../platform/grid/grid-sql.ts';

/** The SQL for each column of the grid: a column of auditList. */
export const auditSource: GridSource<typeof auditGrid> = {
  grid: auditGrid,
  table: auditList,
  fields: {
    at: { kind: 'instant', sql: 'f.at' },
    who: { kind: 'text', sql: 'f.who' },
    account: { kind: 'text', sql: 'f.account' },
    deed: { kind: 'choice', sql: 'f.deed', order: auditDeeds },
    action: { kind: 'choice', sql: auditActionKeySql('f.action'), order: 'actions' },
    recordKind: { kind: 'choice', sql: 'f.record_kind', order: 'recordKinds' },
    records: { kind: 'number', sql: 'f.records' },
    organization: { kind: 'text', sql: 'f.organization' },
    reason: { kind: 'text', sql: 'f.reason' },
    address: { kind: 'text', sql: 'f.address' },
  },
  filters: {
    accountFilter: { kind: 'choice', sql: 'f.account_id', ids: true, order: [] },
    recordFilter: {
      kind: 'choice',
      sql: 'f.record_ids',
      ids: true,
      order: [],
      // Under row-level security, no index searches a list of ids. Events with hundreds of records are few enough to
      // read.
      among: (list, tenant) =>
        `(not f.withheld and f.id in (select event_id from audit_record where tenant_id = ${tenant} and record_id = any (cast(${list} as uuid[])))
          or f.wide and f.record_ids && cast(${list} as uuid[]))`,
    },
  },
};

export interface StoredEvent {
  id: string;
  at: Date;
  account_id: string | null;
  who: string | null;
  account: string | null;
  deed: AuditRow['deed'];
  action: string;
  record_kind: string | null;
  records: number;
  case_number: string | null;
  filtered_by: string[] | null;
  org_type: AuditRow['orgType'];
  organization: string | null;
  reason: string | null;
  address: string | null;
  withheld: boolean;
}

const columns = `f.id, f.at, f.account_id, f.who, f.account, f.deed, f.action, f.record_kind, f.records, f.org_type,
  f.case_number, f.filtered_by, f.organization, f.reason, f.address, f.withheld`;

export const rowOf = (event: StoredEvent): AuditRow => ({
  id: event.id,
  at: event.at.toISOString(),
  accountId: event.account_id,
  who: event.who,
  account: event.account,
  deed: event.deed,
  action: event.action,
  recordKind: event.record_kind,
  records: event.records,
  caseNumber: event.case_number,
  filteredBy: event.filtered_by ?? [],
  orgType: event.org_type,
  organization: event.organization,
  reason: event.reason,
  address: event.address,
  withheld: event.withheld,
});

/** Events by id, as far as the transaction's scope sees them; in no particular order. */
export const readEvents = (tx: Tx, ids: readonly string[]): Promise<StoredEvent[]> =>
  tx.rows<StoredEvent>(`select ${columns} from ${auditList('$1')} f where f.id = any ($2::uuid[])`, [
    tx.tenantId,
    ids,
  ]);
