import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { type CsvMapping, type CsvOptions, csvMapping, csvOptions } from '@caseway/contract/csv-mapping';
import { importFault } from '@caseway/contract/import-fault';
import { z } from 'zod';
import { conditionNamed } from '../../reference/condition-name.ts';
import type { ImportFault } from '../../reported/report.ts';
import type { Incoming } from '../batch/incoming.ts';
import type { ImportSource } from '../upload-store.ts';
import { inspectCsv, type MappingSuggestion, mappingFrom, undecided } from './csv-map.ts';
import type { ColumnProfile } from './csv-profile.ts';
import { type CsvDialect, type CsvItem, type OpenSource, readCsv } from './csv-read.ts';
import { type ReadRow, RowReader } from './csv-rows.ts';
import { readHl7Report } from './elr.ts';
import { splitHl7Queue } from './hl7-queue.ts';
import { defaultMessageLimit, type SplitPoint, splitHl7 } from './hl7-split.ts';
import type { ClockOptions } from './hl7-time.ts';
import { detectFormat } from './import-format.ts';
import { LookedAt } from './looked-at.ts';

/** The contents of a file. A CSV queue of HL7 messages is neither a table of rows nor a stream of messages. */
export const importFormats = ['hl7', 'csv', 'hl7-queue'] as const;
export type FileFormat = (typeof importFormats)[number];

/** What was found out and decided about a table, as stored with its import. */
export interface TableOptions {
  dialect: CsvDialect;
  header: string[];
  signature: string;
  profiles: ColumnProfile[];
  suggestion: MappingSuggestion;
  mapping: CsvMapping;
  options: CsvOptions;
  /** Whether the mapping was remembered from an earlier file with this header. */
  remembered: boolean;
}

/** Where reading can continue after a crash, with what else the format's reader needs. */
export type ResumePoint = { index: number; byteOffset: number; split?: SplitPoint };

/** A piece of a file, or a fault of the file as a whole. */
export type FilePiece =
  | { kind: 'note'; fault: ImportFault }
  | { kind: 'message'; incoming: Incoming; next: ResumePoint };

export interface ReadingContext {
  clock: ClockOptions;
  /** The sender of a table whose rows name none. */
  sender: string;
  /** The facility or organisation that the file is for. */
  place: string | null;
}

/** A larger file in an unknown format is not stored as a message. */
const keptWhole = defaultMessageLimit;

