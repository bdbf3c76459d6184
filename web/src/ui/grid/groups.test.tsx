import type { GridQuery } from '@caseway/contract/grid';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { Sent } from '../../test/server.ts';
import { isRow, linesOf, toggleGroup } from './groups.ts';
import {
  asked,
  cell,
  header,
  lastShown,
  rows,
  searchPath,
  show,
  stage,
  startGridTests,
} from './test-grid.tsx';

await startGridTests();

/** The things by status, without those of closed groups: 30 open, 30 closed. */
const grouped = ({ body }: Sent) => {
  const { paginationModel, grouping } = body as GridQuery;
  const { page, pageSize } = paginationModel;
  const all = ['open', 'closed'].flatMap((status) =>
    grouping?.closed?.includes(status) ? [] : rows.filter((row) => row.status === status),
  );
  const shown = all.slice(page * pageSize, (page + 1) * pageSize);
  return {
    body: {
      rows: shown,
      rowCount: all.length,
      ...(grouping && {
        groups: [
          { key: 'open', count: 30 },
          { key: 'closed', count: 30 },
        ],
        groupOf: Object.fromEntries(shown.map(({ id, status }) => [id, status])),
      }),
    },
  };
};
const open = async (at = '/things?group=status') => {
  await show(at, { [searchPath]: grouped });
  return userEvent.setup();
};
const heading = (name: RegExp) => screen.findByRole('gridcell', { name });

describe("a page's lines", () => {
  const row = (id: string) => ({ id });
  const groups = [
    { key: 'a', count: 3 },
    { key: 'b', count: 2 },
    { key: 'c', count: 1 },
  ];
  /** Rows by id, headings in capital letters, closed ones in brackets. */
  const shown = (page: number, ids: string, closed: string[] = []) =>
    linesOf({
      rows: [...ids].map(row),
      rowCount: groups.reduce((sum, { key, count }) => (closed.includes(key) ? sum : sum + count), 0),
      groups,
      groupOf: { 1: 'a', 2: 'a', 3: 'a', 4: 'b', 5: 'b', 6: 'c' },
      firstPlace: page * 3,
      pageSize: 3,
      grouping: { by: 'status', closed },
    })
      .map((line) =>
        isRow(line) ? line.row.id : line.isClosed ? `(${line.group})` : line.group.toUpperCase(),
      )
      .join('');

  test('have the heading of each group that starts on it, and of the one continued from the previous page', () => {
    expect(shown(0, '123')).toBe('A123');
    expect(shown(1, '456')).toBe('B45C6');
    expect(shown(0, '456', ['a'])).toBe('(a)B45C6');
    expect(shown(0, '123', ['b', 'c'])).toBe('A123(b)(c)');
  });

  test("have a closed group's heading once, on the page where its rows would start", () => {
    expect(shown(0, '123', ['b'])).toBe('A123');
    expect(shown(1, '6', ['b'])).toBe('(b)C6');
    expect(shown(0, '', ['a', 'b', 'c'])).toBe('(a)(b)(c)');
  });

  test('have a heading without a number for rows of a group that was not counted', () => {
    const lines = linesOf({
      rows: [row('1'), row('7')],
      rowCount: 2,
      groups: [{ key: 'a', count: 1 }],
      groupOf: { 1: 'a', 7: 'z' },
      firstPlace: 0,
      pageSize: 3,
      grouping: { by: 'status' },
    });
    expect(lines[2]).toEqual({ group: 'z', count: null, isClosed: false });
  });

  test('toggling a group leads to the page where it starts', () => {
    const went: unknown[] = [];
    const view = {
      grouping: { by: 'status', closed: ['a'] },
      paginationModel: { page: 0, pageSize: 3 },
    } as never;
    const setGrouping = (...to: unknown[]) => void went.push(to);
    // After the three rows of a, c starts with the sixth.
    toggleGroup({ view, groups, setGrouping }, 'a');
    toggleGroup(
      { view: { ...(view as object), grouping: { by: 'status' } } as never, groups, setGrouping },
      'c',
    );
    expect(went).toEqual([
      [{ by: 'status' }, 0],
      [{ by: 'status', closed: ['c'] }, 1],
    ]);
  });
});

