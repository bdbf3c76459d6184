import type { GridTab } from '@caseway/contract/grid-views';
import type { RoleOpening } from '@caseway/contract/saved-views';
import { initialGridView } from '@caseway/contract/search-params';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { userReady } from '../../session/authentication.ts';
import { openingKnown } from '../../session/preferences.ts';
import { store } from '../../session/store.ts';
import { initAnswer } from '../../test/server.ts';
import { isSameView, ownTabs, savedPart, tabOf } from '../../view/grid-tabs.ts';
import { asked, cell, grid, lastShown, show, stage, startGridTests } from './test-grid.tsx';

await startGridTests();

const path = '/api/web/grid/things/views';
const small = ownTabs(grid, null)[0]!.view;
const view = {
  ...small,
  filterModel: { items: [{ field: 'size', operator: '<', value: 9 }], logicOperator: 'and' as const },
};
const mine: GridTab = {
  id: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0001',
  name: 'Small ones',
  shared: false,
  own: true,
  changeable: true,
  locked: null,
  version: 1,
  view,
};
const theirs: GridTab = {
  ...mine,
  id: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0002',
  name: 'All teams',
  shared: true,
  own: false,
  changeable: false,
};
/** Shared by someone else, and the reader may share views. */
const ours: GridTab = { ...theirs, changeable: true };
let presets: GridTab[] = [];
let opensWith: string | null = null;
let roleOpensWith: string | null = null;
let refusal: { status: number; body: object } | null = null;
let roles: RoleOpening[] = [];
let sentRoles: unknown;
const changed = ({ id }: GridTab, body: unknown) => {
  if (refusal) return refusal;
  const { locked, ...given } = body as Partial<GridTab> & { locked?: boolean };
  presets = presets.map((one) =>
    one.id === id
      ? {
          ...one,
          ...given,
          version: one.version + 1,
          ...(locked !== undefined && { locked: locked ? { by: 'Ana Cruz' } : null }),
        }
      : one,
  );
  return { body: presets.find((one) => one.id === id)! };
};

