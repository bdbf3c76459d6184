import type { AuditRecordKind } from '@caseway/contract/audit-action';
import {
  countedUnread,
  countUnread,
  inboxPage,
  markAllRead,
  markRead,
  type Notification,
  notificationKinds,
  readInbox,
  readNotificationWays,
  setNotificationWay,
} from '@caseway/contract/inbox';
import type { Tx } from '../../platform/db/database.ts';
import { publishWith } from '../../platform/events/hub.ts';
import type { App } from '../../platform/http/app.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { type NotifiedSource, seenSql } from './sources.ts';
import { countOf, mark, markAll, readNotifications } from './stored.ts';
import { wayOf, waysOf } from './ways.ts';

/** The kind of the record in the log; a task of a case counts as its case. */
const audited: Readonly<Record<string, AuditRecordKind>> = {
  case: 'case',
  'work-task': 'case',
  contact: 'contact',
  'case-follow-up': 'case-follow-up',
  'partner-service': 'partner-service',
  incident: 'incident',
  'field-visit': 'field-visit',
};

/** A person's own inbox, in each tenant that they read for the organization they act for. */
export function serveInbox(app: App, sources: readonly NotifiedSource[]): void {
  const readerIn = (call: Call, tenantId: string) => ({
    accountId: call.account.accountId,
    seen: seenSql(sources, (permission) => call.tenantsFor(permission).includes(tenantId)),
    sources,
  });
  /** Runs in each of the tenants; `changed`: whether the person's other screens have to load again. */
  async function inEach<T>(
    call: Call,
    work: (tx: Tx) => Promise<T>,
    changed: (made: T) => boolean = () => false,
  ): Promise<T[]> {
    const all: T[] = [];
    for (const tenantId of call.org.tenantIds)
      all.push(
        await call.withScope(
          async (tx) => {
            const made = await work(tx);
            const { accountId } = call.account;
            if (changed(made))
              await publishWith(tx, { tenantId, accountId }, { type: 'inbox-changed', ids: [] });
            return made;
          },
          { tenantId },
        ),
      );
    return all;
  }

  serve(app, readInbox, async (call) => {
    const pages = await inEach(call, async (tx) => {
      const page = await readNotifications(tx, readerIn(call, tx.tenantId), call.query);
      audit(call, page);
      return page;
    });
    const all = pages.flat().sort((one, other) => (one.id < other.id ? 1 : -1));
    return { notifications: all.slice(0, inboxPage), more: all.length > inboxPage };
  });
  serve(app, countUnread, async (call) => {
    const counts = await inEach(call, (tx) => countOf(tx, readerIn(call, tx.tenantId)));
    return {
      unread: Math.min(
        countedUnread,
        counts.reduce((sum, one) => sum + one, 0),
      ),
    };
  });
  serve(app, markRead, async (call) => {
    const { ids, read } = call.body;
    await inEach(
      call,
      (tx) => mark(tx, call.account.accountId, ids, read),
      (made) => made.length > 0,
    );
  });
  serve(app, markAllRead, async (call) => {
    const all = await inEach(
      call,
      (tx) => markAll(tx, readerIn(call, tx.tenantId)),
      (made) => made.length > 0,
    );
    return { ids: all.flat() };
  });

  const readWays = async (call: Call) => {
    const { accountId } = call.account;
    const [first = new Map()] = await inEach(call, (tx) => waysOf(tx, [accountId]));
    return {
      ways: Object.fromEntries(
        notificationKinds.map((kind) => [kind, wayOf(first, accountId, kind)]),
      ) as never,
    };
  };
  serve(app, readNotificationWays, readWays);
  serve(app, setNotificationWay, async (call) => {
    const { kind, way } = call.body;
    await inEach(call, (tx) =>
      tx.run(
        `insert into notification_way (tenant_id, account_id, kind, way) values ($1, $2, $3, $4)
         on conflict (tenant_id, account_id, kind) do update set way = excluded.way`,
        [tx.tenantId, call.account.accountId, kind, way],
      ),
    );
    return readWays(call);
  });
}

/** The log names every record in the answer, with one row for each kind. */
function audit(call: Call, notifications: readonly Notification[]): void {
  const ids = new Map<AuditRecordKind, Set<string>>();
  for (const { recordKind, recordId, about } of notifications) {
    const kind = recordKind === 'work-task' && about === null ? recordKind : audited[recordKind];
    if (kind) ids.set(kind, (ids.get(kind) ?? new Set()).add(about ?? recordId));
  }
  for (const [recordKind, of] of ids) call.audit({ recordKind, recordIds: [...of] });
}
