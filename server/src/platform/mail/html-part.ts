import type { Message } from './mailer.ts';

/* The HTML part of an email, made from the same text as its plain part. It loads nothing and has no script. */

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

/** Colors are the reader's own, in a dark theme too; only the lines between parts have one. */
const styles = {
  body: 'margin:0;padding:24px 16px;font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5',
  page: 'max-width:560px;margin:0 auto',
  head: 'margin:0 0 20px;padding:0 0 12px;border-bottom:1px solid #8a8f98;font-size:18px;font-weight:600',
  part: 'margin:0 0 16px;overflow-wrap:anywhere',
  code: 'margin:0 0 16px;font-size:28px;font-weight:600;letter-spacing:4px',
  foot: 'margin:24px 0 0;padding:12px 0 0;border-top:1px solid #8a8f98;font-size:14px',
} as const;

/** The lines below a message that say whom it is from, the same in both parts. */
export const signatureOf = ({ department }: Pick<Message, 'department'>): string[] =>
  department ? [department.name, department.phone].map(inOneLine).filter((line) => line !== '') : [];

/** A name may contain a line break; a header and a signature must not. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

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
${signature.length > 0 ? `<p style="${styles.head}">${escaped(signature[0]!)}</p>\n` : ''}${parts.join('\n')}
${signature.length > 1 ? `<p style="${styles.foot}">${signature.map(escaped).join('<br>\n')}</p>\n` : ''}</div>
</body>
</html>
`;
}
