import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setKeptMark } from '../kept/mark.ts';
import { ChunkLoadError, chunkTimeoutMs, loadChunk } from '../loading/chunk.ts';
import {
  nobody,
  sessionExpired,
  signedOut,
  startAgain,
  startFailed,
  tokensReceived,
  userReady,
} from '../session/authentication.ts';
import { notify } from '../session/notify.ts';
import { densityChosen } from '../session/preferences.ts';
import { page } from '../session/session.ts';
import { store } from '../session/store.ts';
import { useUnsaved } from '../session/unsaved.ts';
import { screenToScroll } from '../test/list-room.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../test/server.ts';
import { chooseLanguage } from '../words/i18n.ts';
import Main from './Main.tsx';
import type { Screen } from './screens.ts';

await startTestLocales();

const geo = { body: { countries: [], states: [], citiesDistricts: [] } };
let broken = true;
const screens: Screen[] = [
  {
    path: '/',
    label: 'screen.home',
    menu: { group: 'work', icon: 'House' },
    load: async () => ({ default: () => <h1>The home screen</h1> }),
  },
  {
    path: '/closed',
    label: 'menu.administration',
    permission: 'users/read',
    menu: { group: 'administration', icon: 'ListTodo' },
    load: async () => ({ default: () => <h1>Users</h1> }),
  },
  {
    path: '/case-reports/:id',
    label: 'state.loading',
    load: async () => ({ default: () => <h1>A case</h1> }),
  },
  {
    path: '/beta',
    label: 'menu.analytics',
    feature: 'weekly-cases',
    menu: { group: 'analytics', icon: 'ListTodo' },
    load: async () => ({ default: () => <h1>Beta</h1> }),
  },
  {
    path: '/fragile',
    label: 'state.loading',
    load: async () => {
      if (broken) throw new TypeError('Failed to fetch dynamically imported module');
      return { default: () => <input aria-label="A draft" /> };
    },
  },
  {
    path: '/worded',
    label: 'state.loading',
    load: async () => ({
      default: function Worded() {
        return <p>{useTranslation('worded').t('lead')}</p>;
      },
    }),
  },
  {
    path: '/half',
    label: 'state.loading',
    load: async () => ({
      default: function Half() {
        return <p>{useTranslation('half').t('lead')}</p>;
      },
    }),
  },
  {
    path: '/unsaved',
    label: 'state.loading',
    load: async () => ({
      default: function Unsaved() {
        const [text, setText] = useState('');
        useUnsaved(text !== '');
        return <input aria-label="A draft" value={text} onChange={(event) => setText(event.target.value)} />;
      },
    }),
  },
];
const show = (path = '/') =>
  renderInApp(
    <Main
      screens={screens}
      signIn={() => <h1>Sign in</h1>}
      signInForm={({ username }) => <p>Sign in as {username}</p>}
      bar={() => null}
      withoutNetwork={() => <h1>Without a network</h1>}
    />,
    { path },
  );
const signIn = (
  more: Parameters<typeof initAnswer>[1] = {},
  orgs = [org('t1', 'Alder'), org('t2', 'Birch')],
) => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer(orgs, more)));
};

beforeEach(() => {
  broken = true;
  screenToScroll();
  page.reloadAtRoot = vi.fn();
  serve({ 'GET /api/web/list/initialGeo': geo });
});
afterEach(async () => {
  act(() => void store.dispatch(signedOut()));
  await chooseLanguage('en');
});

