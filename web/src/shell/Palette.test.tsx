import type { FoundGroup, FoundRecord } from '@caseway/contract/search';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { noteVisit, recentsOf } from '../session/recents.ts';
import { store } from '../session/store.ts';
import { screenToScroll } from '../test/list-room.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../test/server.ts';
import Palette from './Palette.tsx';
import type { Screen } from './screens.ts';

await startTestLocales('settings');

const load = async () => ({ default: () => null });
const screens: Screen[] = [
  { path: '/', label: 'screen.home', menu: { group: 'work', icon: 'House' }, load },
  { path: '/patients', label: 'screen.patients', menu: { group: 'work', icon: 'ContactRound' }, load },
  { path: '/patients/:id', label: 'screen.patient', load },
  { path: '/imports', label: 'screen.imports', menu: { group: 'work', icon: 'FileInput' }, load },
  { path: '/imports/codes', label: 'screen.importCodes', load },
  { path: '/facilities', label: 'screen.facilities', load },
  { path: '/closed', label: 'screen.audit', permission: 'audit/read', load },
  {
    path: '/admin/settings',
    label: 'screen.settings',
    menu: { group: 'administration', icon: 'Settings2' },
    load,
  },
  {
    path: '/admin/settings/:section',
    label: 'screen.settings',
    load,
    parts: async () => ({
      screenParts: [{ path: '/admin/settings/retention', label: 'settings:section.retention' }],
    }),
  },
];

const ids = ['0190a4c2-0000-7000-8000-000000000001', '0190a4c2-0000-7000-8000-000000000002'] as const;
const garcia: FoundRecord = {
  id: ids[0],
  title: 'García, Ana',
  detail: [{ as: 'day', value: '1990-05-04' }],
  similar: false,
};
const clinic = { id: ids[1], title: 'Garcia Clinic', detail: [], similar: false };
const groups: FoundGroup[] = [
  { kind: 'patients', count: 12, records: [garcia] },
  { kind: 'facilities', count: 1, records: [clinic] },
];

function Place() {
  const { pathname, search, state } = useLocation();
  return <output>{`${pathname}${search} ${JSON.stringify(state)}`}</output>;
}
function open(answers: Parameters<typeof serve>[0] = {}, path = '/') {
  const requests = serve({
    'POST /api/web/search': { body: { groups } },
    'GET /api/web/list/options/conditions': { body: { options: [] } },
    ...answers,
  });
  renderInApp(
    <>
      <Place />
      <Palette screens={screens} onClose={() => {}} onKeys={() => {}} />
    </>,
    { path },
  );
  return requests;
}
const box = () => screen.findByRole('combobox', { name: 'Search or go to' });
const place = () => screen.getByText(/^\/.* (null|\{.*\})$/).textContent;

beforeEach(() => {
  screenToScroll();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer([org('t1', 'Alder')], {})));
});
afterEach(() => {
  act(() => void store.dispatch(signedOut()));
  queryClient.clear();
  localStorage.clear();
});

