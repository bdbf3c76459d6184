import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Permission } from './endpoint.ts';
import { all, type Facts, holds, is, type Value } from './expression.ts';
import {
  basisRules,
  dispositions,
  initialFollowUps,
  interviewStatuses,
  partnerFlow,
  referralBases,
  unfinished,
  unlawful,
} from './partner-flow.ts';
import { partnerRecord } from './partner-services.ts';
import {
  type Actor,
  act,
  dueOn,
  type Effect,
  flawsOf,
  narrowed,
  refusalsIn,
  runningClocks,
  type Subject,
  stateAfter,
  variantFlaws,
  type Workflow,
  type WorkflowVariant,
} from './workflow.ts';

/*
 * Tests the workflow language on the most demanding flow: derived states and fields, required fields under
 * conditions, effects.
 */

const everything: Actor = { id: 'me', may: () => true, today: '2026-11-22', now: '2026-11-22T15:00:00.000Z' };
const set = (value: Value) => value !== undefined && value !== null && value !== '';

const domains: Readonly<Record<string, readonly Value[]>> = {
  initialFollowUp: [...initialFollowUps, 'FF', 'FF', 'SF'],
  patientFollowUp: ['FF', 'FF', 'AC', 'OTH'],
  disposition: dispositions,
  interviewStatus: interviewStatuses,
  internetElicited: ['yes', 'no'],
  femalePartners: ['yes', 'no'],
  malePartners: ['yes', 'no'],
  femalePartnersInYear: [0, 1, 3],
  femalePartnersInPeriod: [0, 1],
  malePartnersInYear: [0, 2],
  malePartnersInPeriod: [0, 1],
};
function valueFor(field: string, pick: number): Value {
  const values = domains[field] ?? (/On$/.test(field) ? ['2026-11-01', '2026-11-22'] : ['a', 'b']);
  return values[pick % values.length];
}
const start = fc.record({
  values: fc.record({
    referralBasis: fc.constantFrom(...referralBases),
    sex: fc.constantFrom('M', 'F'),
    classification: fc.constantFrom('confirmed', 'probable', 'suspect', 'not_a_case', 'unknown'),
    openContacts: fc.constantFrom(0, 0, 1),
  }),
});
const steps = fc.array(
  fc.record({
    which: fc.nat(),
    picks: fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
    hole: fc.nat(9),
  }),
  { minLength: 5, maxLength: 40 },
);

/**
 * A random walk: most steps fill in what is required, some leave a gap, and some try a transition not offered
 * or give no reason.
 */
function walk(
  flow: Workflow,
  visit: (step: {
    before: Subject;
    after: Subject;
    transition: string;
    entered: Record<string, Value>;
  }) => void,
  runs: number,
) {
  let refused = 0;
  fc.assert(
    fc.property(start, steps, (facts, taken) => {
      let subject: Subject = { ...facts, state: flow.initial };
      for (const { which, picks, hole } of taken) {
        const offered = flow.transitions.filter(({ from }) => hole === 9 || from.includes(subject.state));
        const { id, asks = [] } = offered[which % offered.length]!;
        const entered = Object.fromEntries(
          asks.flatMap((field, index) =>
            hole < 2 && picks[15]! % asks.length === index
              ? []
              : [[field, valueFor(field, picks[index % 16]!)]],
          ),
        );
        const outcome = act(flow, subject, id, entered, everything, hole === 8 ? '' : 'because');
        if (!outcome.done) {
          refused += 1;
          expect(outcome.refusals).not.toHaveLength(0);
          continue;
        }
        visit({ before: subject, after: outcome.subject, transition: id, entered });
        subject = outcome.subject;
      }
    }),
    { numRuns: runs, seed: 20261122 },
  );
  return refused;
}

/**
 * The stage and everything unlawful, implemented a second time in another way, to compare with the
 * declaration.
 */
