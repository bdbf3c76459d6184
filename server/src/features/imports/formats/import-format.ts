import { importFault } from '@caseway/contract/import-fault';
import type { ImportFault } from '../../reported/report.ts';
import type { CsvDialect, OpenSource } from './csv-read.ts';
import { detectCsv, readCsv } from './csv-read.ts';
import { isHl7Queue } from './hl7-queue.ts';

/** The kinds of files: messages, a table, or a table of messages. */
export type ImportFormat =
  | { format: 'hl7' }
  | { format: 'csv'; dialect: CsvDialect }
  | { format: 'hl7-queue'; dialect: CsvDialect };

const sampleSize = 64 * 1024;
/** The number of bytes in which the first rows are searched for, because a file can consist of blank rows. */
const firstRowsSize = 2 * 1024 * 1024;

/** Formats that are recognized by their first bytes (as Latin-1), so that the refusal can name them. */
const signatures: [string, string][] = [
  ['PK\x03\x04', 'a workbook or a ZIP archive'],
  ['\xd0\xcf\x11\xe0', 'an old Excel workbook'],
  ['%PDF', 'a PDF document'],
  ['\x1f\x8b', 'a gzip archive'],
];
const forms: [RegExp, string][] = [
  [/^\s*<\?xml|^\s*<[A-Za-z!]/, 'XML'],
  [/^\s*[{[]\s*["{\]]/, 'JSON'],
];

/** How a message, a batch or a file of batches begins. */
const begins = /^\s*(MSH|FHS|BHS)[^A-Za-z0-9]/;

/** Finds the format of a file by its content, not its name; a fault if it cannot be imported. */
export async function detectFormat(open: OpenSource): Promise<ImportFormat | ImportFault> {
  const sample = await sampleOf(open);
  // MLLP framing or a byte-order mark may precede a header.
  const text = sample
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .replaceAll('\x0b', '')
    .replaceAll('\x1c', '');
  if (begins.test(text)) return { format: 'hl7' };
  const foreign =
    signatures.find(([bytes]) => text.startsWith(bytes)) ?? forms.find(([pattern]) => pattern.test(text));
  if (foreign) return importFault('error', 'file-format-unsupported', 'file', 1, { format: foreign[1] });
  // Tables are read in UTF-16 if there is a byte-order mark; messages never are.
  const told = text.replace(/^\xff\xfe|^\xfe\xff/, '');
  if (isWide(told) && (told === text || begins.test(told.replaceAll('\0', ''))))
    return importFault('error', 'file-encoding-unsupported', 'file', 1, { encoding: 'UTF-16' });
  const dialect = await detectCsv(open);
  const hasHeader = /[\r\n][ \t]*MSH[^A-Za-z0-9\s]/.test(text);
  if ('code' in dialect) return hasHeader ? { format: 'hl7' } : dialect;
  const { header, rows } = await firstRows(open, dialect);
  if (header.some((cell) => cell.length > 0) && isHl7Queue(header, rows))
    return { format: 'hl7-queue', dialect };
  return hasHeader ? { format: 'hl7' } : { format: 'csv', dialect };
}

/** Whether it is UTF-16 text, by its bytes: in text with Latin letters exactly every second byte is NUL. */
function isWide(text: string): boolean {
  const of = (parity: number) => {
    let nuls = 0;
    for (let at = parity; at < text.length; at += 2) if (text[at] === '\0') nuls++;
    return nuls;
  };
  const [even, odd] = [of(0), of(1)];
  return Math.min(even, odd) === 0 && Math.max(even, odd) > text.length * 0.4;
}

async function sampleOf(open: OpenSource): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of open()) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= sampleSize) break;
  }
  return Buffer.concat(chunks).subarray(0, sampleSize);
}

async function* beginningOf(open: OpenSource, size: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of open()) {
    yield chunk;
    read += chunk.byteLength;
    if (read >= size) return;
  }
}

async function firstRows(
  open: OpenSource,
  dialect: CsvDialect,
): Promise<{ header: string[]; rows: string[][] }> {
  let header: string[] = [];
  const rows: string[][] = [];
  for await (const item of readCsv(() => beginningOf(open, firstRowsSize), dialect)) {
    if (item.kind === 'header') header = item.cells;
    else if (item.kind === 'row') rows.push(item.cells);
    if (rows.length >= 20) break;
  }
  return { header, rows };
}
