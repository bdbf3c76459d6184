import { type GridQuery, operators } from '@caseway/contract/grid';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { asked, cell, inColumn, lastShown, show, stage, startGridTests } from './test-grid.tsx';

await startGridTests();

describe('filtering', () => {
  const openBuilder = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(screen.getByRole('button', { name: /^Filter rules/ }));
    return within(await screen.findByRole('group', { name: 'Rule 1' }));
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
    await inColumn(user, condition, field.toUpperCase());
    const offered = within(condition.getByLabelText('Operator')).getAllByRole('option');
    expect(offered.map((option) => option.getAttribute('value'))).toEqual([...operators[kind]]);
  });

  test('[S10.4] “not recorded” can be chosen, alone and among several', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    const condition = await openBuilder(user);
    await inColumn(user, condition, 'STATUS');
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

  test('a date is compared with a relative range, which the chip says in words', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    const condition = await openBuilder(user);
    await inColumn(user, condition, 'SEEN');
    await user.selectOptions(condition.getByLabelText('Operator'), 'is within');
    await user.selectOptions(condition.getByLabelText('Value'), 'Next 7 days');
    await waitFor(() =>
      expect(lastShown().filterModel.items).toEqual([
        { field: 'seen', operator: 'within', value: 'next-7-days' },
      ]),
    );
    expect(stage.address).toBe('/things?f=seen%7Ewithin%7Enext-7-days');
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('button', { name: 'SEEN is within Next 7 days' })).toBeInTheDocument();
  });

  test('[S9.4] typed text is applied 800 ms later, not before', async () => {
    await show();
    await cell('C1');
    const condition = await openBuilder(userEvent.setup());
    vi.useFakeTimers();
    fireEvent.change(condition.getByLabelText('Value'), { target: { value: 'abc' } });
    act(() => vi.advanceTimersByTime(799));
    expect(stage.address).toBe('/things');
    act(() => vi.advanceTimersByTime(1));
    vi.useRealTimers();
    await waitFor(() =>
      expect(lastShown().filterModel.items).toEqual([{ field: 'code', operator: 'contains', value: 'abc' }]),
    );
    expect(stage.address).toBe('/things?f=code%7Econtains%7Eabc');
  });

  test('conditions are joined with AND or OR; one without a value is applied immediately; a chip removes it', async () => {
    const user = userEvent.setup();
    await show('/things?f=status~is~open');
    await cell('C1');
    await openBuilder(user);
    await user.click(screen.getByRole('button', { name: 'Add a rule' }));
    const second = within(screen.getByRole('group', { name: 'Rule 2' }));
    expect(second.getByRole('combobox', { name: 'Column' })).toHaveFocus();
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

  test('a group joins its conditions in its own way, in the query, the address and one chip', async () => {
    const user = userEvent.setup();
    await show('/things?f=status~is~open');
    await cell('C1');
    await openBuilder(user);
    await user.click(screen.getByRole('button', { name: 'Add a group' }));
    const group = within(screen.getByRole('group', { name: 'Group 1' }));
    // Joined in the opposite way, because otherwise it would change nothing.
    expect(group.getByRole('radio', { name: 'Match any' })).toBeChecked();
    const first = within(group.getByRole('group', { name: 'Rule 1' }));
    await user.selectOptions(first.getByLabelText('Operator'), 'is empty');
    await user.click(group.getByRole('button', { name: 'Add a rule' }));
    const second = within(group.getByRole('group', { name: 'Rule 2' }));
    await inColumn(user, second, 'SIZE');
    await user.selectOptions(second.getByLabelText('Operator'), 'is not empty');
    const groups = [
      {
        items: [
          { field: 'code', operator: 'isEmpty' },
          { field: 'size', operator: 'isNotEmpty' },
        ],
        logicOperator: 'or',
      },
    ];
    await waitFor(() =>
      expect(lastShown().filterModel).toEqual({
        items: [{ field: 'status', operator: 'is', value: 'open' }],
        groups,
        logicOperator: 'and',
      }),
    );
    expect(new URLSearchParams(stage.address.split('?')[1]).get('g')).toBe(
      'f=code~isEmpty&f=size~isNotEmpty&logic=or',
    );
    await user.keyboard('{Escape}');
    const chip = await screen.findByRole('button', {
      name: /^Group 1 CODE is empty\s+or SIZE is not empty/,
    });
    await user.click(chip);
    expect(await screen.findByRole('group', { name: 'Group 1' })).toBeInTheDocument();
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Remove the filter on Group 1' }));
    await waitFor(() => expect(lastShown().filterModel.groups).toBeUndefined());
    expect(lastShown().filterModel.items).toHaveLength(1);
  });

  test('a column is found by typing part of its name, and the condition always has one', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    const condition = await openBuilder(user);
    const column = condition.getByRole('combobox', { name: 'Column' });
    expect(column).toHaveValue('CODE');
    await user.clear(column);
    await user.keyboard('stat');
    const found = within(screen.getByRole('listbox', { name: 'Column' })).getAllByRole('option');
    expect(found.map((option) => option.textContent)).toEqual(['STATUS']);
    await user.keyboard('{Enter}');
    expect(column).toHaveValue('STATUS');
    await user.clear(column);
    await user.tab();
    expect(column).toHaveValue('STATUS');
  });

  test('a choice can be none of several', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    const condition = await openBuilder(user);
    await inColumn(user, condition, 'STATUS');
    await user.selectOptions(condition.getByLabelText('Operator'), 'is none of');
    await user.click(condition.getByRole('option', { name: 'is open' }));
    await user.click(condition.getByRole('option', { name: 'Not recorded' }));
    await waitFor(() =>
      expect(lastShown().filterModel.items).toEqual([
        { field: 'status', operator: 'isNoneOf', value: ['open', 'missing'] },
      ]),
    );
    await user.keyboard('{Escape}');
    expect(
      await screen.findByRole('button', { name: 'STATUS is none of is open, Not recorded' }),
    ).toBeInTheDocument();
  });

  test('groups nest to the third level, and the chip shows them in brackets', async () => {
    const user = userEvent.setup();
    await show('/things?f=status~is~open');
    await cell('C1');
    await openBuilder(user);
    const beginEmpty = async (name: string) => {
      const group = within(screen.getByRole('group', { name }));
      await user.selectOptions(
        within(group.getAllByRole('group', { name: 'Rule 1' })[0]!).getByLabelText('Operator'),
        'is empty',
      );
      return group;
    };
    await user.click(screen.getByRole('button', { name: 'Add a group' }));
    const first = await beginEmpty('Group 1');
    await user.click(first.getByRole('button', { name: 'Add a group' }));
    const second = await beginEmpty('Group 1.1');
    expect(second.getByRole('radio', { name: 'Match all' })).toBeChecked();
    await user.click(second.getByRole('button', { name: 'Add a group' }));
    const third = await beginEmpty('Group 1.1.1');
    expect(third.queryByRole('button', { name: 'Add a group' })).toBeNull();
    const empty = { field: 'code', operator: 'isEmpty' };
    const groups = [
      {
        items: [empty],
        groups: [
          {
            items: [empty],
            groups: [{ items: [empty], logicOperator: 'or' }],
            logicOperator: 'and',
          },
        ],
        logicOperator: 'or',
      },
    ];
    await waitFor(() => expect(lastShown().filterModel.groups).toEqual(groups));
    await user.keyboard('{Escape}');
    expect(
      await screen.findByRole('button', {
        name: /^Group 1 CODE is empty\s+or \(CODE is empty\s+and \(CODE is empty\s*\)\)$/,
      }),
    ).toBeInTheDocument();
    // The button has the total number of conditions.
    await user.click(screen.getByRole('button', { name: /^Filter rules\s*4$/ }));
    await user.click(await screen.findByRole('button', { name: 'Remove group 1.1' }));
    await waitFor(() =>
      expect(lastShown().filterModel.groups).toEqual([{ items: [empty], logicOperator: 'or' }]),
    );
  });

  test('a group is removed with its conditions, and one without a finished condition filters nothing', async () => {
    const user = userEvent.setup();
    await show('/things?g=f%3Dstatus~is~open');
    await cell('C1');
    expect(asked()[0]!.filterModel.groups).toEqual([
      { items: [{ field: 'status', operator: 'is', value: 'open' }], logicOperator: 'and' },
    ]);
    await user.click(screen.getByRole('button', { name: /^Filter rules/ }));
    // The button of the whole filter comes after those of its groups.
    await user.click(screen.getAllByRole('button', { name: 'Add a group' }).at(-1)!);
    expect(lastShown().filterModel.groups).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Remove group 1' }));
    await waitFor(() => expect(lastShown().filterModel.groups).toBeUndefined());
    expect(screen.getByRole('group', { name: 'Group 1' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Remove group 1' }));
    expect(screen.queryByRole('group', { name: 'Group 1' })).toBeNull();
  });

  test('[P16] search text and sensitive conditions are applied and stored on the server, with only their id in the address', async () => {
    const user = userEvent.setup();
    await show('/things?f=status~is~open');
    await cell('C1');
    await user.type(screen.getByRole('searchbox', { name: 'Find a thing' }), 'canary{Enter}');
    await waitFor(() => expect(lastShown().filterModel.quickFilterValues).toEqual(['canary']));
    // The earlier filter still applies.
    expect(lastShown().filterModel.items).toHaveLength(1);
    // The address does not mention the filter until it is stored.
    expect(['/things', '/things?saved=kept1']).toContain(stage.address);
    await waitFor(() => expect(stage.address).toBe('/things?saved=kept1'));
    const kept = stage.requests.findLast(({ path }) => path.endsWith('/filters'))!.body as GridQuery;
    expect(kept.filterModel).toEqual({
      items: [{ field: 'status', operator: 'is', value: 'open' }],
      logicOperator: 'and',
      quickFilterValues: ['canary'],
    });
    await user.type(screen.getByRole('searchbox', { name: 'Find a thing' }), 'x{Enter}');
    await waitFor(() => expect(lastShown().filterModel.quickFilterValues).toEqual(['canaryx']));
    expect(lastShown().filterModel.items).toHaveLength(1);
  });

  test('storing a filter does not bring back a user who has left for a record that is still loading', async () => {
    await show('/things');
    await cell('C1');
    // With a stopped clock, the user leaves before the filter is stored.
    vi.useFakeTimers();
    const box = screen.getByRole('searchbox', { name: 'Find a thing' });
    fireEvent.change(box, { target: { value: 'canary' } });
    fireEvent.keyDown(box, { key: 'Enter' });
    window.history.pushState(null, '', '/things/1');
    try {
      await act(() => vi.advanceTimersByTimeAsync(1600));
      expect(lastShown().filterModel.quickFilterValues).toEqual(['canary']);
      expect(stage.requests.filter(({ path }) => path.endsWith('/filters'))).toEqual([]);
      expect(stage.address).toBe('/things');
    } finally {
      vi.useRealTimers();
      window.history.back();
    }
  });

  test('[P16] a link to a stored filter gets it from the server before anything is loaded', async () => {
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

  test('a link to a deleted filter opens unfiltered and says so', async () => {
    await show('/things?saved=gone');
    await cell('C1');
    expect(asked()[0]!.filterModel.items).toEqual([]);
    expect(await screen.findByRole('alert')).toHaveTextContent(/does not have/);
  });

  test("a link means what it says, not the list's earlier filter", async () => {
    const user = userEvent.setup();
    await show('/things');
    await cell('C1');
    await user.type(screen.getByRole('searchbox', { name: 'Find a thing' }), 'canary{Enter}');
    await waitFor(() => expect(lastShown().filterModel.quickFilterValues).toEqual(['canary']));
    act(() => stage.go('/elsewhere'));
    act(() => stage.go('/things?range=2024-01-01..2024-01-31'));
    await waitFor(() =>
      expect(asked().at(-1)!.dateRangeValue).toEqual({ start: '2024-01-01', end: '2024-01-31' }),
    );
    expect(asked().at(-1)!.filterModel.quickFilterValues).toBeUndefined();
  });
});
