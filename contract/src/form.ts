import { z } from 'zod';
import { type Expression, fieldsOf, holds, isEmpty, type Value } from './expression.ts';
import type { Labelled } from './label.ts';

/*
 * Forms as data, in the shape of a FHIR Questionnaire. A question has a permanent id (`linkId`). It is either
 * a field of the record, or its answer is stored beside the record under that id. Earlier answers and facts
 * of the record (`record.sex`) decide which questions are asked. Pure: browser and server use the same code.
 */

export const itemTypes = [
  'group',
  'display',
  'text',
  'long',
  'choice',
  'choices',
  'boolean',
  'date',
  'integer',
  'quantity',
  'reference',
] as const;
export type ItemType = (typeof itemTypes)[number];

/** The kinds of records an answer can refer to. */
export const referredKinds = ['case'] as const;
export type ReferredKind = (typeof referredKinds)[number];

/** A possible answer. Records that have a retired one keep it; it can no longer be chosen. */
export interface Option {
  readonly code: string;
  readonly words: Labelled;
  readonly retired?: boolean;
}

export interface Item {
  /** Permanent: it keeps its type and meaning, can be retired, and is never reused. */
  readonly linkId: string;
  readonly type: ItemType;
  readonly words: Labelled;
  readonly help?: Labelled;
  /** The options, or the name of a shared set. */
  readonly answers?: string | readonly Option[];
  /** Asked only if this holds. */
  readonly when?: Expression;
  readonly required?: boolean | Expression;
  /** The most answers to a repeatable group. */
  readonly repeats?: number;
  readonly low?: number;
  readonly high?: number;
  readonly unit?: Labelled;
  /** For a reference: the kind of record whose id is the answer. */
  readonly to?: ReferredKind;
  /** The record's field it shows, instead of its own answer. */
  readonly field?: string;
  /** Its name in the message mapping guide of the national surveillance system (NNDSS). */
  readonly nndss?: string;
  /** Records can be searched by its answer. */
  readonly reportable?: boolean;
  /** Another disease family that the answer reveals, if not the form's own. [P18] */
  readonly family?: string;
  /** No longer asked; existing answers are shown. */
  readonly retired?: boolean;
  readonly items?: readonly Item[];
}

export interface Form {
  readonly id: string;
  readonly version: number;
  readonly title: Labelled;
  readonly answerSets: Readonly<Record<string, readonly Option[]>>;
  /** Sections. */
  readonly items: readonly Item[];
}

/** One answer to a repeated group. */
export type Row = Readonly<Record<string, Value>>;
type Answer = Value | readonly Row[];
export type Answers = Readonly<Record<string, Answer>>;
/** What is known of the record, by the names conditions use. */
export type RecordFacts = Readonly<Record<string, Value>>;

export const formLimits = {
  questions: 300,
  depth: 3,
  rows: 50,
  options: 200,
  /** All answers together, as JSON. */
  bytes: 50_000,
  text: 500,
  long: 10_000,
} as const;

/** Each item, followed by its nested items. */
export const walk = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...walk(item.items ?? [])]);
/** Each item outside repeated groups. */
const outer = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...(item.repeats ? [] : outer(item.items ?? []))]);
export const isQuestion = ({ type }: Item) => type !== 'group' && type !== 'display';
/** Whether the item's answer is stored beside the record. */
const isAnswered = (item: Item) =>
  item.field === undefined && (isQuestion(item) || item.repeats !== undefined);
/** The items whose answers are stored beside the record; for a repeated group, the group itself. */
export const answeredItems = (form: Form): Item[] => outer(form.items).filter(isAnswered);

export const optionsOf = (form: Form, { answers = [] }: Item): readonly Option[] =>
  typeof answers === 'string' ? (form.answerSets[answers] ?? []) : answers;

// — Which questions are asked —

