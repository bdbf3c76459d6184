import { v5 } from 'uuid';
import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { tell } from '../../platform/inbox/tell.ts';
import { defineJob, type Work, work } from '../../platform/jobs/jobs.ts';
import { type Department, departmentColumns, type Mailer } from '../../platform/mail/mailer.ts';
import { membersWhoMay } from '../../platform/policy/who-may.ts';

/**
 * Notifies the privacy officers of a tenant that someone opened a hidden record, without saying which one or why. [P16]
 */
export const tellOfficers = defineJob({
  name: 'break-glass/tell-officers',
  payload: z.strictObject({ tenantId: z.uuid(), accessId: z.uuid(), at: z.iso.datetime() }),
  lane: 'quick',
  attempts: 10,
});

interface Words {
  subject: (tenant: string) => string;
  text: (tenant: string, address: string) => string;
}

export const officersWords: Readonly<Record<'en' | 'es' | 'ht', Words>> = {
  en: {
    subject: (tenant) => `Caseway: a hidden record was opened at ${tenant}`,
    text: (tenant, address) =>
      `Hello,\n\nSomebody at ${tenant} asked to open a record that is hidden from them, and gave a reason. See who it was, why and until when:\n\n${address}/admin/privacy\n\nLook at it, and end the access if the reason is not good enough.`,
  },
  es: {
    subject: (tenant) => `Caseway: se abrió un registro oculto en ${tenant}`,
    text: (tenant, address) =>
      `Hola:\n\nAlguien de ${tenant} pidió abrir un registro que no puede ver normalmente e indicó un motivo. Quién fue, por qué y hasta cuándo está aquí:\n\n${address}/admin/privacy\n\nRevíselo y retire el acceso si el motivo no lo justifica.`,
  },
  ht: {
    subject: (tenant) => `Caseway: yo louvri yon dosye ki kache nan ${tenant}`,
    text: (tenant, address) =>
      `Bonjou,\n\nYon moun nan ${tenant} mande louvri yon dosye ki kache pou li, epi li bay yon rezon. Ki moun, poukisa ak jiska kilè, men kote sa ye:\n\n${address}/admin/privacy\n\nGade l, epi retire aksè a si rezon an pa bon.`,
  },
};

export interface OfficersOptions {
  database: Database;
  mailer: Mailer;
  /** The public address of the product. */
  publicUrl: string;
}

export const officersWork = ({ database, mailer, publicUrl }: OfficersOptions): Work =>
  work(tellOfficers, async ({ tenantId, accessId, at }) => {
    const { tenant, department, officers } = await database.withScope({ kind: 'identity' }, async (tx) => {
      const [named] = await tx.rows<Department>(`select ${departmentColumns} from tenant where id = $1`, [
        tenantId,
      ]);
      return {
        tenant: named?.name ?? '',
        department: named ?? null,
        officers: await membersWhoMay(tx, tenantId, ['privacy/officer'], ['T']),
      };
    });
    await database.withScope({ kind: 'service', tenantId }, (tx) =>
      tell(
        tx,
        { tenantId, recordKind: 'break-glass', actorId: null },
        officers.map(({ accountId: to }) => ({
          kind: 'glass-opened',
          recordId: accessId,
          to,
          // The inbox is ordered by id, and the access's id begins with its time.
          id: accessId.slice(0, 18) + v5(to, accessId).slice(18),
        })),
      ),
    );
    for (const { accountId, email, languageCode } of officers) {
      const base = languageCode.split('-')[0] as keyof typeof officersWords;
      const language = Object.hasOwn(officersWords, base) ? base : 'en';
      await mailer.send({
        id: `${accessId}-${accountId}`,
        to: email,
        subject: officersWords[language].subject(tenant),
        text: officersWords[language].text(tenant, publicUrl),
        department,
        language,
        at: new Date(at),
      });
    }
  });
