import { isAscii, isUtf8 } from 'node:buffer';
import { importFault } from '@caseway/contract/import-fault';
import type { ImportFault } from '../../reported/report.ts';

/** HL7 table 0211 (MSH-18) mapped to labels of the Encoding Standard. Upper case, blanks as in the table. */
const labels: Record<string, string> = {
  ASCII: 'us-ascii',
  '8859/1': 'iso-8859-1',
  '8859/2': 'iso-8859-2',
  '8859/3': 'iso-8859-3',
  '8859/4': 'iso-8859-4',
  '8859/5': 'iso-8859-5',
  '8859/6': 'iso-8859-6',
  '8859/7': 'iso-8859-7',
  '8859/8': 'iso-8859-8',
  '8859/9': 'iso-8859-9',
  '8859/15': 'iso-8859-15',
  UNICODE: 'utf-8',
  'UNICODE UTF-8': 'utf-8',
  'UTF-8': 'utf-8',
  UTF8: 'utf-8',
  'GB 18030-2000': 'gb18030',
  'KS X 1001': 'euc-kr',
  'CNS 11643-1992': 'big5',
  'BIG-5': 'big5',
};

/** A message's bytes as text, and the character set that was used. */
interface Decoded {
  text: string;
  charset: string;
  faults: ImportFault[];
}

/**
 * Decodes one message. UTF-8 unless MSH-18 names another character set; text that is valid UTF-8 beyond ASCII is read
 * as UTF-8 despite MSH-18, because many senders declare Latin-1 out of habit, and text is rarely valid UTF-8 by chance.
 * Text that is invalid in every declared set is read as windows-1252, which never fails. NUL becomes U+FFFD, because
 * PostgreSQL text cannot contain it.
 */
export function decodeHl7(raw: Buffer, line: number): Decoded {
  const faults: ImportFault[] = [];
  if (isAscii(raw)) {
    const text = raw.toString('latin1');
    return { text: withoutNul(text, line, faults), charset: 'us-ascii', faults };
  }
  const declared = declaredCharset(raw);
  const named = /^[\w ./-]{1,20}$/.test(declared) ? declared : '?';
  const label = declared === '' ? 'utf-8' : labels[declared.toUpperCase()];
  let used = 'windows-1252';
  if (isUtf8(raw)) used = 'utf-8';
  else if (label !== undefined && label !== 'utf-8' && label !== 'us-ascii') used = label;
  const text = withoutNul(new TextDecoder(used, { ignoreBOM: true }).decode(raw), line, faults);
  if (label === undefined) {
    faults.push(importFault('warning', 'charset-unsupported', 'MSH-18', line, { declared: named, used }));
  } else if (used === 'windows-1252') {
    faults.push(
      importFault('warning', 'charset-fallback', 'MSH-18', line, {
        declared: declared === '' ? 'UTF-8' : named,
        used,
      }),
    );
  } else if (used !== label) {
    faults.push(importFault('warning', 'charset-contradicted', 'MSH-18', line, { declared: named, used }));
  }
  if (text.includes('\ufffd') && faults.every((fault) => fault.code !== 'characters-lost')) {
    faults.push(importFault('warning', 'characters-lost', 'MSH', line));
  }
  return { text, charset: used, faults };
}

function withoutNul(text: string, line: number, faults: ImportFault[]): string {
  if (!text.includes('\0')) return text;
  faults.push(importFault('warning', 'characters-lost', 'MSH', line));
  return text.replaceAll('\0', '\ufffd');
}

/** MSH-18, first repetition, read from the bytes before their character set is known. */
function declaredCharset(raw: Buffer): string {
  const head = raw.toString('latin1', 0, 4096);
  const end = head.search(/[\r\n]/);
  const fields = (end === -1 ? head : head.slice(0, end)).split(head[3] ?? '|');
  const repetition = fields[1]?.[1] ?? '~';
  return (fields[17] ?? '').split(repetition)[0]!.trim();
}
