import { caseFollowUpRecord } from '@caseway/contract/case-follow-ups';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import { FollowUpsOfCase } from './FollowUpsOfCase.tsx';

await startTestLocales('case-follow-ups', 'follow-up');
const [caseId, id] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const blank = Object.fromEntries(Object.keys(caseFollowUpRecord.fields).map((name) => [name, null]));
const followUp = {
  ...{ ...blank, id, version: 1, active: true, number: 'FU-26-1', caseRecord: caseId, caseId: 'CR-26-1' },
  ...{ status: 'under-follow-up', purpose: 'isolation', firstOn: '2026-03-06', lastOn: '2026-03-10' },
  ...{ createdOn: '2026-03-06', name: 'Okafor, Ada', patient: caseId, today: 'due', unseenDays: 1 },
};
const path = `/api/web/case-reports/${caseId}/follow-ups`;

beforeEach(() => queryClient.clear());
afterEach(() => act(() => void store.dispatch(signedOut())));

function show(
  body: object,
  { may = ['read', 'write'], readOnly = false, more = {} as Parameters<typeof serve>[0] } = {},
) {
  store.dispatch(
    userReady({
      ...initAnswer([org(caseId, 'Alder Health')]),
      casbinPolicy: may.map((name) => `p, u1, T, contacts/${name}, allow`),
    }),
  );
  const sent = serve({
    [`GET ${path}`]: { body },
    'GET /api/web/events': () => new Promise<never>(() => {}),
    ...more,
  });
  renderInApp(<FollowUpsOfCase caseId={caseId} readOnly={readOnly} />, { path: '/' });
  return sent;
}

test('a follow-up starts with the proposed days, and a refusal is explained', async () => {
  const user = userEvent.setup();
  const sent = show(
    { followUps: [], proposed: { firstOn: '2026-03-06', lastOn: '2026-03-10' } },
    {
      more: {
        'POST /api/web/case-follow-ups': {
          status: 422,
          body: {
            ...{ code: 'validation-failed', message: '', requestId: 'r' },
            faults: [{ path: 'firstOn', code: 'already-followed', message: '' }],
          },
        },
      },
    },
  );
  expect(await screen.findByText('Nobody follows up the person of this case day by day.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Start follow-up' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.selectOptions(dialog.getByLabelText(/^Purpose/), 'Monitoring');
  await user.click(dialog.getByRole('button', { name: 'Start follow-up' }));
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
      ...{ caseRecord: caseId, purpose: 'monitoring', firstOn: '2026-03-06', lastOn: '2026-03-10' },
    }),
  );
  expect(await dialog.findAllByText(/already under follow-up/)).not.toHaveLength(0);
});

test('the last day is asked for if none is proposed', async () => {
  const user = userEvent.setup();
  const sent = show({ followUps: [], proposed: { firstOn: '2026-03-06', lastOn: null } });
  await user.click(await screen.findByRole('button', { name: 'Start follow-up' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Start follow-up' }));
  expect(await dialog.findAllByText(/Fill this in/)).not.toHaveLength(0);
  expect(sent.some(({ method }) => method === 'POST')).toBe(false);
});

test("an active one shows today's state, and records a visit there", async () => {
  const user = userEvent.setup();
  show({ followUps: [followUp] });
  expect(await screen.findByRole('link', { name: 'Follow-up FU-26-1' })).toHaveAttribute(
    'href',
    `/case-follow-ups/${id}`,
  );
  expect(screen.getByText('Due today')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Start follow-up' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Note a visit of Okafor, Ada' }));
  expect(await screen.findByRole('dialog', { name: 'Note a visit of Okafor, Ada' })).toBeVisible();
});

test('offers nothing after emergency access or to readers only; without the permission it is not there', async () => {
  const open = { followUps: [followUp], proposed: { firstOn: '2026-03-06', lastOn: null } };
  show(open, { readOnly: true });
  expect(await screen.findByText('Due today')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  act(() => void store.dispatch(signedOut()));
  queryClient.clear();
  const sent = show(open, { may: [] });
  expect(sent.some((one) => one.path === path)).toBe(false);
});