/** The items asked; their answers extend `known`. A hidden item hides its dependents. */
function asking(items: readonly Item[], answers: Answers | Row, known: Record<string, Value>): Item[] {
  return items.flatMap((item) => {
    if (item.retired || (item.when && !holds(item.when, { values: known }))) return [];
    if (item.field !== undefined) known[item.linkId] = known[`record.${item.field}`];
    else if (isQuestion(item)) known[item.linkId] = answers[item.linkId] as Value;
    return [item, ...(item.repeats ? [] : asking(item.items ?? [], answers, known))];
  });
}

const named = (record: RecordFacts): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).map(([field, value]) => [`record.${field}`, value]));

/** What these answers ask, by linkId, and within each row of repeated groups. */
export interface Asked {
  readonly items: ReadonlyMap<string, Item>;
  readonly inRow: (group: Item, row: Row) => ReadonlyMap<string, Item>;
  /** Whether an asked question must be answered to complete the form. */
  readonly isRequired: (item: Item, row?: Row) => boolean;
}

export function asked(form: Form, answers: Answers, record: RecordFacts): Asked {
  const known = named(record);
  const byId = (items: Item[]) => new Map(items.map((item) => [item.linkId, item]));
  const items = byId(asking(form.items, answers, known));
  return {
    items,
    inRow: (group, row) => byId(asking(group.items ?? [], row, { ...known })),
    isRequired: ({ required = false }, row = {}) =>
      typeof required === 'boolean' ? required : holds(required, { values: { ...known, ...row } }),
  };
}

const rowsOf = (answer: Answer): readonly Row[] => (Array.isArray(answer) ? (answer as readonly Row[]) : []);
const retiredWithin = (form: Form): Set<string> => {
  const within = (items: readonly Item[], retired: boolean): string[] =>
    items.flatMap((item) => {
      const gone = retired || item.retired === true;
      return [...(gone ? [item.linkId] : []), ...within(item.items ?? [], gone)];
    });
  return new Set(within(form.items, false));
};

/**
 * Answers without empty ones and without those to questions not asked. Answers to retired questions stay, so
 * this also moves answers to a newer version of their form.
 */
export function pruned(form: Form, answers: Answers, record: RecordFacts): Answers {
  const now = asked(form, answers, record);
  const retired = retiredWithin(form);
  const kept = answeredItems(form).flatMap((item): [string, Answer][] => {
    const answer = answers[item.linkId];
    if (isEmpty(answer as Value) || !(now.items.has(item.linkId) || retired.has(item.linkId))) return [];
    if (!item.repeats) return [[item.linkId, answer]];
    const rows = rowsOf(answer)
      .map((row) => {
        const inRow = now.inRow(item, row);
        return Object.fromEntries(
          Object.entries(row).filter(([id, value]) => !isEmpty(value) && (inRow.has(id) || retired.has(id))),
        );
      })
      .filter((row) => Object.keys(row).length > 0);
    return rows.length > 0 ? [[item.linkId, rows]] : [];
  });
  return Object.fromEntries(kept);
}

// — What is wrong with answers —

/** `path`: the linkId; within a repeated group its linkId, the row and the linkId: `treatments.0.drug`. */
export interface AnswerFault {
  readonly path: string;
  readonly code:
    | 'unknown-question'
    | 'not-asked'
    | 'required'
    | 'invalid'
    | 'unknown-choice'
    | 'unknown-record'
    | 'date'
    | 'out-of-range'
    | 'too-many';
  readonly values?: { readonly minimum: number; readonly maximum: number };
}

const isText = (most: number) => (value: Value) =>
  typeof value === 'string' && value.trim() === value && value.length <= most && !value.includes('\0');
const isDay = (value: Value) => z.iso.date().safeParse(value).success;
export const bounds = ({ low = 0, high = 1_000_000 }: Item) => ({ minimum: low, maximum: high });

