import { z } from 'zod';
import { type Expression, fieldsOf, holds, isEmpty, type Value } from './expression.ts';
import type { Labelled } from './label.ts';

/*
 * Forms as data, in the shape of a FHIR Questionnaire. A question has a permanent id (`linkId`) and is answered once:
 * either it is a field of the record, or its answer is kept beside the record under that id. Which questions are asked
 * follows from earlier answers and from facts of the record, which conditions name as `record.sex`. Pure: the browser asks
 * by it, the server checks by it.
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

/** The kinds of records that an answer can refer to. */
export const referredKinds = ['case'] as const;
export type ReferredKind = (typeof referredKinds)[number];

/** A possible answer. One that is retired stays with those who gave it, and nobody else can. */
export interface Option {
  readonly code: string;
  readonly words: Labelled;
  readonly retired?: boolean;
}

export interface Item {
  /** For ever: it keeps its type and meaning, is retired and never used again. */
  readonly linkId: string;
  readonly type: ItemType;
  readonly words: Labelled;
  readonly help?: Labelled;
  /** The options, or the name of a set of them. */
  readonly answers?: string | readonly Option[];
  /** It is asked only under this condition. */
  readonly when?: Expression;
  readonly required?: boolean | Expression;
  /** A group that can be answered more than once: at most so often. */
  readonly repeats?: number;
  readonly low?: number;
  readonly high?: number;
  readonly unit?: Labelled;
  /** Of a reference: the kind of record whose id is the answer. */
  readonly to?: ReferredKind;
  /** The field of the record that it shows, instead of an answer of its own. */
  readonly field?: string;
  /** What it is called in the message mapping guide of the national surveillance system. */
  readonly nndss?: string;
  /** Records are found by its answer. */
  readonly reportable?: boolean;
  /** A disease family, other than that of the form, about which the answer tells. [P18] */
  readonly family?: string;
  /** Not asked any more; what was answered is shown. */
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
/** What is known of the record, by the names that conditions use. */
export type RecordFacts = Readonly<Record<string, Value>>;

export const formLimits = {
  questions: 300,
  depth: 3,
  rows: 50,
  options: 200,
  /** Of all answers together, as JSON. */
  bytes: 50_000,
  text: 500,
  long: 10_000,
} as const;

/** Each item with those within it. */
export const walk = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...walk(item.items ?? [])]);
/** Each item that is not within a repeated group. */
const outer = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...(item.repeats ? [] : outer(item.items ?? []))]);
export const isQuestion = ({ type }: Item) => type !== 'group' && type !== 'display';
/** What has an answer of its own beside the record. */
const isAnswered = (item: Item) =>
  item.field === undefined && (isQuestion(item) || item.repeats !== undefined);
/** The items whose answers are kept beside the record; of a repeated group the group itself. */
export const answeredItems = (form: Form): Item[] => outer(form.items).filter(isAnswered);

/** The options of a question. */
export const optionsOf = (form: Form, { answers = [] }: Item): readonly Option[] =>
  typeof answers === 'string' ? (form.answerSets[answers] ?? []) : answers;

// — Which questions are asked —

/** The items that are asked; `known` grows by what they are answered. One that is hidden hides what depends on it. */
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

/** What is asked with these answers, by linkId, and within each row of the repeated groups. */
export interface Asked {
  readonly items: ReadonlyMap<string, Item>;
  readonly inRow: (group: Item, row: Row) => ReadonlyMap<string, Item>;
  /** Whether a question that is asked has to be answered before the form is complete. */
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
 * Answers without those to questions that are not asked, and without empty ones. Answers to retired questions stay, so
 * that this is also how answers move to a newer version of their form.
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

/** `path`: the linkId, or within a repeated group its linkId, the row and the linkId: `treatments.0.drug`. */
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

/** What is wrong with one answer; undefined for nothing. */
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
 * Everything that is wrong with answers, in the order of the questions. `complete`: questions that are required have an
 * answer; otherwise holes are allowed.
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

/** The answers that refer to other records: to which, and where they stand (`path` as in a fault). */
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

/** Answers without those that refer to records which a reader does not see. */
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

/** By what records are found: the answers to reportable questions, each of several choices on its own. */
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
 * The form without questions about disease families that a reader may not see, and their answers. Whoever saves the
 * others leaves those as they are. [P18]
 */
export function withoutFamilies(form: Form, families: readonly string[]): Form {
  const seen = (items: readonly Item[]): Item[] =>
    items
      .filter(({ family }) => family === undefined || !families.includes(family))
      .map((item) => (item.items ? { ...item, items: seen(item.items) } : item));
  return { ...form, items: seen(form.items) };
}

// — A tenant's own questions —

/** What a tenant adds to a form, after which item, and which questions it does not ask. */
export interface FormExtension {
  readonly form: string;
  readonly version: number;
  /** Sections and questions whose linkIds begin with `x-`. */
  readonly after: Readonly<Record<string, readonly Item[]>>;
  readonly hidden: readonly string[];
}

export const isOwn = ({ linkId }: Item) => linkId.startsWith('x-');

/** The form as a tenant asks it. What it hides is retired: an earlier answer is still shown. */
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

/** The names that the conditions of an item read. */
export const readBy = ({ when, required }: Item): string[] => [
  ...(when ? fieldsOf(when) : []),
  ...(typeof required === 'object' ? fieldsOf(required) : []),
];

/** Whether a tenant may hide it: nothing else needs the answer, neither fact nor guide nor another question. */
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
