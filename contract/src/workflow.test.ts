import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseFlow } from './case-flow.ts';
import { type CaseStatus, caseStatuses } from './case-reports.ts';
import { type Facts, holds } from './expression.ts';
import { generalInvestigation } from './test-general-investigation.ts';
import { act, effectsBetween, flawsOf, refusalsAfter, type Subject, stateAfter } from './workflow.ts';

const me = { id: 'me', may: () => true, today: '2026-11-22' };

describe('a condition', () => {
  const facts: Facts = {
    values: {
      name: 'Ada',
      none: null,
      blank: '',
      list: [],
      tags: ['a', 'b'],
      count: 3,
      from: '2026-01-02',
      to: '2026-01-01',
    },
    linked: { contacts: [{ values: { state: 'open' } }] },
  };
  test.each([
    [{ field: 'name', is: 'Ada' }, true],
    [{ field: 'none', is: null }, true],
    [{ field: 'nothing', is: 'Ada' }, false],
    [{ field: 'blank', empty: true }, true],
    [{ field: 'list', empty: true }, true],
    [{ field: 'name', empty: true }, false],
    [{ field: 'from', notAfter: 'to' }, false],
    [{ field: 'from', notAfter: 'none' }, true],
    [{ some: 'contacts', where: { field: 'state', is: 'open' } }, true],
    [{ field: 'name', in: ['Ada', 'Bea'] }, true],
    [{ field: 'none', in: [null] }, false],
    [{ field: 'tags', has: ['b', 'c'] }, true],
    [{ field: 'tags', has: ['c'] }, false],
    [{ field: 'count', atLeast: 3 }, true],
    [{ field: 'count', atLeast: 4 }, false],
    [{ field: 'nothing', atLeast: 0 }, false],
    [{ some: 'visits', where: { field: 'state', is: 'open' } }, false],
    [{ any: [{ field: 'name', is: 'Bea' }, { not: { field: 'name', is: 'Cleo' } }] }, true],
    [
      {
        all: [
          { field: 'name', is: 'Ada' },
          { field: 'name', is: 'Bea' },
        ],
      },
      false,
    ],
  ] as const)('%j', (condition, expected) => expect(holds(condition, facts)).toBe(expected));
});