const open = async (at?: string) => {
  await show(at, {
    [`GET ${path}`]: () => ({ body: { presets, opensWith, roleOpensWith } }),
    [`POST ${path}`]: ({ body }) => {
      const made = { ...mine, ...(body as GridTab), id: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0003' };
      presets = [...presets, made];
      return { body: made };
    },
    [`PATCH ${path}/${mine.id}`]: ({ body }) => changed(mine, body),
    [`PATCH ${path}/${theirs.id}`]: ({ body }) => changed(theirs, body),
    [`DELETE ${path}/${mine.id}`]: () => {
      presets = presets.filter(({ id }) => id !== mine.id);
      return { body: {} };
    },
    'PUT /api/web/grid/things/opens-with': ({ body }) => {
      opensWith = (body as { opensWith: string | null }).opensWith;
      return { body: { opensWith } };
    },
    'GET /api/web/grid/things/roles-open-with': () => ({ body: { roles } }),
    'PUT /api/web/grid/things/roles-open-with': ({ body }) => {
      sentRoles = body;
      return { body: { roles } };
    },
  });
  await cell('C1');
  return userEvent.setup();
};
const tab = (name: string) => screen.findByRole('link', { name });
const isOpen = async (name: string) =>
  waitFor(async () => expect(await tab(name)).toHaveAttribute('aria-current', 'true'));
const option = async (user: ReturnType<typeof userEvent.setup>, of: string, name: string) => {
  await user.click(screen.getByRole('button', { name: `Options for the view “${of}”` }));
  await user.click(await screen.findByRole('menuitem', { name }));
};

// Before its reader signs out: a list that is still shown would open with its default again.
afterEach(cleanup);
beforeEach(() => {
  presets = [mine, theirs];
  opensWith = null;
  roleOpensWith = null;
  refusal = null;
  sentRoles = undefined;
});

describe("a list's views", () => {
  test('are links, the reader’s own before shared ones, and opening one shows what was saved', async () => {
    const user = await open();
    await isOpen('All');
    const links = within(screen.getByRole('navigation', { name: 'Views of the list “Things”' })).getAllByRole(
      'link',
    );
    expect(links.map((link) => link.textContent)).toEqual(['All', 'Small ones', 'All teams']);
    expect(links[1]!.getAttribute('href')).toContain(`tab=${mine.id}`);
    await user.click(links[1]!);
    await isOpen('Small ones');
    await waitFor(() => expect(lastShown().filterModel.items).toMatchObject(view.filterModel.items));
    expect(stage.address).toContain(`tab=${mine.id}`);
    expect(screen.queryByText('Changed')).toBeNull();
    await user.click(await tab('All'));
    await isOpen('All');
    expect(stage.address).toBe('/things');
  });

  test('a changed one says so, and is reset or saved', async () => {
    const user = await open(`/things?tab=${mine.id}&f=size~%3C~9&programFilter=p1`);
    await isOpen('Small ones');
    expect(await screen.findByText('Changed')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    await waitFor(() => expect(screen.queryByText('Changed')).toBeNull());
    expect(stage.address).not.toContain('programFilter');
    stage.go(`/things?tab=${mine.id}&f=size~%3C~9&programFilter=p2`);
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByText('Changed')).toBeNull());
    expect(presets[0]!.view.filters).toEqual({ programFilter: ['p2'] });
  });

  test('someone else’s is saved as a new one, without what no address may have', async () => {
    const user = await open(`/things?tab=${theirs.id}&f=status~is~open`);
    await isOpen('All teams, shared');
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Save as new' }));
    const dialog = await screen.findByRole('dialog', { name: 'Save as new' });
    // People who may not share are not asked.
    expect(within(dialog).queryByRole('checkbox', { name: /^Share/ })).toBeNull();
    await user.type(within(dialog).getByLabelText(/^Name/), 'Open ones');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await isOpen('Open ones');
    expect(presets.at(-1)).toMatchObject({
      name: 'Open ones',
      shared: false,
      view: { filterModel: { items: [{ field: 'status', operator: 'is', value: 'open' }] } },
    });
  });

  test('the reader’s own is renamed and deleted', async () => {
    const user = await open(`/things?tab=${mine.id}&f=size~%3C~9`);
    await isOpen('Small ones');
    await option(user, 'Small ones', 'Name and columns');
    const name = await screen.findByRole('textbox', { name: /^Name/ });
    await user.clear(name);
    await user.type(name, 'Tiny ones');
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' }));
    await isOpen('Tiny ones');
    await option(user, 'Tiny ones', 'Delete');
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await isOpen('All');
    expect(screen.queryByRole('link', { name: 'Tiny ones' })).toBeNull();
  });

  test('a link to the current view is copied', async () => {
    const user = await open(`/things?tab=${mine.id}&f=size~%3C~9`);
    const write = vi.spyOn(navigator.clipboard, 'writeText');
    await isOpen('Small ones');
    await option(user, 'Small ones', 'Copy link');
    expect(write.mock.calls[0]![0]).toContain(`tab=${mine.id}`);
  });

  test('an untouched list opens with the reader’s default', async () => {
    const user = await open();
    await user.click(await tab('Small ones'));
    await option(user, 'Small ones', 'Set as my default');
    await waitFor(() => expect(opensWith).toBe(mine.id));
    await option(user, 'Small ones', 'Remove as my default');
    await waitFor(() => expect(opensWith).toBeNull());
  });

  test('the default is shown only for the bare address', async () => {
    opensWith = mine.id;
    await open();
    await isOpen('Small ones');
    const user = userEvent.setup();
    await user.click(await tab('All'));
    await isOpen('All');
  });

  test('if the browser knows of a default, nothing else is requested first', async () => {
    opensWith = mine.id;
    store.dispatch(openingKnown({ grid: 'things', chosen: true }));
    await open();
    await isOpen('Small ones');
    expect(asked()[0]!.filterModel.items).toMatchObject(view.filterModel.items);
    store.dispatch(openingKnown({ grid: 'things', chosen: false }));
  });

  test('a deleted default is ignored', async () => {
    opensWith = 'mine';
    store.dispatch(openingKnown({ grid: 'things', chosen: true }));
    await open();
    await isOpen('All');
    store.dispatch(openingKnown({ grid: 'things', chosen: false }));
  });

  test('a link means what it says, whatever the default', async () => {
    opensWith = mine.id;
    await open('/things?view=default');
    await tab('Small ones');
    await isOpen('All');
  });

  test('surplus ones are in a menu, but never the open one', async () => {
    presets = Array.from({ length: 8 }, (_, index) => ({
      ...mine,
      id: `0b9f3a52-6c1d-4a44-9a83-3c1f6a1f010${index}`,
      name: `View ${index}`,
    }));
    const user = await open();
    await user.click(await screen.findByRole('button', { name: '3 more' }));
    await user.click(screen.getByRole('menuitem', { name: 'View 7' }));
    await isOpen('View 7');
    expect(screen.queryByRole('link', { name: 'View 4' })).toBeNull();
  });
});

