import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
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

test('phone numbers and addresses are links, everything else is text', () => {
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

/** Places where a phone number is part of a sentence or a control, or the reader's own. */
const inWords = [
  'features/portal/ContactChange.tsx',
  'features/portal/Details.tsx',
  'features/portal/InvitationWaiting.tsx',
  'features/portal/PatientPortal.tsx',
  'features/portal/Results.tsx',
  'features/profile/ContactChange.tsx',
  'features/profile/SignInMethods.tsx',
  'features/recovery/decisions.tsx',
  // A line of the palette, which opens the record.
  'shell/use-found.tsx',
  // Cells of a wide list, whose row opens the record; its card on a phone has the link.
  'ui/grid/values.tsx',
];

test('every other phone number in the product is a link', () => {
  const src = path.join(import.meta.dirname, '..');
  const plain = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx') && file !== 'ui/ContactLink.tsx')
    .filter((file) => readFileSync(path.join(src, file), 'utf8').includes('phoneShown('));
  expect(plain.sort()).toEqual(inWords);
});
