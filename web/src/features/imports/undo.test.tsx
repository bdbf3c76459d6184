import type { ImportMessage, MessageText, TableColumns } from '@caseway/contract/imports';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { runAction } from '../../session/notify.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, type Sent, serve } from '../../test/server.ts';
import { Columns } from './Columns.tsx';
import { MessagePanel } from './MessagePanel.tsx';

await startTestLocales('imports');
const id = '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0001';
const messageId = '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0002';
const correctedId = '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0003';
const path = `/api/web/imports/${id}`;

beforeEach(() => {
  queryClient.clear();
  sessionStorage.clear();
  store.dispatch(
    userReady(
      initAnswer([org('t1', 'Alder')], {
        casbinPolicy: ['p, u1, T, imports/read, allow', 'p, u1, T, imports/write, allow'],
      }),
    ),
  );
});
const newest = () => store.getState().notifications.past[0]!;
const bodiesOf = (requests: Sent[], method: string) =>
  requests.filter((one) => one.method === method).map((one) => [one.path, one.body]);

const line: ImportMessage = {
  id: messageId,
  index: 0,
  line: 7,
  revision: 0,
  state: 'refused',
  reason: 'patient-unidentifiable',
  messageType: 'ORU^R01',
  controlId: 'C1',
  sender: 'LAB',
  faults: [],
  waitingFor: [],
  patientId: null,
  duplicateOf: null,
  correctedBy: null,
  corrects: null,
};
const message: MessageText = {
  ...line,
  text: 'MSH|^~\\&|LAB\r',
  textDeletedAt: null,
  charset: 'UTF-8',
  header: null,
};

async function correctTo(state: ImportMessage['state']) {
  const onOpen = vi.fn();
  const requests = serve({
    [`GET ${path}/messages/${messageId}`]: { body: message },
    [`POST ${path}/messages/${messageId}/correct`]: { body: { ...line, id: correctedId, state } },
    [`POST ${path}/messages/${correctedId}/correct`]: { body: { ...line, id, state: 'refused' } },
  });
  renderInApp(<MessagePanel importId={id} messageId={messageId} onOpen={onOpen} onClose={vi.fn()} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Correct' }));
  await userEvent.type(screen.getByRole('textbox'), 'PID');
  await userEvent.click(screen.getByRole('button', { name: 'Run the corrected text' }));
  await waitFor(() => expect(onOpen).toHaveBeenCalledWith(correctedId));
  return { requests, onOpen };
}

test('a refused correction is undone: the message has the earlier text again', async () => {
  const { requests, onOpen } = await correctTo('refused');
  runAction(newest().action!);
  await waitFor(() => expect(onOpen).toHaveBeenLastCalledWith(id));
  expect(bodiesOf(requests, 'POST')[1]).toEqual([
    `${path}/messages/${correctedId}/correct`,
    { text: message.text },
  ]);
});

test('an accepted correction has stored results, and cannot be undone here', async () => {
  await correctTo('taken');
  expect(newest()).toMatchObject({ message: 'imports:message.now.taken' });
  expect(newest().action).toBeUndefined();
});

const mapping: TableColumns['mapping'] = {
  kind: 'results',
  columns: [
    { column: 0, field: 'lastName' },
    { column: 1, field: 'testName' },
    { column: 2, field: 'result' },
  ],
  constants: {},
};
const options: TableColumns['options'] = { dateOrders: {} };
const table: TableColumns = {
  header: ['Surname', 'Test', 'Answer', 'Born'],
  mapping,
  options,
  remembered: true,
  suggestions: { results: [], 'line-list': [], treatments: [] },
  ambiguousDates: [],
  mayHoldWell: false,
  rows: [['Okafor', 'Chlamydia', 'positive', '1968-03-26']],
};

test.each([
  ['what is only remembered for the next table is taken back', 0, true],
  ['of rows that were run it is not', 3, false],
])('%s', async (_, queued, isOffered) => {
  const requests = serve({
    [`GET ${path}/columns`]: { body: table },
    [`PUT ${path}/columns`]: { body: { queued } },
    'GET /api/web/list/options/conditions': { body: { options: [] } },
  });
  renderInApp(<Columns importId={id} decided />);
  await userEvent.click(screen.getByRole('button', { name: 'Show' }));
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: /Born/ }), 'birthDate');
  await userEvent.click(screen.getByRole('button', { name: 'Remember this' }));
  await waitFor(() => expect(bodiesOf(requests, 'PUT')).toHaveLength(1));
  await waitFor(() => expect(newest().message).toMatch(/imports:columns\.(remembered|saved)/));
  expect(newest().action !== undefined).toBe(isOffered);
  if (!isOffered) return;
  runAction(newest().action!);
  await waitFor(() => expect(bodiesOf(requests, 'PUT')).toHaveLength(2));
  const now = {
    mapping: { ...mapping, columns: [...mapping.columns, { column: 3, field: 'birthDate' }] },
    options,
  };
  expect(bodiesOf(requests, 'PUT')[1]).toEqual([`${path}/columns`, { mapping, options, before: now }]);
});
