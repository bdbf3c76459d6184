import type { VaersAnswer, VaersFiles } from '@caseway/contract/vaers';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, type Sent, serve } from '../../test/server.ts';
import { ImportVaers } from './ImportVaers.tsx';

await startTestLocales('incident-reports');

const found: VaersAnswer = {
  counts: { new: 1204, same: 1, differs: 0, refused: 1 },
  faults: [],
  reports: [
    {
      vaersId: '025002',
      line: 4,
      outcome: 'new',
      faults: [{ file: 'VAERSDATA.csv', line: 4, column: 'VAX_DATE', code: 'no-day' }],
    },
    {
      vaersId: '',
      line: 9,
      outcome: 'refused',
      faults: [{ file: 'VAERSDATA.csv', line: 9, column: 'VAERS_ID', code: 'no-number' }],
    },
  ],
  reportCount: 2,
};
let answer: VaersAnswer;
let sent: Sent[];
const onClose = vi.fn();
beforeEach(() => {
  answer = found;
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
  sent = serve({
    'POST /api/web/incident-reports/vaers/check': () => ({ body: answer }),
    'POST /api/web/incident-reports/vaers': () => ({ body: answer }),
  });
});
afterEach(() => {
  store.dispatch(signedOut());
  queryClient.clear();
  onClose.mockClear();
});

const file = (name: string, text = 'VAERS_ID\r\n') => new File([text], name, { type: 'text/csv' });
async function choose(...files: File[]) {
  await userEvent.setup().upload(screen.getByTestId('file-input'), files);
}
const three = ['VAERSDATA.csv', 'VAERSVAX.csv', 'VAERSSYMPTOMS.csv'].map((name) => file(name));

test('files that are too large together are not sent', async () => {
  renderInApp(<ImportVaers onClose={onClose} />);
  await choose(...three.slice(0, 2).map(({ name }) => file(name, 'a'.repeat(7_000_000))));
  expect(await screen.findByText('The files are too large together. Divide them by reports.')).toBeVisible();
  expect(sent).toEqual([]);
});

test('three files are checked, then imported as checked', async () => {
  renderInApp(<ImportVaers onClose={onClose} />);
  // A letter of an older file, which is not UTF-8.
  const old = new File([new Uint8Array([0x4e, 0xe9])], 'VAERSDATA.csv');
  await choose(old, three[1]!);
  expect(within(screen.getByRole('list', { name: 'Files' })).getAllByRole('listitem')).toHaveLength(2);
  expect(sent).toHaveLength(0);
  await choose(three[2]!);
  expect(await screen.findByText('1,204 reports are new.')).toBeVisible();
  expect(screen.getByText('1 report cannot be imported.')).toBeVisible();
  expect(screen.queryByText(/something else/)).toBeNull();
  expect((sent[0]!.body as { files: VaersFiles }).files[0]!.text).toBe('Né');
  await userEvent.click(screen.getByRole('button', { name: 'Import 1,204 reports' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent[1]!.body).toEqual(sent[0]!.body);
});

test('each report with a fault is listed, with file, line and column', async () => {
  renderInApp(<ImportVaers onClose={onClose} />);
  await choose(...three);
  const list = await screen.findByRole('list', { name: '2 reports to look at' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    expect.stringMatching(/^Report 025002: new/),
    'VAERSDATA.csv · line 4 · VAX_DATE · This is no day, as MM/DD/YYYY. It is kept as received.',
    expect.stringMatching(/^Report without a valid number: not imported/),
    'VAERSDATA.csv · line 9 · VAERS_ID · The number is missing.',
  ]);
});

test('unreadable files say why, and nothing is imported', async () => {
  answer = {
    counts: { new: 0, same: 0, differs: 0, refused: 0 },
    faults: [{ file: 'VAERSVAX.csv', line: 1, column: null, code: 'table-twice' }],
    reports: [],
    reportCount: 0,
  };
  renderInApp(<ImportVaers onClose={onClose} />);
  await choose(...three);
  expect(await screen.findByText('VAERSVAX.csv · line 1 · This table was chosen twice.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Import 0 reports' }));
  expect(screen.getByText('None of the reports is new.')).toBeVisible();
  expect(sent).toHaveLength(1);
});

test('more than three files, or none, get advice', async () => {
  renderInApp(<ImportVaers onClose={onClose} />);
  await userEvent.click(screen.getByRole('button', { name: 'Import 0 reports' }));
  expect(screen.getByText('Choose the files first.')).toBeVisible();
  await choose(...three, file('more.csv'));
  expect(screen.getByText('Choose three files, one of each table.')).toBeVisible();
  await choose(...three);
  await screen.findByText('1,204 reports are new.');
  await userEvent.click(screen.getByRole('button', { name: 'Remove VAERSVAX.csv' }));
  expect(screen.queryByText('1,204 reports are new.')).toBeNull();
});
