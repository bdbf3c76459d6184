import { expect, test } from 'vitest';
import { dayAfterExposure } from './follow-up.ts';
import { askedDays } from './own-follow-up.ts';

const window = (exposedOn: string, startedOn: string | null, followUntil: string | null) => ({
  firstOn: dayAfterExposure({ lastExposedOn: exposedOn }),
  startedOn,
  followUntil,
});

test('people are asked from the day after the exposure, or the start of the follow-up, to its last day', () => {
  const today = '2026-03-10';
  expect(askedDays([window('2026-03-01', '2026-03-05', '2026-03-22')], today)).toEqual({
    from: '2026-03-05',
    until: '2026-03-22',
  });
  expect(askedDays([window('2026-03-10', '2026-03-10', '2026-03-31')], today)).toEqual({
    from: '2026-03-11',
    until: '2026-03-31',
  });
  // Through the last day, and no longer.
  expect(askedDays([window('2026-03-01', '2026-03-02', today)], today)?.until).toBe(today);
  expect(askedDays([window('2026-03-01', '2026-03-02', '2026-03-09')], today)).toBeNull();
  expect(askedDays([window('2026-03-01', '2026-03-02', null)], today)).toBeNull();
  expect(askedDays([], today)).toBeNull();
});

test('several follow-ups of a person are one: from the first of their days to the last', () => {
  const over = window('2026-01-01', '2026-01-02', '2026-01-22');
  const one = window('2026-03-01', '2026-03-03', '2026-03-22');
  const other = window('2026-03-05', '2026-03-06', '2026-03-12');
  expect(askedDays([over, other, one], '2026-03-10')).toEqual({ from: '2026-03-03', until: '2026-03-22' });
});
