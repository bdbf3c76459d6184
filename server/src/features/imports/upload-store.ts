import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { withoutFormless } from '@caseway/contract/name';
import type { Database, Tx } from '../../platform/db/database.ts';

const compress = promisify(zstdCompress);
const expand = promisify(zstdDecompress);

/*
 * Files stay in the database until every message in them is stored, so that any server can continue any import. A
 * file is read and written piece by piece, each in a separate transaction, so that a slow sender holds no
 * connection.
 */

/** Bytes of the file in one piece. */
const pieceSize = 2 ** 20;
/** Bytes passed on in one piece; reading them takes a while, during which nothing else is done. */
const chunkSize = 2 ** 18;

/** The bytes of an import's file. */
export interface ImportSource {
  /** Identifies this file among all others. */
  id: string;
  size: number;
  /** Reads it, from a byte on. Throws `UploadGone` if a piece is missing. */
  open(from?: number): AsyncIterable<Uint8Array>;
}

/** The file was removed before or while it was read. */
export class UploadGone extends Error {
  constructor() {
    super('the file of the import is gone');
  }
}

/**
 * The name of a sender's file for lists, headers and downloads: without line ends and direction marks, so that its
 * visible ending is the real one.
 */
export const nameOfFile = (given: string): string =>
  withoutFormless(given)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim() || 'file';

const serviceOf = (tenantId: string) => ({ kind: 'service', tenantId }) as const;

/**
 * Stores an upload and returns its size and SHA-256 (hex). If the source breaks off, nothing is kept; leftovers of a
 * killed server are swept. The pieces are safe once the transaction that adds the import has committed.
 */
export async function storeUpload(
  database: Database,
  tenantId: string,
  importId: string,
  source: AsyncIterable<Uint8Array>,
): Promise<{ byteSize: number; sha256: string }> {
  const hash = createHash('sha256');
  let byteSize = 0;
  let writing = Promise.resolve();
  const write = async (piece: Buffer, offset: number) => {
    const bytes = await compress(piece);
    await database.withScope(serviceOf(tenantId), async (tx) => {
      // The import's own commit waits for the disk, and everything before it is then on the disk.
      await tx.run('set local synchronous_commit = off');
      await tx.run(
        'insert into import_upload (tenant_id, import_id, byte_offset, byte_length, bytes) values ($1, $2, $3, $4, $5)',
        [tenantId, importId, offset, piece.length, bytes],
      );
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
    await database
      .withScope(serviceOf(tenantId), (tx) => removeUpload(tx, tenantId, importId))
      .catch(() => {});
    throw error;
  }
  return { byteSize, sha256: hash.digest('hex') };
}

/** The stored file of an import; undefined if it is incomplete. */
export async function findUpload(
  database: Database,
  tenantId: string,
  importId: string,
  size: number,
): Promise<ImportSource | undefined> {
  const [held] = await database.withScope(serviceOf(tenantId), (tx) =>
    tx.rows<{ bytes: number }>(
      'select coalesce(sum(byte_length), 0)::bigint as bytes from import_upload where tenant_id = $1 and import_id = $2',
      [tenantId, importId],
    ),
  );
  if (held?.bytes !== size) return undefined;
  return { id: importId, size, open: (from = 0) => readUpload(database, tenantId, importId, size, from) };
}

async function* readUpload(
  database: Database,
  tenantId: string,
  importId: string,
  size: number,
  from: number,
): AsyncGenerator<Buffer, void, undefined> {
  const read = async (at: number) => {
    const [piece] = await database.withScope(
      serviceOf(tenantId),
      (tx) =>
        tx.rows<{ byte_offset: number; bytes: Buffer }>(
          `select byte_offset, bytes from import_upload
           where tenant_id = $1 and import_id = $2 and byte_offset <= $3 order by byte_offset desc limit 1`,
          [tenantId, importId, at],
        ),
      { readOnly: true },
    );
    const bytes = piece && (await expand(piece.bytes)).subarray(at - piece.byte_offset);
    if (!bytes || bytes.length === 0) throw new UploadGone();
    return bytes;
  };
  let reading = from < size ? read(from) : undefined;
  for (let at = from; reading; ) {
    const bytes = await reading;
    at += bytes.length;
    // The next piece is fetched while this one is read.
    reading = at < size ? read(at) : undefined;
    reading?.catch(() => {});
    for (let start = 0; start < bytes.length; start += chunkSize)
      yield bytes.subarray(start, start + chunkSize);
  }
}

export const removeUpload = async (tx: Tx, tenantId: string, importId: string): Promise<void> =>
  void (await tx.run('delete from import_upload where tenant_id = $1 and import_id = $2', [
    tenantId,
    importId,
  ]));
