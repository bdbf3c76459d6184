import { organizations } from '@caseway/contract/places';
import { anyRecord } from '@caseway/contract/record';
import type { HistoryEntry } from '@caseway/contract/record-history';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../data/api.ts';
import { userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { initAnswer, org, serve } from '../test/server.ts';
import { RecordHistory } from './RecordHistory.tsx';

await startTestLocales();
const id = '11111111-1111-4111-8111-111111111111';
const heron = {
  id,
  version: 4,
  active: false,
  status: 'inactive',
  name: 'Heron',
  experience: 'EDUCATION',
  contactName: null,
  contactEmail: null,
  contactPhone: null,
  facilities: 0,
  programs: 0,
};
const entries: HistoryEntry[] = [
  {
    version: 3,
    at: '2026-03-02T15:00:00.000Z',
    by: { id, name: 'Ada Stone' },
    changes: { active: { from: true, to: false } },
    undoes: null,
    transition: 'close',
    reason: 'Moved to Tampa',
  },
  {
    version: 2,
    at: '2026-03-01T15:00:00.000Z',
    by: { id, name: 'Bea Stone' },
    changes: { contactName: { from: null, to: 'Cleo' } },
    undoes: null,
    transition: null,
    reason: null,
  },
  {
    version: 1,
    at: '2026-02-01T15:00:00.000Z',
    by: null,
    changes: { name: { to: 'Heron' } },
    undoes: null,
    transition: null,
    reason: null,
  },
];

beforeEach(() => {
  queryClient.clear();
  store.dispatch(userReady(initAnswer([org(id, 'Alder Health')])));
});

const show = async (kept: string[] = []) => {
  const requests = serve({
    [`GET /api/web/organizations/${id}/history`]: () => ({ body: { entries, more: false } }),
    [`POST /api/web/organizations/${id}/undo`]: () => ({ body: { record: heron, kept } }),
  });
  renderInApp(
    <RecordHistory
      record={anyRecord(organizations)}
      id={id}
      label={(name) => `<${name}>`}
      text={(_, value) => (value === null ? '' : String(value))}
      deed={(transition) => `do ${transition}`}
      invalidates={[]}
    />,
  );
  expect(requests).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Show history' }));
  await screen.findByText('Created');
  return requests;
};

test('[P15] on request, shows who changed what, with what they did and why, newest first', async () => {
  await show();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Ada Stone.*do closeReason: Moved to Tampa<status>: active → inactive$/),
    expect.stringMatching(/Bea Stone.*<contactName>: – → Cleo$/),
    expect.stringMatching(/Created$/),
  ]);
  // A new record is deactivated, not undone.
  expect(screen.getAllByRole('button', { name: /^Undo the change of/ })).toHaveLength(2);
});

test('a change is undone, and fields that could not be are named', async () => {
  const requests = await show(['contactName']);
  await userEvent.click(screen.getAllByRole('button', { name: /^Undo the change of/ })[1]!);
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { version: 2 },
    ]),
  );
  await waitFor(() =>
    expect(store.getState().notifications.past[0]).toMatchObject({ message: 'history.undonePartly' }),
  );
});
