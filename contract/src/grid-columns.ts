import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import type { Grid } from './grid.ts';

/** A user's arrangement of a grid's columns. */
export const columnSettings = z.strictObject({
  /** Every column in order; columns added later go last. */
  order: z.array(z.string().max(100)).max(200),
  hidden: z.array(z.string().max(100)).max(200),
  pinned: z.array(z.string().max(100)).max(200),
  /** Widths in px that differ from the declared ones. */
  widths: z.record(z.string().max(100), z.number().min(20).max(2000)),
});
export type ColumnSettings = z.infer<typeof columnSettings>;

const remembered = z.object({ columns: columnSettings.nullable() });

/** Null if the user has never arranged them. */
export const readGridColumns = (grid: Grid) =>
  endpoint({
    method: 'GET',
    path: `/api/web/grid/${grid.id}/columns`,
    access: grid.permission,
    deed: 'read',
    feature: grid.feature,
    summary: `How the person who asks has arranged the columns of the ${grid.id} grid`,
    response: remembered,
  });

/** Null deletes the user's arrangement. */
export const saveGridColumns = (grid: Grid) =>
  endpoint({
    method: 'PUT',
    path: `/api/web/grid/${grid.id}/columns`,
    access: grid.permission,
    deed: 'change',
    feature: grid.feature,
    summary: `Remember how the columns of the ${grid.id} grid are arranged`,
    body: z.strictObject({ columns: columnSettings.nullable() }),
    response: remembered,
  });
