import { importFault } from '@caseway/contract/import-fault';
import type { Options, Parser } from 'csv-parse';
import { CsvError, parse } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';
import { foldUpper } from '../../../platform/text/fold.ts';
import type { ImportFault } from '../../reported/report.ts';

/** Opens the file from its beginning; called once for each pass. */
export type OpenSource = () => AsyncIterable<Uint8Array>;

/** The encoding and delimiter of a table. */
export interface CsvDialect {
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  delimiter: ',' | ';' | '\t' | '|';
}

export type CsvItem =
  | { kind: 'header'; line: number; cells: string[] }
  | { kind: 'row'; index: number; line: number; cells: string[]; raw: string }
  | { kind: 'refused'; index: number; line: number; raw: string; fault: ImportFault }
  | { kind: 'note'; fault: ImportFault };

/** How many bytes of the file are used to find the delimiter. */
const sampleSize = 64 * 1024;
/** Maximum bytes of a row, by default. A larger row is refused: it has a quotation mark that was never closed. */
const usualRowLimit = 1024 * 1024;
/** The maximum number of columns. */
export const columnLimit = 2000;
/** After this many unreadable rows, the rest is refused as a whole: the file is not what it seems. */
const unreadableLimit = 20;

/**
 * Detects the encoding and delimiter of a table, in one pass over the file: UTF-8 if every byte of it is, otherwise
 * windows-1252 (UTF-16 by its byte-order mark), and the delimiter that splits the first lines most evenly. Returns a
 * fault if it is not a table: empty, binary, or without any delimiter.
 */
export async function detectCsv(open: OpenSource): Promise<CsvDialect | ImportFault> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  let sample = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of open()) {
    size += chunk.byteLength;
    if (sample.length < sampleSize)
      sample = Buffer.concat([sample, chunk.subarray(0, sampleSize - sample.length)]);
    if (isUtf8) {
      try {
        utf8.decode(chunk, { stream: true });
      } catch {
        isUtf8 = false;
      }
    }
    if (!isUtf8 && sample.length >= sampleSize) break;
  }
  if (isUtf8) {
    try {
      utf8.decode();
    } catch {
      isUtf8 = false;
    }
  }
  if (size === 0) return importFault('error', 'file-empty', 'file', 1);
  const encoding =
    sample[0] === 0xff && sample[1] === 0xfe
      ? 'utf-16le'
      : sample[0] === 0xfe && sample[1] === 0xff
        ? 'utf-16be'
        : isUtf8
          ? 'utf-8'
          : 'windows-1252';
  const text = new TextDecoder(encoding).decode(sample);
  if (isBinary(text)) return importFault('error', 'file-binary', 'file', 1);
  if (text.trim() === '') return importFault('error', 'file-empty', 'file', 1);
  const delimiter = delimiterOf(text, size > sample.length);
  return delimiter === undefined
    ? importFault('error', 'file-not-delimited', 'file', 1)
    : { encoding, delimiter };
}

/** NUL, or more than one character in fifty that is neither text nor blank. */
function isBinary(text: string): boolean {
  if (text.includes('\0')) return true;
  let strange = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 0xfffd) strange++;
  }
  return strange * 50 > text.length;
}

/**
 * How the heading of the column begins that a file of rows to be put right has before its own. The words after it
 * are in any language.
 */
export const columnOfReasons = 'Caseway:';

const headsReasons = (heading: string | undefined): boolean =>
  heading?.trim().toLowerCase().startsWith(columnOfReasons.toLowerCase()) === true;

/** The text of a record without its first cell. */
const withoutFirst = (raw: string, delimiter: string): string => {
  const text = raw.replace(/^[\r\n]+/, '');
  const from = text.startsWith('"') ? (/^"(?:[^"]|"")*"/.exec(text)?.[0].length ?? 0) : 0;
  const end = text.indexOf(delimiter, from);
  return end < 0 ? '' : text.slice(end + 1);
};

const recordDelimiters = ['\r\n', '\n', '\r'];

/** A first line that names the delimiter for Excel, and is not part of the table. */
const namesDelimiter = /^\ufeff?"?sep=[,;\t|]"?[\t ,;|]*(?:\r\n|\r|\n|$)/i;

