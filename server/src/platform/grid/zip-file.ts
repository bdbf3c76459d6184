import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';

/** The limit of 32 bits. Some programs that read tables do not support the 64-bit form of ZIP. */
const most = 0xffff_ffff;
/** Deflated, names in UTF-8, and sizes after the content, because they are known only then. */
const deflated = 8;
const flags = 0x0808;
const version = 20;
/** The first day of the format: the file does not reveal when it was made. */
const day = 0x21;

interface Part {
  name: Buffer;
  offset: number;
  crc: number;
  size: number;
  packed: number;
}

/** Fields of two and four bytes, little-endian. */
function fields(...all: readonly [value: number, bytes: 2 | 4][]): Buffer {
  const made = Buffer.alloc(all.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of all) at = made.writeUIntLE(value, at, bytes);
  return made;
}

/**
 * A ZIP file that is sent while it is written, part after part, each compressed as its text arrives. It waits for
 * the reader, so that only a few blocks are in memory. Compression runs outside the program's thread.
 */
export class ZipFile {
  readonly #out: Writable;
  readonly #signal: AbortSignal;
  readonly #parts: Part[] = [];
  #offset = 0;
  #open: { part: Part; packer: DeflateRaw } | null = null;

  constructor(out: Writable, signal: AbortSignal) {
    this.#out = out;
    this.#signal = signal;
    out.once('close', () => this.#open?.packer.destroy(new Error('the file was closed')));
  }

  /** Bytes of the open part, uncompressed. */
  get size(): number {
    return this.#open?.part.size ?? 0;
  }

  begin(name: string): void {
    if (this.#open) throw new Error('one part of a ZIP file is written at a time');
    const part = { name: Buffer.from(name), offset: this.#offset, crc: 0, size: 0, packed: 0 };
    this.#put(
      fields(
        [0x0403_4b50, 4],
        [version, 2],
        [flags, 2],
        [deflated, 2],
        [0, 2],
        [day, 2],
        [0, 4],
        [0, 4],
        [0, 4],
        [part.name.length, 2],
        [0, 2],
      ),
    );
    this.#put(part.name);
    const packer = createDeflateRaw();
    packer.on('data', (block: Buffer) => {
      part.packed += block.length;
    });
    // Without this listener, an error ends the process when nothing awaits it.
    packer.on('error', () => {});
    packer.pipe(this.#out, { end: false });
    this.#open = { part, packer };
  }

  /** Adds to the open part, and waits while the reader is behind. */
  async write(text: string): Promise<void> {
    const { part, packer } = this.#opened();
    const bytes = Buffer.from(text);
    part.crc = crc32(bytes, part.crc);
    part.size += bytes.length;
    if (!packer.write(bytes)) await once(packer, 'drain', { signal: this.#signal });
  }

  async close(): Promise<void> {
    const { part, packer } = this.#opened();
    const packed = once(packer, 'end', { signal: this.#signal });
    packer.end();
    await packed;
    this.#open = null;
    if (part.size > most) throw new Error('a part is too large for a ZIP file');
    this.#offset += part.packed;
    this.#put(fields([0x0807_4b50, 4], [part.crc, 4], [part.packed, 4], [part.size, 4]));
    this.#parts.push(part);
  }

  /** Adds a complete part. */
  async add(name: string, text: string): Promise<void> {
    this.begin(name);
    await this.write(text);
    await this.close();
  }

  /** Ends the file with the list of its parts. */
  end(): void {
    const begin = this.#offset;
    for (const { name, offset, crc, size, packed } of this.#parts) {
      this.#put(
        fields(
          [0x0201_4b50, 4],
          [version, 2],
          [version, 2],
          [flags, 2],
          [deflated, 2],
          [0, 2],
          [day, 2],
          [crc, 4],
          [packed, 4],
          [size, 4],
          [name.length, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 4],
          [offset, 4],
        ),
      );
      this.#put(name);
    }
    const count = this.#parts.length;
    this.#out.end(
      fields(
        [0x0605_4b50, 4],
        [0, 2],
        [0, 2],
        [count, 2],
        [count, 2],
        [this.#offset - begin, 4],
        [begin, 4],
        [0, 2],
      ),
    );
  }

  #opened() {
    if (!this.#open) throw new Error('no part of the ZIP file is open');
    return this.#open;
  }

  #put(bytes: Buffer): void {
    this.#offset += bytes.length;
    if (this.#offset > most) throw new Error('the file is too large for a ZIP file');
    this.#out.write(bytes);
  }
}