describe('the main screen', () => {
  test('[S2.1] is empty while the user is unknown', () => {
    const { container } = show();
    expect(container).toBeEmptyDOMElement();
  });

  test("[S2.2] a suspended tenant's address says so and why, not that there is no such screen", async () => {
    signIn({ suspendedTenants: [{ name: 'Alder', reason: 'Contract ended' }] }, []);
    const { unmount } = show('/case-reports');
    expect(await screen.findByRole('heading', { name: 'Access to Alder is suspended' })).toBeVisible();
    expect(screen.getByText('Contract ended')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to the home screen' })).toBeVisible();
    unmount();
    signIn({}, []);
    show('/case-reports');
    expect(await screen.findByText(/^Your account does not belong to an organization yet/)).toBeVisible();
  });

  test('[S8.1] an expired session keeps the screen, and the text typed in it, below the sign-in', async () => {
    broken = false;
    signIn();
    show('/fragile');
    const draft = await screen.findByRole('textbox', { name: 'A draft' });
    await userEvent.type(draft, 'not saved yet');
    act(() => void store.dispatch(sessionExpired()));
    expect(await screen.findByText('Sign in as robin@example.org')).toBeInTheDocument();
    expect(draft).toHaveValue('not saved yet');
    expect(draft).toBeInTheDocument();
  });
});

describe('leaving unsaved work', () => {
  const begin = async () => {
    signIn();
    show('/unsaved');
    await userEvent.type(await screen.findByRole('textbox', { name: 'A draft' }), 'begun');
  };
  const home = () => screen.getByRole('link', { name: 'Home' });
  const question = () => screen.findByRole('dialog', { name: 'Leave without saving?' });

  test('asks; staying keeps the screen as it was, leaving opens the next', async () => {
    await begin();
    await userEvent.click(home());
    await userEvent.click(within(await question()).getByRole('button', { name: 'Stay' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('textbox', { name: 'A draft' })).toHaveValue('begun');
    await userEvent.click(home());
    await userEvent.click(within(await question()).getByRole('button', { name: 'Leave' }));
    expect(await screen.findByRole('heading', { name: 'The home screen' })).toBeInTheDocument();
  });

  test('does not ask once nothing is unsaved', async () => {
    await begin();
    await userEvent.clear(screen.getByRole('textbox', { name: 'A draft' }));
    await userEvent.click(home());
    expect(await screen.findByRole('heading', { name: 'The home screen' })).toBeInTheDocument();
  });

  test('[S2.5, S4.3] asks before another organization and before signing out, which discards it', async () => {
    await begin();
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(await screen.findByRole('combobox', { name: 'Search or go to' }), 'Birch{Enter}');
    expect(await question()).toHaveTextContent('They stay in this tab');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(page.reloadAtRoot).not.toHaveBeenCalled();

    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(await screen.findByRole('combobox', { name: 'Search or go to' }), 'Sign out{Enter}');
    expect(await question()).toHaveTextContent('Signing out discards them');
    await userEvent.click(within(await question()).getByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(page.reloadAtRoot).toHaveBeenCalledOnce());
  });
});

describe('the navigation', () => {
  test('[S1.6, S6.6] has the screens the user may see and whose feature is on', async () => {
    signIn();
    show();
    const menu = within(await screen.findByRole('navigation', { name: 'Main' }));
    expect(menu.getAllByRole('link').map((link) => link.textContent)).toEqual(['Home']);
  });

  test('a permission and a feature add the others', async () => {
    signIn({ casbinPolicy: ['p, u1, T, users/read, allow'], betaFeatures: ['weekly-cases'] });
    show();
    const menu = within(await screen.findByRole('navigation', { name: 'Main' }));
    expect(menu.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Home',
      'Analytics Beta',
      'Administration',
    ]);
  });

  test('the heading of an opened screen has the focus, so that screen readers read it', async () => {
    signIn({ casbinPolicy: ['p, u1, T, users/read, allow'] });
    show();
    expect(await screen.findByRole('heading', { name: 'The home screen' })).not.toHaveFocus();
    await userEvent.click(screen.getByRole('link', { name: 'Administration' }));
    expect(await screen.findByRole('heading', { name: 'Users' })).toHaveFocus();
    expect(screen.getByRole('heading', { name: 'Users' })).toHaveAttribute('tabindex', '-1');
  });

  test("… and so has the first screen's, after signing in", async () => {
    store.dispatch(nobody());
    show();
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument();
    act(() => signIn());
    expect(await screen.findByRole('heading', { name: 'The home screen' })).toHaveFocus();
  });

  test('[S1.6] a screen whose feature is off has no route', async () => {
    signIn();
    show('/beta');
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  });

  test('a screen the user may not see says which permission it needs', async () => {
    signIn();
    show('/closed');
    expect(await screen.findByText(/“See users”/)).toBeInTheDocument();
  });

  test('[S2.2] an unknown path is reported in the shell, with a way back', async () => {
    signIn();
    show('/nowhere');
    await userEvent.click(await screen.findByRole('link', { name: 'Go to the home screen' }));
    expect(await screen.findByRole('heading', { name: 'The home screen' })).toBeInTheDocument();
  });
});

describe('a screen that fails to load', () => {
  test('[S2.3] is reported with Retry, while the rest of the shell works', async () => {
    signIn();
    show('/fragile');
    expect(await screen.findByRole('heading', { name: 'This screen did not load' })).toBeInTheDocument();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeInTheDocument();
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('textbox', { name: 'A draft' })).toBeInTheDocument();
  });

  test('[S8.4] shows no keys if its texts did not load, says so, and loads them again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    let there = false;
    vi.stubGlobal('fetch', async () =>
      there ? Response.json({ lead: 'The lead' }) : new Response('', { status: 404 }),
    );
    signIn();
    show('/worded');
    expect(
      await screen.findByRole('heading', { name: 'The text of this screen did not load' }),
    ).toBeInTheDocument();
    expect(screen.queryByText(/lead/)).toBeNull();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeInTheDocument();
    there = true;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('The lead')).toBeInTheDocument();
  });

  test('[S1.4, S8.4] is in English if its translation did not load, and says so until it does', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await chooseLanguage('es');
    let there = false;
    vi.stubGlobal('fetch', async (path: string) => {
      if (path === '/locales/en/half.json') return Response.json({ lead: 'The lead' });
      if (path === '/locales/es/half.json' && there) return Response.json({ lead: 'La entrada' });
      return new Response('', { status: 404 });
    });
    const banner =
      'Algunos textos no se cargaron en su idioma y se muestran en inglés. Caseway sigue intentándolo.';
    signIn();
    show('/half');
    expect(await screen.findByText('The lead')).toBeInTheDocument();
    expect(await screen.findByText(banner)).toBeInTheDocument();
    there = true;
    window.dispatchEvent(new Event('online'));
    expect(await screen.findByText('La entrada')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText(banner)).toBeNull());
  });

  test('[S2.3] raises ChunkLoadError, saying that loading the chunk failed', async () => {
    const failed = loadChunk('things', () => Promise.reject(new Error('gone')));
    await expect(failed).rejects.toBeInstanceOf(ChunkLoadError);
    await expect(failed).rejects.toThrow('Loading chunk things failed.');
  });

  test('[S2.3, S9.13] raises it after 120 s without an answer', async () => {
    vi.useFakeTimers();
    const late = loadChunk('things', () => new Promise(() => {}));
    const seen = late.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(chunkTimeoutMs - 1);
    expect(await Promise.race([seen, Promise.resolve('still waiting')])).toBe('still waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(await seen).toBeInstanceOf(ChunkLoadError);
    expect(chunkTimeoutMs).toBe(120_000);
    vi.useRealTimers();
  });
});

