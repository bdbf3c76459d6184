import { z } from 'zod';
import type { Signing } from '../../platform/auth/signing.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { defineJob, type Work, work } from '../../platform/jobs/jobs.ts';
import { addressFor } from '../../platform/mail/mail-texts.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { Texter } from '../../platform/mail/texter.ts';
import { administersUsers, heldBy, policiesOf, refusalFor } from './rights.ts';
import { recoveryWords } from './words.ts';

const recoveryId = z.uuid();

/** Notifies possible approvers that there is a decision to make, or that a recovery was stopped. */
export const tellAdministrators = defineJob({
  name: 'recovery/tell-administrators',
  payload: z.strictObject({ recoveryId, what: z.enum(['requested', 'cancelled']), at: z.iso.datetime() }),
  lane: 'quick',
  attempts: 10,
});

/** Sends the code to the new address. */
export const sendRecoveryCode = defineJob({
  name: 'recovery/send-code',
  payload: z.strictObject({ recoveryId }),
  lane: 'quick',
  attempts: 10,
});

/**
 * Notifies one of the previously known addresses that a recovery was approved or completed, each in a separate
 * message.
 */
export const sendRecoveryNotice = defineJob({
  name: 'recovery/send-notice',
  payload: z.strictObject({
    recoveryId,
    what: z.enum(['approved', 'completed']),
    /** The index of the mail address; null: the telephone. */
    place: z.number().int().min(0).nullable(),
    at: z.iso.datetime(),
  }),
  lane: 'quick',
  attempts: 10,
});

export interface RecoveryMailOptions {
  database: Database;
  signing: Signing;
  mailer: Mailer;
  texter: Texter;
  /** The public address of the product. */
  publicUrl: string;
}

interface Row {
  account_id: string;
  state: string;
  email: string;
  language_code: string;
  own_language: string;
  time_zone: string;
  expires_at: Date;
  usable_at: Date | null;
  told_emails: string[];
  told_phone: string | null;
}

/** A moment in a form for every language, with its time zone. */
const moment = (at: Date, timeZone: string) =>
  `${new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(at)} (${timeZone.replaceAll('_', ' ')})`;

export function recoveryMailWorks({
  database,
  signing,
  mailer,
  texter,
  publicUrl,
}: RecoveryMailOptions): Work[] {
  const { host } = new URL(publicUrl);
  const read = async (tx: Tx, id: string) => {
    const [row] = await tx.rows<Row>(
      `select r.account_id, r.state, r.email, r.language_code, a.language_code as own_language, a.time_zone,
         r.expires_at, r.usable_at, r.told_emails, r.told_phone
       from account_recovery r join account a on a.id = r.account_id where r.id = $1`,
      [id],
    );
    return row;
  };
  return [
    work(tellAdministrators, async ({ recoveryId: id, what, at }) => {
      const told = await database.withScope({ kind: 'identity' }, async (tx) => {
        const row = await read(tx, id);
        if (!row) return [];
        const holds = await heldBy(tx, { accountIds: [row.account_id] });
        const tenantIds = [...new Set(holds.map(({ tenantId }) => tenantId))];
        const policies = await policiesOf(tx, tenantIds);
        const account = { id: row.account_id, holds };
        const ids = (await heldBy(tx, { tenantIds }))
          .filter((one) => administersUsers(policies, one) && refusalFor(policies, one, account) === null)
          .map(({ accountId }) => accountId);
        return tx.rows<{ id: string; email: string; language_code: string }>(
          'select id, email, language_code from account where id = any ($1::uuid[]) order by id',
          [[...new Set(ids)]],
        );
      });
      for (const { id: accountId, email, language_code } of told) {
        const { language, words } = recoveryWords(language_code);
        await mailer.send({
          id: `${id}-${what}-${accountId}`,
          to: email,
          ...words[what]({ address: addressFor(publicUrl, language) }),
          language,
          at: new Date(at),
        });
      }
    }),
    work(sendRecoveryCode, async ({ recoveryId: id }) => {
      const row = await database.withScope({ kind: 'identity' }, (tx) => read(tx, id));
      // It was stopped, or is too late to be of use.
      if (row?.state !== 'approved' || row.expires_at <= new Date()) return;
      const { language, words } = recoveryWords(row.language_code);
      await mailer.send({
        id: `${id}-code`,
        to: row.email,
        ...words.code({
          host,
          address: addressFor(publicUrl, language),
          code: signing.accountRecoveryCode(id, 'complete'),
          from: moment(row.usable_at!, row.time_zone),
          until: moment(row.expires_at, row.time_zone),
        }),
        language,
        at: new Date(),
      });
    }),
    work(sendRecoveryNotice, async ({ recoveryId: id, what, place, at }) => {
      const row = await database.withScope({ kind: 'identity' }, (tx) => read(tx, id));
      // A recovery that is over cannot be stopped.
      if (!row || (what === 'approved' && row.state !== 'approved')) return;
      const { language, words } = recoveryWords(row.own_language);
      const said =
        what === 'approved'
          ? words.approved({
              host,
              address: addressFor(publicUrl, language),
              code: signing.accountRecoveryCode(id, 'stop'),
              from: moment(row.usable_at!, row.time_zone),
            })
          : words.completed({ host });
      const envelope = { id: `${id}-${what}-${place ?? 'phone'}`, language, at: new Date(at) };
      if (place !== null) await mailer.send({ ...envelope, to: row.told_emails[place]!, ...said });
      else if (row.told_phone) await texter.send({ ...envelope, to: row.told_phone, text: said.text });
    }),
  ];
}