describe('the global search', () => {
  test('shows results by kind with their number, and opens them by keyboard', async () => {
    const requests = open();
    await userEvent.type(await box(), 'garcia 1990');
    const option = await screen.findByRole('option', { name: /García, Ana/ });
    expect(within(option).getByText('05/04/1990')).toBeVisible();
    expect(screen.getByText('Facilities')).toBeVisible();
    expect(screen.getByText('2 records found')).toHaveRole('status');
    const asked = requests.filter(({ path }) => path === '/api/web/search');
    expect(asked.map(({ body }) => body)).toEqual([{ words: ['garcia', '1990'] }]);
    await userEvent.keyboard('{Enter}');
    expect(place()).toBe(`/patients/${ids[0]} null`);
  });

  test('opens a record without its own screen beside its list, and remembers it', async () => {
    open();
    await userEvent.type(await box(), 'garcia');
    await userEvent.click(await screen.findByRole('option', { name: /Garcia Clinic/ }));
    expect(place()).toBe(`/facilities {"opens":"${ids[1]}"}`);
    expect(recentsOf('u1', 'T:t1')).toEqual([{ kind: 'facilities', id: ids[1] }]);
  });

  test('leads to all matches in a list, without the words in the address [P16]', async () => {
    open();
    await userEvent.type(await box(), 'garcia');
    const all = await screen.findByRole('option', { name: /All results in Patients/ });
    expect(within(all).getByText('12')).toBeVisible();
    expect(screen.queryByRole('option', { name: /All results in Facilities/ })).toBeNull();
    await userEvent.click(all);
    await waitFor(() => expect(place()).toBe('/patients null'));
    const entry = Object.values(store.getState().views).find(({ view }) => 'filterModel' in view);
    expect(entry!.view).toMatchObject({ filterModel: { quickFilterValues: ['garcia'] } });
  });

  test('says which names are only similar', async () => {
    open({
      'POST /api/web/search': {
        body: { groups: [{ kind: 'patients', count: null, records: [{ ...garcia, similar: true }] }] },
      },
    });
    await userEvent.type(await box(), 'gracia');
    expect(await screen.findByText('Similar name · 05/04/1990')).toBeVisible();
    expect(screen.queryByRole('option', { name: /All results/ })).toBeNull();
  });

  test('says when nothing is found and what to try', async () => {
    open({ 'POST /api/web/search': { body: { groups: [] } } });
    await userEvent.type(await box(), 'nobody');
    expect(await screen.findByText(/^Nothing found for “nobody”\. Try another spelling/)).toHaveRole(
      'status',
    );
  });

  test('says when it fails, and can retry', async () => {
    let fails = true;
    open({
      'POST /api/web/search': () =>
        fails ? { status: 422, body: { code: 'query-too-slow', message: 'too slow' } } : { body: { groups } },
    });
    await userEvent.type(await box(), 'garcia');
    expect(await screen.findByText('The search could not be finished.')).toBeVisible();
    fails = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('option', { name: /García, Ana/ })).toBeVisible();
  });
});

describe('screens', () => {
  test('below those of the menu are found too, with their parent', async () => {
    open();
    await userEvent.type(await box(), 'retention');
    const option = await screen.findByRole('option', { name: /Retention/ });
    expect(within(option).getByText('Settings')).toBeVisible();
    await userEvent.clear(await box());
    await userEvent.type(await box(), 'codes{Enter}');
    expect(place()).toBe('/imports/codes null');
  });

  test('that the user may not see are not offered', async () => {
    open();
    await screen.findByRole('option', { name: 'Home' });
    expect(screen.queryByRole('option', { name: /Audit/ })).toBeNull();
  });
});

describe('recent records', () => {
  const names = {
    'POST /api/web/search/recent': {
      body: { records: [{ ...garcia, kind: 'patients' }] },
    },
  };

  test('come first while nothing is typed, and the device stores no name', async () => {
    noteVisit('u1', 'T:t1', `/patients/${ids[0]}`);
    noteVisit('u1', 'T:t1', '/patients');
    noteVisit('u1', 'T:t2', `/patients/${ids[1]}`);
    const requests = open(names);
    expect(await screen.findByText('Opened recently')).toBeVisible();
    const [first] = screen.getAllByRole('option');
    expect(first).toHaveAccessibleName(/García, Ana/);
    expect(requests.find(({ path }) => path.endsWith('/recent'))!.body).toEqual({
      records: [{ kind: 'patients', id: ids[0] }],
    });
    expect(JSON.stringify({ ...localStorage })).not.toContain('Garc');
    await userEvent.type(await box(), 'home');
    expect(screen.queryByText('Opened recently')).toBeNull();
  });

  test('exclude the open record, and those of another user', async () => {
    noteVisit('u1', 'T:t1', `/patients/${ids[0]}`);
    noteVisit('u2', 'T:t1', `/patients/${ids[1]}`);
    const requests = open(names, `/patients/${ids[0]}`);
    await screen.findByRole('option', { name: 'Home' });
    expect(requests.filter(({ path }) => path.endsWith('/recent'))).toEqual([]);
  });
});
