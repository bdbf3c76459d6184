import { createHash } from 'node:crypto';
import { type Calendar, daysAfter } from '@caseway/contract/calendar';
import { caseFlow } from '@caseway/contract/case-flow';
import { type CaseStatus, openCaseStatuses } from '@caseway/contract/case-reports';
import { addDays } from '@caseway/contract/date-range';
import { holds } from '@caseway/contract/expression';
import { caseWorkRules } from '@caseway/contract/work-rules';
import { type Effect, effectsBetween, runningClocks } from '@caseway/contract/workflow';
import { startOfDay } from '../../src/platform/grid/day-bounds.ts';
import { timesStored } from '../../src/platform/records/transitions-kept.ts';
import type { CaseRow } from './rows.ts';

/** The status that usually comes after another one. */
const nextOf = (status: CaseStatus) =>
  caseFlow.transitions.find(({ id }) => id === caseFlow.next?.[status]?.[0])?.to;
/** The statuses in their usual order. */
const usual: CaseStatus[] = [caseFlow.initial];
for (let next = nextOf(caseFlow.initial); next; next = nextOf(next)) usual.push(next);
/** The statuses that a case has had before it came to one. */
const wayTo = (status: CaseStatus): CaseStatus[] =>
  usual.includes(status)
    ? usual.slice(0, usual.indexOf(status) + 1)
    : status === 'accepted' || status === 'rejected_by_jurisdiction'
      ? [caseFlow.initial, 'assigned_to_jurisdiction', status]
      : [caseFlow.initial, status];
/** An investigator has to be found. */
const isWaiting = ({ investigator_id, status }: CaseRow) =>
  investigator_id === null && (openCaseStatuses as readonly string[]).includes(status);

/** Older cases were worked on before there were tasks. */
const lastDays = 90;

interface Step {
  transition: string;
  to: CaseStatus;
  on: string;
  effects: readonly Effect[];
}
interface Task {
  effect: Extract<Effect, { task: string }>;
  step: Step;
  doneOn: string | null;
}

/**
 * The tasks and clocks that the statuses of recent cases have caused, as the flow of cases declares them. Most open
 * ones were given in the last days; one in sixteen is late. From the bytes of the case's id, so that nothing else of
 * the demo depends on it.
 */
export function workOf(
  cases: readonly CaseRow[],
  days: { today: string; calendar: Calendar; zone: string },
): { tasks: object[]; clocks: object[]; transitions: object[] } {
  const { today, calendar, zone } = days;
  const made = cases
    .filter((of) => {
      const isRecent = of.created_on >= addDays(today, -lastDays);
      return isRecent && (of.investigator_id !== null || isWaiting(of));
    })
    .map((of) => {
      const hash = createHash('sha256').update(`work of ${of.id}`).digest();
      const steps = stepsOf(of, days, hash);
      const about = { tenant_id: of.tenant_id, record_id: of.id };
      const fromFlow = { flow_version: caseFlow.version, made_version: 1 };
      const tasks = tasksOf(steps).map(({ effect, step, doneOn }) => ({
        ...about,
        work: effect.task,
        queue: effect.to,
        account_id: effect.to === 'assignee' ? of.investigator_id : null,
        due_on:
          effect.dueDays === undefined
            ? null
            : daysAfter(step.on, effect.dueDays, effect.working === true, calendar),
        priority: effect.priority ?? 'normal',
        state: doneOn === null ? 'open' : 'done',
        made_at: startOfDay(step.on, zone),
        made_on: step.on,
        made_by: of.investigator_id,
        ended_at: doneOn && startOfDay(doneOn, zone),
        ended_by: doneOn && of.investigator_id,
        note: null,
        rule: null,
        transition: step.transition,
        ...fromFlow,
      }));
      const isOpen = tasks.some(({ state }) => state === 'open') || isWaiting(of);
      const more = (isOpen ? [...givenByHand(of, today, hash), ...givenByRules(of)] : []).map((task) => ({
        ...about,
        queue: 'assignee',
        account_id: of.investigator_id,
        due_on: today,
        priority: 'normal',
        state: 'open',
        made_at: startOfDay(of.created_on, zone),
        made_on: of.created_on,
        made_by: of.investigator_id,
        ended_at: null,
        ended_by: null,
        note: null,
        rule: null,
        transition: null,
        flow_version: null,
        made_version: null,
        ...task,
      }));
      const clocks = Object.entries(runningClocks(caseFlow, steps, calendar)).map(([clock, days], index) => ({
        ...about,
        record_kind: 'case',
        id: idOf(hash, index),
        clock,
        started_at: startOfDay(days.startedOn, zone),
        started_on: days.startedOn,
        due_on: days.dueOn,
        due_at: startOfDay(days.dueOn, zone, 1),
        ...fromFlow,
      }));
      return {
        tasks: [...tasks, ...more].map((task, index) => ({ id: idOf(hash, index), ...task })),
        clocks,
        transitions: transitionsOf(of, steps, calendar).map((one, index) => ({
          ...one,
          id: idOf(createHash('sha256').update(`moves of ${of.id}`).digest(), index),
        })),
      };
    });
  return {
    tasks: made.flatMap(({ tasks }) => tasks),
    clocks: made.flatMap(({ clocks }) => clocks),
    transitions: made.flatMap(({ transitions }) => transitions),
  };
}