/** What is wrong with one answer; undefined if nothing. */
function wrongIn(form: Form, item: Item, value: Value): Omit<AnswerFault, 'path'> | undefined {
  const codes = () => optionsOf(form, item).map(({ code }) => code);
  const { minimum, maximum } = bounds(item);
  switch (item.type) {
    case 'text':
      return isText(formLimits.text)(value) ? undefined : { code: 'invalid' };
    case 'long':
      return isText(formLimits.long)(value) ? undefined : { code: 'invalid' };
    case 'choice':
      return codes().includes(value as string) ? undefined : { code: 'unknown-choice' };
    case 'choices': {
      const chosen = Array.isArray(value) ? (value as string[]) : [];
      const known = chosen.length > 0 && chosen.every((one) => codes().includes(one));
      return known && new Set(chosen).size === chosen.length ? undefined : { code: 'unknown-choice' };
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { code: 'invalid' };
    case 'reference':
      return z.uuid().safeParse(value).success ? undefined : { code: 'unknown-record' };
    case 'date':
      return isDay(value) ? undefined : { code: 'date' };
    default:
      if (typeof value !== 'number' || (item.type === 'integer' && !Number.isSafeInteger(value)))
        return { code: 'invalid' };
      return value >= minimum && value <= maximum
        ? undefined
        : { code: 'out-of-range', values: { minimum, maximum } };
  }
}

/**
 * Everything wrong with answers, in question order. `complete`: required questions need an answer; otherwise
 * gaps are allowed.
 */
export function faultsOf(
  form: Form,
  answers: Answers,
  record: RecordFacts,
  { complete = false }: { complete?: boolean } = {},
): AnswerFault[] {
  const known = new Map(answeredItems(form).map((item) => [item.linkId, item]));
  const now = asked(form, answers, record);
  const retired = retiredWithin(form);
  const of = (path: string, item: Item, value: Value, isAsked: boolean, row?: Row): AnswerFault[] => {
    if (isEmpty(value))
      return complete && isAsked && isQuestion(item) && now.isRequired(item, row)
        ? [{ path, code: 'required' }]
        : [];
    if (!isAsked && !retired.has(item.linkId)) return [{ path, code: 'not-asked' }];
    const wrong = wrongIn(form, item, value);
    return wrong ? [{ path, ...wrong }] : [];
  };
  const ofRows = (group: Item, answer: Answer): AnswerFault[] => {
    const { linkId, repeats = 0, items = [] } = group;
    if (isEmpty(answer as Value)) return [];
    if (!now.items.has(linkId) && !retired.has(linkId)) return [{ path: linkId, code: 'not-asked' }];
    if (!Array.isArray(answer) || !answer.every((row) => row !== null && typeof row === 'object'))
      return [{ path: linkId, code: 'invalid' }];
    const most = { minimum: 0, maximum: repeats };
    if (answer.length > repeats) return [{ path: linkId, code: 'too-many', values: most }];
    return rowsOf(answer).flatMap((row, index) => {
      const inRow = now.inRow(group, row);
      const inner = outer(items).filter(isAnswered);
      const ids = new Set(inner.map((item) => item.linkId));
      return [
        ...Object.keys(row)
          .filter((id) => !ids.has(id))
          .map((id): AnswerFault => ({ path: `${linkId}.${index}.${id}`, code: 'unknown-question' })),
        ...inner.flatMap((item) =>
          of(`${linkId}.${index}.${item.linkId}`, item, row[item.linkId], inRow.has(item.linkId), row),
        ),
      ];
    });
  };
  return [
    ...Object.keys(answers)
      .filter((id) => !known.has(id))
      .map((path): AnswerFault => ({ path, code: 'unknown-question' })),
    ...[...known.values()].flatMap((item) =>
      item.repeats
        ? ofRows(item, answers[item.linkId])
        : of(item.linkId, item, answers[item.linkId] as Value, now.items.has(item.linkId)),
    ),
    ...(JSON.stringify(answers).length > formLimits.bytes
      ? [{ path: '', code: 'too-many', values: { minimum: 0, maximum: formLimits.bytes } } as const]
      : []),
  ];
}

/** Answers that refer to other records, with their place (`path` as in a fault). */
export function referencesIn(form: Form, answers: Answers): { path: string; to: ReferredKind; id: string }[] {
  const of = (item: Item, path: string, answer: unknown) =>
    item.to !== undefined && typeof answer === 'string' ? [{ path, to: item.to, id: answer }] : [];
  return answeredItems(form).flatMap((item) =>
    item.repeats
      ? rowsOf(answers[item.linkId]).flatMap((row, index) =>
          walk(item.items ?? []).flatMap((one) =>
            of(one, `${item.linkId}.${index}.${one.linkId}`, row[one.linkId]),
          ),
        )
      : of(item, item.linkId, answers[item.linkId]),
  );
}

/** Answers without references to records the reader does not see. */
export function withoutRecords(form: Form, answers: Answers, isSeen: (id: string) => boolean): Answers {
  const items = new Map(walk(form.items).map((item) => [item.linkId, item]));
  const isShown = ([linkId, answer]: [string, unknown]) =>
    items.get(linkId)?.to === undefined || (typeof answer === 'string' && isSeen(answer));
  return Object.fromEntries(
    Object.entries(answers)
      .filter(isShown)
      .map(([linkId, answer]) => [
        linkId,
        items.get(linkId)?.repeats && Array.isArray(answer)
          ? rowsOf(answer).map((row) => Object.fromEntries(Object.entries(row).filter(isShown)))
          : answer,
      ]),
  );
}

/** The search keys of a record: answers to reportable questions, each of several choices separately. */
export const keysOf = (form: Form, answers: Answers): [linkId: string, value: string][] =>
  answeredItems(form).flatMap(({ linkId, reportable }) => {
    const answer = answers[linkId];
    if (!reportable || isEmpty(answer as Value)) return [];
    return (Array.isArray(answer) ? answer : [answer]).map((value): [string, string] => [
      linkId,
      String(value),
    ]);
  });

/**
 * The form without questions about families a reader may not see. Saving the others leaves those answers
 * unchanged. [P18]
 */
export function withoutFamilies(form: Form, families: readonly string[]): Form {
  const seen = (items: readonly Item[]): Item[] =>
    items
      .filter(({ family }) => family === undefined || !families.includes(family))
      .map((item) => (item.items ? { ...item, items: seen(item.items) } : item));
  return { ...form, items: seen(form.items) };
}

// — A tenant's own questions —

/** A tenant's additions to a form, each after an item, and the questions it hides. */
export interface FormExtension {
  readonly form: string;
  readonly version: number;
  /** Sections and questions whose linkIds begin with `x-`. */
  readonly after: Readonly<Record<string, readonly Item[]>>;
  readonly hidden: readonly string[];
}

export const isOwn = ({ linkId }: Item) => linkId.startsWith('x-');

/** The form as a tenant uses it. Hidden questions are retired, so earlier answers are still shown. */
export function extended(form: Form, { after, hidden }: Pick<FormExtension, 'after' | 'hidden'>): Form {
  const place = (items: readonly Item[]): Item[] =>
    items.flatMap((item) => [
      {
        ...item,
        ...(item.items && { items: place(item.items) }),
        ...(hidden.includes(item.linkId) && { retired: true }),
      },
      ...(after[item.linkId] ?? []),
    ]);
  return { ...form, items: place(form.items) };
}

/** The names an item's conditions read. */
export const readBy = ({ when, required }: Item): string[] => [
  ...(when ? fieldsOf(when) : []),
  ...(typeof required === 'object' ? fieldsOf(required) : []),
];

/** Whether a tenant may hide it: no fact, guide or other question needs the answer. */
export function mayHide(form: Form, linkId: string): boolean {
  const item = walk(form.items).find((one) => one.linkId === linkId);
  if (!item || isOwn(item)) return false;
  const hidden = walk([item]);
  const ids = new Set(hidden.map((one) => one.linkId));
  return (
    hidden.every(
      ({ field, nndss, reportable }) => field === undefined && nndss === undefined && !reportable,
    ) &&
    walk(form.items)
      .filter((one) => !ids.has(one.linkId))
      .every((one) => readBy(one).every((id) => !ids.has(id)))
  );
}
