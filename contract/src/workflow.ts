import { type Calendar, daysAfter } from './calendar.ts';
import { addDays } from './date-range.ts';
import type { Permission } from './endpoint.ts';
import { type Expression, type Facts, fieldsOf, holds, isEmpty, type Value } from './expression.ts';

/*
 * Workflows as data. A transition is what somebody does to a record: in some states, by a permission, needing some fields,
 * refused while a rule holds, setting and clearing others. The state is named by the transition, or follows from the
 * fields by an ordered list. `act` is pure: the server runs it before it writes, the browser to say beforehand what would
 * be refused.
 */

/** Refused while its condition holds; `at`: the fields that it is about. */
export interface Rule {
  readonly id: string;
  readonly refuse: Expression;
  readonly at: readonly string[];
}

/** What a field is set to: who acts, the day, the instant, nothing, a fixed code, or a field, perhaps some days later. */
type Source =
  | 'me'
  | 'today'
  | 'now'
  | null
  | { readonly code: string }
  | { readonly from: string; readonly days?: number };
/** A value that follows from the fields after every transition: of the first condition that holds. */
type Derivation = readonly { readonly value: Source; readonly when: Expression }[];

/** What a transition causes outside of the record. */
export type Effect =
  | {
      readonly task: string;
      readonly to: 'assignee' | 'supervisor' | { readonly field: string };
      readonly dueDays?: number;
      /** The field with the day from which they count; otherwise from the day of the transition. */
      readonly from?: string;
      /** Only days on which the tenant works count. */
      readonly working?: true;
      readonly priority?: 'high';
      /** The field with the case that it is about, where the record is none; without a case it is not given. */
      readonly about?: string;
    }
  /** `as`: what becomes of them, `done` unless it says otherwise. */
  | { readonly closeTasks: string; readonly as?: 'not-needed' }
  /**
   * Tells somebody, never who acts: the assignee, who gave the record to the assignee that it had, or who brought it to the
   * state that it leaves. `text`: the kind of notification (`inbox.ts`).
   */
  | { readonly notify: 'assignee' | 'supervisor' | 'sender'; readonly text: string }
  /** One that runs already goes on: nobody gets more time by going back and forth. */
  | { readonly startClock: string }
  | { readonly stopClock: string };

interface Transition<State extends string> {
  readonly id: string;
  /** The states in which it can be done. */
  readonly from: readonly State[];
  /** Absent where the states are derived. */
  readonly to?: State;
  /** The states of `from` in which a record stays: there only its fields change. */
  readonly keeps?: readonly State[];
  /** The permissions of which each lets somebody do it. */
  readonly may: readonly Permission[];
  /** They are enough: who does it need not be able to change the record otherwise. */
  readonly mayAlone?: true;
  /** The fields that come with it. */
  readonly asks?: readonly string[];
  /** The fields that have a value after it, some of them only under a condition. */
  readonly requires?: readonly (string | { readonly field: string; readonly when: Expression })[];
  readonly refuse?: readonly Rule[];
  readonly set?: Readonly<Record<string, Source>>;
  readonly clear?: readonly string[];
  /** Whether people are asked why they do it. */
  readonly reason?: 'required' | 'optional';
  readonly effects?: readonly (Effect & { readonly when?: Expression })[];
}

/** So many days for something, from the day on which it starts. */
interface Clock {
  readonly id: string;
  readonly days: number;
  /** Only days on which the tenant works count. */
  readonly working?: true;
}

export interface Workflow<State extends string = string> {
  readonly id: string;
  /** Raised whenever a published flow changes; the history of a record names the one that it went by. */
  readonly version: number;
  readonly initial: State;
  readonly states: readonly State[];
  /** The state, where it follows from the fields: the first whose condition holds. */
  readonly derive?: readonly { readonly state: State; readonly when: Expression }[];
  readonly derived?: Readonly<Record<string, Derivation>>;
  readonly transitions: readonly Transition<State>[];
  /** The transitions that usually come next, by the state; the first one that somebody may do is meant. */
  readonly next?: Readonly<Partial<Record<State, readonly string[]>>>;
  /** The clocks that a new record starts. */
  readonly begun?: readonly Extract<Effect, { startClock: string }>[];
  /** The fields that have a value in a state, however it was reached. */
  readonly needs?: Readonly<Partial<Record<State, readonly string[]>>>;
  /** In these states fields change by transitions alone. */
  readonly locked?: readonly State[];
  /** What holds after every transition. */
  readonly rules: readonly Rule[];
  readonly clocks?: readonly Clock[];
  /** What a record reaches on its way, in order; it is measured how long each takes from the one before. */
  readonly milestones?: readonly { readonly id: string; readonly states: readonly State[] }[];
  /** The field with the account that the tasks of the assignee go to. */
  readonly assignee?: string;
}

