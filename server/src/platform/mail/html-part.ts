import { sidesOf } from '@caseway/contract/logo';
import type { Message } from './mailer.ts';

/* The HTML part of an email, made from the same text as its plain part. It loads nothing and has no script. */

/** What the HTML part calls the image that comes with it. */
export const logoId = 'logo@caseway';
/** The largest that it is shown, in pixels. */
const logoRoom = { width: 220, height: 56 };

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => escapes[one]!);

/** An address of the product as a link; other addresses, for example within a name, stay words. */
function linked(text: string, publicUrl: string | undefined): string {
  if (publicUrl === undefined) return escaped(text);
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) => {
      // Punctuation after an address is no part of it.
      const address = part.replace(/[.,;:!?)]+$/, '');
      const isOwn = address === publicUrl || address.startsWith(`${publicUrl}/`);
      return isOwn
        ? `<a href="${escaped(address)}">${escaped(address)}</a>${escaped(part.slice(address.length))}`
        : escaped(part);
    })
    .join('');
}

/** Colors are the reader's own, in a dark theme too; only lines have one, and what is behind a logo. */
const styles = {
  body: 'margin:0;padding:24px 16px;font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5',
  page: 'max-width:560px;margin:0 auto',
  head: 'margin:0 0 20px;padding:0 0 12px;border-bottom:1px solid #8a8f98;font-size:18px;font-weight:600',
  // Logos are drawn for paper.
  logo: 'display:inline-block;padding:6px;border-radius:6px;background:#ffffff;color:#1a1a1a;border:0',
  part: 'margin:0 0 16px;overflow-wrap:anywhere',
  code: 'margin:0 0 16px;font-size:28px;font-weight:600;letter-spacing:4px',
  foot: 'margin:24px 0 0;padding:12px 0 0;border-top:1px solid #8a8f98;font-size:14px',
} as const;

/** The lines below a message that say whom it is from, the same in both parts. */
export const signatureOf = ({ department }: Pick<Message, 'department'>): string[] =>
  department ? [department.name, department.phone].map(inOneLine).filter((line) => line !== '') : [];

/** A name may contain a line break; a header and a signature must not. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The logo with the name as its text, or else the name. */
function headOf({ name, logo }: NonNullable<Message['department']>): string {
  const text = escaped(inOneLine(name));
  if (!logo) return text;
  const sides = sidesOf(logo);
  const scale = Math.min(1, logoRoom.width / sides.width, logoRoom.height / sides.height);
  const [width, height] = [sides.width, sides.height].map((side) => Math.max(1, Math.round(side * scale)));
  return `<img src="cid:${logoId}" alt="${text}" width="${width}" height="${height}" style="${styles.logo}">`;
}

export function htmlPart(
  { subject, text, language, department }: Pick<Message, 'subject' | 'text' | 'language' | 'department'>,
  publicUrl?: string,
): string {
  const parts = text
    .trim()
    .split(/\n[ \t]*\n/)
    .map((part) => {
      const isCode = /^\s*\d{6}\s*$/.test(part);
      const lines = part
        .split('\n')
        .map((line) => linked(line.trimEnd(), publicUrl).replace(/^ +/, '&nbsp;&nbsp;'));
      return `<p style="${isCode ? styles.code : styles.part}">${isCode ? part.trim() : lines.join('<br>\n')}</p>`;
    });
  const signature = signatureOf({ department });
  return `<!doctype html>
<html lang="${escaped(language)}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(inOneLine(subject))}</title>
<style>:root{color-scheme:light dark}</style>
</head>
<body style="${styles.body}">
<div lang="${escaped(language)}" dir="ltr" style="${styles.page}">
${department ? `<p style="${styles.head}">${headOf(department)}</p>\n` : ''}${parts.join('\n')}
${signature.length > 1 || department?.logo ? `<p style="${styles.foot}">${signature.map(escaped).join('<br>\n')}</p>\n` : ''}</div>
</body>
</html>
`;
}
