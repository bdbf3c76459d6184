import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { z } from 'zod';
import { forgetSignIns, hasSignedIn } from '../../platform/auth/account-state.ts';
import { changeAddresses, leaveSignIns } from '../../platform/auth/addresses.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { defineJob, enqueue, type Work, work } from '../../platform/jobs/jobs.ts';
import { addressFor, mailTextFor, mailWith } from '../../platform/mail/mail-texts.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { Texter } from '../../platform/mail/texter.ts';
import { patientNumberText } from './own-record.ts';

const sendPortalInvitation = defineJob({
  name: 'portal/send-invitation',
  payload: z.strictObject({
    accountId: z.uuid(),
    by: z.enum(['EMAIL', 'SMS']),
    /** The id of the message, so that a retry sends the same message. */
    mailId: z.uuid(),
  }),
  lane: 'quick',
  attempts: 8,
});

/** No two characters look alike, so that people can type them from paper. */
const numberLetters = 'abcdefghjkmnpqrstuvwxyz';
const numberSigns = `${numberLetters}23456789`;
/**
 * One of 700 billion, so that none is repeated. It begins with a letter, so that it is not mistaken for a telephone
 * number.
 */
const newPatientNumber = () =>
  Array.from({ length: 8 }, (_, place) => {
    const signs = place === 0 ? numberLetters : numberSigns;
    return signs[randomInt(signs.length)]!;
  }).join('');

export interface Invitation {
  tenantId: string;
  patientId: string;
  firstName: string;
  lastName: string;
  by: 'EMAIL' | 'SMS';
  to: string;
  languageCode: string;
}

/**
 * Gives a patient an account, or the address to an unused one, and sends the invitation. A person who has signed in
 * before changes their address themselves, and messages go there. In the scope `identity`.
 */
export async function invite(tx: Tx, invitation: Invitation): Promise<void> {
  const { tenantId, patientId, by, to, languageCode } = invitation;
  const [known] = await tx.rows<{ id: string; ended: boolean; signedIn: boolean }>(
    `select a.id, a.disabled_at is not null as ended, ${hasSignedIn} as "signedIn"
     from account a where a.patient_tenant_id = $1 and a.patient_id = $2`,
    [tenantId, patientId],
  );
  // Nobody has signed in with it, or nobody can any more.
  const isBeginning = !known?.signedIn || known.ended;
  // Access that was ended starts over with a new number, like that of a person who has never signed in.
  if (known?.ended) await forgetSignIns(tx, known.id);
  const write = () =>
    tx.rows<{ id: string }>(
      `insert into account as a (id, username, first_name, last_name, email, phone, language_code, patient_tenant_id,
       patient_id, invited_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())
     on conflict (patient_tenant_id, patient_id) where patient_id is not null do update set invited_at = excluded.invited_at,
       username = case when a.disabled_at is null then a.username else excluded.username end, disabled_at = null,
       email = case when $10::boolean then coalesce(excluded.email, a.email) else a.email end,
       phone = case when $10::boolean then coalesce(excluded.phone, a.phone) else a.phone end,
       language_code = case when $10::boolean then excluded.language_code else a.language_code end
     returning id`,
      [
        v7(),
        newPatientNumber(),
        invitation.firstName,
        invitation.lastName,
        by === 'EMAIL' ? to : null,
        by === 'SMS' ? to : null,
        languageCode,
        tenantId,
        patientId,
        isBeginning,
      ],
    );
  const [account] = await (known ? changeAddresses(tx, known.id, write) : write());
  // Someone else may have invited the patient at the same time, to another address.
  if (!known) await leaveSignIns(tx, account!.id);
  await enqueue(tx, sendPortalInvitation, { accountId: account!.id, by, mailId: v7() });
}

/** Ends a patient's access and deletes the address; false if there is none. In the scope `identity`. */
export async function endAccess(tx: Tx, tenantId: string, patientId: string): Promise<boolean> {
  const [account] = await tx.rows<{ id: string }>(
    'select id from account where patient_tenant_id = $1 and patient_id = $2 and disabled_at is null',
    [tenantId, patientId],
  );
  if (!account) return false;
  const ended = await changeAddresses(tx, account.id, () =>
    tx.run(
      `update account set disabled_at = now(), email = null, phone = null where id = $1 and disabled_at is null`,
      [account.id],
    ),
  );
  // New access may be for someone else: a person who signed in before must not come back with it. [P14]
  await tx.run(
    `update session set revoked_at = now(), revoked_because = 'access ended' where account_id = $1 and revoked_at is null`,
    [account.id],
  );
  return ended > 0;
}

export interface InvitationOptions {
  database: Database;
  mailer: Mailer;
  texter: Texter;
  /** The public address of the product. */
  publicUrl: string;
}

/** Sends patients the message that they can see their results. */
export const portalInvitationWork = ({ database, mailer, texter, publicUrl }: InvitationOptions): Work =>
  work(sendPortalInvitation, async ({ accountId, by, mailId }) => {
    const found = await database.withScope({ kind: 'identity' }, async (tx) => {
      const [row] = await tx.rows<{
        email: string | null;
        phone: string | null;
        username: string;
        languageCode: string;
        tenantId: string;
        tenant: string;
        at: Date;
      }>(
        `select a.email, a.phone, a.username, a.language_code as "languageCode", t.id as "tenantId", t.name as tenant, a.invited_at as at
         from account a join tenant t on t.id = a.patient_tenant_id and t.suspended_at is null
         where a.id = $1 and a.disabled_at is null`,
        [accountId],
      );
      const kind = by === 'SMS' ? 'patient-invitation-text' : 'patient-invitation';
      return (
        row && { ...row, ...(await mailTextFor(tx, { tenantId: row.tenantId }, kind, row.languageCode)) }
      );
    });
    const to = by === 'SMS' ? found?.phone : found?.email;
    if (!found || !to) return;
    const { text, ...mail } = mailWith(found.text, {
      tenant: found.tenant,
      address: `${addressFor(publicUrl, found.language)}/patient/sign-in`,
      number: patientNumberText(found.username),
    });
    const envelope = { id: mailId, to, language: found.language, at: found.at };
    if (by === 'SMS') await texter.send({ ...envelope, text });
    else await mailer.send({ ...envelope, ...mail, text });
  });
