import { describe, expect, test } from 'vitest';
import { type AvailabilityPlan, type AvailabilityRule, faultsOfPlan } from './availability.ts';
import { freeTimes, whileClocksShow } from './free-times.ts';

const rule = (more: Partial<AvailabilityRule> = {}): AvailabilityRule => ({
  weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '09:00',
  to: '11:00',
  minutes: 30,
  visitTypes: [],
  validFrom: null,
  validTo: null,
  ...more,
});
const plan = (more: Partial<AvailabilityPlan> = {}): AvailabilityPlan => ({
  facility: null,
  timeZone: 'America/New_York',
  languages: [],
  bufferMinutes: 0,
  leadHours: 0,
  horizonDays: 180,
  dailyLimit: null,
  patients: true,
  rules: [rule()],
  exceptions: [],
  ...more,
});
const ms = (instant: string) => Date.parse(instant);
const free = (
  of: AvailabilityPlan,
  {
    from = '2026-06-01T00:00:00Z',
    until = '2026-06-02T04:00:00Z',
    now = '2026-05-01T00:00:00Z',
    taken = [] as [string, string][],
    visitType = 'follow-up',
  } = {},
) =>
  freeTimes(of, {
    taken: taken.map(([begin, end]) => ({ from: ms(begin), until: ms(end) })),
    visitType,
    now: ms(now),
    from: ms(from),
    until: ms(until),
  }).map(({ start }) => new Date(start).toISOString().slice(0, 16));

/** A Monday. */
const monday = ['2026-06-01T13:00', '2026-06-01T13:30', '2026-06-01T14:00', '2026-06-01T14:30'];

describe('the clocks of a zone', () => {
  const shown = (...given: Parameters<typeof whileClocksShow>) =>
    whileClocksShow(...given).map(({ from, until }) =>
      [from, until].map((at) => new Date(at).toISOString().slice(0, 16)),
    );
  const zone = 'America/New_York';

  test('skip an hour in spring', () => {
    // 02:30 does not exist.
    expect(shown(zone, '2026-03-08', '02:00', '03:00')).toEqual([]);
    expect(shown(zone, '2026-03-08', '02:30', '03:30')).toEqual([['2026-03-08T07:00', '2026-03-08T07:30']]);
    expect(shown(zone, '2026-03-08', '01:00', '04:00')).toEqual([['2026-03-08T06:00', '2026-03-08T08:00']]);
    expect(shown(zone, '2026-03-07', '02:30', '03:30')).toEqual([['2026-03-07T07:30', '2026-03-07T08:30']]);
  });

  test('show an hour twice in fall', () => {
    expect(shown(zone, '2026-11-01', '01:30', '02:00')).toEqual([
      ['2026-11-01T05:30', '2026-11-01T06:00'],
      ['2026-11-01T06:30', '2026-11-01T07:00'],
    ]);
    expect(shown(zone, '2026-11-01', '01:00', '03:00')).toEqual([['2026-11-01T05:00', '2026-11-01T08:00']]);
    expect(shown(zone, '2026-11-02', '01:30', '02:00')).toEqual([['2026-11-02T06:30', '2026-11-02T07:00']]);
  });

  test('do not change in every zone', () =>
    expect(shown('America/Phoenix', '2026-03-08', '02:30', '03:30')).toEqual([
      ['2026-03-08T09:30', '2026-03-08T10:30'],
    ]));
});

