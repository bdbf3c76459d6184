import { addDays } from '@caseway/contract/date-range';
import { type Grid, type GridQuery, operators } from '@caseway/contract/grid';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { queryClient } from '../../api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test-locales.ts';
import { renderInApp } from '../../test-render.tsx';
import { accessToken, initAnswer, refreshToken, type Sent, serve } from '../../test-server.ts';
import { useGrid } from '../../use-grid.ts';
import { DataGrid } from './DataGrid.tsx';
import { sorted } from './HeaderCell.tsx';
import { useGridSelection } from './selection.tsx';

const grid = {
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

const rows = Array.from({ length: 60 }, (_, index) => ({
  id: `id${index + 1}`,
  code: `C${index + 1}`,
  name: `Name ${index + 1}`,
  status: index % 2 === 0 ? 'open' : 'closed',
  size: index + 1,
  seen: '2024-03-10',
  note: '',
}));

await startTestLocales();
let address = '';
let opened: string[] = [];
let openId: string | null = null;
let selecting = false;
let go: (to: string) => void = () => {};
let back: () => void = () => {};

const words = {
  column: (field: string) => field.toUpperCase(),
  choice: (_: string, code: string) => `is ${code}`,
};
/** How often each row was drawn since the test began to count. */
let drawn: string[] = [];
const cells = {
  code: (row: { code: string }) => {
    drawn.push(row.code);
    return row.code;
  },
};

function Screen() {
  const [open, setOpen] = useState(openId);
  const state = useGrid(grid);
  const location = useLocation();
  const navigate = useNavigate();
  address = location.pathname + location.search;
  go = (to) => void navigate(to);
  back = () => void navigate(-1);
  const selection = useGridSelection(JSON.stringify(state.request.filterModel));
  return (
    <DataGrid
      grid={grid}
      state={state}
      label="Things"
      words={words}
      cells={cells}
      onOpen={(row) => {
        opened.push(row.id);
        if (open !== null) setOpen(row.id);
      }}
      openId={open}
      searchLabel="Find a thing"
      {...(selecting
        ? {
            selection: {
              ...selection,
              nameOf: ({ code }: { code: string }) => code,
              bar: <p>{[...selection.ids].join(' ')} chosen</p>,
            },
          }
        : {})}
      empty={{ title: 'No things yet' }}
    />
  );
}

const searchPath = 'POST /api/web/grid/things/search';
const page = ({ body }: Sent) => {
  const { paginationModel } = body as GridQuery;
  const from = paginationModel.page * paginationModel.pageSize;
  return { body: { rows: rows.slice(from, from + paginationModel.pageSize), rowCount: rows.length } };
};
let requests: Sent[] = [];
const asked = () =>
  requests.filter(({ path }) => path.endsWith('/search')).map(({ body }) => body as GridQuery);
/** What was asked for last that was not the next page, fetched ahead. */
const lastShown = (pageNumber = 0) =>
  asked().findLast(({ paginationModel }) => paginationModel.page === pageNumber)!;

async function show(at = '/things', answers: Parameters<typeof serve>[0] = {}) {
  requests = serve({
    [searchPath]: page,
    'POST /api/web/grid/things/filters': { body: { id: 'kept1' } },
    ...answers,
  });
  renderInApp(<Screen />, { path: at });
  await waitFor(() => expect(asked().length).toBeGreaterThan(0));
}
const cell = async (text: string) => (await screen.findByText(text)).closest<HTMLElement>('[role=gridcell]')!;
const header = (label: string) =>
  screen.getByText(label, { selector: '[role=columnheader] *' }).closest<HTMLElement>('[role=columnheader]')!;

beforeEach(() => {
  // jsdom lays nothing out; the virtual list needs a height to fill.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1000);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  HTMLElement.prototype.scrollTo = vi.fn() as never;
  HTMLElement.prototype.scrollIntoView = vi.fn();
  opened = [];
  openId = null;
  selecting = false;
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

describe('asking for rows', () => {
  test('[S9.1, S9.3] asks for the first 25 in the grid’s own order and range, and fetches the next page ahead', async () => {
    await show();
    await cell('C1');
    expect(asked()[0]).toMatchObject({
      sortModel: [{ field: 'code', sort: 'desc' }],
      paginationModel: { page: 0, pageSize: 25 },
      filterModel: { items: [], logicOperator: 'and' },
    });
    expect(asked()[0]!.dateRangeValue).toBeDefined();
    await waitFor(() => expect(asked()[1]?.paginationModel.page).toBe(1));
    expect(screen.getByText('1–25 of 60 records')).toBeInTheDocument();
    expect(screen.getByRole('grid', { name: 'Things' })).toHaveAttribute('aria-rowcount', '61');
  });

  test('a column the grid hides is not shown until it is asked for', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    expect(screen.queryByRole('columnheader', { name: /NOTE/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(screen.getByRole('checkbox', { name: 'NOTE' }));
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('columnheader', { name: /NOTE/ })).toBeInTheDocument();
  });

  test('turning the page goes into the address and keeps the old page until the new one is there', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await cell('C26');
    expect(address).toBe('/things?page=2');
    expect(screen.getByText('26–50 of 60 records')).toBeInTheDocument();
  });

  test('the address reproduces the screen', async () => {
    await show(
      '/things?f=status~is~open&logic=or&programFilter=p1&range=2024-01-01..2024-01-31&sort=-size,code&page=3&size=50',
    );
    expect(asked()[0]).toEqual({
      filterModel: { items: [{ field: 'status', operator: 'is', value: 'open' }], logicOperator: 'or' },
      filters: { programFilter: ['p1'] },
      dateRangeValue: { start: '2024-01-01', end: '2024-01-31' },
      sortModel: [
        { field: 'size', sort: 'desc' },
        { field: 'code', sort: 'asc' },
      ],
      paginationModel: { page: 2, pageSize: 50 },
    });
  });

  test('a bad link opens unfiltered and says so', async () => {
    await show('/things?f=secret~is~x');
    expect(asked()[0]!.filterModel.items).toEqual([]);
    expect(await screen.findByRole('alert')).toHaveTextContent(/does not know/);
  });

  test('[S3.10] coming back without an address finds the list as it was', async () => {
    await show('/things?f=status~is~open');
    await cell('C1');
    act(() => go('/elsewhere'));
    act(() => go('/things'));
    await waitFor(() => expect(address).toBe('/things?f=status%7Eis%7Eopen'));
    expect(asked().every(({ filterModel }) => filterModel.items.length === 1)).toBe(true);
  });
});

describe('sorting', () => {
  test('a click sorts by one column, with Shift by another as well', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    await user.click(header('SIZE'));
    expect(lastShown().sortModel).toEqual([{ field: 'size', sort: 'asc' }]);
    await user.keyboard('{Shift>}');
    await user.click(header('STATUS'));
    await user.keyboard('{/Shift}');
    await waitFor(() => expect(lastShown().sortModel).toHaveLength(2));
    expect(address).toBe('/things?sort=size%2Cstatus');
    expect(header('SIZE')).toHaveAttribute('aria-sort', 'ascending');
  });

  test('a column goes from ascending to descending to unsorted', () => {
    expect(sorted([], 'a', false)).toEqual([{ field: 'a', sort: 'asc' }]);
    expect(sorted([{ field: 'a', sort: 'asc' }], 'a', false)).toEqual([{ field: 'a', sort: 'desc' }]);
    expect(sorted([{ field: 'a', sort: 'desc' }], 'a', false)).toEqual([]);
    const two = [
      { field: 'a', sort: 'asc' as const },
      { field: 'b', sort: 'desc' as const },
    ];
    expect(sorted(two, 'a', true)).toEqual([{ field: 'a', sort: 'desc' }, two[1]]);
    expect(sorted(two, 'b', true)).toEqual([two[0]]);
    expect(sorted(two, 'c', false)).toEqual([{ field: 'c', sort: 'asc' }]);
  });
});

describe('the keyboard', () => {
  test('is one tab stop; arrows, Home and End walk; Enter opens', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    const grids = screen.getByRole('grid');
    expect(grids.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    act(() => header('CODE').focus());
    await user.keyboard('{ArrowDown}');
    expect(await cell('C1')).toHaveFocus();
    await user.keyboard('{ArrowDown}{ArrowRight}');
    expect(await cell('Name 2')).toHaveFocus();
    await user.keyboard('{End}');
    expect(document.activeElement).toHaveAttribute('data-column', '4');
    await user.keyboard('{Home}');
    expect(await cell('C2')).toHaveFocus();
    await user.keyboard('{Control>}{End}{/Control}');
    await waitFor(() => expect(document.activeElement).toHaveAttribute('data-row', '24'));
    await user.keyboard('{Enter}');
    expect(opened).toEqual(['id25']);
    await user.keyboard('{Control>}{Home}{/Control}{ArrowUp}');
    await waitFor(() => expect(header('CODE')).toHaveFocus());
    expect(grids.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  });

  test('Enter sorts in the header, with Shift as well', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    act(() => header('SIZE').focus());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(lastShown().sortModel).toEqual([{ field: 'size', sort: 'asc' }]));
    await user.keyboard('{ArrowRight}{Shift>}{Enter}{/Shift}');
    await waitFor(() => expect(lastShown().sortModel).toHaveLength(2));
  });

  test('J and K walk through the records, over the edge of the page', async () => {
    const user = userEvent.setup();
    openId = 'id1';
    await show();
    const first = await cell('C1');
    act(() => first.focus());
    await user.keyboard('{Control>}{End}{/Control}');
    await waitFor(() => expect(document.activeElement).toHaveAttribute('data-row', '24'));
    await user.keyboard('k');
    expect(opened).toEqual(['id24']);
    await user.keyboard('j');
    expect(opened).toEqual(['id24', 'id25']);
    await user.keyboard('j');
    await cell('C26');
    await waitFor(() => expect(opened.at(-1)).toBe('id26'));
    await waitFor(() => expect(document.activeElement).toHaveAttribute('data-row', '0'));
    await user.keyboard('k');
    await cell('C25');
    await waitFor(() => expect(opened.at(-1)).toBe('id25'));
  });

  test('an arrow key draws nothing again: two cells change, the one that was left and the one that is reached', async () => {
    const user = userEvent.setup();
    await show();
    const first = await cell('C1');
    act(() => first.focus());
    const changes: Element[] = [];
    const observer = new MutationObserver((records) => {
      for (const { target } of records) changes.push(target as Element);
    });
    observer.observe(screen.getByRole('grid'), { subtree: true, attributes: true, childList: true });
    drawn = [];
    await user.keyboard('{ArrowDown}');
    expect(changes).toEqual([first, await cell('C2')]);
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowUp}{End}{Home}');
    observer.disconnect();
    expect(first).toHaveFocus();
    expect(changes).toHaveLength(2 * 6);
    expect(drawn).toEqual([]);
  });

  test('J draws the record that was open and the one that is, and no other', async () => {
    const user = userEvent.setup();
    openId = 'id1';
    await show();
    const first = await cell('C1');
    act(() => first.focus());
    drawn = [];
    await user.keyboard('j');
    await waitFor(() =>
      expect(screen.getByText('C2').closest('[role=row]')).toHaveAttribute('aria-selected', 'true'),
    );
    expect([...new Set(drawn)].sort()).toEqual(['C1', 'C2']);
  });

  test('the menu of a column opens from its header', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    act(() => header('STATUS').focus());
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await user.click(await screen.findByRole('menuitem', { name: 'Hide' }));
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: /STATUS/ })).toBeNull());
    expect(store.getState().preferences.columns.things?.hidden).toContain('status');
  });
});

