import { type AuditRow, auditGrid } from '@caseway/contract/audit';
import type { Column, GridQuery } from '@caseway/contract/grid';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, type Sent, serve } from '../../test/server.ts';
import Audit from './Audit.tsx';
import { wordsOfValues } from './event-values.ts';

await startTestLocales(...wordsOfValues);

const row = (number: number, given: Partial<AuditRow>): AuditRow => ({
  id: `0b9f3a52-6c1d-4a44-9a83-3c1f6a1f000${number}`,
  at: '2026-03-01T12:00:00.000Z',
  accountId: null,
  who: 'Robin Wren',
  account: 'robin@example.test',
  deed: 'sign-in',
  action: 'sign-in/succeeded',
  recordKind: 'account',
  records: 1,
  caseNumber: null,
  filteredBy: [],
  orgType: 'T',
  organization: 'Alder',
  reason: null,
  address: null,
  withheld: false,
  ...given,
});
const rows = [
  row(1, {}),
  row(2, { deed: 'numbers', action: 'POST /api/web/analytics/testing', recordKind: null, records: 0 }),
  row(3, { deed: 'export', action: 'export', recordKind: 'case', records: 0 }),
  row(4, { deed: 'search', action: 'POST /api/web/grid/imports/search', recordKind: 'import', records: 0 }),
  row(5, {
    deed: 'read',
    action: 'GET /api/web/case-reports/:id',
    recordKind: 'case',
    records: 0,
    withheld: true,
  }),
  row(6, {
    deed: 'search',
    action: 'POST /api/web/grid/case-reports/search',
    recordKind: 'case',
    records: 25,
    filteredBy: ['lastName', 'status'],
  }),
  row(7, {
    deed: 'administration',
    action: 'break-glass/opened',
    recordKind: 'case',
    caseNumber: '2026-0000017',
    reason: 'A child was bitten',
  }),
  row(8, { deed: 'change', action: 'PATCH /api/web/case-reports/:id', recordKind: 'case', records: 12 }),
];

let sent: Sent[] = [];
beforeEach(() => {
  queryClient.clear();
  // jsdom has no layout; the virtual list needs a height to fill.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1000);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  HTMLElement.prototype.scrollTo = vi.fn() as never;
  HTMLElement.prototype.scrollIntoView = vi.fn();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(
    userReady(initAnswer([org('t1', 'Alder')], { casbinPolicy: ['p, u1, T, audit/read, allow'] })),
  );
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
  }));
  sent = serve({
    'POST /api/web/grid/audit/search': { body: { rows, rowCount: rows.length } },
    'GET /api/web/grid/audit/columns': { body: { columns: null } },
    'GET /api/web/audit/archives': { body: { months: [] } },
  });
});
afterEach(() => void act(() => void store.dispatch(signedOut())));

const inColumn = async (label: string) => {
  const grid = await screen.findByRole('grid', { name: 'Events' });
  await within(grid).findAllByText(/Robin Wren/);
  const headers = within(grid).getAllByRole('columnheader');
  const at = headers.findIndex(({ textContent }) => textContent === label);
  return within(grid)
    .getAllByRole('row')
    .slice(1)
    .map((one) => within(one).getAllByRole('gridcell')[at]?.textContent);
};

test('[P15] says in a sentence who did what, filtered by what, with how many records and why', async () => {
  renderInApp(<Audit />);
  expect(await inColumn('Action')).toEqual([
    'Robin Wren signed in',
    'Robin Wren looked at testing numbers',
    'Robin Wren exported a file',
    'Robin Wren searched imports; 0 shown',
    'Robin Wren opened a case report',
    'Robin Wren searched case reports by last name, status; 25 shown',
    'Robin Wren opened a hidden record. Reason: A child was bitten',
    'Robin Wren changed 12 records',
  ]);
  // Whose record it was, if it is one case report the reader may see.
  expect((await inColumn('Kind of record'))[6]).toBe('Case report 2026-0000017');
  expect(screen.queryByRole('columnheader', { name: /^What$/ })).toBeNull();
});

test('an event shows on request how the product recorded it', async () => {
  const user = userEvent.setup();
  const { id } = rows[6]!;
  serve({
    'POST /api/web/grid/audit/search': { body: { rows, rowCount: rows.length } },
    'GET /api/web/grid/audit/columns': { body: { columns: null } },
    'GET /api/web/audit/archives': { body: { months: [] } },
    [`GET /api/web/audit/events/${id}`]: {
      body: { ...rows[6], detail: {}, recordIds: [], requestId: 'request-7', place: null },
    },
  });
  renderInApp(<Audit />);
  await user.click(await screen.findByText(/opened a hidden record/));
  const panel = within(await screen.findByRole('complementary', { name: 'Event' }));
  expect(await panel.findByText(/A child was bitten$/, { selector: 'p' })).toBeVisible();
  expect(panel.getByText('request-7')).not.toBeVisible();
  await user.click(panel.getByRole('button', { name: 'Technical details', expanded: false }));
  expect(panel.getByText('request-7')).toBeVisible();
  expect(panel.getByText('break-glass/opened')).toBeVisible();
});

test("[S1.4] is filtered by an action's label, found by typing it", async () => {
  const user = userEvent.setup();
  renderInApp(<Audit />);
  await inColumn('Action');
  await user.click(screen.getByRole('button', { name: /^Filter rules/ }));
  const condition = within(await screen.findByRole('group', { name: 'Rule 1' }));
  await user.click(condition.getByRole('combobox', { name: 'Column' }));
  await user.click(await screen.findByRole('option', { name: 'Action' }));
  await user.type(condition.getByRole('combobox', { name: 'Value' }), 'opened a case');
  await user.click(await screen.findByRole('option', { name: 'Opened a case report' }));
  const lastQuery = () =>
    sent.filter(({ path }) => path.includes('/grid/audit/search')).at(-1)?.body as GridQuery | undefined;
  await waitFor(() =>
    expect(lastQuery()?.filterModel.items).toEqual([
      { field: 'action', operator: 'is', value: 'GET /api/web/case-reports/id' },
    ]),
  );
});

test('the default columns say when, who did what in a sentence, with whose record, for whom and why', () => {
  const shown = Object.entries<Column>(auditGrid.columns).flatMap(([field, { hidden }]) =>
    hidden ? [] : [field],
  );
  expect(shown).toEqual(['at', 'action', 'recordKind', 'organization', 'reason']);
});
