import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { store } from '../../session/store.ts';
import { cell, header, lastShown, show, stage, startGridTests } from './test-grid.tsx';

await startGridTests();

describe('the keyboard', () => {
  test('is one tab stop; arrows, Home and End move; Enter opens', async () => {
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
    expect(stage.opened).toEqual(['id25']);
    await user.keyboard('{Control>}{Home}{/Control}{ArrowUp}');
    await waitFor(() => expect(header('CODE')).toHaveFocus());
    expect(grids.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  });

  test('Enter sorts in the header, also with Shift', async () => {
    const user = userEvent.setup();
    await show();
    await cell('C1');
    act(() => header('SIZE').focus());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(lastShown().sortModel).toEqual([{ field: 'size', sort: 'asc' }]));
    await user.keyboard('{ArrowRight}{Shift>}{Enter}{/Shift}');
    await waitFor(() => expect(lastShown().sortModel).toHaveLength(2));
  });

  test('J and K move through the records, across pages', async () => {
    const user = userEvent.setup();
    stage.openId = 'id1';
    await show();
    const first = await cell('C1');
    act(() => first.focus());
    await user.keyboard('{Control>}{End}{/Control}');
    await waitFor(() => expect(document.activeElement).toHaveAttribute('data-row', '24'));
    await user.keyboard('k');
    expect(stage.opened).toEqual(['id24']);
    await user.keyboard('j');
    expect(stage.opened).toEqual(['id24', 'id25']);
    await user.keyboard('j');
    await cell('C26');
    await waitFor(() => expect(stage.opened.at(-1)).toBe('id26'));
    await waitFor(() => expect(document.activeElement).toHaveAttribute('data-row', '0'));
    await user.keyboard('k');
    await cell('C25');
    await waitFor(() => expect(stage.opened.at(-1)).toBe('id25'));
  });

  test('an arrow key rerenders nothing: only the cell left and the cell reached change', async () => {
    const user = userEvent.setup();
    await show();
    const first = await cell('C1');
    act(() => first.focus());
    const changes: Element[] = [];
    const observer = new MutationObserver((records) => {
      for (const { target } of records) changes.push(target as Element);
    });
    observer.observe(screen.getByRole('grid'), { subtree: true, attributes: true, childList: true });
    stage.drawn = [];
    await user.keyboard('{ArrowDown}');
    expect(changes).toEqual([first, await cell('C2')]);
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowUp}{End}{Home}');
    observer.disconnect();
    expect(first).toHaveFocus();
    expect(changes).toHaveLength(2 * 6);
    expect(stage.drawn).toEqual([]);
  });

  test('J rerenders only the record that was open and the one that is', async () => {
    const user = userEvent.setup();
    stage.openId = 'id1';
    await show();
    const first = await cell('C1');
    act(() => first.focus());
    stage.drawn = [];
    await user.keyboard('j');
    await waitFor(() =>
      expect(screen.getByText('C2').closest('[role=row]')).toHaveAttribute('aria-selected', 'true'),
    );
    expect([...new Set(stage.drawn)].sort()).toEqual(['C1', 'C2']);
  });

  test("a column's menu opens from its header", async () => {
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

describe('selecting rows', () => {
  const box = (name: string) => screen.findByRole('checkbox', { name: `Select ${name}` });
  const chosen = () => screen.getByText(/chosen$/).textContent;

  test('a checkbox selects its row and opens nothing; another page keeps the selection, another filter ends it', async () => {
    const user = userEvent.setup();
    stage.selecting = true;
    await show();
    await user.click(await box('C2'));
    await user.click(await box('C4'));
    expect(chosen()).toBe('id2 id4 chosen');
    expect(stage.opened).toEqual([]);
    expect((await cell('C2')).closest('[role=row]')).toHaveAttribute('aria-selected', 'true');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(await box('C26'));
    expect(chosen()).toBe('id2 id4 id26 chosen');
    act(() => stage.go('/things?f=status~is~open'));
    await cell('C1');
    expect(chosen()).toBe(' chosen');
  });

  test('all matching rows except some are selected, and stay so while the list shows others', async () => {
    const user = userEvent.setup();
    stage.selecting = true;
    await show();
    await user.click(screen.getByRole('button', { name: 'Everything' }));
    expect(await box('C3')).toBeChecked();
    await user.click(await box('C3'));
    expect(screen.getByText(/in all/)).toHaveTextContent('59 in all');
    act(() => stage.go('/things?f=status~is~open'));
    await waitFor(() => expect(screen.getByText(/in all/)).toHaveTextContent('59 in all, elsewhere'));
    expect(await box('C1')).not.toBeChecked();
    act(() => stage.go('/things?view=default'));
    await waitFor(() => expect(screen.getByText(/in all/)).toHaveTextContent(/^59 in all$/));
    expect(await box('C1')).toBeChecked();
    expect(await box('C3')).not.toBeChecked();
    act(() => stage.go('/things?f=status~is~open'));
    await user.click(await box('C1'));
    expect(screen.getByText(/in all/)).toHaveTextContent('1 in all');
  });

  test("the header's checkbox selects the page, and clears it", async () => {
    const user = userEvent.setup();
    stage.selecting = true;
    await show();
    await user.click(await box('C1'));
    const all = screen.getByRole('checkbox', { name: 'Select every row on this page' });
    expect(all).toBePartiallyChecked();
    await user.click(all);
    expect(chosen()!.split(' ')).toHaveLength(26);
    await user.click(all);
    expect(chosen()).toBe(' chosen');
  });

  test('Space selects by keyboard, from any cell of the row', async () => {
    const user = userEvent.setup();
    stage.selecting = true;
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
