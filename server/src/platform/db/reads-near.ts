import type { Scope } from '../scope.ts';
import { localViews, places } from './places.ts';

/** What only the coordinator has: local tables, the queue, and a server's own state. */
const ofCoordinator = new RegExp(
  [
    `\\b(?:from|join)\\s+(?:only\\s+)?(?:public\\.)?"?(?:${[...places.local, ...localViews].join('|')})\\b`,
    '\\bgraphile_worker\\.',
    '\\bpg_(?:try_)?advisory_|\\bpg_notify\\(|\\bpg_control_|\\bpg_cancel_backend\\(|\\bpg_stat_activity\\b',
  ].join('|'),
  'i',
);

/**
 * The tenant of a transaction that reads only records of one tenant and shared tables, and so may use the tenant's
 * server; undefined for any other transaction.
 */
export const tenantReadNear = (
  scope: Scope,
  { readOnly = false, atCoordinator = false }: { readOnly?: boolean; atCoordinator?: boolean },
): string | undefined =>
  readOnly && !atCoordinator && 'tenantId' in scope && scope.tenantId !== '' ? scope.tenantId : undefined;

/**
 * Throws if a statement reads what only the coordinator has. It is checked on every database, so that a test on a
 * single server finds what would fail on several.
 */
export function refuseLocal(text: string): void {
  const [found] = ofCoordinator.exec(text) ?? [];
  if (found !== undefined)
    throw new Error(`"${found.trim()}" is only on the coordinator: read it in a scope with atCoordinator`);
}
