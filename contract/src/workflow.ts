import { type Expression, type Facts, fieldsOf, holds, isEmpty, type Value } from './expression.ts';

/*
 * Workflows as data. A transition is what somebody does to a record: in some states, needing some fields, refused while a
 * rule holds, setting and clearing others. `act` is pure: the server runs it before it writes, the browser to say
 * beforehand what would be refused.
 */

/** Refused while its condition holds; `at`: the fields that it is about. */
interface Rule {
  readonly id: string;
  readonly refuse: Expression;
  readonly at: readonly string[];
}

interface Transition<State extends string> {
  readonly id: string;
  /** The states in which it can be done. */
  readonly from: readonly State[];
  readonly to: State;
  /** The fields that come with it. */
  readonly asks?: readonly string[];
  /** The fields that have a value after it. */
  readonly requires?: readonly string[];
  readonly refuse?: readonly Rule[];
  readonly set?: Readonly<Record<string, 'me' | 'today'>>;
  readonly clear?: readonly string[];
  readonly reason?: 'required';
  /** Nobody does it: it follows from a save that changes this field and after which the condition holds. */
  readonly follows?: { readonly field: string; readonly when: Expression };
}

export interface Workflow<State extends string = string> {
  readonly id: string;
  readonly initial: State;
  readonly states: readonly State[];
  readonly transitions: readonly Transition<State>[];
  /** What holds after every transition. */
  readonly rules: readonly Rule[];
}

export interface Subject<State extends string = string> extends Facts {
  readonly state: State;
}
/** Who acts, and on which day of the tenant. */
export interface Actor {
  readonly id: string;
  readonly today: string;
}
export interface Refusal {
  readonly rule: string;
  readonly at: readonly string[];
}
export type Outcome<State extends string> =
  | { readonly done: true; readonly subject: Subject<State> }
  | { readonly done: false; readonly refusals: readonly Refusal[] };

const refusalsIn = (rules: readonly Rule[], facts: Facts): Refusal[] =>
  rules.filter(({ refuse }) => holds(refuse, facts)).map(({ id, at }) => ({ rule: id, at }));

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
  const transition = flow.transitions.find(({ id, follows }) => id === transitionId && !follows);
  if (!transition?.from.includes(subject.state)) return refused({ rule: 'not-in-this-state', at: [] });
  const stray = Object.keys(entered).filter((field) => !transition.asks?.includes(field));
  if (stray.length > 0) return refused({ rule: 'not-asked', at: stray });
  if (transition.reason === 'required' && isEmpty(reason))
    return refused({ rule: 'reason-needed', at: ['reason'] });

  const values: Record<string, Value> = { ...subject.values, ...entered };
  for (const [name, what] of Object.entries(transition.set ?? {}))
    values[name] = what === 'me' ? actor.id : actor.today;
  for (const name of transition.clear ?? []) values[name] = null;
  const facts = { ...subject, values };
  const lacking = (transition.requires ?? []).filter((name) => isEmpty(values[name]));
  const refusals = [
    ...(lacking.length > 0 ? [{ rule: 'required', at: lacking }] : []),
    ...refusalsIn([...(transition.refuse ?? []), ...flow.rules], facts),
  ];
  return refusals.length > 0
    ? refused(...refusals)
    : { done: true, subject: { ...facts, state: transition.to } };
}

/** The state after a save that is no transition: of the transitions that follow from it, the first. */
export function stateAfter<State extends string>(
  flow: Workflow<State>,
  after: Subject<State>,
  changed: readonly string[],
): State {
  const following = flow.transitions.find(
    ({ from, follows }) =>
      follows !== undefined &&
      from.includes(after.state) &&
      changed.includes(follows.field) &&
      holds(follows.when, after),
  );
  return following?.to ?? after.state;
}

/**
 * What is wrong with a workflow: states that are never reached, and names that are no field. A guard with a misspelt name
 * never holds, and so refuses nothing.
 */
export function flawsOf(flow: Workflow, fields: readonly string[]): string[] {
  const known = new Set(fields);
  const reached = new Set([flow.initial, ...flow.transitions.map(({ to }) => to)]);
  const ids = flow.transitions.map(({ id }) => id);
  const named = [
    ...flow.rules.flatMap(({ id, refuse, at }) => [...fieldsOf(refuse), ...at].map((name) => [id, name])),
    ...flow.transitions.flatMap(
      ({ id, asks = [], requires = [], refuse = [], set = {}, clear = [], follows }) =>
        [
          ...asks,
          ...requires,
          ...refuse.flatMap((rule) => [...fieldsOf(rule.refuse), ...rule.at]),
          ...Object.keys(set),
          ...clear,
          ...(follows ? [follows.field, ...fieldsOf(follows.when)] : []),
        ].map((name) => [id, name]),
    ),
  ];
  return [
    ...flow.states.filter((state) => !reached.has(state)).map((state) => `${state}: never reached`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id}: twice`),
    ...named.filter(([, name]) => !known.has(name!)).map(([id, name]) => `${id}: no field ${name}`),
  ];
}
