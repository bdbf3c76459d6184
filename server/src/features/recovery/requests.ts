import { recoveryLimits } from '@caseway/contract/recovery';
import { v7 } from 'uuid';
import { z } from 'zod';
import { auditAccount } from '../../platform/audit/auditor.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { each } from '../../platform/db/every-tenant.ts';
import { takeTurn } from '../../platform/db/try-turn.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { networkOf } from '../../platform/http/network.ts';
import { defineJob, enqueue, type Work, work } from '../../platform/jobs/jobs.ts';
import { tellAdministrators } from './mail.ts';

/** Finds the account that a request names; a request with an unknown name ends here. */
const takeUpRequest = defineJob({
  name: 'recovery/take-up',
  payload: z.strictObject({ recoveryId: z.uuid() }),
  lane: 'quick',
  attempts: 10,
});

/** Ends recoveries that nobody decided or used, and deletes old ones. */
export const forgetRecoveries = defineJob({
  name: 'recovery/forget',
  payload: z.object({}),
  lane: 'quick',
  attempts: 3,
});

export interface Asked {
  name: string;
  email: string;
  reason: string;
  language: string;
  address: string;
  requestId: string;
}

/**
 * Stores a request, with the same statements for every name. Throws `too-many-requests` by network and by total,
 * which reveal nothing about the name. [P12]
 */
export async function keepRequest(tx: Tx, asked: Asked): Promise<void> {
  const network = networkOf(asked.address);
  // One at a time, so that parallel requests cannot exceed the limits.
  await takeTurn(tx, 'account recovery');
  const [recent] = await tx.rows<{ own: number; all: number }>(
    `select count(*)::int as "all", count(*) filter (where network = $1)::int as own from account_recovery
     where created_at > now() - interval '1 hour'`,
    [network],
  );
  if (recent!.own >= recoveryLimits.perNetwork || recent!.all >= recoveryLimits.inAll)
    throw new AppError('too-many-requests', { retryAfter: 3600 });
  const recoveryId = v7();
  await tx.run(
    `insert into account_recovery (id, name, email, reason, language_code, network, address, request_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(days => $9))`,
    [
      recoveryId,
      asked.name,
      asked.email,
      asked.reason,
      asked.language,
      network,
      asked.address,
      asked.requestId,
      recoveryLimits.openDays,
    ],
  );
  await enqueue(tx, takeUpRequest, { recoveryId });
}

/** The staff account for a name: the one with this sign-in name, or else the only one with this email address. */
async function accountNamed(tx: Tx, name: string): Promise<string | undefined> {
  const found = await tx.rows<{ id: string; signs_in: boolean }>(
    `select id, username = $1 as signs_in from account
     where (username = $1 or lower(email) = $1) and patient_id is null and disabled_at is null
       and exists (select from membership m where m.account_id = account.id and m.ended_at is null)
     order by username = $1 desc limit 2`,
    [name.toLowerCase()],
  );
  const [first] = found;
  return first && (first.signs_in || found.length === 1) ? first.id : undefined;
}

interface Kept {
  name: string;
  address: string | null;
  request_id: string | null;
  created_at: Date;
}

export const requestWorks = ({ database }: { database: Database }): Work[] => [
  work(takeUpRequest, ({ recoveryId }) =>
    database.withScope({ kind: 'identity' }, async (tx) => {
      const [asked] = await tx.rows<Kept>(
        `select name, address, request_id, created_at from account_recovery where id = $1 and state = 'asked' for update`,
        [recoveryId],
      );
      if (!asked) return;
      const forget = () =>
        tx.run(
          `update account_recovery set state = 'nothing', name = '', email = '', reason = '' where id = $1`,
          [recoveryId],
        );
      const accountId = await accountNamed(tx, asked.name);
      if (!accountId) return void (await forget());
      // Requests for one account are handled one at a time.
      await tx.rows('select from account where id = $1 for update', [accountId]);
      await expire(tx, accountId);
      const [earlier] = await tx.rows<{ open: number; recent: number }>(
        `select count(*) filter (where state in ('open', 'approved'))::int as open,
           count(*) filter (where created_at > now() - interval '24 hours')::int as recent
         from account_recovery where account_id = $1`,
        [accountId],
      );
      const origin = { address: asked.address ?? undefined, requestId: asked.request_id ?? undefined };
      if (earlier!.open > 0 || earlier!.recent >= recoveryLimits.perAccount) {
        await forget();
        await auditAccount(tx, accountId, 'recovery/asked-again', origin);
        return;
      }
      await tx.run(`update account_recovery set state = 'open', account_id = $2 where id = $1`, [
        recoveryId,
        accountId,
      ]);
      await auditAccount(tx, accountId, 'recovery/requested', { ...origin, recoveryId });
      await enqueue(tx, tellAdministrators, {
        recoveryId,
        what: 'requested',
        at: asked.created_at.toISOString(),
      });
    }),
  ),
  work(
    forgetRecoveries,
    async () => {
      const over = await database.withScope({ kind: 'identity' }, async (tx) => {
        await tx.run(
          `delete from account_recovery where state in ('asked', 'nothing') and created_at < now() - interval '1 day'`,
        );
        await tx.run(`delete from account_recovery where ended_at < now() - interval '90 days'`);
        return tx.rows<{ account_id: string }>(
          `select distinct account_id from account_recovery
           where state in ('open', 'approved') and expires_at <= now() and account_id is not null`,
        );
      });
      // Separately, because each is written into the log of its tenants, whose server may be away.
      await each(over, ({ account_id: accountId }) =>
        database.withScope({ kind: 'identity' }, (tx) => expire(tx, accountId)),
      );
    },
    '37 * * * *',
  ),
];

/** Marks expired recoveries of an account. */
async function expire(tx: Tx, accountId: string): Promise<void> {
  const over = await tx.rows<{ id: string; account_id: string }>(
    `update account_recovery set state = 'expired', ended_at = expires_at
     where state in ('open', 'approved') and expires_at <= now() and account_id = $1
     returning id, account_id`,
    [accountId],
  );
  for (const { id, account_id } of over)
    await auditAccount(
      tx,
      account_id,
      'recovery/expired',
      { recoveryId: id },
      { alsoIn: await approvedIn(tx, id) },
    );
}

/** The tenants in which a recovery was approved. Their logs record its outcome, even if the person has left them. */
export const approvedIn = async (tx: Tx, recoveryId: string): Promise<string[]> =>
  (
    await tx.rows<{ tenant_id: string }>(
      'select distinct tenant_id from recovery_approval where recovery_id = $1',
      [recoveryId],
    )
  ).map(({ tenant_id: tenantId }) => tenantId);
