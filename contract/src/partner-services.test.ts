import { describe, expect, test } from 'vitest';
import { interviewPeriod, isInPeriod, partnerDayFaults, partnerTimes } from './partner-services.ts';

describe('the interview period', () => {
  const today = '2026-11-27';
  const nothing = { onsetOn: null, treatedOn: null, testedOn: null, counselledOn: null };
  // By hand, from the CDC's program guidelines.
  test.each([
    ['gonorrhea', { onsetOn: '2026-10-10', treatedOn: '2026-10-20' }, '2026-08-11', '2026-10-20'],
    ['chlamydia', { treatedOn: '2026-10-20' }, '2026-08-21', '2026-10-20'],
    ['chlamydia', {}, '2026-09-28', today],
    ['syphilis-primary', { onsetOn: '2026-10-10', treatedOn: '2026-10-20' }, '2026-07-12', '2026-10-20'],
    ['syphilis-secondary', { onsetOn: '2026-10-20', treatedOn: '2026-10-25' }, '2026-04-05', '2026-10-25'],
    ['syphilis-early-latent', { treatedOn: '2026-10-20' }, '2025-10-20', '2026-10-20'],
    ['syphilis-unknown-stage', {}, '2025-11-27', today],
    ['hiv', { testedOn: '2026-10-20', counselledOn: '2026-10-27' }, '2025-10-20', '2026-10-27'],
    ['hiv', { testedOn: '2026-10-20', relation: 'spouse' }, '2016-10-20', today],
  ])('for %s with %j is from %s to %s', (condition, given, start, end) =>
    expect(interviewPeriod({ condition, ...nothing, ...given }, today)).toEqual({ start, end }),
  );
  test.each(['syphilis-primary', 'syphilis-secondary', 'syphilis-late', 'hiv', 'measles'])(
    'for %s is unknown without a day, or does not exist',
    (condition) => expect(interviewPeriod({ condition, ...nothing }, today)).toBeNull(),
  );

  const period = { start: '2026-08-01', end: '2026-10-20' };
  test.each([
    [null, '2026-07-31', false],
    [null, '2026-08-01', true],
    ['2026-10-21', null, false],
    ['2026-01-01', '2026-11-01', true],
    [null, null, null],
  ])('someone met from %s to %s is in it: %s', (firstExposedOn, lastExposedOn, isIn) =>
    expect(isInPeriod({ firstExposedOn, lastExposedOn }, period)).toBe(isIn),
  );
});

describe('the days since an assignment', () => {
  const today = '2026-11-27';
  const nothing = {
    ...{ fieldAssignedOn: null, dispositionOn: null },
    ...{ interviewAssignedOn: null, interviewStatus: null, interviewedOn: null },
  };
  const field = { fieldAssignedOn: '2026-11-01' };
  const given = { interviewAssignedOn: '2026-11-01', interviewStatus: 'A' };
  test.each([
    [{ fieldAssignedOn: '2026-11-20' }, ['dispose 7 running']],
    [{ fieldAssignedOn: '2026-11-19' }, ['dispose 8 late']],
    [{ ...field, dispositionOn: '2026-11-08' }, ['dispose 7 met']],
    [{ ...field, dispositionOn: '2026-11-09' }, ['dispose 8 missed']],
    [{ ...given, interviewAssignedOn: '2026-11-24' }, ['interview 3 running']],
    [given, ['interview 26 late']],
    [{ ...given, interviewStatus: 'I', interviewedOn: '2026-11-01' }, ['interview 0 met']],
    [{ ...given, interviewStatus: 'I', interviewedOn: '2026-11-05' }, ['interview 4 missed']],
    [{ ...given, interviewStatus: 'R' }, []],
    [{}, []],
  ])('for %j are %j', (values, expected) =>
    expect(
      partnerTimes({ ...nothing, ...values }, today).map(
        ({ what, days, state }) => `${what} ${days} ${state}`,
      ),
    ).toEqual(expected),
  );
});

test('each impossible day is named', () => {
  const known = { today: '2026-11-27', birthDate: '1990-05-05' };
  const faults = (values: object) =>
    partnerDayFaults(values as Record<string, unknown>, known).map(({ field, code }) => `${field} ${code}`);
  expect(faults({ examOn: '2026-11-28', sentToDueOn: '2026-12-24' })).toEqual(['examOn future']);
  expect(faults({ firstExposedOn: '1899-12-31', lastExposedOn: '1990-05-04' })).toEqual([
    'firstExposedOn before-1900',
    'lastExposedOn before-birth',
  ]);
  expect(faults({ firstExposedOn: '2026-05-05', lastExposedOn: '2026-05-04' })).toEqual([
    'lastExposedOn before-first',
  ]);
  expect(faults({ fieldAssignedOn: '2026-05-05', dispositionOn: '2026-05-04' })).toEqual([
    'dispositionOn before-assigned',
  ]);
  expect(faults({ interviewedOn: '2026-05-05', reinterviewedOn: '2026-05-04' })).toEqual([
    'reinterviewedOn before-interview',
  ]);
});
