import { caseFlow } from '@caseway/contract/case-flow';
import { caseRecord } from '@caseway/contract/case-record';
import { type CaseStatus, caseStatuses } from '@caseway/contract/case-reports';
import { fieldVisitRecord } from '@caseway/contract/field-visits';
import { anyRecord } from '@caseway/contract/record';
import { type Effect, effectsBetween } from '@caseway/contract/workflow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../test/load.ts';
import { assertCarriedOut, planned, takenBack } from './effects.ts';

/*
 * Random walks of the status of a case: forward, undoing the last move, and undoing an undo. Open tasks and running
 * clocks are compared with a model without versions: a stack of the states before each move.
 */

interface Row {
  id: string;
  name: string;
  isOpen: boolean;
  made: number;
  ended: number | null;
  resumed: number | null;
}
const effectsOf = (from: CaseStatus, to: CaseStatus): Effect[] => [
  ...effectsBetween(caseFlow, from, { state: to, values: { investigator: 'luis' } }).effects,
];
const open = (rows: readonly Row[]) =>
  rows
    .filter(({ isOpen }) => isOpen)
    .map(({ name }) => name)
    .sort();

/** A case with its tasks and clocks, as rows with versions. */
class Stored {
  status: CaseStatus = 'new';
  version = 1;
  readonly tasks: Row[] = [];
  readonly clocks: Row[] = [];

  move(to: CaseStatus): void {
    this.version += 1;
    const plan = planned(effectsOf(this.status, to), this.tasks, this.clocks);
    for (const row of [...plan.close, ...plan.stop] as Row[]) this.#end(row);
    for (const { task } of plan.give) this.tasks.push(this.#made(task));
    for (const clock of plan.start) this.clocks.push(this.#made(clock));
    this.status = to;
  }

  takeBack(version: number, status: CaseStatus): void {
    this.version += 1;
    for (const rows of [this.tasks, this.clocks]) {
      const { end, resume } = takenBack(rows, version);
      for (const row of end) this.#end(row);
      for (const row of resume) Object.assign(row, { isOpen: true, ended: null, resumed: this.version });
    }
    this.status = status;
  }

  #made = (name: string): Row => ({
    id: `${name} ${this.version}`,
    name,
    isOpen: true,
    made: this.version,
    ended: null,
    resumed: null,
  });
  #end = (row: Row) => Object.assign(row, { isOpen: false, ended: this.version });
}

/** The names of what is open after the effects, regardless of versions. */
function after(names: readonly string[], effects: readonly Effect[], of: 'task' | 'clock'): string[] {
  const set = new Set(names);
  for (const effect of effects) {
    if (of === 'task' && 'closeTasks' in effect) set.delete(effect.closeTasks);
    if (of === 'task' && 'task' in effect) set.add(effect.task);
    if (of === 'clock' && 'stopClock' in effect) set.delete(effect.stopClock);
    if (of === 'clock' && 'startClock' in effect) set.add(effect.startClock);
  }
  return [...set].sort();
}

test('[S9.2] no task and no clock is left behind, whatever is done and undone', () => {
  const seen = { moved: 0, undone: 0, redone: 0 };
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...caseStatuses) },
    { weight: 2, arbitrary: fc.constant('undo' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const stored = new Stored();
      let model: { status: CaseStatus; tasks: string[]; clocks: string[] } = {
        status: 'new',
        tasks: [],
        clocks: [],
      };
      /** The state before and after the last move, by the version that it made. */
      let last: { version: number; before: typeof model; isUndo: boolean } | undefined;
      for (const one of steps) {
        const before = model;
        if (one === 'undo') {
          if (!last) continue;
          model = last.before;
          stored.takeBack(last.version, model.status);
          seen[last.isUndo ? 'redone' : 'undone'] += 1;
        } else if (one !== model.status) {
          const effects = effectsOf(model.status, one);
          model = {
            status: one,
            tasks: after(model.tasks, effects, 'task'),
            clocks: after(model.clocks, effects, 'clock'),
          };
          stored.move(one);
          seen.moved += 1;
        } else continue;
        last = { version: stored.version, before, isUndo: one === 'undo' };
        expect([stored.status, open(stored.tasks), open(stored.clocks)]).toEqual([
          model.status,
          model.tasks,
          model.clocks,
        ]);
      }
    }),
    rounds(1000, 20_000),
  );
  expect(Object.entries(seen).filter(([, n]) => n < 400)).toEqual([]);
});

describe('the status of a case', () => {
  test('alone decides which clocks run: the same ones on every path to it', () => {
    const expected: Record<CaseStatus, string[]> = {
      new: ['assign'],
      assigned_to_jurisdiction: ['accept'],
      rejected_by_jurisdiction: ['assign'],
      accepted: ['assign'],
      rejected_by_investigator: ['assign'],
      reopened: ['complete'],
      assigned: ['complete', 'start'],
      under_investigation: ['complete'],
      awaiting_interview: ['complete'],
      complete: ['approve'],
      approved: [],
      closed: [],
      no_follow_up: [],
    };
    for (const first of caseStatuses)
      for (const second of caseStatuses) {
        const stored = new Stored();
        for (const status of [first, second]) if (status !== stored.status) stored.move(status);
        if (stored.version > 1) expect([second, open(stored.clocks)]).toEqual([second, expected[second]]);
      }
  });

  test('a task is not given twice, and a running clock is not restarted', () => {
    const stored = new Stored();
    for (const status of ['assigned', 'under_investigation', 'assigned'] as const) stored.move(status);
    expect(stored.tasks.map(({ name, made }) => [name, made])).toEqual([['investigate', 2]]);
    expect(stored.clocks.map(({ name, made, ended }) => [name, made, ended])).toEqual([
      ['start', 2, 3],
      ['complete', 2, null],
      ['start', 4, null],
    ]);
  });
});

test('a workflow with an effect that nobody carries out is not served', () => {
  const with1 = (effect: Effect, record = anyRecord(caseRecord)) => ({
    ...record,
    workflow: {
      of: 'status',
      flow: { ...caseFlow, transitions: [{ ...caseFlow.transitions[0]!, effects: [effect] }] },
    },
  });
  const visit = anyRecord(fieldVisitRecord);
  expect(() => assertCarriedOut(anyRecord(caseRecord))).not.toThrow();
  expect(() => assertCarriedOut(visit)).not.toThrow();
  expect(() => assertCarriedOut(with1({ notify: 'supervisor', text: 'x' }))).toThrow(
    'CASE: nothing carries out',
  );
  expect(() => assertCarriedOut(with1({ task: 'unheard-of', to: 'assignee' }))).toThrow('unheard-of');
  // A task is about a case: the record itself, or the case that a field names.
  const review = { task: 'review', to: 'supervisor' } as const;
  expect(() => assertCarriedOut(with1(review))).not.toThrow();
  expect(() => assertCarriedOut(with1(review, visit))).toThrow('review');
  expect(() => assertCarriedOut(with1({ ...review, about: 'patient' }, visit))).toThrow('review');
  expect(() => assertCarriedOut(with1({ ...review, about: 'caseRecord' }, visit))).not.toThrow();
});
