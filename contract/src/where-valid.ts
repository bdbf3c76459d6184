import type { z } from 'zod';

/**
 * Runs a check of a whole object as soon as the properties it reads are valid, even if others are not, so
 * that one answer lists all faults. Otherwise zod runs the check only when nothing else is wrong. [S5.1]
 */
export const whereValid =
  (...names: readonly string[]) =>
  ({ value, issues }: z.core.ParsePayload): boolean =>
    typeof value === 'object' &&
    value !== null &&
    !issues.some(({ path }) => path === undefined || path.length === 0 || names.includes(String(path[0])));
