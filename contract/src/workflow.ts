import { type Calendar, daysAfter } from './calendar.ts';
import { addDays } from './date-range.ts';
import type { Permission } from './endpoint.ts';
import { type Expression, type Facts, fieldsOf, holds, isEmpty, type Value } from './expression.ts';

/*
 * Workflows as data. A transition is an action on a record: allowed in some states, with a permission, some
 * required fields and no rule that refuses it. It sets and clears other fields. The state is named by the
 * transition, or follows from the fields by an ordered list. `act` is pure: the server runs it before it
 * writes, the browser to show in advance what would be refused.
 */

/** Refuses while its condition holds; `at`: the fields it is about. */
export interface Rule {
  readonly id: string;
  readonly refuse: Expression;
  readonly at: readonly string[];
}

/**
 * The value of a field: the actor, the day, the instant, nothing, a fixed code, or another field, optionally
 * some days later.
 */
type Source =
  | 'me'
  | 'today'
  | 'now'
  | null
  | { readonly code: string }
  | { readonly from: string; readonly days?: number };
/** A value computed from the fields after every transition: of the first condition that holds. */
type Derivation = readonly { readonly value: Source; readonly when: Expression }[];

/** What a transition causes outside the record. */
export type Effect =
  | {
      readonly task: string;
      readonly to: 'assignee' | 'supervisor' | { readonly field: string };
      readonly dueDays?: number;
      /** The field with the day they count from; by default the day of the transition. */
      readonly from?: string;
      /** Count only the tenant's working days. */
      readonly working?: true;
      readonly priority?: 'high';
      /**
       * The field with the case it is about, if the record is not a case; without a case it is not created.
       */
      readonly about?: string;
    }
  /** `as`: their new state, by default `done`. */
  | { readonly closeTasks: string; readonly as?: 'not-needed' }
  /**
   * Notifies someone other than the actor: the assignee, the person who assigned the record to its former
   * assignee, or the person who brought it to the state it leaves. `text`: the kind of notification
   * (`inbox.ts`).
   */
  | { readonly notify: 'assignee' | 'supervisor' | 'sender'; readonly text: string }
  /** A clock that is running continues: going back and forth gives no extra time. */
  | { readonly startClock: string }
  | { readonly stopClock: string };

interface Transition<State extends string> {
  readonly id: string;
  /** The states in which it can be done. */
  readonly from: readonly State[];
  /** Absent if the states are derived. */
  readonly to?: State;
  /** The states of `from` in which a record stays: only its fields change. */
  readonly keeps?: readonly State[];
  /** Any of these permissions allows it. */
  readonly may: readonly Permission[];
  /** They are enough: the actor needs no permission to change the record otherwise. */
  readonly mayAlone?: true;
  /** The fields sent with it. */
  readonly asks?: readonly string[];
  /** The fields that must have a value after it, some only under a condition. */
  readonly requires?: readonly (string | { readonly field: string; readonly when: Expression })[];
  readonly refuse?: readonly Rule[];
  readonly set?: Readonly<Record<string, Source>>;
  readonly clear?: readonly string[];
  /** Whether it asks for a reason. */
  readonly reason?: 'required' | 'optional';
  readonly effects?: readonly (Effect & { readonly when?: Expression })[];
}

/** A time limit in days, from the day it starts. */
interface Clock {
  readonly id: string;
  readonly days: number;
  /** Count only the tenant's working days. */
  readonly working?: true;
}

export interface Workflow<State extends string = string> {
  readonly id: string;
  /** Increases whenever a published flow changes; a record's history names the version it followed. */
  readonly version: number;
  readonly initial: State;
  readonly states: readonly State[];
  /** The state, if it follows from the fields: the first whose condition holds. */
  readonly derive?: readonly { readonly state: State; readonly when: Expression }[];
  readonly derived?: Readonly<Record<string, Derivation>>;
  readonly transitions: readonly Transition<State>[];
  /** The usual next transitions by state; the first one the user may do applies. */
  readonly next?: Readonly<Partial<Record<State, readonly string[]>>>;
  /** The clocks that a new record starts. */
  readonly begun?: readonly Extract<Effect, { startClock: string }>[];
  /** The fields that must have a value in a state, however it was reached. */
  readonly needs?: Readonly<Partial<Record<State, readonly string[]>>>;
  /** In these states only transitions change fields. */
  readonly locked?: readonly State[];
  /** What must hold after every transition. */
  readonly rules: readonly Rule[];
  readonly clocks?: readonly Clock[];
  /** What a record reaches on its way, in order; the time from each to the next is measured. */
  readonly milestones?: readonly { readonly id: string; readonly states: readonly State[] }[];
  /** The field with the account that gets the assignee's tasks. */
  readonly assignee?: string;
}

