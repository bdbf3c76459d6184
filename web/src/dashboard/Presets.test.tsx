import type { Preset } from '@caseway/contract/analytics-presets';
import { testing } from '@caseway/contract/dashboards/testing';
import { analyticsFromParams } from '@caseway/contract/search-params';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { NotificationStack } from '../shell/NotificationStack.tsx';
import { startTestLocales } from '../test/locales.ts';
import { holdNotifications, renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, refreshToken, type Sent, serve } from '../test/server.ts';
import { useDashboardView } from '../view/dashboard-view.ts';
import type { Opening } from '../view/opening.ts';
import { Presets } from './Presets.tsx';

await startTestLocales('analytics');

const list = '/api/web/analytics/testing/presets';
const mine: Preset = {
  id: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0001',
  name: 'HIV in Leon',
  shared: true,
  own: true,
  changeable: true,
  locked: null,
  version: 1,
  view: { filters: { raceFilter: ['2028-9'] }, range: null, eventDate: 'reported', granularity: null },
};
const theirs: Preset = {
  ...mine,
  id: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0002',
  name: 'Jails',
  own: false,
  changeable: false,
  view: { ...mine.view, eventDate: 'collected' },
};

let presets: Preset[] = [];
let opening: Opening = { opensWith: null, roleOpensWith: null };
let refuse: { status: number; body: unknown } | null = null;
let sent: Sent[] = [];
function Screen() {
  const view = useDashboardView(testing);
  return (
    <>
      <Presets of={testing} view={view} />
      <button type="button" onClick={() => view.setFilters({ ...view.state.filters, raceFilter: [] })}>
        Any race
      </button>
      <p>{view.state.presetFilter}</p>
      <NotificationStack />
    </>
  );
}
function show() {
  sent = serve({
    [`GET ${list}`]: () => ({ body: { presets, ...opening } }),
    [`POST ${list}`]: ({ body }) => refuse ?? { body: { ...mine, ...(body as object) } },
    [`PATCH ${list}/${mine.id}`]: ({ body }) => {
      if (refuse) return refuse;
      presets = presets.map((one) =>
        one.id === mine.id ? { ...one, ...(body as Partial<Preset>), version: one.version + 1 } : one,
      );
      return { body: presets.find(({ id }) => id === mine.id) };
    },
    [`DELETE ${list}/${mine.id}`]: () => {
      presets = presets.filter(({ id }) => id !== mine.id);
      return {};
    },
    'PUT /api/web/analytics/testing/opens-with': ({ body }) => {
      opening = { ...opening, ...(body as object) };
      return { body };
    },
  });
  renderInApp(<Screen />, { path: '/analytics/testing' });
  holdNotifications();
}
async function open() {
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Saved views' }));
  return screen.findByRole('dialog', { name: 'Saved views' });
}
const asked = (method: string) => sent.filter((one) => one.method === method).map(({ body }) => body);

beforeEach(() => {
  presets = [mine, theirs];
  opening = { opensWith: null, roleOpensWith: null };
  refuse = null;
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
});
afterEach(() => act(() => void store.dispatch(signedOut())));

