import type { ImportDetail, ImportMessage } from '@caseway/contract/imports';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, type Sent, serve } from '../../test/server.ts';
import ImportRecord from './ImportRecord.tsx';

await startTestLocales('imports');

const id = '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0001';
const messageId = '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0002';
const correctedId = '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0003';
const at = '2026-03-01T12:00:00.000Z';

const detail: ImportDetail = {
  id,
  createdAt: at,
  fileName: 'march.hl7',
  format: 'hl7',
  state: 'done',
  dryRun: false,
  run: 'import',
  byteSize: 2048,
  messages: 5,
  taken: 2,
  waiting: 1,
  refused: 1,
  duplicates: 1,
  facilityName: null,
  createdByName: 'Robin Wren',
  finishedAt: at,
  progress: null,
  startedAt: at,
  error: null,
  reasons: [{ state: 'refused', reason: 'patient-unidentifiable', n: 1 }],
  effects: { patientsCreated: 2, casesOpened: 1 },
  notes: [],
  corrected: 0,
  repeats: null,
  withheld: 0,
  mappingNeeded: false,
  preview: null,
  codes: { rows: [], more: 0 },
};
const message: ImportMessage = {
  id: messageId,
  index: 0,
  line: 7,
  revision: 0,
  state: 'refused',
  reason: 'patient-unidentifiable',
  messageType: 'ORU^R01',
  controlId: 'C1',
  sender: 'LAB',
  faults: [
    { severity: 'error', code: 'patient-unidentifiable', place: 'PID[1]-5', line: 8, message: 'No name.' },
  ],
  waitingFor: [],
  patientId: null,
  duplicateOf: null,
  correctedBy: null,
  corrects: null,
};
const text = 'MSH|^~\\&|LAB\rPID|1||||X^Y\r';

const signIn = (...permissions: string[]) => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(
    userReady(
      initAnswer([org('t1', 'Alder')], {
        casbinPolicy: permissions.map((permission) => `p, u1, T, ${permission}, allow`),
      }),
    ),
  );
};

beforeEach(() => {
  queryClient.clear();
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
  }));
});
afterEach(() => void act(() => void store.dispatch(signedOut())));

function show(answers: Parameters<typeof serve>[0] = {}): Sent[] {
  const sent = serve({
    [`GET /api/web/imports/${id}`]: { body: detail },
    [`GET /api/web/imports/${id}/messages`]: { body: { rows: [message], rowCount: 1 } },
    [`GET /api/web/imports/${id}/messages/${messageId}`]: {
      body: { ...message, text, textDeletedAt: null, charset: 'us-ascii', header: null },
    },
    [`GET /api/web/imports/${id}/messages/${correctedId}`]: {
      body: {
        ...message,
        id: correctedId,
        state: 'taken',
        faults: [],
        text,
        textDeletedAt: null,
        charset: 'utf-8',
        header: null,
      },
    },
    ...answers,
  });
  renderInApp(
    <Routes>
      <Route path="/imports/:id" element={<ImportRecord />} />
    </Routes>,
    { path: `/imports/${id}` },
  );
  return sent;
}

test('shows the outcome of every message: the parts add up to the total', async () => {
  signIn('imports/read', 'imports/write');
  show();
  expect(
    await screen.findByText('5 in = 2 accepted + 1 waiting + 1 refused + 1 duplicates.', { exact: false }),
  ).toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1, name: 'march.hl7' })).toBeInTheDocument();
  expect(within(screen.getByRole('region', { name: 'Refused' })).getByText('1')).toBeInTheDocument();
});

test('[P18] the sender of a file learns that it has parts they cannot see', async () => {
  signIn('imports/read', 'imports/write');
  const none = { messages: 0, taken: 0, waiting: 0, refused: 0, duplicates: 0, reasons: [], effects: {} };
  show({ [`GET /api/web/imports/${id}`]: { body: { ...detail, ...none, withheld: 2 } } });
  expect(
    await screen.findByText('2 messages of this file are not shown to you, because', { exact: false }),
  ).toBeInTheDocument();
  // Neither "0 taken" nor "0 in" would be true.
  expect(screen.queryByText('0 in', { exact: false })).not.toBeInTheDocument();
  expect(screen.queryByRole('region', { name: 'Accepted' })).not.toBeInTheDocument();
});

test('the readable part of a waiting message is shown as stored, next to the sum', async () => {
  signIn('imports/read', 'imports/write');
  const waits = {
    messages: 1,
    taken: 0,
    waiting: 1,
    refused: 0,
    duplicates: 0,
    reasons: [{ state: 'waiting', reason: 'test-unknown', n: 1 }],
    effects: { resultsCreated: 129, patientsCreated: 1 },
  };
  show({ [`GET /api/web/imports/${id}`]: { body: { ...detail, ...waits } } });
  expect(
    await screen.findByText('1 in = 0 accepted + 1 waiting + 0 refused + 0 duplicates.', { exact: false }),
  ).toBeInTheDocument();
  expect(
    screen.getByText('The readable parts of waiting messages are stored and counted here too.'),
  ).toBeInTheDocument();
  expect(screen.getByText('129')).toBeInTheDocument();
});

