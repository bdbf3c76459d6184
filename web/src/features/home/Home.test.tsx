import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../../test/server.ts';
import OffersNotice from '../profile/OffersNotice.tsx';
import { Home } from './Home.tsx';

await startTestLocales('common');

beforeEach(() => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  // No organization yet.
  store.dispatch(userReady(initAnswer([])));
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

describe('the home screen', () => {
  test("shows another tenant's invitation, even to users without an organization", async () => {
    serve({
      'GET /api/profile/offers': {
        body: {
          offers: [
            {
              id: '00000000-0000-4000-8000-000000000001',
              tenant: 'Birch',
              invitedBy: 'Ines Vale',
              invitedAt: '2026-03-01T12:00:00.000Z',
              organizations: [],
            },
          ],
        },
      },
    });
    renderInApp(<Home screens={[]} guide={() => null} notice={OffersNotice} />);
    expect(await screen.findByText('Birch invites you to work for them')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Accept or refuse in your profile' })).toHaveAttribute(
      'href',
      '/profile',
    );
  });

  const paths = ['/imports', '/case-reports', '/analytics/testing'];
  const screens = paths.map((path) => ({
    path,
    label: 'screen.home',
    load: async () => ({ default: () => null }),
    menu: { group: 'work' as const, icon: 'House' as const },
  }));
  const showTo = (...permissions: string[]) => {
    store.dispatch(
      userReady(
        initAnswer([org('t1', 'Alder')], {
          casbinPolicy: permissions.map((one) => `p, u1, T, ${one}, allow`),
        }),
      ),
    );
    const sent = serve({ 'POST /api/web/grid/imports/search': { body: { rows: [], rowCount: 0 } } });
    renderInApp(<Home screens={screens} guide={() => null} notice={() => null} />);
    return sent;
  };

  test('offers the first steps to users who may import, while nothing has been imported', async () => {
    showTo('imports/read', 'imports/write');
    expect(await screen.findByRole('heading', { name: 'Three steps to your first dashboard' })).toBeVisible();
  });

  test('offers no first import to users who may only read imports', async () => {
    const sent = showTo('imports/read');
    expect(await screen.findByRole('heading', { name: 'Where to go' })).toBeVisible();
    expect(sent.filter(({ path }) => path.includes('/imports/'))).toEqual([]);
    expect(screen.queryByRole('heading', { name: 'Three steps to your first dashboard' })).toBeNull();
  });
});
