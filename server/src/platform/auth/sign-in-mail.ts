import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { defineJob, type Work, work } from '../jobs/jobs.ts';
import type { Mailer } from '../mail/mailer.ts';
import { signInLimits } from './sign-in.ts';
import type { Signing } from './signing.ts';

export const sendSignInMail = defineJob({
  name: 'auth/send-sign-in-mail',
  payload: z.strictObject({ challengeId: z.uuid() }),
  lane: 'quick',
  // After the fifth the code has lapsed.
  attempts: 5,
});

/** Forgets challenges and failures that no limit counts any more. */
export const forgetSignIns = defineJob({
  name: 'auth/forget-sign-ins',
  payload: z.object({}),
  lane: 'quick',
  attempts: 3,
});

interface Words {
  codeSubject: string;
  code: (host: string, minutes: number) => [before: string, after: string];
  lockedSubject: string;
  locked: (host: string) => string;
}

const words: Record<'en' | 'es' | 'ht', Words> = {
  en: {
    codeSubject: 'Your sign-in code',
    code: (host, minutes) => [
      `Hello,\n\nthis is your code to sign in to Caseway at ${host}:`,
      `It is good for ${minutes} minutes and for one sign-in. If you did not ask for it, you need not do anything: nobody can sign in without it.\n\nGive it to nobody. No one from Caseway will ever ask you for it.`,
    ],
    lockedSubject: 'Sign-in is paused',
    locked: (host) =>
      `Hello,\n\nsomebody asked for a code to sign in to Caseway at ${host} with your account. Too many wrong codes were given for it within the last 24 hours, so no code is sent for the time being.\n\nTry again tomorrow. If it was not you who gave those codes, tell your administrator.`,
  },
  es: {
    codeSubject: 'Su código de acceso',
    code: (host, minutes) => [
      `Hola:\n\nEste es su código para iniciar sesión en Caseway en ${host}:`,
      `Vale durante ${minutes} minutos y para un solo inicio de sesión. Si no lo ha pedido, no tiene que hacer nada: nadie puede iniciar sesión sin él.\n\nNo se lo dé a nadie. Nadie de Caseway se lo pedirá nunca.`,
    ],
    lockedSubject: 'El inicio de sesión está en pausa',
    locked: (host) =>
      `Hola:\n\nAlguien ha pedido un código para iniciar sesión en Caseway en ${host} con su cuenta. En las últimas 24 horas se han introducido demasiados códigos incorrectos, así que por ahora no se envía ninguno.\n\nInténtelo de nuevo mañana. Si no fue usted quien introdujo esos códigos, avise a su administrador.`,
  },
  ht: {
    codeSubject: 'Kòd ou pou konekte',
    code: (host, minutes) => [
      `Bonjou,\n\nMen kòd ou pou konekte nan Caseway sou ${host}:`,
      `Li bon pandan ${minutes} minit epi pou yon sèl koneksyon. Si se pa ou ki te mande l, ou pa bezwen fè anyen: pèsonn pa ka konekte san li.\n\nPa bay pèsonn li. Pèsonn nan Caseway p ap janm mande w li.`,
    ],
    lockedSubject: 'Koneksyon an sou poz',
    locked: (host) =>
      `Bonjou,\n\nYon moun mande yon kòd pou konekte nan Caseway sou ${host} ak kont ou. Yo te antre twòp move kòd nan dènye 24 èdtan yo, kidonk nou p ap voye kòd pou kounye a.\n\nEseye ankò demen. Si se pa ou ki te antre kòd sa yo, avize administratè w la.`,
  },
};

export interface SignInMailOptions {
  database: Database;
  signing: Signing;
  mailer: Mailer;
  /** Host name of the product's address, for the words. */
  host: string;
}

interface Row {
  email: string;
  language_code: string;
  created_at: Date;
  failures: number;
}

/** What sends the codes and later forgets about them. */
export function signInWorks({ database, signing, mailer, host }: SignInMailOptions): Work[] {
  return [
    work(sendSignInMail, async ({ challengeId }) => {
      const row = await database.withScope({ kind: 'identity' }, async (tx) => {
        // Nothing is sent for a name nobody has, nor a code that would arrive too late to be of use.
        const [found] = await tx.rows<Row>(
          `select a.email, a.language_code, c.created_at,
             (select count(*) from sign_in_failure f
              where f.subject = c.subject and f.at > now() - make_interval(hours => $2)) as failures
           from sign_in_challenge c join account a on a.id = c.account_id
           where c.id = $1 and c.sent and c.method = 'EMAIL' and c.consumed_at is null and c.expires_at > now() and a.disabled_at is null`,
          [challengeId, signInLimits.failureHours],
        );
        return found;
      });
      if (!row) return;
      const base = row.language_code.split('-')[0] as keyof typeof words;
      const language = base in words ? base : 'en';
      const { codeSubject, code, lockedSubject, locked } = words[language];
      const [before, after] = code(host, signInLimits.codeMinutes);
      const isLocked = row.failures >= signInLimits.failures;
      await mailer.send({
        id: challengeId,
        to: row.email,
        subject: isLocked ? lockedSubject : codeSubject,
        text: isLocked ? locked(host) : `${before}\n\n${signing.oneTimeCode(challengeId)}\n\n${after}`,
        language,
        at: row.created_at,
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
        });
      },
      '23 * * * *',
    ),
  ];
}
