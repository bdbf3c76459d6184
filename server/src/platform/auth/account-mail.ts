import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { defineJob, type Work, work } from '../jobs/jobs.ts';
import { mailTextFor, mailWith } from '../mail/mail-texts.ts';
import type { Mailer } from '../mail/mailer.ts';
import { accountNotices, noticeIn } from './account-notices.ts';

/** Emails people about changes to their account. */
export const sendAccountNotice = defineJob({
  name: 'auth/send-account-notice',
  payload: z.strictObject({
    /** Retries of a message keep its id. */
    id: z.uuid(),
    accountId: z.uuid(),
    notice: z.enum(accountNotices),
    /** When the event happened. */
    at: z.iso.datetime(),
  }),
  lane: 'quick',
  attempts: 10,
});

export interface AccountMailOptions {
  database: Database;
  mailer: Mailer;
  /** Host name of the product's address, named in the text. */
  host: string;
}

export function accountMailWorks({ database, mailer, host }: AccountMailOptions): Work[] {
  return [
    work(sendAccountNotice, async ({ id, accountId, notice, at }) => {
      const found = await database.withScope({ kind: 'identity' }, async (tx) => {
        const [account] = await tx.rows<{ email: string | null; language_code: string; isPatient: boolean }>(
          'select email, language_code, patient_id is not null as "isPatient" from account where id = $1',
          [accountId],
        );
        if (!account) return undefined;
        const kind = account.isPatient ? 'patient-notice' : 'notice';
        return { ...account, ...(await mailTextFor(tx, { accountId }, kind, account.language_code)) };
      });
      if (!found?.email) return;
      await mailer.send({
        id,
        to: found.email,
        ...mailWith(found.text, { host, what: noticeIn(found.language, notice, found.isPatient) }),
        language: found.language,
        at: new Date(at),
      });
    }),
  ];
}
