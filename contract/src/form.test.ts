import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { any, has, is } from './expression.ts';
import {
  type Answers,
  answeredItems,
  asked,
  extended,
  type Form,
  faultsOf,
  formLimits,
  type Item,
  keysOf,
  mayHide,
  optionsOf,
  pruned,
  referencesIn,
  walk,
  withoutFamilies,
  withoutRecords,
} from './form.ts';
import { extensionFlaws, flawsOf } from './form-flaws.ts';
import { answersSent, extensionBody, formShown } from './form-sent.ts';

const words = (label: string) => ({ label, labelI18N: { es: `${label} (es)`, ht: `${label} (ht)` } });
const options = (...codes: string[]) => codes.map((code) => ({ code, words: words(code) }));
const q = (linkId: string, type: Item['type'], more: Partial<Item> = {}): Item => ({
  linkId,
  type,
  words: words(linkId),
  ...more,
});

/** A small form that uses every feature. */
const form: Form = {
  id: 'travel',
  version: 1,
  title: words('Travel'),
  answerSets: { yn: options('Y', 'N') },
  items: [
    q('trip', 'group', {
      items: [
        q('intro', 'display'),
        q('travelled', 'choice', { answers: 'yn', required: true }),
        q('countries', 'choices', {
          answers: options('HT', 'MX', 'US'),
          when: is('travelled', 'Y'),
          required: true,
          reportable: true,
        }),
        q('fever-abroad', 'boolean', { when: has('countries', 'HT', 'MX'), reportable: true }),
        q('stays', 'group', {
          when: is('travelled', 'Y'),
          repeats: 2,
          items: [
            q('place', 'text', { required: true }),
            q('kind', 'choice', { answers: options('hotel', 'other') }),
            q('kind-other', 'text', { when: is('kind', 'other'), required: is('travelled', 'Y') }),
            q('nights', 'integer', { low: 1, high: 400 }),
          ],
        }),
      ],
    }),
    q('woman', 'group', {
      when: is('record.sex', 'F'),
      items: [
        q('expecting', 'choice', { field: 'pregnant' }),
        q('weeks', 'integer', { when: is('expecting', 'yes'), low: 1, high: 44, required: true }),
        q('due', 'date', { when: is('expecting', 'yes') }),
        q('weight', 'quantity', { high: 300 }),
      ],
    }),
    q('hiv', 'group', {
      items: [
        q('hiv-status', 'choice', { answers: 'yn', family: 'hiv' }),
        q('prep', 'choice', { answers: 'yn', when: is('hiv-status', 'N'), family: 'hiv' }),
        q('notes', 'long'),
      ],
    }),
  ],
};
const judged = { facts: ['sex', 'pregnant'], languages: ['en', 'es', 'ht'] };
const woman = { sex: 'F', pregnant: 'yes' };
const ids = (answers: Answers, record = {}) => [...asked(form, answers, record).items.keys()];

describe('which questions are asked', () => {
  test('depends on earlier answers and on the record', () => {
    const plain = ['trip', 'intro', 'travelled', 'hiv', 'hiv-status', 'notes'];
    expect(ids({})).toEqual(plain);
    expect(ids({ travelled: 'N' }, { sex: 'M', pregnant: 'yes' })).toEqual(plain);
    expect(ids({}, woman)).toEqual([
      'trip',
      'intro',
      'travelled',
      'woman',
      'expecting',
      'weeks',
      'due',
      'weight',
      'hiv',
      'hiv-status',
      'notes',
    ]);
  });
  test('a hidden question hides its dependents, whatever its answer was', () => {
    const answers = { travelled: 'N', countries: ['HT'], 'fever-abroad': true };
    expect(ids(answers)).not.toContain('fever-abroad');
    expect(ids({ ...answers, travelled: 'Y' })).toContain('fever-abroad');
  });
  test('within a row, depends on that row', () => {
    const now = asked(form, { travelled: 'Y' }, {});
    const stays = walk(form.items).find(({ linkId }) => linkId === 'stays')!;
    expect([...now.inRow(stays, { kind: 'hotel' }).keys()]).toEqual(['place', 'kind', 'nights']);
    expect([...now.inRow(stays, { kind: 'other' }).keys()]).toContain('kind-other');
  });
});

