import { v7 } from 'uuid';
import { z } from 'zod';
import type { Database, Tx } from '../../platform/db/database.ts';
import { forEveryTenant } from '../../platform/db/every-tenant.ts';
import { defineJob, enqueueEach, type Work, work } from '../../platform/jobs/jobs.ts';
import { mailOfVisit, type VisitMailOptions } from './visit-mail.ts';

/** How many minutes before the start of a visit its patient is reminded, the longest first. */
export const reminders = { day: 24 * 60, hour: 60 } as const;
type Reminder = keyof typeof reminders;

const minuteMs = 60_000;
const dueAt = (startsAt: string, reminder: Reminder) => Date.parse(startsAt) - reminders[reminder] * minuteMs;

/** Mails a patient when their visit is, and nothing about its purpose. [P16] */
export const remindPatient = defineJob({
  name: 'telemedicine/remind',
  payload: z.strictObject({
    /** Retries of a message keep its id. */
    id: z.uuid(),
    tenantId: z.uuid(),
    visitId: z.uuid(),
    /** The time that it reminds of. A visit that was moved has its own reminders. */
    startsAt: z.iso.datetime(),
    reminder: z.enum(Object.keys(reminders) as [Reminder, ...Reminder[]]),
  }),
  lane: 'quick',
  attempts: 10,
});

/**
 * Queues the reminders of booked visits with the transaction. Each visit has one waiting job of a kind, which
 * replaces the one for an earlier time, or gives way to it with `keepsWaiting`. Reminders that would already be due
 * are left out.
 */
export async function remindOf(
  tx: Tx,
  tenantId: string,
  visits: readonly { id: string; startsAt: string }[],
  { keepsWaiting = false }: { keepsWaiting?: boolean } = {},
): Promise<void> {
  const now = Date.now();
  const due = visits.flatMap(({ id: visitId, startsAt }) =>
    (Object.keys(reminders) as Reminder[])
      .filter((reminder) => dueAt(startsAt, reminder) > now)
      .map((reminder) => ({ id: v7(), tenantId, visitId, startsAt, reminder })),
  );
  if (due.length === 0) return;
  await enqueueEach(tx, remindPatient, due, {
    keyOf: ({ visitId, reminder }) => `visit ${tenantId} ${visitId} ${reminder}`,
    runAtOf: ({ startsAt, reminder }) => new Date(dueAt(startsAt, reminder)),
    keepsWaiting,
  });
}

/**
 * Sends a queued reminder if it is still true: the visit is booked for this time, and the patient agrees to emails.
 */
export const reminderWork = (options: VisitMailOptions): Work =>
  work(remindPatient, async ({ reminder, ...visit }) => {
    const { startsAt } = visit;
    // After an outage, the day-before reminder comes no later than the hour-before one.
    const until = reminder === 'day' ? dueAt(startsAt, 'hour') : Date.parse(startsAt);
    if ((options.now ?? Date.now)() >= until) return;
    const at = new Date(dueAt(startsAt, reminder));
    await mailOfVisit(options, { ...visit, kind: 'patient-reminder', statuses: ['booked'], at });
  });

const missingReminders = defineJob({
  name: 'telemedicine/missing-reminders',
  payload: z.strictObject({}),
  lane: 'quick',
  attempts: 3,
});

/** Queues missing reminders for visits of the next 48 hours, which were booked before there were any. */
export const missingRemindersWork = (database: Database): Work =>
  work(
    missingReminders,
    (_, { signal }) =>
      forEveryTenant(
        database,
        (tenantId) =>
          database.withScope({ kind: 'service', tenantId }, async (tx) => {
            const visits = await tx.rows<{ id: string; startsAt: Date }>(
              `select id, starts_at as "startsAt" from telemedicine_visit
               where tenant_id = $1 and closed_at is null and status = 'booked'
                 and starts_at > now() and starts_at < now() + interval '48 hours'`,
              [tenantId],
            );
            await remindOf(
              tx,
              tenantId,
              visits.map(({ id, startsAt }) => ({ id, startsAt: startsAt.toISOString() })),
              // The visit may be moved at this moment, with reminders for its new time.
              { keepsWaiting: true },
            );
          }),
        signal,
      ),
    '*/15 * * * *',
  );