describe('choosing rows', () => {
  const box = (name: string) => screen.findByRole('checkbox', { name: `Choose ${name}` });
  const chosen = () => screen.getByText(/chosen$/).textContent;

  test('a checkbox chooses its row and opens nothing; another page keeps the choice, another filter ends it', async () => {
    const user = userEvent.setup();
    selecting = true;
    await show();
    await user.click(await box('C2'));
    await user.click(await box('C4'));
    expect(chosen()).toBe('id2 id4 chosen');
    expect(opened).toEqual([]);
    expect((await cell('C2')).closest('[role=row]')).toHaveAttribute('aria-selected', 'true');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(await box('C26'));
    expect(chosen()).toBe('id2 id4 id26 chosen');
    act(() => go('/things?f=status~is~open'));
    await cell('C1');
    expect(chosen()).toBe(' chosen');
  });

  test('the box of the header chooses the page, and takes it back', async () => {
    const user = userEvent.setup();
    selecting = true;
    await show();
    await user.click(await box('C1'));
    const all = screen.getByRole('checkbox', { name: 'Choose every row of this page' });
    expect(all).toBePartiallyChecked();
    await user.click(all);
    expect(chosen()!.split(' ')).toHaveLength(26);
    await user.click(all);
    expect(chosen()).toBe(' chosen');
  });

  test('Space chooses from the keyboard, wherever in the row the focus is', async () => {
    const user = userEvent.setup();
    selecting = true;
    await show();
    const first = await cell('C1');
    act(() => first.focus());
    await user.keyboard(' {ArrowDown}{ArrowRight} ');
    expect(chosen()).toBe('id1 id2 chosen');
    await user.keyboard('{Home} ');
    expect(chosen()).toBe('id1 chosen');
    expect(document.activeElement).toHaveAttribute('data-column', '0');
  });
});

