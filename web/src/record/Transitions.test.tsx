import { caseRecord } from '@caseway/contract/case-record';
import { type AnyRecord, anyRecord } from '@caseway/contract/record';
import type { Workflow } from '@caseway/contract/workflow';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { queryClient } from '../data/api.ts';
import { userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { initAnswer, org, serve } from '../test/server.ts';
import { Transitions } from './Transitions.tsx';

await startTestLocales('case-reports');
const id = '11111111-1111-4111-8111-111111111111';
const ada = '22222222-2222-4222-8222-222222222222';
const stored = {
  id,
  version: 3,
  status: 'new',
  classification: 'probable',
  investigator: null,
  outcome: null,
};
const declared = anyRecord(caseRecord);
/** The same with answers of only a few fields. */
const lax = <E extends object>(endpoint: E) => ({ ...endpoint, response: z.any() });
const { transition, read } = declared.endpoints;
const record = {
  ...declared,
  endpoints: { ...declared.endpoints, transition: lax(transition!), read: lax(read) },
} as AnyRecord;
const writes = {
  'GET /api/web/list/options/investigators': { body: { options: [{ id: ada, label: 'Ada Stone' }] } },
};
const onDone = vi.fn();
const onRead = vi.fn();

beforeEach(() => {
  vi.resetAllMocks();
  queryClient.clear();
  sessionStorage.clear();
});
const signIn = (...permissions: string[]) =>
  store.dispatch(
    userReady(
      initAnswer([org(id, 'Alder Health')], {
        casbinPolicy: permissions.map((one) => `p, u1, T, ${one}, allow`),
      }),
    ),
  );

const show = (flow: Workflow = record.workflow!.flow, of: object = stored) =>
  renderInApp(
    <Transitions
      record={{ ...record, workflow: { of: 'status', flow } }}
      stored={of as typeof stored}
      words={{ column: (name) => `<${name}>`, choice: (name, code) => `<${name} ${code}>` }}
      text={(_, value) => String(value ?? '')}
      none={() => 'Nobody'}
      label={(one) => `do ${one}`}
      refusal={(rule) =>
        rule === 'no-outcome'
          ? 'case-reports:fault.unclassified'
          : rule === 'own-work'
            ? 'case-reports:fault.own-work'
            : `fault.${rule}`
      }
      onDone={onDone}
      onRead={onRead}
    />,
  );
const sent = (requests: { method: string; path: string; body: unknown }[]) =>
  requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path.split('/').at(-1), body]);

test('the usual next step is a button, everything else is in a menu', async () => {
  signIn('case-reports/write', 'case-reports/assign', 'case-reports/investigate');
  serve(writes);
  show();
  expect(screen.getByRole('button', { name: 'do assign' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'do take',
    'do noFollowUp',
  ]);
});

test.each([
  [['case-reports/read']],
  // Each of these also needs the other.
  [['case-reports/write']],
  [['case-reports/read', 'case-reports/assign']],
])('people who may do none of it see none of it: %j', (permissions) => {
  signIn(...permissions);
  serve(writes);
  const { container } = show();
  expect(container.querySelector('button')).toBeNull();
});

test('people who may not do the usual first step see their own next step', () => {
  signIn('case-reports/write', 'case-reports/investigate');
  serve(writes);
  show();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['do take']);
});

test('someone who has completed a case sees why they cannot approve it', async () => {
  signIn('case-reports/write', 'case-reports/approve');
  serve(writes);
  const me = store.getState().authentication.user!.id;
  show(undefined, { ...stored, status: 'complete', completedBy: me });
  await userEvent.click(screen.getByRole('button', { name: 'Change the status' }));
  const off = screen.getByRole('menuitem', { name: /do approve/ });
  expect(off).toHaveAttribute('aria-disabled', 'true');
  expect(off).toHaveTextContent(/someone else has to approve it/);
});