export interface Subject<State extends string = string> extends Facts {
  readonly state: State;
}
/** Who acts, what they may do, on which day of the tenant, and when. */
export interface Actor {
  readonly id: string;
  readonly may: (permission: Permission) => boolean;
  readonly today: string;
  readonly now: string;
}
export interface Refusal {
  readonly rule: string;
  readonly at: readonly string[];
}
export type Outcome<State extends string> =
  | { readonly done: true; readonly subject: Subject<State>; readonly effects: readonly Effect[] }
  | { readonly done: false; readonly refusals: readonly Refusal[] };

/** The rules that hold, and so refuse what the facts would be. */
export const refusalsIn = (rules: readonly Rule[], facts: Facts): Refusal[] =>
  rules.filter(({ refuse }) => holds(refuse, facts)).map(({ id, at }) => ({ rule: id, at }));

function sourceValue(source: Source, { values }: Facts, actor: Actor): Value {
  if (source === null) return null;
  if (source === 'me') return actor.id;
  if (source === 'today') return actor.today;
  if (source === 'now') return actor.now;
  if ('code' in source) return source.code;
  const value = values[source.from];
  return source.days === undefined || isEmpty(value) ? value : addDays(value as string, source.days);
}

/** The state of a record with these fields, where states are derived; otherwise the one given. */
const stateOf = <State extends string>(flow: Workflow<State>, facts: Facts, otherwise: State): State =>
  flow.derive?.find(({ when }) => holds(when, facts))?.state ?? otherwise;

/** The states from which a transition leads to its own. */
const leadsFrom = ({ from, keeps = [] }: Pick<Transition<string>, 'from' | 'keeps'>): readonly string[] =>
  from.filter((state) => !keeps.includes(state));

const asGiven = (value: Value): string => JSON.stringify(value ?? null);

/** Whether a record with these values has all that is entered for it. */
const isThere = (entered: Facts['values'], values: Facts['values']): boolean =>
  Object.keys(entered).length > 0 &&
  Object.entries(entered).every(([name, value]) => asGiven(value) === asGiven(values[name]));

/** Whether somebody may do a transition of a record that is changed by those with the permission `write`. */
export const mayDo = (
  { may, mayAlone }: Pick<Transition<string>, 'may' | 'mayAlone'>,
  write: Permission,
  has: (permission: Permission) => boolean,
): boolean => may.some(has) && (mayAlone === true || has(write));

/** What somebody may do with a record in this state. */
export const doableIn = (
  flow: Workflow,
  state: string,
  write: Permission,
  has: (permission: Permission) => boolean,
): Workflow['transitions'] =>
  flow.transitions.filter((one) => one.from.includes(state) && mayDo(one, write, has));

/** Why a transition cannot be done now, whatever is entered for it. */
export function refusalsBefore<State extends string>(
  flow: Workflow<State>,
  subject: Subject<State>,
  transitionId: string,
  actor: Actor,
): Refusal[] {
  const transition = flow.transitions.find(({ id }) => id === transitionId);
  if (!transition?.from.includes(subject.state)) return [{ rule: 'not-in-this-state', at: [] }];
  return transition.may.some(actor.may) ? [] : [{ rule: 'not-permitted', at: [] }];
}