/** The delimiter that gives the first rows the same, and the most, columns; undefined without any. */
function delimiterOf(text: string, cut: boolean): CsvDialect['delimiter'] | undefined {
  const lastLine = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  const whole = (cut && lastLine > 0 ? text.slice(0, lastLine) : text).replace(namesDelimiter, '');
  let best: { delimiter: CsvDialect['delimiter']; score: number } | undefined;
  for (const delimiter of [',', ';', '\t', '|'] as const) {
    let rows: string[][];
    try {
      rows = parseNow(whole, { ...syntax, delimiter, to: 30 });
    } catch {
      // Unmatched quotation marks; the header still shows the delimiter.
      try {
        rows = parseNow(whole, { ...syntax, delimiter, to_line: 1, quote: null });
      } catch {
        continue;
      }
    }
    const width = rows[0]?.length ?? 0;
    if (width < 2) continue;
    const even = rows.filter((row) => row.length === width).length / rows.length;
    const score = even * 1000 + Math.min(width, 500);
    if (best === undefined || score > best.score) best = { delimiter, score };
  }
  return best?.delimiter;
}

const syntax = {
  bom: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  record_delimiter: recordDelimiters,
};

/** The file's bytes as UTF-8, without a byte-order mark, beginning `skip` bytes into them. */
async function* transcoded(
  open: OpenSource,
  encoding: CsvDialect['encoding'],
  skip: number,
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  let left = skip;
  const pass = (text: string): Buffer | undefined => {
    let bytes = Buffer.from(text, 'utf8');
    if (left > 0) {
      const dropped = Math.min(left, bytes.length);
      left -= dropped;
      bytes = bytes.subarray(dropped);
    }
    return bytes.length > 0 ? bytes : undefined;
  };
  for await (const chunk of open()) {
    const bytes = pass(decoder.decode(chunk, { stream: true }));
    if (bytes) yield bytes;
  }
  const rest = pass(decoder.decode());
  if (rest) yield rest;
}

interface ReadRecord {
  cells: string[];
  /** As in the file, with the empty lines before it. */
  raw: string;
  /** Bytes of the transcoded file up to the end of the record. */
  bytes: number;
}

/**
 * Drives the parser chunk by chunk and takes its records directly, not from its stream, where an error would discard
 * the records read before it.
 */
class RecordReader {
  readonly #parser: Parser;
  #records: ReadRecord[] = [];
  #failed: (error: Error) => void = () => {};

  constructor(delimiter: string, rowLimit: number) {
    const options: Options<string[]> = {
      ...syntax,
      bom: false,
      delimiter,
      raw: true,
      max_record_size: rowLimit,
      on_record: (record, { bytes }) => {
        // With `raw`, a record comes with its source text; the declared type has only its cells.
        const { record: cells, raw } = record as unknown as { record: string[]; raw: string };
        this.#records.push({ cells, raw, bytes });
        return null;
      },
    };
    this.#parser = parse(options);
    this.#parser.on('error', (error) => this.#failed(error));
  }

  /** The records that a chunk completes; without a chunk, the rest at the end. Throws a `CsvError` after them. */
  async *read(chunk?: Buffer): AsyncGenerator<ReadRecord> {
    let error: unknown;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#failed = reject;
        if (chunk === undefined) this.#parser.end(() => resolve());
        else this.#parser.write(chunk, (failed) => (failed ? reject(failed) : resolve()));
      });
    } catch (thrown) {
      error = thrown;
    }
    const records = this.#records;
    this.#records = [];
    yield* records;
    if (error !== undefined) throw error;
  }
}

/** The records of a table from a position on. */
async function* recordsFrom(
  open: OpenSource,
  dialect: CsvDialect,
  skip: number,
  rowLimit: number,
): AsyncGenerator<ReadRecord> {
  const reader = new RecordReader(dialect.delimiter, rowLimit);
  for await (const chunk of transcoded(open, dialect.encoding, skip)) yield* reader.read(chunk);
  yield* reader.read();
}

/**
 * Reads a table as a stream: its header, then each row with the line it begins on. Cells are not trimmed; the caller
 * does that. Empty lines and rows with only delimiters are skipped. A row with more or fewer values than the header,
 * or with unmatched quotation marks, is refused with its place, and reading continues after it. A first column of
 * reasons is left out.
 */
