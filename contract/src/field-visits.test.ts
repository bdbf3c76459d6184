import { describe, expect, test } from 'vitest';
import { fieldVisitFlow } from './field-visit-flow.ts';
import { fieldVisitGrid, fieldVisitRecord, visitFaults } from './field-visits.ts';
import { gridCodec, gridRequest, initialGridView } from './search-params.ts';
import {
  type AttemptMade,
  attemptFaults,
  attemptOutcomeCodes,
  attemptOutcomes,
  attemptsKept,
  cadenceOf,
  countsAsAttempt,
  dayPartOf,
  nextSteps,
  outcomesBy,
  proposedStep,
  visitMethodCodes,
} from './visit-attempts.ts';
import { act, flawsOf } from './workflow.ts';

// 2026: 2 March is a Monday, 7 March a Saturday.
const attempt = (day: number, time: string, more: Partial<AttemptMade> = {}): AttemptMade => ({
  day: `2026-03-0${day}`,
  time,
  method: 'visit',
  outcome: 'nobody',
  nextStep: null,
  left: 'nothing',
  note: null,
  ...more,
});

describe('the attempts of a visit', () => {
  test.each<[what: string, attempts: AttemptMade[], days: number, isEnough: boolean, tryIn: string | null]>([
    ['none yet', [], 0, false, null],
    ['one in the morning', [attempt(2, '09:30')], 1, false, 'evening'],
    ['two in the morning and the afternoon', [attempt(2, '09:30'), attempt(3, '14:00')], 2, false, 'evening'],
    [
      'three, never in the evening',
      [attempt(2, '09:30'), attempt(3, '14:00'), attempt(4, '10:00')],
      3,
      false,
      'evening',
    ],
    [
      'three, one in the evening',
      [attempt(2, '09:30'), attempt(3, '14:00'), attempt(4, '17:00')],
      3,
      true,
      null,
    ],
    [
      'three, one on a Saturday',
      [attempt(2, '09:30'), attempt(3, '14:00'), attempt(7, '10:00')],
      3,
      true,
      null,
    ],
    [
      'three, always in the evening',
      [attempt(2, '18:00'), attempt(3, '19:00'), attempt(4, '17:30')],
      3,
      false,
      'morning',
    ],
    ['three on one day', [attempt(2, '09:30'), attempt(2, '14:00'), attempt(2, '18:00')], 1, false, null],
    ['evening and morning', [attempt(2, '18:00'), attempt(3, '09:00')], 2, false, 'afternoon'],
    ['a Saturday morning', [attempt(7, '09:00')], 1, false, 'evening'],
    [
      'letters, which are no attempts',
      [attempt(2, '18:00', { method: 'letter', outcome: 'sent' })],
      0,
      false,
      null,
    ],
    ['an address that there is not', [attempt(2, '18:00', { outcome: 'no-such-address' })], 0, false, null],
  ])('%s: how far they are, and when to try again', (_, attempts, days, isEnough, tryIn) => {
    expect(cadenceOf(attempts)).toEqual({ days, isEnough, tryIn });
    // In any order.
    expect(cadenceOf(attempts.toReversed())).toEqual({ days, isEnough, tryIn });
  });

  test('have times of day that begin at noon and at five', () => {
    expect(['00:00', '11:59', '12:00', '16:59', '17:00', '23:59'].map(dayPartOf)).toEqual([
      'morning',
      'morning',
      'afternoon',
      'afternoon',
      'evening',
      'evening',
    ]);
  });

  test('count by outcome: an answer to a message counts, sending it does not', () => {
    const counts = (method: AttemptMade['method'], outcome: AttemptMade['outcome']) =>
      countsAsAttempt({ method, outcome });
    expect(counts('visit', 'nobody')).toBe(true);
    expect(counts('phone', 'nobody')).toBe(true);
    expect(counts('visit', 'unsafe')).toBe(false);
    expect(counts('text', 'sent')).toBe(false);
    expect(counts('text', 'done')).toBe(true);
    expect(attemptOutcomeCodes.filter((code) => attemptOutcomes[code].contact)).toEqual([
      'done',
      'refused',
      'rescheduled',
    ]);
    for (const method of visitMethodCodes) expect(outcomesBy(method)).toContain('done');
    expect(outcomesBy('letter')).not.toContain('nobody');
    expect(outcomesBy('visit')).not.toContain('sent');
  });

  test('say what to do next: ask a supervisor, once there were enough attempts', () => {
    const before = [attempt(2, '09:30'), attempt(3, '14:00')];
    expect(proposedStep([], attempt(2, '09:30'))).toBe('other-time');
    expect(proposedStep(before, attempt(4, '16:00'))).toBe('other-time');
    expect(proposedStep(before, attempt(4, '17:15'))).toBe('supervisor');
    expect(proposedStep(before, attempt(4, '17:15', { outcome: 'rescheduled' }))).toBe('other-time');
    expect(proposedStep(before, attempt(4, '17:15', { outcome: 'done' }))).toBeNull();
    expect(proposedStep([], attempt(4, '17:15', { outcome: 'moved-unknown' }))).toBe('record-search');
    for (const { next } of Object.values(attemptOutcomes)) expect([null, ...nextSteps]).toContain(next);
  });

  test('are summarized; the last one is the latest in time', () => {
    expect(attemptsKept([])).toEqual({
      attemptCount: 0,
      attemptDays: 0,
      lastAttemptOn: null,
      lastOutcome: null,
      tryIn: null,
    });
    expect(
      attemptsKept([
        attempt(3, '09:00', { outcome: 'unsafe' }),
        attempt(2, '18:00', { outcome: 'other-person-there' }),
        attempt(2, '10:00'),
      ]),
    ).toEqual({
      attemptCount: 2,
      attemptDays: 1,
      lastAttemptOn: '2026-03-03',
      lastOutcome: 'unsafe',
      tryIn: 'afternoon',
    });
    expect(attemptsKept([attempt(2, '10:00', { outcome: 'done' })]).tryIn).toBeNull();
  });

  test('are refused with all their faults', () => {
    const visit = { noLetter: true, createdOn: '2026-03-02' };
    const now = { day: '2026-03-04', time: '12:00' };
    const faults = (made: AttemptMade, of = visit) =>
      attemptFaults(made, of, now).map(({ field, code }) => `${field} ${code}`);
    expect(faults(attempt(4, '12:00'))).toEqual([]);
    expect(faults(attempt(4, '12:01'))).toEqual(['time future']);
    expect(faults(attempt(5, '09:00'))).toEqual(['day future']);
    expect(faults(attempt(1, '09:00', { day: '2026-01-29' }))).toEqual(['day too-early']);
    expect(faults(attempt(1, '09:00', { day: '2026-01-30' }))).toEqual([]);
    expect(faults(attempt(3, '09:00', { method: 'letter' }))).toEqual([
      'outcome not-of-method',
      'method no-letter',
    ]);
    const letter = attempt(3, '09:00', { left: 'sealed-letter', nextStep: 'letter' });
    expect(faults(letter)).toEqual(['left no-letter', 'nextStep no-letter']);
    expect(faults(letter, { ...visit, noLetter: false })).toEqual([]);
  });
});

