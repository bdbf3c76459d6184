import type { UserDetail } from '@caseway/contract/users';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import { InviteUser } from './InviteUser.tsx';
import { UserPanel } from './UserPanel.tsx';
import UserTable from './UserTable.tsx';

await startTestLocales('users');
const id = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const role = '33333333-3333-4333-8333-333333333333';
const tenant = '44444444-4444-4444-8444-444444444444';

const user: UserDetail = {
  id,
  version: 3,
  active: true,
  accountId: id,
  name: 'Abara, Nia',
  organization: null,
  facility: null,
  jurisdiction: null,
  roles: [role],
  firstName: 'Nia',
  middleName: null,
  lastName: 'Abara',
  email: 'nia@example.org',
  phone: null,
  language: 'en',
  timeZone: 'America/New_York',
  status: 'active',
  lock: null,
  secondFactor: 'no',
  lastSignInAt: '2026-03-02T15:00:00Z',
  invitedAt: null,
  createdAt: '2026-01-02T15:00:00Z',
  editable: 'nothing',
  memberships: [
    {
      id,
      version: 3,
      orgType: 'T',
      orgId: tenant,
      orgName: 'Alder Health',
      roleIds: [role],
      active: true,
      createdAt: '2026-01-02T15:00:00Z',
      endedAt: null,
      locked: null,
    },
    {
      id: other,
      version: 1,
      orgType: 'O',
      orgId: other,
      orgName: 'Birch Clinic',
      roleIds: [role],
      active: true,
      createdAt: '2026-01-02T15:00:00Z',
      endedAt: null,
      locked: 'holds-more',
    },
  ],
};
const answers = {
  [`GET /api/web/users/${id}`]: { body: user },
  'GET /api/web/list/options/roles': { body: { options: [{ id: role, label: 'Auditor' }] } },
};
beforeEach(() => {
  queryClient.clear();
  store.dispatch(
    userReady(
      initAnswer([org(tenant, 'Alder Health')], {
        casbinPolicy: ['p, role:admin, T, users/write, allow', 'g, u1, role:admin'],
      }),
    ),
  );
});

