import { screen, waitFor, within } from '@testing-library/react';
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
});

const id = '22222222-2222-4222-8222-222222222222';
const file = (given: Partial<Upload>): Upload => ({
  ...{ key: 1, name: 'march.hl7', state: 'sent', share: 1, importId: id, error: null },
  ...given,
});
const detail = (given: object) => ({
  ...{
    id,
    createdAt: '2026-11-20T12:00:00.000Z',
    fileName: 'march.hl7',
    format: 'hl7',
    state: 'done',
    dryRun: false,
    run: 'import',
  },
  ...{ byteSize: 9, messages: 12, taken: 10, waiting: 0, refused: 2, duplicates: 0, facilityName: null },
  ...{ createdByName: null, finishedAt: null, progress: null, startedAt: null, error: null, reasons: [] },
  ...{
    effects: {},
    notes: [],
    corrected: 0,
    repeats: null,
    withheld: 0,
    mappingNeeded: false,
    preview: null,
    codes: { rows: [], more: 0 },
  },
  ...given,
});
const answers = {
  'POST /api/web/grid/imports/search': { body: { rows: [], rowCount: 0 } },
  'GET /api/web/grid/imports/columns': { body: { columns: null } },
  'GET /api/web/list/options/facilities': { body: { options: [] } },
};
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Uploads' })).getAllByRole('listitem');

test('an arrived file is only uploaded, until its outcome is known', async () => {
  serve({ ...answers, [`GET /api/web/imports/${id}`]: () => new Promise<never>(() => {}) });
  uploads.now = [file({}), file({ key: 2, name: 'april.hl7', state: 'failed', share: 0, importId: null })];
  renderInApp(<Imports />, { path: '/imports' });
  const [sent, failed] = await rows();
  expect(within(sent!).getByRole('status')).toHaveTextContent('Uploaded');
  const icons = (row: HTMLElement) => [...row.querySelectorAll('svg')].map((icon) => icon.classList.value);
  expect(icons(sent!)[0]).toMatch(/\blucide-upload\b/);
  expect(icons(sent!).join(' ')).not.toMatch(/check/);
  expect(icons(failed!)[0]).toMatch(/\blucide-circle-x\b/);
});

test("a file's outcome is next to its name, so that no one has to look for it in the list", async () => {
  serve({ ...answers, [`GET /api/web/imports/${id}`]: { body: detail({}) } });
  uploads.now = [file({})];
  renderInApp(<Imports />, { path: '/imports' });
  const [sent] = await rows();
  await waitFor(() =>
    expect(within(sent!).getByRole('status')).toHaveTextContent('Partly accepted · Accepted 10 · Refused 2'),
  );
});