function stageOf(v: Facts['values']): string {
  if (set(v.caseClosedOn)) return 'CC';
  if (set(v.interviewStatus) && v.interviewStatus !== 'A') return 'OC';
  if (set(v.interviewer)) return 'AI';
  if (v.initialFollowUp === 'FF') return 'FF';
  if (v.initialFollowUp === 'SF') return v.patientFollowUp === 'FF' ? 'FF' : 'SF';
  return 'NF';
}
function closingDay(v: Facts['values']): Value {
  const stage = stageOf(v);
  if (stage === 'CC') return v.caseClosedOn;
  if (stage === 'OC' || stage === 'AI') return null;
  if (set(v.disposition)) return v.dispositionOn;
  if (stage === 'FF') return null;
  if (stage === 'SF')
    return set(v.surveillanceClosedOn) && set(v.patientFollowUp) ? v.surveillanceClosedOn : null;
  return v.initialFollowUpOn;
}
function wrongIn({ values: v }: Facts): string[] {
  const stage = stageOf(v);
  const disposition = (v.disposition ?? '') as string;
  const ofTest = /^T[12]$/.test(v.referralBasis as string);
  const checks: [string, boolean][] = [
    ['1', stage === 'NF' && (set(disposition) || set(v.interviewer) || set(v.surveillanceClosedOn))],
    ['1', ['AI', 'OC', 'CC'].includes(stage) && !set(disposition)],
    ['1', stage === 'CC' && (!set(v.interviewStatus) || v.interviewStatus === 'A')],
    ['2', set(disposition) && !(set(v.dispositionOn) && set(v.dispositionBy) && set(v.supervisor))],
    [
      '2',
      /^[A-F]$/.test(disposition) &&
        !ofTest &&
        !(set(v.examOn) && set(v.examProvider) && set(v.examFacility)),
    ],
    ['3', disposition === 'K' && !(set(v.sentToAgency) && set(v.sentToDueOn))],
    ['4', set(disposition) && (unlawful[v.classification as string] ?? []).includes(disposition)],
    ['4', v.classification === 'unknown' && v.interviewStatus === 'I'],
    ['5', v.interviewStatus === 'N' && ofTest],
    ['6', stage === 'CC' && v.openContacts === 1],
    ['7', v.sex === 'M' && (set(v.pregnant) || set(v.weeksPregnant))],
    ['7', v.internetElicited === 'yes' && !set(v.internetFollowUp)],
    ['8', v.femalePartners === 'yes' && (v.femalePartnersInYear === 0 || v.femalePartnersInPeriod === 0)],
    ['8', v.malePartners === 'yes' && (v.malePartnersInYear === 0 || v.malePartnersInPeriod === 0)],
    ['closing day', (v.closedOn ?? null) !== (closingDay(v) ?? null)],
  ];
  return checks.flatMap(([rule, wrong]) => (wrong ? [rule] : []));
}

const fields = Object.keys(partnerRecord.fields);

test('random walks reach every stage and use every transition, and do nothing unlawful', () => {
  const done = new Set<string>();
  const states = new Set<string>();
  const refused = walk(
    partnerFlow,
    ({ after, transition }) => {
      expect(after.state).toBe(stageOf(after.values));
      expect(wrongIn(after)).toEqual([]);
      // Saving without changes leaves the state as it is.
      expect(stateAfter(partnerFlow, after)).toBe(after.state);
      done.add(transition);
      states.add(after.state);
    },
    1500,
  );
  expect([...states].sort()).toEqual(['AI', 'CC', 'FF', 'NF', 'OC', 'SF']);
  expect([...done].sort()).toEqual(partnerFlow.transitions.map(({ id }) => id).sort());
  expect(refused).toBeGreaterThan(1000);
});

const open: Subject = {
  state: 'FF',
  values: {
    initialFollowUp: 'FF',
    initialFollowUpOn: '2026-11-01',
    referralBasis: 'P1',
    sex: 'F',
    fieldInvestigator: 'x',
  },
};
const disposed = {
  disposition: 'C',
  dispositionOn: '2026-11-10',
  dispositionBy: 'x',
  supervisor: 'y',
  examOn: '2026-11-09',
  examProvider: 'z',
  examFacility: 'f',
};
const refusals = (subject: Subject, transition: string, entered: Record<string, Value>) => {
  const outcome = act(partnerFlow, subject, transition, entered, everything, 'because');
  return outcome.done ? [] : [...new Set(outcome.refusals.map(({ rule }) => rule))];
};
function after(subject: Subject, transition: string, entered: Record<string, Value> = {}) {
  const outcome = act(partnerFlow, subject, transition, entered, everything, 'because');
  if (!outcome.done) throw new Error(JSON.stringify(outcome.refusals));
  return outcome.subject;
}
const interviewed = after(
  after(after(open, 'dispose', disposed), 'assignInterviewer', { interviewer: 'i' }),
  'recordInterview',
  { interviewStatus: 'I', interviewedOn: '2026-11-12' },
);