export async function* readCsv(
  open: OpenSource,
  dialect: CsvDialect,
  rowLimit = usualRowLimit,
): AsyncGenerator<CsvItem, void, undefined> {
  let header: string[] | undefined;
  let isExplained = false;
  const own = (raw: string) => (isExplained ? withoutFirst(raw, dialect.delimiter) : raw).trim();
  let skip = 0;
  let line = 1;
  let index = 0;
  let unreadable = 0;
  for (;;) {
    let consumed = 0;
    try {
      for await (const { cells, raw, bytes } of recordsFrom(open, dialect, skip, rowLimit)) {
        const begins = line + leadingLines(raw);
        line += lineEnds(raw);
        consumed = bytes;
        if (header === undefined && cells.every((cell) => cell.trim() === '')) continue;
        if (header === undefined && namesDelimiter.test(raw.trimStart())) continue;
        if (header === undefined) {
          isExplained = headsReasons(cells[0]);
          header = trimmedHeader(isExplained ? cells.slice(1) : cells);
          if (header.length > columnLimit) {
            const limit = String(columnLimit);
            yield {
              kind: 'note',
              fault: importFault('error', 'too-many-columns', 'file', begins, { limit }),
            };
            return;
          }
          yield { kind: 'header', line: begins, cells: header };
          continue;
        }
        const values = isExplained ? cells.slice(1) : cells;
        if (values.every((value) => value.trim() === '')) continue;
        const item = rowOf(values, header, index, begins, own(raw));
        if (item.kind !== 'note') index++;
        yield item;
      }
      break;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      // The next text has no matching quotation mark, or is too large: refuse its first line and continue with the
      // next.
      const from = skip + consumed;
      const bad = await lineAt(open, dialect.encoding, from, rowLimit);
      if (bad === undefined) break;
      const begins = line + leadingLines(bad.text);
      const raw = own(bad.text);
      if (header === undefined) {
        yield { kind: 'note', fault: importFault('error', 'header-row-missing', 'file', begins) };
        return;
      }
      if (++unreadable > unreadableLimit) {
        yield {
          kind: 'refused',
          index,
          line: begins,
          raw,
          fault: importFault('error', 'rest-unreadable', 'row', begins),
        };
        return;
      }
      const code = bad.text.includes('"') ? 'row-unreadable' : 'row-too-large';
      const fault = importFault('error', code, 'row', begins, { limit: String(rowLimit) });
      yield { kind: 'refused', index: index++, line: begins, raw, fault };
      line = begins + 1;
      skip = from + bad.bytes;
    }
  }
  if (header === undefined)
    yield { kind: 'note', fault: importFault('error', 'header-row-missing', 'file', 1) };
}

/** The header without the empty columns that spreadsheets leave at its end. */
function trimmedHeader(cells: string[]): string[] {
  let end = cells.length;
  while (end > 0 && cells[end - 1]!.trim() === '') end--;
  return cells.slice(0, end).map((cell) => cell.trim());
}

function rowOf(cells: string[], header: string[], index: number, line: number, raw: string): CsvItem {
  let end = cells.length;
  while (end > header.length && cells[end - 1]!.trim() === '') end--;
  const counts = { found: String(end), expected: String(header.length) };
  if (end > header.length) {
    return {
      kind: 'refused',
      index,
      line,
      raw,
      fault: importFault('error', 'row-too-long', 'row', line, counts),
    };
  }
  if (cells.length < header.length) {
    return {
      kind: 'refused',
      index,
      line,
      raw,
      fault: importFault('error', 'row-too-short', 'row', line, counts),
    };
  }
  if (header.length > 1 && header.every((name, at) => name === cells[at]!.trim())) {
    return { kind: 'note', fault: importFault('warning', 'header-row-repeated', 'row', line) };
  }
  return { kind: 'row', index, line, cells: end < cells.length ? cells.slice(0, header.length) : cells, raw };
}

/** The number of line ends within a record. */
const lineEnds = (raw: string): number => raw.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Empty lines before a record. */
const leadingLines = (raw: string): number => lineEnds(/^[\r\n]*/.exec(raw)![0]);

/**
 * The first non-empty line from a position in the transcoded file, with the empty lines before it and its end. At
 * most `limit` bytes of a line are kept.
 */
async function lineAt(
  open: OpenSource,
  encoding: CsvDialect['encoding'],
  skip: number,
  limit: number,
): Promise<{ text: string; bytes: number } | undefined> {
  const held: Buffer[] = [];
  let size = 0;
  let bytes = 0;
  let begun = false;
  let ended: 'no' | 'cr' | 'yes' = 'no';
  for await (const chunk of transcoded(open, encoding, skip)) {
    let at = 0;
    for (; at < chunk.length && ended !== 'yes'; at++) {
      const byte = chunk[at]!;
      if (ended === 'cr') {
        ended = 'yes';
        if (byte !== 10) break;
      } else if (byte === 10 || byte === 13) {
        if (begun) ended = byte === 13 ? 'cr' : 'yes';
      } else begun = true;
    }
    bytes += at;
    const piece = chunk.subarray(0, Math.min(at, limit - size));
    if (piece.length > 0) held.push(piece);
    size += piece.length;
    if (ended === 'yes') break;
  }
  return bytes === 0 ? undefined : { text: Buffer.concat(held).toString('utf8'), bytes };
}

/** Headers in the form for comparison: lower case, without accents and punctuation, words of `camelCase` separated. */
export const normalizedHeader = (header: string): string =>
  foldUpper(header.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2'))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
