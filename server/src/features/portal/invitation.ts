import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { Database, Tx } from '../../platform/db/database.ts';
import { defineJob, enqueue, type Work, work } from '../../platform/jobs/jobs.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { Texter } from '../../platform/mail/texter.ts';
import { patientNumberText } from './own-record.ts';

const sendPortalInvitation = defineJob({
  name: 'portal/send-invitation',
  payload: z.strictObject({
    accountId: z.uuid(),
    by: z.enum(['EMAIL', 'SMS']),
    /** The message's, so that one that is tried twice is one message. */
    mailId: z.uuid(),
  }),
  lane: 'quick',
  attempts: 8,
});

/** Nothing in them looks like another: read from paper, they are typed rightly. */
const numberLetters = 'abcdefghjkmnpqrstuvwxyz';
const numberSigns = `${numberLetters}23456789`;
/** Of 700 billion, so that none comes twice; it begins with a letter and is never taken for a telephone number. */
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
 * Gives a patient an account, or the address to one that nobody has used yet, and sends the invitation. Whoever has signed
 * in before changes their address themselves, and is written to there. In the scope `identity`.
 */
export async function invite(tx: Tx, invitation: Invitation): Promise<void> {
  const { tenantId, patientId, by, to, languageCode } = invitation;
  const [account] = await tx.rows<{ id: string }>(
    `insert into account as a (id, username, first_name, last_name, email, phone, language_code, patient_tenant_id,
       patient_id, invited_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())
     on conflict (patient_tenant_id, patient_id) where patient_id is not null do update set invited_at = now(),
       email = case when a.last_sign_in_at is null then coalesce(excluded.email, a.email) else a.email end,
       phone = case when a.last_sign_in_at is null then coalesce(excluded.phone, a.phone) else a.phone end,
       language_code = case when a.last_sign_in_at is null then excluded.language_code else a.language_code end
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
    ],
  );
  await enqueue(tx, sendPortalInvitation, { accountId: account!.id, by, mailId: v7() });
}

interface Words {
  subject: (tenant: string) => string;
  mail: (tenant: string, address: string, number: string) => string;
  text: (tenant: string, address: string, number: string) => string;
}

const words: Record<'en' | 'es' | 'ht', Words> = {
  en: {
    subject: (tenant) => `See your health results from ${tenant}`,
    mail: (tenant, address, number) =>
      `Hello,\n\nyou can now see your health results from ${tenant} on your phone or computer.\n\nOpen ${address} and enter this email address. You will get a code. Then you are asked for your date of birth. There is no password.\n\nYour patient number is ${number}. You need it only if somebody else in your family uses the same email address or phone.\n\nIf this message is not for you, you do not need to do anything.`,
    text: (tenant, address, number) =>
      `${tenant}: you can now see your health results at ${address}. Sign in with this phone number and your date of birth. Patient number: ${number}`,
  },
  es: {
    subject: (tenant) => `Vea sus resultados de salud de ${tenant}`,
    mail: (tenant, address, number) =>
      `Hola:\n\nYa puede ver sus resultados de salud de ${tenant} en su teléfono o computadora.\n\nAbra ${address} y escriba este correo electrónico. Recibirá un código. Después le preguntaremos su fecha de nacimiento. No hay contraseña.\n\nSu número de paciente es ${number}. Solo lo necesita si alguien más de su familia usa el mismo correo o teléfono.\n\nSi este mensaje no es para usted, no tiene que hacer nada.`,
    text: (tenant, address, number) =>
      `${tenant}: ya puede ver sus resultados de salud en ${address}. Entre con este número de teléfono y su fecha de nacimiento. Número de paciente: ${number}`,
  },
  ht: {
    subject: (tenant) => `Gade rezilta sante ou yo nan ${tenant}`,
    mail: (tenant, address, number) =>
      `Bonjou,\n\nKounye a ou ka wè rezilta sante ou yo nan ${tenant} sou telefòn ou oswa òdinatè ou.\n\nLouvri ${address} epi ekri imèl sa a. W ap resevwa yon kòd. Apre sa, n ap mande w dat ou fèt. Pa gen modpas.\n\nNimewo pasyan ou se ${number}. Ou bezwen l sèlman si yon lòt moun nan fanmi ou sèvi ak menm imèl la oswa menm telefòn nan.\n\nSi mesaj sa a pa pou ou, ou pa bezwen fè anyen.`,
    text: (tenant, address, number) =>
      `${tenant}: kounye a ou ka wè rezilta sante ou yo sou ${address}. Konekte ak nimewo telefòn sa a epi dat ou fèt. Nimewo pasyan: ${number}`,
  },
};

export interface InvitationOptions {
  database: Database;
  mailer: Mailer;
  texter: Texter;
  /** Where people reach the product. */
  publicUrl: string;
}

/** What writes to patients that they can see their results. */
export const portalInvitationWork = ({ database, mailer, texter, publicUrl }: InvitationOptions): Work =>
  work(sendPortalInvitation, async ({ accountId, by, mailId }) => {
    const [row] = await database.withScope({ kind: 'identity' }, (tx) =>
      tx.rows<{
        email: string | null;
        phone: string | null;
        username: string;
        language: string;
        tenant: string;
        at: Date;
      }>(
        `select a.email, a.phone, a.username, a.language_code as language, t.name as tenant, a.invited_at as at
         from account a join tenant t on t.id = a.patient_tenant_id and t.suspended_at is null
         where a.id = $1 and a.disabled_at is null`,
        [accountId],
      ),
    );
    const to = by === 'SMS' ? row?.phone : row?.email;
    if (!row || !to) return;
    const base = row.language.split('-')[0] as keyof typeof words;
    const language = base in words ? base : 'en';
    const { subject, mail, text } = words[language];
    const said = [row.tenant, `${publicUrl}/patient/sign-in`, patientNumberText(row.username)] as const;
    const envelope = { id: mailId, to, language, at: row.at };
    if (by === 'SMS') await texter.send({ ...envelope, text: text(...said) });
    else await mailer.send({ ...envelope, subject: subject(row.tenant), text: mail(...said) });
  });
