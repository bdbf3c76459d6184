import { addDays } from '@caseway/contract/date-range';
import {
  analyticsCodec,
  gridCodec,
  initialAnalyticsState,
  initialGridView,
} from '@caseway/contract/search-params';
import { takenAway } from '@caseway/contract/session';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AppError } from '../data/transport.ts';
import { currentMark, setKeptMark } from '../kept/mark.ts';
import { initAnswer, accessToken as lastingFor, org, refreshToken, serve, token } from '../test/server.ts';
import { viewSet } from '../view/views.ts';
import { overrideLabels } from '../words/i18n.ts';
import { signedOut } from './authentication.ts';
import { notify } from './notify.ts';
import { densityChosen } from './preferences.ts';
import {
  accessToken,
  adoptTokens,
  chooseOrg,
  followOtherTabs,
  page,
  selectOrg,
  signOut,
  startSession,
} from './session.ts';
import { storageKeys } from './storage-keys.ts';
import { store } from './store.ts';
import { lapsesSoon } from './tokens.ts';

vi.mock(import('../words/i18n.ts'), async (original) => ({ ...(await original()), overrideLabels: vi.fn() }));

const authentication = () => store.getState().authentication;
const renewed = () => ({ body: { accessToken: lastingFor(), refreshToken: refreshToken({ turn: 2 }) } });
const reload = vi.fn();

beforeEach(() => {
  reload.mockReset();
  vi.mocked(overrideLabels).mockReset();
  page.reloadAtRoot = reload;
});
afterEach(() => {
  store.dispatch(signedOut());
});

describe('the data a device stores for offline work', () => {
  const mark = { account: 'u1', org: 'T:t1', unsent: 2, asks: 0 };
  const start = async (refusal: object | null, answer = initAnswer([org('t1', 'Alder')])) => {
    const account = answer.user.id;
    setKeptMark({ ...mark, account });
    localStorage.setItem(storageKeys.refreshToken, refreshToken());
    serve({
      'POST /auth/tenant/refresh-token': refusal ? { status: 401, body: refusal } : renewed(),
      'GET /api/auth/initUser': { body: answer },
    });
    await startSession();
    // jsdom has no database to empty; the mark is removed at once.
    return currentMark()?.account === account;
  };
  const refused = { code: 'session-expired', message: 'over' };
  afterEach(() => setKeptMark(null));

  test('stays after the session lapsed, and is deleted after someone ended it', async () => {
    expect(await start(refused)).toBe(true);
    expect(await start(null)).toBe(true);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const ended = { path: 'refreshToken', code: takenAway, message: 'ended' };
    expect(await start({ ...refused, faults: [ended] })).toBe(false);
    expect(currentMark()).toMatchObject({ unsent: 0 });
  });

  test('is deleted with the organization, and for another account', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(await start(null, initAnswer([org('t2', 'Birch')]))).toBe(false);
    const one = initAnswer([org('t1', 'Alder')]);
    setKeptMark({ ...mark, account: 'somebody-else' });
    serve({
      'POST /auth/tenant/refresh-token': renewed(),
      'GET /api/auth/initUser': { body: one },
    });
    localStorage.setItem(storageKeys.refreshToken, refreshToken());
    await startSession();
    expect(currentMark()?.account).not.toBe('somebody-else');
  });
});

