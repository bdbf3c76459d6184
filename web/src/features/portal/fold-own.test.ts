import type { RecordAccess } from '@caseway/contract/portal';
import { expect, test } from 'vitest';
import { foldOwn } from './fold-own.ts';

const dayOf = (at: string) => at.slice(0, 10);
let id = 0;
const entry = (by: RecordAccess['by'], deed: RecordAccess['deed'], at: string): RecordAccess => {
  id += 1;
  return { id: String(id), at, by, organization: null, roles: [], deed };
};

test('own entries of one kind and day become one, others stay separate', () => {
  const entries = [
    entry('you', 'read', '2026-11-23T09:03:00Z'),
    entry('you', 'read', '2026-11-23T09:02:00Z'),
    entry('you', 'export', '2026-11-23T09:01:00Z'),
    entry('you', 'read', '2026-11-23T09:00:00Z'),
    entry('staff', 'read', '2026-11-23T08:00:00Z'),
    entry('staff', 'read', '2026-11-23T07:59:00Z'),
    entry('you', 'read', '2026-11-23T07:00:00Z'),
    entry('you', 'read', '2026-11-22T07:00:00Z'),
  ];
  expect(foldOwn(entries, dayOf).map(({ entry: { id: one }, times }) => [Number(one), times])).toEqual([
    [1, 2],
    [3, 1],
    [4, 1],
    [5, 1],
    [6, 1],
    [7, 1],
    [8, 1],
  ]);
  expect(foldOwn([], dayOf)).toEqual([]);
});
