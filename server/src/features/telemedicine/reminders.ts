import { v7 } from 'uuid';
import { z } from 'zod';
import type { Database, Tx } from '../../platform/db/database.ts';
import { defineJob, enqueueEach, type Work, work } from '../../platform/jobs/jobs.ts';
import { addressFor, mailTextFor, mailWith } from '../../platform/mail/mail-texts.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { consentsOf, partsOf } from '../patients/consents.ts';
import { visitTimeIn } from './visit-time-words.ts';

/** How many minutes before the start of a visit its patient is reminded, the longest first. */
export const reminders = { day: 24 * 60, hour: 60 } as const;
type Reminder = keyof typeof reminders;

const minuteMs = 60_000;
const dueAt = (startsAt: string, reminder: Reminder) => Date.parse(startsAt) - reminders[reminder] * minuteMs;

/** Mails a patient that they have a visit: when, and nothing of what it is for. [P16] */
export const remindPatient = defineJob({
  name: 'telemedicine/remind',
  payload: z.strictObject({
    /** The same message has the same id however often it is tried. */
    id: z.uuid(),
    tenantId: z.uuid(),
    visitId: z.uuid(),
    /** The time of which it reminds: a visit that was moved has reminders of its own. */
    startsAt: z.iso.datetime(),
    reminder: z.enum(Object.keys(reminders) as [Reminder, ...Reminder[]]),
  }),
  lane: 'quick',
  attempts: 10,
});

/**
 * Leaves the reminders of visits that are booked with the transaction. Each visit has one waiting job of a kind, which
 * takes the place of that for an earlier time. Those that would be due already are left out.
 */
export async function remindOf(
  tx: Tx,
  tenantId: string,
  visits: readonly { id: string; startsAt: string }[],
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
  });
}

export interface ReminderOptions {
  database: Database;
  mailer: Mailer;
  /** The address of the product. */
  publicUrl: string;
  now?: () => number;
}

/** Sends what was left, if it is still true: the visit is booked for this time, and the patient agrees to emails. */
export const reminderWork = ({ database, mailer, publicUrl, now = Date.now }: ReminderOptions): Work =>
  work(remindPatient, async ({ id, tenantId, visitId, startsAt, reminder }) => {
    // After an outage, a reminder of the day before comes no later than that of the hour before.
    if (now() >= (reminder === 'day' ? dueAt(startsAt, 'hour') : Date.parse(startsAt))) return;
    const service = { kind: 'service', tenantId } as const;
    const visit = await database.withScope(
      service,
      async (tx) => {
        const [stored] = await tx.rows<{ patientId: string }>(
          `select patient_id as "patientId" from telemedicine_visit
           where tenant_id = $1 and id = $2 and status = 'booked' and starts_at = $3`,
          [tenantId, visitId, startsAt],
        );
        return stored && { ...stored, parts: await partsOf(tx, tenantId, stored.patientId) };
      },
      { readOnly: true },
    );
    if (!visit) return;
    const consents = await consentsOf(database, tenantId, visit.patientId);
    if (!consents.find(({ kind }) => kind === 'email')?.given) return;
    const found = await database.withScope({ kind: 'identity' }, async (tx) => {
      const [row] = await tx.rows<{ email: string; language: string; tenant: string; timeZone: string }>(
        `select a.email, a.language_code as language, t.name as tenant, t.time_zone as "timeZone"
         from account a join tenant t on t.id = a.patient_tenant_id
         where t.id = $1 and a.patient_id = any ($2::uuid[]) and a.disabled_at is null and a.email is not null
           and t.suspended_at is null and 'telemedicine' = any (t.tenant_features)
         order by a.patient_id = $3 desc, a.id limit 1`,
        [tenantId, visit.parts, visit.patientId],
      );
      return row && { ...row, ...(await mailTextFor(tx, { tenantId }, 'patient-reminder', row.language)) };
    });
    if (!found) return;
    const { language } = found;
    await mailer.send({
      id,
      to: found.email,
      ...mailWith(found.text, {
        tenant: found.tenant,
        when: visitTimeIn(language, found.timeZone, startsAt),
        address: `${addressFor(publicUrl, language)}/patient/sign-in`,
      }),
      language,
      at: new Date(dueAt(startsAt, reminder)),
    });
  });