describe('answers', () => {
  const faults = (answers: Answers, record = {}, complete = false) =>
    faultsOf(form, answers, record, { complete }).map(({ path, code }) => `${path}: ${code}`);

  test('can be saved with gaps; complete ones answer every required question that is asked', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ travelled: 'Y' }, woman)).toEqual([]);
    expect(faults({ travelled: 'Y', stays: [{ kind: 'other' }] }, woman, true)).toEqual([
      'countries: required',
      'stays.0.place: required',
      'stays.0.kind-other: required',
      'weeks: required',
    ]);
    expect(faults({ travelled: 'N' }, { sex: 'M' }, true)).toEqual([]);
  });

  test.each<[string, Answers, string]>([
    ['a question that there is not', { mood: 'good' }, 'mood: unknown-question'],
    ['the answer to a question within a row, outside of one', { place: 'x' }, 'place: unknown-question'],
    ['a field of the record', { expecting: 'yes' }, 'expecting: unknown-question'],
    ['a group', { trip: 'x' }, 'trip: unknown-question'],
    ['what is not asked', { travelled: 'N', countries: ['HT'] }, 'countries: not-asked'],
    ['rows that are not asked', { stays: [{ place: 'x' }] }, 'stays: not-asked'],
    ['an option that there is not', { travelled: 'maybe' }, 'travelled: unknown-choice'],
    ['one option twice', { travelled: 'Y', countries: ['HT', 'HT'] }, 'countries: unknown-choice'],
    ['one of several as a text', { travelled: 'Y', countries: 'HT' }, 'countries: unknown-choice'],
    ['a text with blanks around it', { notes: ' x' }, 'notes: invalid'],
    ['a text with a zero byte', { notes: 'a\0b' }, 'notes: invalid'],
    ['a text that is too long', { notes: 'x'.repeat(10_001) }, 'notes: invalid'],
    ['rows that are no list', { travelled: 'Y', stays: 'x' }, 'stays: invalid'],
    ['too many rows', { travelled: 'Y', stays: [{}, {}, {}] }, 'stays: too-many'],
    [
      'a question that a row does not have',
      { travelled: 'Y', stays: [{ travelled: 'Y' }] },
      'stays.0.travelled: unknown-question',
    ],
    [
      'a row with what it does not ask',
      { travelled: 'Y', stays: [{ place: 'x' }, { kind: 'hotel', 'kind-other': 'x' }] },
      'stays.1.kind-other: not-asked',
    ],
    [
      'a number that is too small',
      { travelled: 'Y', stays: [{ nights: 0 }] },
      'stays.0.nights: out-of-range',
    ],
    ['half a number', { travelled: 'Y', stays: [{ nights: 1.5 }] }, 'stays.0.nights: invalid'],
  ])('are refused for %s', (_, answers, fault) => expect(faults(answers)).toEqual([fault]));

  test.each<[string, Answers, string]>([
    ['a day that does not exist', { due: '2026-02-30' }, 'due: date'],
    ['a number as a text', { weeks: '12' }, 'weeks: invalid'],
    ['too many weeks', { weeks: 45 }, 'weeks: out-of-range'],
    ['too much', { weight: 300.5 }, 'weight: out-of-range'],
  ])('of a woman are refused for %s', (_, answers, fault) => expect(faults(answers, woman)).toEqual([fault]));

  test('are refused beyond 50 kB', () => {
    const large: Form = {
      ...form,
      items: [q('all', 'group', { items: [...Array(6).keys()].map((n) => q(`n${n}`, 'long')) })],
    };
    const answers = Object.fromEntries([...Array(6).keys()].map((n) => [`n${n}`, 'x'.repeat(9000)]));
    expect(faultsOf(large, answers, {}).map(({ path, code }) => [path, code])).toEqual([['', 'too-many']]);
  });

  test('lose only those to questions no longer asked, in rows too, when they are saved', () => {
    const stays = [{ place: 'Jacmel', kind: 'hotel', 'kind-other': 'x' }, { nights: null }, {}];
    const answers = { travelled: 'Y', countries: ['HT'], 'fever-abroad': true, stays, weeks: 12, notes: '' };
    expect(pruned(form, answers, woman)).toEqual({
      travelled: 'Y',
      countries: ['HT'],
      'fever-abroad': true,
      stays: [{ place: 'Jacmel', kind: 'hotel' }],
      weeks: 12,
    });
    expect(pruned(form, { ...answers, travelled: 'N' }, { sex: 'M' })).toEqual({ travelled: 'N' });
  });

  test('are searchable only for reportable questions, each choice separately', () => {
    const answers = { travelled: 'Y', countries: ['HT', 'MX'], 'fever-abroad': false, notes: 'x' };
    expect(keysOf(form, answers)).toEqual([
      ['countries', 'HT'],
      ['countries', 'MX'],
      ['fever-abroad', 'false'],
    ]);
  });

  test('about a family a reader may not see are not in their form [P18]', () => {
    const theirs = withoutFamilies(form, ['hiv']);
    expect(walk(theirs.items).map(({ linkId }) => linkId)).not.toContain('hiv-status');
    expect(walk(theirs.items).map(({ linkId }) => linkId)).not.toContain('prep');
    expect(answeredItems(theirs).map(({ linkId }) => linkId)).toContain('notes');
  });
});

