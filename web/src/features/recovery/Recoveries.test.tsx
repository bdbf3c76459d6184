import type { Recovery } from '@caseway/contract/recovery';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import RecoverAccount from './RecoverAccount.tsx';
import { Recoveries } from './Recoveries.tsx';
import StopRecovery from './StopRecovery.tsx';
import { WaitingRecoveries } from './WaitingRecoveries.tsx';

await startTestLocales('recovery');
const id = '11111111-1111-4111-8111-111111111111';
const open: Recovery = {
  id,
  accountId: id,
  who: 'Nia Abara',
  email: 'nia@example.org',
  phone: '+18135550142',
  contactChangedAt: null,
  newEmail: 'nia.new@example.net',
  reason: '<b>My phone is gone</b>',
  askedAt: '2026-03-02T15:00:00Z',
  state: 'open',
  expiresAt: '2026-03-09T15:00:00Z',
  usableAt: null,
  endedAt: null,
  note: null,
  approvals: [],
  needed: 1,
  refusal: null,
};
const listed = (...recoveries: Recovery[]) => ({ body: { recoveries, rowCount: recoveries.length } });

beforeEach(() => {
  queryClient.clear();
  store.dispatch(
    userReady(
      initAnswer([org(id, 'Alder Health')], {
        casbinPolicy: ['p, role:admin, T, users/write, allow', 'g, u1, role:admin'],
      }),
    ),
  );
});

describe('administrators of an account', () => {
  test('shows the reason as plain text, and asks to call the number known before', async () => {
    serve({ 'GET /api/web/recoveries': () => listed(open) });
    renderInApp(<Recoveries navigation={null} />);
    const item = await screen.findByRole('listitem');
    expect(within(item).getByText('<b>My phone is gone</b>')).toBeVisible();
    expect(within(item).getByText('(813) 555-0142')).toBeVisible();
    expect(screen.getByText(/call a number that you already had/)).toBeVisible();
    await userEvent.click(within(item).getByRole('button', { name: 'Approve: Nia Abara' }));
    expect(within(screen.getByRole('dialog')).getByText(/\(813\) 555-0142/)).toBeVisible();
  });

  test('approves only with a statement of how the person was verified', async () => {
    const requests = serve({
      'GET /api/web/recoveries': () => listed(open),
      [`POST /api/web/recoveries/${id}/approve`]: () => ({ body: { ...open, state: 'approved' } }),
    });
    renderInApp(<Recoveries navigation={null} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Approve: Nia Abara' }));
    const dialog = screen.getByRole('dialog');
    // Someone else may have asked before the owner, who then says that they asked.
    expect(dialog).toHaveTextContent(
      `Have the person tell you the new address; it has to be ${open.newEmail}.`,
    );
    const approve = within(dialog).getByRole('button', { name: 'Approve' });
    await userEvent.click(approve);
    expect(await within(dialog).findByText('Use at least 10 characters.')).toBeVisible();
    await userEvent.type(within(dialog).getByLabelText('What exactly did you do?'), 'Called the front desk.');
    await userEvent.click(approve);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(requests.find(({ method }) => method === 'POST')!.body).toEqual({
      verifiedBy: 'call',
      verification: 'Called the front desk.',
    });
  });

  test.each([
    ['own-account', 'This is your own account. Someone else has to decide.'],
    ['approved-already', 'You have already approved. Another person has to approve as well.'],
  ] as const)('a user who may not approve sees why, and can decline: %s', async (refusal, words) => {
    serve({ 'GET /api/web/recoveries': () => listed({ ...open, refusal }) });
    renderInApp(<Recoveries navigation={null} />);
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Approve: Nia Abara' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Decline: Nia Abara' })).toBeVisible();
  });

  test('an ended request says how it ended, and has nothing left to decide', async () => {
    const states = {
      completed: 'Back in the account',
      cancelled: 'Stopped by the owner',
      expired: 'Expired',
    };
    serve({
      'GET /api/web/recoveries': () =>
        listed(
          ...(Object.keys(states) as (keyof typeof states)[]).map((state, index) => ({
            ...open,
            id: id.replace('1', String(index)),
            state,
          })),
        ),
    });
    renderInApp(<Recoveries navigation={null} />);
    for (const words of Object.values(states)) expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByRole('button', { name: /Decline/ })).toBeNull();
  });

  test('is counted on the list of users, and absent there if nothing waits', async () => {
    let waiting = [open, { ...open, id: id.replace('1', '2'), state: 'approved' as const }];
    serve({ 'GET /api/web/recoveries': () => listed(...waiting) });
    const { unmount } = renderInApp(<WaitingRecoveries path="/admin/users/recovery" />);
    expect(await screen.findByText('1 person is asking to get back into an account.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Review' })).toHaveAttribute('href', '/admin/users/recovery');
    unmount();
    queryClient.clear();
    waiting = [];
    renderInApp(<WaitingRecoveries path="/admin/users/recovery" />);
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('people who cannot sign in', () => {
  test("requests with the account's name, a new address and a reason", async () => {
    const requests = serve({ 'POST /auth/recovery/request': () => ({ body: {} }) });
    renderInApp(<RecoverAccount />);
    await userEvent.type(screen.getByLabelText('Your account'), 'nia@example.org');
    await userEvent.type(screen.getByLabelText('Where we can reach you now'), 'nia.new@example.net');
    await userEvent.type(screen.getByLabelText('What happened'), 'My phone is gone.');
    await userEvent.click(screen.getByRole('button', { name: 'Send the request' }));
    expect(await screen.findByText('Your request is on its way')).toBeVisible();
    expect(requests[0]!.body).toEqual({
      name: 'nia@example.org',
      email: 'nia.new@example.net',
      reason: 'My phone is gone.',
    });
  });

  test('says when the code becomes usable, and then which name to sign in with', async () => {
    const answers = [
      { state: 'waiting', from: '2026-03-02T15:00:00Z' },
      { state: 'done', username: 'nia.new@example.net' },
    ];
    serve({ 'POST /auth/recovery/complete': () => ({ body: answers.shift() }) });
    renderInApp(<RecoverAccount />);
    await userEvent.click(screen.getByRole('radio', { name: 'I have a code' }));
    await userEvent.type(screen.getByLabelText('Code from the message'), 'abcd-efgh-jkmn-pqrs');
    const send = screen.getByRole('button', { name: 'Get back into my account' });
    await userEvent.click(send);
    expect(await screen.findByText(/works from /)).toBeVisible();
    await userEvent.click(send);
    expect(await screen.findByText(/sign in with nia.new@example.net/)).toBeVisible();
  });

  test('an expired code has its own text, which does not ask for a new one', async () => {
    serve({ 'POST /auth/recovery/stop': { status: 401, body: { code: 'code-expired', message: '' } } });
    renderInApp(<StopRecovery />);
    await userEvent.type(screen.getByLabelText('Code from the message'), 'abcd-efgh-jkmn-pqrs');
    await userEvent.click(screen.getByRole('button', { name: 'Stop the recovery' }));
    expect(await screen.findByText(/This code no longer works/)).toBeVisible();
  });
});