describe('the nine rules of partner services', () => {
  test('1: a stage cannot be left while later sections have answers; going back is a separate transition', () => {
    const later = { initialFollowUp: 'AC', initialFollowUpOn: '2026-11-11' };
    expect(refusals(after(open, 'dispose', disposed), 'decide', later)).toContain('1-initial');
    expect(refusals(interviewed, 'recordInterview', { interviewStatus: 'A' })).toEqual(['1-awaiting']);
    const back = after(after(interviewed, 'reopenInterview'), 'reopenField');
    expect([back.state, back.values.interviewer]).toEqual(['FF', null]);
  });
  test('2: a disposition has a day, an author and the supervisor, and an examination if it implies one', () => {
    expect(refusals(open, 'dispose', { disposition: 'H' })).toEqual(['2-disposition']);
    expect(refusals(open, 'dispose', { ...disposed, examOn: null })).toEqual(['2-exam']);
    const ofTest = { ...open, values: { ...open.values, referralBasis: 'T1' } };
    const unexamined = { ...disposed, examOn: null, examProvider: null, examFacility: null };
    expect(refusals(ofTest, 'dispose', unexamined)).toEqual([]);
  });
  test('3: a record sent elsewhere names the agency, and is due in two weeks', () => {
    const sent = { disposition: 'K', dispositionOn: '2026-11-10', dispositionBy: 'x', supervisor: 'y' };
    expect(refusals(open, 'dispose', sent)).toEqual(['3-sent-to']);
    const { sentToDueOn } = after(open, 'dispose', { ...sent, sentToAgency: 'Fulton' }).values;
    expect(sentToDueOn).toBe('2026-11-24');
  });
  test.each(
    Object.entries(unlawful).flatMap(([status, which]) => which.map((one) => [status, one] as const)),
  )('4: %s is not disposed as %s', (classification, disposition) => {
    const of = { ...open, values: { ...open.values, classification } };
    expect(refusals(of, 'dispose', { ...disposed, disposition })).toContain('4-status');
  });
  test('4: no one is interviewed whose case is unknown', () => {
    const values = { ...interviewed.values, disposition: 'E', classification: 'unknown' };
    const subject = { ...interviewed, values };
    const entered = { interviewStatus: 'I', interviewedOn: '2026-11-12' };
    expect(refusals(subject, 'recordInterview', entered)).toEqual(['4-interviewed']);
  });
  test('5: someone with a positive test cannot be a cluster', () => {
    const subject = { ...interviewed, values: { ...interviewed.values, referralBasis: 'T2' } };
    expect(refusals(subject, 'recordInterview', { interviewStatus: 'N' })).toEqual(['5-cluster']);
  });
  test('6: a case cannot be closed while a contact has no disposition', () => {
    const waiting = { ...interviewed, values: { ...interviewed.values, openContacts: 1 } };
    const closing = { caseClosedOn: '2026-11-20', closedBy: 'y' };
    expect(refusals(waiting, 'closeCase', closing)).toEqual(['6-contacts']);
    expect(after(interviewed, 'closeCase', closing).state).toBe('CC');
  });
  test('7: men are not pregnant, and partners met online are followed up', () => {
    const facts = { values: { sex: 'M', pregnant: 'yes' } };
    expect(refusalsIn(partnerFlow.rules, facts).map(({ rule }) => rule)).toEqual(['7-pregnancy']);
    const entered = { interviewStatus: 'I', interviewedOn: '2026-11-12', internetElicited: 'yes' };
    expect(refusals(interviewed, 'recordInterview', entered)).toEqual(['7-internet']);
  });
  test('8: both partners and no partners is a contradiction', () => {
    const entered = {
      interviewStatus: 'I',
      interviewedOn: '2026-11-12',
      femalePartners: 'yes',
      femalePartnersInYear: 0,
    };
    expect(refusals(interviewed, 'recordInterview', entered)).toEqual(['8-partners']);
  });
  test.each([
    ['original', 'C', 'P1', true],
    ['re-interview', 'F', 'P1', false],
    ['original', 'C', 'A1', false],
    ['original', 'F', 'A1', true],
    ['original', null, 'P2', true],
    ['original', 'C', 'T1', false],
    ['between-others', 'F', 'P1', true],
    ['no-interview', 'C', 'A1', false],
  ])(
    '9: a contact named by %s of a source disposed as %s, basis %s: %s',
    (namedHow, sourceDisposition, referralBasis, fits) =>
      expect(
        refusalsIn(basisRules, { values: { index: 'x', namedHow, sourceDisposition, referralBasis } })
          .length === 0,
      ).toBe(fits),
  );
});

