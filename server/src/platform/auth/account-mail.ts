import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { defineJob, type Work, work } from '../jobs/jobs.ts';
import type { Mailer } from '../mail/mailer.ts';
import { accountNotices, mailWords } from './mail-words.ts';
import { patientWords } from './patient-mail-words.ts';

/** Tells somebody what was done to their account. */
export const sendAccountNotice = defineJob({
  name: 'auth/send-account-notice',
  payload: z.strictObject({
    /** The same message has the same id however often it is tried. */
    id: z.uuid(),
    accountId: z.uuid(),
    notice: z.enum(accountNotices),
    /** When it was done. */
    at: z.iso.datetime(),
  }),
  lane: 'quick',
  attempts: 10,
});

export interface AccountMailOptions {
  database: Database;
  mailer: Mailer;
  /** Host name of the product's address, for the words. */
  host: string;
}

export function accountMailWorks({ database, mailer, host }: AccountMailOptions): Work[] {
  return [
    work(sendAccountNotice, async ({ id, accountId, notice, at }) => {
      const [account] = await database.withScope({ kind: 'identity' }, (tx) =>
        tx.rows<{ email: string | null; language_code: string; isPatient: boolean }>(
          'select email, language_code, patient_id is not null as "isPatient" from account where id = $1',
          [accountId],
        ),
      );
      if (!account?.email) return;
      const { words, language } = (account.isPatient ? patientWords : mailWords)(account.language_code);
      await mailer.send({
        id,
        to: account.email,
        subject: words.notice.subject,
        text: words.notice.text(host, words.notice.what[notice]),
        language,
        at: new Date(at),
      });
    }),
  ];
}