/** Any answers to a form: valid or not in which questions they answer, but of the right types. */
const anyAnswers = (of: Form): fc.Arbitrary<Answers> => {
  const anyAnswer = (item: Item): fc.Arbitrary<unknown> => {
    const codes = optionsOf(of, item).map(({ code }) => code);
    if (item.repeats)
      return fc.array(
        fc.record(Object.fromEntries((item.items ?? []).map((one) => [one.linkId, anyAnswer(one)])), {
          requiredKeys: [],
        }),
        { maxLength: item.repeats },
      );
    if (item.type === 'choice') return fc.constantFrom(...codes);
    if (item.type === 'choices') return fc.subarray(codes);
    if (item.type === 'boolean') return fc.boolean();
    if (item.type === 'date') return fc.constantFrom('2026-01-02', '2026-11-22');
    if (item.type === 'text' || item.type === 'long') return fc.constantFrom('', 'x', 'y z');
    return fc.integer({ min: item.low ?? 0, max: Math.min(item.high ?? 9, 44) });
  };
  return fc.record(Object.fromEntries(answeredItems(of).map((item) => [item.linkId, anyAnswer(item)])), {
    requiredKeys: [],
  }) as fc.Arbitrary<Answers>;
};
const anyRecord = fc.record({
  sex: fc.constantFrom('F', 'M', null),
  pregnant: fc.constantFrom('yes', 'no', null),
});

test('pruned answers are valid, and pruning them again changes nothing', () =>
  fc.assert(
    fc.property(anyAnswers(form), anyRecord, (answers, record) => {
      const kept = pruned(form, answers, record);
      expect(faultsOf(form, kept, record)).toEqual([]);
      expect(pruned(form, kept, record)).toEqual(kept);
      expect(answersSent.parse(kept)).toEqual(kept);
    }),
    { numRuns: 300, seed: 20261125 },
  ));

/** The next version: one question and one answer retired, one added, one condition narrowed. */
const next: Form = {
  ...form,
  version: 2,
  items: form.items.map((section) => ({
    ...section,
    items: section.items!.flatMap((item) => {
      if (item.linkId === 'notes') return [{ ...item, retired: true }, q('remarks', 'long')];
      if (item.linkId === 'countries')
        return [
          {
            ...item,
            answers: [...options('HT', 'MX', 'US'), ...options('CA')].map((option) =>
              option.code === 'US' ? { ...option, retired: true } : option,
            ),
          },
        ];
      if (item.linkId === 'fever-abroad') return [{ ...item, when: has('countries', 'HT') }];
      return [item];
    }),
  })),
};