describe('starting', () => {
  test('[S4.2] uses the session that the page renewed while the program was loading', async () => {
    const tokens = { accessToken: lastingFor(), refreshToken: refreshToken({ turn: 2 }) };
    localStorage.setItem(storageKeys.refreshToken, tokens.refreshToken);
    window.sessionAhead = {
      tokens: Promise.resolve(tokens),
      person: Promise.resolve(initAnswer()),
      org: null,
      language: 'en',
    };
    const requests = serve({});
    await startSession();
    expect(requests).toEqual([]);
    expect(authentication().phase).toBe('ready');
    expect(authentication().tokens).toEqual(tokens);
  });

  test('[S4.2] renews with the refresh token of an earlier visit, then loads the user with the access token', async () => {
    localStorage.setItem(storageKeys.refreshToken, refreshToken());
    const requests = serve({
      'POST /auth/tenant/refresh-token': renewed(),
      'GET /api/auth/initUser': { body: initAnswer() },
    });
    await startSession();
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /auth/tenant/refresh-token',
      'GET /api/auth/initUser',
    ]);
    expect(requests[0]!.body).toEqual({ refreshToken: refreshToken() });
    expect(requests[1]!.headers.authorization).toBe(`Bearer ${authentication().tokens.accessToken}`);
    expect(authentication()).toMatchObject({ authenticated: true, phase: 'ready', user: { id: 'u1' } });
    expect(sessionStorage.getItem(storageKeys.refreshToken)).toBe(refreshToken({ turn: 2 }));
    expect(localStorage.getItem(storageKeys.refreshToken)).toBe(refreshToken({ turn: 2 }));
  });

  test('without a token no one is signed in, and nothing is requested', async () => {
    const requests = serve({});
    await startSession();
    expect(requests).toEqual([]);
    expect(authentication()).toMatchObject({ phase: 'ready', authenticated: false, user: null });
  });

  test('a refused token is dropped; with an unreachable server it can be retried', async () => {
    localStorage.setItem(storageKeys.refreshToken, refreshToken());
    serve({ 'POST /auth/tenant/refresh-token': new TypeError('failed to fetch') });
    await startSession();
    expect(authentication()).toMatchObject({ phase: 'failed', failure: 'unreachable' });
    expect(localStorage.getItem(storageKeys.refreshToken)).toBe(refreshToken());

    serve({
      'POST /auth/tenant/refresh-token': { status: 401, body: { code: 'session-expired', message: '' } },
    });
    await startSession();
    expect(authentication()).toMatchObject({ phase: 'ready', authenticated: false });
    expect(localStorage.getItem(storageKeys.refreshToken)).toBeNull();
  });

  test.each([
    ['unavailable', { status: 503, body: { code: 'unavailable', message: '' } }],
    ['unavailable', { status: 502, raw: '<html>bad gateway</html>' }],
    ['unreachable', new TypeError('failed to fetch')],
  ])('[P6] a server that is %s at the start is asked again until it answers: %o', async (failure, answer) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.useFakeTimers();
    localStorage.setItem(storageKeys.refreshToken, refreshToken());
    const requests = serve({
      'POST /auth/tenant/refresh-token': renewed(),
      'GET /api/auth/initUser': answer,
    });
    await startSession();
    expect(authentication()).toMatchObject({ phase: 'failed', failure });
    const asked = requests.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests.length).toBeGreaterThan(asked);
    // The message stays on the screen in between.
    expect(authentication()).toMatchObject({ phase: 'failed', failure });
    serve({
      'POST /auth/tenant/refresh-token': renewed(),
      'GET /api/auth/initUser': { body: initAnswer() },
    });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(authentication()).toMatchObject({ phase: 'ready', authenticated: true });
    vi.useRealTimers();
    said.mockRestore();
  });

  test('[P6] a patient stays signed in while the server cannot say who they are', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    localStorage.setItem(storageKeys.refreshToken, refreshToken({ patient: true }));
    serve({
      'POST /auth/patient/refresh-token': {
        body: { accessToken: lastingFor(), refreshToken: refreshToken({ patient: true, turn: 2 }) },
      },
      'GET /api/patient/auth/initUser': { status: 503, body: { code: 'unavailable', message: '' } },
    });
    await startSession();
    expect(authentication()).toMatchObject({ phase: 'failed', failure: 'unavailable' });
    expect(localStorage.getItem(storageKeys.refreshToken)).toBe(refreshToken({ patient: true, turn: 2 }));
    said.mockRestore();
  });

  test('[S6.5] an unreadable answer, such as an unknown org type, is not reported as a missing answer', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    localStorage.setItem(storageKeys.refreshToken, refreshToken());
    const { availableOrgs, ...rest } = initAnswer();
    serve({
      'POST /auth/tenant/refresh-token': renewed(),
      'GET /api/auth/initUser': {
        body: { ...rest, availableOrgs: availableOrgs.map((one) => ({ ...one, orgType: 'X' })) },
      },
    });
    await startSession();
    expect(authentication()).toMatchObject({ phase: 'failed', failure: 'misunderstood' });
    expect(String(said.mock.calls[0]![0])).toContain('availableOrgs.0.orgType');
  });

  test("a patient sees their tenant's texts", async () => {
    localStorage.setItem(storageKeys.refreshToken, refreshToken({ patient: true }));
    const labelOverrides = { ht: { 'portal:nav.results': 'Rezilta laboratwa mwen' } };
    serve({
      'POST /auth/patient/refresh-token': {
        body: { accessToken: lastingFor(), refreshToken: refreshToken({ patient: true }) },
      },
      'GET /api/patient/auth/initUser': {
        body: { patient: { id: 'p1', email: null }, labelOverrides },
      },
    });
    await startSession();
    expect(authentication().patient).toEqual({ id: 'p1', email: null });
    expect(overrideLabels).toHaveBeenCalledExactlyOnceWith(labelOverrides);
  });

  test('[S4.4] after a failed patient init, no one is signed in, with no tokens, at the root and without a message', async () => {
    localStorage.setItem(storageKeys.refreshToken, refreshToken({ patient: true }));
    window.history.replaceState(null, '', '/portal');
    const requests = serve({
      'POST /auth/patient/refresh-token': {
        body: { accessToken: lastingFor(), refreshToken: refreshToken({ patient: true }) },
      },
      'GET /api/patient/auth/initUser': { status: 500, body: { code: 'internal', message: '' } },
    });
    await startSession();
    expect(requests).toHaveLength(2);
    expect(authentication()).toMatchObject({
      authenticated: false,
      phase: 'ready',
      tokens: { accessToken: null, refreshToken: null },
    });
    expect(localStorage.getItem(storageKeys.refreshToken)).toBeNull();
    expect(sessionStorage.getItem(storageKeys.refreshToken)).toBeNull();
    expect(window.location.pathname).toBe('/');
    expect(store.getState().notifications.open).toEqual([]);
  });
});

