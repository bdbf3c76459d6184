import {
  countedUnread,
  inboxPage,
  markedLimit,
  type Notification,
  notificationDays,
} from '@caseway/contract/inbox';
import type { Tx } from '../../platform/db/database.ts';
import { type NotifiedSource, readShown } from './sources.ts';

/* Notifications as their owner reads them, in the scope of the owner. `seen`: the visible ones, see `seenSql`. */

/** Sent, and not withdrawn. */
export const stands = `n.withdrawn_at is null and n.at > now() - interval '${notificationDays} days'`;
const ofOwner = 'n.tenant_id = $1 and n.account_id = $2';

interface Stored extends Omit<Notification, 'at' | 'readAt' | 'name' | 'work' | 'about' | 'state'> {
  at: Date;
  readAt: Date | null;
}

/** The latest notifications before one, with one more than a page. */
export async function readNotifications(
  tx: Tx,
  { accountId, seen, sources }: { accountId: string; seen: string; sources: readonly NotifiedSource[] },
  { only, after }: { only?: 'unread' | undefined; after?: string | undefined },
): Promise<Notification[]> {
  const rows = await tx.rows<Stored>(
    `select n.id, n.kind, n.at, n.read_at as "readAt", n.record_kind as "recordKind", n.record_id as "recordId",
       nullif(concat_ws(' ', a.first_name, a.last_name), '') as actor
     from notification n left join account a on a.id = n.actor_id
     where ${ofOwner} and ${stands} and ($3::uuid is null or n.id < $3) and ($4::boolean is not true or n.read_at is null)
       and ${seen}
     order by n.id desc limit ${inboxPage + 1}`,
    [tx.tenantId, accountId, after ?? null, only === 'unread'],
  );
  const shownOf = await readShown(tx, sources, rows);
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    readAt: row.readAt?.toISOString() ?? null,
    ...shownOf(row),
  }));
}

/** The unread notifications, the latest first. */
export const unreadOf = async (
  tx: Tx,
  { accountId, seen }: { accountId: string; seen: string },
  limit: number,
): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(
      `select n.id from notification n where ${ofOwner} and ${stands} and n.read_at is null and ${seen}
       order by n.id desc limit ${limit}`,
      [tx.tenantId, accountId],
    )
  ).map(({ id }) => id);

export const countOf = async (tx: Tx, of: { accountId: string; seen: string }): Promise<number> =>
  (await unreadOf(tx, of, countedUnread)).length;

/** Marks some as read or unread; returns the ones that changed. */
export async function mark(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
  read: boolean,
): Promise<string[]> {
  const [now, before] = read ? ['now()', 'is null'] : ['null', 'is not null'];
  const rows = await tx.rows<{ id: string }>(
    `update notification n set read_at = ${now}
     where n.tenant_id = $1 and n.account_id = $2 and n.id = any ($3::uuid[]) and n.read_at ${before} returning n.id`,
    [tx.tenantId, accountId, ids],
  );
  return rows.map(({ id }) => id);
}

/** Marks all that the reader sees; returns their ids. */
export const markAll = async (tx: Tx, of: { accountId: string; seen: string }): Promise<string[]> =>
  mark(tx, of.accountId, await unreadOf(tx, of, markedLimit), true);

/** The given notifications that the reader may see. */
export const seenAmong = async (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
  seen: string,
): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(
      `select n.id from notification n where ${ofOwner} and n.id = any ($3::uuid[]) and ${seen}`,
      [tx.tenantId, accountId, ids],
    )
  ).map(({ id }) => id);
