import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import Imports from './Imports.tsx';
import type { Upload } from './uploads.ts';

const uploads = vi.hoisted(() => ({ now: [] as Upload[] }));
vi.mock('./uploads.ts', async (original) => ({
  ...(await original<typeof import('./uploads.ts')>()),
  useUploads: () => uploads.now,
}));
await startTestLocales('imports');

beforeEach(() => {
  queryClient.clear();
  store.dispatch(
    userReady(
      initAnswer([org('t1', 'Alder')], {
        casbinPolicy: ['imports/read', 'imports/write'].map((one) => `p, u1, T, ${one}, allow`),
      }),
    ),
  );
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
  }));
  serve({
    'POST /api/web/grid/imports/search': { body: { rows: [], rowCount: 0 } },
    'GET /api/web/grid/imports/columns': { body: { columns: null } },
    'GET /api/web/list/options/facilities': { body: { options: [] } },
  });
});

test('an arrived file is only uploaded: nothing suggests that it was imported', async () => {
  uploads.now = [
    { key: 1, name: 'march.hl7', state: 'sent', share: 1, importId: '1', error: null },
    { key: 2, name: 'april.hl7', state: 'failed', share: 0, importId: null, error: null },
  ];
  renderInApp(<Imports />, { path: '/imports' });
  const [sent, failed] = within(await screen.findByRole('list', { name: 'Uploads' })).getAllByRole(
    'listitem',
  );
  expect(within(sent!).getByRole('status')).toHaveTextContent('Uploaded');
  const icons = (row: HTMLElement) => [...row.querySelectorAll('svg')].map((icon) => icon.classList.value);
  expect(icons(sent!)[0]).toMatch(/\blucide-upload\b/);
  expect(icons(sent!).join(' ')).not.toMatch(/check/);
  expect(icons(failed!)[0]).toMatch(/\blucide-circle-x\b/);
});
