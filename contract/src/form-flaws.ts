import {
  bounds,
  extended,
  type Form,
  type FormExtension,
  formLimits,
  type Item,
  isOwn,
  isQuestion,
  mayHide,
  optionsOf,
  readBy,
  walk,
} from './form.ts';
import type { Labelled } from './label.ts';

/* Checks a form, and a tenant's additions to one. */

interface Judged {
  /** The names of the record's facts. */
  facts: readonly string[];
  /** The languages that need texts. */
  languages: readonly string[];
}
/** British readers get the English texts as a fallback. */
const hasWords = ({ label, labelI18N }: Labelled, language: string) =>
  label.trim() !== '' && (language.startsWith('en') || (labelI18N?.[language] ?? '').trim() !== '');

const flaw = ({ linkId }: Item, text: string) => `${linkId}: ${text}`;

/** Flaws of a single item. */
function flawsAlone(form: Form, item: Item, { facts }: Judged, inRepeat: boolean): string[] {
  const { linkId, type, answers, repeats, field, reportable, items = [] } = item;
  const options = optionsOf(form, item);
  const codes = options.map(({ code }) => code);
  const choosing = type === 'choice' || type === 'choices';
  const checks: [string, boolean][] = [
    ['no name', !/^[a-z][a-z0-9-]{0,59}$/.test(linkId)],
    [`no answers ${answers as string}`, typeof answers === 'string' && !form.answerSets[answers]],
    ['answers where nothing is chosen', !choosing && answers !== undefined],
    ['nothing to choose', choosing && field === undefined && !options.some(({ retired }) => !retired)],
    ['an answer twice', new Set(codes).size !== codes.length],
    [`more than ${formLimits.options} answers`, codes.length > formLimits.options],
    ['a group without questions', type === 'group' && items.length === 0],
    ['questions within a question', type !== 'group' && items.length > 0],
    ['refers to no kind of record', (type === 'reference') !== (item.to !== undefined)],
    ['only groups repeat', repeats !== undefined && type !== 'group'],
    ['repeats within what repeats', repeats !== undefined && inRepeat],
    [`more than ${formLimits.rows} rows`, (repeats ?? 1) < 1 || (repeats ?? 1) > formLimits.rows],
    [`no field ${field}`, field !== undefined && !facts.includes(field)],
    [
      'nobody is found by it',
      reportable === true &&
        (inRepeat || !isQuestion(item) || field !== undefined || item.family !== undefined),
    ],
    ['the least is more than the most', bounds(item).minimum > bounds(item).maximum],
  ];
  return checks.flatMap(([text, wrong]) => (wrong ? [flaw(item, text)] : []));
}

/** The languages in which an item or one of its answers lacks texts. */
const flawsOfWords = (form: Form, item: Item, { languages }: Judged): string[] =>
  languages
    .filter((language) => ![item, ...optionsOf(form, item)].every(({ words }) => hasWords(words, language)))
    .map((language) => flaw(item, `no words in ${language}`));

/**
 * Flaws of dependencies: items may depend only on earlier ones, and not on one that reveals a hidden family.
 */
function flawsBetween(items: readonly Item[], { facts }: Judged): string[] {
  const flaws: string[] = [];
  const visit = (inner: readonly Item[], before: Map<string, Item | null>, around: Item[]) => {
    for (const item of inner) {
      for (const id of readBy(item)) {
        const on = before.get(id);
        const families = [item, ...around].map(({ family }) => family);
        if (on === undefined) flaws.push(flaw(item, `depends on ${id}, which does not stand before it`));
        else if (on?.retired && !item.retired) flaws.push(flaw(item, `depends on ${id}, which is not asked`));
        else if (on?.family && !families.includes(on.family))
          flaws.push(flaw(item, `tells about ${on.family}, as ${id} does`));
      }
      if (isQuestion(item)) before.set(item.linkId, item);
      visit(item.items ?? [], item.repeats ? new Map(before) : before, [...around, item]);
    }
  };
  visit(items, new Map(facts.map((name): [string, null] => [`record.${name}`, null])), []);
  return flaws;
}

const depthOf = (items: readonly Item[]): number =>
  items.length === 0 ? 0 : 1 + Math.max(...items.map((item) => depthOf(item.items ?? [])));

/** What a later version may not change: a published question keeps its type and answers forever. */
function flawsSince(form: Form, published: Form): string[] {
  const now = new Map(walk(form.items).map((item) => [item.linkId, item]));
  return walk(published.items).flatMap((was) => {
    const item = now.get(was.linkId);
    if (!item) return [flaw(was, 'is missing; retire it')];
    const codes = new Set(optionsOf(form, item).map(({ code }) => code));
    return [
      ...(item.type === was.type ? [] : [flaw(was, `was ${was.type}`)]),
      ...((item.repeats === undefined) === (was.repeats === undefined) ? [] : [flaw(was, 'repeats or not')]),
      ...(was.retired && !item.retired ? [flaw(was, 'was retired')] : []),
      ...optionsOf(published, was)
        .filter(({ code }) => !codes.has(code))
        .map(({ code }) => flaw(was, `the answer ${code} is missing; retire it`)),
    ];
  });
}

/** Everything wrong with a form except its texts. */
function flawsOfShape(form: Form, judged: Judged): string[] {
  const items = walk(form.items);
  const ids = items.map(({ linkId }) => linkId);
  const repeated = new Set(items.filter(({ repeats }) => repeats).flatMap((item) => walk(item.items ?? [])));
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id}: twice`),
    ...items.flatMap((item) => flawsAlone(form, item, judged, repeated.has(item))),
    ...flawsBetween(form.items, judged),
    ...(items.length > formLimits.questions ? [`more than ${formLimits.questions} questions`] : []),
    ...(depthOf(form.items) > formLimits.depth ? [`deeper than ${formLimits.depth}`] : []),
  ];
}

/**
 * Everything wrong with a form, also as the next version of a published one. A condition with a misspelled
 * name would never hold, and would hide its question forever.
 */
export const flawsOf = (form: Form, judged: Judged, published?: Form): string[] => [
  ...flawsOfShape(form, judged),
  ...walk(form.items).flatMap((item) => flawsOfWords(form, item, judged)),
  ...(published ? flawsSince(form, published) : []),
];

/** Everything wrong with a tenant's extension of a form, also compared with the one it published before. */
export function extensionFlaws(
  form: Form,
  { after, hidden }: Pick<FormExtension, 'after' | 'hidden'>,
  judged: Judged,
  published?: Pick<FormExtension, 'after' | 'hidden'>,
): string[] {
  const ids = new Set(walk(form.items).map(({ linkId }) => linkId));
  const own = walk(Object.values(after).flat());
  // A hidden question can be shown again; a retired question of the tenant's own cannot.
  const added = (extension: Pick<FormExtension, 'after'>) => extended(form, { ...extension, hidden: [] });
  return [
    ...Object.keys(after)
      .filter((id) => !ids.has(id))
      .map((id) => `${id}: no such question`),
    ...own.filter((item) => !isOwn(item)).map((item) => flaw(item, 'does not begin with x-')),
    ...hidden.filter((id) => !mayHide(form, id)).map((id) => `${id}: cannot be hidden`),
    ...flawsOfShape(extended(form, { after, hidden }), judged),
    ...own.flatMap((item) => flawsOfWords(form, item, judged)),
    ...(published ? flawsSince(added({ after }), added(published)) : []),
  ];
}