describe('free times', () => {
  test('follow one another in the hours of a rule', () => expect(free(plan())).toEqual(monday));

  test("are on a rule's weekdays, while it applies", () => {
    const week = { from: '2026-06-01T00:00:00Z', until: '2026-06-08T04:00:00Z' };
    const days = (of: AvailabilityPlan) => [...new Set(free(of, week).map((at) => at.slice(8, 10)))];
    expect(days(plan())).toEqual(['01', '02', '03', '04', '05']);
    expect(days(plan({ rules: [rule({ validFrom: '2026-06-03', validTo: '2026-06-04' })] }))).toEqual([
      '03',
      '04',
    ]);
  });

  test('cover an hour twice on the night of the change in fall, and not the skipped hour in spring', () => {
    const night = plan({ rules: [rule({ weekdays: ['sun'], from: '01:30', to: '02:30' })] });
    expect(
      free(night, {
        from: '2026-11-01T00:00:00Z',
        until: '2026-11-01T12:00:00Z',
        now: '2026-10-01T00:00:00Z',
      }),
    ).toEqual(['2026-11-01T05:30', '2026-11-01T06:30', '2026-11-01T07:00']);
    expect(
      free(night, {
        from: '2026-03-08T00:00:00Z',
        until: '2026-03-08T12:00:00Z',
        now: '2026-03-01T00:00:00Z',
      }),
    ).toEqual(['2026-03-08T06:30']);
  });

  test('stay at the same local time when the clocks change', () => {
    const two = { from: '2026-10-30T04:00:00Z', until: '2026-11-03T04:59:00Z', now: '2026-10-01T00:00:00Z' };
    expect(free(plan({ rules: [rule({ to: '09:30' })] }), two)).toEqual([
      '2026-10-30T13:00',
      '2026-11-02T14:00',
    ]);
  });

  test('keep the buffer around each visit', () => {
    const buffered = plan({ bufferMinutes: 10 });
    expect(free(buffered)).toEqual(['2026-06-01T13:00', '2026-06-01T13:40', '2026-06-01T14:20']);
    expect(free(buffered, { taken: [['2026-06-01T14:15:00Z', '2026-06-01T14:30:00Z']] })).toEqual([
      '2026-06-01T13:00',
    ]);
    expect(free(plan(), { taken: [['2026-06-01T13:30:00Z', '2026-06-01T14:00:00Z']] })).toEqual([
      monday[0],
      monday[2],
      monday[3],
    ]);
  });

  test('stop at the daily limit', () => {
    const visit: [string, string] = ['2026-06-01T20:00:00Z', '2026-06-01T20:30:00Z'];
    expect(free(plan({ dailyLimit: 1 }), { taken: [visit] })).toEqual([]);
    expect(free(plan({ dailyLimit: 2 }), { taken: [visit] })).toEqual(monday);
  });

  test('begin after the lead time and end at the horizon', () => {
    expect(free(plan({ leadHours: 1 }), { now: '2026-06-01T12:45:00Z' })).toEqual(monday.slice(2));
    expect(free(plan({ horizonDays: 1 }), { now: '2026-05-31T13:20:00Z' })).toEqual([monday[0]]);
    expect(free(plan({ horizonDays: 1 }), { now: '2026-05-30T13:20:00Z' })).toEqual([]);
  });

  test("are for a rule's kinds of visits", () => {
    const only = plan({ rules: [rule({ visitTypes: ['counseling'] })] });
    expect(free(only)).toEqual([]);
    expect(free(only, { visitType: 'counseling' })).toEqual(monday);
  });

  test('follow exceptions: closed days and hours, and extra hours', () => {
    const shut = { kind: 'shut', from: null, to: null, minutes: null } as const;
    const one = { firstDay: '2026-06-01', lastDay: '2026-06-01' };
    expect(free(plan({ exceptions: [{ ...shut, firstDay: '2026-05-20', lastDay: '2026-06-10' }] }))).toEqual(
      [],
    );
    expect(free(plan({ exceptions: [{ ...shut, ...one, from: '09:15', to: '10:00' }] }))).toEqual(
      monday.slice(2),
    );
    expect(
      free(
        plan({ rules: [], exceptions: [{ kind: 'extra', ...one, from: '18:00', to: '18:20', minutes: 20 }] }),
      ),
    ).toEqual(['2026-06-01T22:00']);
  });
});

describe('a plan', () => {
  const faults = (more: Partial<AvailabilityPlan>) =>
    faultsOfPlan(plan(more)).map(({ path, code }) => `${path} ${code}`);

  test('may have consecutive hours, and rules that apply one after the other', () =>
    expect(
      faults({
        rules: [
          rule({ validTo: '2026-05-31' }),
          rule({ validFrom: '2026-06-01' }),
          rule({ from: '11:00', to: '12:00' }),
        ],
      }),
    ).toEqual([]));

  test('says where its hours are wrong', () => {
    expect(faults({ rules: [rule(), rule({ from: '10:30', to: '12:00' })] })).toEqual([
      'rules.1.from overlaps',
    ]);
    expect(faults({ rules: [rule({ to: '08:00' })] })).toEqual(['rules.0.to to-before-from']);
    expect(faults({ rules: [rule({ minutes: 150 })] })).toEqual(['rules.0.minutes too-long']);
    expect(faults({ rules: [rule({ from: '09:02', minutes: 7 })], bufferMinutes: 3 })).toEqual([
      'bufferMinutes not-five',
      'rules.0.from not-five',
      'rules.0.minutes not-five',
    ]);
    expect(faults({ rules: [rule({ validFrom: '2026-06-02', validTo: '2026-06-01' })] })).toEqual([
      'rules.0.validTo end-before-start',
    ]);
  });

  test('says what an exception lacks', () => {
    const day = { firstDay: '2026-06-01', lastDay: '2026-06-01', minutes: null };
    expect(faults({ exceptions: [{ kind: 'shut', ...day, from: '09:00', to: null }] })).toEqual([
      'exceptions.0.to required',
    ]);
    expect(faults({ exceptions: [{ kind: 'extra', ...day, from: null, to: null }] })).toEqual([
      'exceptions.0.from required',
      'exceptions.0.to required',
      'exceptions.0.minutes required',
    ]);
    expect(
      faults({ exceptions: [{ kind: 'shut', ...day, lastDay: '2026-05-31', from: null, to: null }] }),
    ).toEqual(['exceptions.0.lastDay end-before-start']);
    expect(
      faults({ exceptions: [{ kind: 'shut', ...day, lastDay: '2028-01-01', from: null, to: null }] }),
    ).toEqual(['exceptions.0.lastDay too-many-days']);
  });
});