describe('the workflow of a visit', () => {
  const may = () => true;
  const worker = {
    id: 'w',
    may: (permission: string) => permission !== 'field-visits/assign',
    today: '2026-03-04',
    now: '2026-03-04T15:00:00Z',
  };
  const planner = { id: 'p', may, today: '2026-03-04', now: '2026-03-04T15:00:00Z' };
  const values = { worker: null, plannedFor: '2026-03-04', attemptCount: 0, attemptDays: 0 } as const;
  const refused = (outcome: ReturnType<typeof act>) =>
    outcome.done ? [] : outcome.refusals.map(({ rule }) => rule);
  const state = (outcome: ReturnType<typeof act>) =>
    outcome.done ? outcome.subject.state : refused(outcome);

  test('has no flaws', () => {
    expect(flawsOf(fieldVisitFlow, Object.keys(fieldVisitRecord.fields))).toEqual([]);
  });

  test('has states that follow from the worker, whether they are out, and the attempts', () => {
    const open = { state: 'open', values } as const;
    expect(state(act(fieldVisitFlow, open, 'assign', { worker: 'w' }, worker))).toEqual(['not-permitted']);
    expect(state(act(fieldVisitFlow, open, 'assign', {}, planner))).toEqual(['required']);
    expect(state(act(fieldVisitFlow, open, 'assign', { worker: 'w' }, planner))).toBe('assigned');
    expect(state(act(fieldVisitFlow, open, 'take', {}, worker))).toBe('assigned');
    const assigned = { state: 'assigned', values: { ...values, worker: 'w' } } as const;
    expect(state(act(fieldVisitFlow, assigned, 'set-out', {}, worker))).toEqual(['required']);
    expect(state(act(fieldVisitFlow, assigned, 'set-out', { minutesOut: '60' }, worker))).toBe('on-the-way');
    const out = { state: 'on-the-way', values: { ...assigned.values, minutesOut: '60' } } as const;
    expect(state(act(fieldVisitFlow, out, 'come-back', {}, worker))).toBe('assigned');
    const tried = { ...out, values: { ...out.values, attemptCount: 1, attemptDays: 1 } };
    expect(state(act(fieldVisitFlow, tried, 'come-back', {}, worker))).toBe('attempted');
  });

  test('ends only after an attempt, and as not found only from the third day, unless the planner gives a reason', () => {
    const tried = (attemptCount: number, attemptDays: number) =>
      ({ state: 'attempted', values: { ...values, worker: 'w', attemptCount, attemptDays } }) as const;
    const finish = (at: ReturnType<typeof tried>, result: string | null, by = worker as typeof planner) =>
      state(act(fieldVisitFlow, at, 'finish', { result }, by));
    expect(finish(tried(1, 1), null)).toEqual(['required']);
    expect(finish(tried(0, 0), 'cooperative')).toEqual(['no-attempt']);
    expect(finish(tried(1, 1), 'cooperative')).toBe('done');
    for (const result of ['unavailable', 'not-found']) {
      expect(finish(tried(3, 2), result, planner)).toEqual(['too-few-attempts']);
      expect(finish(tried(3, 3), result)).toBe('done');
    }
    const early = (by: typeof planner, reason?: string) =>
      state(act(fieldVisitFlow, tried(1, 1), 'finish-early', { result: 'not-found' }, by, reason));
    expect(early(worker as typeof planner, 'They have died.')).toEqual(['not-permitted']);
    expect(early(planner)).toEqual(['reason-needed']);
    expect(early(planner, 'They have died.')).toBe('done');
  });
});