describe('a newer version of a form', () => {
  test('has no flaws, and accepts every answer to the older one', () => {
    expect(flawsOf(next, judged, form)).toEqual([]);
    fc.assert(
      fc.property(anyAnswers(form), anyRecord, (answers, record) => {
        const stored = pruned(form, answers, record);
        const moved = pruned(next, stored, record);
        expect(faultsOf(next, moved, record)).toEqual([]);
        // Only answers that a narrower condition no longer asks for are lost.
        const { 'fever-abroad': _, ...rest } = stored;
        const { 'fever-abroad': __, ...now } = moved;
        expect(now).toEqual(rest);
      }),
      { numRuns: 300, seed: 20261125 },
    );
  });
  test('does not ask retired questions, and keeps their answers', () => {
    expect([...asked(next, {}, {}).items.keys()]).not.toContain('notes');
    expect(pruned(next, { notes: 'earlier' }, {})).toEqual({ notes: 'earlier' });
  });
  const changed = (linkId: string, change: (item: Item) => Item[]): Form => {
    const inside = (items: readonly Item[]): Item[] =>
      items.flatMap((item) =>
        item.linkId === linkId
          ? change(item)
          : [{ ...item, ...(item.items && { items: inside(item.items) }) }],
      );
    return { ...form, items: inside(form.items) };
  };
  test.each<[string, Form, string]>([
    ['another type', changed('weeks', (item) => [{ ...item, type: 'text' }]), 'weeks: was integer'],
    ['a question that is gone', changed('notes', () => []), 'notes: is missing; retire it'],
    [
      'an answer that is gone',
      changed('kind', (item) => [{ ...item, answers: options('other') }]),
      'kind: the answer hotel is missing; retire it',
    ],
    [
      'rows that are none any more',
      changed('stays', ({ repeats: _, ...item }) => [item]),
      'stays: repeats or not',
    ],
  ])('is refused for %s', (_, later, flaw) => expect(flawsOf(later, judged, form)).toContain(flaw));
  test('does not ask a retired question again', () => {
    const again = { ...next, items: form.items };
    expect(flawsOf(again, judged, next)).toContain('notes: was retired');
  });
});

describe('a form', () => {
  test('has no flaws, and accepts its own answers', () => {
    expect(flawsOf(form, judged)).toEqual([]);
    expect(formShown.parse(form)).toEqual(form);
  });
  const withItem = (item: Item): Form => ({
    ...form,
    items: [...form.items, q('more', 'group', { items: [item] })],
  });
  test.each<[string, Item, string]>([
    [
      'a condition on a misspelt question',
      q('x1', 'text', { when: is('traveled', 'Y') }),
      'x1: depends on traveled, which does not stand before it',
    ],
    [
      'a condition on itself',
      q('x1', 'text', { when: is('x1', 'Y') }),
      'x1: depends on x1, which does not stand before it',
    ],
    [
      'a condition on a question in a row',
      q('x1', 'text', { when: is('kind', 'hotel') }),
      'x1: depends on kind, which does not stand before it',
    ],
    [
      'a condition on an unknown fact',
      q('x1', 'text', { when: is('record.mood', 'x') }),
      'x1: depends on record.mood, which does not stand before it',
    ],
    [
      'a condition that tells about a family [P18]',
      q('x1', 'text', { when: any(is('hiv-status', 'Y')) }),
      'x1: tells about hiv, as hiv-status does',
    ],
    ['an id twice', q('notes', 'text'), 'notes: twice'],
    ['an id that is none', q('Notes', 'text'), 'Notes: no name'],
    ['answers that there are not', q('x1', 'choice', { answers: 'ynu' }), 'x1: no answers ynu'],
    ['nothing to choose', q('x1', 'choice', { answers: [] }), 'x1: nothing to choose'],
    ['one answer twice', q('x1', 'choice', { answers: options('a', 'a') }), 'x1: an answer twice'],
    [
      'too many answers',
      q('x1', 'choice', { answers: options(...Array.from({ length: 201 }, (_, n) => `${n}`)) }),
      'x1: more than 200 answers',
    ],
    ['a question that repeats', q('x1', 'text', { repeats: 3 }), 'x1: only groups repeat'],
    ['too many rows', q('x1', 'group', { repeats: 51, items: [q('x2', 'text')] }), 'x1: more than 50 rows'],
    ['a field that there is not', q('x1', 'date', { field: 'birthDate' }), 'x1: no field birthDate'],
    [
      'a reportable question in a row',
      q('x1', 'group', { repeats: 3, items: [q('x2', 'choice', { answers: 'yn', reportable: true })] }),
      'x2: nobody is found by it',
    ],
    [
      'bounds that nothing is within',
      q('x1', 'integer', { low: 5, high: 4 }),
      'x1: the least is more than the most',
    ],
    [
      'no words in a language',
      { ...q('x1', 'text'), words: { label: 'x', labelI18N: { es: 'x' } } },
      'x1: no words in ht',
    ],
    [
      'too much depth',
      q('x1', 'group', { items: [q('x2', 'group', { items: [q('x3', 'text')] })] }),
      'deeper than 3',
    ],
  ])('is refused for %s', (_, item, flaw) => expect(flawsOf(withItem(item), judged)).toContain(flaw));
  test('is refused for more than 300 questions', () => {
    const many = q('many', 'group', {
      items: Array.from({ length: formLimits.questions }, (_, n) => q(`n${n}`, 'text')),
    });
    expect(flawsOf({ ...form, items: [many] }, judged)).toEqual(['more than 300 questions']);
  });
});

