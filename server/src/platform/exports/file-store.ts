import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Database } from '../db/database.ts';

const compress = promisify(zstdCompress);
const expand = promisify(zstdDecompress);

/** Bytes of the file per piece. */
const pieceSize = 2 ** 20;
const [ivLength, tagLength] = [12, 16];

/** A file, and the tenant whose database has it. */
export interface FileRef {
  tenantId: string;
  id: string;
}

/** One run that makes a file. Its pieces are read without those of another run. */
export interface FileRun extends FileRef {
  run: string;
}

const serviceOf = ({ tenantId }: FileRef) => ({ kind: 'service', tenantId }) as const;

/**
 * The bytes of files made in the background, in the database, so that any server can give out any file. Each piece
 * is compressed, and encrypted (AES-256-GCM) with a key derived from TOKEN_SECRET, so a backup does not reveal them.
 */
export class FileStore {
  readonly #database: Database;
  readonly #key: Buffer;

  constructor(database: Database, secret: string) {
    this.#database = database;
    this.#key = Buffer.from(hkdfSync('sha256', secret, 'caseway', 'caseway exported files', 32));
  }

  /** Stores everything from `source`; returns the number of bytes. */
  async store(file: FileRun, source: AsyncIterable<Uint8Array>): Promise<number> {
    let size = 0;
    let number = 0;
    let waiting: Uint8Array[] = [];
    let length = 0;
    const write = async () => {
      await this.#write(file, number, Buffer.concat(waiting));
      number += 1;
      waiting = [];
      length = 0;
    };
    for await (const chunk of source) {
      size += chunk.byteLength;
      waiting.push(chunk);
      length += chunk.byteLength;
      if (length >= pieceSize) await write();
    }
    if (length > 0) await write();
    return size;
  }

  /** Throws if a piece is missing or does not belong to this file. */
  async *read(file: FileRun, size: number): AsyncGenerator<Buffer, void, undefined> {
    let left = size;
    for (let number = 0; left > 0; number += 1) {
      const [piece] = await this.#database.withScope(
        serviceOf(file),
        (tx) =>
          tx.rows<{ bytes: Buffer }>(
            'select bytes from exported_piece where tenant_id = $1 and file_id = $2 and run = $3 and number = $4',
            [file.tenantId, file.id, file.run, number],
          ),
        { readOnly: true },
      );
      if (!piece) throw new Error('a piece of an exported file is gone');
      const bytes = await expand(this.#open(file, number, piece.bytes));
      left -= bytes.length;
      yield bytes;
    }
  }

  /** Removes what this run wrote. */
  remove(file: FileRun): Promise<void> {
    return this.#remove(file, 'run = $3');
  }

  /** Removes what other runs wrote. */
  removeEarlier(file: FileRun): Promise<void> {
    return this.#remove(file, 'run <> $3');
  }

  async #remove({ tenantId, id, run }: FileRun, which: string): Promise<void> {
    await this.#database.withScope(serviceOf({ tenantId, id }), (tx) =>
      tx.run(`delete from exported_piece where tenant_id = $1 and file_id = $2 and ${which}`, [
        tenantId,
        id,
        run,
      ]),
    );
  }

  async #write(file: FileRun, number: number, piece: Buffer): Promise<void> {
    const sealed = this.#seal(file, number, await compress(piece));
    await this.#database.withScope(serviceOf(file), (tx) =>
      tx.run(
        'insert into exported_piece (tenant_id, file_id, run, number, bytes) values ($1, $2, $3, $4, $5)',
        [file.tenantId, file.id, file.run, number, sealed],
      ),
    );
  }

  #seal({ id }: FileRef, number: number, content: Buffer): Buffer {
    const iv = randomBytes(ivLength);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    cipher.setAAD(Buffer.from(`${id} ${number}`));
    return Buffer.concat([iv, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  }

  #open({ id }: FileRef, number: number, sealed: Buffer): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, ivLength));
    decipher.setAAD(Buffer.from(`${id} ${number}`));
    decipher.setAuthTag(sealed.subarray(-tagLength));
    return Buffer.concat([decipher.update(sealed.subarray(ivLength, -tagLength)), decipher.final()]);
  }
}
