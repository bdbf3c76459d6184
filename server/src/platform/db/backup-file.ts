import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';

/*
 * The file of a backup: a line of JSON, then frames of at most 256 kB of compressed records. Each frame is sealed with its
 * place and whether it is the last one: by AES-256-GCM where there is a key, else by a chain of SHA-256. So a changed
 * byte, a missing end, a frame elsewhere and bytes behind the end are all found.
 */

/** Something is wrong with the file or the key; the message is a sentence for whoever restores it. */
export class BackupFault extends Error {}

const damaged = () => new BackupFault('The backup is damaged or was cut off; nothing was changed.');
const notOurs = () => new BackupFault('The file is no backup of Caseway, or its beginning is damaged.');

const frameSize = 2 ** 18;
const tagSize = { encrypted: 16, plain: 32 };
const headLimit = 1000;

const head = z.strictObject({
  'caseway-backup': z.literal(1),
  encryption: z.enum(['aes-256-gcm', 'none']),
  salt: z.base64(),
});

/** A piece of what is backed up: a description as JSON, or rows as text of COPY. */
export type BackupRecord = { kind: string; bytes: Buffer };

/** Seals and opens frames in their order. */
class Seal {
  readonly #key: Buffer | undefined;
  readonly #line: Buffer;
  #chain: Buffer;
  #place = 0n;

  constructor(line: Buffer, salt: Buffer, key: string | undefined) {
    this.#line = line;
    this.#chain = createHash('sha256').update(line).digest();
    // Slow on purpose: a key may be words that somebody thought of.
    if (key !== undefined) this.#key = scryptSync(key, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
  }

  get tag(): number {
    return this.#key ? tagSize.encrypted : tagSize.plain;
  }

