import { importFault } from '@caseway/contract/import-fault';
import type { ImportFault } from '../../reported/report.ts';

/** Where splitting can continue after a crash: open the source at `byteOffset`. */
export interface SplitPoint {
  byteOffset: number;
  /** The index the next piece will get. */
  index: number;
  /** The line, from 1, that begins at `byteOffset`. */
  line: number;
  envelope: Envelope;
}

/** The parts of FHS, BHS, BTS and FTS seen so far. */
interface Envelope {
  fileHeader: boolean;
  batchHeader: boolean;
  /** Messages since the last batch header or trailer. */
  messages: number;
  batches: number;
  closed: boolean;
}

interface Piece {
  /** From 0, counting messages and refused pieces alike. */
  index: number;
  byteOffset: number;
  byteLength: number;
  /** The line of the file that it begins on, from 1. */
  line: number;
  next: SplitPoint;
}

/** A message as received: from its `MSH` up to the next one, without the line ends around it. */
export interface RawMessage extends Piece {
  kind: 'message';
  raw: Buffer;
}

/** A piece of the file that is not a message. `raw` is present unless the piece is too large to store. */
interface RefusedPiece extends Piece {
  kind: 'refused';
  raw?: Buffer;
  fault: ImportFault;
}

/** A fault of the file's envelope. No message is lost because of it. */
interface FileNote {
  kind: 'note';
  fault: ImportFault;
}

export type SplitItem = RawMessage | RefusedPiece | FileNote;

export interface SplitOptions {
  /** Bytes; 8 MiB by default. A larger message is refused and skipped without keeping it in memory. */
  limit?: number;
  from?: SplitPoint;
}

export const defaultMessageLimit = 8 * 1024 * 1024;

const CR = 13;
const LF = 10;
/** An envelope line is read only for its count, so the rest of it is dropped. */
const envelopeLineLimit = 2048;
/** The maximum length of blanks, a byte-order mark and MLLP framing before a segment's name. */
const leadLimit = 16;

const name = (text: string) => (text.charCodeAt(0) << 16) | (text.charCodeAt(1) << 8) | text.charCodeAt(2);
const MSH = name('MSH');
const PID = name('PID');
const FHS = name('FHS');
const BHS = name('BHS');
const BTS = name('BTS');
const FTS = name('FTS');

const isAlphanumeric = (byte: number) =>
  (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);

interface Open {
  hasHeader: boolean;
  byteOffset: number;
  line: number;
  parts: Buffer[];
  length: number;
  tooLarge: boolean;
  hasPatient: boolean;
}

/**
 * Splits a stream of HL7 v2 into messages. Line ends may be CR, LF, CRLF or mixed; a byte-order mark, MLLP framing
 * and FHS/BHS/BTS/FTS envelopes are understood. Text without a header, a patient without a header after an empty
 * line, an oversized message and an empty file become refused pieces, so that every byte that is not blank or
 * envelope is accounted for. Keeps at most one message and one chunk in memory.
 */
export async function* splitHl7(
  source: AsyncIterable<Uint8Array>,
  options: SplitOptions = {},
): AsyncGenerator<SplitItem, void, undefined> {
  const splitter = new Splitter(options);
  for await (const chunk of source) {
    splitter.read(chunk, false);
    yield* splitter.take();
  }
  splitter.end();
  yield* splitter.take();
}

class Splitter {
  readonly #limit: number;
  readonly #resumed: boolean;
  #items: SplitItem[] = [];
  /** Absolute offset of the first byte of the current buffer. */
  #base: number;
  #line: number;
  #index: number;
  #envelope: Envelope;
  #carry: Buffer | null = null;
  #atLineStart = true;
  #afterCr = false;
  #afterBlank = false;
  #open: Open | null = null;
  /** Position in the current buffer up to which the open piece has been collected. */
  #collected = 0;
  #envelopeLine: { id: number; line: number; text: string } | null = null;
  #sawBatchHeaderMissing = false;

  constructor(options: SplitOptions) {
    this.#limit = options.limit ?? defaultMessageLimit;
    this.#resumed = options.from !== undefined;
    this.#base = options.from?.byteOffset ?? 0;
    this.#line = options.from?.line ?? 1;
    this.#index = options.from?.index ?? 0;
    this.#envelope = options.from
      ? { ...options.from.envelope }
      : { fileHeader: false, batchHeader: false, messages: 0, batches: 0, closed: false };
  }

