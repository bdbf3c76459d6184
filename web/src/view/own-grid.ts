import { type Grid, gridFor } from '@caseway/contract/grid';
import type { OrgType } from '@caseway/contract/session';
import { useAppSelector } from '../session/store.ts';

const made = new WeakMap<Grid, Map<OrgType, Grid>>();

/** A grid with the columns of the current organization; the same object each time. */
export function useOwnGrid<G extends Grid>(grid: G): G {
  const orgType = useAppSelector(({ authentication }) => authentication.selectedTenantOrg?.orgType);
  if (orgType === undefined) return grid;
  const known = made.get(grid) ?? new Map<OrgType, Grid>();
  made.set(grid, known);
  const own = known.get(orgType) ?? gridFor(grid, orgType);
  known.set(orgType, own);
  return own as G;
}
