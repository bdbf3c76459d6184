import { z } from 'zod';
import { endpoint, type Permission } from './endpoint.ts';
import { eitherRows, exportedRows, exportsOf, type Grid, producedBy } from './grid.ts';

/*
 * Exports of lists, made in the background. A file belongs to the user and organization that requested it,
 * and is deleted after a day.
 */

/** Hours for which a file can be downloaded. */
export const fileHours = 24;
/** Days for which the list shows what happened to a file. */
export const fileDays = 7;
/** Longer lists are exported in the background. */
export const directRows = 20_000;
/** How many files of one user can be made at the same time. */
export const filesAtOnce = 5;
/** The most files of one user, ready or in the making. */
export const mostFiles = 20;

const count = z.int().min(0);

export const fileStates = ['preparing', 'ready', 'failed', 'expired'] as const;
export const exportedFile = z.object({
  id: z.uuid(),
  /** The id of the list's grid. */
  grid: z.string(),
  format: z.string(),
  state: z.enum(fileStates),
  at: z.iso.datetime(),
  /** The expected rows, and the rows written so far. */
  total: count,
  done: count,
  /** In bytes; null until it is ready. */
  size: count.nullable(),
  expiresAt: z.iso.datetime().nullable(),
  /** The error code of what the owner lacked: a session or a permission. `internal` means our fault. */
  failedBy: z.string().nullable(),
});
export type ExportedFile = z.infer<typeof exportedFile>;

const access = 'general/other';
const path = '/api/web/exported-files';
const params = z.strictObject({ id: z.uuid() });

export const readFiles = endpoint({
  method: 'GET',
  path,
  access,
  deed: 'read',
  summary: 'The files of lists that the signed-in person had made, the latest first',
  response: z.object({ files: z.array(exportedFile) }),
});
/** Cancels a file in the making; deletes a ready one. */
export const removeFile = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  access,
  deed: 'change',
  summary: 'Cancel or delete a file of a list',
  params,
});
export const retryFile = endpoint({
  method: 'POST',
  path: `${path}/:id/again`,
  access,
  deed: 'change',
  summary: 'Make a file of a list that failed once more',
  params,
  body: z.strictObject({}),
  response: exportedFile,
});

type Exportable = Grid & { exportable: Permission };

/**
 * Makes a file in the background. `id`: the file's id, made by the browser, so that a repeated request makes
 * no second file.
 */
export const gridPrepare = (grid: Exportable) =>
  endpoint({
    ...exportsOf(grid),
    method: 'POST',
    path: `/api/web/grid/${grid.id}/export/prepare`,
    summary: `Make a file of the ${grid.id} grid in the background`,
    body: z.strictObject({ ...exportedRows(grid).shape, id: z.uuid() }).refine(...eitherRows),
    response: exportedFile,
  });

/** The file, for the user who requested it, as long as they may still see the same. */
export const gridFile = (grid: Pick<Exportable, 'id' | 'exportable' | 'feature' | 'files'>) =>
  endpoint({
    ...exportsOf(grid),
    method: 'GET',
    path: `/api/web/grid/${grid.id}/export/:file`,
    summary: `A file of the ${grid.id} grid that was made in the background`,
    params: z.strictObject({ file: z.uuid() }),
    ...producedBy(grid),
  });
