import { makeRecoveryCodes } from '@caseway/contract/profile';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callApi } from '../data/api.ts';
import { noteActivity } from '../session/activity.ts';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { confirmed } from '../session/confirmation.ts';
import { followOtherTabs, page } from '../session/session.ts';
import { storageKeys } from '../session/storage-keys.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, refreshToken, type Sent, serve } from '../test/server.ts';
import { SessionWatch } from './SessionWatch.tsx';

await startTestLocales();

const minute = 60_000;
const authentication = () => store.getState().authentication;
/** A refresh token issued now, of a session with an idle time of an hour and a lifetime of a day. */
const issued = (more: object = {}) =>
  refreshToken({ iat: Date.now() / 1000, idle: 60, ends: Date.now() / 1000 + 24 * 3600, ...more });
const renewed = () => ({ body: { accessToken: accessToken(60, Date.now()), refreshToken: issued() } });
const refused = { status: 401, body: { code: 'session-expired', message: '' } };
let requests: Sent[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  page.reloadAtRoot = vi.fn();
  requests = serve({
    'POST /auth/tenant/refresh-token': renewed,
    'POST /auth/tenant/sign-out': { body: {} },
  });
  stop = followOtherTabs();
});
afterEach(() => {
  stop();
  act(() => void store.dispatch(signedOut()));
  vi.useRealTimers();
});

function open(token = issued(), more: Parameters<typeof initAnswer>[1] = {}): void {
  noteActivity();
  localStorage.setItem(storageKeys.refreshToken, token);
  sessionStorage.setItem(storageKeys.refreshToken, token);
  store.dispatch(tokensReceived({ accessToken: accessToken(60, Date.now()), refreshToken: token }));
  store.dispatch(userReady(initAnswer(undefined, more)));
  renderInApp(<SessionWatch form={({ username }) => <p>Sign in as {username}</p>} />);
}
const pass = (minutes: number) => act(() => vi.advanceTimersByTimeAsync(minutes * minute));
const sent = (path: string) => requests.filter((one) => one.path === path);
const warning = () => screen.queryByRole('alertdialog', { name: 'Your session is about to end' });

describe('[S8.1] an unused session', () => {
  test('is warned about five minutes before its end, with the time left', async () => {
    open();
    await pass(54);
    expect(warning()).toBeNull();
    await pass(2);
    await screen.findByRole('alertdialog', { name: 'Your session is about to end' });
    expect(screen.getByRole('timer')).toHaveTextContent(/^[34]:\d\d left$/);
  });

  test('ends, on the server too, and the user signs in again in place', async () => {
    open();
    await pass(61);
    expect(await screen.findByText('Sign in as robin@example.org')).toBeInTheDocument();
    expect(authentication()).toMatchObject({ authenticated: false, ended: 'refused', user: { id: 'u1' } });
    expect(sent('/auth/tenant/sign-out')).toHaveLength(1);
    // The token stays: other tabs would treat its removal as a sign-out and lose unsaved work.
    expect(localStorage.getItem(storageKeys.refreshToken)).not.toBeNull();
  });

  test('continues when someone says so', async () => {
    open();
    await pass(56);
    fireEvent.click(await screen.findByRole('button', { name: 'Stay signed in' }));
    await waitFor(() => expect(warning()).toBeNull());
    expect(sent('/auth/tenant/refresh-token')).toHaveLength(1);
    await pass(50);
    expect(authentication().ended).toBeNull();
  });

  test('a key touched by accident during the warning is not activity', async () => {
    open();
    await pass(56);
    fireEvent.keyDown(document.body, { key: 'a' });
    await pass(5);
    expect(authentication().ended).toBe('refused');
  });

  test('continues here when it is used in another tab', async () => {
    open();
    await pass(56);
    expect(warning()).not.toBeNull();
    localStorage.setItem('caseway.last-activity', String(Date.now()));
    await pass(0.2);
    await waitFor(() => expect(warning()).toBeNull());
  });
});