test('rows about people who are not cases are shown next to the sum, and are not changes', async () => {
  signIn('imports/read', 'imports/write');
  show({
    [`GET /api/web/imports/${id}`]: { body: { ...detail, effects: { casesOpened: 102, rowsNoCases: 188 } } },
  });
  expect(
    await screen.findByText('188 accepted rows are about people who are not cases:', { exact: false }),
  ).toBeInTheDocument();
  expect(screen.queryByText('Rows that are not cases')).not.toBeInTheDocument();
});

test("someone else's decision on a column is shown next to mine, and not overwritten unseen", async () => {
  signIn('imports/read', 'imports/write');
  const mapping = { kind: 'line-list', columns: [{ column: 0, field: 'fullName' }], constants: {} };
  const table = {
    header: ['name', 'onset'],
    mapping,
    options: { dateOrders: {}, condition: 'measles' },
    remembered: false,
    suggestions: { results: [], 'line-list': [], treatments: [] },
    ambiguousDates: [],
    mayHoldWell: false,
    rows: [['Ana Ruiz', '2026-03-01']],
  };
  const theirs = {
    ...mapping,
    columns: [...mapping.columns, { column: 1, field: 'diagnosedDate' }],
  };
  let tries = 0;
  const sent = show({
    [`GET /api/web/imports/${id}`]: {
      body: { ...detail, format: 'csv', state: 'needs-mapping', mappingNeeded: true },
    },
    [`GET /api/web/imports/${id}/columns`]: () => ({
      body: tries === 0 ? table : { ...table, mapping: theirs },
    }),
    'GET /api/web/lookups/conditions': { body: { options: [{ id: 'measles', label: 'Measles' }] } },
    [`PUT /api/web/imports/${id}/columns`]: () =>
      ++tries === 1
        ? { status: 409, body: { code: 'conflict', message: '', faults: [] } }
        : { body: { queued: 1 } },
  });
  const onset = await screen.findByRole('combobox', { name: /onset/ });
  await userEvent.selectOptions(onset, 'onsetDate');
  const run = screen.getByRole('button', { name: 'Process the rows' });
  await userEvent.click(run);
  expect(await screen.findByText(/^onset: was –, now .*, you entered .*/)).toBeVisible();
  expect(onset).toHaveValue('onsetDate');
  await userEvent.click(run);
  await waitFor(() => expect(sent.filter(({ method }) => method === 'PUT')).toHaveLength(2));
  const puts = sent.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  expect(puts).toMatchObject([{ before: { mapping } }, { before: { mapping: theirs } }]);
  expect(puts[1]).toMatchObject({
    mapping: {
      columns: [
        { column: 0, field: 'fullName' },
        { column: 1, field: 'onsetDate' },
      ],
    },
  });
});

test('a line list that may include well people runs once someone has said who is a case', async () => {
  signIn('imports/read', 'imports/write');
  const sent = show({
    [`GET /api/web/imports/${id}`]: {
      body: { ...detail, format: 'csv', state: 'needs-mapping', mappingNeeded: true },
    },
    [`GET /api/web/imports/${id}/columns`]: {
      body: {
        header: ['name', 'onset', 'case group'],
        mapping: {
          kind: 'line-list',
          columns: [
            { column: 0, field: 'fullName' },
            { column: 1, field: 'onsetDate' },
          ],
          constants: {},
        },
        options: { dateOrders: {}, condition: 'measles' },
        remembered: false,
        suggestions: { results: [], 'line-list': [], treatments: [] },
        ambiguousDates: [],
        mayHoldWell: true,
        rows: [['Ana Ruiz', '2026-03-01', 'A']],
      },
    },
    'GET /api/web/lookups/conditions': { body: { options: [{ id: 'measles', label: 'Measles' }] } },
    [`PUT /api/web/imports/${id}/columns`]: { body: { queued: 1 } },
  });
  const run = await screen.findByRole('button', { name: 'Process the rows' });
  expect(run).toBeDisabled();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Every row is a case' }));
  await userEvent.click(run);
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      options: { condition: 'measles', everyRowIsCase: true },
    }),
  );
});

test('a refused message shows the place of its fault; its corrected text keeps its line ends', async () => {
  signIn('imports/read', 'imports/write');
  const sent = show({
    [`POST /api/web/imports/${id}/messages/${messageId}/correct`]: {
      body: { ...message, id: correctedId, revision: 1, state: 'taken', reason: null, faults: [] },
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Open the message in line 7' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Correct' }));
  const editor = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Correct the text' });
  expect(editor).toHaveFocus();
  // Opening the editor sends nothing.
  expect(sent.filter(({ path }) => path.endsWith('/correct'))).toEqual([]);
  await userEvent.type(editor, 'Z', {
    initialSelectionStart: editor.value.length - 1,
    initialSelectionEnd: editor.value.length - 1,
  });
  await userEvent.click(screen.getByRole('button', { name: 'Run the corrected text' }));
  await waitFor(() =>
    expect(sent.find(({ path }) => path.endsWith('/correct'))?.body).toEqual({
      text: 'MSH|^~\\&|LAB\rPID|1||||X^YZ\r',
    }),
  );
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Correct the text' })).toBeNull());
});

