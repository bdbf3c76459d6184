import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { FormDialog } from './FormDialog.tsx';

await startTestLocales();
const onClose = vi.fn();
beforeEach(() => {
  onClose.mockClear();
  renderInApp(
    <FormDialog title="Suspend" submit="Suspend" busy={false} onSubmit={vi.fn()} onClose={onClose}>
      <input aria-label="Reason" />
    </FormDialog>,
  );
});
const pressBeside = () => userEvent.click(document.querySelector('.MuiDialog-container')!);

test.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['a click beside it', pressBeside],
])('a form in which nothing was typed is closed by %s', async (_, leave) => {
  await leave();
  expect(onClose).toHaveBeenCalledOnce();
});

test.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['a click beside it', pressBeside],
])('what was typed is not thrown away by %s, which leads to Cancel', async (_, leave) => {
  await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'Contract ended');
  await leave();
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveValue('Contract ended');
  expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(onClose).toHaveBeenCalledOnce();
});
