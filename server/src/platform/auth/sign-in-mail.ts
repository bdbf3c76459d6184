import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { defineJob, type Work, work } from '../jobs/jobs.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Texter } from '../mail/texter.ts';
import { mailWords } from './mail-words.ts';
import { patientWords } from './patient-mail-words.ts';
import { signInLimits } from './sign-in.ts';
import type { Audience, Signing } from './signing.ts';

export const sendSignInMail = defineJob({
  name: 'auth/send-sign-in-mail',
  payload: z.strictObject({ challengeId: z.uuid() }),
  lane: 'quick',
  // After the fifth the code has lapsed.
  attempts: 5,
});

/** Forgets challenges and failures that no limit counts any more, and what is long over. */
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
  /** Host name of the product's address, for the words. */
  host: string;
}

interface Row {
  method: 'EMAIL' | 'SMS';
  audience: Audience;
  email: string | null;
  phone: string | null;
  language_code: string;
  created_at: Date;
  failures: number;
}

/** What sends the codes and later forgets about them. */
export function signInWorks({ database, signing, mailer, texter, host }: SignInMailOptions): Work[] {
  return [
    work(sendSignInMail, async ({ challengeId }) => {
      const row = await database.withScope({ kind: 'identity' }, async (tx) => {
        // Nothing is sent for a name nobody has, nor a code that would arrive too late to be of use.
        const [found] = await tx.rows<Row>(
          // Patients who share what they named have it all the same, so the code goes to any of them.
          `select c.method, c.audience, a.email, a.phone, a.language_code, c.created_at,
             (select count(*) from sign_in_failure f
              where f.subject = c.subject and f.at > now() - make_interval(hours => $2)) as failures
           from sign_in_challenge c join account a on a.id = c.account_id or c.account_id is null and a.id = any (c.candidates)
           where c.id = $1 and c.sent and c.method in ('EMAIL', 'SMS') and c.consumed_at is null
             and c.expires_at > now() and a.disabled_at is null order by a.id limit 1`,
          [challengeId, signInLimits.failureHours],
        );
        return found;
      });
      if (!row) return;
      const { words, language } = (row.audience === 'patient' ? patientWords : mailWords)(row.language_code);
      const envelope = { id: challengeId, language, at: row.created_at };
      const isLocked = row.failures >= signInLimits.failures;
      const around = ({ before, after }: typeof words.codeText) =>
        `${before(host)}\n\n${signing.oneTimeCode(challengeId)}\n\n${after(signInLimits.codeMinutes)}`;
      if (row.method === 'SMS' && !isLocked) {
        if (row.phone) await texter.send({ ...envelope, to: row.phone, text: around(words.codeText) });
        return;
      }
      if (row.email === null) {
        // A patient without an address who did not say that it should be a text message.
        if (row.phone && !isLocked)
          await texter.send({ ...envelope, to: row.phone, text: around(words.codeText) });
        return;
      }
      await mailer.send({
        ...envelope,
        to: row.email,
        subject: isLocked ? words.locked.subject : words.code.subject,
        text: isLocked ? words.locked.text(host) : around(words.code),
      });
    }),
    work(
      forgetSignIns,
      async () => {
        await database.withScope({ kind: 'identity' }, async (tx) => {
          await tx.run(`delete from sign_in_challenge where expires_at < now() - interval '1 day'`);
          await tx.run(`delete from sign_in_failure where at < now() - make_interval(hours => $1)`, [
            signInLimits.failureHours,
          ]);
          await tx.run(`delete from session where expires_at < now() - interval '90 days'`);
          await tx.run(`delete from contact_change where expires_at < now() - interval '90 days'`);
        });
      },
      '23 * * * *',
    ),
  ];
}
