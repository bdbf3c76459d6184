import { describe, expect, test } from 'vitest';
import { contactFlow } from './contact-flow.ts';
import { contactFaults, contactRecord } from './contacts.ts';
import { type FollowUpFound, followUpDays, followUpFaults, followUpKept, lastDayOf } from './follow-up.ts';
import { act, flawsOf } from './workflow.ts';

const found = (given: Partial<FollowUpFound> & Pick<FollowUpFound, 'day'>): FollowUpFound => ({
  outcome: 'seen',
  symptoms: [],
  temperature: null,
  temperatureUnit: null,
  note: null,
  ...given,
});

describe('the days of a follow-up', () => {
  test('are answered by the person, which adds to what was known of the day', () => {
    const window = { firstOn: '2026-03-02', followUntil: '2026-03-05', startedOn: '2026-03-02' };
    const answered = (day: string, ...symptoms: string[]) => ({
      day,
      outcome: 'answered' as const,
      symptoms,
    });
    // Newest first.
    const entries = [
      answered('2026-03-05'),
      found({ day: '2026-03-04' }),
      answered('2026-03-04', 'fever'),
      answered('2026-03-03'),
      answered('2026-03-03', 'rash'),
      answered('2026-03-02'),
      found({ day: '2026-03-02', outcome: 'not-seen' }),
    ];
    // The rash stays even though the person feels well again. Later staff findings replace the fever.
    expect(followUpDays(window, entries, '2026-03-05').map(({ state }) => state)).toEqual([
      'answered',
      'answered-ill',
      'seen',
      'answered',
    ]);
    expect(followUpKept(entries.slice(0, 1))).toEqual({
      lastEntryOn: '2026-03-05',
      lastOutcome: 'answered',
      lastSeenOn: '2026-03-05',
    });
  });

  test("keep the person's answer when staff do not reach them, and count a measured fever as illness", () => {
    const window = { firstOn: '2026-03-02', followUntil: '2026-03-04', startedOn: '2026-03-02' };
    const answered = (day: string, temperature: number, temperatureUnit: '[degF]' | 'Cel') => ({
      day,
      outcome: 'answered' as const,
      symptoms: [],
      temperature,
      temperatureUnit,
    });
    // Newest first.
    const entries = [
      answered('2026-03-04', 100.3, '[degF]'),
      found({ day: '2026-03-03', outcome: 'not-attempted' }),
      answered('2026-03-03', 38, 'Cel'),
      found({ day: '2026-03-02' }),
      answered('2026-03-02', 100.4, '[degF]'),
    ];
    expect(followUpDays(window, entries, '2026-03-04').map(({ state }) => state)).toEqual([
      'seen',
      'answered-ill',
      'answered',
    ]);
    expect(followUpKept(entries.slice(1))).toMatchObject({
      lastOutcome: 'answered',
      lastSeenOn: '2026-03-03',
    });
  });

  test('end as many days after the last exposure as the condition says, across month ends and leap days', () => {
    // Measles and Middle East respiratory syndrome. February 2028 has 29 days.
    expect(lastDayOf({ lastExposedOn: '2026-03-20', otherUntil: null }, 21)).toBe('2026-04-10');
    expect(lastDayOf({ lastExposedOn: '2028-02-20', otherUntil: null }, 14)).toBe('2028-03-05');
    expect(lastDayOf({ lastExposedOn: '2026-03-20', otherUntil: '2026-03-30' }, 21)).toBe('2026-03-30');
    expect(lastDayOf({ lastExposedOn: '2026-03-20', otherUntil: null }, undefined)).toBeNull();
  });

  test('say what was found or why nothing was; the last entry of a day counts', () => {
    const window = { firstOn: '2026-03-02', followUntil: '2026-03-09', startedOn: '2026-03-03' };
    // Newest first.
    const entries = [
      found({ day: '2026-03-06', outcome: 'not-attempted' }),
      found({ day: '2026-03-05', symptoms: ['rash'] }),
      found({ day: '2026-03-05', outcome: 'not-seen' }),
      found({ day: '2026-03-03' }),
    ];
    expect(
      followUpDays(window, entries, '2026-03-08').map(({ day, state }) => `${day.slice(8)} ${state}`),
    ).toEqual([
      '02 before',
      '03 seen',
      '04 nothing',
      '05 seen-ill',
      '06 not-attempted',
      '07 nothing',
      '08 today',
      '09 to-come',
    ]);
    expect(followUpKept(entries)).toEqual({
      lastEntryOn: '2026-03-06',
      lastOutcome: 'not-attempted',
      lastSeenOn: '2026-03-05',
    });
    expect(followUpKept([])).toEqual({ lastEntryOn: null, lastOutcome: null, lastSeenOn: null });
    expect(followUpDays({ ...window, followUntil: null }, entries, '2026-03-08')).toEqual([]);
  });

  test('accept an entry only within the follow-up and once the day has come', () => {
    const window = { firstOn: '2026-03-02', followUntil: '2026-03-09', startedOn: null };
    const codes = (given: Parameters<typeof found>[0], today = '2026-03-08') =>
      followUpFaults(found(given), window, today).map(({ field, code }) => `${field} ${code}`);
    expect(codes({ day: '2026-03-02' })).toEqual([]);
    expect(codes({ day: '2026-03-01' })).toEqual(['day before-window']);
    expect(codes({ day: '2026-03-09' })).toEqual(['day future']);
    expect(codes({ day: '2026-03-10' }, '2026-03-11')).toEqual(['day after-window']);
    expect(codes({ day: '2026-03-08', outcome: 'not-seen', symptoms: ['fever'], temperature: 101 })).toEqual([
      'symptoms only-if-seen',
      'temperature only-if-seen',
    ]);
    expect(codes({ day: '2026-03-08', temperature: 38.5, temperatureUnit: 'Cel' })).toEqual([]);
    expect(codes({ day: '2026-03-08', temperature: 38.5, temperatureUnit: '[degF]' })).toEqual([
      'temperature temperature-range',
    ]);
  });
});

