import { describe, expect, test } from 'vitest';
import {
  bookingFaults,
  heldFaults,
  isCancelledLate,
  minutesLasted,
  minutesWaited,
  minutesWaiting,
  slotsOf,
  telemedicineRecord,
} from './telemedicine.ts';
import { telemedicineFlow } from './telemedicine-flow.ts';
import { type Actor, act, flawsOf } from './workflow.ts';
import { clockIn, instantsAt } from './zoned-time.ts';

const at = (time: string) => `2026-03-10T${time}:00.000Z`;

describe('the waiting time', () => {
  const waited = (startsAt: string | null, arrivedAt: string | null, joinedAt: string | null) =>
    minutesWaited({
      startsAt: startsAt && at(startsAt),
      arrivedAt: arrivedAt && at(arrivedAt),
      joinedAt: joinedAt && at(joinedAt),
    });

  test('counts from the start or the arrival, whichever is later, and is never below 0', () => {
    expect(waited('14:00', '13:50', '14:07')).toBe(7);
    expect(waited('14:00', '14:03', '14:07')).toBe(4);
    expect(waited('14:00', '13:40', '13:55')).toBe(0);
    expect(waited('14:00', '14:00', '14:00')).toBe(0);
  });

  test('is unknown if one of the times was not measured', () => {
    expect(waited(null, '13:50', '14:07')).toBeNull();
    expect(waited('14:00', null, '14:07')).toBeNull();
    expect(waited('14:00', '13:50', null)).toBeNull();
  });

  test('continues until they are admitted', () => {
    const visit = { startsAt: at('14:00'), arrivedAt: at('14:05') };
    expect(minutesWaiting(visit, at('14:20'))).toBe(15);
    expect(minutesWaiting(visit, '2026-03-10T14:20:59.000Z')).toBe(15);
    expect(minutesWaiting({ ...visit, arrivedAt: at('13:30') }, at('13:45'))).toBe(0);
    // Across the clock change in New York: 1:50 EST to 3:10 EDT is 20 minutes.
    expect(
      minutesWaiting(
        { startsAt: '2026-03-08T06:50:00.000Z', arrivedAt: '2026-03-08T06:50:00.000Z' },
        '2026-03-08T07:10:00.000Z',
      ),
    ).toBe(20);
  });

  test('the visit lasts from joining to its end', () => {
    expect(minutesLasted({ joinedAt: at('14:07'), endedAt: at('14:31') })).toBe(24);
    expect(minutesLasted({ joinedAt: at('14:07'), endedAt: null })).toBeNull();
  });
});

test('a visit is cancelled late in the last 24 hours before its start, and after it', () => {
  const late = (cancelledAt: string | null, startsAt: string | null = '2026-03-10T14:00:00.000Z') =>
    isCancelledLate({ startsAt, cancelledAt });
  expect(late('2026-03-09T14:00:00.000Z')).toBe(false);
  expect(late('2026-03-09T14:00:01.000Z')).toBe(true);
  expect(late('2026-03-10T14:30:00.000Z')).toBe(true);
  expect(late(null)).toBeNull();
  expect(late('2026-03-09T14:00:00.000Z', null)).toBeNull();
});

describe('the time of a visit', () => {
  test('takes steps of five minutes, without the one in which it ends', () => {
    const first = Date.parse(at('14:00')) / 300_000;
    expect(slotsOf({ startsAt: at('14:00'), minutes: 20 })).toEqual([0, 1, 2, 3].map((one) => first + one));
    // In the repeated hour, the two are 12 steps apart.
    const [one, two] = instantsAt('America/New_York', '2026-11-01', '01:30') as [string, string];
    const [before] = slotsOf({ startsAt: one, minutes: 5 });
    expect(slotsOf({ startsAt: two, minutes: 5 })).toEqual([before! + 12]);
  });

  test('is refused off the steps, in the past, and too far ahead', () => {
    const codes = (startsAt: string, minutes = 30) =>
      bookingFaults({ startsAt, minutes }, at('14:00')).map(({ field, code }) => `${field} ${code}`);
    expect(codes(at('14:00'))).toEqual([]);
    expect(codes(at('13:45'))).toEqual([]);
    expect(codes(at('13:40'))).toEqual(['startsAt past']);
    expect(codes(at('14:02'))).toEqual(['startsAt not-five']);
    expect(codes(at('14:05'), 12)).toEqual(['minutes not-five']);
    expect(codes('2027-04-14T13:55:00.000Z')).toEqual([]);
    expect(codes('2027-04-14T14:05:00.000Z')).toEqual(['startsAt too-far']);
  });

  test('measured by hand is in order, and not in the future', () => {
    const codes = (arrived: string, joined: string, ended: string) =>
      heldFaults({ arrivedAt: at(arrived), joinedAt: at(joined), endedAt: at(ended) }, at('15:00')).map(
        ({ field, code }) => `${field} ${code}`,
      );
    expect(codes('14:00', '14:05', '14:30')).toEqual([]);
    expect(codes('14:10', '14:05', '14:30')).toEqual(['joinedAt before-arrived']);
    expect(codes('14:00', '14:40', '14:30')).toEqual(['endedAt before-joined']);
    expect(codes('14:00', '14:40', '15:10')).toEqual(['endedAt future']);
  });
});

