import { formOfFamily } from '@caseway/contract/investigation-form';
import { expect, test } from 'vitest';
import { answersOf, answerText, labelsOf, valuesOf } from './form-values.ts';

const form = formOfFamily('syphilis')!;
const item = (linkId: string) =>
  form.items.flatMap(({ items = [] }) => items).find((one) => one.linkId === linkId)!;
const answers = {
  examined: 'Y',
  signs: ['rash', 'nodes'],
  weeks: 14,
  adequate: false,
  treatments: [{ drug: 'bpg1', 'given-on': '2026-03-01' }],
};

test('answers survive a round trip through form values', () => {
  const values = valuesOf(form, answers);
  expect(values).toMatchObject({
    examined: 'Y',
    signs: ['rash', 'nodes'],
    weeks: '14',
    adequate: 'false',
    titer: '',
  });
  expect(values.treatments).toEqual([
    { drug: 'bpg1', 'drug-other': '', 'given-on': '2026-03-01', 'given-at': '' },
  ]);
  const typed = answersOf(form, values);
  expect(typed).toMatchObject({ ...answers, treatments: [{ drug: 'bpg1', 'given-on': '2026-03-01' }] });
  expect(typed.titer).toBeNull();
});

test.each([
  ['14', 14],
  [' 14 ', 14],
  ['14,5', 14.5],
  ['a few', 'a few'],
  ['', null],
])('a number typed as "%s" is %j', (typed, answer) =>
  expect(answersOf(form, { ...valuesOf(form, {}), weeks: typed }).weeks).toBe(answer),
);

test("answers are shown in the reader's language", () => {
  const words = {
    language: 'es',
    yes: 'Sí',
    no: 'No',
    day: (day: string) => `el ${day}`,
    record: (id: string) => `caso ${id}`,
  };
  expect(answerText(form, item('signs'), ['rash', 'nodes'], words)).toBe(
    'Erupción en la piel, Ganglios inflamados',
  );
  expect(answerText(form, item('adequate'), false, words)).toBe('No');
  expect(answerText(form, item('due-date'), '2026-03-01', words)).toBe('el 2026-03-01');
  expect(answerText(form, item('titer'), '5', words)).toBe('1:32');
  expect(answerText(form, item('newborn-case'), '7', words)).toBe('caso 7');
  expect(answerText(form, item('weeks'), null, words)).toBe('');
  expect(answerText(form, item('treatments'), answers.treatments, words)).toBe(
    'Penicilina G benzatínica, 2.4 millones de unidades, una vez, el 2026-03-01',
  );
});

test('a field within a row is named by its list, its number and its label', () => {
  expect(labelsOf(form, valuesOf(form, answers), 'en')['treatments.0.drug']).toBe('Treatments 1, Medicine');
});
