import type { NamedAction } from '@caseway/contract/audit-action';
import type { Tx } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import type { AuditEntry } from './access.ts';
import type { App } from './app.ts';
import type { Call } from './serve.ts';

/** Adds a row to the audit log of the tenant concerned, in the current transaction. */
export type WriteAudit = (entry: AuditEntry & { action: NamedAction }) => Promise<void>;

/**
 * A transaction in a scope other than the request's own, for writes that no organisation's scope may do: accounts
 * and roles, or records of another tenant. The caller has already checked the permission. The audit row names the
 * person and their organisation, and is in the log of `tenantId`.
 */
export function actIn<T>(
  app: App,
  call: Call,
  scope: Scope,
  tenantId: string,
  work: (tx: Tx, audit: WriteAudit) => Promise<T>,
): Promise<T> {
  const { account, org, requestId, address } = call;
  return app.database.withScope(scope, (tx) =>
    work(tx, ({ action, deed, recordKind, recordIds, detail }) =>
      app.auditor.write(tx, {
        tenantId,
        accountId: account.accountId,
        orgType: org.orgType,
        orgId: org.id,
        action,
        deed: deed ?? call.deed,
        recordKind: recordKind ?? null,
        recordIds: recordIds ?? [],
        detail: detail ?? {},
        requestId,
        address,
      }),
    ),
  );
}

/** The differences between two states of a record, for its audit row; empty if there are none. */
export function changesBetween<Values extends Record<string, unknown>>(
  before: Values,
  after: Values,
): { before: Partial<Values>; after: Partial<Values> } {
  const changed = Object.keys(after).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const only = (values: Values) =>
    Object.fromEntries(changed.map((field) => [field, values[field]])) as Partial<Values>;
  return { before: only(before), after: only(after) };
}
