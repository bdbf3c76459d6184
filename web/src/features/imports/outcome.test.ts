import { expect, test } from 'vitest';
import { outcomeOf } from './outcome.ts';

test.each([
  ['was taken wholly', 5, 0, 0, 'done'],
  ['holds one message that was read in part and waits', 1, 1, 0, 'nothingTaken'],
  ['was refused', 1, 0, 1, 'nothingTaken'],
  ['was taken in part', 5, 1, 1, 'partlyTaken'],
  ['holds nothing that the reader may see', 0, 0, 0, 'withheld'],
] as const)('a file that %s', (_what, messages, waiting, refused, outcome) => {
  expect(outcomeOf({ state: 'done', messages, waiting, refused })).toBe(outcome);
});

test('an unfinished import shows its state', () => {
  for (const state of ['queued', 'running', 'needs-mapping', 'failed', 'cancelled'] as const)
    expect(outcomeOf({ state, messages: 0, waiting: 0, refused: 0 })).toBe(state);
});