/** Does a transition with what was entered for it, or says everything that is in the way. */
export function act<State extends string>(
  flow: Workflow<State>,
  subject: Subject<State>,
  transitionId: string,
  entered: Readonly<Record<string, Value>>,
  actor: Actor,
  reason?: string,
): Outcome<State> {
  const refused = (...refusals: Refusal[]) => ({ done: false, refusals }) as const;
  const before = refusalsBefore(flow, subject, transitionId, actor);
  if (before.length > 0) return refused(...before);
  const transition = flow.transitions.find(({ id }) => id === transitionId)!;
  const stray = Object.keys(entered).filter((field) => !transition.asks?.includes(field));
  if (stray.length > 0) return refused({ rule: 'not-asked', at: stray });
  if (transition.reason === 'required' && isEmpty(reason))
    return refused({ rule: 'reason-needed', at: ['reason'] });

  const values: Record<string, Value> = { ...subject.values, ...entered };
  const facts: Facts = { ...subject, values, me: actor.id };
  for (const [name, source] of Object.entries(transition.set ?? {}))
    values[name] = sourceValue(source, facts, actor);
  for (const name of transition.clear ?? []) values[name] = null;
  for (const [name, cases] of Object.entries(flow.derived ?? {})) {
    const first = cases.find(({ when }) => holds(when, facts));
    values[name] = first ? sourceValue(first.value, facts, actor) : null;
  }
  const named = transition.keeps?.includes(subject.state) ? undefined : transition.to;
  const state = stateOf(flow, facts, named ?? subject.state);
  const required = (transition.requires ?? []).flatMap((one) =>
    typeof one === 'string' ? one : holds(one.when, facts) ? one.field : [],
  );
  const lacking = [...new Set([...required, ...(flow.needs?.[state] ?? [])])].filter((name) =>
    isEmpty(values[name]),
  );
  const refusals = [
    ...(lacking.length > 0 ? [{ rule: 'required', at: lacking }] : []),
    ...refusalsIn([...(transition.refuse ?? []), ...flow.rules], facts),
  ];
  if (refusals.length > 0) return refused(...refusals);
  // Whoever has a record already is not given it again: their days go on as they were.
  if (state === subject.state && isThere(entered, subject.values))
    return { done: true, subject, effects: [] };
  return {
    done: true,
    subject: { ...subject, values, state },
    effects: effectsOf(transition, facts),
  };
}

/** What refuses a record after a save that is no transition and has changed these fields. */
export function refusalsAfter<State extends string>(
  flow: Workflow<State>,
  after: Subject<State>,
  changed: readonly string[],
): Refusal[] {
  const lacking = (flow.needs?.[after.state] ?? []).filter((name) => isEmpty(after.values[name]));
  return [
    ...(lacking.length > 0 ? [{ rule: 'required', at: lacking }] : []),
    ...refusalsIn(flow.rules, after),
  ].filter(({ at }) => at.some((name) => changed.includes(name)));
}

const effectsOf = <State extends string>({ effects = [] }: Transition<State>, facts: Facts): Effect[] =>
  effects.flatMap(({ when, ...effect }) => (!when || holds(when, facts) ? [effect as Effect] : []));

/**
 * What a save causes that has led from a state to another one, and by which transition: the one that somebody did, else one
 * between the two, else one that leads to the second.
 */
export function effectsBetween<State extends string>(
  flow: Workflow<State>,
  before: State,
  after: Subject<State>,
  done?: string,
): { readonly transition: string; readonly effects: readonly Effect[] } {
  const leading = flow.transitions.filter(({ to }) => to === after.state);
  const transition =
    flow.transitions.find(({ id }) => id === done) ??
    leading.find((one) => leadsFrom(one).includes(before)) ??
    leading[0];
  return transition
    ? { transition: transition.id, effects: effectsOf(transition, after) }
    : { transition: after.state, effects: [] };
}

/** The state after a save that is no transition: another one only where states are derived. */
export const stateAfter = <State extends string>(flow: Workflow<State>, after: Subject<State>): State =>
  stateOf(flow, after, after.state);

/**
 * Why somebody may not take back what led from a state to that of `subject`, by the transition `done` if it was one. Who
 * takes it back could have done it; and where a transition leads back as well, its rules hold for `after`.
 */
export function refusalsOfUndo<State extends string>(
  flow: Workflow<State>,
  subject: Subject<State>,
  after: Subject<State>,
  done: string | null,
  actor: Actor,
): Refusal[] {
  const between = (from: State, to: State) =>
    flow.transitions.filter((one) => one.to === to && leadsFrom(one).includes(from));
  const back = between(subject.state, after.state);
  const named = flow.transitions.filter(({ id }) => id === done);
  const asked = named.length > 0 ? named : [...between(after.state, subject.state), ...back];
  if (asked.length > 0 && !asked.some(({ may }) => may.some(actor.may)))
    return [{ rule: 'not-permitted', at: [] }];
  return refusalsIn(
    back.flatMap(({ refuse = [] }) => refuse),
    { ...after, me: actor.id },
  );
}

/** The day on which a clock that is started on a day has run out. */
export const dueOn = ({ days, working }: Clock, startedOn: string, calendar: Calendar): string =>
  daysAfter(startedOn, days, working === true, calendar);

