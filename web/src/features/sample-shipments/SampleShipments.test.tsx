import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { bulkAnswers } from '../../test/bulk-server.ts';
import { roomForRows } from '../../test/list-room.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import SampleShipments from './SampleShipments.tsx';

await startTestLocales('sample-shipments');
const [one, two] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const box = (id: string, number: string) => ({
  ...{ id, version: 2, active: true, number, caseId: null, state: 'packed', origin: one, destination: two },
  ...{ temperature: 'refrigerated', carrier: null, trackingNumber: null, expectedOn: null, note: null },
  ...{ packedOn: '2026-03-02', sentOn: null, receivedOn: null, createdOn: '2026-03-01', side: 'sender' },
  ...{ specimens: 3, received: 0, discrepancies: 0, unexplained: 0 },
});

beforeEach(() => {
  queryClient.clear();
  roomForRows();
});
afterEach(() => act(() => void store.dispatch(signedOut())));

function show(may: string[]) {
  store.dispatch(
    userReady({
      ...initAnswer([org(one, 'Alder Health')]),
      casbinPolicy: may.map((name) => `p, u1, T, ${name}, allow`),
    }),
  );
  const sent = serve({
    'POST /api/web/grid/sample-shipments/search': {
      body: { rows: [box(one, 'SS-26-1'), box(two, 'SS-26-2')], rowCount: 2 },
    },
    ...bulkAnswers('sample-shipments', 'send', {
      id: two,
      name: 'SS-26-2',
      code: 'required',
      field: 'carrier',
    }),
    'GET /api/web/events': () => new Promise<never>(() => {}),
  });
  renderInApp(<SampleShipments />, { path: '/sample-shipments' });
  return sent;
}

test('boxes are sent together, each with its own carrier; one without a carrier stays, and says so', async () => {
  const user = userEvent.setup();
  const sent = show(['sample-shipments/read', 'sample-shipments/write']);
  for (const number of ['SS-26-1', 'SS-26-2'])
    await user.click(await screen.findByRole('checkbox', { name: new RegExp(number) }));
  await user.click(screen.getByRole('button', { name: 'Change' }));
  const deed = await screen.findByLabelText('Action');
  expect(
    within(deed)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual([
    ...['Choose', 'Close the box', 'Open the box again', 'Send', 'Start the reception', 'Reconcile'],
    ...['Report it lost', 'Cancel the shipment', 'Change fields'],
  ]);
  await user.selectOptions(deed, 'Send');
  // Fields that differ by box are not asked for.
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByLabelText(/Expected/)).toBeInTheDocument();
  expect(dialog.queryByLabelText(/Tracking number/)).toBeNull();
  expect(await screen.findByText('Carrier: Fill this in.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Change 1' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(
    sent.filter(({ path }) => path === '/api/web/sample-shipments/bulk').map(({ body }) => body),
  ).toEqual([
    expect.objectContaining({ dryRun: true, transition: { id: 'send', fields: {} } }),
    expect.objectContaining({ dryRun: false, expected: 2, selection: { ids: [one, two] } }),
  ]);
});

test('C changes the focused row, or the selected ones', async () => {
  const user = userEvent.setup();
  show(['sample-shipments/read', 'sample-shipments/write']);
  await screen.findByRole('checkbox', { name: /SS-26-1/ });
  const asked = async () => {
    await user.keyboard('c');
    await screen.findByRole('dialog', { name: /^Change/ });
    const chosen = screen.getAllByRole('checkbox', { name: /SS-26/, checked: true, hidden: true }).length;
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    return chosen;
  };
  act(() => (document.querySelector('[role=gridcell]') as HTMLElement).focus());
  expect(await asked()).toBe(1);
  await user.click(await screen.findByRole('checkbox', { name: /SS-26-2/ }));
  act(() => (document.querySelector('[role=gridcell]') as HTMLElement).focus());
  expect(await asked()).toBe(2);
});

test('users who only read shipments cannot select', async () => {
  show(['sample-shipments/read']);
  expect(await screen.findByRole('link', { name: /SS-26-1/ })).toBeInTheDocument();
  expect(screen.queryByRole('checkbox')).toBeNull();
});
