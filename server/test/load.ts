/** Set by scripts/full.mjs. */
const isFull = process.env.CASEWAY_TEST_LOAD === 'full';

/**
 * How much of something a test does: `small` in `npm test`, `full` in `npm run test:full`. `small` also finds a
 * fault, only less often at its first try; what cannot be found with less is not reduced.
 */
export const load = <Amount>(small: Amount, full: Amount): Amount => (isFull ? full : small);

/**
 * Rounds of a property. In `npm test` they are the same every time, so that a failure comes from the change at hand;
 * in `npm run test:full` they differ, and fast-check prints the seed of failures.
 */
export const rounds = (small: number, full: number): { numRuns: number; seed?: number } =>
  isFull ? { numRuns: full } : { numRuns: small, seed: 20_261_124 };
