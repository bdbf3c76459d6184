import { z } from 'zod';
import { nobodysTenant } from '../audit/auditor.ts';
import type { Database } from '../db/database.ts';
import { defineJob, type Work, work } from '../jobs/jobs.ts';
import { mailTextFor, mailWith } from '../mail/mail-texts.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Texter } from '../mail/texter.ts';
import { noteDeleted, noteRun } from '../operations/retention.ts';
import { signInLimits } from './sign-in.ts';
import type { Audience, Signing } from './signing.ts';

export const sendSignInMail = defineJob({
  name: 'auth/send-sign-in-mail',
  payload: z.strictObject({ challengeId: z.uuid() }),
  lane: 'quick',
  // After the fifth attempt the code has expired.
  attempts: 5,
});

/** Deletes challenges and failures that no limit counts any longer, and sessions that ended long ago. */
export const forgetSignIns = defineJob({
  name: 'auth/forget-sign-ins',
  payload: z.object({}),
  lane: 'quick',
  attempts: 3,
});

export interface SignInMailOptions {
  database: Database;
  signing: Signing;
  mailer: Mailer;
  texter: Texter;
  /** Host name of the product's address, named in the text. */
  host: string;
  /** How many days an ended session is kept; null forever. */
  sessionDays: number | null;
}

interface Row {
  /** Null while several patients are possible. */
  account_id: string | null;
  method: 'EMAIL' | 'SMS';
  audience: Audience;
  email: string | null;
  phone: string | null;
  language_code: string;
  created_at: Date;
  failures: number;
}

/** Sends the codes and later deletes them. */
export function signInWorks({
  database,
  signing,
  mailer,
  texter,
  host,
  sessionDays,
}: SignInMailOptions): Work[] {
  return [
    work(sendSignInMail, async ({ challengeId }) => {
      const row = await database.withScope({ kind: 'identity' }, async (tx) => {
        // Nothing is sent for an unknown name, or for a code that would arrive too late.
        const [found] = await tx.rows<Row>(
          // Patients who share an address all have it, so the code goes to any of them.
          `select c.account_id, c.method, c.audience, a.email, a.sign_in_phone as phone, a.language_code, c.created_at,
             (select count(*) from sign_in_failure f
              where f.subject = c.subject and f.at > now() - make_interval(hours => $2)) as failures
           from sign_in_challenge c join account a on a.id = c.account_id or c.account_id is null and a.id = any (c.candidates)
           where c.id = $1 and c.sent and c.method in ('EMAIL', 'SMS') and c.consumed_at is null
             and c.expires_at > now() and a.disabled_at is null order by a.id limit 1`,
          [challengeId, signInLimits.failureHours],
        );
        if (!found) return undefined;
        const isLocked = found.failures >= signInLimits.failures;
        // Also for a patient who has no email address and did not ask for a text message.
        const bySms = !isLocked && (found.method === 'SMS' || found.email === null);
        const [paused, text, code] =
          found.audience === 'patient'
            ? (['patient-paused', 'patient-text', 'patient-code'] as const)
            : (['sign-in-paused', 'sign-in-text', 'sign-in-code'] as const);
        const kind = isLocked ? paused : bySms ? text : code;
        return {
          ...found,
          bySms,
          ...(await mailTextFor(tx, { accountId: found.account_id }, kind, found.language_code)),
        };
      });
      if (!row) return;
      const envelope = { id: challengeId, language: row.language, at: row.created_at };
      const { text, ...mail } = mailWith(row.text, {
        host,
        code: signing.oneTimeCode(challengeId),
        minutes: String(signInLimits.codeMinutes),
      });
      if (row.bySms) {
        if (row.phone) await texter.send({ ...envelope, to: row.phone, text });
      } else if (row.email) await mailer.send({ ...envelope, to: row.email, ...mail, text });
    }),
    work(
      forgetSignIns,
      async () => {
        const sessions = await database.withScope({ kind: 'identity' }, async (tx) => {
          await tx.run(`delete from sign_in_challenge where expires_at < now() - interval '1 day'`);
          await tx.run(`delete from sign_in_failure where at < now() - make_interval(hours => $1)`, [
            signInLimits.failureHours,
          ]);
          await tx.run(`delete from contact_change where expires_at < now() - interval '90 days'`);
          if (sessionDays === null) return undefined;
          return tx.run('delete from session where expires_at < now() - make_interval(days => $1)', [
            sessionDays,
          ]);
        });
        if (sessions !== undefined) {
          noteDeleted('sessions', sessions);
          noteRun('sessions');
        }
        // Last, because they are on a tenant's server, which may be away.
        await database.withScope({ kind: 'identity' }, (tx) =>
          tx.run(`delete from audit_decoy where tenant_id = $1 and at < now() - interval '1 hour'`, [
            nobodysTenant,
          ]),
        );
      },
      '23 * * * *',
    ),
  ];
}
