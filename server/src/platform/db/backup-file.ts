import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline, Readable, type Transform } from 'node:stream';
import { pipeline as finished } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { naming } from '../words/in-words.ts';

/*
 * The file of a backup: a line of JSON, then frames of at most 256 kB of compressed records. Each frame is sealed with
 * its place and whether it is the last one: by AES-256-GCM if there is a key, otherwise by a chain of SHA-256. So a
 * changed byte, a missing end, a moved frame and bytes after the end are all detected.
 */

/** A fault of the file or the key; the message is a sentence for the operator. */
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

/** A piece of a backup: a description as JSON, or rows as text of COPY. */
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
    // Slow on purpose: a key may be words that a person made up.
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

  /** Throws if the frame was changed. */
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
 * Writes a file that gets its name only when it is complete and on the disk. Returns its size. An interruption, for
 * example by a signal, leaves nothing behind; a kill leaves a file ending in `.part`.
 */
export function writeWhole(
  path: string,
  bytes: AsyncIterable<Buffer>,
  signal?: AbortSignal,
): Promise<number> {
  // Each process has its own part file, so that two do not write into the same one.
  const part = `${path}.${randomBytes(4).toString('hex')}.part`;
  const write = async () => {
    const file = await open(part, 'wx', 0o600);
    try {
      const stream = file.createWriteStream({ flush: true });
      await finished(Readable.from(bytes), stream, { signal });
      await rename(part, path);
      const folder = await open(dirname(path), 'r');
      await folder.sync().finally(() => folder.close());
      return stream.bytesWritten;
    } catch (error) {
      await rm(part, { force: true });
      throw signal?.aborted ? new Error(`Stopped; ${path} was not written.`) : error;
    }
  };
  return naming(path, write());
}

/**
 * The output of a stream that is fed with `bytes`. The reader gets errors of either, so the pipeline's own is not
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

/**
 * The records of a file. Throws a `BackupFault` in one sentence at the first changed byte, and if a key was given
 * for a file that was not sealed with it: then anyone could have written the file. `unencrypted` accepts it.
 */
export async function* openBackup(
  path: string,
  key: string | undefined,
  { unencrypted = false } = {},
): AsyncGenerator<BackupRecord> {
  const packed = through(frames(path, key, unencrypted), createZstdDecompress());
  const taking = new Taking(packed[Symbol.asyncIterator]());
  try {
    for (;;) {
      const before = await taking.take(5, true);
      if (!before) return;
      const bytes = await taking.take(before.readUInt32BE(1));
      yield { kind: before.toString('latin1', 0, 1), bytes: bytes! };
    }
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    // A disk error, which does not name the file.
    throw 'syscall' in (error as object) ? Object.assign(error as Error, { path }) : damaged();
  } finally {
    packed.destroy();
  }
}

/** Whether a file is encrypted. Throws a `BackupFault` if it is not a backup of Caseway. */
export async function isEncrypted(path: string): Promise<boolean> {
  const source = createReadStream(path);
  try {
    return readHead(await new Taking(source[Symbol.asyncIterator]()).line(headLimit)).encryption !== 'none';
  } finally {
    source.destroy();
  }
}

function readHead(line: Buffer): z.infer<typeof head> {
  try {
    return head.parse(JSON.parse(line.toString()));
  } catch {
    throw notOurs();
  }
}

async function* frames(path: string, key: string | undefined, unencrypted: boolean): AsyncGenerator<Buffer> {
  const taking = new Taking(createReadStream(path, { highWaterMark: frameSize })[Symbol.asyncIterator]());
  const line = await taking.line(headLimit);
  const about = readHead(line);
  if (about.encryption === 'none' && key !== undefined && !unencrypted)
    throw new BackupFault(
      'The backup is not encrypted, although a key is set: somebody without the key could have written or changed it. If you know where it has been, say --unencrypted.',
    );
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

/** Reads a given number of bytes from a source. */
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

  /** This many bytes; undefined at the end of the source, if it may end there. Throws if it ends earlier. */
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