describe('a shared view', () => {
  const said = () => store.getState().notifications.open.at(-1)!;
  /** Signed in as someone who may do these things for the whole tenant. */
  const may = (...permissions: string[]) =>
    store.dispatch(
      userReady(initAnswer(undefined, { casbinPolicy: permissions.map((one) => `p, u1, T, ${one}, allow`) })),
    );

  test('is changed and deleted by people who may share views, but stays shared', async () => {
    presets = [mine, ours];
    may('general/other', 'presets/share');
    const user = await open(`/things?tab=${ours.id}&f=size~%3C~9&programFilter=p1`);
    await isOpen('All teams, shared');
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(presets[1]).toMatchObject({ view: { filters: { programFilter: ['p1'] } } }));
    await option(user, 'All teams', 'Name and columns');
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).queryByRole('checkbox', { name: /^Share/ })).toBeNull();
    await user.type(within(dialog).getByLabelText(/^Name/), ' here');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await isOpen('All teams here, shared');
    expect(presets[1]!.version).toBe(3);
  });

  test('that someone else has changed meanwhile is not overwritten', async () => {
    presets = [mine, ours];
    const user = await open(`/things?tab=${ours.id}&f=size~%3C~9&programFilter=p1`);
    await isOpen('All teams, shared');
    const save = await screen.findByRole('button', { name: 'Save' });
    refusal = { status: 409, body: { code: 'conflict', message: 'changed', requestId: 'r' } };
    presets = [mine, { ...ours, version: 2, view: small }];
    await user.click(save);
    await waitFor(() =>
      expect(said()).toMatchObject({ message: 'gridViews.conflict', values: { name: 'All teams' } }),
    );
    refusal = null;
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(presets[1]!.version).toBe(3));
  });

  test('is locked and unlocked by people who may share views; a locked one says by whom', async () => {
    presets = [mine, ours];
    may('general/other', 'presets/share');
    const user = await open(`/things?tab=${ours.id}&f=size~%3C~8`);
    await isOpen('All teams, shared');
    await option(user, 'All teams', 'Lock');
    await isOpen('All teams, shared, Locked by Ana Cruz');
    expect(screen.getByText('Locked by Ana Cruz')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Save as new' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Options for the view “All teams”' }));
    const offered = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
    expect(offered).toEqual(['Copy link', 'Set as my default', 'Unlock']);
    await user.click(screen.getByRole('menuitem', { name: 'Unlock' }));
    await isOpen('All teams, shared');
    expect(screen.getByRole('button', { name: 'Save' })).toBeVisible();
  });

  test('a locked one is not unlocked by people who may not share, and they save theirs as new', async () => {
    presets = [mine, { ...theirs, locked: { by: '' } }];
    const user = await open(`/things?tab=${theirs.id}&f=size~%3C~8`);
    await isOpen('All teams, shared, Locked by a colleague');
    await user.click(screen.getByRole('button', { name: 'Options for the view “All teams”' }));
    expect(screen.queryByRole('menuitem', { name: 'Unlock' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Save as new', hidden: true })).toBeVisible();
  });

  test('one’s own default counts before that of a role', async () => {
    [opensWith, roleOpensWith] = [mine.id, theirs.id];
    await open();
    await isOpen('Small ones');
  });

  test('is what a list opens with for a role, unless a person has chosen', async () => {
    roleOpensWith = theirs.id;
    const user = await open();
    await isOpen('All teams, shared');
    await user.click(await tab('All'));
    // Without a default of their own the role would decide, so this is one.
    await option(user, 'All', 'Set as my default');
    await waitFor(() => expect(opensWith).toBe('all'));
    await option(user, 'All', 'Remove as my default');
    await waitFor(() => expect(opensWith).toBeNull());
  });

  test('is made the default of roles by people who change settings', async () => {
    const labelI18N = {};
    const role = (number: number) => `0b9f3a52-6c1d-4a44-9a83-3c1f6a1f020${number}`;
    roles = [
      { id: role(1), label: 'Epidemiologist', labelI18N, opensWith: null },
      { id: role(2), label: 'Member', labelI18N, opensWith: theirs.id },
      { id: role(3), label: 'Supervisor', labelI18N, opensWith: mine.id },
    ];
    may('general/other', 'settings/write');
    const user = await open(`/things?tab=${theirs.id}&f=size~%3C~9`);
    await isOpen('All teams, shared');
    await option(user, 'All teams', 'Default for roles');
    const dialog = await screen.findByRole('dialog', { name: 'Roles that open with “All teams”' });
    const box = (name: string | RegExp) => within(dialog).findByRole('checkbox', { name });
    expect(await box('Member')).toBeChecked();
    expect(await box('Supervisor now opens with “Small ones”')).not.toBeChecked();
    await user.click(await box('Epidemiologist'));
    await user.click(await box('Member'));
    await user.click(await box(/^Supervisor/));
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sentRoles).toEqual({
        roles: [
          { id: role(1), before: null, opensWith: theirs.id },
          { id: role(2), before: theirs.id, opensWith: null },
          { id: role(3), before: mine.id, opensWith: theirs.id },
        ],
      }),
    );
    await waitFor(() => expect(said().message).toBe('gridViews.rolesSaved'));
  });
});

