import type { Database } from '../../platform/db/database.ts';
import { filePieces } from '../../platform/db/file-pieces.ts';

/* Files stay in the database until every message in them is stored, so that any server can continue any import. */

/** The bytes of an import's file. */
export interface ImportSource {
  /** Identifies this file among all others. */
  id: string;
  size: number;
  /** Reads it, from a byte on. Throws `PieceGone` if a piece is missing. */
  open(from?: number): AsyncIterable<Uint8Array>;
}

const uploads = filePieces('import_upload', 'import_id');
export const { store: storeUpload, remove: removeUpload } = uploads;

/** The stored file of an import; undefined if it is incomplete. */
export async function findUpload(
  database: Database,
  tenantId: string,
  importId: string,
  size: number,
): Promise<ImportSource | undefined> {
  if (!(await uploads.isWhole(database, tenantId, importId, size))) return undefined;
  return {
    id: importId,
    size,
    open: (from = 0) => uploads.read(database, tenantId, importId, size, from),
  };
}
