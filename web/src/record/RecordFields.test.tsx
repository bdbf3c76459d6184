import { caseRecord } from '@caseway/contract/case-record';
import { screen, within } from '@testing-library/react';
import { FormProvider, useForm } from 'react-hook-form';
import { expect, test } from 'vitest';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { serve } from '../test/server.ts';
import { RecordFields } from './RecordFields.tsx';

await startTestLocales();
/** With a field that only transitions ask for. */
const asked = { fields: caseRecord.fields, form: [...caseRecord.form, 'investigator'] };

function Shown({ disabled }: { disabled: boolean }) {
  const form = useForm({
    defaultValues: {
      ...Object.fromEntries(asked.form.map((name) => [name, ''])),
      classification: 'probable',
      status: 'new',
      investigator: 'left',
      onsetOn: '2026-03-01',
    },
  });
  return (
    <FormProvider {...form}>
      <RecordFields
        record={asked}
        inPlace
        words={{ column: (name) => `<${name}>`, choice: (_, code) => `‹${code}›` }}
        none={(name) => `no ${name}`}
        offered={{ classification: ['confirmed', 'probable'] }}
        disabled={disabled}
      />
    </FormProvider>
  );
}
const show = (disabled: boolean) => {
  serve({ 'GET /api/web/lookups/investigators': () => ({ body: { options: [] } }) });
  renderInApp(<Shown disabled={disabled} />);
};
const choicesOf = (name: string) =>
  within(screen.getByLabelText(new RegExp(`^<${name}>`)))
    .getAllByRole('option')
    .map(({ textContent }) => textContent);

test('every declared field is there, in order, with its choices', () => {
  show(false);
  expect(screen.getAllByText(/^<\w+>/).map(({ textContent }) => textContent)).toEqual(
    asked.form.map((name) => `<${name}>`),
  );
  expect(choicesOf('classification')).toEqual(['‹confirmed›', '‹probable›']);
  expect(choicesOf('pregnant')).toEqual(['no pregnant', '‹yes›', '‹no›', '‹unknown›']);
  // Someone no longer in the list stays chosen.
  expect(choicesOf('investigator')).toHaveLength(2);
});

test('a reader who may not change it sees the same, but cannot edit it', () => {
  show(true);
  expect(screen.getByRole('group')).toBeDisabled();
  expect(screen.getByLabelText(/^<onsetOn>/)).toHaveValue('03/01/2026');
});
