import { z } from 'zod';

/*
 * The messages the product sends. Tenants can write their own texts, with values as `{{code}}`. A message
 * goes only to people with an account, and one to an unconfirmed address names no one, so no message reveals
 * to a stranger who has an account. [P12]
 */

export const mailPlaceholders = [
  'code',
  'minutes',
  'host',
  'address',
  'name',
  'email',
  'organizations',
  'tenant',
  'number',
  'what',
  'when',
  'how',
] as const;
export type MailPlaceholder = (typeof mailPlaceholders)[number];

interface MailShape {
  placeholders: readonly MailPlaceholder[];
  /** The message is useless without these. */
  required: readonly MailPlaceholder[];
  /** False for text messages. */
  subject: boolean;
}
const codeMessage = { placeholders: ['code', 'minutes', 'host'], required: ['code'] } as const;

const patientInvitation = { placeholders: ['tenant', 'address', 'number'], required: ['address'] } as const;

const visitMessage = { required: ['when', 'address'], subject: true } as const;

/** Every kind of message with its values. */
export const mailShapes = {
  'sign-in-code': { ...codeMessage, subject: true },
  'sign-in-text': { ...codeMessage, subject: false },
  'sign-in-paused': { placeholders: ['host'], required: [], subject: true },
  invitation: {
    placeholders: ['name', 'organizations', 'address', 'email', 'tenant'],
    required: ['address', 'email'],
    subject: true,
  },
  added: {
    placeholders: ['name', 'organizations', 'address', 'tenant'],
    required: ['organizations'],
    subject: true,
  },
  // To someone with an account at another tenant, who decides.
  offered: {
    placeholders: ['name', 'organizations', 'address', 'tenant'],
    required: ['organizations', 'address'],
    subject: true,
  },
  'contact-new': { ...codeMessage, subject: true },
  'contact-present': { ...codeMessage, subject: true },
  notice: { placeholders: ['what', 'host'], required: ['what'], subject: true },
  // The contents of an inbox, as counts by kind.
  inbox: { placeholders: ['what', 'address', 'tenant'], required: ['what', 'address'], subject: true },
  // To patients, who do not know Caseway and would ask their clinic. An invitation may still reach someone
  // else.
  'patient-invitation': { ...patientInvitation, subject: true },
  'patient-invitation-text': { ...patientInvitation, subject: false },
  'patient-code': { ...codeMessage, subject: true },
  'patient-text': { ...codeMessage, subject: false },
  'patient-paused': { placeholders: ['host'], required: [], subject: true },
  'patient-contact-new': { ...codeMessage, subject: true },
  'patient-contact-present': { ...codeMessage, subject: true },
  // About a visit, but not its purpose.
  'patient-reminder': { ...visitMessage, placeholders: ['when', 'how', 'tenant', 'address'] },
  'patient-visit-moved': { ...visitMessage, placeholders: ['when', 'how', 'tenant', 'address'] },
  'patient-visit-cancelled': { ...visitMessage, placeholders: ['when', 'tenant', 'address'] },
  // A new result, without saying so.
  'patient-news': { placeholders: ['tenant', 'address'], required: ['address'], subject: true },
  'patient-notice': { placeholders: ['what', 'host'], required: ['what'], subject: true },
} as const satisfies Readonly<Record<string, MailShape>>;
export type MailKind = keyof typeof mailShapes;
export const mailKinds = Object.keys(mailShapes) as [MailKind, ...MailKind[]];

/** Subject and body; a text message has an empty subject. */
export const mailText = z.strictObject({
  subject: z
    .string()
    .trim()
    .max(200)
    // A line break in the subject would start another header.
    .refine((text) => !/\p{Cc}/u.test(text), { params: { code: 'control-character' } }),
  body: z.string().trim().min(1).max(4000),
});
export type MailText = z.infer<typeof mailText>;

/** The names of the values in a text, each once, sorted. */
export const placeholdersIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\{\s*([\w-]+)[^}]*\}\}/g)].map((match) => match[1]!))].sort();

export type MailFault = 'placeholder-missing' | 'placeholder-unknown' | 'code-line' | 'required';

/**
 * What is wrong with a message's text: a missing or unknown value, a code that is not alone on its line
 * [S10.3], or a code in the subject, which a locked phone shows.
 */
export function mailFaults(
  kind: MailKind,
  { subject, body }: MailText,
): { path: 'subject' | 'body'; code: MailFault }[] {
  const shape: MailShape = mailShapes[kind];
  const known: readonly string[] = shape.placeholders;
  const faults: { path: 'subject' | 'body'; code: MailFault }[] = [];
  if (shape.subject && subject === '') faults.push({ path: 'subject', code: 'required' });
  if (placeholdersIn(subject).some((name) => name === 'code' || !known.includes(name)))
    faults.push({ path: 'subject', code: 'placeholder-unknown' });
  const used = placeholdersIn(body);
  if (used.some((name) => !known.includes(name))) faults.push({ path: 'body', code: 'placeholder-unknown' });
  if (shape.required.some((name) => !used.includes(name)))
    faults.push({ path: 'body', code: 'placeholder-missing' });
  else if (used.includes('code')) {
    const lines = body.split('\n').filter((line) => placeholdersIn(line).includes('code'));
    if (lines.length !== 1 || lines[0]!.trim() !== '{{code}}')
      faults.push({ path: 'body', code: 'code-line' });
  }
  return faults;
}

/** A text with its values filled in; empty text stays empty. */
export const filled = (text: string, values: Readonly<Partial<Record<string, string>>>): string =>
  text.replace(/\{\{\s*([\w-]+)[^}]*\}\}/g, (_, name: string) => values[name] ?? '');
