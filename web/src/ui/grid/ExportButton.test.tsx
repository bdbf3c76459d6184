import { gridQuery, namedLimit } from '@caseway/contract/grid';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { browserStore } from '../../session/storage.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, type Sent, serve } from '../../test/server.ts';
import { GridExport } from './ExportButton.tsx';
import { grid as things } from './test-grid.tsx';

await startTestLocales();
const grid = { ...things, exportable: 'things/export' } as const;
const query = gridQuery(grid).parse({ sortModel: [{ field: 'size', sort: 'asc' }] });
const columns = ['code', 'size'];
const path = 'POST /api/web/grid/things/export';

let requests: Sent[] = [];
const signIn = (...permissions: string[]) => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  const casbinPolicy = permissions.map((one) => `p, u1, T, ${one}, allow`);
  store.dispatch(userReady(initAnswer(undefined, { casbinPolicy })));
};
beforeEach(() => {
  URL.createObjectURL = vi.fn(() => 'blob:file');
  URL.revokeObjectURL = vi.fn();
  signIn('things/read', 'things/export');
  requests = serve({
    [path]: {
      raw: 'file',
      headers: { 'Content-Disposition': 'attachment; filename="things-2026-03-01.xlsx"' },
    },
  });
});
afterEach(() => store.dispatch(signedOut()));

type Selection = Parameters<typeof GridExport>[0]['selection'];
const show = (selection?: Selection, rowCount: number | undefined = 1234) =>
  renderInApp(
    <GridExport grid={grid} query={query} columns={columns} rowCount={rowCount} selection={selection} />,
  );
const choose = async (name: string | RegExp) => {
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(screen.getByRole('menuitem', { name }));
  await waitFor(() => expect(requests).not.toEqual([]));
  return requests[0]!;
};
const entries = () => screen.getAllByRole('menuitem').map((item) => item.textContent);

test('all matching rows are exported in either format, by keyboard alone', async () => {
  const user = userEvent.setup();
  show();
  await user.tab();
  await user.keyboard('{Enter}');
  expect(entries()).toEqual([
    'CSVAll records that match (1,234)',
    'Excel (XLSX)All records that match (1,234)',
    'My files',
  ]);
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]!.body).toEqual({ query, columns, format: 'xlsx' });
  expect(requests[0]!.headers.accept).toContain('spreadsheetml');
  // After the export, the menu is available again.
  const menu = await screen.findByRole('button', { name: 'Export' });
  expect(menu).toBeEnabled();
  await waitFor(() => expect(menu).toHaveFocus());
});

test('selected rows come first', async () => {
  show({ size: 2, ids: new Set(['id2', 'id5']), all: null });
  const { body } = await choose(/^CSV ?Selected records \(2\)/);
  expect(body).toEqual({ query, columns, format: 'csv', ids: ['id2', 'id5'] });
});

test('all rows selected under other filters are exported by those, except the excluded ones', async () => {
  const other = gridQuery(grid).parse({ filters: { programFilter: ['p1'] } });
  show({ size: 59, ids: new Set(['id2']), all: { query: other, count: 60 } }, 0);
  const { body } = await choose(/^Excel \(XLSX\) ?Selected records \(59\)/);
  expect(body).toEqual({
    query: { ...other, sortModel: query.sortModel },
    columns,
    format: 'xlsx',
    except: ['id2'],
  });
});

test('more rows than one request can name are refused with advice', async () => {
  const ids = new Set(Array.from({ length: namedLimit + 1 }, (_, index) => `id${index}`));
  show({ size: ids.size, ids, all: null });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Export' }));
  const [first] = screen.getAllByRole('menuitem');
  expect(first).toHaveAttribute('aria-disabled', 'true');
  expect(first).toHaveTextContent('You can select up to 1,000 one by one.');
});

test('a running export can be cancelled', async () => {
  const user = userEvent.setup();
  requests = serve({ [path]: () => new Promise(() => {}) });
  show();
  const { signal } = await choose(/^CSV/);
  await user.click(screen.getByRole('button', { name: 'Cancel the export' }));
  expect(signal!.aborted).toBe(true);
});

describe('in the background', () => {
  const prepare = `${path}/prepare`;
  const file = {
    grid: 'things',
    format: 'csv',
    at: '2026-03-01T12:00:00Z',
    total: 20_000,
    done: 9000,
    size: null,
  };
  const states: Record<string, object> = {
    preparing: { state: 'preparing', expiresAt: null, failedBy: null },
    ready: { state: 'ready', done: 30_000, size: 5000, expiresAt: '2026-03-02T12:00:00Z', failedBy: null },
    failed: { state: 'failed', expiresAt: null, failedBy: 'forbidden' },
  };
  /** Serves a file that takes the next state from `next` each time it is requested. */
  const made = (...next: string[]) => {
    let id = '';
    requests = serve({
      [prepare]: ({ body }) => {
        id = (body as { id: string }).id;
        return { body: { ...file, id, ...states.preparing } };
      },
      'GET /api/web/exported-files': () => ({
        body: { files: [{ ...file, id, ...states[next.length > 1 ? next.shift()! : next[0]!] }] },
      }),
    });
  };
  afterEach(() => browserStore.remove('export/things'));

  test('a long list is prepared, shows its progress, and can be downloaded', async () => {
    made('preparing', 'ready');
    show(undefined, 30_000);
    const { path: asked, body } = await choose(/^CSV/);
    expect(asked).toBe('/api/web/grid/things/export/prepare');
    expect(body).toMatchObject({ query, columns, format: 'csv' });
    expect(await screen.findByText('Preparing your file… 45%')).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Download' })).toBeEnabled();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('button', { name: 'Export' })).toBeEnabled();
  });

  test('a short list is too, if the user says so', async () => {
    made('preparing');
    const user = userEvent.setup();
    show();
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await user.click(screen.getByRole('menuitemcheckbox', { name: /^Prepare in the background/ }));
    await user.click(screen.getByRole('menuitem', { name: /^CSV/ }));
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(requests[0]!.path).toBe('/api/web/grid/things/export/prepare');
    await waitFor(() => expect(requests.some(({ method }) => method === 'DELETE')).toBe(true));
    expect(screen.getByRole('button', { name: 'Export' })).toBeEnabled();
  });

  test('a failed one says so', async () => {
    made('failed');
    show(undefined, 30_000);
    await choose(/^CSV/);
    expect(await screen.findByText('Your file could not be prepared.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull();
  });
});

test('is not available without the permission, and is disabled for a list without rows', () => {
  const { unmount } = show(undefined, 0);
  expect(screen.getByRole('button', { name: 'Export' })).toBeDisabled();
  unmount();
  signIn('things/read');
  show();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a list with its own file formats offers them after the others, each packed', async () => {
  const withFiles = { ...grid, files: ['vaers-2'] };
  renderInApp(
    <GridExport grid={withFiles} query={query} columns={columns} rowCount={3} selection={undefined} />,
  );
  const { body, headers } = await choose(
    /^VAERS, form 2\.0 \(ZIP\) ?Adverse events of all records that match \(3\)\. Texts are in it as they were written, with any names in them\.$/,
  );
  expect(body).toEqual({ query, columns, format: 'vaers-2' });
  expect(headers.accept).toContain('application/zip');
});
