import { partnerRecord } from '@caseway/contract/partner-services';
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
import PartnerServices from './PartnerServices.tsx';

await startTestLocales('partner-services');
const [one, two] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const blank = Object.fromEntries(Object.keys(partnerRecord.fields).map((name) => [name, null]));
const row = (id: string, number: string) => ({
  ...{ ...blank, id, version: 2, active: true, number, caseRecord: one, stage: 'FF', referralBasis: 'T1' },
  ...{ condition: 'gonorrhea', name: `Somebody of ${number}`, caseId: 'CR-26-1', createdOn: '2026-03-01' },
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
      casbinPolicy: may.map((name) => `p, u1, T, partner-services/${name}, allow`),
    }),
  );
  const sent = serve({
    'POST /api/web/grid/partner-services/search': {
      body: { rows: [row(one, 'PS-26-1'), row(two, 'PS-26-2')], rowCount: 2 },
    },
    'GET /api/web/list/options/investigators': { body: { options: [{ id: two, label: 'Luis Ortega' }] } },
    ...bulkAnswers('partner-services', 'assignInterviewer', {
      id: two,
      name: 'PS-26-2',
      code: 'required',
      field: 'disposition',
    }),
    'GET /api/web/events': () => new Promise<never>(() => {}),
  });
  renderInApp(<PartnerServices />, { path: '/partner-services' });
  return sent;
}
/** Selects all, and returns the choice of actions with its options. */
async function chosen(user: ReturnType<typeof userEvent.setup>) {
  for (const number of ['PS-26-1', 'PS-26-2'])
    await user.click(await screen.findByRole('checkbox', { name: new RegExp(number) }));
  await user.click(screen.getByRole('button', { name: 'Change' }));
  const deed = await screen.findByLabelText('Action');
  const offered = within(deed)
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
  return { deed, offered };
}

test('many are assigned to an interviewer; one without a disposition stays, and says so', async () => {
  const user = userEvent.setup();
  const sent = show(['read', 'investigate', 'supervise']);
  const { deed, offered } = await chosen(user);
  expect(offered).toEqual([
    ...['Choose', 'Decide on follow-up', 'End surveillance', 'Assign field follow-up'],
    ...['Assign the interview', 'Close', 'Change fields'],
  ]);
  await user.selectOptions(deed, 'Assign the interview');
  await screen.findByRole('option', { name: 'Luis Ortega' });
  await user.selectOptions(within(screen.getByRole('dialog')).getByLabelText(/^Interviewer/), 'Luis Ortega');
  expect(await screen.findByText('Disposition: Fill this in.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Change 1' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(
    sent
      .filter(({ path }) => path === '/api/web/partner-services/bulk')
      .map(({ body }) => body)
      .slice(-2),
  ).toEqual([
    expect.objectContaining({
      dryRun: true,
      transition: { id: 'assignInterviewer', fields: { interviewer: two } },
    }),
    expect.objectContaining({ dryRun: false, expected: 2, selection: { ids: [one, two] } }),
  ]);
});

test('an investigator cannot assign', async () => {
  const user = userEvent.setup();
  show(['read', 'investigate']);
  const { offered } = await chosen(user);
  expect(offered).toEqual(['Choose', 'Decide on follow-up', 'End surveillance', 'Change fields']);
});

test('users who only read cannot select', async () => {
  show(['read']);
  expect(await screen.findByRole('link', { name: /PS-26-1/ })).toBeInTheDocument();
  expect(screen.queryByRole('checkbox')).toBeNull();
});