const sha256 = (...parts: (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

// — What a file is —

export interface InspectedFile {
  format: FileFormat;
  table?: Omit<TableOptions, 'mapping' | 'options' | 'remembered'>;
  notes: ImportFault[];
}

/**
 * Finds the format of a file by its content, not its name; a fault if it cannot be imported. `tell` gets the share
 * read.
 */
export async function inspectFile(
  { open, size }: ImportSource,
  asked?: FileFormat,
  { tell = async () => {}, pause }: { tell?: (share: number) => Promise<void>; pause?: number } = {},
): Promise<InspectedFile | ImportFault> {
  const looked = new LookedAt(size, 2, tell, pause);
  const found =
    asked === 'hl7' ? { format: 'hl7' as const } : await detectFormat(looked.pass(() => open(), 0));
  if (!('format' in found)) return found;
  if (found.format === 'hl7') return { format: 'hl7', notes: [] };
  if (found.format === 'hl7-queue' && asked !== 'csv')
    return { format: 'hl7-queue', notes: [], table: { ...emptyTable, dialect: found.dialect } };
  const inspection = await inspectCsv(
    looked.pass(() => open(), 1),
    found.dialect,
  );
  if (!('header' in inspection)) return inspection;
  const { dialect, header, signature, profiles, suggestion, notes } = inspection;
  return { format: 'csv', table: { dialect, header, signature, profiles, suggestion }, notes };
}

const emptyTable = {
  header: [],
  signature: '',
  profiles: [],
  suggestion: { kind: 'results', columns: [] } satisfies MappingSuggestion,
};

/** The table's options with the mapping that is certain, or that was remembered for its header. */
export function decideTable(
  table: NonNullable<InspectedFile['table']>,
  remembered: { mapping: CsvMapping; options: CsvOptions } | undefined,
  condition: string | undefined,
): TableOptions {
  const mapping = remembered?.mapping ?? mappingFrom(table.suggestion);
  const options = remembered?.options ?? { dateOrders: {} };
  return {
    ...table,
    mapping,
    options: { ...options, ...(condition !== undefined && { condition }) },
    remembered: remembered !== undefined,
  };
}

export const remembered = z.object({ mapping: csvMapping, options: csvOptions });

/** Table options as JSON and back: profiles hold maps. */
export const tableToJson = (table: TableOptions): unknown => ({
  ...table,
  profiles: table.profiles.map((profile) => ({ ...profile, values: profile.values && [...profile.values] })),
});
export function tableFromJson(stored: unknown): TableOptions | undefined {
  if (typeof stored !== 'object' || stored === null || !('dialect' in stored)) return undefined;
  const table = stored as Omit<TableOptions, 'profiles'> & {
    profiles: (Omit<ColumnProfile, 'values'> & { values?: [string, number][] })[];
  };
  return {
    ...table,
    profiles: table.profiles.map((profile) => ({
      ...profile,
      values: profile.values && new Map(profile.values),
    })),
  };
}

// — Reading it —

/**
 * The number of notes kept about a file, which can have one for each row. One more note says that there are others.
 */
const noteLimit = 100;

/**
 * The pieces of a file in order, from a point on. Every byte that is neither blank nor envelope is in one; the
 * number of notes about the file is limited.
 */
export async function* readPieces(
  ...file: Parameters<typeof everyPiece>
): AsyncGenerator<FilePiece, void, undefined> {
  let notes = 0;
  for await (const piece of everyPiece(...file)) {
    if (piece.kind !== 'note' || ++notes <= noteLimit) yield piece;
    else if (notes === noteLimit + 1) {
      const limit = String(noteLimit);
      yield { kind: 'note', fault: importFault('warning', 'more-notes', 'file', 1, { limit }) };
    }
  }
}

async function* everyPiece(
  file: ImportSource,
  format: FileFormat,
  table: TableOptions | undefined,
  from: ResumePoint | undefined,
  context: ReadingContext,
): AsyncGenerator<FilePiece, void, undefined> {
  const { size } = file;
  const open: OpenSource = () => file.open();
  if (format === 'hl7') {
    for await (const item of splitHl7(file.open(from?.byteOffset), { from: from?.split })) {
      if (item.kind === 'note') {
        yield item;
        continue;
      }
      const next = { index: item.next.index, byteOffset: item.next.byteOffset, split: item.next };
      if (item.kind === 'message')
        yield { kind: 'message', incoming: readMessage(item.raw, item, context), next };
      else {
        // Two empty files have the same contents, but are not the same file.
        const hash = item.raw?.length
          ? sha256(item.raw)
          : sha256(file.id, `${item.byteOffset} ${item.byteLength}`);
        yield { kind: 'message', incoming: refused(item.raw, hash, item, [item.fault]), next };
      }
    }
    return;
  }
  const first = from?.index ?? 0;
  if (format === 'hl7-queue') {
    for await (const item of splitHl7Queue(open, table!.dialect, first)) {
      if (item.kind === 'note') {
        if (first === 0) yield item;
        continue;
      }
      const next = { index: item.index + 1, byteOffset: size };
      const incoming =
        item.kind === 'message'
          ? readMessage(item.raw, item, context)
          : refused(item.raw, sha256(item.raw), item, [item.fault]);
      yield { kind: 'message', incoming, next };
    }
    return;
  }
  const rows = new TableReader(table!, context);
  let read = 0;
  for await (const item of readCsv(open, table!.dialect)) {
    if (item.kind === 'note') {
      if (first === 0) yield item;
      continue;
    }
    if (item.kind === 'header') continue;
    read += item.raw.length + 1;
    if (item.index < first) continue;
    // The share of a table that was read is estimated from its characters; continuing is exact to the row.
    const next = { index: item.index + 1, byteOffset: Math.min(size, read) };
    const incoming =
      item.kind === 'refused'
        ? rows.refused(item.raw, item, item.fault)
        : rows.read(item.raw, item.cells, item);
    yield { kind: 'message', incoming, next };
  }
}

/** An unreadable file as a single piece. */
export async function unreadableFile(file: ImportSource, fault: ImportFault): Promise<Incoming> {
  const raw = file.size <= keptWhole ? await buffer(file.open()) : undefined;
  const hash = raw?.length ? sha256(raw) : sha256(file.id);
  return refused(raw, hash, { index: 0, line: fault.line ?? 1 }, [fault]);
}

type Place = Pick<Incoming, 'index' | 'line'>;

function refused(
  raw: Buffer | undefined,
  contentHash: string,
  { index, line }: Place,
  faults: readonly ImportFault[],
): Incoming {
  const reason = faults.find(({ severity }) => severity === 'error')?.code ?? 'unreadable';
  return {
    index,
    line,
    revision: 0,
    raw,
    charset: 'utf-8',
    contentHash,
    occurrence: 1,
    controlId: null,
    type: null,
    sender: null,
    faults,
    content: { kind: 'refused', reason },
  };
}

/**
 * One HL7 message, read. It is the same message wherever it was uploaded, unless it does not name its facility: then
 * the upload decides the facility, and the same message for another facility is another message.
 */
export function readMessage(raw: Buffer, { index, line }: Place, { clock, place }: ReadingContext): Incoming {
  const read = readHl7Report(raw, line, clock);
  const placed =
    place !== null &&
    read.outcome === 'usable' &&
    read.report.orders.some(({ facility, observations }) => observations.length > 0 && !facility);
  const content: Incoming['content'] =
    read.outcome === 'usable'
      ? { kind: 'report', report: read.report }
      : read.outcome === 'waiting'
        ? { kind: 'waiting', reason: read.reason }
        : {
            kind: 'refused',
            reason: read.faults.find(({ severity }) => severity === 'error')?.code ?? 'unreadable',
          };
  return {
    index,
    line,
    revision: 0,
    raw,
    charset: read.charset,
    contentHash: placed ? sha256(place, '\u001d', read.contentHash) : read.contentHash,
    occurrence: 1,
    controlId: read.controlId ?? null,
    type: read.type || null,
    sender: read.sender ?? null,
    faults: read.faults,
    content,
  };
}

/** Reads the rows of one table, once the meaning of its columns is decided. */
export class TableReader {
  readonly #table: TableOptions;
  readonly #waits: ImportFault[];
  readonly #rows: RowReader | undefined;
  readonly #sender: string;
  readonly #place: string | null;

  constructor(table: TableOptions, { clock, sender, place }: ReadingContext) {
    this.#table = table;
    this.#sender = sender;
    this.#place = place;
    this.#waits = undecided(table, table.mapping, table.options);
    if (this.#waits.length === 0)
      this.#rows = new RowReader({
        ...clock,
        mapping: table.mapping,
        options: table.options,
        inspection: table,
        sender,
      });
  }

  /** What a person has to decide before any row can be read. */
  get waits(): readonly ImportFault[] {
    return this.#waits;
  }

  /**
   * The hash of a row, with its header and place, so that equal cells under other columns, or from another sender,
   * are another row.
   */
  #hash(cells: readonly string[]): string {
    const from = this.#place === null ? [] : [this.#place, '\u001d'];
    return sha256(this.#table.signature, '\u001d', ...from, cells.map((cell) => cell.trim()).join('\u001f'));
  }

  refused(raw: string, place: Place, fault: ImportFault): Incoming {
    const bytes = encode(raw, this.#table.dialect.encoding);
    return {
      ...refused(bytes, this.#hash([raw]), place, [fault]),
      charset: this.#table.dialect.encoding,
      type: 'row',
    };
  }

  read(raw: string, cells: readonly string[], place: Place): Incoming {
    const row: Omit<Incoming, 'content' | 'faults'> = {
      index: place.index,
      line: place.line,
      revision: 0,
      raw: encode(raw, this.#table.dialect.encoding),
      charset: this.#table.dialect.encoding,
      contentHash: this.#hash(cells),
      occurrence: 1,
      controlId: null,
      type: 'row',
      sender: this.#sender,
    };
    if (!this.#rows)
      return { ...row, faults: this.#waits, content: { kind: 'waiting', reason: this.#waits[0]!.code } };
    const read = this.#rows.read(cells, place.line);
    return { ...row, faults: read.faults, ...this.#contentOf(read, place.line) };
  }

  #contentOf(
    read: ReadRow,
    line: number,
  ): Pick<Incoming, 'content'> & Partial<Pick<Incoming, 'faults' | 'sender'>> {
    if (read.outcome === 'refused')
      return {
        content: {
          kind: 'refused',
          reason: read.faults.find(({ severity }) => severity === 'error')?.code ?? 'unreadable',
        },
      };
    if (read.outcome === 'waiting') return { content: { kind: 'waiting', reason: read.reason } };
    if ('report' in read) {
      const { sendingFacility } = read.report.header;
      return {
        sender: sendingFacility?.name ?? this.#sender,
        content: { kind: 'report', report: read.report },
      };
    }
    const row = 'treatment' in read ? read.treatment : read.caseRow;
    const condition = conditionNamed(row.condition);
    if ('treatment' in read && (condition || row.condition === ''))
      return { content: { kind: 'treatment', row: read.treatment, condition: condition?.code ?? null } };
    if ('caseRow' in read && condition)
      return { content: { kind: 'case', row: read.caseRow, condition: condition.code } };
    const column = this.#table.mapping.columns.find(({ field }) => field === 'condition')?.column;
    const place = column === undefined ? 'condition' : (this.#table.header[column] ?? 'condition');
    const fault = importFault('error', 'value-unknown', place, line);
    return { faults: [...read.faults, fault], content: { kind: 'refused', reason: fault.code } };
  }

  /** Reads the text of one row again, as stored or as a person corrected it. */
  async readText(raw: string, place: Place): Promise<Incoming> {
    const item = await readRow(this.#table, raw);
    if (item?.kind === 'row') return this.read(raw, item.cells, place);
    const fault = item?.kind === 'refused' ? item.fault : importFault('error', 'rows-missing', 'row');
    return this.refused(raw, place, { ...fault, line: place.line });
  }
}

/** One row of a table from its text. */
async function readRow(
  { dialect: { delimiter }, header }: TableOptions,
  raw: string,
): Promise<CsvItem | undefined> {
  const first = header.map((name) => `"${name.replaceAll('"', '""')}"`).join(delimiter);
  const source = Buffer.from(`${first}\n${raw}\n`);
  for await (const item of readCsv(() => once(source), { delimiter, encoding: 'utf-8' }))
    if (item.kind === 'row' || item.kind === 'refused') return item;
  return undefined;
}

/** The cells of one row from its text; none if the row cannot be read. */
export async function cellsOf(table: TableOptions, raw: string): Promise<string[]> {
  const item = await readRow(table, raw);
  return item?.kind === 'row' ? item.cells : [];
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

// — Text of a table as bytes and back —

const windows1252 = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at))].map(
    (character, at) => [character, 0x80 + at] as const,
  ),
);

/** The bytes that a text was read from. */
function encode(text: string, encoding: CsvDialect['encoding']): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  return Buffer.from([...text].map((character) => windows1252.get(character) ?? character.charCodeAt(0)));
}

/** The text of a stored message or row. */
export const textOf = (raw: Buffer, charset: string): string => {
  try {
    return new TextDecoder(charset).decode(raw);
  } catch {
    return raw.toString('latin1');
  }
};
