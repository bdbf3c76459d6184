import type { ContactChange } from '@caseway/contract/profile';
import { v7 } from 'uuid';
import { z } from 'zod';
import { auditAccount } from '../audit/auditor.ts';
import type { Database, Tx } from '../db/database.ts';
import { changesBetween } from '../http/acting.ts';
import { AppError } from '../http/app-error.ts';
import { defineJob, enqueue, type Work, work } from '../jobs/jobs.ts';
import { mailTextFor, mailWith } from '../mail/mail-texts.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Texter } from '../mail/texter.ts';
import { noticeIn } from './account-notices.ts';
import { awaitSignIns, changeAddresses } from './addresses.ts';
import { raiseVersions } from './memberships.ts';
import { tell } from './second-factors.ts';
import type { Caller } from './sessions.ts';
import type { Signing } from './signing.ts';

/** Two messages have to arrive, so the codes are valid longer than sign-in codes. */
export const contactLimits = { minutes: 15, tries: 5, changes: 3, changesMinutes: 15 } as const;

const sendContactCode = defineJob({
  name: 'auth/send-contact-code',
  payload: z.strictObject({ changeId: z.uuid(), place: z.enum(['new', 'present']) }),
  lane: 'quick',
  attempts: 6,
});
const sendContactNotice = defineJob({
  name: 'auth/send-contact-notice',
  payload: z.strictObject({ changeId: z.uuid() }),
  lane: 'quick',
  attempts: 10,
});

export interface BegunChange {
  details: string;
  present: { by: 'EMAIL' | 'SMS'; destination: string };
  expiresAt: Date;
}

/**
 * Changes of a person's own email address or telephone number. Both the new and the current address have to answer,
 * so that someone at an unlocked screen cannot take over the account, and nobody can enter another person's address.
 * In the scope `identity`.
 */
export interface ContactChanges {
  /** Throws `too-many-requests` if codes were requested too often. */
  begin(tx: Tx, accountId: string, wanted: ContactChange): Promise<BegunChange>;
  /**
   * `wrong`: one of the codes is wrong; `over`: it has expired, was tried too often, or is done; `taken`: another
   * person has the address, which only someone who receives mail there learns.
   */
  confirm(
    tx: Tx,
    accountId: string,
    given: { details: string; newCode: string; presentCode: string },
    caller: Caller,
  ): Promise<'done' | 'wrong' | 'over' | 'taken'>;
  removePhone(tx: Tx, accountId: string, caller: Caller): Promise<boolean>;
}

interface Change {
  id: string;
  kind: 'EMAIL' | 'PHONE';
  value: string;
  previous: string | null;
}

export function createContactChanges(signing: Signing): ContactChanges {
  return {
    async begin(tx, accountId, wanted) {
      const [account] = await tx.rows<{ email: string | null; phone: string | null; recent: number }>(
        `select email, sign_in_phone as phone, (select count(*) from contact_change c
           where c.account_id = a.id and c.created_at > now() - make_interval(mins => $2)) as recent
         from account a where id = $1 for update`,
        [accountId, contactLimits.changesMinutes],
      );
      if (!account) throw new AppError('session-expired');
      if (account.recent >= contactLimits.changes)
        throw new AppError('too-many-requests', { retryAfter: contactLimits.changesMinutes * 60 });
      // Some patients have no current address to confirm.
      const bySms =
        account.phone !== null &&
        (account.email === null || (wanted.kind === 'PHONE' && wanted.presentBy === 'SMS'));
      const id = v7();
      const [row] = await tx.rows<{ expires_at: Date }>(
        `insert into contact_change (id, account_id, kind, value, previous, present_by, expires_at)
         values ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7)) returning expires_at`,
        [
          id,
          accountId,
          wanted.kind,
          wanted.value,
          wanted.kind === 'EMAIL' ? account.email : account.phone,
          bySms ? 'SMS' : 'EMAIL',
          contactLimits.minutes,
        ],
      );
      for (const place of ['new', 'present'] as const)
        await enqueue(tx, sendContactCode, { changeId: id, place });
      return {
        details: await signing.ownDetails('contact', accountId, id, row!.expires_at),
        present: bySms
          ? { by: 'SMS', destination: account.phone! }
          : { by: 'EMAIL', destination: account.email! },
        expiresAt: row!.expires_at,
      };
    },

    async confirm(tx, accountId, { details, newCode, presentCode }, caller) {
      const id = await signing.readOwnDetails('contact', accountId, details);
      if (!id) return 'over';
      await raiseVersions(tx, accountId);
      await awaitSignIns(tx, accountId);
      // Changes of one account run one at a time, because each ends the others that were begun.
      const before = await addressesOf(tx, accountId);
      // By the clock, not by when this transaction began: the other transaction may have begun later and locked the
      // account first.
      const [change] = await tx.rows<Change>(
        `update contact_change set tries = tries + 1
         where id = $1 and account_id = $2 and completed_at is null and expires_at > clock_timestamp() and tries < $3
         returning id, kind, value, previous`,
        [id, accountId, contactLimits.tries],
      );
      if (!change) return 'over';
      const right = [
        signing.isContactCode(id, 'new', newCode),
        signing.isContactCode(id, 'present', presentCode),
      ];
      if (right.includes(false)) {
        await auditAccount(tx, accountId, 'account/contact-change-failed', { ...caller, kind: change.kind });
        return 'wrong';
      }
      if (change.kind === 'EMAIL' && (await isTaken(tx, accountId, change.value))) return 'taken';
      await tx.run('update contact_change set completed_at = now() where id = $1', [id]);
      if (change.kind === 'EMAIL') {
        // People who sign in with their address continue to do so.
        await changeAddresses(tx, accountId, () =>
          tx.run(
            `update account set email = $2,
               username = case when patient_id is null and username = lower(email) then lower($2) else username end
             where id = $1`,
            [accountId, change.value],
          ),
        );
        await auditAccount(tx, accountId, 'account/email-changed', {
          ...caller,
          ...toLog(before, { email: change.value }),
        });
        await enqueue(tx, sendContactNotice, { changeId: id });
      } else {
        await changeAddresses(tx, accountId, () =>
          tx.run('update account set phone = $2, phone_confirmed = true where id = $1', [
            accountId,
            change.value,
          ]),
        );
        await tell(tx, accountId, 'phone-changed', caller, toLog(before, { phone: change.value }));
      }
      return 'done';
    },

    async removePhone(tx, accountId, caller) {
      await raiseVersions(tx, accountId);
      await awaitSignIns(tx, accountId);
      const before = await addressesOf(tx, accountId);
      const removed = await changeAddresses(tx, accountId, () =>
        tx.run(
          'update account set phone = null, phone_confirmed = false where id = $1 and phone is not null',
          [accountId],
        ),
      );
      if (removed) await tell(tx, accountId, 'phone-removed', caller, toLog(before, { phone: null }));
      return removed > 0;
    },
  };
}

