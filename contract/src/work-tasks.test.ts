import { describe, expect, test } from 'vitest';
import { nextDue } from './work-tasks.ts';

describe("the next task's day", () => {
  const weekly = { dueOn: '2026-02-23', repeatDays: 7, repeatUntil: '2026-03-16' };

  test.each([
    ['done before its day', '2026-02-20', '2026-03-02'],
    ['done on its day', '2026-02-23', '2026-03-02'],
    ['done late: the rhythm stays', '2026-02-27', '2026-03-02'],
    ['done on the day of the next one', '2026-03-02', '2026-03-09'],
    ['on the last day there is one', '2026-03-09', '2026-03-16'],
    ['and none after it', '2026-03-16', null],
  ])('%s', (_, today, next) => {
    expect(nextDue(weekly, today)).toBe(next);
  });

  test('a leap day is a day; a task that repeats without an end continues', () => {
    expect(nextDue({ dueOn: '2028-02-28', repeatDays: 1, repeatUntil: null }, '2028-02-28')).toBe(
      '2028-02-29',
    );
  });

  test('a task that does not repeat has no next one', () => {
    expect(nextDue({ ...weekly, repeatDays: null }, '2026-02-23')).toBeNull();
  });
});