  take(): SplitItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  read(chunk: Uint8Array, last: boolean): void {
    let buffer = Buffer.isBuffer(chunk)
      ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#carry) {
      buffer = Buffer.concat([this.#carry, buffer]);
      this.#carry = null;
    }
    this.#collected = 0;
    const length = buffer.length;
    let position = 0;
    let nextCr = -1;
    let nextLf = -1;
    while (position < length) {
      if (this.#atLineStart) {
        if (this.#afterCr) {
          this.#afterCr = false;
          if (buffer[position] === LF) {
            position++;
            continue;
          }
        }
        const lead = this.#skipLead(buffer, position);
        if (lead + 4 > length && !last && !hasLineEnd(buffer, lead)) {
          this.#carry = Buffer.from(buffer.subarray(position));
          break;
        }
        this.#startLine(buffer, position, lead);
        this.#atLineStart = false;
      }
      if (nextCr < position) nextCr = endOr(buffer.indexOf(CR, position), length);
      if (nextLf < position) nextLf = endOr(buffer.indexOf(LF, position), length);
      const end = Math.min(nextCr, nextLf);
      if (this.#envelopeLine && this.#envelopeLine.text.length < envelopeLineLimit) {
        this.#envelopeLine.text += buffer.toString(
          'latin1',
          position,
          Math.min(end, position + envelopeLineLimit),
        );
      }
      if (end === length) {
        position = length;
        break;
      }
      position = end + 1;
      this.#afterCr = buffer[end] === CR;
      this.#atLineStart = true;
      this.#line++;
      if (this.#envelopeLine) this.#endEnvelopeLine();
    }
    this.#collect(buffer, position);
    this.#base += position;
  }

  end(): void {
    this.read(Buffer.alloc(0), true);
    if (this.#carry) {
      const rest = this.#carry;
      this.#carry = null;
      this.read(rest, true);
    }
    if (this.#envelopeLine) this.#endEnvelopeLine();
    this.#close(Buffer.alloc(0), 0);
    const { fileHeader, batchHeader, closed } = this.#envelope;
    if (batchHeader) this.#note('batch-trailer-missing', 'BTS');
    if (fileHeader && !closed) this.#note('file-trailer-missing', 'FTS');
    if (this.#index === 0 && !this.#resumed && !fileHeader && !batchHeader && !closed) {
      this.#items.push({
        kind: 'refused',
        index: this.#index++,
        byteOffset: 0,
        byteLength: 0,
        line: 1,
        raw: Buffer.alloc(0),
        fault: importFault('error', 'file-empty', 'file', 1),
        next: this.#point(this.#base),
      });
    }
  }

