import type { GridQuery } from '@caseway/contract/grid';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import type { Sent } from '../../test/server.ts';
import { sorted } from './HeaderCell.tsx';
import {
  asked,
  cell,
  header,
  lastShown,
  page,
  rows,
  searchPath,
  show,
  stage,
  startGridTests,
} from './test-grid.tsx';

await startGridTests();

describe('requesting rows', () => {
  test('[S9.1, S9.3] loads the first 25 in the grid’s own order and range, and prefetches the next page', async () => {
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

  test('a column hidden by the grid is not shown until the user shows it', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    expect(screen.queryByRole('columnheader', { name: /NOTE/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(screen.getByRole('checkbox', { name: 'NOTE' }));
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('columnheader', { name: 'NOTE' })).toBeInTheDocument();
  });

  test('changing the page changes the address and keeps the old page until the new one has loaded', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await cell('C26');
    expect(stage.address).toBe('/things?page=2');
    expect(screen.getByText('26–50 of 60 records')).toBeInTheDocument();
    // It was prefetched; the first page, which was not, is fetched again.
    const asksFor = (page: number) => asked().filter(({ paginationModel }) => paginationModel.page === page);
    await waitFor(() => expect(asksFor(2)).toHaveLength(1));
    expect(asksFor(1)).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Previous page' }));
    await waitFor(() => expect(asksFor(0)).toHaveLength(2));
  });

  test('another page reuses the row elements, and recreates components in their cells', async () => {
    const user = userEvent.setup();
    await show();
    const first = (await cell('C1')).closest('[role=row]');
    expect(await cell('Name 1')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    const now = (await cell('C26')).closest('[role=row]');
    expect(now).toBe(first);
    expect(now).toHaveAttribute('aria-rowindex', '27');
    expect(now).toContainElement(await cell('Name 26'));
    expect(screen.queryByText('Name 1')).toBeNull();
  });

  test('what is around the rows gets the same control on every page, and another one with another order', async () => {
    const user = userEvent.setup();
    await show('/things?page=2');
    await cell('C26');
    const first = stage.onFirstPage;
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await cell('C51');
    expect(stage.onFirstPage).toBe(first);
    await user.click(header('CODE'));
    await waitFor(() => expect(stage.onFirstPage).not.toBe(first));
    expect(stage.onFirstPage?.request.paginationModel.page).toBe(0);
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
    expect(await screen.findByRole('alert')).toHaveTextContent(/does not have/);
  });

  test('[S3.10] returning without an address restores the list', async () => {
    await show('/things?f=status~is~open');
    await cell('C1');
    act(() => stage.go('/elsewhere'));
    act(() => stage.go('/things'));
    await waitFor(() => expect(stage.address).toBe('/things?f=status%7Eis%7Eopen'));
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
    expect(stage.address).toBe('/things?sort=size%2Cstatus');
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

describe('a page beyond the last', () => {
  test('[S9.1] leads to the last: of 60 rows, 25 per page, the third', async () => {
    await show('/things?f=status~is~open&page=99999');
    await cell('C51');
    expect(await screen.findByText('51–60 of 60 records')).toBeInTheDocument();
    expect(screen.getByText('Page 3 of 3')).toBeInTheDocument();
    await waitFor(() => expect(stage.address).toBe('/things?f=status%7Eis%7Eopen&page=3'));
    expect(screen.queryByRole('heading', { name: 'Nothing matches' })).toBeNull();
  });

  test('leads to the last even when the last page becomes empty, and Back does not return there', async () => {
    let left = rows;
    await show('/elsewhere', {
      [searchPath]: ({ body }) => {
        const { page: number, pageSize } = (body as GridQuery).paginationModel;
        const from = number * pageSize;
        return { body: { rows: left.slice(from, from + pageSize), rowCount: left.length } };
      },
    });
    act(() => stage.go('/things?page=3'));
    await cell('C51');
    left = rows.slice(0, 50);
    await act(() => queryClient.invalidateQueries());
    await cell('C26');
    expect(await screen.findByText('Page 2 of 2')).toBeInTheDocument();
    await waitFor(() => expect(stage.address).toBe('/things?page=2'));
    act(() => stage.back());
    expect(stage.address).not.toContain('page=3');
  });

  test('with no rows left says so on the first page', async () => {
    await show('/things?page=3', { [searchPath]: { body: { rows: [], rowCount: 0 } } });
    expect(await screen.findByRole('heading', { name: /No things yet|Nothing matches/ })).toBeInTheDocument();
    expect(screen.getByText('Page 1 of 1')).toBeInTheDocument();
    await waitFor(() => expect(stage.address).toBe('/things'));
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

  test('a list the user may not see says which permission it needs', async () => {
    await show('/things', {
      [searchPath]: {
        status: 403,
        body: { code: 'forbidden', message: '', permission: 'case-reports/read' },
      },
    });
    expect(await screen.findByText(/See case reports/)).toBeInTheDocument();
  });

  test('an error is explained and can be retried', async () => {
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
