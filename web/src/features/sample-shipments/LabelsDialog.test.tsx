import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, serve } from '../../test/server.ts';
import { LabelsDialog } from './LabelsDialog.tsx';

await startTestLocales('sample-shipments');
const id = '11111111-1111-4111-8111-111111111111';
const path = `GET /api/web/sample-shipments/${id}/labels`;

beforeEach(() => {
  queryClient.clear();
  URL.createObjectURL = () => 'blob:labels';
  URL.revokeObjectURL = () => {};
  store.dispatch(userReady(initAnswer()));
});
afterEach(() => act(() => void store.dispatch(signedOut())));

function show(hasSpecimens: boolean, answer: { status?: number; body: unknown } = { body: 'labels' }) {
  const sent = serve({ [path]: answer });
  renderInApp(
    <LabelsDialog one={{ id, number: 'SS-26-1' }} hasSpecimens={hasSpecimens} onClose={vi.fn()} />,
    { path: '/sample-shipments' },
  );
  return () => sent.filter(({ method }) => method === 'GET').map(({ query }) => query);
}
const download = () => userEvent.click(screen.getByRole('button', { name: 'Download' }));

test('for specimens fit tubes, in a file for any printer or for label printers', async () => {
  const asked = show(true);
  await userEvent.click(screen.getByRole('radio', { name: 'The specimens' }));
  expect(screen.getByRole('radio', { name: 'Tube, 50 × 25 mm' })).toBeChecked();
  await download();
  await userEvent.click(screen.getByRole('radio', { name: 'ZPL for label printers' }));
  await download();
  expect(asked()).toEqual([
    { of: 'tubes', size: 'tube', format: 'pdf' },
    { of: 'tubes', size: 'tube', format: 'zpl' },
  ]);
});

test('for an empty box are box labels, and a sheet is a PDF', async () => {
  const asked = show(false);
  expect(screen.queryByRole('radio', { name: 'The specimens' })).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'ZPL for label printers' }));
  await userEvent.click(screen.getByRole('radio', { name: 'Letter sheet of 30' }));
  expect(screen.queryByRole('radio', { name: 'ZPL for label printers' })).toBeNull();
  await download();
  expect(asked()).toEqual([{ of: 'box', size: 'sheet', format: 'pdf' }]);
});

test('whose numbers are too long say so', async () => {
  show(true, {
    status: 422,
    body: {
      code: 'validation-failed',
      message: '',
      requestId: 'r1',
      faults: [{ path: 'size', code: 'code-too-long', message: '' }],
    },
  });
  await download();
  await waitFor(() =>
    expect(store.getState().notifications.open.at(-1)).toMatchObject({
      message: 'sample-shipments:fault.code-too-long',
    }),
  );
});