describe('a session in use', () => {
  test('is renewed even if nothing is requested from the server, and does not end', async () => {
    open();
    for (let quarter = 0; quarter < 6; quarter += 1) {
      await pass(15);
      fireEvent.pointerDown(document.body);
    }
    expect(warning()).toBeNull();
    expect(authentication().ended).toBeNull();
    expect(sent('/auth/tenant/refresh-token').length).toBeGreaterThanOrEqual(5);
  });

  test('ends by its age; the user may sign in again before, or later', async () => {
    open(issued({ ends: Date.now() / 1000 + 1800 }));
    await pass(26);
    expect(await screen.findByText(/time limit for one session/)).toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Later' }));
    await waitFor(() => expect(warning()).toBeNull());
    await pass(5);
    expect(await screen.findByText('Sign in as robin@example.org')).toBeInTheDocument();
  });
});

describe('two tabs', () => {
  const elsewhere = (token: string | null) => {
    if (token === null) localStorage.removeItem(storageKeys.refreshToken);
    else localStorage.setItem(storageKeys.refreshToken, token);
    window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.refreshToken, newValue: token }));
  };

  test('signing in again in one tab continues the other, where nothing is lost', async () => {
    open();
    await pass(61);
    expect(authentication().ended).toBe('refused');
    noteActivity();
    await act(async () => elsewhere(issued({ sid: 's2' })));
    await waitFor(() => expect(authentication()).toMatchObject({ authenticated: true, ended: null }));
    expect(sent('/auth/tenant/refresh-token').at(-1)!.body).toEqual({
      refreshToken: expect.stringContaining('.'),
    });
    expect(page.reloadAtRoot).not.toHaveBeenCalled();
  });

  test('a renewal in one is known in the other', async () => {
    open();
    const next = issued({ turn: 2 });
    await act(async () => elsewhere(next));
    expect(authentication().tokens).toMatchObject({ refreshToken: next, accessToken: expect.any(String) });
    expect(sent('/auth/tenant/refresh-token')).toEqual([]);
  });

  test("another user's sign-in in one changes nothing in the other", async () => {
    open();
    const own = authentication().tokens;
    await act(async () => elsewhere(issued({ sub: 'u2', sid: 's9' })));
    expect(authentication().tokens).toEqual(own);
  });

  test('[S4.3] signing out of one signs out of the other', async () => {
    open();
    await act(async () => elsewhere(null));
    expect(authentication().user).toBeNull();
    expect(page.reloadAtRoot).toHaveBeenCalledOnce();
  });
});

describe('the event stream', () => {
  test('[P14] when refused by the server, shows immediately that the session was ended elsewhere', async () => {
    requests = serve({ 'GET /api/web/events': refused });
    open();
    expect(await screen.findByText('Sign in as robin@example.org')).toBeInTheDocument();
  });

  test('is not opened while the organization requires a second factor first', async () => {
    const { selectedOrg } = initAnswer();
    open(issued(), { selectedOrg: { ...selectedOrg!, secondFactorNeeded: true } });
    await pass(1);
    expect(sent('/api/web/events')).toEqual([]);
  });
});

describe('an action that needs a recent sign-in', () => {
  const needed = { status: 403, body: { code: 'recent-sign-in-needed', message: '' } };

  test('asks to sign in again, then continues', async () => {
    open();
    let asked = 0;
    requests = serve({
      'POST /api/profile/recovery-codes': () => {
        asked += 1;
        return asked === 1 ? needed : { body: { recoveryCodes: ['a'] } };
      },
    });
    const done = confirmed(callApi, makeRecoveryCodes, { body: {} });
    expect(await screen.findByRole('dialog', { name: 'Confirm that it is you' })).toBeInTheDocument();
    expect(screen.getByText('Sign in as robin@example.org')).toBeInTheDocument();
    // It is neither a refusal to report nor the end of the session.
    expect(store.getState().notifications.open).toEqual([]);
    expect(authentication().ended).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await expect(done).rejects.toMatchObject({ code: 'recent-sign-in-needed' });
    expect(asked).toBe(1);
  });
});