describe("a tenant's own questions", () => {
  const cruise = q('x-cruise', 'choice', { answers: options('yes', 'no') });
  const extension = {
    after: {
      travelled: [cruise, q('x-ship', 'text', { when: is('x-cruise', 'yes') })],
      woman: [q('x-home', 'group', { items: [q('x-pets', 'boolean')] })],
    },
    hidden: ['kind-other'],
  };
  const theirs = extended(form, extension);

  test('are placed where the tenant put them, and behave like any other', () => {
    expect(extensionFlaws(form, extension, judged)).toEqual([]);
    expect(extensionBody.parse(extension)).toEqual(extension);
    const answers = { travelled: 'N', 'x-cruise': 'yes', 'x-ship': 'Nadège', 'x-pets': true };
    expect(faultsOf(theirs, answers, {})).toEqual([]);
    expect(faultsOf(theirs, { ...answers, 'x-cruise': 'no' }, {})).toEqual([
      { path: 'x-ship', code: 'not-asked' },
    ]);
    expect([...asked(theirs, answers, {}).items.keys()].slice(0, 5)).toEqual([
      'trip',
      'intro',
      'travelled',
      'x-cruise',
      'x-ship',
    ]);
  });
  test('a hidden question is not asked, and its earlier answers stay', () => {
    const row = { place: 'x', kind: 'other', 'kind-other': 'tent' };
    const answers = { travelled: 'Y', countries: ['US'], stays: [row] };
    expect(faultsOf(theirs, answers, {}, { complete: true })).toEqual([]);
    expect(pruned(theirs, answers, {})).toEqual(answers);
  });
  test('cannot hide anything that a fact, a guide, the record or another question needs', () => {
    expect(['notes', 'stays', 'weeks'].map((id) => mayHide(form, id))).toEqual([true, true, true]);
    for (const id of ['countries', 'travelled', 'expecting', 'trip', 'woman', 'nothing'])
      expect([id, mayHide(form, id)]).toEqual([id, false]);
    expect(
      mayHide({ ...form, items: [q('s', 'group', { items: [q('a', 'text', { nndss: 'X' })] })] }, 's'),
    ).toBe(false);
  });
  test.each<[string, Parameters<typeof extensionFlaws>[1], string]>([
    [
      'an id without x-',
      { after: { notes: [q('pets', 'boolean')] }, hidden: [] },
      'pets: does not begin with x-',
    ],
    ['a place that there is not', { after: { mood: [cruise] }, hidden: [] }, 'mood: no such question'],
    ['an id twice', { after: { notes: [cruise, cruise] }, hidden: [] }, 'x-cruise: twice'],
    ['hiding what others need', { after: {}, hidden: ['travelled'] }, 'travelled: cannot be hidden'],
    [
      'a condition on what it hides',
      { after: { notes: [q('x-a', 'text', { when: is('weight', 'x') })] }, hidden: ['weight'] },
      'x-a: depends on weight, which is not asked',
    ],
    [
      "no words in one of the tenant's languages",
      { after: { notes: [{ ...cruise, words: { label: 'Cruise' } }] }, hidden: [] },
      'x-cruise: no words in es',
    ],
  ])('are refused for %s', (_, wrong, flaw) => expect(extensionFlaws(form, wrong, judged)).toContain(flaw));
  test('once published, keep their type and are retired forever; hidden ones can be shown again', () => {
    const later = (items: Item[], hidden: string[] = []) =>
      extensionFlaws(form, { after: { ...extension.after, travelled: items }, hidden }, judged, extension);
    const ship = extension.after.travelled[1]!;
    expect(later([cruise, ship])).toEqual([]);
    expect(later([cruise])).toEqual(['x-ship: is missing; retire it']);
    expect(later([cruise, { ...ship, retired: true }])).toEqual([]);
    expect(later([cruise, { ...ship, type: 'long' }])).toEqual(['x-ship: was text']);
    const retired = {
      ...extension,
      after: { ...extension.after, travelled: [cruise, { ...ship, retired: true }] },
    };
    expect(extensionFlaws(form, extension, judged, retired)).toEqual(['x-ship: was retired']);
  });
  test.each([
    ['code in a condition', { ...cruise, when: { code: 'answers.x > 1' } }],
    ['a record of the database', { ...cruise, field: 'onsetOn' }],
    ['a national code', { ...cruise, nndss: 'STD107' }],
    ['another family', { ...cruise, family: 'hiv' }],
  ])('are data of a fixed shape: no %s', (_, item) =>
    expect(extensionBody.safeParse({ after: { notes: [item] }, hidden: [] }).success).toBe(false),
  );
});

