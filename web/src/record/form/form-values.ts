import {
  type AnswerFault,
  type Answers,
  answeredItems,
  type Form,
  type Item,
  optionsOf,
  type Row,
  walk,
} from '@caseway/contract/form';
import { labelIn } from '@caseway/contract/label';
import type { FaultWords } from '../../ui/fault-words.ts';

/* Answers in a browser form: text, empty for none, and lists of rows. */

export type RowValues = Record<string, string | string[]>;
export type FormValues = Record<string, string | string[] | RowValues[]>;

const typedOf = (item: Item, answer: unknown): string | string[] => {
  if (item.type === 'choices') return (answer ?? []) as string[];
  return answer === undefined || answer === null ? '' : String(answer);
};
const withinRow = ({ items = [] }: Item) =>
  walk(items).filter(({ type }) => type !== 'group' && type !== 'display');

/** An empty row of a repeated group. */
export const emptyRow = (group: Item): RowValues =>
  Object.fromEntries(withinRow(group).map((item) => [item.linkId, typedOf(item, null)]));

export const valuesOf = (form: Form, answers: Answers): FormValues =>
  Object.fromEntries(
    answeredItems(form).map((item) => {
      const answer = answers[item.linkId];
      if (!item.repeats) return [item.linkId, typedOf(item, answer)];
      const rows = ((answer ?? []) as Row[]).map((row) =>
        Object.fromEntries(withinRow(item).map((one) => [one.linkId, typedOf(one, row[one.linkId])])),
      );
      return [item.linkId, rows];
    }),
  );

/** The answer that a typed text means; one that is not a number stays, and is refused by name. */
function answerOf({ type }: Item, typed: string | string[]): string | string[] | number | boolean | null {
  if (Array.isArray(typed)) return typed;
  const text = typed.trim();
  if (text === '') return null;
  if (type === 'boolean') return text === 'true';
  if (type !== 'integer' && type !== 'quantity') return text;
  // Also with a decimal comma, as Spanish and Creole readers write.
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}

/** Everything typed, including answers to questions no longer asked. */
export const answersOf = (form: Form, values: FormValues): Answers =>
  Object.fromEntries(
    answeredItems(form).map((item) => {
      const value = values[item.linkId] ?? [];
      if (!item.repeats) return [item.linkId, answerOf(item, value as string | string[])];
      const rows = (value as RowValues[]).map((row) =>
        Object.fromEntries(withinRow(item).map((one) => [one.linkId, answerOf(one, row[one.linkId] ?? '')])),
      );
      return [item.linkId, rows];
    }),
  );

/** A fault's text for its field. */
export const faultWords = ({ code, values }: Pick<AnswerFault, 'code' | 'values'>): string =>
  JSON.stringify({ key: `fault.${code}`, ...(values && { values }) } satisfies FaultWords);

/** The labels of a form's fields by path: `treatments.0.drug` is the first treatment's medicine. */
export function labelsOf(form: Form, values: FormValues, language: string): Record<string, string> {
  const label = ({ words }: Item) => labelIn(words, language);
  return Object.fromEntries(
    walk(form.items).flatMap((item): [string, string][] => {
      if (!item.repeats) return [[item.linkId, label(item)]];
      const rows = (values[item.linkId] ?? []) as RowValues[];
      return [
        [item.linkId, label(item)],
        ...rows.flatMap((_, index) =>
          withinRow(item).map((one): [string, string] => [
            `${item.linkId}.${index}.${one.linkId}`,
            `${label(item)} ${index + 1}, ${label(one)}`,
          ]),
        ),
      ];
    }),
  );
}

export interface AnswerWords {
  language: string;
  yes: string;
  no: string;
  day: (day: string) => string;
  /** The name of a referenced record. */
  record: (id: string) => string;
}

/** An answer in words; empty if none. Retired answers keep their text. */
export function answerText(form: Form, item: Item, answer: unknown, words: AnswerWords): string {
  if (answer === undefined || answer === null || answer === '') return '';
  if (item.repeats)
    return (answer as Row[])
      .map((row) =>
        withinRow(item)
          .map((one) => answerText(form, one, row[one.linkId], words))
          .filter(Boolean)
          .join(', '),
      )
      .join('; ');
  if (Array.isArray(answer)) return answer.map((one) => answerText(form, item, one, words)).join(', ');
  if (typeof answer === 'boolean') return answer ? words.yes : words.no;
  if (item.type === 'date') return words.day(answer as string);
  if (item.to !== undefined) return words.record(answer as string);
  const option = optionsOf(form, item).find(({ code }) => code === answer);
  if (option) return labelIn(option.words, words.language);
  return [String(answer), item.unit && labelIn(item.unit, words.language)].filter(Boolean).join(' ');
}
