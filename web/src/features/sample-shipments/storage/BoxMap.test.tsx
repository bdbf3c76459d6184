import type { StorageBox, Taken } from '@caseway/contract/storage';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../../data/api.ts';
import { signedOut, userReady } from '../../../session/authentication.ts';
import { store } from '../../../session/store.ts';
import { startTestLocales } from '../../../test/locales.ts';
import { renderInApp } from '../../../test/render.tsx';
import { initAnswer, org, serve } from '../../../test/server.ts';
import StorageBoxScreen from './StorageBoxScreen.tsx';

await startTestLocales('storage', 'sample-shipments');
const [id, tube, facility] = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
];
const specimen = (code: string): Taken['specimen'] => ({
  ...{ id: tube, code, specimenType: null, collectedAt: null },
  ...{ storedAt: '2026-03-02T15:00:00.000Z', storedBy: 'Dana Alder' },
});
const taken: Taken[] = [
  { row: 1, column: 1, state: 'received', specimen: specimen('26-1') },
  { row: 1, column: 3, state: 'hidden', specimen: null },
];
const box: StorageBox = {
  ...{
    id,
    name: 'A1',
    facility,
    rows: 3,
    columns: 3,
    coldest: -86,
    warmest: -70,
    active: true,
    mayStore: true,
  },
  ...{ path: [{ id: facility, name: 'Freezer 1', level: 'location' }], taken },
};
/** The box after a specimen was stored. */
const filled = (row: number, column: number) => ({
  body: {
    ...{ specimen: tube, row, column, moved: false },
    box: { ...box, taken: [...taken, { row, column, state: 'stored', specimen: specimen('26-2') }] },
  },
});

beforeEach(() => queryClient.clear());
afterEach(() => act(() => void store.dispatch(signedOut())));

function show(answer = filled(1, 2)) {
  store.dispatch(
    userReady({
      ...initAnswer([org(facility, 'Alder Health')]),
      casbinPolicy: ['read', 'write'].map((one) => `p, u1, T, sample-shipments/${one}, allow`),
    }),
  );
  const sent = serve({
    [`GET /api/web/sample-shipments/storage/${id}`]: { body: box },
    [`POST /api/web/sample-shipments/storage/${id}/specimens`]: answer,
    'GET /api/web/lookups/facilities': { body: { options: [] } },
    'GET /api/web/events': () => new Promise<never>(() => {}),
  });
  renderInApp(
    <Routes>
      <Route path="/sample-shipments/storage/:id" element={<StorageBoxScreen />} />
    </Routes>,
    { path: `/sample-shipments/storage/${id}` },
  );
  return sent;
}
const cell = (name: string) => screen.findByRole('gridcell', { name });

test('each position says its row, its column and what is there', async () => {
  show();
  expect(await cell('row A column 1, specimen 26-1, received')).toBeVisible();
  expect(await cell('row A column 2, free, next')).toBeVisible();
  expect(await cell('row A column 3, taken')).toBeVisible();
  expect(screen.getAllByRole('gridcell', { name: /, free$/ })).toHaveLength(6);
});

test('keys move through the map, which is one stop of Tab', async () => {
  const user = userEvent.setup();
  show();
  const first = await cell('row A column 2, free, next');
  act(() => first.focus());
  await user.keyboard('{ArrowDown}{End}');
  expect(await cell('row B column 3, free')).toHaveFocus();
  await user.keyboard('{ArrowRight}{ArrowDown}{Home}');
  expect(await cell('row C column 1, free')).toHaveFocus();
  await user.keyboard('{Control>}{Home}{/Control}{Enter}');
  expect(screen.getByRole('heading', { name: 'Position A1' })).toBeVisible();
  expect(screen.getByText('Dana Alder')).toBeVisible();
  expect(screen.getAllByRole('gridcell').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
});

test('a number goes to the next free position, which the server finds', async () => {
  const user = userEvent.setup();
  const sent = show();
  await user.type(await screen.findByLabelText(/Accession number/), '26-2{Enter}');
  expect(await screen.findByText('26-2 is at A2.')).toBeVisible();
  expect(await cell('row A column 2, specimen 26-2, stored')).toBeVisible();
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ code: '26-2', position: null });
  expect(screen.getByText(/Goes to B1/)).toBeVisible();
});

test('a number goes to a chosen position', async () => {
  const user = userEvent.setup();
  const sent = show(filled(3, 2));
  await user.click(await cell('row C column 2, free'));
  await user.type(screen.getByLabelText(/Accession number/), '26-2{Enter}');
  expect(await screen.findByText('26-2 is at C2.')).toBeVisible();
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
    ...{ code: '26-2', position: { row: 3, column: 2 } },
  });
});
