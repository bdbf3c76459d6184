import { expect, test } from 'vitest';
import { addMonths } from './date-range.ts';

test.each([
  ['2026-01-15', 6, '2026-07-15'],
  ['2025-08-31', 6, '2026-02-28'],
  ['2023-08-31', 6, '2024-02-29'],
  ['2024-02-29', 12, '2025-02-28'],
  ['2023-12-15', 12, '2024-12-15'],
  ['2025-12-31', 1, '2026-01-31'],
  ['2026-01-31', 1, '2026-02-28'],
  ['2026-03-02', 0, '2026-03-02'],
])('%s and %i months is %s', (day, months, expected) => expect(addMonths(day, months)).toBe(expected));