describe('a saved view [S4.10]', () => {
  test('is renamed in place by its owner, who can undo that', async () => {
    const dialog = await open();
    expect(within(dialog).queryByRole('button', { name: 'Rename Jails' })).toBeNull();
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Rename HIV in Leon' }));
    const field = within(dialog).getByRole('textbox', { name: 'Name' });
    expect(field).toHaveFocus();
    await userEvent.clear(field);
    await userEvent.type(field, 'HIV, Leon County{Enter}');
    expect(await within(dialog).findByText('HIV, Leon County')).toBeInTheDocument();
    expect(within(dialog).queryByRole('textbox')).toBeNull();
    expect(await screen.findByText('“HIV in Leon” is now “HIV, Leon County”.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Undo', hidden: true }));
    expect(await within(dialog).findByText('HIV in Leon')).toBeInTheDocument();
    expect(asked('PATCH')).toEqual([
      { version: 1, name: 'HIV, Leon County' },
      { version: 2, name: 'HIV in Leon' },
    ]);
  });

  test('keeps the typed name when it cannot be saved, and says why', async () => {
    const dialog = await open();
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Rename HIV in Leon' }));
    const field = within(dialog).getByRole('textbox', { name: 'Name' });
    await userEvent.clear(field);
    await userEvent.keyboard('{Enter}');
    expect(await within(dialog).findByText('Fill this in.', { exact: false })).toBeInTheDocument();
    expect(asked('PATCH')).toEqual([]);
    refuse = { status: 404, body: { code: 'not-found', message: 'gone', requestId: 'r' } };
    await userEvent.type(field, 'Leon{Enter}');
    expect(await within(dialog).findByText(/^This could not be found\./)).toBeInTheDocument();
    expect(field).toHaveValue('Leon');
    // Escape ends renaming, and the list stays open.
    await userEvent.type(field, '{Escape}');
    expect(within(dialog).getByText('HIV in Leon')).toBeInTheDocument();
  });

  test('says when the screen shows something else, and can be updated to that', async () => {
    const dialog = await open();
    await userEvent.click(await within(dialog).findByText('HIV in Leon'));
    await userEvent.click(await screen.findByRole('button', { name: 'Any race' }));
    await userEvent.click(await screen.findByRole('button', { name: 'HIV in Leon, changed' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Save the changes in “HIV in Leon”' }));
    expect(await screen.findByRole('button', { name: 'HIV in Leon', hidden: true })).toBeInTheDocument();
    expect(asked('PATCH')).toMatchObject([
      { view: { filters: { raceFilter: [] }, range: null, eventDate: 'reported' } },
    ]);
  });

  test('that others use is deleted only after confirmation', async () => {
    const dialog = await open();
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Delete HIV in Leon' }));
    const question = await screen.findByRole('dialog', { name: 'Delete “HIV in Leon”?' });
    expect(question).toHaveTextContent('Everyone in the organization loses this view.');
    expect(asked('DELETE')).toEqual([]);
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.getByText('“HIV in Leon” is deleted.')).toBeInTheDocument());
    expect(asked('DELETE')).toHaveLength(1);
  });

  test('is shown when the screen opens, by one’s own default or that of a role', async () => {
    opening = { opensWith: null, roleOpensWith: theirs.id };
    show();
    await screen.findByText(theirs.id);
    await userEvent.click(screen.getByRole('button', { name: 'Jails' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Options for the view “HIV in Leon”' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Set as my default' }));
    await waitFor(() => expect(opening.opensWith).toBe(mine.id));
    await userEvent.click(screen.getByRole('button', { name: 'Options for the view “HIV in Leon”' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove as my default' }));
    await waitFor(() => expect(opening.opensWith).toBeNull());
    // Without what a role gives, the screen opens as it is by itself.
    await userEvent.click(screen.getByRole('button', { name: 'Options for the view “Jails”' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove as my default' }));
    await waitFor(() => expect(opening.opensWith).toBe('default'));
  });

  test('is not opened if it is gone, or if the screen’s own default was chosen', async () => {
    opening = { opensWith: 'default', roleOpensWith: theirs.id };
    const dialog = await open();
    expect(await within(dialog).findByText('Jails')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Saved views', hidden: true })).toBeInTheDocument();
  });

  test('that is locked says by whom, and offers no change', async () => {
    presets = [{ ...mine, locked: { by: 'Ana Cruz' } }, theirs];
    const dialog = await open();
    expect(await within(dialog).findByText('Locked by Ana Cruz')).toBeInTheDocument();
    expect(within(dialog).queryByRole('button', { name: 'Rename HIV in Leon' })).toBeNull();
    await userEvent.click(within(dialog).getByText('HIV in Leon'));
    await userEvent.click(await screen.findByRole('button', { name: 'Any race' }));
    await userEvent.click(await screen.findByRole('button', { name: 'HIV in Leon, changed' }));
    expect(await screen.findByRole('button', { name: 'Save this view' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Save the changes/ })).toBeNull();
  });

  test('that someone else changed meanwhile is not overwritten', async () => {
    const dialog = await open();
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Rename HIV in Leon' }));
    refuse = { status: 409, body: { code: 'conflict', message: 'changed', requestId: 'r' } };
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), ' and Alder{Enter}');
    expect(
      await within(dialog).findByText(/^Someone else has changed “HIV in Leon” in the meantime/),
    ).toBeInTheDocument();
  });

  test('a link to exactly the current view is copied', async () => {
    // userEvent.setup() creates a clipboard.
    const user = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'writeText');
    const dialog = await open();
    await user.click(within(dialog).getByText('HIV in Leon'));
    await user.click(screen.getByRole('button', { name: 'HIV in Leon' }));
    await user.click(await screen.findByRole('button', { name: 'Copy link' }));
    const address = new URL(write.mock.calls[0]![0]);
    expect(address.pathname).toBe('/analytics/testing');
    expect(analyticsFromParams(testing, address.searchParams)).toMatchObject({
      ...mine.view,
      presetFilter: mine.id,
    });
    expect(await screen.findByText('The link is copied.')).toBeInTheDocument();
  });

  test('needs a name, and keeps the typed name when it cannot be saved', async () => {
    const dialog = await open();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save this view' }));
    const form = await screen.findByRole('dialog', { name: 'Save this view' });
    await userEvent.click(within(form).getByRole('button', { name: 'Save' }));
    const field = within(form).getByRole('textbox', { name: 'Name' });
    await waitFor(() => expect(field).toBeInvalid());
    refuse = { status: 503, body: { code: 'unavailable', message: 'busy', requestId: 'r' } };
    await userEvent.type(field, 'Leon{Enter}');
    expect(await within(form).findByText(/^Caseway is not available/)).toBeInTheDocument();
    expect(field).toHaveValue('Leon');
  });
});
