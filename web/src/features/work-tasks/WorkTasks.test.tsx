import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { roomForRows } from '../../test/list-room.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import WorkTasks from './WorkTasks.tsx';

await startTestLocales('work-tasks');
const id = '11111111-1111-4111-8111-111111111111';
const caseId = '22222222-2222-4222-8222-222222222222';
const teamId = '33333333-3333-4333-8333-333333333333';
const me = '44444444-4444-4444-8444-444444444444';
const row = {
  id,
  version: 3,
  active: true,
  work: 'investigate',
  title: null,
  note: null,
  repeatDays: null,
  repeatUntil: null,
  state: 'open',
  dueOn: '2020-03-04',
  priority: 'high',
  queue: 'assignee',
  account: null,
  team: null,
  recordId: caseId,
  record: '2026-0000001',
  patientId: id,
  patient: 'Ada Stone',
  condition: 'syphilis',
  madeAt: '2020-03-01T15:00:00.000Z',
  madeOn: '2020-03-01',
};

beforeEach(() => {
  queryClient.clear();
  roomForRows();
});
afterEach(() => act(() => void store.dispatch(signedOut())));

function show(may: string[], rows: object[], path = '/work-tasks') {
  store.dispatch(
    userReady({
      ...initAnswer([org(id, 'Alder Health')]),
      user: { ...initAnswer().user, id: me },
      casbinPolicy: may.map((one) => `p, ${me}, T, ${one}, allow`),
    }),
  );
  let left = rows;
  const sent = serve({
    'POST /api/web/grid/work-tasks/search': () => ({ body: { rows: left, rowCount: left.length } }),
    'GET /api/web/work-tasks/bulk': { body: { action: null } },
    'GET /api/web/list/options/investigators': { body: { options: [] } },
    'GET /api/web/list/options/teams': { body: { options: [{ id: teamId, label: 'Field team' }] } },
    // Another one has been quicker.
    [`PATCH /api/web/work-tasks/${caseId}`]: {
      status: 409,
      body: { code: 'conflict', message: '', requestId: 'r' },
    },
    [`PATCH /api/web/work-tasks/${id}`]: () => {
      left = [];
      return { body: { ...row, version: 4, active: false, state: 'done' } };
    },
  });
  renderInApp(<WorkTasks />, { path });
  return sent;
}
const searched = (sent: ReturnType<typeof show>) =>
  sent
    .filter(({ path }) => path.endsWith('/search'))
    .map(({ body }) => (body as { filters: object }).filters);

test("the list opens with the reader's own tasks, and each leads to its case", async () => {
  const sent = show(['case-reports/read'], [row]);
  const grid = within(await screen.findByRole('grid', { name: 'Follow-up tasks' }));
  expect(await grid.findByRole('link', { name: '2026-0000001' })).toHaveAttribute(
    'href',
    `/case-reports/${caseId}`,
  );
  expect(searched(sent)[0]).toEqual({ whose: ['mine'] });
  // Late tasks say so in words.
  expect(grid.getByText(/, overdue$/)).toBeInTheDocument();
  expect(grid.queryByRole('button', { name: /^Done/ })).toBeNull();
});

test('another view is requested, and says what it would show if it is empty', async () => {
  const sent = show(['case-reports/read'], []);
  expect(await screen.findByText('Nothing waits for you')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('link', { name: 'Waiting for anyone' }));
  expect(await screen.findByText('No task waits for anyone')).toBeInTheDocument();
  expect(searched(sent).at(-1)).toEqual({ whose: ['team'] });
});

test.each(['the button', 'the key'])('a task is done by %s, and leaves the list', async (way) => {
  const sent = show(['case-reports/read', 'case-reports/write'], [row]);
  const done = await screen.findByRole('button', { name: 'Done: Investigate the case, 2026-0000001' });
  if (way === 'the button') await userEvent.click(done);
  else {
    done.closest<HTMLElement>('[role=gridcell]')!.focus();
    await userEvent.keyboard('d');
  }
  await waitFor(() => expect(screen.queryByRole('link', { name: '2026-0000001' })).toBeNull());
  expect(sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    { version: 3, state: 'done' },
  ]);
});

test.each(['the button', 'the key'])('a task that waits for a team is taken by %s', async (way) => {
  const sent = show(
    ['case-reports/read', 'case-reports/write', 'case-reports/investigate'],
    [{ ...row, team: teamId }],
    '/work-tasks?whose=my-teams',
  );
  const take = await screen.findByRole('button', { name: 'Take: Investigate the case, 2026-0000001' });
  expect(await screen.findByText('Field team')).toBeInTheDocument();
  expect(searched(sent)[0]).toEqual({ whose: ['my-teams'] });
  if (way === 'the button') await userEvent.click(take);
  else {
    take.closest<HTMLElement>('[role=gridcell]')!.focus();
    await userEvent.keyboard('t');
  }
  await waitFor(() =>
    expect(sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { version: 3, account: me },
    ]),
  );
});

test('who has taken a task of a team gives it back; others, and people who may not investigate, take nothing', async () => {
  const may = ['case-reports/read', 'case-reports/write'];
  const sent = show(may, [
    { ...row, team: teamId },
    { ...row, id: caseId, team: teamId, account: me },
  ]);
  const back = await screen.findByRole('button', { name: 'Give back: Investigate the case, 2026-0000001' });
  expect(screen.queryByRole('button', { name: /^Take/ })).toBeNull();
  await userEvent.click(back);
  await waitFor(() =>
    expect(sent.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path, body])).toEqual([
      [`/api/web/work-tasks/${caseId}`, { version: 3, account: null }],
    ]),
  );
});

test('a task that someone else has taken in the meantime says so, and the list is loaded again', async () => {
  const sent = show(
    ['case-reports/read', 'case-reports/write', 'case-reports/investigate'],
    [{ ...row, id: caseId, team: teamId }],
  );
  await userEvent.click(await screen.findByRole('button', { name: /^Take/ }));
  await waitFor(() =>
    expect(store.getState().notifications.past[0]).toMatchObject({
      ...{ kind: 'error', message: 'work-tasks:take.lost' },
    }),
  );
  await waitFor(() => expect(searched(sent).length).toBeGreaterThan(1));
});

test('an ended task is reopened, and not done again', async () => {
  const sent = show(['case-reports/read', 'case-reports/write'], [{ ...row, state: 'not-needed' }]);
  const again = await screen.findByRole('button', { name: 'Reopen: Investigate the case, 2026-0000001' });
  again.closest<HTMLElement>('[role=gridcell]')!.focus();
  await userEvent.keyboard('d');
  await userEvent.click(again);
  await waitFor(() =>
    expect(sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { version: 3, state: 'open' },
    ]),
  );
});
