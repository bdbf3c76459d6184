import { guideSteps } from '@caseway/contract/settings';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import { GuideSection } from './GuideSteps.tsx';

await startTestLocales('settings');

beforeEach(() => queryClient.clear());

const show = async (...may: string[]) => {
  store.dispatch(
    userReady(
      initAnswer([org('44444444-4444-4444-8444-444444444444', 'Alder Health')], {
        casbinPolicy: may.map((permission) => `p, u1, T, ${permission}, allow`),
      }),
    ),
  );
  serve({
    'GET /api/web/settings/guide': {
      body: { steps: guideSteps.map((step) => ({ step, state: 'open', count: 0 })) },
    },
  });
  renderInApp(<GuideSection />);
  await screen.findByText('First import');
  return screen.getAllByRole('link').map((link) => link.textContent);
};

test('[S1.4] the first steps lead only where the reader may go', async () => {
  expect(await show('settings/write', 'users/read', 'imports/read')).toContain('First import');
});
test('[S1.4] a step whose screen the reader may not open is named without a link', async () => {
  const links = await show('settings/write', 'users/read');
  expect(links).not.toContain('First import');
  expect(links).toHaveLength(guideSteps.length - 1);
});