export interface Subject<State extends string = string> extends Facts {
  readonly state: State;
}
/** The acting user, their permissions, the tenant's day, and the instant. */
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

/** The rules that hold and so refuse these facts. */
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

/** The state of a record with these fields if states are derived; otherwise the given one. */
const stateOf = <State extends string>(flow: Workflow<State>, facts: Facts, otherwise: State): State =>
  flow.derive?.find(({ when }) => holds(when, facts))?.state ?? otherwise;

/** The states from which a transition leads to its own. */
const leadsFrom = ({ from, keeps = [] }: Pick<Transition<string>, 'from' | 'keeps'>): readonly string[] =>
  from.filter((state) => !keeps.includes(state));

const asGiven = (value: Value): string => JSON.stringify(value ?? null);

/** Whether a record already has all the entered values. */
const isThere = (entered: Facts['values'], values: Facts['values']): boolean =>
  Object.keys(entered).length > 0 &&
  Object.entries(entered).every(([name, value]) => asGiven(value) === asGiven(values[name]));

/** Whether a user may do a transition of a record that needs the permission `write` to change. */
export const mayDo = (
  { may, mayAlone }: Pick<Transition<string>, 'may' | 'mayAlone'>,
  write: Permission,
  has: (permission: Permission) => boolean,
): boolean => may.some(has) && (mayAlone === true || has(write));

/** What someone may do with a record in this state. */
export const doableIn = (
  flow: Workflow,
  state: string,
  write: Permission,
  has: (permission: Permission) => boolean,
): Workflow['transitions'] =>
  flow.transitions.filter((one) => one.from.includes(state) && mayDo(one, write, has));

/** Why a transition cannot be done now, whatever is entered. */
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

/** Does a transition with what was entered, or lists everything that is in the way. */
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
  // Reassigning a record to its current assignee changes no deadlines.
  if (state === subject.state && isThere(entered, subject.values))
    return { done: true, subject, effects: [] };
  return {
    done: true,
    subject: { ...subject, values, state },
    effects: effectsOf(transition, facts),
  };
}

/** What refuses a record after a save that is no transition and changed these fields. */
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
 * The effects of a save that changed the state, by one transition: the one done, otherwise one between the
 * two states, otherwise one that leads to the second.
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

/** The state after a save that is no transition; it differs only if states are derived. */
export const stateAfter = <State extends string>(flow: Workflow<State>, after: Subject<State>): State =>
  stateOf(flow, after, after.state);

/**
 * Why someone may not undo the change from a state to that of `subject`, by the transition `done` if it was
 * one. They must be able to do that transition; and if a transition leads back, its rules apply to `after`.
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

/** The day on which a clock started on a day runs out. */
export const dueOn = ({ days, working }: Clock, startedOn: string, calendar: Calendar): string =>
  daysAfter(startedOn, days, working === true, calendar);

/** The clocks that run after these effects, in order, with their due days. */
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

/**
 * A tenant's variant of a workflow. It can only narrow it: nothing here allows what the declaration forbids.
 */
export interface WorkflowVariant {
  readonly workflow: string;
  readonly version: number;
  /** Transitions that are not used. */
  readonly off?: readonly string[];
  /** Additional required fields of a transition. */
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

/**
 * What is wrong with a variant: names the workflow lacks, more days than it allows, and what `flawsOf` finds.
 */
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

/** The fields a value is taken from. */
const readBy = (source: Source): string[] =>
  source !== null && typeof source === 'object' && 'from' in source ? [source.from] : [];

/** Each field a workflow names, with what names it. */
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

/** The states reachable from the first one. */
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
 * What is wrong with a workflow: states that are unreachable or undeclared, transitions that no one may do or
 * that are never possible, and names that are not fields. A guard with a misspelled name never holds, and so
 * refuses nothing.
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