test('a user who may only read sees which permission a correction needs', async () => {
  signIn('imports/read');
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Open the message in line 7' }));
  expect(await screen.findByText(/You need the permission “Import files”/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Correct' })).toBeNull();
  expect(screen.queryByRole('button', { name: /Run/ })).toBeNull();
});

test('a dry run leads to no pairs or codes, because it has stored none', async () => {
  signIn('imports/read', 'imports/write', 'patients/merge', 'mappings/write');
  const found: Partial<ImportDetail> = {
    effects: { pairsToReview: 2 },
    reasons: [{ state: 'waiting', reason: 'test-unknown', n: 1 }],
  };
  show({ [`GET /api/web/imports/${id}`]: { body: { ...detail, ...found, preview: [], dryRun: true } } });
  expect(await screen.findByText('Pairs of patients to review')).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Review the pairs of patients' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Map the codes' })).toBeNull();
  cleanup();
  queryClient.clear();
  show({ [`GET /api/web/imports/${id}`]: { body: { ...detail, ...found } } });
  expect(await screen.findByRole('link', { name: 'Review the pairs of patients' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Map the codes' })).toBeInTheDocument();
});

test('a dry run names the codes that its messages would wait for, and how many more there are', async () => {
  signIn('imports/read', 'imports/write');
  const codes: ImportDetail['codes'] = {
    rows: [
      { kind: 'test', sender: 'EASTLAB', system: 'L', code: 'CT9', text: 'CT amplified', n: 3 },
      { kind: 'value', sender: 'EASTLAB', system: 'text', code: 'see letter', text: 'See letter', n: 1 },
    ],
    more: 4,
  };
  const reasons: ImportDetail['reasons'] = [{ state: 'waiting', reason: 'test-unknown', n: 4 }];
  show({
    [`GET /api/web/imports/${id}`]: { body: { ...detail, reasons, codes, preview: [], dryRun: true } },
  });
  const listed = within(await screen.findByRole('region', { name: 'Codes that have to be mapped' }));
  expect(listed.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'CT amplifiedTest code · EASTLAB · CT9 · L3 messages',
    'See letterResult code · EASTLAB1 message',
  ]);
  expect(listed.getByText('and 4 more')).toBeVisible();
});

test('a dry run says which results messages would become, next to those that would not be accepted', async () => {
  signIn('imports/read', 'imports/write');
  const at = { index: 0, reason: null, faults: [] };
  const preview: ImportDetail['preview'] = [
    {
      ...at,
      line: 1,
      state: 'taken',
      results: [
        {
          testName: 'Chlamydia trachomatis DNA',
          category: 'positive',
          conditionCode: 'chlamydia',
        },
        { testName: 'Pregnancy', category: 'negative', conditionCode: null },
      ],
    },
    { ...at, line: 9, state: 'refused', reason: 'patient-unidentifiable' },
  ];
  const options = (id: string, label: string) => ({ body: { options: [{ id, label }] } });
  show({
    [`GET /api/web/imports/${id}`]: { body: { ...detail, preview, dryRun: true } },
    'GET /api/web/list/options/resultCategories': {
      body: {
        options: [
          { id: 'positive', label: 'Positive' },
          { id: 'negative', label: 'Negative' },
        ],
      },
    },
    'GET /api/web/list/options/conditions': options('chlamydia', 'Chlamydia'),
  });
  const taken = within(
    await screen.findByRole('region', { name: 'The first messages that would be accepted' }),
  );
  expect(await taken.findByText('Chlamydia trachomatis DNA: Positive (Chlamydia)')).toBeInTheDocument();
  expect(taken.getByText('Pregnancy: Negative')).toBeInTheDocument();
  expect(taken.getByText('Line 1')).toBeInTheDocument();
  const others = within(
    screen.getByRole('region', { name: 'The first messages that would wait or be refused' }),
  );
  expect(others.getByText('Line 9')).toBeInTheDocument();
  expect(others.queryByText('Line 1')).toBeNull();
});

test('a missing field is named once', async () => {
  signIn('imports/read', 'imports/write');
  const fault = {
    severity: 'error',
    code: 'field-missing',
    place: 'MSH-10',
    message: 'MSH-10 is missing.',
    params: { field: 'MSH-10' },
  } as const;
  show({
    [`GET /api/web/imports/${id}/messages`]: {
      body: { rows: [{ ...message, faults: [fault] }], rowCount: 1 },
    },
  });
  const cell = (await screen.findByText('MSH-10 is missing.', { exact: false })).closest('td')!;
  expect(cell.textContent).toBe('MSH-10 is missing.');
});