test('the days of a visit are within a year', () => {
  expect(visitFaults({ plannedFor: '2026-03-04', dueOn: null }, '2026-03-04')).toEqual([]);
  expect(visitFaults({ plannedFor: '2062-03-04', dueOn: '2016-03-04' }, '2026-03-04')).toEqual([
    { field: 'plannedFor', code: 'far' },
    { field: 'dueOn', code: 'far' },
  ]);
});

describe('the list of visits', () => {
  test('[S9.10] opens with the days from two weeks before to two weeks after today', () => {
    expect(fieldVisitGrid.defaultRange?.('2026-03-04')).toEqual({ start: '2026-02-18', end: '2026-03-18' });
    expect(fieldVisitGrid.rangeFields?.[0]).toBe('plannedFor');
    const view = { ...initialGridView(fieldVisitGrid), filters: { show: ['all'] } };
    expect(gridRequest(fieldVisitGrid, view, '2026-03-04').dateRangeValue).toEqual({
      start: '2026-02-18',
      end: '2026-03-18',
    });
  });

  test('does not hide old unfinished visits, unless the user chooses days', () => {
    const days = (show: string, range: 'all' | { start: string; end: string } | null = null) =>
      gridRequest(
        fieldVisitGrid,
        { ...initialGridView(fieldVisitGrid), filters: { show: [show] }, range },
        '2026-03-04',
      ).dateRangeValue;
    for (const show of ['today', 'overdue', 'mine', 'open']) expect(days(show)).toBeUndefined();
    const march = { start: '2026-03-01', end: '2026-03-31' };
    expect(days('today', march)).toEqual(march);
  });

  test('[S4.7] keeps its filters when another organization is chosen', () => {
    const { initial, acrossOrgs } = gridCodec(fieldVisitGrid);
    const filters = { show: ['open'], visitTypeFilter: ['interview'], condition: ['gonorrhea'] };
    expect(acrossOrgs({ ...initial, filters })).toMatchObject({ filters });
  });
});
