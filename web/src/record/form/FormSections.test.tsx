import type { Form, Item } from '@caseway/contract/form';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FormProvider, useForm } from 'react-hook-form';
import { expect, test } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { FormSections } from './FormSections.tsx';
import { type FormValues, faultWords, valuesOf } from './form-values.ts';

await startTestLocales();

const words = (label: string) => ({ label });
const options = (...codes: string[]) => codes.map((code) => ({ code, words: words(code) }));
const q = (linkId: string, type: Item['type'], more: Partial<Item> = {}): Item => ({
  linkId,
  type,
  words: words(linkId),
  ...more,
});
const questions: Form = {
  id: 'all',
  version: 1,
  title: words('All'),
  answerSets: {},
  items: [
    q('Section', 'group', {
      items: [
        q('Explanation', 'display'),
        q('Name', 'text', { required: true }),
        q('Notes', 'long'),
        q('Fever', 'choice', { answers: options('Yes', 'No') }),
        q('Signs', 'choices', { answers: options('Rash', 'Nodes'), when: { field: 'Fever', is: 'Yes' } }),
        q('Adequate', 'boolean'),
        q('Seen', 'date'),
        q('Newborn', 'reference', { to: 'case' }),
        q('Weeks', 'integer', { unit: words('weeks') }),
        q('Weight', 'quantity'),
        q('Onset', 'date', { field: 'onsetOn' }),
        q('Doses', 'group', {
          repeats: 2,
          items: [
            q('Drug', 'choice', { answers: options('One', 'Other'), required: true }),
            q('Which', 'text', { when: { field: 'Drug', is: 'Other' } }),
          ],
        }),
      ],
    }),
    q('Women', 'group', { when: { field: 'record.sex', is: 'F' }, items: [q('Pregnant', 'boolean')] }),
  ],
};

const found = [{ id: 'c1', label: '2026-0000001 · Hill, Ada' }];
const records = {
  names: { c9: '2026-0000009' },
  useFound: (typed: string) => (typed === 'hill' ? found : noneFound),
  href: (id: string) => `/case-reports/${id}`,
};
const noneFound: typeof found = [];

function Shown({ sex = 'M', fault, newborn }: { sex?: string; fault?: string; newborn?: string }) {
  const form = useForm<FormValues>({
    defaultValues: valuesOf(questions, newborn === undefined ? {} : { Newborn: newborn }),
  });
  return (
    <FormProvider {...form}>
      <FormSections
        form={questions}
        facts={{ sex }}
        disabled={false}
        field={(name) => `the ${name}`}
        records={records}
      />
      <button
        type="button"
        onClick={() => form.setError(fault!, { type: 'required', message: faultWords({ code: 'required' }) })}
      >
        Send
      </button>
      <output>{JSON.stringify(form.watch())}</output>
    </FormProvider>
  );
}
const values = () => JSON.parse(document.querySelector('output')!.textContent!);

test('each type of question has its control, reached by its name', async () => {
  renderInApp(<Shown />);
  expect(screen.getByText('Explanation')).toBeVisible();
  await userEvent.type(screen.getByLabelText('Name'), 'Ada');
  await userEvent.type(screen.getByLabelText(/^Notes/), 'Long');
  await userEvent.selectOptions(screen.getByLabelText(/^Fever/), 'Yes');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Nodes' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Rash' }));
  await userEvent.selectOptions(screen.getByLabelText(/^Adequate/), 'No');
  await userEvent.type(screen.getByLabelText(/^Seen/), '2026-03-01{Enter}');
  await userEvent.type(screen.getByLabelText(/^Weeks/), '14');
  await userEvent.type(screen.getByLabelText(/^Weight/), '61.5');
  expect(screen.getByText('the onsetOn')).toBeVisible();
  expect(values()).toMatchObject({
    Name: 'Ada',
    Notes: 'Long',
    Fever: 'Yes',
    Signs: ['Rash', 'Nodes'],
    Adequate: 'false',
    Seen: '2026-03-01',
    Weeks: '14',
    Weight: '61.5',
  });
});

test('another record is found by search and chosen, and the previous answer is a link', async () => {
  renderInApp(<Shown newborn="c9" />);
  expect(screen.getByLabelText(/^Newborn/)).toHaveValue('2026-0000009');
  expect(screen.getByRole('link', { name: 'Open 2026-0000009' })).toHaveAttribute('href', '/case-reports/c9');
  await userEvent.clear(screen.getByLabelText(/^Newborn/));
  await userEvent.type(screen.getByLabelText(/^Newborn/), 'hill');
  await userEvent.click(screen.getByRole('option', { name: '2026-0000001 · Hill, Ada' }));
  expect(values()).toMatchObject({ Newborn: 'c1' });
  expect(screen.queryByRole('link')).toBeNull();
});

test('a question that is not asked is hidden, and its answer is kept until it is asked again', async () => {
  renderInApp(<Shown />);
  expect(screen.queryByRole('group', { name: /^Signs/ })).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText(/^Fever/), 'Yes');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Rash' }));
  await userEvent.selectOptions(screen.getByLabelText(/^Fever/), 'No');
  expect(screen.queryByRole('checkbox', { name: 'Rash' })).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText(/^Fever/), 'Yes');
  expect(screen.getByRole('checkbox', { name: 'Rash' })).toBeChecked();
});

test('facts of the record can show a section', () => {
  renderInApp(<Shown sex="F" />);
  expect(screen.getByRole('group', { name: 'Women' })).toBeVisible();
});

test('rows are added up to the limit, each asks by its own answers, and the keyboard can remove them', async () => {
  renderInApp(<Shown />);
  const add = () => screen.queryByRole('button', { name: 'Add another: Doses' });
  await userEvent.click(add()!);
  // The focus is at the start of the new row.
  expect(within(screen.getByRole('group', { name: 'Doses, 1 of 1' })).getByLabelText('Drug')).toHaveFocus();
  await userEvent.selectOptions(screen.getByLabelText('Drug'), 'Other');
  await userEvent.type(screen.getByLabelText(/^Which/), 'X');
  await userEvent.click(add()!);
  expect(add()).toBeNull();
  expect(within(screen.getByRole('group', { name: 'Doses, 2 of 2' })).queryByLabelText(/^Which/)).toBeNull();
  screen.getByRole('button', { name: 'Remove Doses, 2 of 2' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(values().Doses).toEqual([{ Drug: 'Other', Which: 'X' }]);
  expect(add()).not.toBeNull();
});

test('a fault is next to its field, in a row too', async () => {
  renderInApp(<Shown fault="Doses.0.Drug" />);
  await userEvent.click(screen.getByRole('button', { name: 'Add another: Doses' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByLabelText('Drug')).toHaveAccessibleDescription('Fill this in.');
});
