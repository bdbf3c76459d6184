import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { defineJob, type Work, work } from '../../platform/jobs/jobs.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';

export const sendInvitation = defineJob({
  name: 'users/send-invitation',
  payload: z.strictObject({
    tenantId: z.uuid(),
    /** Memberships of one account. */
    membershipIds: z.array(z.uuid()).min(1).max(50),
    /** The message's, so that one that is tried twice is one message. */
    mailId: z.uuid(),
  }),
  lane: 'quick',
  attempts: 8,
});

interface Words {
  subject: (tenant: string) => string;
  invited: (name: string, orgs: string, address: string, email: string) => string;
  added: (name: string, orgs: string, address: string) => string;
}

const words: Record<'en' | 'es' | 'ht', Words> = {
  en: {
    subject: (tenant) => `Your access to Caseway for ${tenant}`,
    invited: (name, orgs, address, email) =>
      `Hello ${name},\n\nyou have been invited to work in Caseway for:\n\n${orgs}\n\nOpen ${address}/sign-in and enter your email address, ${email}. You will get a one-time code by mail; there is no password to choose.\n\nIf you did not expect this, tell whoever looks after Caseway in your organization. Nothing happens until you sign in.`,
    added: (name, orgs, address) =>
      `Hello ${name},\n\nyou can now also work in Caseway for:\n\n${orgs}\n\nSign in at ${address} as you always do, and choose the organization at the top of the screen.`,
  },
  es: {
    subject: (tenant) => `Su acceso a Caseway para ${tenant}`,
    invited: (name, orgs, address, email) =>
      `Hola, ${name}:\n\nSe le ha invitado a trabajar en Caseway para:\n\n${orgs}\n\nAbra ${address}/sign-in e introduzca su dirección de correo, ${email}. Recibirá un código de un solo uso por correo; no hay que elegir contraseña.\n\nSi no esperaba este mensaje, avise a quien administra Caseway en su organización. No ocurre nada hasta que inicie sesión.`,
    added: (name, orgs, address) =>
      `Hola, ${name}:\n\nAhora también puede trabajar en Caseway para:\n\n${orgs}\n\nInicie sesión en ${address} como siempre y elija la organización en la parte superior de la pantalla.`,
  },
  ht: {
    subject: (tenant) => `Aksè ou nan Caseway pou ${tenant}`,
    invited: (name, orgs, address, email) =>
      `Bonjou ${name},\n\nYo envite w travay nan Caseway pou:\n\n${orgs}\n\nLouvri ${address}/sign-in epi antre adrès imèl ou, ${email}. W ap resevwa yon kòd pou yon sèl fwa nan imèl; pa gen modpas pou chwazi.\n\nSi ou pa t ap tann mesaj sa a, avize moun ki okipe Caseway nan òganizasyon w lan. Anyen p ap fèt toutotan ou pa konekte.`,
    added: (name, orgs, address) =>
      `Bonjou ${name},\n\nKounye a ou ka travay nan Caseway pou:\n\n${orgs}\n\nKonekte sou ${address} jan ou toujou fè l, epi chwazi òganizasyon an anlè ekran an.`,
  },
};

interface Row {
  email: string;
  first_name: string;
  language_code: string;
  invited: boolean;
  invited_at: Date;
  tenant: string;
  orgs: string[];
}

export interface InvitationOptions {
  database: Database;
  mailer: Mailer;
  /** Where people reach the product. */
  publicUrl: string;
}

/** What tells people by mail where they have been invited to. */
export const invitationWork = ({ database, mailer, publicUrl }: InvitationOptions): Work =>
  work(sendInvitation, async ({ tenantId, membershipIds, mailId }) => {
    const row = await database.withScope({ kind: 'identity' }, async (tx) => {
      // Nothing for whoever has been taken out again meanwhile.
      const [found] = await tx.rows<Row>(
        `select a.email, a.first_name, a.language_code, a.last_sign_in_at is null as invited,
           max(m.invited_at) as invited_at, max(t.name) as tenant,
           array_agg(coalesce(o.name, f.name, j.name, t.name) order by coalesce(o.name, f.name, j.name, t.name)) as orgs
         from membership m
         join account a on a.id = m.account_id and a.disabled_at is null
         join tenant t on t.id = m.tenant_id and t.suspended_at is null
         left join organization o on m.org_type = 'O' and o.tenant_id = m.tenant_id and o.id = m.org_id
         left join facility f on m.org_type = 'F' and f.tenant_id = m.tenant_id and f.id = m.org_id
         left join jurisdiction j on m.org_type = 'PHJ' and j.id = m.org_id
         where m.tenant_id = $1 and m.id = any ($2::uuid[]) and m.ended_at is null
         group by a.id`,
        [tenantId, membershipIds],
      );
      return found;
    });
    if (!row) return;
    const base = row.language_code.split('-')[0] as keyof typeof words;
    const language = base in words ? base : 'en';
    const { subject, invited, added } = words[language];
    const orgs = row.orgs.map((name) => `  ${name}`).join('\n');
    await mailer.send({
      id: mailId,
      to: row.email,
      subject: subject(row.tenant),
      text: row.invited
        ? invited(row.first_name, orgs, publicUrl, row.email)
        : added(row.first_name, orgs, publicUrl),
      language,
      at: row.invited_at,
    });
  });
