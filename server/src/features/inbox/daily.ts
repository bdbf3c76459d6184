import { notificationDays } from '@caseway/contract/inbox';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { Database, Tx } from '../../platform/db/database.ts';
import { forEveryTenant } from '../../platform/db/every-tenant.ts';
import { defineJob, type Work, work } from '../../platform/jobs/jobs.ts';
import { mailedBy, mailSoon, unmailed, usually } from './mail-job.ts';
import { insertNotifications, publish } from './tell-work.ts';
import { wayOf, waysOf } from './ways.ts';

/**
 * Deletes old notifications and, in one hour of the tenant's day, reminds people of tasks and sends the daily
 * message.
 */
export const dailyInbox = defineJob({
  name: 'inbox/daily',
  payload: z.object({}),
  lane: 'quick',
  attempts: 3,
});

/** The hour, in the tenant's time zone, of the daily run. */
export const inboxHour = 7;

export const dailyWork = (database: Database, now: () => Date = () => new Date()): Work =>
  work(
    dailyInbox,
    (_, { signal }) =>
      forEveryTenant(
        database,
        (tenantId) =>
          database.withScope({ kind: 'service', tenantId }, async (tx) => {
            const [tenant] = await tx.rows<{ hour: number; today: string }>(
              `select extract(hour from $2::timestamptz at time zone time_zone)::integer as hour,
                 cast($2::timestamptz at time zone time_zone as date) as today
               from tenant where id = $1 and suspended_at is null`,
              [tenantId, now()],
            );
            await forget(tx);
            if (tenant?.hour !== inboxHour) return;
            await remind(tx, tenant.today, now());
            await mailDay(tx);
          }),
        signal,
      ),
    '2 * * * *',
  );

const forget = (tx: Tx) =>
  tx.run(`delete from notification where tenant_id = $1 and at < now() - make_interval(days => $2)`, [
    tx.tenantId,
    notificationDays,
  ]);

/**
 * Reminds each person once of a due task of theirs, or of their team while no one has taken it; if it is postponed,
 * once more on the new day.
 */
async function remind(tx: Tx, today: string, at: Date): Promise<void> {
  const { tenantId } = tx;
  const due = await tx.rows<{ record_id: string; account_id: string; due_on: string }>(
    `select t.id as record_id, h.account_id, t.due_on from work_task t
     left join team m on m.tenant_id = t.tenant_id and m.id = t.team_id
     cross join lateral unnest(case when t.account_id is null then m.member_ids else array[t.account_id] end)
       as h (account_id)
     where t.tenant_id = $1 and t.state = 'open' and t.due_on <= $2::date
       and not exists (select from notification n where n.tenant_id = $1 and n.record_id = t.id
         and n.account_id = h.account_id and n.due_on = t.due_on and n.kind = 'task-due')
     order by t.due_on, t.id, h.account_id`,
    [tenantId, today],
  );
  const ways = await waysOf(
    tx,
    due.map(({ account_id }) => account_id),
  );
  const told = due
    .filter(({ account_id }) => wayOf(ways, account_id, 'task-due') !== 'off')
    .map((one) => ({ ...one, id: v7(), kind: 'task-due', record_kind: 'work-task', at: at.toISOString() }));
  await insertNotifications(tx, tenantId, told);
  await publish(tx, tenantId, told);
}

async function mailDay(tx: Tx): Promise<void> {
  const { digest } = mailedBy;
  const people = await tx.rows<{ id: string }>(`select distinct n.account_id as id from ${unmailed}`, [
    tx.tenantId,
    digest,
    usually(digest),
  ]);
  await mailSoon(
    tx,
    tx.tenantId,
    people.map(({ id }) => id),
    'digest',
  );
}
