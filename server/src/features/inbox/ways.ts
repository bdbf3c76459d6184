import { type NotificationKind, type NotificationWay, usualWays } from '@caseway/contract/inbox';
import type { Tx } from '../../platform/db/database.ts';

/** People's chosen ways of notification, by account and kind. */
export type Ways = ReadonlyMap<string, NotificationWay>;

const keyOf = (accountId: string, kind: string) => `${accountId} ${kind}`;

export async function waysOf(tx: Tx, accountIds: readonly string[]): Promise<Ways> {
  if (accountIds.length === 0) return new Map();
  const rows = await tx.rows<{ accountId: string; kind: string; way: NotificationWay }>(
    `select account_id as "accountId", kind, way from notification_way
     where tenant_id = $1 and account_id = any ($2::uuid[])`,
    [tx.tenantId, [...new Set(accountIds)]],
  );
  return new Map(rows.map(({ accountId, kind, way }) => [keyOf(accountId, kind), way]));
}

export const wayOf = (ways: Ways, accountId: string, kind: NotificationKind): NotificationWay =>
  ways.get(keyOf(accountId, kind)) ?? usualWays[kind];
