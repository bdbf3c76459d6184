import type { Notification } from '@caseway/contract/inbox';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { NotificationRows } from './NotificationRow.tsx';

await startTestLocales('inbox');

const ended = (id: number, given: Partial<Notification>): Notification => ({
  id: `0b9f3a52-6c1d-4a44-9a83-3c1f6a1f000${id}`,
  kind: 'import-ended',
  at: '2026-03-04T12:00:00.000Z',
  readAt: null,
  actor: null,
  recordKind: 'import',
  recordId: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0009',
  name: 'mine.hl7',
  work: null,
  about: null,
  state: 'done',
  ...given,
});

test('the end of an import says which run it was; an entry of an earlier version does not know', async () => {
  renderInApp(
    <NotificationRows
      label="Inbox"
      of={[
        ended(1, { recordKind: 'import-rerun' }),
        ended(2, { recordKind: 'import-run', state: 'failed' }),
        ended(3, { recordKind: 'import-dry-run', state: null }),
        ended(4, {}),
      ]}
    />,
  );
  const links = await screen.findAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'The reprocessing of mine.hl7 has ended (complete)',
    'The import of mine.hl7 has ended (stopped by an error)',
    'The dry run of mine.hl7 has ended',
    'Your import has ended: mine.hl7 (complete)',
  ]);
  expect(new Set(links.map((link) => link.getAttribute('href')))).toEqual(
    new Set(['/imports/0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0009']),
  );
});
