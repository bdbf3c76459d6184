import type { MailKind } from '@caseway/contract/mail-text';
import type { Database } from '../../platform/db/database.ts';
import { addressFor, mailTextFor, mailWith } from '../../platform/mail/mail-texts.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { wordsIn } from '../../platform/words/words.ts';
import { consentsOf, partsOf } from '../patients/consents.ts';
import { visitTimeIn } from './visit-time-words.ts';

export interface VisitMailOptions {
  database: Database;
  mailer: Mailer;
  /** The public address of the product. */
  publicUrl: string;
  /** Without a video server, visits are by phone. */
  videoUrl?: string | undefined;
  now?: () => number;
}

interface VisitMail {
  /** The same for each attempt to send the message. */
  id: string;
  tenantId: string;
  visitId: string;
  kind: Extract<MailKind, `patient-reminder` | `patient-visit-${string}`>;
  /** The time in the message. */
  startsAt: string;
  /** Sent only while the visit has one of these statuses. */
  statuses: readonly string[];
  at: Date;
}

/**
 * Mails a patient something about their visit, and nothing about its purpose, if they agree to emails and their
 * tenant has visits by video. A booked visit must still be at this time. [P16]
 */
export async function mailOfVisit(
  { database, mailer, publicUrl, videoUrl }: VisitMailOptions,
  { id, tenantId, visitId, kind, startsAt, statuses, at }: VisitMail,
): Promise<void> {
  const visit = await database.withScope(
    { kind: 'service', tenantId },
    async (tx) => {
      const [stored] = await tx.rows<{ patientId: string }>(
        `select patient_id as "patientId" from telemedicine_visit
         where tenant_id = $1 and id = $2 and status = any ($3) and (status <> 'booked' or starts_at = $4)`,
        [tenantId, visitId, statuses, startsAt],
      );
      return stored && { ...stored, parts: await partsOf(tx, tenantId, stored.patientId) };
    },
    { readOnly: true },
  );
  if (!visit) return;
  const consents = await consentsOf(database, tenantId, visit.patientId);
  if (!consents.find((one) => one.kind === 'email')?.given) return;
  const found = await database.withScope({ kind: 'identity' }, async (tx) => {
    const [row] = await tx.rows<{
      email: string;
      language: string;
      tenant: string;
      timeZone: string;
      experience: string;
    }>(
      `select a.email, a.language_code as language, t.name as tenant, t.time_zone as "timeZone", t.experience
       from account a join tenant t on t.id = a.patient_tenant_id
       where t.id = $1 and a.patient_id = any ($2::uuid[]) and a.disabled_at is null and a.email is not null
         and t.suspended_at is null and 'telemedicine' = any (t.tenant_features)
       order by a.patient_id = $3 desc, a.id limit 1`,
      [tenantId, visit.parts, visit.patientId],
    );
    return row && { ...row, ...(await mailTextFor(tx, { tenantId }, kind, row.language)) };
  });
  if (!found) return;
  const { language } = found;
  const words = wordsIn('portal', language, found.experience);
  await mailer.send({
    id,
    to: found.email,
    ...mailWith(found.text, {
      tenant: found.tenant,
      when: visitTimeIn(language, found.timeZone, startsAt),
      how: words(videoUrl === undefined ? 'mail.byPhone' : 'mail.byVideo')!,
      address: `${addressFor(publicUrl, language)}/patient/sign-in`,
    }),
    language,
    at,
  });
}