/** Tasks that people have given each other: for one open case in eight. */
function givenByHand({ investigator_id }: CaseRow, today: string, hash: Buffer): object[] {
  const asked = [
    { work: 'call', note: 'Nobody answered in the morning. Try after 17:00.' },
    { work: 'letter', note: 'Certified mail, without the name of the program.' },
    { work: 'home-visit', note: 'Go with a second person.' },
    { work: 'records-request', note: 'Ask the clinic for the treatment record.' },
  ];
  if (investigator_id === null || hash[20]! >= 32) return [];
  return [{ ...asked[hash[20]! % asked.length]!, due_on: addDays(today, (hash[21]! % 8) - 1) }];
}

/** Tasks that rules give at once, whatever the status. */
const givenByRules = ({ disease_family: family, pregnant, classification }: CaseRow): object[] =>
  caseWorkRules
    .filter(({ when }) => holds(when, { values: { family, pregnant, classification } }))
    .map(({ id, task }) => ({ work: task.work, priority: task.priority, rule: id }));

/** The statuses of a case with the day of each. */
function stepsOf(
  of: CaseRow,
  { today, calendar }: { today: string; calendar: Calendar },
  hash: Buffer,
): Step[] {
  const way = wayTo(of.status as CaseStatus);
  const isLate = hash[0]! < 16;
  const daysAgo = isLate ? 4 + (hash[1]! % 9) : hash[1]! % 3;
  const steps = way.map((to, index) => {
    const on = of.created_on;
    if (index === 0) return { transition: '', to, on, effects: caseFlow.begun ?? [] };
    const after = { state: to, values: { investigator: of.investigator_id } };
    return { to, on, ...effectsBetween(caseFlow, way[index - 1]!, after) };
  });
  const isOver = Object.keys(runningClocks(caseFlow, steps, calendar)).length === 0;
  return steps.map((step, index) => {
    if (index === 0) return step;
    const on = isOver
      ? addDays(of.created_on, index * (1 + (hash[1]! % 3)))
      : addDays(today, -daysAgo - 2 * (way.length - 1 - index));
    return { ...step, on: on < of.created_on ? of.created_on : on > today ? today : on };
  });
}

/** Every step after the first, with its duration. */
const transitionsOf = (of: CaseRow, steps: readonly Step[], calendar: Calendar) =>
  steps.slice(1).map(({ to, on }, index) => ({
    tenant_id: of.tenant_id,
    record_id: of.id,
    // Like its tasks, with the first version, which nobody undoes.
    version: 1,
    last_version: 1,
    from_state: steps[index]!.to,
    to_state: to,
    on_day: on,
    ...timesStored(
      caseFlow,
      { made: of.created_on, earlier: steps.slice(1, index + 1) },
      { from: steps[index]!.to, to, on },
      calendar,
    ),
  }));

function tasksOf(steps: readonly Step[]): Task[] {
  const tasks: Task[] = [];
  for (const step of steps)
    for (const effect of step.effects) {
      if ('closeTasks' in effect)
        for (const task of tasks)
          if (task.effect.task === effect.closeTasks && task.doneOn === null) task.doneOn = step.on;
      if ('task' in effect) tasks.push({ effect, step, doneOn: null });
    }
  return tasks;
}

const idOf = (hash: Buffer, index: number): string => {
  const hex = hash.toString('hex', 2, 18);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 31)}${index.toString(16)}`;
};