describe('a workflow [general investigation]', () => {
  /** The table of lawful moves, written a second time and differently. */
  const lawful: Readonly<Record<string, readonly string[]>> = {
    new: ['assigned_to_jurisdiction', 'assigned', 'no_follow_up'],
    assigned_to_jurisdiction: ['assigned_to_jurisdiction', 'accepted', 'rejected_by_jurisdiction'],
    rejected_by_jurisdiction: ['assigned_to_jurisdiction'],
    accepted: ['assigned_to_jurisdiction', 'in_queue', 'assigned', 'under_investigation', 'no_follow_up'],
    in_queue: [
      'assigned_to_jurisdiction',
      'in_queue',
      'assigned',
      'accepted',
      'under_investigation',
      'rejected_by_investigator',
      'no_follow_up',
    ],
    assigned: [
      'assigned_to_jurisdiction',
      'in_queue',
      'assigned',
      'accepted',
      'under_investigation',
      'rejected_by_investigator',
      'no_follow_up',
    ],
    under_investigation: [
      'assigned_to_jurisdiction',
      'in_queue',
      'assigned',
      'rejected_by_investigator',
      'complete',
    ],
    rejected_by_investigator: ['assigned_to_jurisdiction', 'in_queue', 'assigned', 'under_investigation'],
    complete: ['assigned_to_jurisdiction', 'in_queue', 'assigned', 'approved', 'reopened'],
    reopened: ['assigned_to_jurisdiction', 'in_queue', 'assigned', 'under_investigation', 'complete'],
    approved: ['closed', 'reopened'],
    closed: ['assigned_to_jurisdiction', 'reopened'],
    no_follow_up: ['accepted'],
  };

  test('on random walks reaches every state by every transition, and no unlawful one', () => {
    const states = new Set<string>();
    const done = new Set<string>();
    let refused = 0;
    const step = fc.tuple(fc.nat(), fc.boolean(), fc.nat(9));
    fc.assert(
      fc.property(fc.boolean(), fc.array(step, { minLength: 5, maxLength: 40 }), (followed, steps) => {
        let subject: Subject = {
          state: 'new',
          values: { classification: 'confirmed' },
          linked: { contacts: followed ? [{ values: { followUp: 'under_follow_up' } }] : [] },
        };
        for (const [which, filled, hole] of steps) {
          const offered = generalInvestigation.transitions.filter(
            ({ from }) => hole === 9 || from.includes(subject.state),
          );
          const { id, asks = [] } = offered[which % offered.length]!;
          const entered = Object.fromEntries(
            asks.map((name) => [name, filled || hole > 2 ? `${name} 1` : null]),
          );
          const outcome = act(generalInvestigation, subject, id, entered, me, hole === 8 ? '' : 'because');
          if (!outcome.done) {
            refused += 1;
            expect(outcome.refusals.length).toBeGreaterThan(0);
            continue;
          }
          const { state, values } = outcome.subject;
          expect(lawful[subject.state], id).toContain(state);
          if (state === 'under_investigation') expect([id, values.investigator]).toContain('me');
          if (state === 'complete') expect(values.completedOn).toBe(me.today);
          if (state === 'accepted') expect(values.investigator ?? null).toBeNull();
          expect(Boolean(values.queue) && Boolean(values.investigator)).toBe(false);
          subject = outcome.subject;
          states.add(state);
          done.add(id);
        }
      }),
      { numRuns: 400, seed: 20261122 },
    );
    expect([...states, 'new'].sort()).toEqual(Object.keys(lawful).sort());
    expect([...done].sort()).toEqual(generalInvestigation.transitions.map(({ id }) => id).sort());
    expect(refused).toBeGreaterThan(100);
  });

  const open: Subject = { state: 'under_investigation', values: { startedOn: '2026-11-01' }, linked: {} };
  const refusals = (...given: Parameters<typeof act> extends [unknown, ...infer Rest] ? Rest : never) => {
    const outcome = act(generalInvestigation, ...given);
    return outcome.done ? [] : outcome.refusals.map(({ rule }) => rule);
  };

  test('says everything that is in the way, by name', () => {
    const contacts = [{ values: { followUp: 'under_follow_up' } }];
    expect(refusals({ ...open, linked: { contacts } }, 'complete', {}, me)).toEqual([
      'unclassified',
      'open-contacts',
    ]);
    expect(refusals(open, 'close', {}, me)).toEqual(['not-in-this-state']);
    expect(refusals(open, 'nothing', {}, me)).toEqual(['not-in-this-state']);
    expect(refusals(open, 'giveBack', {}, me)).toEqual(['reason-needed']);
    expect(refusals(open, 'giveBack', {}, me, 'too far')).toEqual([]);
    expect(refusals(open, 'queue', {}, me)).toEqual(['required']);
    expect(refusals(open, 'queue', { queue: 'q', classification: 'confirmed' }, me)).toEqual(['not-asked']);
    const late = { ...open, values: { startedOn: '2026-12-01', classification: 'confirmed' } };
    expect(refusals(late, 'complete', {}, me)).toEqual(['ends-before-start']);
  });

  test('has no loose ends, and a loose end is found', () => {
    const fields = [
      'jurisdiction',
      'investigator',
      'queue',
      'startedOn',
      'completedOn',
      'reviewedOn',
      'closedOn',
      'noFollowUpReason',
      'classification',
      'contacts',
    ];
    expect(flawsOf(generalInvestigation, fields)).toEqual([]);
    expect(
      flawsOf(
        {
          ...generalInvestigation,
          states: [...generalInvestigation.states, 'lost'],
          next: { new: 'route', closed: 'approve' },
          rules: [
            { id: 'misspelt', refuse: { field: 'classificaton', empty: true }, at: ['classification'] },
          ],
        },
        fields,
      ),
    ).toEqual([
      'lost: never reached',
      'closed: approve does not come next',
      'misspelt: no field classificaton',
    ]);
  });
});

