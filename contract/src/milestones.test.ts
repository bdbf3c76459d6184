import { expect, test } from 'vitest';
import type { Calendar } from './calendar.ts';
import { caseFlow } from './case-flow.ts';
import { timesOf } from './milestones.ts';

const calendar: Calendar = { workdays: [1, 2, 3, 4, 5], federalHolidays: true, daysOff: ['2026-11-27'] };
/** Entered on Tuesday, November 24, before Thanksgiving. */
const made = '2026-11-24';
const moved = (from: string, to: string, on: string, earlier: { to: string; on: string }[] = []) =>
  timesOf(caseFlow, { made, earlier }, { from, to, on }, calendar);

test('days exclude the holiday, the day off and the weekend, by hand', () => {
  // Wednesday and Monday, of six days.
  const six = { days: 6, workdays: 2 };
  expect(moved('new', 'assigned', '2026-11-30')).toEqual({
    former: six,
    milestones: [six, null, null, null],
  });
});

test('taking a case assigns and starts it at once', () => {
  const one = { days: 1, workdays: 1 };
  expect(moved('new', 'under_investigation', '2026-11-25')).toEqual({
    former: one,
    milestones: [one, { days: 0, workdays: 0 }, null, null],
  });
});

test('a milestone is reached once, and counted from the one before', () => {
  const way = [
    { to: 'assigned', on: '2026-11-25' },
    { to: 'under_investigation', on: '2026-11-30' },
    { to: 'rejected_by_investigator', on: '2026-12-01' },
  ];
  // Reassigned: counted from the day before.
  expect(moved('rejected_by_investigator', 'assigned', '2026-12-02', way)).toEqual({
    former: { days: 1, workdays: 1 },
    milestones: [null, null, null, null],
  });
  const again = [
    ...way,
    { to: 'assigned', on: '2026-12-02' },
    { to: 'under_investigation', on: '2026-12-03' },
  ];
  expect(moved('under_investigation', 'complete', '2026-12-07', again)).toEqual({
    former: { days: 4, workdays: 2 },
    // From Monday to Monday.
    milestones: [null, null, { days: 7, workdays: 5 }, null],
  });
});

test('nothing is counted if the age of the former state is unknown', () => {
  expect(moved('complete', 'approved', '2026-12-02')).toEqual({
    former: null,
    milestones: [null, null, null, null],
  });
});