describe('local time', () => {
  const newYork = (day: string, time: string) => instantsAt('America/New_York', day, time);

  test('is one instant: five hours behind UTC in winter, four in summer', () => {
    expect(newYork('2026-01-15', '14:00')).toEqual(['2026-01-15T19:00:00.000Z']);
    expect(newYork('2026-07-15', '14:00')).toEqual(['2026-07-15T18:00:00.000Z']);
    expect(instantsAt('UTC', '2026-07-15', '14:00')).toEqual(['2026-07-15T14:00:00.000Z']);
    expect(newYork('2026-07-15', '')).toEqual([]);
  });

  test('does not exist in the hour skipped in spring: on 8 March 2026, 2:00 is 3:00', () => {
    expect(newYork('2026-03-08', '01:55')).toEqual(['2026-03-08T06:55:00.000Z']);
    expect(newYork('2026-03-08', '02:00')).toEqual([]);
    expect(newYork('2026-03-08', '02:30')).toEqual([]);
    expect(newYork('2026-03-08', '03:00')).toEqual(['2026-03-08T07:00:00.000Z']);
  });

  test('occurs twice in fall: on 1 November 2026, 1:00 to 2:00', () => {
    expect(newYork('2026-11-01', '00:55')).toEqual(['2026-11-01T04:55:00.000Z']);
    expect(newYork('2026-11-01', '01:30')).toEqual(['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z']);
    expect(newYork('2026-11-01', '02:00')).toEqual(['2026-11-01T07:00:00.000Z']);
    expect(clockIn('America/New_York', '2026-11-01T06:30:00.000Z')).toEqual({
      day: '2026-11-01',
      time: '01:30',
    });
  });
});

describe('the workflow of a visit', () => {
  const actor: Actor = { id: 'me', may: () => true, today: '2026-03-10', now: at('14:20') };
  const booked = { provider: 'ana', startsAt: at('14:00'), minutes: 30 };
  const rules = (
    state: (typeof telemedicineFlow.states)[number],
    values: object,
    transition: string,
    entered = {},
    who = actor,
  ) => {
    const outcome = act(
      telemedicineFlow,
      { state, values: values as Record<string, string> },
      transition,
      entered,
      who,
    );
    return outcome.done
      ? [outcome.subject.state]
      : outcome.refusals.map(({ rule, at: fields }) => `${rule} ${fields.join(' ')}`.trim());
  };

  test('refers only to declared names', () => {
    const { fields } = telemedicineRecord;
    expect(flawsOf(telemedicineFlow, Object.keys(fields))).toEqual([]);
  });

  test('books only with a provider, a start and a length', () => {
    expect(rules('proposed', {}, 'book', { provider: 'ana' })).toEqual(['required startsAt minutes']);
    expect(rules('waitlisted', {}, 'book', booked)).toEqual(['booked']);
  });

  test('allows a no-show only once the visit is overdue', () => {
    expect(rules('booked', { ...booked, overdue: 'no' }, 'miss')).toEqual(['too-early startsAt']);
    expect(rules('booked', { ...booked, overdue: 'yes' }, 'miss')).toEqual(['no-show']);
    expect(rules('arrived', { ...booked, overdue: 'yes' }, 'miss')).toEqual(['not-in-this-state']);
  });

  test('records the instants of arrival, joining and the end, by hand', () => {
    const arrived = act(
      telemedicineFlow,
      { state: 'booked', values: booked },
      'arrive',
      { consentVersion: '2026-01' },
      actor,
    );
    expect(arrived).toMatchObject({
      done: true,
      subject: { state: 'arrived', values: { arrivedAt: at('14:20'), consentAt: at('14:20') } },
    });
    expect(rules('booked', booked, 'arrive')).toEqual(['required consentVersion']);
    const ended = act(
      telemedicineFlow,
      { state: 'in-progress', values: { ...booked, joinedAt: at('14:05') } },
      'finish',
      { connection: 'poor' },
      actor,
    );
    expect(ended).toMatchObject({
      done: true,
      subject: { state: 'fulfilled', values: { endedAt: at('14:20'), measured: 'by-hand' } },
    });
  });

  test('does not let people who only book visits conduct them', () => {
    const clerk: Actor = { ...actor, may: (permission) => permission === 'telemedicine/write' };
    const held = { ...booked, arrivedAt: at('14:00'), consentVersion: '2026-01' };
    expect(rules('arrived', held, 'admit', {}, clerk)).toEqual(['not-permitted']);
    expect(rules('arrived', held, 'admit')).toEqual(['in-progress']);
    expect(rules('proposed', {}, 'book', booked, clerk)).toEqual(['booked']);
  });

  test('asks why a visit is reopened, or was entered in error', () => {
    for (const [state, transition] of [
      ['cancelled', 'reopen'],
      ['no-show', 'appear'],
      ['fulfilled', 'resume'],
      ['booked', 'retract'],
    ] as const)
      expect(rules(state, { ...booked, joinedAt: at('14:05') }, transition)).toEqual([
        'reason-needed reason',
      ]);
  });
});