describe('filtering', () => {
  const openBuilder = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(screen.getByRole('button', { name: /^Filters/ }));
    return within(await screen.findByRole('group', { name: 'Condition 1' }));
  };

  test.each([
    ['code', 'text'],
    ['size', 'number'],
    ['seen', 'date'],
    ['status', 'choice'],
  ] as const)('[S10.4] a condition on %s offers every operator of its kind', async (field, kind) => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    const condition = await openBuilder(user);
    await user.selectOptions(condition.getByLabelText('Column'), field.toUpperCase());
    const offered = within(condition.getByLabelText('Operator')).getAllByRole('option');
    expect(offered.map((option) => option.getAttribute('value'))).toEqual([...operators[kind]]);
  });

  test('[S10.4] what can be not recorded can be asked for, by one value and among several', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    const condition = await openBuilder(user);
    await user.selectOptions(condition.getByLabelText('Column'), 'STATUS');
    await user.selectOptions(condition.getByLabelText('Value'), 'Not recorded');
    await waitFor(() =>
      expect(lastShown().filterModel.items).toEqual([{ field: 'status', operator: 'is', value: 'missing' }]),
    );
    await user.selectOptions(condition.getByLabelText('Operator'), 'is any of');
    await user.click(condition.getByRole('option', { name: 'is open' }));
    await user.click(condition.getByRole('option', { name: 'Not recorded' }));
    await waitFor(() =>
      expect(lastShown().filterModel.items).toEqual([
        { field: 'status', operator: 'isAnyOf', value: ['open', 'missing'] },
      ]),
    );
  });

  test('[S9.4] what is typed is asked 800 ms later, not before', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) });
    await show();
    await cell('C1');
    const condition = await openBuilder(user);
    const before = asked().length;
    await user.type(condition.getByLabelText('Value'), 'abc');
    await vi.advanceTimersByTimeAsync(700);
    expect(asked()).toHaveLength(before);
    await vi.advanceTimersByTimeAsync(200);
    await waitFor(() =>
      expect(lastShown().filterModel.items).toEqual([{ field: 'code', operator: 'contains', value: 'abc' }]),
    );
    expect(address).toBe('/things?f=code%7Econtains%7Eabc');
    vi.useRealTimers();
  });

  test('conditions are joined by and or by or; a valueless one is asked at once; a chip takes it away', async () => {
    const user = userEvent.setup();
    await show('/things?f=status~is~open');
    await cell('C1');
    await openBuilder(user);
    await user.click(screen.getByRole('button', { name: 'Add a condition' }));
    const second = within(screen.getByRole('group', { name: 'Condition 2' }));
    await user.selectOptions(second.getByLabelText('Operator'), 'is empty');
    await user.click(screen.getByRole('radio', { name: 'Match any' }));
    await waitFor(() =>
      expect(lastShown().filterModel).toEqual({
        items: [
          { field: 'status', operator: 'is', value: 'open' },
          { field: 'code', operator: 'isEmpty' },
        ],
        logicOperator: 'or',
      }),
    );
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Remove the filter on STATUS' }));
    await waitFor(() =>
      expect(lastShown().filterModel.items).toEqual([{ field: 'code', operator: 'isEmpty' }]),
    );
  });

  test('[P16] words and sensitive conditions are asked, kept on the server, and only their id is in the address', async () => {
    const user = userEvent.setup();
    await show('/things?f=status~is~open');
    await cell('C1');
    await user.type(screen.getByRole('searchbox', { name: 'Find a thing' }), 'canary{Enter}');
    await waitFor(() => expect(lastShown().filterModel.quickFilterValues).toEqual(['canary']));
    // What was filtered by before still is.
    expect(lastShown().filterModel.items).toHaveLength(1);
    // Until the filter is kept the address says nothing of it.
    expect(['/things', '/things?saved=kept1']).toContain(address);
    await waitFor(() => expect(address).toBe('/things?saved=kept1'));
    const kept = requests.find(({ path }) => path.endsWith('/filters'))!.body as GridQuery;
    expect(kept.filterModel).toEqual({
      items: [{ field: 'status', operator: 'is', value: 'open' }],
      logicOperator: 'and',
      quickFilterValues: ['canary'],
    });
    await user.type(screen.getByRole('searchbox', { name: 'Find a thing' }), 'x{Enter}');
    await waitFor(() => expect(lastShown().filterModel.quickFilterValues).toEqual(['canaryx']));
    expect(lastShown().filterModel.items).toHaveLength(1);
  });

  test('[P16] a link to a kept filter gets it from the server before anything is asked', async () => {
    const filterModel = {
      items: [{ field: 'name', operator: 'contains', value: 'canary' }],
      logicOperator: 'and',
    };
    await show('/things?saved=other&size=50', {
      'GET /api/web/grid/things/filters/other': { body: { filterModel } },
    });
    await cell('C1');
    expect(asked()[0]).toMatchObject({ filterModel, paginationModel: { pageSize: 50 } });
  });

  test('a link to a filter that is gone opens unfiltered and says so', async () => {
    await show('/things?saved=gone');
    await cell('C1');
    expect(asked()[0]!.filterModel.items).toEqual([]);
    expect(await screen.findByRole('alert')).toHaveTextContent(/does not know/);
  });

  test('a link means what it says, not what the list was filtered by before', async () => {
    const user = userEvent.setup();
    await show('/things');
    await cell('C1');
    await user.type(screen.getByRole('searchbox', { name: 'Find a thing' }), 'canary{Enter}');
    await waitFor(() => expect(lastShown().filterModel.quickFilterValues).toEqual(['canary']));
    act(() => go('/elsewhere'));
    act(() => go('/things?range=2024-01-01..2024-01-31'));
    await waitFor(() =>
      expect(asked().at(-1)!.dateRangeValue).toEqual({ start: '2024-01-01', end: '2024-01-31' }),
    );
    expect(asked().at(-1)!.filterModel.quickFilterValues).toBeUndefined();
  });
});

