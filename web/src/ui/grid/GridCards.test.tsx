import type { Grid } from '@caseway/contract/grid';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cardOf } from './GridCards.tsx';
import { grid, lastShown, show, stage, startGridTests } from './test-grid.tsx';

await startGridTests();

beforeEach(() => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
  }));
});

const cards = async () =>
  within(await screen.findByRole('list', { name: 'Things' })).getAllByRole('listitem');

describe('a list on a phone', () => {
  test('shows cards with the leading columns, opened by their headings', async () => {
    const user = userEvent.setup();
    await show();
    const [card] = await cards();
    expect(screen.queryByRole('grid')).toBeNull();
    expect(within(card!).getByRole('heading', { name: 'C1' })).toBeInTheDocument();
    expect(card).toHaveTextContent('NAMEName 1');
    expect(card).toHaveTextContent('STATUSis open');
    await user.click(within(card!).getByRole('button', { name: 'C1' }));
    expect(stage.opened).toEqual(['id1']);
  });

  test('lets the user select one row, or all of the page', async () => {
    const user = userEvent.setup();
    stage.selecting = true;
    await show();
    const [, second] = await cards();
    await user.click(within(second!).getByRole('checkbox', { name: 'Select C2' }));
    expect(screen.getByText('id2 chosen')).toBeInTheDocument();
    await user.click(screen.getByRole('checkbox', { name: 'Select every row on this page' }));
    expect(screen.getByText('25 in all')).toBeInTheDocument();
  });

  test('has its order in a list, and no way to arrange or hide columns', async () => {
    const user = userEvent.setup();
    await show();
    await cards();
    expect(screen.queryByRole('button', { name: 'Columns' })).toBeNull();
    const order = screen.getByRole('combobox', { name: 'Order' });
    expect(order).toHaveValue('code desc');
    await user.selectOptions(order, 'SIZE, ascending');
    await waitFor(() => expect(lastShown().sortModel).toEqual([{ field: 'size', sort: 'asc' }]));
  });

  test('has its views in one list', async () => {
    await show();
    await cards();
    expect(screen.getByRole('combobox', { name: 'View' })).toHaveValue('all');
  });
});

test('a card shows what its grid says, as far as the reader has it', () => {
  const card = { title: ['name'], state: 'status', lines: ['size', 'removed'] };
  expect(cardOf({ ...grid, card }, [])).toEqual({ title: ['name'], state: 'status', lines: ['size'] });
  expect(cardOf(grid, ['code', 'name', 'status', 'size', 'seen'])).toEqual({
    title: ['code'],
    state: '',
    lines: ['name', 'status', 'size'],
  });
});

test('a card whose grid says nothing begins with the person, or with the first column that is no day', () => {
  expect(cardOf(grid, ['seen', 'code', 'name', 'size'])).toMatchObject({
    title: ['code'],
    lines: ['seen', 'name', 'size'],
  });
  const people = {
    ...grid,
    columns: { ...grid.columns, lastName: { kind: 'text' }, firstName: { kind: 'text' } },
  };
  expect(cardOf(people as Grid, ['seen', 'code', 'lastName', 'firstName', 'size'])).toMatchObject({
    title: ['lastName', 'firstName'],
    lines: ['seen', 'code', 'size'],
  });
});