describe("a view's columns", () => {
  const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent.toLowerCase());
  const hide = async (user: ReturnType<typeof userEvent.setup>, column: string) => {
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Columns' })).getByRole('checkbox', {
        name: column.toUpperCase(),
      }),
    );
    await user.keyboard('{Escape}');
  };

  test('are saved with a new one, and change no other view', async () => {
    const user = await open();
    const before = heads();
    await user.click(await tab('Small ones'));
    await isOpen('Small ones');
    stage.go(`/things?tab=${mine.id}&f=size~%3C~8`);
    await user.click(await screen.findByRole('button', { name: 'Save as new' }));
    const dialog = await screen.findByRole('dialog', { name: 'Save as new' });
    expect(
      within(dialog).getByRole('checkbox', { name: 'Keep the columns as they are shown' }),
    ).toBeChecked();
    await user.type(within(dialog).getByLabelText(/^Name/), 'With columns');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await isOpen('With columns');
    expect(presets.at(-1)!.view.columns).toMatchObject({
      hidden: ['note'],
      order: Object.keys(grid.columns),
    });
    await hide(user, 'size');
    expect(heads()).toEqual(before.filter((name) => name !== 'size'));
    expect(await screen.findByText('Changed')).toBeInTheDocument();
    await user.click(await tab('All'));
    await isOpen('All');
    expect(heads()).toEqual(before);
  });

  test('arranged for a new one go with it, and the list gets its own back', async () => {
    const user = await open(`/things?f=size~%3C~8`);
    const before = heads();
    await hide(user, 'size');
    await user.click(await screen.findByRole('button', { name: 'Save as new' }));
    const dialog = await screen.findByRole('dialog', { name: 'Save as new' });
    await user.type(within(dialog).getByLabelText(/^Name/), 'Without size');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await isOpen('Without size');
    // The button that opened the form is gone, so the focus moves to the new view.
    await waitFor(async () => expect(await tab('Without size')).toHaveFocus());
    expect(heads()).toEqual(before.filter((name) => name !== 'size'));
    await user.click(await tab('All'));
    await isOpen('All');
    expect(heads()).toEqual(before);
  });

  test('are as saved, and their changes last until saved or reset', async () => {
    const order = Object.keys(grid.columns);
    const columns = { order, hidden: ['size'], pinned: [], widths: {} };
    presets = [{ ...mine, view: { ...view, columns } }, theirs];
    const user = await open(`/things?tab=${mine.id}&f=size~%3C~9`);
    await isOpen('Small ones');
    await waitFor(() => expect(heads()).not.toContain('size'));
    expect(screen.queryByText('Changed')).toBeNull();
    await hide(user, 'status');
    await user.click(await screen.findByRole('button', { name: 'Reset' }));
    await waitFor(async () => expect(await tab('Small ones')).toHaveFocus());
    expect(heads()).toContain('status');
    await hide(user, 'status');
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByText('Changed')).toBeNull());
    expect(presets[0]!.view.columns!.hidden).toEqual(['size', 'status']);
    await option(user, 'Small ones', 'Name and columns');
    await user.click(await screen.findByRole('checkbox', { name: 'Keep the columns as they are shown' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(heads()).toContain('size'));
    expect(presets[0]!.view.columns).toBeUndefined();
  });
});

