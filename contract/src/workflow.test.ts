import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseFlow } from './case-flow.ts';
import { type CaseStatus, caseStatuses } from './case-reports.ts';
import { type Facts, holds } from './expression.ts';
import { generalInvestigation } from './test-general-investigation.ts';
import {
  act,
  effectsBetween,
  flawsOf,
  mayDo,
  refusalsAfter,
  refusalsOfUndo,
  type Subject,
} from './workflow.ts';

const me = { id: 'me', may: () => true, today: '2026-11-22', now: '2026-11-22T15:00:00.000Z' };

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
    me: 'Ada',
  };
  test.each([
    [{ field: 'name', is: 'Ada' }, true],
    [{ field: 'none', is: null }, true],
    [{ field: 'nothing', is: 'Ada' }, false],
    [{ field: 'blank', empty: true }, true],
    [{ field: 'list', empty: true }, true],
    [{ field: 'name', me: true }, true],
    [{ field: 'from', me: true }, false],
    [{ field: 'none', me: true }, false],
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
  /** The table of lawful moves, implemented a second time in another way. */
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

  test('reaches every state by every transition on random walks, and no unlawful one', () => {
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

  test('lists everything that is in the way, by name', () => {
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

  test('has no loose ends, and a loose end is detected', () => {
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
          next: { new: ['route'], closed: ['approve'] },
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
  const fields = ['investigator', 'classification', 'completedBy', 'jurisdiction'];
  const ofWaiting = {
    route: 'assigned_to_jurisdiction',
    assign: 'assigned',
    take: 'under_investigation',
    noFollowUp: 'no_follow_up',
  } as const;
  const ofGoing = {
    route: 'assigned_to_jurisdiction',
    assign: 'assigned',
    giveBack: 'rejected_by_investigator',
    noFollowUp: 'no_follow_up',
  } as const;
  /** Written a second time: what can be done in each status, and the status after it. */
  const lawful: Record<CaseStatus, Record<string, CaseStatus>> = {
    new: ofWaiting,
    assigned_to_jurisdiction: {
      route: 'assigned_to_jurisdiction',
      accept: 'accepted',
      reject: 'rejected_by_jurisdiction',
    },
    rejected_by_jurisdiction: {
      route: 'assigned_to_jurisdiction',
      assign: 'assigned',
      noFollowUp: 'no_follow_up',
    },
    accepted: ofWaiting,
    assigned: { ...ofGoing, start: 'under_investigation', awaitInterview: 'awaiting_interview' },
    rejected_by_investigator: ofWaiting,
    under_investigation: {
      ...ofGoing,
      assign: 'under_investigation',
      awaitInterview: 'awaiting_interview',
      complete: 'complete',
    },
    awaiting_interview: {
      ...ofGoing,
      assign: 'awaiting_interview',
      start: 'under_investigation',
      complete: 'complete',
    },
    complete: { approve: 'approved', reopen: 'reopened' },
    approved: { close: 'closed', reopen: 'reopened' },
    closed: { reopen: 'reopened' },
    reopened: {
      ...ofGoing,
      assign: 'reopened',
      start: 'under_investigation',
      awaitInterview: 'awaiting_interview',
      complete: 'complete',
    },
    no_follow_up: { takeUp: 'new' },
  };
  const reasons = ['reject', 'giveBack', 'reopen', 'noFollowUp', 'takeUp'];

  test('has no loose ends; each transition leads where it should, and is impossible elsewhere', () => {
    expect(flawsOf(caseFlow, fields)).toEqual([]);
    for (const from of caseStatuses)
      for (const { id } of caseFlow.transitions) {
        const values = { investigator: 'ada', classification: 'confirmed', jurisdiction: 'tampa' };
        const subject = { state: from, values };
        const outcome = act(caseFlow, subject, id, {}, me, reasons.includes(id) ? 'because' : undefined);
        expect([from, id, outcome.done ? outcome.subject.state : undefined]).toEqual([
          from,
          id,
          lawful[from][id],
        ]);
      }
  });

  test.each(reasons)('%s needs a reason', (id) => {
    const { from } = caseFlow.transitions.find((one) => one.id === id)!;
    const subject = { state: from[0]!, values: { investigator: 'ada', classification: 'confirmed' } };
    for (const reason of [undefined, ''])
      expect(act(caseFlow, subject, id, {}, me, reason)).toEqual({
        done: false,
        refusals: [{ rule: 'reason-needed', at: ['reason'] }],
      });
  });

  test('a case is assigned only to an investigator or taken by one, and is complete only when classified', () => {
    const none = { state: 'new' as const, values: { investigator: null, classification: 'unknown' } };
    const lacking = { done: false, refusals: [{ rule: 'required', at: ['investigator'] }] };
    expect(act(caseFlow, none, 'assign', {}, me)).toEqual(lacking);
    expect(act(caseFlow, none, 'assign', { investigator: 'ada' }, me).done).toBe(true);
    expect(act(caseFlow, none, 'take', {}, me)).toMatchObject({
      subject: { state: 'under_investigation', values: { investigator: 'me' } },
    });
    const nobodys = { ...none, state: 'awaiting_interview' as const };
    expect(act(caseFlow, nobodys, 'start', {}, me)).toEqual(lacking);
    const begun = { state: 'under_investigation' as const, values: { ...none.values, investigator: 'ada' } };
    expect(act(caseFlow, begun, 'assign', { investigator: null }, me)).toEqual(lacking);
    expect(act(caseFlow, begun, 'complete', {}, me)).toEqual({
      done: false,
      refusals: [{ rule: 'unclassified', at: ['classification'] }],
    });
  });

  test('a running case keeps its status with another investigator, and assigning it to its current one has no effects', () => {
    for (const state of ['under_investigation', 'awaiting_interview', 'reopened'] as const)
      for (const investigator of ['ada', 'ben'])
        expect(
          act(caseFlow, { state, values: { investigator: 'ada' } }, 'assign', { investigator }, me),
        ).toMatchObject({ done: true, subject: { state, values: { investigator } } });
    const hers = { state: 'assigned' as const, values: { investigator: 'ada' } };
    expect(act(caseFlow, hers, 'assign', { investigator: 'ada' }, me)).toEqual({
      done: true,
      subject: hers,
      effects: [],
    });
    const nobodys = { state: 'reopened' as const, values: { investigator: null } };
    expect(act(caseFlow, nobodys, 'assign', {}, me)).toMatchObject({
      refusals: [{ rule: 'required', at: ['investigator'] }],
    });
  });

  test('a case that goes back is unassigned until it is assigned again', () => {
    for (const [from, id, state] of [
      ['assigned', 'giveBack', 'rejected_by_investigator'],
      ['no_follow_up', 'takeUp', 'new'],
    ] as const) {
      const before = { state: from, values: { investigator: 'ada' } };
      const outcome = act(caseFlow, before, id, {}, me, 'on leave');
      expect(outcome).toMatchObject({ done: true, subject: { state, values: { investigator: null } } });
    }
  });

  test('a case is sent only to a jurisdiction, and is unassigned until that answers', () => {
    const going = { state: 'under_investigation' as const, values: { investigator: 'ada' } };
    expect(act(caseFlow, going, 'route', {}, me)).toEqual({
      done: false,
      refusals: [{ rule: 'required', at: ['jurisdiction'] }],
    });
    const sent = act(caseFlow, going, 'route', { jurisdiction: 'tampa' }, me);
    expect(sent).toMatchObject({
      done: true,
      subject: {
        state: 'assigned_to_jurisdiction',
        values: { investigator: null, jurisdiction: 'tampa' },
      },
    });
    // The case names the jurisdiction that rejected it until it is sent to another one.
    const rejected = act(
      caseFlow,
      (sent as unknown as { subject: Subject<CaseStatus> }).subject,
      'reject',
      {},
      me,
      'moved',
    );
    expect(rejected).toMatchObject({ subject: { values: { jurisdiction: 'tampa' } } });
  });

  test('a jurisdiction can answer without permission to change cases, and do nothing else', () => {
    const alone = caseFlow.transitions.filter((one) =>
      mayDo(one, 'case-reports/write', (permission) => permission !== 'case-reports/write'),
    );
    expect(alone.map(({ id }) => id)).toEqual(['accept', 'reject']);
    for (const one of caseFlow.transitions) {
      const asked: string[] = [];
      expect(mayDo(one, 'case-reports/write', (permission) => asked.push(permission) < 0)).toBe(false);
      expect(asked).toEqual(one.may);
    }
  });

  test('is refused without its investigator only by rules about that', () => {
    const after = { state: 'assigned' as const, values: { investigator: null } };
    expect(refusalsAfter(caseFlow, after, ['investigator'])).toEqual([
      { rule: 'required', at: ['investigator'] },
    ]);
    expect(refusalsAfter(caseFlow, after, ['onsetOn'])).toEqual([]);
  });

  test('going back where no transition leads has the effects of any transition that leads there', () => {
    const back = effectsBetween(caseFlow, 'closed', { state: 'complete', values: {} });
    expect(back).toMatchObject({ transition: 'complete' });
    expect(back.effects).toContainEqual({ startClock: 'approve' });
    const given = { state: 'rejected_by_investigator' as const, values: {} };
    expect(effectsBetween(caseFlow, 'assigned', given, 'giveBack').transition).toBe('giveBack');
  });

  const complete = (by: string) => ({
    state: 'complete' as const,
    values: { investigator: 'ada', classification: 'confirmed', completedBy: by },
  });
  const who = (id: string, ...may: string[]) => ({
    ...me,
    id,
    may: (one: string) => may.includes(one.replace('case-reports/', '')),
  });
  const ownWork = [{ rule: 'own-work', at: ['completedBy'] }];

  test('a different person approves an investigation than completed it', () => {
    const begun = { ...complete('nobody'), state: 'under_investigation' as const };
    const done = act(caseFlow, begun, 'complete', {}, who('ada', 'investigate'));
    expect(done).toMatchObject({ subject: { state: 'complete', values: { completedBy: 'ada' } } });
    expect(act(caseFlow, complete('ada'), 'approve', {}, who('ada', 'approve'))).toEqual({
      done: false,
      refusals: ownWork,
    });
    expect(act(caseFlow, complete('ada'), 'approve', {}, who('ben', 'approve')).done).toBe(true);
    // A different person may complete it next time.
    expect(
      act(caseFlow, complete('ada'), 'reopen', {}, who('ben', 'approve'), 'two contacts are missing'),
    ).toMatchObject({ subject: { state: 'reopened', values: { completedBy: null } } });
  });

  test('[S6.4] each transition needs its permission', () => {
    /** Written a second time. */
    const whoMay: Record<string, string[]> = {
      route: ['route'],
      accept: ['accept'],
      reject: ['accept'],
      assign: ['assign'],
      take: ['investigate'],
      start: ['investigate'],
      awaitInterview: ['investigate'],
      giveBack: ['investigate', 'assign'],
      complete: ['investigate'],
      approve: ['approve'],
      close: ['approve'],
      reopen: ['approve'],
      noFollowUp: ['assign'],
      takeUp: ['assign'],
    };
    const values = { investigator: 'ada', classification: 'confirmed', jurisdiction: 'tampa' };
    for (const { id, from } of caseFlow.transitions)
      for (const one of ['write', 'route', 'accept', 'assign', 'investigate', 'approve']) {
        const outcome = act(caseFlow, { state: from[0]!, values }, id, {}, who('ben', one), 'because');
        expect([id, one, outcome.done]).toEqual([id, one, whoMay[id]!.includes(one)]);
      }
  });

  test('a transition can be undone by someone who could have done it; the rules of doing it again apply', () => {
    const back = (
      from: CaseStatus,
      to: CaseStatus,
      done: string | null,
      actor: ReturnType<typeof who>,
      classification = 'confirmed',
    ) => {
      const values = { investigator: 'ada', classification, completedBy: 'ada' };
      return refusalsOfUndo(caseFlow, { state: from, values }, { state: to, values }, done, actor);
    };
    const notPermitted = [{ rule: 'not-permitted', at: [] }];
    expect(back('approved', 'complete', 'approve', who('ben', 'approve'))).toEqual([]);
    expect(back('approved', 'complete', 'approve', who('ada', 'investigate'))).toEqual(notPermitted);
    expect(back('complete', 'under_investigation', 'complete', who('ada', 'investigate'))).toEqual([]);
    // Undoing the undo of an approval is an approval.
    expect(back('complete', 'approved', null, who('ben', 'approve'))).toEqual([]);
    expect(back('complete', 'approved', null, who('ada', 'approve'))).toEqual(ownWork);
    expect(back('complete', 'approved', null, who('ada', 'investigate'))).toEqual(notPermitted);
    // Undoing the reopening of an investigation completes it.
    expect(back('under_investigation', 'complete', 'reopen', who('ben', 'approve'), 'unknown')).toEqual([
      { rule: 'unclassified', at: ['classification'] },
    ]);
    // No transition connects these two: anyone who may change the case can do it.
    expect(back('closed', 'new', null, who('ben', 'write'))).toEqual([]);
  });
});