describe('a page behind the last', () => {
  test('[S9.1] leads to the last: of 60 rows, 25 a page, the third', async () => {
    await show('/things?f=status~is~open&page=99999');
    await cell('C51');
    expect(await screen.findByText('51–60 of 60 records')).toBeInTheDocument();
    expect(screen.getByText('Page 3 of 3')).toBeInTheDocument();
    await waitFor(() => expect(address).toBe('/things?f=status%7Eis%7Eopen&page=3'));
    expect(screen.queryByRole('heading', { name: 'Nothing matches' })).toBeNull();
  });

  test('leads to the last also when the rows of the last page leave it, and Back does not return there', async () => {
    let left = rows;
    await show('/elsewhere', {
      [searchPath]: ({ body }) => {
        const { page: number, pageSize } = (body as GridQuery).paginationModel;
        const from = number * pageSize;
        return { body: { rows: left.slice(from, from + pageSize), rowCount: left.length } };
      },
    });
    act(() => go('/things?page=3'));
    await cell('C51');
    left = rows.slice(0, 50);
    await act(() => queryClient.invalidateQueries());
    await cell('C26');
    expect(await screen.findByText('Page 2 of 2')).toBeInTheDocument();
    await waitFor(() => expect(address).toBe('/things?page=2'));
    act(() => back());
    expect(address).not.toContain('page=3');
  });

  test('where nothing is left says so on the first page', async () => {
    await show('/things?page=3', { [searchPath]: { body: { rows: [], rowCount: 0 } } });
    expect(await screen.findByRole('heading', { name: /No things yet|Nothing matches/ })).toBeInTheDocument();
    expect(screen.getByText('Page 1 of 1')).toBeInTheDocument();
    await waitFor(() => expect(address).toBe('/things'));
  });
});