/** Which clocks run after these effects in their order, and when each is due. */
export function runningClocks(
  flow: Workflow,
  happened: readonly { readonly on: string; readonly effects: readonly Effect[] }[],
  calendar: Calendar,
): Record<string, { readonly startedOn: string; readonly dueOn: string }> {
  const running: Record<string, { startedOn: string; dueOn: string }> = {};
  for (const { on, effects } of happened)
    for (const effect of effects) {
      if ('stopClock' in effect) delete running[effect.stopClock];
      if ('startClock' in effect) {
        const clock = flow.clocks!.find(({ id }) => id === effect.startClock)!;
        running[clock.id] ??= { startedOn: on, dueOn: dueOn(clock, on, calendar) };
      }
    }
  return running;
}

// — A tenant's variant —

/** What a tenant says of a workflow. It can only narrow it: nothing here opens what the declaration closes. */
export interface WorkflowVariant {
  readonly workflow: string;
  readonly version: number;
  /** Transitions that are not used. */
  readonly off?: readonly string[];
  /** Further fields that a transition needs. */
  readonly requires?: Readonly<Record<string, readonly string[]>>;
  readonly rules?: readonly Rule[];
  /** Fewer days for a clock. */
  readonly clocks?: Readonly<Record<string, number>>;
  readonly effects?: Readonly<Record<string, readonly Effect[]>>;
}

/** A workflow as a tenant uses it. */
export const narrowed = <State extends string>(
  flow: Workflow<State>,
  { off = [], requires = {}, rules = [], clocks = {}, effects = {} }: WorkflowVariant,
): Workflow<State> => ({
  ...flow,
  transitions: flow.transitions
    .filter(({ id }) => !off.includes(id))
    .map((transition) => ({
      ...transition,
      requires: [...(transition.requires ?? []), ...(requires[transition.id] ?? [])],
      effects: [...(transition.effects ?? []), ...(effects[transition.id] ?? [])],
    })),
  rules: [...flow.rules, ...rules],
  ...(flow.clocks && {
    clocks: flow.clocks.map((clock) => ({ ...clock, days: clocks[clock.id] ?? clock.days })),
  }),
});

/** What is wrong with a variant: names that the workflow does not have, more days than it gives, and what `flawsOf` finds. */
export function variantFlaws(flow: Workflow, variant: WorkflowVariant, fields: readonly string[]): string[] {
  const ids = new Set(flow.transitions.map(({ id }) => id));
  const named = [
    ...(variant.off ?? []),
    ...Object.keys(variant.requires ?? {}),
    ...Object.keys(variant.effects ?? {}),
  ];
  return [
    ...(variant.workflow === flow.id ? [] : [`${variant.workflow}: another workflow`]),
    ...named.filter((id) => !ids.has(id)).map((id) => `${id}: no such transition`),
    ...Object.entries(variant.clocks ?? {}).flatMap(([id, days]) => {
      const clock = flow.clocks?.find((one) => one.id === id);
      if (!clock) return [`${id}: no such clock`];
      return days > clock.days ? [`${id}: more than ${clock.days} days`] : [];
    }),
    ...(variant.rules ?? [])
      .filter(({ id }) => flow.rules.some((rule) => rule.id === id))
      .map(({ id }) => `${id}: a rule of the workflow`),
    ...flawsOf(narrowed(flow, variant), fields),
  ];
}

// — What is wrong with a declaration —

/** The fields that a value is taken from. */
const readBy = (source: Source): string[] =>
  source !== null && typeof source === 'object' && 'from' in source ? [source.from] : [];

/** Each field that a workflow names, with what names it. */
function namesIn(flow: Workflow): [by: string, field: string][] {
  const ofRules = (by: string, rules: readonly Rule[]) =>
    rules.flatMap(({ id, refuse, at }) =>
      [...fieldsOf(refuse), ...at].map((name): [string, string] => [`${by}${id}`, name]),
    );
  return [
    ...ofRules('', flow.rules),
    ...(flow.assignee === undefined ? [] : [['assignee', flow.assignee] as [string, string]]),
    ...Object.entries<readonly string[] | undefined>(flow.needs ?? {}).flatMap(([state, names = []]) =>
      names.map((name): [string, string] => [state, name]),
    ),
    ...(flow.derive ?? []).flatMap(({ state, when }) =>
      fieldsOf(when).map((name): [string, string] => [state, name]),
    ),
    ...Object.entries(flow.derived ?? {}).flatMap(([field, cases]) =>
      [field, ...cases.flatMap(({ value, when }) => [...readBy(value), ...fieldsOf(when)])].map(
        (name): [string, string] => [field, name],
      ),
    ),
    ...flow.transitions.flatMap(
      ({ id, asks = [], requires = [], refuse = [], set = {}, clear = [], effects = [] }) => [
        ...[
          ...asks,
          ...requires.flatMap((one) => (typeof one === 'string' ? one : [one.field, ...fieldsOf(one.when)])),
          ...Object.entries(set).flatMap(([name, source]) => [name, ...readBy(source)]),
          ...clear,
          ...effects.flatMap((effect) => [
            ...('task' in effect && typeof effect.to === 'object' ? [effect.to.field] : []),
            ...('task' in effect ? [effect.about ?? [], effect.from ?? []].flat() : []),
            ...(effect.when ? fieldsOf(effect.when) : []),
          ]),
        ].map((name): [string, string] => [id, name]),
        ...ofRules(`${id}/`, refuse),
      ],
    ),
  ];
}