describe('the palette and the organizations', () => {
  test('Ctrl+K goes to any screen the user may see', async () => {
    signIn();
    show('/nowhere');
    await screen.findByRole('navigation', { name: 'Main' });
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(await screen.findByRole('combobox'), 'hom{Enter}');
    expect(await screen.findByRole('heading', { name: 'The home screen' })).toBeInTheDocument();
  });

  test('[S2.5] another organization reloads at the root', async () => {
    signIn();
    show();
    await userEvent.click(await screen.findByRole('button', { name: /Organization: Alder/ }));
    await userEvent.click(await screen.findByRole('option', { name: /Birch/ }));
    expect(page.reloadAtRoot).toHaveBeenCalledOnce();
    expect(localStorage.getItem('last-used-org')).toBe('T:t2');
  });

  test('[S4.3] signing out reloads at the root', async () => {
    serve({ 'GET /api/web/list/initialGeo': geo, 'POST /auth/tenant/sign-out': { body: {} } });
    signIn();
    show();
    await userEvent.click(await screen.findByRole('button', { name: /Account of Robin Wren/ }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
    await waitFor(() => expect(page.reloadAtRoot).toHaveBeenCalledOnce());
  });

  test('the language is switched in place', async () => {
    signIn();
    show();
    await userEvent.click(await screen.findByRole('button', { name: /Language/ }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Kreyòl ayisyen' }));
    expect(await screen.findByRole('link', { name: 'Akèy' })).toBeInTheDocument();
    expect(document.documentElement.lang).toBe('ht');
    expect(screen.getByRole('heading', { name: 'The home screen' })).toBeInTheDocument();
  });

  test('[S1.5] the organization’s experience words the shell, in place, in every language', async () => {
    const school = org('o1', 'Osprey', { orgType: 'O', experience: 'EDUCATION' });
    const farm = org('f1', 'Birch', { orgType: 'F', experience: 'WORKPLACE' });
    signIn();
    show();
    await userEvent.click(await screen.findByRole('button', { name: /Organization: Alder/ }));
    expect(await screen.findByRole('option', { name: /Alder/ })).toBeInTheDocument();
    act(() => void store.dispatch(userReady(initAnswer([school, farm]))));
    expect(await screen.findByRole('option', { name: /Birch.*School/ })).toBeInTheDocument();
    await act(() => chooseLanguage('es'));
    expect(await screen.findByRole('option', { name: /Birch.*Escuela/ })).toBeInTheDocument();
    await act(() => chooseLanguage('ht'));
    expect(await screen.findByRole('option', { name: /Birch.*Lekòl/ })).toBeInTheDocument();
    act(() => void store.dispatch(userReady(initAnswer([farm, school]))));
    expect(await screen.findByRole('option', { name: /Birch.*Kote travay/ })).toBeInTheDocument();
    expect(page.reloadAtRoot).not.toHaveBeenCalled();
  });

  test('? shows the keys, unless single keys are switched off', async () => {
    signIn();
    show();
    await screen.findByRole('navigation', { name: 'Main' });
    await userEvent.keyboard('?');
    await userEvent.click(await screen.findByRole('checkbox', { name: /Single-key/ }));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.keyboard('?');
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => void store.dispatch(densityChosen('standard')));
  });
});

describe('a device with data for offline work', () => {
  const mark = { account: 'u1', org: 'T:t1', unsent: 2, asks: 0 };
  const beginsAlone = () => screen.queryByRole('heading', { name: 'Without a network' });
  afterEach(() => act(() => setKeptMark(null)));

  test('shows it when the server is unreachable, until someone is signed in again', async () => {
    act(() => setKeptMark(mark));
    show();
    expect(beginsAlone()).toBeNull();
    act(() => void store.dispatch(startFailed('unreachable')));
    expect(beginsAlone()).toBeInTheDocument();
    // Another attempt does not take it away.
    act(() => void store.dispatch(startAgain()));
    expect(beginsAlone()).toBeInTheDocument();
    act(() => signIn());
    expect(beginsAlone()).toBeNull();
  });

  test('shows nothing if it has no data, and says so if the answer was not understood', () => {
    show();
    act(() => void store.dispatch(startFailed('unreachable')));
    expect(beginsAlone()).toBeNull();
    act(() => setKeptMark(mark));
    act(() => void store.dispatch(startFailed('misunderstood')));
    expect(beginsAlone()).toBeNull();
  });
});

describe('notifications', () => {
  const texts = () =>
    within(screen.getByRole('region', { name: 'Notifications (F8)' })).getAllByRole('button', {
      name: 'Dismiss',
    }).length;

  test('[S9.5, S8.5] at most three are shown, each for five seconds; F8 reaches them', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    signIn();
    show();
    act(() => {
      for (const kind of ['success', 'warning', 'info', 'error'] as const) notify(kind, 'state.loading');
    });
    expect(texts()).toBe(3);
    expect(screen.getByRole('img', { name: 'Success' })).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(texts()).toBe(1);
    await userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) }).keyboard('{F8}');
    expect(screen.getByRole('region', { name: 'Notifications (F8)' })).toHaveFocus();
    // It stays while it has the focus.
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(texts()).toBe(1);
    vi.useRealTimers();
  });

  test('one dismissed by keyboard does not hold those that follow', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    signIn();
    show();
    act(() => notify('info', 'state.loading'));
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) });
    await user.keyboard('{F8}{Tab}{Enter}');
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
    act(() => notify('info', 'state.loading'));
    expect(texts()).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
    vi.useRealTimers();
  });

  test('is held by a moving pointer, not by one at rest where it appears', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    signIn();
    show();
    const region = screen.getByRole('region', { name: 'Notifications (F8)' });
    const move = (movementX: number) => {
      const event = new MouseEvent('mousemove', { bubbles: true });
      Object.defineProperty(event, 'movementX', { value: movementX });
      Object.defineProperty(event, 'movementY', { value: 0 });
      fireEvent(region, event);
    };
    act(() => notify('info', 'state.loading'));
    fireEvent.mouseEnter(region);
    move(0);
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
    act(() => notify('info', 'state.loading'));
    move(2);
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(texts()).toBe(1);
    fireEvent.mouseLeave(region);
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
    vi.useRealTimers();
  });

  test('an action runs once and removes its notification', async () => {
    signIn();
    show();
    const undo = vi.fn();
    act(() => notify('success', 'state.loading', { action: { label: 'action.retry', run: undo } }));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(undo).toHaveBeenCalledOnce();
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
  });
});
