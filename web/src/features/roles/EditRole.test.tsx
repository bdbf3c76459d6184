import { permissions } from '@caseway/contract/permission';
import type { Role } from '@caseway/contract/roles';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { leavesUnsaved } from '../../session/unsaved.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import EditRole from './EditRole.tsx';

await startTestLocales('roles');
const idOf = (digits: string) => `${digits}-1111-4111-8111-111111111111`;
const ids = { edited: idOf('11111111'), member: idOf('22222222'), guest: idOf('33333333') };
const permission = 'case-reports/read';
type Effect = 'allow' | 'deny';
const role = (id: string, label: string, parentIds: string[], effect: Effect | null) =>
  ({
    id,
    code: label.toLowerCase(),
    label,
    labelI18N: {},
    parentIds,
    grants: effect === null ? [] : [{ on: 'T', permission, effect }],
    holders: 0,
  }) as Role;

beforeEach(() => {
  others = [];
  overtake = false;
  queryClient.clear();
  store.dispatch(
    userReady(
      initAnswer([org('44444444-4444-4444-8444-444444444444', 'Alder Health')], {
        casbinPolicy: ['p, role:admin, T, roles/write, allow', 'g, u1, role:admin'],
      }),
    ),
  );
});

/** Roles that someone else creates while this one is edited. */
let others: Role[] = [];
/** Whether something was still unsaved on reaching the list of roles. */
let askedToLeave = false;
function Arrived() {
  askedToLeave ||= leavesUnsaved('screen');
  return <p>The list of roles</p>;
}
/** Someone creates a role just before this one is reviewed. */
let overtake = false;

const show = async (own: Effect | null, member: Effect | null, guest: Effect | null) => {
  const roles = [
    role(ids.edited, 'Edited', [ids.member, ids.guest], own),
    role(ids.member, 'Member', [], member),
    role(ids.guest, 'Guest', [], guest),
  ];
  serve({
    'GET /api/web/roles': () => ({
      body: {
        roles: [...roles, ...others],
        version: 1 + others.length,
        kinds: ['T'],
        held: [...permissions],
      },
    }),
    'POST /api/web/roles': ({ body }) => {
      const { draft } = body as { draft: Role | null };
      // As stored: in another order.
      if (draft) Object.assign(roles[0]!, draft, { grants: draft.grants.toReversed() });
      else roles.shift();
      others = [...others, role(idOf(`6666666${others.length}`), 'Other', [], null)];
      return { body: { id: ids.edited, version: 1 + others.length } };
    },
    'POST /api/web/roles/preview': ({ body }) => {
      if (overtake) others = [role(idOf('55555555'), 'New', [], null)];
      return (body as { version: number }).version === 1 + others.length
        ? { body: { effects: [], refusals: [] } }
        : { status: 409, body: { code: 'conflict', message: 'other roles', requestId: 'r' } };
    },
  });
  const shown = renderInApp(
    <Routes>
      <Route path="/admin/roles/:id" element={<EditRole />} />
      <Route path="/admin/roles" element={<Arrived />} />
    </Routes>,
    { path: `/admin/roles/${ids.edited}` },
  );
  const select = await screen.findByRole<HTMLSelectElement>('combobox', {
    name: 'See case reports, The tenant',
  });
  return { ...shown, select, roles };
};

// The result for the role and its two parents: a denial overrides every allow. [S6.2]
test.each([
  [null, null, null, 'Not granted'],
  [null, 'allow', null, 'Allowed, from Member'],
  [null, null, 'deny', 'Denied, from Guest'],
  [null, 'allow', 'deny', 'Denied, from Guest'],
  ['allow', null, null, 'Allowed'],
  ['allow', 'allow', null, 'Allowed'],
  ['allow', 'allow', 'deny', 'Denied, from Guest, though allowed here'],
  ['deny', null, null, 'Denied'],
  ['deny', 'allow', null, 'Denied'],
  ['deny', 'allow', 'deny', 'Denied'],
] as const)(
  'a role that says %s and inherits %s and %s shows one thing: %s',
  async (own, member, guest, words) => {
    const { select } = await show(own, member, guest);
    expect(select.selectedOptions[0]).toHaveTextContent(new RegExp(`^${words}$`));
    // The cell contains nothing else.
    const choices = [...select.options].map((option) => option.textContent).join('');
    expect(select.closest('td')!.textContent.replaceAll('\u200b', '')).toBe(choices);
  },
);

test('the choice is announced immediately', async () => {
  const { select } = await show(null, 'allow', null);
  await userEvent.selectOptions(select, 'Denied');
  expect(select.selectedOptions[0]).toHaveTextContent('Denied');
  await userEvent.selectOptions(select, 'Allowed, from Member');
  expect(select.selectedOptions[0]).toHaveTextContent('Allowed, from Member');
});

test('a draft stays when someone else changes roles, and can be saved on top of theirs', async () => {
  const { select } = await show(null, 'allow', null);
  await userEvent.selectOptions(select, 'Denied');
  overtake = true;
  await userEvent.click(screen.getByRole('button', { name: 'Review the change' }));
  expect(await screen.findByText(/^Someone else has changed roles in the meantime\./)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('checkbox', { name: 'New' })).toBeInTheDocument();
  expect(select.selectedOptions[0]).toHaveTextContent('Denied');
  await userEvent.click(screen.getByRole('button', { name: 'Review the change' }));
  expect(await screen.findByText('Nothing changes for anyone.')).toBeVisible();
});

test('a permission that someone else has set in the meantime is shown with theirs and mine', async () => {
  const { select, roles } = await show(null, null, null);
  await userEvent.selectOptions(select, 'Denied');
  roles[0]!.grants = [{ on: 'T', permission, effect: 'allow' }];
  overtake = true;
  await userEvent.click(screen.getByRole('button', { name: 'Review the change' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(
    await screen.findByText('See case reports, The tenant: was Not granted, now Allowed, you entered Denied'),
  ).toBeVisible();
  expect(select.selectedOptions[0]).toHaveTextContent('Denied');
});

test('a saved role leads back to the roles, without a leave question', async () => {
  const { select } = await show('allow', null, null);
  await userEvent.selectOptions(select, 'Denied');
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: 'Use the product, The tenant' }),
    'Allowed',
  );
  expect(leavesUnsaved('screen')).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Review the change' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save the role' }));
  expect(await screen.findByText('The list of roles')).toBeVisible();
  expect(leavesUnsaved('screen')).toBe(false);
  expect(askedToLeave).toBe(false);
});

test('a removed role leads back to the roles', async () => {
  await show(null, null, null);
  await userEvent.click(screen.getByRole('button', { name: 'Remove this role' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Remove the role' }));
  expect(await screen.findByText('The list of roles')).toBeVisible();
});

test("[S1.4, S6.9] before it is saved, a role has its name in the reader's language", async () => {
  const { select } = await show(null, null, null);
  await userEvent.type(screen.getByRole('textbox', { name: /^Español/ }), 'Editado');
  await userEvent.selectOptions(select, 'Allowed');
  await act(() => i18next.changeLanguage('es'));
  try {
    await userEvent.click(screen.getByRole('button', { name: 'Revisar el cambio' }));
    expect(await screen.findByRole('dialog', { name: 'Qué cambia con “Editado”' })).toBeVisible();
  } finally {
    await act(() => i18next.changeLanguage('en'));
  }
});
