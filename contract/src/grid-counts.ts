import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { type Grid, gridQuery } from './grid.ts';

/** How many choices of a filter get counts: the most frequent ones. */
export const countedChoices = 1000;

/**
 * POST /api/web/grid/{grid}/counts: the number of records for each choice of one list filter, under the rest
 * of the query.
 */
export const gridCounts = (grid: Grid) =>
  endpoint({
    method: 'POST',
    path: `/api/web/grid/${grid.id}/counts`,
    access: grid.permission,
    deed: 'numbers',
    feature: grid.feature,
    summary: `How many records of the ${grid.id} grid each choice of a filter has`,
    patientData: true,
    body: z.strictObject({ query: gridQuery(grid), filter: z.enum(grid.filters) }),
    response: z.object({
      counts: z.array(z.object({ id: z.string(), count: z.number().int() })),
      /** False if more choices have records. */
      complete: z.boolean(),
    }),
  });