describe('the status of a case', () => {
  const fields = ['investigator', 'classification'];
  /** Written a second time: what can be done in each status, and where it leads. */
  const lawful: Record<CaseStatus, Record<string, CaseStatus>> = {
    new: { assign: 'assigned', start: 'under_investigation', noFollowUp: 'no_follow_up' },
    assigned: {
      assign: 'assigned',
      start: 'under_investigation',
      awaitInterview: 'awaiting_interview',
      giveBack: 'new',
      noFollowUp: 'no_follow_up',
    },
    under_investigation: {
      assign: 'assigned',
      awaitInterview: 'awaiting_interview',
      giveBack: 'new',
      complete: 'complete',
      noFollowUp: 'no_follow_up',
    },
    awaiting_interview: {
      assign: 'assigned',
      start: 'under_investigation',
      giveBack: 'new',
      complete: 'complete',
      noFollowUp: 'no_follow_up',
    },
    complete: { approve: 'approved', reopen: 'under_investigation' },
    approved: { close: 'closed', reopen: 'under_investigation' },
    closed: { reopen: 'under_investigation' },
    no_follow_up: { takeUp: 'new' },
  };
  const reasons = ['giveBack', 'reopen', 'noFollowUp', 'takeUp'];

  test('has no loose ends; each transition leads where it should, and cannot be done elsewhere', () => {
    expect(flawsOf(caseFlow, fields)).toEqual([]);
    for (const from of caseStatuses)
      for (const { id } of caseFlow.transitions) {
        const subject = { state: from, values: { investigator: 'ada', classification: 'confirmed' } };
        const outcome = act(caseFlow, subject, id, {}, me, reasons.includes(id) ? 'because' : undefined);
        expect([from, id, outcome.done ? outcome.subject.state : undefined]).toEqual([
          from,
          id,
          lawful[from][id],
        ]);
      }
  });

  test.each(reasons)('%s is done with a reason alone', (id) => {
    const { from } = caseFlow.transitions.find((one) => one.id === id)!;
    const subject = { state: from[0]!, values: { investigator: 'ada', classification: 'confirmed' } };
    for (const reason of [undefined, ''])
      expect(act(caseFlow, subject, id, {}, me, reason)).toEqual({
        done: false,
        refusals: [{ rule: 'reason-needed', at: ['reason'] }],
      });
  });

  test('a case is assigned and begun with an investigator alone, and complete once it is classified', () => {
    const none = { state: 'new' as const, values: { investigator: null, classification: 'unknown' } };
    const lacking = { done: false, refusals: [{ rule: 'required', at: ['investigator'] }] };
    for (const id of ['assign', 'start']) {
      expect(act(caseFlow, none, id, {}, me)).toEqual(lacking);
      expect(act(caseFlow, none, id, { investigator: 'ada' }, me).done).toBe(true);
    }
    const begun = { state: 'under_investigation' as const, values: { ...none.values, investigator: 'ada' } };
    expect(act(caseFlow, begun, 'assign', { investigator: null }, me)).toEqual(lacking);
    expect(act(caseFlow, begun, 'complete', {}, me)).toEqual({
      done: false,
      refusals: [{ rule: 'unclassified', at: ['classification'] }],
    });
  });

  test('a case that goes back to somebody has nobody until then', () => {
    for (const [state, id] of [
      ['assigned', 'giveBack'],
      ['no_follow_up', 'takeUp'],
    ] as const) {
      const outcome = act(caseFlow, { state, values: { investigator: 'ada' } }, id, {}, me, 'on leave');
      expect(outcome).toMatchObject({
        done: true,
        subject: { state: 'new', values: { investigator: null } },
      });
    }
  });

  test('is refused without its investigator only by what has to do with that', () => {
    const after = { state: 'assigned' as const, values: { investigator: null } };
    expect(refusalsAfter(caseFlow, after, ['investigator'])).toEqual([
      { rule: 'required', at: ['investigator'] },
    ]);
    expect(refusalsAfter(caseFlow, after, ['onsetOn'])).toEqual([]);
  });

  test('going back where no transition leads causes what any that leads there does', () => {
    const back = effectsBetween(caseFlow, 'closed', { state: 'complete', values: {} });
    expect(back).toMatchObject({ transition: 'complete' });
    expect(back.effects).toContainEqual({ startClock: 'approve' });
    expect(effectsBetween(caseFlow, 'assigned', { state: 'new', values: {} }, 'giveBack').transition).toBe(
      'giveBack',
    );
  });

  test.each([
    ['a new case that is given to somebody is assigned', 'new', 'ada', ['investigator'], 'assigned'],
    ['one that loses its investigator waits again', 'assigned', null, ['investigator'], 'new'],
    ['one that is further on stays', 'complete', null, ['investigator'], 'complete'],
    ['a change of something else does nothing', 'new', 'ada', ['onsetOn'], 'new'],
  ] as const)('%s', (_, state, investigator, changed, expected) =>
    expect(stateAfter(caseFlow, { state, values: { investigator } }, changed)).toBe(expected),
  );
});