test('each transition needs its permission, and a permission allows only its own transitions', () => {
  const investigator = {
    ...everything,
    may: (permission: Permission) => permission === 'partner-services/investigate',
  };
  for (const { id, from, may } of partnerFlow.transitions) {
    const outcome = act(partnerFlow, { state: from[0]!, values: {} }, id, {}, investigator, 'because');
    const refused = outcome.done ? [] : outcome.refusals.map(({ rule }) => rule);
    expect([id, refused.includes('not-permitted')]).toEqual([
      id,
      !may.includes('partner-services/investigate'),
    ]);
  }
});

describe('tasks that steps create', () => {
  const tasks = ['find', 'interview', 'review'] as const;
  const effectsOf = (subject: Subject, transition: string, entered: Record<string, Value> = {}) => {
    const outcome = act(partnerFlow, subject, transition, entered, everything, 'because');
    if (!outcome.done) throw new Error(JSON.stringify(outcome.refusals));
    return outcome.effects.flatMap((effect) =>
      'task' in effect
        ? `give ${effect.task} to ${typeof effect.to === 'string' ? effect.to : effect.to.field} in ${effect.dueDays}`
        : 'closeTasks' in effect
          ? `${effect.as ?? 'done'} ${effect.closeTasks}`
          : [],
    );
  };
  const unexamined = { disposition: 'H', dispositionOn: '2026-11-10', dispositionBy: 'x', supervisor: 'y' };
  const found = after(open, 'dispose', disposed);
  const awaiting = after(found, 'assignInterviewer', { interviewer: 'i' });

  test('follow each step, by hand', () => {
    const find = 'give find to assignee in 7';
    const hold = 'give interview to interviewer in 3';
    expect(effectsOf(open, 'assignField', { fieldInvestigator: 'z' })).toEqual(['not-needed find', find]);
    // The current interviewer gets no new deadline.
    expect(effectsOf(awaiting, 'assignInterviewer', { interviewer: 'i' })).toEqual([]);
    const tomorrow = { ...everything, today: '2026-11-23' };
    const again = act(partnerFlow, awaiting, 'assignInterviewer', { interviewer: 'i' }, tomorrow);
    expect(again).toMatchObject({ subject: { values: { interviewAssignedOn: '2026-11-22' } } });
    expect(effectsOf(open, 'dispose', disposed)).toEqual(['done find', 'not-needed review']);
    expect(effectsOf(open, 'dispose', unexamined)).toEqual(['done find', 'give review to supervisor in 3']);
    expect(effectsOf(found, 'withdrawDisposition')).toEqual(['not-needed review', find]);
    expect(effectsOf(awaiting, 'assignInterviewer', { interviewer: 'j' })).toEqual([
      ...['done review', 'not-needed interview', hold],
    ]);
    expect(
      effectsOf(awaiting, 'recordInterview', { interviewStatus: 'I', interviewedOn: '2026-11-12' }),
    ).toEqual(['done interview']);
    expect(effectsOf(awaiting, 'reopenField')).toEqual(['not-needed interview']);
    expect(effectsOf(interviewed, 'reopenInterview')).toEqual([hold]);
    expect(effectsOf(found, 'startOver')).toEqual(['not-needed find', 'not-needed review']);
  });

  test('are withdrawn only by a step: a search that never started does not restart', () => {
    const unassigned = { ...found, values: { ...found.values, fieldInvestigator: null } };
    expect(effectsOf(unassigned, 'withdrawDisposition')).toEqual(['not-needed review']);
  });

  test('go to a supervisor if someone stays unexamined, untested or untreated', () => {
    // Infected and untreated, not examined, closed by decision, told of the exposure but not tested.
    expect([...unfinished].sort()).toEqual(['4', '7', 'D', 'G', 'H', 'J', 'L', 'Q', 'V']);
    expect(unfinished.filter((one) => !dispositions.includes(one))).toEqual([]);
  });

  test('on every walk, wait exactly as long as the record does', () => {
    let seen = 0;
    const waiting = new Map<Subject, Set<string>>();
    walk(
      partnerFlow,
      ({ before, after: next, transition }) => {
        const had = new Set(waiting.get(before) ?? []);
        const { effects: given = [] } = partnerFlow.transitions.find(({ id }) => id === transition)!;
        for (const effect of given.filter(({ when }) => !when || holds(when, next))) {
          if ('closeTasks' in effect) had.delete(effect.closeTasks);
          if ('task' in effect) had.add(effect.task);
        }
        waiting.set(next, had);
        const { values: v, state } = next;
        const expected: Record<(typeof tasks)[number], boolean> = {
          find: state === 'FF' && set(v.fieldInvestigator) && !set(v.disposition),
          interview: state === 'AI',
          review: state === 'FF' && unfinished.includes(v.disposition as string),
        };
        // An open review survives going back from the interview.
        const shown = tasks.filter((one) => had.has(one));
        expect(shown.filter((one) => one !== 'review')).toEqual(
          tasks.filter((one) => one !== 'review' && expected[one]),
        );
        if (had.has('review')) expect(expected.review).toBe(true);
        seen += had.size;
      },
      500,
    );
    expect(seen).toBeGreaterThan(300);
  });
});