describe('a question that refers to another record', () => {
  const [one, other] = ['0199aaaa-0000-7000-8000-000000000001', '0199aaaa-0000-7000-8000-000000000002'];
  const words = { label: 'x' };
  const referring: Form = {
    id: 'referring',
    version: 1,
    title: words,
    answerSets: {},
    items: [
      {
        linkId: 'section',
        type: 'group',
        words,
        items: [
          { linkId: 'mother', type: 'reference', to: 'case', words },
          { linkId: 'note', type: 'text', words },
          {
            linkId: 'contacts',
            type: 'group',
            words,
            repeats: 3,
            items: [
              { linkId: 'contact', type: 'reference', to: 'case', words },
              { linkId: 'how', type: 'text', words },
            ],
          },
        ],
      },
    ],
  };
  const answers = { mother: one!, note: 'x', contacts: [{ contact: other!, how: 'met' }, { how: 'worked' }] };

  test('names the records, in rows too', () =>
    expect(referencesIn(referring, answers)).toEqual([
      { path: 'mother', to: 'case', id: one },
      { path: 'contacts.0.contact', to: 'case', id: other },
    ]));

  test('loses only those a reader does not see', () => {
    expect(withoutRecords(referring, answers, (id) => id === one)).toEqual({
      ...answers,
      contacts: [{ how: 'met' }, { how: 'worked' }],
    });
    expect(withoutRecords(referring, answers, () => false)).toEqual({
      note: 'x',
      contacts: [{ how: 'met' }, { how: 'worked' }],
    });
  });

  test("accepts only a record's id, and says which kind it refers to", () => {
    expect(faultsOf(referring, { mother: 'Ada' }, {})).toEqual([{ path: 'mother', code: 'unknown-record' }]);
    const judged = { facts: [], languages: ['en'] };
    expect(flawsOf(referring, judged)).toEqual([]);
    const [section] = referring.items;
    const lost = { ...section!, items: [{ linkId: 'mother', type: 'reference' as const, words }] };
    expect(flawsOf({ ...referring, items: [lost] }, judged)).toEqual(['mother: refers to no kind of record']);
  });
});
