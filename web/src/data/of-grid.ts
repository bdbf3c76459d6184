import type { Grid } from '@caseway/contract/grid';

/** What follows from the declaration of a list, such as its endpoints: made once for each list. */
export function ofGrid<G extends Grid, Made>(make: (grid: G) => Made): (grid: G) => Made {
  const made = new WeakMap<G, Made>();
  return (grid) => {
    const known = made.get(grid) ?? make(grid);
    made.set(grid, known);
    return known;
  };
}
