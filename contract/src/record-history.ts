import { z } from 'zod';
import { endpoint, type Permission } from './endpoint.ts';

const id = z.uuid();

/** A version of a record: who made it when, and what changed; the first has no `from`. */
const historyEntry = z.object({
  version: z.number().int(),
  at: z.iso.datetime(),
  by: z.object({ id, name: z.string() }).nullable(),
  changes: z.record(z.string(), z.object({ from: z.unknown().optional(), to: z.unknown() })),
  /** The version it undoes. */
  undoes: z.number().int().nullable(),
  /** Its transition and the reason. */
  transition: z.string().nullable(),
  reason: z.string().nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;
/** The most versions in one answer. */
export const historyPage = 50;

/** The endpoints that read and undo versions; `path` is the record's, with `:id`. */
export const historyOf = <Shown extends z.ZodType>({
  path,
  noun,
  read,
  write,
  shown,
}: {
  path: string;
  noun: string;
  read: Permission;
  write: Permission;
  shown: Shown;
}) => ({
  history: endpoint({
    method: 'GET',
    path: `${path}/history`,
    access: read,
    deed: 'read',
    summary: `The versions of a ${noun}, the newest first`,
    params: z.strictObject({ id }),
    query: z.strictObject({ before: z.coerce.number().int().optional() }),
    response: z.object({ entries: z.array(historyEntry), more: z.boolean() }),
  }),
  /** Fields that have changed again since stay as they are, and are listed in `kept`. */
  undo: endpoint({
    method: 'POST',
    path: `${path}/undo`,
    access: write,
    deed: 'administration',
    summary: `Take back what a version of a ${noun} changed`,
    params: z.strictObject({ id }),
    body: z.strictObject({ version: z.number().int() }),
    response: z.object({ record: shown, kept: z.array(z.string()) }),
  }),
});
