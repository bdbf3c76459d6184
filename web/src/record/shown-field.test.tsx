import { anyRecord, email, needed, phone, record, several, text } from '@caseway/contract/record';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { shownField } from './shown-field.tsx';

const { fields } = anyRecord(
  record({
    id: 'programs',
    kind: 'program',
    noun: 'program',
    table: 'program',
    access: 'programs/write',
    name: 'name',
    fields: { name: needed(text(80)), phones: several(phone(), 8), mail: email() },
    list: { name: {} },
    sortedBy: 'name',
    form: ['name', 'phones', 'mail'],
  }),
);

test('numbers are called and addresses written to, everything else is in words', () => {
  const shown = (name: string, value: unknown) =>
    shownField({ fields }, (_, said) => `words of ${String(said)}`, name, value);
  render(
    <>
      {shown('phones', ['+18135550134', '+18135550135'])}
      {shown('mail', 'ines@example.org')}
      {shown('name', 'Rivera')}
      {shown('mail', null)}
    </>,
  );
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    'tel:+18135550134',
    'tel:+18135550135',
    'mailto:ines@example.org',
  ]);
  expect(document.body).toHaveTextContent('words of Rivera');
  expect(document.body).toHaveTextContent('words of null');
});