const effects: Readonly<Record<string, readonly Effect[]>> = {
  assignField: [{ stopClock: 'assign' }, { startClock: 'dispose' }],
  dispose: [{ stopClock: 'dispose' }, { closeTasks: 'field' }],
};
/** The same flow, with clocks and tasks. */
const timed: Workflow = {
  ...partnerFlow,
  clocks: [
    { id: 'assign', days: 1, working: true },
    { id: 'dispose', days: 7 },
  ],
  transitions: partnerFlow.transitions.map((one) => ({
    ...one,
    effects:
      one.id === 'decide'
        ? [{ startClock: 'assign', when: is('initialFollowUp', 'FF') }]
        : (effects[one.id] ?? []),
  })),
};

describe('effects', () => {
  const effectsOf = (subject: Subject, transition: string, entered: Record<string, Value>) => {
    const outcome = act(timed, subject, transition, entered, everything);
    return outcome.done ? outcome.effects : null;
  };
  const decided = { initialFollowUp: 'FF', initialFollowUpOn: '2026-11-20' };
  const fresh: Subject = { state: 'NF', values: { referralBasis: 'P1', sex: 'F' } };

  test('are listed, some only under a condition, and none for a refused transition', () => {
    expect(effectsOf(fresh, 'decide', decided)).toEqual([{ startClock: 'assign' }]);
    expect(effectsOf(fresh, 'decide', { ...decided, initialFollowUp: 'AC' })).toEqual([]);
    expect(effectsOf(fresh, 'decide', {})).toBeNull();
  });

  // 2026-11-20 is a Friday; Thursday the 26th is a holiday.
  const calendar = { workdays: [1, 2, 3, 4, 5], federalHolidays: true, daysOff: [] };
  test.each([
    [1, true, '2026-11-20', '2026-11-23'],
    [3, true, '2026-11-24', '2026-11-30'],
    [1, true, '2026-11-21', '2026-11-23'],
    [7, undefined, '2026-11-20', '2026-11-27'],
    [0, true, '2026-11-21', '2026-11-21'],
  ] as const)('a clock of %i days (working: %s) from %s is due on %s', (days, working, from, due) =>
    expect(dueOn({ id: 'x', days, ...(working && { working }) }, from, calendar)).toBe(due),
  );

  test('start and stop clocks, in the order of the history', () => {
    const assigned = effectsOf(open, 'assignField', { fieldInvestigator: 'luis' })!;
    const deciding = { on: '2026-11-20', effects: [{ startClock: 'assign' }] };
    expect(runningClocks(timed, [deciding], calendar)).toEqual({
      assign: { startedOn: '2026-11-20', dueOn: '2026-11-23' },
    });
    expect(runningClocks(timed, [deciding, { on: '2026-11-23', effects: assigned }], calendar)).toEqual({
      dispose: { startedOn: '2026-11-23', dueOn: '2026-11-30' },
    });
  });
});

