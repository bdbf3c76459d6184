import { ordinaryFeatures, permissions } from '@caseway/contract/permission';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { askWhy, useAskedWhy } from '../session/refused.ts';
import { store } from '../session/store.ts';
import WhyDialog from '../shell/WhyDialog.tsx';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../test/server.ts';
import { Permitted } from './Permitted.tsx';

await startTestLocales();

function signIn(
  { granted = [], ...more }: { granted?: string[]; tenantFeatures?: string[] } = {},
  orgType: 'T' | 'PHJ' = 'T',
) {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  const casbinPolicy = granted.map((one) => `p, u1, ${orgType}, ${one}, allow`);
  store.dispatch(userReady(initAnswer([org('t1', 'Alder', { orgType })], { casbinPolicy, ...more })));
}
beforeEach(() => {
  serve({
    'GET /api/web/access/granters': {
      body: {
        roles: [{ label: 'Epidemiologist', labelI18N: {} }],
        people: [{ name: 'Kim Ochoa', email: 'kim@example.org' }],
      },
    },
  });
});
afterEach(() => {
  askWhy(null);
  store.dispatch(signedOut());
});

function Shown({ permission = 'patients/write' }: { permission?: string }) {
  const why = useAskedWhy();
  return (
    <>
      <Permitted permission={permission as 'patients/write'} label="Add a patient">
        <button type="button">Add a patient now</button>
      </Permitted>
      {why === null ? null : <WhyDialog permission={why} onClose={() => askWhy(null)} />}
    </>
  );
}

test('people with the permission get the action itself', () => {
  signIn({ granted: ['patients/write'] });
  renderInApp(<Shown />);
  expect(screen.getByRole('button')).toHaveTextContent('Add a patient now');
});

test('others get a locked action: by keyboard, they learn which permission it needs and who can grant it', async () => {
  signIn();
  const user = userEvent.setup();
  renderInApp(<Shown />);
  const locked = screen.getByRole('button', { name: 'Add a patient' });
  expect(locked).toHaveAttribute('aria-disabled', 'true');
  expect(locked).toHaveAccessibleDescription(/^You need the permission “Change patients”/);
  await user.tab();
  expect(locked).toHaveFocus();
  await user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Why you cannot do this' }));
  expect(await dialog.findByText('Roles that include it: Epidemiologist.')).toBeVisible();
  expect(dialog.getByRole('link', { name: 'Kim Ochoa' })).toHaveAttribute('href', 'mailto:kim@example.org');
});

test.each([
  ['its feature is off', 'patients/write', ordinaryFeatures.filter((one) => one !== 'patients'), 'T'],
  ['it has no effect on such an organization', 'imports/write', ordinaryFeatures, 'PHJ'],
] as const)(
  'nothing is shown where nobody can be granted it: %s',
  (_, permission, tenantFeatures, orgType) => {
    signIn({ tenantFeatures: [...tenantFeatures] }, orgType);
    renderInApp(<Shown permission={permission} />);
    expect(screen.queryByRole('button')).toBeNull();
  },
);

test('every permission that can lock an action has a text', () => {
  signIn();
  for (const permission of permissions.filter((one) => /\/(write|export)$/.test(one))) {
    const { unmount } = renderInApp(<Shown permission={permission} />);
    const locked = screen.queryByRole('button');
    if (locked) expect(locked.title).toMatch(/^You need the permission “[A-Z][^/]+”, which/);
    unmount();
  }
});
