import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test-locales.ts';
import { renderInApp } from '../../test-render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../../test-server.ts';
import OffersNotice from '../profile/OffersNotice.tsx';
import { Home } from './Home.tsx';

await startTestLocales('common');

beforeEach(() => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  // Nobody's yet.
  store.dispatch(userReady(initAnswer([])));
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

describe('the home screen', () => {
  test('tells who is invited by another tenant, also where they belong to no organisation yet', async () => {
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
});