describe("a tenant's variant", () => {
  const variant: WorkflowVariant = {
    workflow: 'PARTNER_SERVICES',
    version: 2,
    off: ['startOver'],
    requires: { closeCase: ['supervisor'], decide: ['sex'] },
    rules: [
      {
        id: 'x-not-closed-alone',
        refuse: all(is('closedBy', 'b'), is('supervisor', 'b')),
        at: ['closedBy'],
      },
    ],
    clocks: { dispose: 5 },
    effects: { closeCase: [{ notify: 'supervisor', text: 'closed' }] },
  };
  test('has no flaws, and requires more', () => {
    expect(variantFlaws(timed, variant, fields)).toEqual([]);
    const theirs = narrowed(timed, variant);
    expect(theirs.clocks!.find(({ id }) => id === 'dispose')!.days).toBe(5);
    const unsupervised = {
      ...interviewed,
      values: { ...interviewed.values, disposition: 'E', supervisor: null },
    };
    const outcome = act(
      theirs,
      unsupervised,
      'closeCase',
      { caseClosedOn: '2026-11-20', closedBy: 'y' },
      everything,
    );
    expect(outcome.done ? [] : outcome.refusals[0]).toEqual({ rule: 'required', at: ['supervisor'] });
  });

  test('allows nothing new: whatever it allows is also possible without it, with the same result', () => {
    let done = 0;
    walk(
      narrowed(partnerFlow, variant),
      ({ before, after: theirs, transition, entered }) => {
        const plain = act(partnerFlow, before, transition, entered, everything, 'because');
        expect(plain.done && plain.subject).toEqual(theirs);
        expect(transition).not.toBe('startOver');
        done += 1;
      },
      300,
    );
    expect(done).toBeGreaterThan(500);
  });

  test.each<[string, Partial<WorkflowVariant>, string]>([
    ['another workflow', { workflow: 'GENERAL' }, 'GENERAL: another workflow'],
    ['a transition that there is not', { off: ['finish'] }, 'finish: no such transition'],
    ['a clock that is longer', { clocks: { dispose: 8 } }, 'dispose: more than 7 days'],
    ['a clock that there is not', { clocks: { rest: 1 } }, 'rest: no such clock'],
    ['a field that there is not', { requires: { decide: ['mood'] } }, 'decide: no field mood'],
    [
      'a rule by the name of one there is',
      { rules: [{ id: '5-cluster', refuse: { all: [] }, at: [] }] },
      '5-cluster: a rule of the workflow',
    ],
  ])('is refused for %s', (_, wrong, flaw) =>
    expect(variantFlaws(timed, { ...variant, ...wrong }, fields)).toContain(flaw),
  );

  test('is refused if it closes the only way into a state', () => {
    const flow: Workflow = {
      id: 'DOOR',
      version: 1,
      initial: 'shut',
      states: ['shut', 'open'],
      transitions: [{ id: 'open', from: ['shut'], to: 'open', may: ['door/open'] }],
      rules: [],
    };
    expect(variantFlaws(flow, { workflow: 'DOOR', version: 1, off: ['open'] }, [])).toEqual([
      'open: never reached',
    ]);
  });
});

test('has no loose ends, and every loose end is detected', () => {
  expect(flawsOf(partnerFlow, fields)).toEqual([]);
  const [first, ...others] = partnerFlow.transitions;
  const broken: Workflow = {
    ...partnerFlow,
    derive: [{ state: 'XX', when: { field: 'caseCloseOn', empty: false } }],
    derived: { shutOn: [{ value: { from: 'shut' }, when: { all: [] } }] },
    transitions: [
      { ...first!, to: 'SF', may: [], requires: [{ field: 'sex', when: { field: 'sx', is: 'M' } }] },
      ...others.map((one) => (one.id === 'dispose' ? { ...one, effects: [{ stopClock: 'rest' }] } : one)),
    ],
  };
  const flaws = flawsOf(broken, fields);
  for (const flaw of [
    'XX: no state XX',
    'a record can be in no state at all',
    'decide: nobody may',
    'decide: names a state that is derived',
    'dispose: no clock rest',
    'XX: no field caseCloseOn',
    'shutOn: no field shutOn',
    'shutOn: no field shut',
    'decide: no field sx',
    'CC: never reached',
  ])
    expect(flaws).toContain(flaw);
});