  #nonce(last: boolean): Buffer {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(this.#place++, 3);
    nonce[11] = last ? 1 : 0;
    return nonce;
  }

  close(bytes: Buffer, last: boolean): Buffer {
    const nonce = this.#nonce(last);
    if (!this.#key) return Buffer.concat([bytes, this.#link(nonce, bytes)]);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(this.#line);
    return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /** Throws when the frame is not as it was sealed. */
  open(frame: Buffer, last: boolean): Buffer {
    const nonce = this.#nonce(last);
    const bytes = frame.subarray(0, -this.tag);
    const tag = frame.subarray(-this.tag);
    if (!this.#key) {
      if (!this.#link(nonce, bytes).equals(tag)) throw damaged();
      return bytes;
    }
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce).setAAD(this.#line).setAuthTag(tag);
    const first = decipher.update(bytes);
    try {
      return Buffer.concat([first, decipher.final()]);
    } catch {
      throw this.#place === 1n
        ? new BackupFault('The key does not fit the backup, or the backup is damaged; nothing was changed.')
        : damaged();
    }
  }

  #link(nonce: Buffer, bytes: Buffer): Buffer {
    this.#chain = createHash('sha256').update(this.#chain).update(nonce).update(bytes).digest();
    return this.#chain;
  }
}

/** The bytes of the file. */
export async function* sealBackup(
  records: AsyncIterable<BackupRecord>,
  key: string | undefined,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(16);
  const about = {
    'caseway-backup': 1,
    encryption: key ? 'aes-256-gcm' : 'none',
    salt: salt.toString('base64'),
  };
  const line = Buffer.from(`${JSON.stringify(about)}\n`);
  yield line;
  const seal = new Seal(line, salt, key);
  const framed = (bytes: Buffer, last: boolean) => {
    const frame = seal.close(bytes, last);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(frame.length * 2 + (last ? 1 : 0));
    return Buffer.concat([length, frame]);
  };
  let waiting = Buffer.alloc(0);
  for await (const chunk of through(packedRecords(records), createZstdCompress())) {
    waiting = Buffer.concat([waiting, chunk]);
    for (; waiting.length > frameSize; waiting = waiting.subarray(frameSize))
      yield framed(waiting.subarray(0, frameSize), false);
  }
  yield framed(waiting, true);
}

/**
 * What comes out of a stream that is fed with `bytes`. The reader gets the error of either, so the pipeline's own is not
 * needed. `compose` would do the same, but sometimes aborts when the output ends before the input is closed.
 */
const through = (bytes: AsyncIterable<Buffer>, stream: Transform): Transform =>
  pipeline(Readable.from(bytes), stream, () => {});

async function* packedRecords(records: AsyncIterable<BackupRecord>): AsyncGenerator<Buffer> {
  for await (const { kind, bytes } of records) {
    const before = Buffer.alloc(5);
    before.write(kind, 0, 1, 'latin1');
    before.writeUInt32BE(bytes.length, 1);
    yield Buffer.concat([before, bytes]);
  }
}

/** The records of a file. Throws a `BackupFault` in one sentence at the first byte that is not as it was written. */
export async function* openBackup(path: string, key: string | undefined): AsyncGenerator<BackupRecord> {
  const packed = through(frames(path, key), createZstdDecompress());
  const taking = new Taking(packed[Symbol.asyncIterator]());
  try {
    for (;;) {
      const before = await taking.take(5, true);
      if (!before) return;
      const bytes = await taking.take(before.readUInt32BE(1));
      yield { kind: before.toString('latin1', 0, 1), bytes: bytes! };
    }
  } catch (error) {
    throw error instanceof BackupFault || 'syscall' in (error as object) ? error : damaged();
  } finally {
    packed.destroy();
  }
}

async function* frames(path: string, key: string | undefined): AsyncGenerator<Buffer> {
  const taking = new Taking(createReadStream(path, { highWaterMark: frameSize })[Symbol.asyncIterator]());
  const line = await taking.line(headLimit);
  let about: z.infer<typeof head>;
  try {
    about = head.parse(JSON.parse(line.toString()));
  } catch {
    throw notOurs();
  }
  if (about.encryption !== 'none' && key === undefined)
    throw new BackupFault('The backup is encrypted: set BACKUP_KEY or BACKUP_KEY_FILE to its key.');
  const seal = new Seal(
    line,
    Buffer.from(about.salt, 'base64'),
    about.encryption === 'none' ? undefined : key,
  );
  for (;;) {
    const told = (await taking.take(4))!.readUInt32BE(0);
    const last = told % 2 === 1;
    const length = Math.floor(told / 2);
    if (length < seal.tag || length > frameSize + seal.tag) throw damaged();
    yield seal.open((await taking.take(length))!, last);
    if (last) break;
  }
  if (await taking.take(1, true)) throw damaged();
}

/** Takes bytes from a source by their number. */
class Taking {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer[] = [];
  #length = 0;

  constructor(source: AsyncIterator<Buffer>) {
    this.#source = source;
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    this.#held.push(value);
    this.#length += value.length;
    return true;
  }

  /** So many bytes; undefined at the end of the source, where that may be. Throws when it ends before. */
  async take(bytes: number, mayEnd = false): Promise<Buffer | undefined> {
    while (this.#length < bytes)
      if (!(await this.#more())) {
        if (mayEnd && this.#length === 0) return undefined;
        throw damaged();
      }
    const all = Buffer.concat(this.#held);
    this.#held = [all.subarray(bytes)];
    this.#length -= bytes;
    return all.subarray(0, bytes);
  }

  async line(limit: number): Promise<Buffer> {
    let line = Buffer.alloc(0);
    while (line.length < limit) {
      line = Buffer.concat([line, (await this.take(1, true)) ?? Buffer.alloc(0)]);
      if (line.length === 0) throw notOurs();
      if (line.at(-1) === 10) return line;
      if (this.#length === 0 && !(await this.#more())) throw notOurs();
    }
    throw notOurs();
  }
}
