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
  test('is cards with the columns that lead, each opened by its heading', async () => {
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

  test('its rows are chosen, one and all of the page', async () => {
    const user = userEvent.setup();
    stage.selecting = true;
    await show();
    const [, second] = await cards();
    await user.click(within(second!).getByRole('checkbox', { name: 'Select C2' }));
    expect(screen.getByText('id2 chosen')).toBeInTheDocument();
    await user.click(screen.getByRole('checkbox', { name: 'Select every row on this page' }));
    expect(screen.getByText('25 in all')).toBeInTheDocument();
  });

  test('its order is chosen from a list, and a column is neither arranged nor hidden', async () => {
    const user = userEvent.setup();
    await show();
    await cards();
    expect(screen.queryByRole('button', { name: 'Columns' })).toBeNull();
    const order = screen.getByRole('combobox', { name: 'Order' });
    expect(order).toHaveValue('code desc');
    await user.selectOptions(order, 'SIZE, ascending');
    await waitFor(() => expect(lastShown().sortModel).toEqual([{ field: 'size', sort: 'asc' }]));
  });

  test('its views are one list to pick from', async () => {
    await show();
    await cards();
    expect(screen.getByRole('combobox', { name: 'View' })).toHaveValue('all');
  });
});

test('a card shows what its grid says, of what the reader has', () => {
  const card = { title: ['name'], state: 'status', lines: ['size', 'removed'] };
  expect(cardOf({ ...grid, card }, [])).toEqual({ title: ['name'], state: 'status', lines: ['size'] });
  expect(cardOf(grid, ['code', 'name', 'status', 'size', 'seen'])).toEqual({
    title: ['code'],
    state: '',
    lines: ['name', 'status', 'size'],
  });
});
