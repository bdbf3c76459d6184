import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { type Grid, gridQuery } from './grid.ts';

/** How many choices of a filter are counted; a list with more of them has the counts of its most frequent. */
export const countedChoices = 1000;

/**
 * POST /api/web/grid/{grid}/counts: how many records each choice of one list filter has, under everything else that the
 * query says.
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
      /** False where further choices have records, too. */
      complete: z.boolean(),
    }),
  });
