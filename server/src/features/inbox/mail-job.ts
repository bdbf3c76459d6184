import { type NotificationKind, type NotificationWay, usualWays } from '@caseway/contract/inbox';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { IdentityAuthorizer } from '../../platform/auth/authorizer.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { defineJob, enqueueEach, type Work, work } from '../../platform/jobs/jobs.ts';
import { addressFor, mailTextFor, mailWith } from '../../platform/mail/mail-texts.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { toldIn } from './mail-words.ts';
import { type NotifiedSource, seenSql } from './sources.ts';
import { seenAmong, stands } from './stored.ts';

/** Mails a person their unread notifications as counts by kind: no name, no number, no condition. [P16] */
export const mailInbox = defineJob({
  name: 'inbox/mail',
  payload: z.strictObject({
    /** Retries of a message keep its id. */
    id: z.uuid(),
    tenantId: z.uuid(),
    accountId: z.uuid(),
    by: z.enum(['mail', 'digest']),
    at: z.iso.datetime(),
  }),
  lane: 'quick',
  attempts: 10,
});

/** Notifications of one minute come in one message; those read or withdrawn by then are left out. */
const minuteMs = 60_000;

/** Queues a message to each of these people with the transaction. */
export async function mailSoon(
  tx: Tx,
  tenantId: string,
  accountIds: readonly string[],
  by: 'mail' | 'digest' = 'mail',
): Promise<void> {
  if (accountIds.length === 0) return;
  const now = Date.now();
  const at = by === 'mail' ? new Date((Math.floor(now / minuteMs) + 1) * minuteMs) : new Date(now);
  await enqueueEach(
    tx,
    mailInbox,
    accountIds.map((accountId) => ({ id: v7(), tenantId, accountId, by, at: at.toISOString() })),
    {
      keyOf: ({ accountId }) => `inbox ${by} ${tenantId} ${accountId} ${by === 'mail' ? at.getTime() : ''}`,
      runAtOf: () => at,
    },
  );
}

/** The ways by which a notification `n` goes into the daily message, or into an immediate one. */
export const mailedBy = { mail: ['mail'], digest: ['mail', 'digest'] } as const satisfies Record<
  string,
  readonly NotificationWay[]
>;

/** Kinds that use one of these ways unless their reader has chosen another. */
export const usually = (ways: readonly NotificationWay[]): string[] =>
  Object.entries(usualWays).flatMap(([kind, way]) => (ways.includes(way) ? [kind] : []));

/**
 * Unread notifications that no message has contained yet, by the ways `$2`; `$3` are the kinds that use these by
 * default.
 */
export const unmailed = `notification n left join notification_way w
    on w.tenant_id = n.tenant_id and w.account_id = n.account_id and w.kind = n.kind
  where n.tenant_id = $1 and ${stands} and n.read_at is null and n.mailed_at is null
    and n.at > now() - interval '7 days' and (w.way = any ($2::text[]) or w.way is null and n.kind = any ($3::text[]))`;

export interface InboxMailOptions {
  database: Database;
  authorizer: Pick<IdentityAuthorizer, 'readersOf'>;
  mailer: Mailer;
  sources: readonly NotifiedSource[];
  /** The public address of the product. */
  publicUrl: string;
}

export const mailWork = ({ database, authorizer, mailer, sources, publicUrl }: InboxMailOptions): Work =>
  work(mailInbox, async ({ id, tenantId, accountId, by, at }) => {
    const service = { kind: 'service', tenantId } as const;
    const due = await database.withScope(service, (tx) =>
      tx.rows<{ id: string; kind: NotificationKind }>(
        `select n.id, n.kind from ${unmailed} and n.account_id = $4 order by n.id`,
        [tenantId, mailedBy[by], usually(mailedBy[by]), accountId],
      ),
    );
    const seen = new Set<string>();
    for (const { scope, may } of due.length > 0 ? await authorizer.readersOf(accountId, tenantId) : [])
      for (const one of await database.withScope(
        scope,
        (tx) =>
          seenAmong(
            tx,
            accountId,
            due.map((each) => each.id),
            seenSql(sources, may),
          ),
        { readOnly: true },
      ))
        seen.add(one);
    const told = due.filter((one) => seen.has(one.id));
    if (told.length === 0) return;
    const found = await database.withScope({ kind: 'identity' }, async (tx) => {
      const [account] = await tx.rows<{ email: string | null; language: string; tenant: string }>(
        `select a.email, a.language_code as language, t.name as tenant from account a, tenant t
         where a.id = $1 and t.id = $2 and a.disabled_at is null and t.suspended_at is null`,
        [accountId, tenantId],
      );
      if (!account?.email) return undefined;
      return { ...account, ...(await mailTextFor(tx, { tenantId }, 'inbox', account.language)) };
    });
    if (!found) return;
    const { language, tenant } = found;
    await mailer.send({
      id,
      to: found.email!,
      ...mailWith(found.text, {
        tenant,
        address: addressFor(publicUrl, language),
        what: toldIn(
          language,
          Map.groupBy(told, ({ kind }) => kind),
        ),
      }),
      language,
      at: new Date(at),
    });
    await database.withScope(service, (tx) =>
      tx.run('update notification set mailed_at = now() where tenant_id = $1 and id = any ($2::uuid[])', [
        tenantId,
        told.map((one) => one.id),
      ]),
    );
  });
