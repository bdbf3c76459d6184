import type { Grid } from '@caseway/contract/grid';

/** What follows from a list's declaration, such as its endpoints, created once per list. */
export function ofGrid<G extends Grid, Made>(make: (grid: G) => Made): (grid: G) => Made {
  const made = new WeakMap<G, Made>();
  return (grid) => {
    const known = made.get(grid) ?? make(grid);
    made.set(grid, known);
    return known;
  };
}
