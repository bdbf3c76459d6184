import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { RowsPreview } from './RowsPreview.tsx';

await startTestLocales('imports');

test('each row says who it is about, whether the person is known, and what would be stored', async () => {
  renderInApp(
    <RowsPreview
      rows={[
        {
          line: 2,
          state: 'taken',
          reason: null,
          person: { lastName: 'Quill', firstName: 'Mara', birthDate: '1980-02-03', match: 'known' },
          records: [
            { kind: 'result', isNew: false, name: 'Chlamydia DNA', category: 'positive' },
            { kind: 'treatment', isNew: null, name: 'doxycycline' },
          ],
        },
        { line: 3, state: 'taken', reason: null, person: null, records: [] },
        {
          line: 4,
          state: 'waiting',
          reason: 'date-in-future',
          person: { lastName: null, firstName: null, birthDate: null, match: 'new' },
          records: [],
        },
      ]}
    />,
  );
  const rows = (await screen.findAllByRole('listitem')).filter((row) => row.parentElement?.tagName === 'OL');
  expect(within(rows[0]!).getByText(/Quill, Mara · born/)).toBeVisible();
  expect(rows[0]).toHaveTextContent('Already known');
  expect(rows[0]).toHaveTextContent('(already stored)');
  expect(rows[0]).toHaveTextContent('Treatment: doxycycline');
  expect(rows[1]).toHaveTextContent('Nobody is stored');
  expect(rows[1]).toHaveTextContent('Stored with the file only');
  expect(rows[2]).toHaveTextContent('Without a name');
  expect(rows[2]).toHaveTextContent('A date is in the future.');
});
