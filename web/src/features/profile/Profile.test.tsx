import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, type Sent, serve } from '../../test/server.ts';
import Profile from './Profile.tsx';

await startTestLocales('profile');

const at = '2026-03-01T12:00:00.000Z';
const own = {
  firstName: 'Robin',
  middleName: '',
  lastName: 'Wren',
  languageCode: 'en',
  timeZone: 'America/New_York',
  username: 'robin@example.org',
  email: 'robin@example.org',
  phone: null,
  phoneConfirmed: false,
  secondFactorRequired: false,
  totp: null,
  passkeys: [],
  recoveryCodesLeft: 0,
};
const session = (id: string, current: boolean, userAgent: string) => ({
  id,
  current,
  userAgent,
  address: '192.0.2.7',
  methods: ['EMAIL', 'TOTP'],
  createdAt: at,
  lastUsedAt: at,
  endsAt: at,
});
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const firefox = 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';
const here = '00000000-0000-4000-8000-000000000001';
const there = '00000000-0000-4000-8000-000000000002';

beforeEach(() => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

function show(answers: Parameters<typeof serve>[0] = {}, profile: object = own): Sent[] {
  const requests = serve({
    'GET /api/profile': { body: profile },
    'GET /api/profile/sessions': {
      body: { sessions: [session(here, true, chrome), session(there, false, firefox)] },
    },
    'GET /api/profile/offers': { body: { offers: [] } },
    'GET /api/web/list/timeZones': { body: { timeZones: [] } },
    'GET /api/auth/initUser': { body: initAnswer() },
    ...answers,
  });
  renderInApp(<Profile />);
  return requests;
}
const sentTo = (requests: Sent[], path: string) => requests.filter((one) => one.path === path);

describe("a user's own account", () => {
  test('sessions are listed with device, time and method; another can be ended, the current one cannot', async () => {
    const requests = show({ [`DELETE /api/profile/sessions/${there}`]: { status: 204 } });
    const list = await screen.findByRole('list', { name: 'Where you are signed in' });
    const items = within(list).getAllByRole('listitem');
    expect(items[0]).toHaveTextContent(
      /Chrome on Windows.*This session.*code by email · authenticator app · 192\.0\.2\.7/,
    );
    expect(within(items[0]!).queryByRole('button')).toBeNull();
    await userEvent.click(
      within(items[1]!).getByRole('button', { name: 'End the session on Firefox on Android' }),
    );
    await waitFor(() => expect(sentTo(requests, `/api/profile/sessions/${there}`)).toHaveLength(1));
    await waitFor(() => expect(sentTo(requests, '/api/profile/sessions').length).toBeGreaterThan(1));
  });

  test('[P1] a user invited by another tenant sees by whom and to what, and accepts or refuses', async () => {
    const offer = (id: string, tenant: string) => ({
      id,
      tenant,
      invitedBy: 'Ines Vale',
      invitedAt: at,
      organizations: [
        { orgType: 'T', name: tenant, roles: [{ label: 'Auditor', labelI18N: { es: 'Auditoría' } }] },
        { orgType: 'O', name: 'Branch', roles: [{ label: 'Analyst' }] },
      ],
    });
    let offers = [offer(here, 'Birch'), offer(there, 'Cedar')];
    const without = (id: string, body?: object) => () => {
      offers = offers.filter((one) => one.id !== id);
      return body ? { body } : { status: 204 };
    };
    const requests = show({
      'GET /api/profile/offers': () => ({ body: { offers } }),
      [`POST /api/profile/offers/${here}/accept`]: without(here, { organizations: 2 }),
      [`POST /api/profile/offers/${there}/refuse`]: without(there),
    });
    const list = await screen.findByRole('list', { name: 'Invitations' });
    expect(within(list).getAllByRole('listitem')[0]).toHaveTextContent(
      /Birch.*Birch: Auditor.*Branch: Analyst.*Ines Vale invited you on/,
    );
    await userEvent.click(within(list).getByRole('button', { name: 'Accept the invitation of Birch' }));
    await waitFor(() => expect(within(list).queryByText('Birch')).toBeNull());
    // The list of organizations changes now.
    await waitFor(() => expect(sentTo(requests, '/api/auth/initUser').length).toBeGreaterThan(0));
    await userEvent.click(within(list).getByRole('button', { name: 'Refuse the invitation of Cedar' }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Refuse' }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Invitations' })).toBeNull());
    expect(sentTo(requests, `/api/profile/offers/${there}/refuse`)).toHaveLength(1);
  });

  test('[S5.1] a missing name is shown at its field, and the typed values stay', async () => {
    const requests = show({
      'PATCH /api/profile': ({ body }) => ({ body: { ...own, ...(body as object) } }),
    });
    const first = await screen.findByLabelText('First name');
    await userEvent.clear(first);
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(first).toHaveAccessibleDescription('Fill this in.');
    expect(sentTo(requests, '/api/profile').every(({ method }) => method === 'GET')).toBe(true);
    await userEvent.type(first, 'Rob');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sentTo(requests, '/api/profile').find(({ method }) => method === 'PATCH')?.body).toEqual({
        firstName: 'Rob',
      }),
    );
  });

  test('a name that was typed and not saved is still there after a reload', async () => {
    show();
    await userEvent.type(await screen.findByLabelText('Last name'), 's');
    cleanup();
    show();
    expect(await screen.findByLabelText('Last name')).toHaveValue('Wrens');
    await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
    expect(screen.getByLabelText('Last name')).toHaveValue('Wren');
  });

  test('keeps text typed while a name is being saved', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    show({
      'PATCH /api/profile': async ({ body }) => {
        await arrived;
        return { body: { ...own, ...(body as object) } };
      },
    });
    const first = await screen.findByLabelText('First name');
    await userEvent.clear(first);
    await userEvent.type(first, 'Rob{Enter}');
    await userEvent.type(screen.getByLabelText('Last name'), 's');
    arrive();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
    expect(first).toHaveValue('Rob');
    expect(screen.getByLabelText('Last name')).toHaveValue('Wrens');
  });

  test('[P21] an authenticator app is added with its first code; recovery codes are shown until they are kept', async () => {
    let tries = 0;
    const requests = show({
      'POST /api/profile/totp/begin': {
        body: {
          details: 'enrolment',
          secret: 'ABCDEFGHIJKLMNOP',
          address: 'otpauth://totp/x?secret=ABCDEFGHIJKLMNOP',
        },
      },
      'POST /api/profile/totp': () => {
        tries += 1;
        return tries === 1
          ? {
              status: 422,
              body: {
                code: 'validation-failed',
                message: '',
                faults: [{ path: 'code', code: 'code-wrong', message: '' }],
              },
            }
          : { body: { recoveryCodes: ['abcde-fghjk', 'mnpqr-stuvw'] } };
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Add an authenticator app' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add an authenticator app' }));
    expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeInTheDocument();
    expect(dialog.getByText('ABCD EFGH IJKL MNOP')).toBeInTheDocument();
    await userEvent.type(dialog.getByLabelText('Code from the app'), '123456{Enter}');
    expect(await dialog.findByText(/not the code that the app should show/)).toBeInTheDocument();
    await userEvent.type(dialog.getByLabelText('Code from the app'), '654 321');
    await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
    const codes = within(await screen.findByRole('dialog', { name: 'Recovery codes' }));
    expect(codes.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'abcde-fghjk',
      'mnpqr-stuvw',
    ]);
    expect(codes.getByRole('button', { name: 'Done' })).toBeDisabled();
    await userEvent.click(codes.getByLabelText('I have kept these codes'));
    await userEvent.click(codes.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sentTo(requests, '/api/profile/totp').map(({ body }) => body)).toEqual([
      { details: 'enrolment', code: '123456' },
      { details: 'enrolment', code: '654321' },
    ]);
    // The organization may allow more now.
    expect(sentTo(requests, '/api/auth/initUser').length).toBeGreaterThan(0);
  });

  test('the last factor that an organization requires cannot be removed, and the screen says why', async () => {
    show(
      { 'DELETE /api/profile/totp': { status: 409, body: { code: 'last-second-factor', message: '' } } },
      { ...own, secondFactorRequired: true, totp: { createdAt: at, lastUsedAt: null } },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Remove the authenticator app' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove the authenticator app' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(/this is your only second step/);
  });

  test('a telephone number entered by someone else is confirmed by its owner', async () => {
    const entered = '+18135550100';
    const requests = show(
      {
        'POST /api/profile/contact': {
          body: { details: 'change', present: { by: 'EMAIL', destination: own.email }, expiresAt: at },
        },
        'POST /api/profile/contact/confirm': { body: { ...own, phone: entered, phoneConfirmed: true } },
      },
      { ...own, phone: entered },
    );
    expect(await screen.findByText(/^\(813\) 555-0100\. Not confirmed/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Confirm your phone number' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm your phone number' }));
    expect(dialog.getByLabelText('Phone')).toHaveValue(entered);
    expect(dialog.queryByRole('checkbox')).toBeNull();
    await userEvent.type(dialog.getByLabelText('Phone'), '{Enter}');
    await userEvent.type(await screen.findByLabelText(`Code sent to ${entered}`), '111111');
    await userEvent.type(screen.getByLabelText(`Code sent to ${own.email}`), '222222');
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sentTo(requests, '/api/profile/contact')[0]!.body).toEqual({
      kind: 'PHONE',
      value: entered,
      presentBy: 'EMAIL',
    });
  });

  test('a telephone number is shown as people write it, and changed with both codes', async () => {
    const requests = show(
      {
        'POST /api/profile/contact': {
          body: { details: 'change', present: { by: 'SMS', destination: '+18135550100' }, expiresAt: at },
        },
        'POST /api/profile/contact/confirm': {
          body: { ...own, phone: '+14045550123', phoneConfirmed: true },
        },
      },
      { ...own, phone: '+18135550100', phoneConfirmed: true },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Change your phone number' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change your phone number' }));
    await userEvent.type(dialog.getByLabelText('New phone number'), '555{Enter}');
    expect(dialog.getByLabelText('New phone number')).toHaveAccessibleDescription(/with its country code/);
    await userEvent.clear(dialog.getByLabelText('New phone number'));
    await userEvent.type(dialog.getByLabelText('New phone number'), '+1 (404) 555-0123{Enter}');
    await userEvent.type(await screen.findByLabelText('Code sent to +14045550123'), '111111');
    await userEvent.type(screen.getByLabelText('Code sent to +18135550100'), '222222');
    await userEvent.click(screen.getByRole('button', { name: 'Change' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sentTo(requests, '/api/profile/contact')[0]!.body).toEqual({
      kind: 'PHONE',
      value: '+14045550123',
      presentBy: 'SMS',
    });
    expect(sentTo(requests, '/api/profile/contact/confirm')[0]!.body).toEqual({
      details: 'change',
      newCode: '111111',
      presentCode: '222222',
    });
  });
});
