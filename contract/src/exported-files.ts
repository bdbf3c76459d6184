import { z } from 'zod';
import { endpoint, type Permission } from './endpoint.ts';
import { eitherRows, exportedRows, exportsOf, type Grid, producedBy } from './grid.ts';

/*
 * Files of lists that are made in the background. Each is for the person who asked for it, in the organization for which
 * they asked, and is deleted after a day.
 */

/** Hours for which a file can be downloaded. */
export const fileHours = 24;
/** Days for which the list says what became of a file. */
export const fileDays = 7;
/** A list with more rows is made in the background. */
export const directRows = 20_000;
/** How many files one person has made at the same time. */
export const filesAtOnce = 5;
/** How many of one person are kept or being made. */
export const mostFiles = 20;

const count = z.int().min(0);

export const fileStates = ['preparing', 'ready', 'failed', 'expired'] as const;
export const exportedFile = z.object({
  id: z.uuid(),
  /** The list, by its id. */
  grid: z.string(),
  format: z.string(),
  state: z.enum(fileStates),
  at: z.iso.datetime(),
  /** Rows that are expected, and how many are in the file so far. */
  total: count,
  done: count,
  /** Bytes; null until it is ready. */
  size: count.nullable(),
  expiresAt: z.iso.datetime().nullable(),
  /** The error code of what its owner lacked: a session, a permission. `internal`: a fault of ours. */
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
/** Cancels one that is being made, and deletes one that is ready. */
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

/** Makes a file in the background; `id`: its own, made by the browser, so that a request sent again makes no second one. */
export const gridPrepare = (grid: Exportable) =>
  endpoint({
    ...exportsOf(grid),
    method: 'POST',
    path: `/api/web/grid/${grid.id}/export/prepare`,
    summary: `Make a file of the ${grid.id} grid in the background`,
    body: z.strictObject({ ...exportedRows(grid).shape, id: z.uuid() }).refine(...eitherRows),
    response: exportedFile,
  });

/** The file, for the person who had it made, as long as they may see what they saw then. */
export const gridFile = (grid: Pick<Exportable, 'id' | 'exportable' | 'feature' | 'files'>) =>
  endpoint({
    ...exportsOf(grid),
    method: 'GET',
    path: `/api/web/grid/${grid.id}/export/:file`,
    summary: `A file of the ${grid.id} grid that was made in the background`,
    params: z.strictObject({ file: z.uuid() }),
    ...producedBy(grid),
  });
