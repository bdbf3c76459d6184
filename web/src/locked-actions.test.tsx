import { permissions } from '@caseway/contract/permission';
import { waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { screens } from './routes.tsx';
import { signedOut, tokensReceived, userReady } from './session/authentication.ts';
import { store } from './session/store.ts';
import { startTestLocales } from './test/locales.ts';
import { renderInApp } from './test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from './test/server.ts';

vi.mock('./shell/Shell.tsx', () => ({ default: () => null }));
vi.mock('./features/sign-in/SignIn.tsx', () => ({ SignIn: () => null }));

/** What can be done on each list of records, other than reading it. */
const lists = {
  '/case-reports': ['Export'],
  '/work-tasks': ['Add a task', 'Export'],
  '/patients': ['Add a person', 'Export'],
  '/contacts': ['Add contact', 'Export'],
  '/case-follow-ups': ['Export'],
  '/partner-services': ['Export'],
  '/field-visits': ['Add field visit', 'Export'],
  '/incident-reports': ['Report an incident', 'Export'],
  '/vaccinations': ['Export'],
  '/documents': ['Export'],
  '/telemedicine': ['Book telemedicine visit', 'Export'],
  '/sample-shipments': ['New shipment', 'Export'],
} as const;
const at = (path: string) => screens.find((one) => one.path === path)!;
const names = Object.keys(lists).map((path) => path.slice(1));
await startTestLocales(...names, 'break-glass', 'follow-up', 'patient-portal');
afterEach(() => store.dispatch(signedOut()));

test('includes every list of records in the menu', () => {
  const others = ['/', '/imports'];
  const work = screens.flatMap(({ menu, path }) =>
    menu?.group === 'work' && !others.includes(path) ? [path] : [],
  );
  expect(work.sort()).toEqual(Object.keys(lists).sort());
});

test.each(Object.entries(lists))(
  'people who may only read %s see what they cannot do, locked: %s',
  async (path, actions) => {
    store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
    const reads = permissions.filter((one) => one.endsWith('/read'));
    store.dispatch(
      userReady(initAnswer(undefined, { casbinPolicy: reads.map((one) => `p, u1, T, ${one}, allow`) })),
    );
    serve({ [`POST /api/web/grid${path}/search`]: { body: { rows: [], rowCount: 0 } } });
    const { default: List } = await at(path).load();
    const { container } = renderInApp(<List />, { path });
    // Computing the roles of a whole screen is slow.
    const locked = () => [
      ...container.querySelectorAll('button[aria-disabled][title^="You need the permission"]'),
    ];
    await waitFor(() => expect(locked().map(({ textContent }) => textContent)).toEqual(actions));
  },
);
