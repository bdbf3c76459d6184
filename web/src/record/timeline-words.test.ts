import { timelineRecords } from '@caseway/contract/timeline';
import { expect, test } from 'vitest';
import { timelineWords } from './timeline-words.ts';

test('each record on a timeline has the words of its codes there', () => {
  // Cases have names of their own for their codes; those of results come from the server.
  const others = ['case-reports', 'results'];
  expect([...timelineWords, ...others].sort()).toEqual(timelineRecords.map(({ id }) => id).sort());
});
