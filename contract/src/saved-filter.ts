import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { type Grid, gridQuery } from './grid.ts';

/**
 * A filter with a name, a birth date or an identifier must not be in an address. The server stores it, and
 * the address has its id. Its owner and users of the grid in the same organization can read it. [P16]
 */
export const saveFilter = (grid: Grid) =>
  endpoint({
    method: 'POST',
    path: `/api/web/grid/${grid.id}/filters`,
    access: grid.permission,
    deed: 'change',
    feature: grid.feature,
    summary: `Keep a filter of the ${grid.id} grid, to link to it`,
    body: gridQuery(grid),
    response: z.object({ id: z.string() }),
  });

export const savedFilter = (grid: Grid) =>
  endpoint({
    method: 'GET',
    path: `/api/web/grid/${grid.id}/filters/:id`,
    access: grid.permission,
    deed: 'read',
    feature: grid.feature,
    summary: `A filter that was kept for the ${grid.id} grid`,
    params: z.strictObject({ id: z.string().max(100) }),
    /** The search it came from: its filter model, with all other parts at their defaults. */
    response: gridQuery(grid),
    patientData: true,
  });
