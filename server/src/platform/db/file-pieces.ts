import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Database, Tx } from './database.ts';

const compress = promisify(zstdCompress);
const expand = promisify(zstdDecompress);

/*
 * Files in the database, so that any server can read any file. A file is read and written piece by piece, each in a
 * separate transaction, so that a slow sender holds no connection.
 */

/** Bytes of the file in one piece. */
const pieceSize = 2 ** 20;
/** Bytes passed on in one piece; reading them takes a while, during which nothing else is done. */
const chunkSize = 2 ** 18;

/** The file was removed before or while it was read. */
export class PieceGone extends Error {
  constructor() {
    super('a piece of a stored file is gone');
  }
}

const serviceOf = (tenantId: string) => ({ kind: 'service', tenantId }) as const;

/** The files in a table of pieces; `by`: its column with the id of a file. */
export function filePieces(table: string, by: string) {
  const insert = (tx: Tx, tenantId: string, id: string, offset: number, length: number, bytes: Buffer) =>
    tx.run(
      `insert into ${table} (tenant_id, ${by}, byte_offset, byte_length, bytes) values ($1, $2, $3, $4, $5)`,
      [tenantId, id, offset, length, bytes],
    );

  /** Stores a file of one piece, in the transaction of its owner. */
  const add = async (tx: Tx, tenantId: string, id: string, file: Buffer): Promise<void> =>
    void (await insert(tx, tenantId, id, 0, file.length, await compress(file)));

  const remove = async (tx: Tx, tenantId: string, id: string): Promise<void> =>
    void (await tx.run(`delete from ${table} where tenant_id = $1 and ${by} = $2`, [tenantId, id]));

  /**
   * Stores a file and returns its size and SHA-256 (hex). If the source breaks off, nothing is kept; leftovers of a
   * killed server are swept. The pieces are safe once the transaction that adds the owner of the file has committed.
   */
  async function store(
    database: Database,
    tenantId: string,
    id: string,
    source: AsyncIterable<Uint8Array>,
  ): Promise<{ byteSize: number; sha256: string }> {
    const hash = createHash('sha256');
    let byteSize = 0;
    let writing = Promise.resolve();
    const write = async (piece: Buffer, offset: number) => {
      const bytes = await compress(piece);
      await database.withScope(serviceOf(tenantId), async (tx) => {
        // The owner's own commit waits for the disk, and everything before it is then on the disk.
        await tx.run('set local synchronous_commit = off');
        await insert(tx, tenantId, id, offset, piece.length, bytes);
      });
    };
    // One piece is written while the next one arrives.
    const next = async (piece: Buffer, offset: number) => {
      await writing;
      writing = write(piece, offset);
      writing.catch(() => {});
    };
    try {
      let waiting: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of source) {
        hash.update(chunk);
        byteSize += chunk.byteLength;
        waiting.push(chunk);
        length += chunk.byteLength;
        if (length < pieceSize) continue;
        await next(Buffer.concat(waiting), byteSize - length);
        waiting = [];
        length = 0;
      }
      if (length > 0) await next(Buffer.concat(waiting), byteSize - length);
      await writing;
    } catch (error) {
      await writing.catch(() => {});
      await database.withScope(serviceOf(tenantId), (tx) => remove(tx, tenantId, id)).catch(() => {});
      throw error;
    }
    return { byteSize, sha256: hash.digest('hex') };
  }

  /** Whether the file is complete. */
  async function isWhole(database: Database, tenantId: string, id: string, size: number): Promise<boolean> {
    const [held] = await database.withScope(serviceOf(tenantId), (tx) =>
      tx.rows<{ bytes: number }>(
        `select coalesce(sum(byte_length), 0)::bigint as bytes from ${table} where tenant_id = $1 and ${by} = $2`,
        [tenantId, id],
      ),
    );
    return held?.bytes === size;
  }

  /** Reads a file of this size, from a byte on. Throws `PieceGone` if a piece is missing. */
  async function* read(
    database: Database,
    tenantId: string,
    id: string,
    size: number,
    from = 0,
  ): AsyncGenerator<Buffer, void, undefined> {
    const pieceAt = async (at: number) => {
      const [piece] = await database.withScope(
        serviceOf(tenantId),
        (tx) =>
          tx.rows<{ byte_offset: number; bytes: Buffer }>(
            `select byte_offset, bytes from ${table}
             where tenant_id = $1 and ${by} = $2 and byte_offset <= $3 order by byte_offset desc limit 1`,
            [tenantId, id, at],
          ),
        { readOnly: true },
      );
      const bytes = piece && (await expand(piece.bytes)).subarray(at - piece.byte_offset);
      if (!bytes || bytes.length === 0) throw new PieceGone();
      return bytes;
    };
    let reading = from < size ? pieceAt(from) : undefined;
    for (let at = from; reading; ) {
      const bytes = await reading;
      at += bytes.length;
      // The next piece is fetched while this one is read.
      reading = at < size ? pieceAt(at) : undefined;
      reading?.catch(() => {});
      for (let start = 0; start < bytes.length; start += chunkSize)
        yield bytes.subarray(start, start + chunkSize);
    }
  }

  return { add, store, isWhole, read, remove };
}