describe('the workflow of a contact', () => {
  test('has no flaws', () => {
    expect(flawsOf(contactFlow, Object.keys(contactRecord.fields))).toEqual([]);
  });

  const actor = { id: 'me', may: () => true, today: '2026-04-10', now: '2026-04-10T15:00:00.000Z' };
  const subject = (state: (typeof contactFlow.states)[number], values: object) => ({
    state,
    values: { investigator: 'me', followUntil: '2026-04-10', startedOn: '2026-03-22', ...values },
  });

  test('completes a follow-up on its last day, not before', () => {
    const on = (today: string) =>
      act(contactFlow, subject('under-follow-up', {}), 'complete', {}, { ...actor, today });
    expect(on('2026-04-09')).toEqual({ done: false, refusals: [{ rule: 'not-over', at: ['followUntil'] }] });
    expect(on('2026-04-10')).toMatchObject({ done: true, subject: { state: 'completed' } });
  });

  test('starts only with an investigator and a last day, and ends as a case only with that case', () => {
    const start = (values: object) => act(contactFlow, subject('identified', values), 'start', {}, actor);
    expect(start({ investigator: null, followUntil: null })).toEqual({
      done: false,
      refusals: [{ rule: 'required', at: ['investigator', 'followUntil'] }],
    });
    expect(start({})).toMatchObject({
      done: true,
      subject: { state: 'under-follow-up', values: { startedOn: '2026-04-10' } },
    });
    expect(act(contactFlow, subject('lost', {}), 'convert', {}, actor)).toEqual({
      done: false,
      refusals: [{ rule: 'required', at: ['becameCase'] }],
    });
    expect(act(contactFlow, subject('lost', {}), 'convert', { becameCase: 'c' }, actor)).toMatchObject({
      done: true,
      subject: { state: 'became-case' },
    });
  });
});

test('the days of an exposure are checked together', () => {
  const codes = (given: Parameters<typeof contactFaults>[0]) =>
    contactFaults(given, { today: '2026-03-10', birthDate: '1990-01-01' }).map(
      ({ field, code }) => `${field} ${code}`,
    );
  expect(codes({ firstExposedOn: '1989-12-31', lastExposedOn: '2026-03-11' })).toEqual([
    'firstExposedOn before-birth',
    'lastExposedOn future',
  ]);
  expect(codes({ firstExposedOn: '2026-03-05', lastExposedOn: '2026-03-04' })).toEqual([
    'lastExposedOn before-first',
  ]);
  expect(codes({ lastExposedOn: '2026-03-04', otherUntil: '2026-03-04' })).toEqual([
    'otherUntil not-after-exposure',
  ]);
});