describe('the organization', () => {
  const orgs = [org('2', 'Birch'), org('3', 'Cedar', { orgType: 'F' }), org('1', 'Alder')];
  const answer = (selected: (typeof orgs)[number]) => ({
    body: initAnswer([selected, ...orgs.filter((one) => one !== selected)]),
  });

  test('[S4.6] is the last used one if still available, otherwise the first by name', () => {
    expect(selectOrg(orgs, 'F:3')?.name).toBe('Cedar');
    expect(selectOrg(orgs, 'T:9')?.name).toBe('Alder');
    expect(selectOrg(orgs, null)?.name).toBe('Alder');
    // The same id with another type is another organization.
    expect(selectOrg(orgs, 'T:3')?.name).toBe('Alder');
    expect(selectOrg([], 'T:1')).toBeUndefined();
  });

  test("[S4.6] the tab's own comes before the browser's; the list is sorted by name", async () => {
    sessionStorage.setItem(storageKeys.lastUsedOrg, 'F:3');
    localStorage.setItem(storageKeys.lastUsedOrg, 'T:2');
    const requests = serve({ 'GET /api/auth/initUser': answer(orgs[1]!) });
    await adoptTokens({ accessToken: lastingFor(), refreshToken: refreshToken() });
    expect(requests[0]!.query).toEqual({ org: 'F:3' });
    expect(authentication().availableOrgs.map(({ name }) => name)).toEqual(['Alder', 'Birch', 'Cedar']);
    expect(authentication().selectedTenantOrg?.name).toBe('Cedar');
  });

  test('[S4.6] policy and features are reloaded if the server had selected another one', async () => {
    const requests = serve({
      'GET /api/auth/initUser': ({ query }) => (query.org === 'T:1' ? answer(orgs[2]!) : answer(orgs[0]!)),
    });
    await adoptTokens({ accessToken: lastingFor(), refreshToken: refreshToken() });
    expect(requests.map(({ query }) => query.org)).toEqual([undefined, 'T:1']);
    expect(authentication().selectedTenantOrg?.name).toBe('Alder');
    expect(sessionStorage.getItem(storageKeys.lastUsedOrg)).toBe('T:1');
  });

  test('[S2.5, S4.7] choosing one stores the choice, resets grids and analytics except the field visit filters, and reloads at the root', async () => {
    serve({ 'GET /api/auth/initUser': answer(orgs[2]!) });
    await adoptTokens({ accessToken: lastingFor(), refreshToken: refreshToken() });
    const grid = {
      id: 'patients',
      permission: 'patients/read' as const,
      columns: { name: { kind: 'text' as const } },
      defaultSort: [],
      filters: ['programFilter'],
      defaultRange: (today: string) => ({ start: addDays(today, -14), end: today }),
      row: z.object({}),
    };
    const screen = {
      id: 'testing',
      permission: 'testing-analytics/read' as const,
      listFilters: ['programFilter'],
      defaultRange: grid.defaultRange,
    };
    const view = {
      ...initialGridView(grid),
      filters: { programFilter: ['p1'] },
      filterModel: {
        items: [{ field: 'name', operator: 'contains', value: 'x' }],
        logicOperator: 'and' as const,
      },
      paginationModel: { page: 3, pageSize: 25 },
      savedFilter: '0199',
    };
    const state = { ...initialAnalyticsState(screen), filters: { programFilter: ['p1'] } };
    store.dispatch(viewSet(gridCodec(grid), view));
    store.dispatch(viewSet(gridCodec({ ...grid, id: 'field-visits', keptAcrossOrgs: true }), view));
    store.dispatch(viewSet(analyticsCodec(screen), state));
    store.dispatch(viewSet(analyticsCodec({ ...screen, id: 'field-visits', keptAcrossOrgs: true }), state));
    expect(authentication().initialOrg).toBe('T:1');
    await chooseOrg(orgs[1]!);
    expect(sessionStorage.getItem(storageKeys.lastUsedOrg)).toBe('F:3');
    expect(localStorage.getItem(storageKeys.lastUsedOrg)).toBe('F:3');
    const { views } = store.getState();
    expect(Object.keys(views)).toEqual(['grid/field-visits', 'analytics/field-visits']);
    // A column filter may name a person, so only the list filters stay.
    expect(views['grid/field-visits']!.view).toMatchObject({
      filters: { programFilter: ['p1'] },
      filterModel: { items: [] },
      paginationModel: { page: 0 },
      savedFilter: null,
    });
    expect(views['analytics/field-visits']!.view).toEqual(state);
    expect(authentication().initialOrg).toBeNull();
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe('the access token', () => {
  const now = Date.UTC(2024, 5, 1);
  test('[S4.5, S9.11] counts as expired five minutes early', () => {
    expect(lapsesSoon(token({ atExpAt: now + 5 * 60_000 }), now)).toBe(true);
    expect(lapsesSoon(token({ atExpAt: now + 5 * 60_000 + 1 }), now)).toBe(false);
    expect(lapsesSoon('no token at all', now)).toBe(true);
    expect(lapsesSoon(null, now)).toBe(true);
  });

  const signedInFor = async (minutes: number) => {
    serve({ 'GET /api/auth/initUser': { body: initAnswer() } });
    await adoptTokens({ accessToken: lastingFor(minutes), refreshToken: refreshToken() });
  };

  test('[S4.5] ten simultaneous requests share one renewal', async () => {
    await signedInFor(4);
    const requests = serve({ 'POST /auth/tenant/refresh-token': renewed() });
    const tokens = await Promise.all(Array.from({ length: 10 }, () => accessToken()));
    expect(requests).toHaveLength(1);
    expect(new Set(tokens).size).toBe(1);
    expect(lapsesSoon(tokens[0]!)).toBe(false);
  });

  test('is not renewed if it is valid for longer', async () => {
    await signedInFor(6);
    const requests = serve({});
    await accessToken();
    expect(requests).toEqual([]);
  });

  test.each([
    ['refused', { status: 401, body: { code: 'session-expired', message: '' } }],
    ['unreachable', new TypeError('failed to fetch')],
  ])(
    '[S4.5, S8.3] a renewal that is %s leaves nobody authenticated and passes its error on',
    async (ended, answer) => {
      await signedInFor(1);
      serve({ 'POST /auth/tenant/refresh-token': answer });
      await expect(accessToken()).rejects.toBeInstanceOf(AppError);
      expect(authentication()).toMatchObject({ authenticated: false, ended });
      // The user keeps their screen: their account is still known.
      expect(authentication().user?.id).toBe('u1');
    },
  );

  test('[S8.3] a renewal without an answer is retried automatically', async () => {
    await signedInFor(1);
    vi.useFakeTimers();
    const requests = serve({ 'POST /auth/tenant/refresh-token': { status: 503, body: {} } });
    await expect(accessToken()).rejects.toBeInstanceOf(AppError);
    // The first failure waits 2 s; earlier failures can have made it 4.
    await vi.advanceTimersByTimeAsync(4000 + 8000);
    expect(requests.length).toBeGreaterThanOrEqual(3);
    serve({ 'POST /auth/tenant/refresh-token': renewed() });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(authentication()).toMatchObject({ authenticated: true, ended: null });
    vi.useRealTimers();
  });

  test("another tab may have rotated the token: the newer one of the same session is used, never another user's", async () => {
    await signedInFor(1);
    localStorage.setItem(storageKeys.refreshToken, refreshToken({ turn: 7 }));
    let requests = serve({
      'POST /auth/tenant/refresh-token': {
        body: { accessToken: lastingFor(1), refreshToken: refreshToken({ turn: 8 }) },
      },
    });
    await accessToken();
    expect(requests[0]!.body).toEqual({ refreshToken: refreshToken({ turn: 7 }) });

    localStorage.setItem(storageKeys.refreshToken, token({ sub: 'u2', sid: 's9' }));
    requests = serve({ 'POST /auth/tenant/refresh-token': renewed() });
    await accessToken();
    expect(requests[0]!.body).toEqual({ refreshToken: refreshToken({ turn: 8 }) });
  });
});

describe('signing out', () => {
  const signIn = async () => {
    serve({ 'GET /api/auth/initUser': { body: initAnswer() } });
    await adoptTokens({ accessToken: lastingFor(), refreshToken: refreshToken() });
  };

  test('[S4.3] revokes the session on the server, clears tokens, resets all state and reloads at the root', async () => {
    await signIn();
    notify('info', 'notification.forbidden');
    store.dispatch(densityChosen('compact'));
    const requests = serve({ 'POST /auth/tenant/sign-out': { body: {} } });
    await signOut();
    expect(requests[0]!.body).toEqual({ refreshToken: refreshToken() });
    expect(localStorage.getItem(storageKeys.refreshToken)).toBeNull();
    expect(sessionStorage.getItem(storageKeys.refreshToken)).toBeNull();
    expect(authentication()).toMatchObject({ user: null, tokens: { accessToken: null, refreshToken: null } });
    expect(store.getState().notifications.open).toEqual([]);
    expect(reload).toHaveBeenCalledOnce();
    // Display preferences are not part of the session.
    expect(store.getState().preferences.density).toBe('compact');
  });

  test('[S4.3] works even if the server is unreachable', async () => {
    await signIn();
    serve({ 'POST /auth/tenant/sign-out': new TypeError('failed to fetch') });
    await signOut();
    expect(localStorage.getItem(storageKeys.refreshToken)).toBeNull();
    expect(reload).toHaveBeenCalledOnce();
  });

  test('[S4.3] every open tab signs out', async () => {
    const stop = followOtherTabs();
    await signIn();
    window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.refreshToken, newValue: null }));
    expect(authentication().user).toBeNull();
    expect(reload).toHaveBeenCalledOnce();
    stop();
  });
});

describe('signing in over an open screen', () => {
  test('[S8.1] the same user continues where they were', async () => {
    serve({ 'GET /api/auth/initUser': { body: initAnswer() } });
    await adoptTokens({ accessToken: lastingFor(), refreshToken: refreshToken() });
    await adoptTokens({ accessToken: lastingFor(), refreshToken: refreshToken({ sid: 's2' }) });
    expect(reload).not.toHaveBeenCalled();
    expect(authentication()).toMatchObject({ authenticated: true, ended: null });
  });

  test("another user does not see the previous user's screens", async () => {
    serve({ 'GET /api/auth/initUser': { body: initAnswer() } });
    await adoptTokens({ accessToken: lastingFor(), refreshToken: refreshToken() });
    const other = initAnswer();
    serve({ 'GET /api/auth/initUser': { body: { ...other, user: { ...other.user, id: 'u2' } } } });
    await adoptTokens({ accessToken: lastingFor(), refreshToken: token({ sub: 'u2' }) });
    expect(reload).toHaveBeenCalledOnce();
    expect(authentication().user).toBeNull();
  });
});
