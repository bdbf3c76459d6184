import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeScopeWorld } from '../../../test/scope-world.ts';
import type { Tx } from '../../platform/db/database.ts';
import { notifiedSources } from './notified.ts';
import { seenSql } from './sources.ts';
import { readNotifications, seenAmong, unreadOf } from './stored.ts';

/* [P18] Nobody gets a notification about a record of any kind that is hidden from them, and none is counted. */

const { database, superuserUrl } = await createTestDatabase();
const { readers } = await makeScopeWorld(superuserUrl);
const people = Object.entries(readers).flatMap(([name, scope]) =>
  scope.kind === 'org' ? [[name, scope] as const] : [],
);

/** The records of a kind that a transaction sees. */
const seenIn = async (tx: Tx, table: string) =>
  (await tx.rows<{ id: string }>(`select id from ${table} where tenant_id = $1`, [tx.tenantId])).map(
    ({ id }) => id,
  );

/** The ids on all pages of an inbox. */
async function shownTo(tx: Tx, of: Parameters<typeof readNotifications>[1]): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = await readNotifications(tx, of, { after: ids.at(-1) });
    if (page.length === 0) return ids;
    ids.push(...page.map(({ id }) => id));
  }
}

test.each(people)('as %s', async (_name, scope) => {
  const { tenantId, accountId } = scope;
  // Notifications about every record of the tenant, visible or hidden.
  const told = await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    const all: { id: string; kind: string; record: string }[] = [];
    for (const { kind, table } of notifiedSources)
      for (const record of await seenIn(tx, table)) {
        const id = v7();
        all.push({ id, kind, record });
        await tx.run(
          `insert into notification (tenant_id, id, account_id, kind, record_kind, record_id, at)
           values ($1, $2, $3, 'assigned', $4, $5, now())`,
          [tenantId, id, accountId, kind, record],
        );
      }
    return all;
  });
  expect(told.length).toBeGreaterThan(5);
  const seen = seenSql(notifiedSources, () => true);
  const { right, shown, unread, among } = await database.withScope(scope, async (tx) => {
    const visible = new Set<string>();
    for (const { kind, table } of notifiedSources)
      for (const record of await seenIn(tx, table)) visible.add(`${kind} ${record}`);
    const of = { accountId, seen, sources: notifiedSources };
    return {
      right: told.filter(({ kind, record }) => visible.has(`${kind} ${record}`)).map(({ id }) => id),
      shown: await shownTo(tx, of),
      unread: await unreadOf(tx, of, 1000),
      among: await seenAmong(
        tx,
        accountId,
        told.map(({ id }) => id),
        seen,
      ),
    };
  });
  const own = (ids: readonly string[]) => ids.filter((id) => told.some((one) => one.id === id)).sort();
  expect(own(shown)).toEqual([...right].sort());
  expect(own(unread)).toEqual([...right].sort());
  expect(own(among)).toEqual([...right].sort());
  // Without the permission to read them, none.
  const none = seenSql(notifiedSources, () => false);
  expect(await database.withScope(scope, (tx) => unreadOf(tx, { accountId, seen: none }, 1000))).toEqual([]);
});