test('a transition asks for its fields, refuses missing ones before sending, and is then decided by the server', async () => {
  signIn('case-reports/write', 'case-reports/assign');
  const requests = serve({
    ...writes,
    [`POST /api/web/case-reports/${id}/transitions/assign`]: {
      body: { ...stored, version: 4, status: 'assigned', investigator: ada },
    },
  });
  show();
  await userEvent.click(screen.getByRole('button', { name: 'do assign' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByRole('option', { name: 'Ada Stone' });
  await userEvent.click(dialog.getByRole('button', { name: 'do assign' }));
  expect(dialog.getByRole('combobox')).toBeInvalid();
  expect(sent(requests)).toEqual([]);
  await userEvent.selectOptions(dialog.getByRole('combobox'), 'Ada Stone');
  await userEvent.click(dialog.getByRole('button', { name: 'do assign' }));
  await waitFor(() => expect(onDone).toHaveBeenCalledWith(expect.objectContaining({ version: 4 })));
  expect(sent(requests)).toEqual([['assign', { version: 3, fields: { investigator: ada } }]]);
});

test('a transition that no input can allow is disabled, with the reason; a required reason is asked for', async () => {
  signIn('case-reports/write');
  const requests = serve({
    ...writes,
    [`POST /api/web/case-reports/${id}/transitions/close`]: {
      body: { ...stored, version: 4, status: 'closed' },
    },
  });
  show({
    id: 'ONE',
    version: 1,
    initial: 'new',
    states: ['new', 'closed', 'complete'],
    transitions: [
      { id: 'close', from: ['new'], to: 'closed', may: ['case-reports/write'], reason: 'required' },
      {
        id: 'complete',
        from: ['new'],
        to: 'complete',
        may: ['case-reports/write'],
        refuse: [{ id: 'no-outcome', refuse: { field: 'outcome', empty: true }, at: ['outcome'] }],
      },
    ],
    next: { new: ['close'] },
    rules: [],
  });
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  const off = screen.getByRole('menuitem');
  expect(off).toHaveTextContent(
    'do complete' + 'Classify the case first: its classification is still unknown.',
  );
  expect(off).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(off);
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'do close' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'do close' }));
  expect(sent(requests)).toEqual([]);
  await userEvent.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Moved away');
  await userEvent.click(dialog.getByRole('button', { name: 'do close' }));
  await waitFor(() =>
    expect(sent(requests)).toEqual([['close', { version: 3, fields: {}, reason: 'Moved away' }]]),
  );
});

test('a status that someone else has set in the meantime is not overwritten unseen', async () => {
  signIn('case-reports/write', 'case-reports/assign');
  const latest = { ...stored, version: 4, status: 'closed' };
  serve({
    ...writes,
    [`POST /api/web/case-reports/${id}/transitions/noFollowUp`]: {
      status: 409,
      body: {
        code: 'conflict',
        message: 'x',
        faults: [{ path: 'status', code: 'changed-since', message: 'x' }],
      },
    },
    [`GET /api/web/case-reports/${id}`]: { body: latest },
  });
  show();
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'do noFollowUp' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Moved away');
  await userEvent.click(dialog.getByRole('button', { name: 'do noFollowUp' }));
  await waitFor(() => expect(onRead).toHaveBeenCalledWith(latest));
  expect(await dialog.findByRole('alert')).toBeVisible();
  expect(onDone).not.toHaveBeenCalled();
});

test('a refusal because of the status names that status and what can be done in it', async () => {
  signIn('case-reports/write', 'case-reports/assign');
  serve({
    ...writes,
    [`POST /api/web/case-reports/${id}/transitions/noFollowUp`]: {
      status: 422,
      body: {
        code: 'validation-failed',
        message: 'x',
        faults: [{ path: 'status', code: 'not-in-this-state', message: 'x' }],
      },
    },
  });
  show();
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'do noFollowUp' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Moved away');
  await userEvent.click(dialog.getByRole('button', { name: 'do noFollowUp' }));
  const told = await dialog.findByRole('alert');
  expect(told).toHaveTextContent('This cannot be done in the status “<status new>”.');
  expect(told).toHaveTextContent('You can: do assign, do noFollowUp.');
});
