import { caseWork } from '@caseway/contract/case-record';
import { patientWork } from '@caseway/contract/work-tasks';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../data/api.ts';
import { userReady } from '../session/authentication.ts';
import { runAction } from '../session/notify.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { initAnswer, org, serve } from '../test/server.ts';
import { RecordClocks } from './RecordClocks.tsx';
import { RecordTasks } from './RecordTasks.tsx';

await startTestLocales('work-tasks');
const id = '11111111-1111-4111-8111-111111111111';
const taskId = '22222222-2222-4222-8222-222222222222';
const task = {
  id: taskId,
  version: 3,
  recordId: id,
  record: '2026-0000001',
  work: 'investigate',
  title: null,
  note: null,
  repeatDays: null,
  repeatUntil: null,
  queue: 'assignee',
  account: id,
  name: 'Ada Stone',
  team: null,
  teamName: null,
  priority: 'normal',
  dueOn: '2026-03-04',
  overdue: true,
};
const approval = {
  ...task,
  id,
  work: 'approve',
  queue: 'supervisor',
  account: null,
  name: null,
  overdue: false,
};
const ended = {
  id: taskId,
  version: 4,
  active: false,
  work: 'investigate',
  title: null,
  note: null,
  repeatDays: null,
  repeatUntil: null,
  state: 'done',
  dueOn: '2026-03-04',
  priority: 'normal',
  queue: 'assignee',
  account: id,
  team: null,
  recordId: id,
  record: '2026-0000001',
  patientId: id,
  patient: 'Ada Stone',
  condition: 'syphilis',
  madeAt: '2026-03-01T15:00:00.000Z',
  madeOn: '2026-03-01',
};
const clock = {
  clock: 'complete',
  startedOn: '2026-03-01',
  dueOn: '2026-03-15',
  dueAt: '2026-03-16T04:00:00.000Z',
};

beforeEach(() => queryClient.clear());

const shown = (may: string[], tasks: object[]) => {
  store.dispatch(
    userReady({
      ...initAnswer([org(id, 'Alder Health')]),
      casbinPolicy: may.map((one) => `p, u1, T, ${one}, allow`),
    }),
  );
  let left = tasks;
  const requests = serve({
    [`GET /api/web/case-reports/${id}/work`]: () => ({
      body: {
        tasks: left,
        clocks: [
          { ...clock, overdue: false },
          { ...clock, clock: 'start', overdue: true },
        ],
      },
    }),
    [`PATCH /api/web/work-tasks/${taskId}`]: () => {
      left = left.slice(1);
      return { body: ended };
    },
    [`POST /api/web/work-tasks/${taskId}/undo`]: () => ({
      status: 409,
      body: { code: 'conflict', message: '', requestId: 'r' },
    }),
  });
  renderInApp(
    <>
      <RecordClocks work={caseWork} id={id} version={2} />
      <RecordTasks work={caseWork} id={id} version={2} />
    </>,
  );
  return requests;
};

/** The tasks of a person whom the reader may give tasks about. */
function shownOfPerson(tasks: object[]) {
  const may = ['case-reports/read', 'case-reports/write', 'patients/read'];
  store.dispatch(
    userReady({
      ...initAnswer([org(id, 'Alder Health')]),
      casbinPolicy: may.map((one) => `p, u1, T, ${one}, allow`),
    }),
  );
  const requests = serve({
    [`GET /api/web/patients/${id}/work`]: { body: { tasks, clocks: [] } },
    'GET /api/web/list/options/investigators': { body: { options: [] } },
    'GET /api/web/list/options/teams': { body: { options: [] } },
    'POST /api/web/work-tasks': { body: { ...ended, state: 'open', recordId: null, record: null } },
  });
  renderInApp(<RecordTasks work={patientWork} id={id} version={2} patientId={id} />);
  return requests;
}

test('open tasks show who does them by when, and clocks by when something has to happen', async () => {
  shown(['case-reports/read'], [task, approval]);
  const region = await screen.findByRole('region', { name: 'Follow-up tasks' });
  expect(
    within(region)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Investigate the caseAda Stone · overdue since Mar 4, 2026Show history',
    'Review and approve the caseSupervisors · due Mar 4, 2026Show history',
  ]);
  const clocks = screen.getByRole('list', { name: 'Deadlines' });
  expect(
    within(clocks)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Complete the investigation by Mar 15, 2026',
    'Start the investigation: overdue since Mar 15, 2026',
  ]);
  expect(screen.queryByRole('button', { name: /^Done/ })).toBeNull();
});

test('the tasks of a person name their cases, and a new one is about the person', async () => {
  const requests = shownOfPerson([
    { ...task, work: 'call' },
    { ...task, id, recordId: null, record: null, work: 'letter' },
  ]);
  const region = await screen.findByRole('region', { name: 'Follow-up tasks' });
  const links = within(region).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['2026-0000001', `/case-reports/${id}`],
  ]);
  await userEvent.click(within(region).getByRole('button', { name: 'Add a task' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).queryByRole('radio', { name: 'Case' })).toBeNull();
  await userEvent.selectOptions(within(dialog).getByLabelText(/^Task/), 'letter');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add the task' }));
  await waitFor(() =>
    expect(requests.find(({ path }) => path === '/api/web/work-tasks')?.body).toMatchObject({
      ...{ patientId: id, recordId: null, work: 'letter', state: 'open' },
    }),
  );
});

test('a task that cannot be undone says why', async () => {
  shown(['case-reports/read', 'case-reports/write'], [task]);
  await userEvent.click(await screen.findByRole('button', { name: 'Done: Investigate the case' }));
  const newest = () => store.getState().notifications.past[0];
  await waitFor(() => expect(newest()).toMatchObject({ message: 'work-tasks:ended.done' }));
  runAction(newest()!.action!);
  await waitFor(() => expect(newest()).toMatchObject({ kind: 'error', message: 'error.conflict' }));
});

test('someone who may change the case marks a task as done, and it disappears', async () => {
  const requests = shown(['case-reports/read', 'case-reports/write'], [task]);
  await userEvent.click(await screen.findByRole('button', { name: 'Done: Investigate the case' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Follow-up tasks' })).toBeNull());
  expect(requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    { version: 3, state: 'done' },
  ]);
});