describe('a user next to the list', () => {
  test('is shown with their organizations; fields that cannot be changed say why', async () => {
    serve(answers);
    renderInApp(<UserPanel id={id} onClose={() => {}} />);
    expect(await screen.findByRole('heading', { name: 'Nia Abara' })).toBeVisible();
    const [own, locked] = screen.getAllByRole('listitem') as [HTMLElement, HTMLElement];
    expect(within(own).getByText('Alder Health')).toBeVisible();
    expect(await within(own).findByText('Auditor')).toBeVisible();
    expect(within(own).getByRole('button', { name: 'Change roles in Alder Health' })).toBeVisible();
    expect(within(locked).queryByRole('button')).toBeNull();
    expect(within(locked).getByText(/has permissions here that you do not/)).toBeVisible();
    // The administrator may not end all memberships.
    expect(screen.queryByRole('button', { name: 'Deactivate everywhere' })).toBeNull();
    expect(screen.getByText(/manages their name and addresses/)).toBeVisible();
  });

  test('a locked account shows since when and until when, and people with the permission can unlock it', async () => {
    let shown: UserDetail = {
      ...user,
      editable: 'name',
      status: 'locked',
      lock: { since: '2026-03-02T16:15:00Z', until: '2026-03-03T14:30:00Z' },
    };
    const sent = serve({
      ...answers,
      [`GET /api/web/users/${id}`]: () => ({ body: shown }),
      [`POST /api/web/users/${id}/unlock`]: () => {
        shown = { ...user, editable: 'name' };
        return { body: shown };
      },
    });
    const { unmount } = renderInApp(<UserPanel id={id} onClose={() => {}} />);
    expect(await screen.findByText('03/02/2026, 11:15 AM')).toBeVisible();
    expect(screen.getByText('03/03/2026, 9:30 AM')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Unlock' }));
    await waitFor(() => expect(screen.queryByText('Locked until')).toBeNull());
    expect(sent.filter(({ method }) => method === 'POST').map(({ path }) => path)).toContain(
      `/api/web/users/${id}/unlock`,
    );
    unmount();
    queryClient.clear();
    shown = {
      ...shown,
      editable: 'nothing',
      status: 'locked',
      lock: { since: null, until: '2026-03-03T14:30:00Z' },
    };
    renderInApp(<UserPanel id={id} onClose={() => {}} />);
    expect(await screen.findByText(/can unlock the account/)).toBeVisible();
    expect(screen.queryByText('Locked since')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Unlock' })).toBeNull();
  });

  test('loses access with one click, which can be undone', async () => {
    const sent = serve({ ...answers, [`PATCH /api/web/users/${id}`]: { body: user } });
    renderInApp(<UserPanel id={id} onClose={() => {}} />);
    await userEvent.click(await screen.findByRole('button', { name: 'End access to Alder Health' }));
    await waitFor(() =>
      expect(sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
        { version: 3, active: false },
      ]),
    );
    await waitFor(() => {
      const [told] = store.getState().notifications.open.slice(-1);
      expect(told).toMatchObject({ kind: 'success', message: 'users:done.ended' });
      expect(told!.action).toMatch(/history.undo$/);
    });
  });

  test('whose name someone else has changed in the meantime is not overwritten unseen; the change can be undone', async () => {
    const edited = { ...user, editable: 'everything' as const };
    const theirs = { ...edited, version: 4, lastName: 'Adeyemi', phone: '+14045550123' };
    let tries = 0;
    const sent = serve({
      ...answers,
      [`GET /api/web/users/${id}`]: () => ({ body: tries === 0 ? edited : theirs }),
      [`PATCH /api/web/users/${id}`]: () =>
        ++tries === 1
          ? { status: 409, body: { code: 'conflict', message: '', faults: [] } }
          : { body: { ...theirs, version: 5, lastName: 'Okafor' } },
      [`POST /api/web/users/${id}/undo`]: { body: { record: theirs, kept: [] } },
    });
    renderInApp(<UserPanel id={id} onClose={() => {}} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Edit details' }));
    const name = screen.getByRole('textbox', { name: 'Last name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'Okafor');
    const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await save();
    expect(
      await screen.findByText('Last name: was Abara, now Adeyemi, you entered Okafor'),
    ).toBeInTheDocument();
    // What only they have changed is taken over.
    expect(screen.getByRole('textbox', { name: /Phone/ })).toHaveValue('+14045550123');
    await save();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const patches = sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
    expect(patches).toEqual([
      { version: 3, lastName: 'Okafor' },
      { version: 4, lastName: 'Okafor' },
    ]);
    const [told] = store.getState().notifications.open.slice(-1);
    expect(told).toMatchObject({ message: 'users:done.saved', action: expect.any(String) });
  });

  test('says in words why a change was refused', async () => {
    serve({
      ...answers,
      [`PATCH /api/web/users/${id}`]: {
        status: 422,
        body: {
          code: 'validation-failed',
          message: '',
          faults: [{ path: 'roles', code: 'beyond-your-rights', message: '' }],
        },
      },
    });
    renderInApp(<UserPanel id={id} onClose={() => {}} />);
    await userEvent.click(await screen.findByRole('button', { name: 'End access to Alder Health' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('a permission that you do not have yourself');
  });
});

test('a table is shown row by row before anything is done', async () => {
  const row = (
    line: number,
    outcome: string,
    reason: string | null,
    column: string | null,
    detail: string[] = [],
  ) => ({
    line,
    email: `p${line}@example.org`,
    outcome,
    reason,
    column,
    detail,
  });
  const sent = serve({
    'POST /api/web/users/table': {
      body: {
        fault: null,
        rows: [
          row(2, 'invited', null, null),
          row(3, 'refused', 'too_small', 'firstName'),
          row(4, 'refused', 'beyond-your-rights', 'roles', ['audit/read']),
        ],
      },
    },
  });
  renderInApp(<UserTable />);
  await userEvent.upload(screen.getByTestId('file-input'), new File(['email,roles\n'], 'users.csv'));
  expect(await screen.findByRole('button', { name: 'Apply 1 row' })).toBeVisible();
  expect(sent.map(({ body }) => (body as { dryRun: boolean }).dryRun)).toEqual([true]);
  expect(screen.getByText('“First name” is missing or not valid.')).toBeVisible();
  expect(screen.getByText(/\(See the audit log\)$/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Apply 1 row' }));
  expect(await screen.findByRole('heading', { name: 'What was done' })).toBeVisible();
  expect(sent.map(({ body }) => (body as { dryRun: boolean }).dryRun)).toEqual([true, false]);
});

describe('an invitation', () => {
  test('[S5.1] shows all faults together, including the organization and roles, each a link to its field', async () => {
    store.dispatch(
      userReady(
        initAnswer([org(tenant, 'Alder Health'), org(other, 'Birch Clinic')], {
          casbinPolicy: ['p, role:admin, T, users/write, allow', 'g, u1, role:admin'],
        }),
      ),
    );
    serve({
      'GET /api/web/users/organizations': {
        body: {
          organizations: [
            { id: tenant, name: 'Alder Health' },
            { id: other, name: 'Birch Clinic' },
          ],
        },
      },
      'GET /api/web/users/roles': {
        body: {
          roles: [
            {
              id: role,
              label: 'Auditor',
              labelI18N: {},
              code: 'auditor',
              permissions: ['audit/read'],
              missing: [],
            },
          ],
        },
      },
    });
    renderInApp(<InviteUser orgType="T" onInvited={() => {}} onClose={() => {}} />);
    const send = () => userEvent.click(screen.getByRole('button', { name: 'Send the invitation' }));
    await send();
    const faults = async () =>
      within(await screen.findByRole('alert'))
        .getAllByRole('button')
        .map((link) => link.textContent);
    expect(await faults()).toEqual([
      'First name: Fill this in.',
      'Last name: Fill this in.',
      'Email address: Fill this in.',
      'Organization: Choose an organization.',
      'Roles: Choose at least one role.',
    ]);
    const place = screen.getByRole('combobox', { name: 'Organization' });
    await userEvent.click(screen.getByRole('button', { name: /^Roles:/ }));
    expect(place).toHaveFocus();
    expect(place).toHaveAccessibleDescription('Choose an organization.');
    await userEvent.click(place);
    await userEvent.click(await screen.findByRole('option', { name: 'Birch Clinic' }));
    const box = await screen.findByRole('checkbox', { name: 'Auditor' });
    expect((await faults()).slice(3)).toEqual(['Roles: Choose at least one role.']);
    await userEvent.click(screen.getByRole('button', { name: /^Roles:/ }));
    expect(box).toHaveFocus();
    await userEvent.click(box);
    expect(await faults()).toHaveLength(3);
  });
});
