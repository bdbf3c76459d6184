import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import { EditPlace } from './EditPlace.tsx';
import { type PlaceRecord, placeKind } from './kinds.ts';

await startTestLocales('places');
const id = '11111111-1111-4111-8111-111111111111';
const clinic: PlaceRecord = {
  id,
  version: 1,
  active: true,
  status: 'active',
  name: 'Harbor Clinic',
  experience: 'HEALTH_CARE',
  contactName: 'Ada Stone',
  contactEmail: 'ada@harbor.example',
  contactPhone: null,
  facilities: 2,
  programs: 1,
};
beforeEach(() => {
  queryClient.clear();
  store.dispatch(userReady(initAnswer([org(id, 'Alder Health')])));
});

/** The form over the current record. */
const open = (record: PlaceRecord) =>
  renderInApp(
    <EditPlace kind={placeKind('organizations')} record={record} onSaved={vi.fn()} onClose={vi.fn()} />,
  );
const field = (name: string) => screen.getByRole('textbox', { name: new RegExp(`^${name}`) });

test('a draft from before a reload comes back on top of someone else’s later changes', async () => {
  const requests = serve({
    [`PATCH /api/web/organizations/${id}`]: ({ body }) => ({
      body: { ...clinic, ...(body as object), version: 3 },
    }),
  });
  const first = open(clinic);
  await userEvent.clear(field('Name'));
  await userEvent.type(field('Name'), 'Harbor Clinic East');
  await act(() => first.unmount());

  // They have changed another field, and the same one.
  open({ ...clinic, version: 2, name: 'Harbor Clinic West', contactName: 'Bea Stone' });
  expect(field('Name')).toHaveValue('Harbor Clinic East');
  expect(field('Contact(?! email| phone)')).toHaveValue('Bea Stone');
  expect(
    screen.getByText(/^Name: was Harbor Clinic, now Harbor Clinic West, you entered /),
  ).toBeInTheDocument();
  expect(screen.queryByText(/now Bea Stone/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  // None of their values that were not edited here are sent.
  const sent = () => requests.filter(({ method }) => method !== 'GET').map(({ body }) => body);
  await waitFor(() => expect(sent()).toEqual([{ version: 2, name: 'Harbor Clinic East' }]));
});
