import type { z } from 'zod';

/**
 * When a check of a whole object runs: where the properties that it reads are valid, whatever is wrong with the others, so
 * that all faults are told at once. By itself a check waits until nothing else is wrong. [S5.1]
 */
export const whereValid =
  (...names: readonly string[]) =>
  ({ value, issues }: z.core.ParsePayload): boolean =>
    typeof value === 'object' &&
    value !== null &&
    !issues.some(({ path }) => path === undefined || path.length === 0 || names.includes(String(path[0])));