interface Addresses {
  email: string | null;
  phone: string | null;
  isPatient: boolean;
}

/** The addresses of an account, locked until the transaction has ended. In the scope `identity`. */
async function addressesOf(tx: Tx, accountId: string): Promise<Addresses> {
  const [account] = await tx.rows<Addresses>(
    'select email, phone, patient_id is not null as "isPatient" from account where id = $1 for update',
    [accountId],
  );
  if (!account) throw new AppError('session-expired');
  return account;
}

/** The addresses before and after, for the log. Patients' addresses are not logged. [P16] */
function toLog(
  { isPatient, ...before }: Addresses,
  after: Partial<Pick<Addresses, 'email' | 'phone'>>,
): Record<string, unknown> {
  return isPatient ? {} : { ...changesBetween(before, { ...before, ...after }) };
}

/** Whether another member of staff has the address. Patients may share one, as families do. */
export async function isTaken(tx: Tx, accountId: string, email: string): Promise<boolean> {
  const found = await tx.rows(
    `select from account other join account own on own.id = $1
     where other.id <> own.id and other.patient_id is null and own.patient_id is null
       and (other.username = lower($2) or lower(other.email) = lower($2)) limit 1`,
    [accountId, email],
  );
  return found.length > 0;
}

export interface ContactMailOptions {
  database: Database;
  signing: Signing;
  mailer: Mailer;
  texter: Texter;
  /** Host name of the product's address, named in the text. */
  host: string;
}

/** Sends the codes, and the notice to a previous email address. */
export function contactWorks({ database, signing, mailer, texter, host }: ContactMailOptions): Work[] {
  const find = (changeId: string, kind: 'contact-new' | 'contact-present' | 'notice', state: string) =>
    database.withScope({ kind: 'identity' }, async (tx) => {
      const [row] = await tx.rows<
        Change & {
          account_id: string;
          present_by: 'EMAIL' | 'SMS';
          email: string | null;
          phone: string | null;
          isPatient: boolean;
          language_code: string;
          at: Date;
        }
      >(
        `select c.id, c.account_id, c.kind, c.value, c.previous, c.present_by, a.email, a.sign_in_phone as phone, a.language_code,
           a.patient_id is not null as "isPatient",
           coalesce(c.completed_at, c.created_at) as at
         from contact_change c join account a on a.id = c.account_id where c.id = $1 and ${state}`,
        [changeId],
      );
      if (!row) return undefined;
      const own = row.isPatient ? (`patient-${kind}` as const) : kind;
      return { ...row, ...(await mailTextFor(tx, { accountId: row.account_id }, own, row.language_code)) };
    });
  return [
    work(sendContactCode, async ({ changeId, place }) => {
      const waiting = 'c.completed_at is null and c.expires_at > now()';
      const change = await find(changeId, `contact-${place}`, waiting);
      if (!change) return;
      const { text, ...mail } = mailWith(change.text, {
        host,
        code: signing.contactCode(changeId, place),
        minutes: String(contactLimits.minutes),
      });
      const envelope = { id: `${changeId}-${place}`, language: change.language, at: change.at };
      const bySms = place === 'new' ? change.kind === 'PHONE' : change.present_by === 'SMS';
      if (bySms) {
        const to = place === 'new' ? change.value : change.phone;
        if (to) await texter.send({ ...envelope, to, text });
        return;
      }
      const to = place === 'new' ? change.value : change.email;
      if (to) await mailer.send({ ...envelope, to, ...mail, text });
    }),
    work(sendContactNotice, async ({ changeId }) => {
      const change = await find(changeId, 'notice', 'c.completed_at is not null');
      if (!change?.previous) return;
      await mailer.send({
        id: `${changeId}-notice`,
        to: change.previous,
        ...mailWith(change.text, {
          host,
          what: noticeIn(change.language, 'email-changed', change.isPatient),
        }),
        language: change.language,
        at: change.at,
      });
    }),
  ];
}
