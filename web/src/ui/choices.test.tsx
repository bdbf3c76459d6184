import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { expect, test } from 'vitest';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { ChoiceField } from './ChoiceField.tsx';
import { ManyOfField, OneOfField } from './FormChoices.tsx';

await startTestLocales();
/** Like a screen that creates its choices in every render. */
const freshChoices = () => [
  { id: 'den', label: 'Denver' },
  { id: 'chi', label: 'Chicago' },
];

let renderAgain = () => {};
function Rendering({ children }: { children: () => ReactNode }) {
  const [, setCount] = useState(0);
  renderAgain = () => setCount((count) => count + 1);
  const form = useForm({ defaultValues: { one: 'chi', many: ['chi'] } });
  return <FormProvider {...form}>{children()}</FormProvider>;
}

test.each([
  ['one of many', () => <OneOfField name="one" label="Field" options={freshChoices()} />],
  ['several of many', () => <ManyOfField name="many" label="Field" options={freshChoices()} />],
  [
    'one outside a form',
    () => (
      <ChoiceField label="Field" value={freshChoices()[1]!} options={freshChoices()} onChange={() => {}} />
    ),
  ],
])('%s: typed text and the open list stay when the screen is rendered again', async (_, field) => {
  renderInApp(<Rendering>{field}</Rendering>);
  const input = screen.getByRole('combobox', { name: /Field/ });
  // Replaces the selected text, so that the field is never empty.
  await userEvent.type(input, 'den', { initialSelectionStart: 0, initialSelectionEnd: 99 });
  act(() => renderAgain());
  expect(input).toHaveValue('den');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Denver']);
});
