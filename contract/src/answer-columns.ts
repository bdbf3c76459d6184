import type { Column as FactColumn } from './fact.ts';
import { answeredItems, type Form, optionsOf } from './form.ts';
import type { Column } from './grid.ts';
import type { Labelled } from './label.ts';
import type { OrgType } from './session.ts';

/*
 * Answers as columns of a fact and its list: every reportable question with a single answer gets one.
 * Questions of a restricted family are never reportable (`flawsOf`), so they have no column. [P18]
 */

export interface AnswerColumn {
  /** Permanent, like the form and the question id in it: `syphilisTiter`. */
  name: string;
  /** The disease family whose cases get the question. */
  family: string;
  linkId: string;
  words: Labelled;
  options: Readonly<Record<string, Labelled>>;
}

const camel = (linkId: string): string =>
  linkId.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `Titer (Syphilis investigation)`, in each language that has both labels. */
function within(question: Labelled, form: Labelled): Labelled {
  const both = (one: string, other: string) => `${one} (${other})`;
  const { labelI18N = {} } = question;
  return {
    label: both(question.label, form.label),
    labelI18N: Object.fromEntries(
      Object.entries(labelI18N).map(([language, text]) => [
        language,
        both(text, form.labelI18N?.[language] ?? form.label),
      ]),
    ),
  };
}

export const answerColumnsOf = (forms: readonly (readonly [family: string, form: Form])[]): AnswerColumn[] =>
  forms.flatMap(([family, form]) =>
    answeredItems(form)
      .filter(({ type, reportable }) => reportable && type === 'choice')
      .map((item) => ({
        name: `${form.id}${camel(item.linkId)}`,
        family,
        linkId: item.linkId,
        words: within(item.words, form.title),
        options: Object.fromEntries(optionsOf(form, item).map(({ code, words }) => [code, words])),
      })),
  );

/** The columns of a fact. Their names come from data, so the types do not know them. */
export const factColumnsOf = (columns: readonly AnswerColumn[], readers: readonly OrgType[]): object =>
  Object.fromEntries(
    columns.map(({ name, options }): [string, FactColumn] => [
      name,
      { kind: 'code', options: Object.keys(options), read: 'open', readers },
    ]),
  );

/** The list columns, hidden until a user shows them. */
export const listColumnsOf = (columns: readonly AnswerColumn[]): object =>
  Object.fromEntries(
    columns.map(
      ({ name, words, options }): [string, Pick<Column, 'words' | 'optionWords' | 'width' | 'hidden'>] => [
        name,
        { words, optionWords: options, width: 190, hidden: true },
      ],
    ),
  );