const clocksIn = (effects: readonly Effect[]): string[] =>
  effects.flatMap((effect) =>
    'startClock' in effect ? effect.startClock : 'stopClock' in effect ? effect.stopClock : [],
  );

/** The states that can be reached from the first one. */
function reachedIn({ initial, transitions, derive = [] }: Workflow): Set<string> {
  const reached = new Set([initial, ...derive.map(({ state }) => state)]);
  for (let size = 0; size !== reached.size; ) {
    size = reached.size;
    for (const one of transitions)
      if (one.to !== undefined && leadsFrom(one).some((state) => reached.has(state))) reached.add(one.to);
  }
  return reached;
}

/**
 * What is wrong with a workflow: states that are never reached or that nobody declared, transitions that nobody may do or
 * that never can be, and names that are no field. A guard with a misspelt name never holds, and so refuses nothing.
 */
export function flawsOf(flow: Workflow, fields: readonly string[]): string[] {
  const known = new Set(fields);
  const states = new Set(flow.states);
  const reached = reachedIn(flow);
  const ids = flow.transitions.map(({ id }) => id);
  const clocks = new Set(flow.clocks?.map(({ id }) => id));
  const last = flow.derive?.at(-1);
  return [
    ...flow.states.filter((state) => !reached.has(state)).map((state) => `${state}: never reached`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id}: twice`),
    ...flow.transitions.flatMap(({ id, from, to }) =>
      [...from, ...(to === undefined ? [] : [to])]
        .filter((state) => !states.has(state))
        .map((state) => `${id}: no state ${state}`),
    ),
    ...flow.transitions.flatMap(({ id, from, keeps = [] }) =>
      keeps
        .filter((state) => !from.includes(state))
        .map((state) => `${id}: keeps ${state}, but is not done there`),
    ),
    ...(flow.derive ?? [])
      .filter(({ state }) => !states.has(state))
      .map(({ state }) => `${state}: no state ${state}`),
    ...(last && !('all' in last.when && last.when.all.length === 0)
      ? ['a record can be in no state at all']
      : []),
    ...flow.transitions.flatMap(({ id, may, to, effects = [] }) => [
      ...(may.length === 0 ? [`${id}: nobody may`] : []),
      ...((to === undefined) === (flow.derive === undefined)
        ? [`${id}: ${flow.derive ? 'names a state that is derived' : 'leads nowhere'}`]
        : []),
      ...clocksIn(effects)
        .filter((clock) => !clocks.has(clock))
        .map((clock) => `${id}: no clock ${clock}`),
    ]),
    ...clocksIn(flow.begun ?? [])
      .filter((clock) => !clocks.has(clock))
      .map((clock) => `a new record: no clock ${clock}`),
    ...Object.keys(flow.needs ?? {})
      .filter((state) => !states.has(state))
      .map((state) => `needs: no state ${state}`),
    ...(flow.assignee === undefined &&
    flow.transitions.some(({ effects = [] }) =>
      effects.some(
        (one) =>
          ('task' in one && one.to === 'assignee') ||
          ('notify' in one && ['assignee', 'supervisor'].includes(one.notify)),
      ),
    )
      ? ['nobody says who the assignee is']
      : []),
    ...Object.entries<readonly string[] | undefined>(flow.next ?? {}).flatMap(([state, next = []]) =>
      next
        .filter((one) => !flow.transitions.some(({ id, from }) => id === one && from.includes(state)))
        .map((one) => `${state}: ${one} does not come next`),
    ),
    ...namesIn(flow)
      .filter(([, name]) => !known.has(name))
      .map(([by, name]) => `${by}: no field ${name}`),
  ];
}
