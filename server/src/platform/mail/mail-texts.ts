import { filled, type MailKind, type MailPlaceholder, type MailText } from '@caseway/contract/mail-text';
import { languages } from '@caseway/contract/session';
import type { Tx } from '../db/database.ts';
import { wordsIn } from '../words/words.ts';
import { builtInTexts } from './built-in-texts.ts';
import { type Department, departmentColumns, type Message } from './mailer.ts';

/**
 * The product's own text of a message in a language, or in English if there is none, in the words of the
 * organisation's experience. [S1.5]
 */
export function builtInText(
  kind: MailKind,
  languageCode: string,
  experience: string,
): { text: MailText; language: string } {
  const base = languageCode.split('-')[0]!;
  const language = Object.hasOwn(builtInTexts, base) ? (base as keyof typeof builtInTexts) : 'en';
  const words = wordsIn('portal', language, experience);
  const { subject, body } = builtInTexts[language][kind];
  const said = body.replaceAll(/\[\[(\w+)\]\]/g, (_, name: string) => words(`mail.${name}`)!);
  return { text: { subject, body: said }, language };
}

/** The text of a message, and whom it is from; null for a message that names nobody. */
export type TextToSend = MailText & { department: Department | null };

/** Messages to an address that nobody has confirmed name nobody, not even the department. [P12] */
const unsigned: readonly MailKind[] = ['contact-new', 'patient-contact-new'];

/**
 * The text of a message to an account: the tenant's own, or else the product's in the wording of the tenant's
 * experience; in the account's language, its base language, or English. An account of several tenants, or one of
 * several possible people, gets the product's text, unless the message is about one tenant. In the scope `identity`.
 */
export async function mailTextFor(
  tx: Tx,
  whose: { accountId: string | null } | { tenantId: string },
  kind: MailKind,
  languageCode: string,
): Promise<{ text: TextToSend; language: string }> {
  const known = (tag: string) => languages.find((one) => one.toLowerCase() === tag.toLowerCase());
  // The closest first: an account in British English gets the tenant's American words rather than ours.
  const wanted = [
    ...new Set(
      [known(languageCode), known(languageCode.split('-')[0]!) ?? 'en'].filter((tag) => tag !== undefined),
    ),
  ];
  const own = `select tenant_id from membership where account_id = $1 and ended_at is null
    union select patient_tenant_id from account where id = $1 and patient_tenant_id is not null`;
  const [found] = await tx.rows<
    Department & { experience: string; own: (MailText & { language: string }) | null }
  >(
    `with own as (${'tenantId' in whose ? 'select $1::uuid as tenant_id' : own})
     select experience, ${departmentColumns}, (
       select jsonb_build_object('language', m.language, 'subject', m.subject, 'body', m.body) from mail_text m
       where m.tenant_id = t.id and m.kind = $2 and m.language = any ($3::text[])
       order by array_position($3::text[], m.language) limit 1) as own
     from tenant t where t.id = (select tenant_id from own where (select count(*) from own) = 1)`,
    ['tenantId' in whose ? whose.tenantId : whose.accountId, kind, wanted],
  );
  const department =
    found && !unsigned.includes(kind) ? { name: found.name, phone: found.phone, logo: found.logo } : null;
  if (!found?.own) {
    const { text, language } = builtInText(kind, languageCode, found?.experience ?? 'PUBLIC_HEALTH');
    return { text: { ...text, department }, language };
  }
  const { language, ...text } = found.own;
  return { text: { ...text, department }, language };
}

/** The link in a message, which opens the product in the language of the message. */
export const addressFor = (publicUrl: string, language: string): string =>
  language === 'en' ? publicUrl : `${publicUrl}/${language}`;

/** Subject and body with their values filled in. */
export const mailWith = (
  { subject, body, department }: TextToSend,
  values: Readonly<Partial<Record<MailPlaceholder, string>>>,
): Pick<Message, 'subject' | 'text' | 'department'> => ({
  subject: filled(subject, values),
  text: filled(body, values),
  department,
});
