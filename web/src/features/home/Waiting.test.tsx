import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { useWaiting } from '../../data/use-waiting.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import type { MenuIcon } from '../../shell/menu-icons.ts';
import { Navigation } from '../../shell/Navigation.tsx';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../../test/server.ts';
import { Waiting } from './Waiting.tsx';

await startTestLocales('common');

const answer = initAnswer([org('t1', 'Alder')]);
beforeEach(() => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(answer));
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

const waits = [
  { kind: 'tasksOverdue', count: 1, to: '/work-tasks?f=state~is~open&f=dueOn~before~2026-11-27' },
  { kind: 'tasksToday', count: 12, to: '/work-tasks?f=state~is~open&f=dueOn~is~2026-11-27' },
  { kind: 'ownCases', count: 1204, to: '/case-reports?f=investigator~is~me' },
  { kind: 'tasks', count: 40, to: '/work-tasks?f=state~is~open' },
  { kind: 'codes', count: 3, to: '/imports/codes' },
  { kind: 'pairs', count: 2, to: '/imports/pairs' },
];
const waiting = (waits: readonly object[]) => ({
  'GET /api/web/waiting': { body: { today: '2026-11-27', waits } },
});

const OnHome = () => <Waiting {...useWaiting()} />;

describe('what is waiting', () => {
  test('is a list of links on the home screen, each to exactly what it counts', async () => {
    serve(waiting(waits));
    renderInApp(<OnHome />);
    const region = await screen.findByRole('region', { name: 'What waits for you' });
    const links = within(region)
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]);
    const texts = [
      '1 follow-up task is overdue',
      '12 follow-up tasks are due today',
      '1,204 open cases that you investigate',
      '40 open follow-up tasks in all',
      '3 codes to map',
      '2 pairs that may be one person',
    ];
    expect(links).toEqual(waits.map(({ to }, index) => [texts[index], to]));
  });

  test('is missing if nothing is waiting', async () => {
    const sent = serve(waiting([]));
    renderInApp(<OnHome />);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(screen.queryByRole('region')).toBeNull();
  });

  test('is in the menu, without sums, and is read aloud', async () => {
    serve(waiting(waits));
    const entry = (path: string, label: string, icon: MenuIcon) => ({
      path,
      label,
      load: async () => ({ default: () => null }),
      menu: { group: 'work' as const, icon },
    });
    renderInApp(
      <Navigation
        pathname="/"
        collapsed={false}
        screens={[
          entry('/', 'screen.home', 'House'),
          entry('/case-reports', 'screen.caseReports', 'ClipboardList'),
          entry('/work-tasks', 'screen.workTasks', 'ListTodo'),
          entry('/imports', 'screen.imports', 'ListTodo'),
        ]}
      />,
    );
    const described = (name: string, description: string) =>
      expect(screen.getByRole('link', { name })).toHaveAccessibleDescription(description);
    await waitFor(() => described('Case reports', '1,204 wait'));
    expect(screen.getByText('99+')).toBeVisible();
    described('Follow-up tasks', '13 wait');
    described('Imports', '5 wait');
    described('Home', '');
  });
});