describe('when there is nothing to show', () => {
  const nothing = { body: { rows: [], rowCount: 0 } };

  test('an empty list says what to do', async () => {
    await show('/things', { [searchPath]: nothing });
    expect(await screen.findByRole('heading', { name: 'No things yet' })).toBeInTheDocument();
  });

  test('a list without a match offers to clear the filters', async () => {
    const user = userEvent.setup();
    await show('/things?f=status~is~open', {
      [searchPath]: ({ body }) =>
        (body as GridQuery).filterModel.items.length > 0 ? nothing : page({ body } as Sent),
    });
    expect(await screen.findByRole('heading', { name: 'Nothing matches' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await cell('C1');
  });

  test('a list one may not see says which permission it needs', async () => {
    await show('/things', {
      [searchPath]: {
        status: 403,
        body: { code: 'forbidden', message: '', permission: 'case-reports/read' },
      },
    });
    expect(await screen.findByText(/See case reports/)).toBeInTheDocument();
  });

  test('a fault is told in words and can be tried again', async () => {
    const user = userEvent.setup();
    let broken = true;
    await show('/things', {
      [searchPath]: (sent) =>
        broken ? { status: 400, body: { code: 'query-too-slow', message: '' } } : page(sent),
    });
    expect(await screen.findByText(/take too long/)).toBeInTheDocument();
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await cell('C1');
  });
});