describe('rows in groups', () => {
  test('are grouped by a chosen column, with headings that have the total number', async () => {
    const user = await open('/things');
    await cell('C1');
    await user.click(screen.getByRole('button', { name: 'Group' }));
    const dialog = await screen.findByRole('dialog', { name: 'Group' });
    expect(
      within(dialog)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['No groups', 'STATUS', 'SEEN, by day', 'SEEN, by week']);
    await user.keyboard('stat{Enter}');
    expect(await heading(/STATUS\s*is open\s*30 records/)).toHaveAttribute('aria-expanded', 'true');
    expect(stage.address).toBe('/things?group=status');
    expect(lastShown().grouping).toEqual({ by: 'status' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Grouped by STATUS' }));
    const again = within(await screen.findByRole('dialog', { name: 'Group' }));
    await user.click(again.getByRole('option', { name: 'No groups' }));
    await waitFor(() => expect(stage.address).toBe('/things'));
  });

  test('close and open with a click, in the address too; the row count covers only what is shown', async () => {
    const user = await open();
    await user.click(await heading(/STATUS\s*is open/));
    await waitFor(() => expect(stage.address).toBe('/things?group=status&closed=open'));
    expect(await heading(/is open\s*30 records/)).toHaveAttribute('aria-expanded', 'false');
    expect(await cell('C2')).toBeInTheDocument();
    expect(screen.queryByText('C1')).toBeNull();
    expect(await screen.findByText('1–25 of 30 records')).toBeInTheDocument();
    // Prefetched pages have the same groups.
    await waitFor(() => expect(asked().at(-1)!.grouping).toEqual({ by: 'status', closed: ['open'] }));
    await user.click(await heading(/STATUS\s*is open/));
    await waitFor(() => expect(stage.address).toBe('/things?group=status'));
  });

  test('of weeks are named by their first day and their number in the MMWR calendar', async () => {
    await show('/things?group=seen~week', {
      [searchPath]: () => ({
        // 4 January 2026 is a Sunday, and the fourth day of January is always in week 1.
        body: {
          rows: rows.slice(0, 1),
          rowCount: 1,
          groups: [{ key: '2026-01-04', count: 1 }],
          groupOf: { [rows[0]!.id]: '2026-01-04' },
        },
      }),
    });
    expect(await heading(/SEEN\s*Week of 01\/04\/2026\s*MMWR week 1 of 2026\s*1 record/)).toBeInTheDocument();
  });

  test('are all closed and opened at once, and the list says that it is not empty', async () => {
    const user = await open();
    await heading(/STATUS\s*is open/);
    await user.click(screen.getByRole('button', { name: 'Grouped by STATUS' }));
    await user.click(await screen.findByRole('button', { name: 'Close all groups' }));
    expect(await screen.findByText('All groups are closed')).toBeInTheDocument();
    expect(screen.queryByText('No things yet')).toBeNull();
    expect(await heading(/is closed\s*30 records/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Grouped by STATUS' }));
    await user.click(await screen.findByRole('button', { name: 'Open all groups' }));
    expect(await cell('C1')).toBeInTheDocument();
  });

  test('have headings that the arrow keys reach, and J and K skip', async () => {
    const user = await open('/things?group=status&closed=open');
    const first = await heading(/STATUS\s*is open/);
    act(() => header('SIZE').focus());
    await user.keyboard('{ArrowDown}');
    expect(first).toHaveFocus();
    expect(screen.getByRole('grid').querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    // Below the headings, the focus returns to its column.
    expect(document.activeElement).toHaveTextContent('2');
    expect(document.activeElement).toHaveAttribute('data-field', 'size');
    await user.keyboard('k');
    expect(document.activeElement).toHaveAttribute('data-field', 'size');
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(first).toHaveFocus();
    await user.keyboard('j');
    expect(document.activeElement).toHaveAttribute('data-field', 'size');
    await user.keyboard('{ArrowUp}{ArrowUp}{Enter}');
    await waitFor(() => expect(stage.address).toBe('/things?group=status'));
    expect(await heading(/STATUS\s*is open/)).toHaveFocus();
    await user.keyboard(' ');
    await waitFor(() => expect(stage.address).toBe('/things?group=status&closed=open'));
  });
});