describe("a list's built-in views", () => {
  const owned = { ...grid, owner: { column: 'status', may: 'things/own' as const } };
  const declared = { ...owned, filters: ['whose'], views: { of: 'whose', codes: ['team', 'all'] as const } };

  test('“mine” is there for a reader who can be an owner, unless the list declares one', () => {
    const ids = (of: Parameters<typeof ownTabs>[0], reader: string | null) =>
      ownTabs(of, reader).map(({ id }) => id);
    expect(ids(owned, 'me')).toEqual(['all', 'mine']);
    expect(ids(owned, null)).toEqual(['all']);
    expect(ids(declared, 'me')).toEqual(['team', 'all', 'mine']);
    expect(ids({ ...declared, views: { of: 'whose', codes: ['mine', 'all'] } }, 'me')).toEqual([
      'mine',
      'all',
    ]);
    expect(ownTabs(declared, 'me').at(-1)!.view).toMatchObject({
      filters: { whose: ['all'] },
      filterModel: { items: [{ field: 'status', operator: 'is', value: 'me' }] },
      // All rows, not only those of the default range.
      range: 'all',
    });
  });

  test('“open” is there if the list declares open states, and stays active under further filters', () => {
    const opened = { ...owned, open: { column: 'status', states: ['new', 'going'] } };
    const tabs = ownTabs(opened, 'me');
    expect(tabs.map(({ id }) => id)).toEqual(['all', 'open', 'mine']);
    const item = { field: 'status', operator: 'isAnyOf', value: ['new', 'going'] };
    expect(tabs[1]!.view).toMatchObject({ filterModel: { items: [item] }, range: 'all' });
    const shown = (...items: object[]) =>
      tabOf(opened, tabs, {
        ...tabs[0]!.view,
        filterModel: { items, logicOperator: 'and' },
      } as unknown as Parameters<typeof tabOf>[2]).id;
    expect(shown(item)).toBe('open');
    expect(shown({ field: 'size', operator: '>', value: 3 }, item)).toBe('open');
    expect(shown({ ...item, value: ['new'] })).toBe('all');
  });

  test('a search does not change a view, another order does', () => {
    const [all] = ownTabs(owned, 'me');
    const shown = { ...all!.view, paginationModel: { page: 0, pageSize: 25 }, savedFilter: null };
    const searched = {
      ...shown,
      filterModel: {
        items: [{ field: 'name', operator: 'contains', value: 'Rivera' }],
        logicOperator: 'and' as const,
        quickFilterValues: ['rivera'],
      },
    };
    expect(isSameView(all!.view, savedPart(owned, searched))).toBe(true);
    const sorted = { ...shown, sortModel: [{ field: 'size', sort: 'asc' as const }] };
    expect(isSameView(all!.view, savedPart(owned, sorted))).toBe(false);
    expect(tabOf(owned, ownTabs(owned, 'me'), searched).id).toBe('all');
  });

  test('[P16] keeps groups in groups, without any condition on a name', () => {
    const open = { field: 'status', operator: 'is', value: 'open' };
    const named = { field: 'name', operator: 'contains', value: 'rivera' };
    const or = 'or' as const;
    const inner = { items: [open, named], logicOperator: or };
    const onlyNamed = { items: [named], logicOperator: or };
    const shown = {
      ...initialGridView(grid),
      filterModel: {
        items: [],
        groups: [{ items: [], groups: [inner, onlyNamed], logicOperator: or }, onlyNamed],
        logicOperator: 'and' as const,
      },
    };
    const kept = savedPart(grid, shown);
    const groups = [{ items: [open], logicOperator: or }];
    expect(kept.filterModel).toEqual({
      items: [],
      groups: [{ items: [], groups, logicOperator: or }],
      logicOperator: 'and',
    });
    expect(isSameView(kept, { ...kept, filterModel: { ...kept.filterModel, groups } })).toBe(false);
  });
});
