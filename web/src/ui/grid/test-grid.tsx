import { addDays } from '@caseway/contract/date-range';
import type { Grid, GridQuery } from '@caseway/contract/grid';
import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { z } from 'zod';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, type Sent, serve } from '../../test/server.ts';
import type { GridControl } from '../../view/grid-view.ts';
import { useGrid } from '../../view/use-grid.ts';
import { DataGrid } from './DataGrid.tsx';
import { useGridSelection } from './selection.tsx';

export const grid = {
  id: 'things',
  permission: 'things/read',
  columns: {
    code: { kind: 'text' },
    name: { kind: 'text', sensitive: true },
    status: { kind: 'choice', options: ['open', 'closed'] },
    size: { kind: 'number' },
    seen: { kind: 'date' },
    note: { kind: 'text', hidden: true, sortable: false },
  },
  defaultSort: [{ field: 'code', sort: 'desc' }],
  filters: ['programFilter'],
  defaultRange: (today: string) => ({ start: addDays(today, -14), end: today }),
  row: z.object({
    id: z.string(),
    code: z.string(),
    name: z.string(),
    status: z.string().nullable(),
    size: z.number(),
    seen: z.string(),
    note: z.string(),
  }),
} as const satisfies Grid;

export const rows = Array.from({ length: 60 }, (_, index) => ({
  id: `id${index + 1}`,
  code: `C${index + 1}`,
  name: `Name ${index + 1}`,
  status: index % 2 === 0 ? 'open' : 'closed',
  size: index + 1,
  seen: '2024-03-10',
  note: '',
}));

/** The input of the tested screen, and its recorded actions. */
const emptyStage = () => ({
  address: '',
  opened: [] as string[],
  openId: null as string | null,
  selecting: false,
  /** The rows rendered since the test started counting, in order. */
  drawn: [] as string[],
  requests: [] as Sent[],
  /** The control that stays the same on every page. */
  onFirstPage: null as GridControl | null,
  go: (_to: string) => {},
  back: () => {},
});
export let stage = emptyStage();

const words = {
  column: (field: string) => field.toUpperCase(),
  choice: (_: string, code: string) => `is ${code}`,
};
/** A cell that remembers the row it was created for. */
function Made({ of }: { of: string }) {
  const [made] = useState(of);
  return <>{made}</>;
}
const cells = {
  name: (row: { name: string }) => <Made of={row.name} />,
  code: (row: { code: string }) => {
    stage.drawn.push(row.code);
    return row.code;
  },
};

function Screen() {
  const [open, setOpen] = useState(stage.openId);
  const state = useGrid(grid);
  const location = useLocation();
  const navigate = useNavigate();
  stage.address = location.pathname + location.search;
  stage.go = (to) => void navigate(to);
  stage.onFirstPage = state.onFirstPage;
  stage.back = () => void navigate(-1);
  const selection = useGridSelection(state.onFirstPage.request);
  return (
    <DataGrid
      grid={grid}
      state={state}
      label="Things"
      words={words}
      cells={cells}
      onOpen={(row) => {
        stage.opened.push(row.id);
        if (open !== null) setOpen(row.id);
      }}
      openId={open}
      searchLabel="Find a thing"
      {...(stage.selecting
        ? {
            selection: {
              ...selection,
              nameOf: ({ code }: { code: string }) => code,
              bar: (
                <>
                  <p>{[...selection.ids].join(' ')} chosen</p>
                  <p>
                    {selection.size} in all{selection.isElsewhere ? ', elsewhere' : ''}
                  </p>
                  <button type="button" onClick={() => selection.chooseAll(rows.length)}>
                    Everything
                  </button>
                </>
              ),
            },
          }
        : {})}
      empty={{ title: 'No things yet' }}
    />
  );
}

export const searchPath = 'POST /api/web/grid/things/search';
export const page = ({ body }: Sent) => {
  const { paginationModel } = body as GridQuery;
  const from = paginationModel.page * paginationModel.pageSize;
  return { body: { rows: rows.slice(from, from + paginationModel.pageSize), rowCount: rows.length } };
};
export const asked = () =>
  stage.requests.filter(({ path }) => path.endsWith('/search')).map(({ body }) => body as GridQuery);
/** The last request, without the prefetch of the next page. */
export const lastShown = (pageNumber = 0) =>
  asked().findLast(({ paginationModel }) => paginationModel.page === pageNumber)!;

export async function show(at = '/things', answers: Parameters<typeof serve>[0] = {}) {
  stage.requests = serve({
    [searchPath]: page,
    'POST /api/web/grid/things/filters': { body: { id: 'kept1' } },
    ...answers,
  });
  renderInApp(<Screen />, { path: at });
  await waitFor(() => expect(asked().length).toBeGreaterThan(0));
}
export const cell = async (text: string) =>
  (await screen.findByText(text)).closest<HTMLElement>('[role=gridcell]')!;
export const header = (label: string) =>
  screen.getByText(label, { selector: '[role=columnheader] *' }).closest<HTMLElement>('[role=columnheader]')!;

/** Call it at the top of a file: before each test someone is signed in, and nothing is shown yet. */
export async function startGridTests(): Promise<void> {
  await startTestLocales();
  beforeEach(() => {
    // jsdom has no layout; the virtual list needs a height to fill.
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1000);
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
    HTMLElement.prototype.scrollTo = vi.fn() as never;
    HTMLElement.prototype.scrollIntoView = vi.fn();
    stage = emptyStage();
    store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
    store.dispatch(userReady(initAnswer()));
  });
  afterEach(() => {
    queryClient.clear();
    store.dispatch(signedOut());
  });
}

/** Chooses a condition's column. */
export async function inColumn(user: UserEvent, condition: Pick<typeof screen, 'getByRole'>, name: string) {
  await user.click(condition.getByRole('combobox', { name: 'Column' }));
  await user.click(await screen.findByRole('option', { name }));
}