  /** The position of the first byte of a line that is neither blank nor framing. */
  #skipLead(buffer: Buffer, position: number): number {
    let lead = position;
    const stop = Math.min(buffer.length, position + leadLimit);
    while (lead < stop) {
      const byte = buffer[lead]!;
      if (byte === 0x0b || byte === 0x1c || byte === 0x20 || byte === 0x09) lead++;
      else if (byte === 0xef && buffer[lead + 1] === 0xbb && buffer[lead + 2] === 0xbf) lead += 3;
      else break;
    }
    return lead;
  }

  /** Decides what a line begins. `position` is its first byte, `lead` its first significant byte. */
  #startLine(buffer: Buffer, position: number, lead: number): void {
    const first = buffer[lead];
    if (first === undefined || first === CR || first === LF) {
      // MLLP closes a message with 0x1c.
      for (let at = position; at < lead; at++) if (buffer[at] === 0x1c) this.#close(buffer, position);
      this.#afterBlank = true;
      return;
    }
    const afterBlank = this.#afterBlank;
    this.#afterBlank = false;
    const separator = buffer[lead + 3];
    const id =
      separator === undefined || !isAlphanumeric(separator)
        ? (first << 16) | (buffer[lead + 1]! << 8) | buffer[lead + 2]!
        : 0;
    if (id === MSH) {
      this.#close(buffer, position);
      this.#begin(lead, true);
      this.#envelope.messages++;
      if (this.#envelope.fileHeader && !this.#envelope.batchHeader && !this.#sawBatchHeaderMissing) {
        this.#sawBatchHeaderMissing = true;
        this.#note('batch-header-missing', 'BHS');
      }
    } else if (id === FHS || id === BHS || id === BTS || id === FTS) {
      this.#close(buffer, position);
      this.#envelopeLine = { id, line: this.#line, text: '' };
    } else if (!this.#open || (id === PID && afterBlank && this.#open.hasPatient)) {
      // A second patient after an empty line: the header of the next message is missing.
      this.#close(buffer, position);
      this.#begin(lead, false);
      this.#open!.hasPatient = id === PID;
    } else if (id === PID) {
      this.#open.hasPatient = true;
    }
  }

  #begin(position: number, hasHeader: boolean): void {
    this.#open = {
      hasHeader,
      byteOffset: this.#base + position,
      line: this.#line,
      parts: [],
      length: 0,
      tooLarge: false,
      hasPatient: false,
    };
    this.#collected = position;
  }

  #collect(buffer: Buffer, end: number): void {
    const open = this.#open;
    if (open && end > this.#collected) {
      open.length += end - this.#collected;
      if (open.length > this.#limit) {
        open.tooLarge = true;
        open.parts = [];
      } else {
        open.parts.push(buffer.subarray(this.#collected, end));
      }
    }
    this.#collected = end;
  }

  #close(buffer: Buffer, position: number): void {
    const open = this.#open;
    if (!open) return;
    this.#collect(buffer, position);
    this.#open = null;
    const piece = {
      index: this.#index++,
      byteOffset: open.byteOffset,
      byteLength: open.length,
      line: open.line,
      next: this.#point(this.#base + position),
    };
    if (open.tooLarge) {
      const fault = importFault('error', 'message-too-large', open.hasHeader ? 'MSH' : 'file', open.line, {
        limit: String(this.#limit),
      });
      this.#items.push({ kind: 'refused', ...piece, fault });
      return;
    }
    let raw = open.parts.length === 1 ? open.parts[0]! : Buffer.concat(open.parts, open.length);
    let end = raw.length;
    while (end > 0 && isTrailer(raw[end - 1]!)) end--;
    raw = raw.subarray(0, end);
    piece.byteLength = end;
    if (open.hasHeader) this.#items.push({ kind: 'message', ...piece, raw });
    else this.#items.push({ kind: 'refused', ...piece, raw, fault: headlessFault(raw, open) });
  }

  #point(byteOffset: number): SplitPoint {
    return { byteOffset, index: this.#index, line: this.#line, envelope: { ...this.#envelope } };
  }

  #note(
    code: Parameters<typeof importFault>[1],
    place: string,
    line = this.#line,
    params?: Record<string, string>,
  ): void {
    this.#items.push({ kind: 'note', fault: importFault('warning', code, place, line, params) });
  }

  #endEnvelopeLine(): void {
    const { id, line, text } = this.#envelopeLine!;
    this.#envelopeLine = null;
    const envelope = this.#envelope;
    const at = text.search(/[A-Z]/);
    const count =
      text
        .slice(at)
        .split(text[at + 3] ?? '|')[1]
        ?.trim() ?? '';
    if (id === FHS) {
      envelope.fileHeader = true;
      envelope.closed = false;
      envelope.batches = 0;
      envelope.messages = 0;
    } else if (id === BHS) {
      if (envelope.batchHeader) this.#note('batch-trailer-missing', 'BTS', line);
      envelope.batchHeader = true;
      envelope.messages = 0;
    } else if (id === BTS) {
      if (!envelope.batchHeader && !this.#sawBatchHeaderMissing)
        this.#note('batch-header-missing', 'BHS', line);
      if (!/^\d+$/.test(count)) this.#note('batch-count-unreadable', 'BTS-1', line);
      else if (Number(count) !== envelope.messages) {
        this.#note('batch-count-wrong', 'BTS-1', line, {
          announced: count,
          found: String(envelope.messages),
        });
      }
      envelope.batchHeader = false;
      envelope.batches++;
      envelope.messages = 0;
      this.#sawBatchHeaderMissing = false;
    } else {
      if (envelope.batchHeader) this.#note('batch-trailer-missing', 'BTS', line);
      if (!envelope.fileHeader) this.#note('file-header-missing', 'FHS', line);
      if (!/^\d+$/.test(count)) this.#note('file-trailer-unreadable', 'FTS-1', line);
      else if (Number(count) !== envelope.batches) {
        this.#note('file-count-wrong', 'FTS-1', line, { announced: count, found: String(envelope.batches) });
      }
      envelope.batchHeader = false;
      envelope.fileHeader = false;
      envelope.closed = true;
    }
  }
}

const endOr = (found: number, length: number) => (found === -1 ? length : found);

const isTrailer = (byte: number) =>
  byte === CR ||
  byte === LF ||
  byte === 0x1c ||
  byte === 0x20 ||
  byte === 0x09 ||
  byte === 0x1a ||
  byte === 0;

function hasLineEnd(buffer: Buffer, from: number): boolean {
  for (let at = from; at < buffer.length; at++) if (buffer[at] === CR || buffer[at] === LF) return true;
  return false;
}

function headlessFault(raw: Buffer, open: Open): ImportFault {
  if ((raw[0] === 0xff && raw[1] === 0xfe) || (raw[0] === 0xfe && raw[1] === 0xff)) {
    return importFault('error', 'file-encoding-unsupported', 'file', open.line, { encoding: 'UTF-16' });
  }
  const code = raw.subarray(0, 1024).includes(0) ? 'file-binary' : 'header-missing';
  return importFault('error', code, 'MSH', open.line);
}
