import type { BulkAction } from '@caseway/contract/bulk';
import { caseRecord } from '@caseway/contract/case-record';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { gridQuery } from '@caseway/contract/grid';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../data/api.ts';
import { tokensReceived, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, type Sent, serve } from '../test/server.ts';
import type { QuerySelection } from '../ui/grid/selection.tsx';
import { BulkBar } from './BulkBar.tsx';
import { bulkRecord } from './use-bulk.ts';

await startTestLocales();
const id = '11111111-1111-4111-8111-111111111111';
const [one, two] = ['22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333'];
const action = (given: Partial<BulkAction> = {}): BulkAction => ({
  id: one,
  state: 'done',
  dryRun: false,
  undoes: null,
  change: {},
  transition: 'noFollowUp',
  at: '2026-03-02T15:00:00.000Z',
  total: 1204,
  changed: 1200,
  same: 1,
  refused: 3,
  stoppedBy: null,
  ...given,
});
const words = {
  column: (name: string) => `<${name}>`,
  choice: (_: string, code: string) => code,
  none: () => 'nobody',
  deed: (transition: string) => `do ${transition}`,
  fault: ({ code }: { code: string }) => `why: ${code}`,
  address: (of: string) => `/things/${of}`,
};
const query = gridQuery(caseReportGrid).parse({ filters: { visitType: ['CLINIC'] } });
const selection = (given: Partial<QuerySelection> = {}): QuerySelection => ({
  size: 1204,
  ids: new Set(),
  all: { query, count: 1204 },
  isElsewhere: false,
  has: () => true,
  toggle: () => {},
  clear: vi.fn(),
  chooseAll: () => {},
  ...given,
});
const empty = { size: 0, all: null };

beforeEach(() => {
  localStorage.clear();
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(
    userReady(
      initAnswer([org(id, 'Alder Health')], {
        casbinPolicy: ['p, u1, T, case-reports/write, allow', 'p, u1, T, case-reports/assign, allow'],
      }),
    ),
  );
});

function Bar({ selection: chosen }: { selection: QuerySelection }) {
  const [changing, setChanging] = useState(false);
  return (
    <BulkBar
      record={bulkRecord(caseRecord)}
      selection={chosen}
      rowCount={1204}
      words={words}
      changing={changing}
      onChanging={setChanging}
    />
  );
}

function show(given: Partial<QuerySelection>, last: BulkAction | null, begin?: (sent: Sent) => object) {
  const chosen = selection(given);
  const requests = serve({
    'GET /api/web/case-reports/bulk/last': () => ({ body: { action: last } }),
    [`GET /api/web/case-reports/bulk/${two}`]: () => ({ body: action({ id: two, dryRun: true }) }),
    'POST /api/web/case-reports/bulk': (sent: Sent) => ({ body: begin?.(sent) }),
    [`GET /api/web/case-reports/bulk/${one}/refused`]: () => ({
      body: {
        refused: [
          { id: two, name: '2026-0000001', state: 'new', code: 'investigator-needed', field: 'investigator' },
        ],
        more: false,
      },
    }),
    [`GET /api/web/case-reports/bulk/${two}/refused`]: () => ({ body: { refused: [], more: false } }),
    [`POST /api/web/case-reports/bulk/${one}/undo`]: () => ({ body: action({ undoes: one, change: null }) }),
    'GET /api/web/lookups/investigators': () => ({ body: { options: [] } }),
    'GET /api/web/events': () => new Promise<never>(() => {}),
  });
  renderInApp(<Bar selection={chosen} />);
  return { requests, chosen };
}

test('says in advance which cases keep their status when they are reassigned', async () => {
  const user = userEvent.setup();
  show({}, null, () => ({ counted: 1204, action: action({ id: two, dryRun: true }) }));
  await user.click(await screen.findByRole('button', { name: 'Change' }));
  await user.selectOptions(await screen.findByLabelText('Action'), 'do assign');
  expect(
    screen.getByText('These keep their status: under_investigation, awaiting_interview, reopened.'),
  ).toBeVisible();
  await user.selectOptions(screen.getByLabelText('Action'), 'do noFollowUp');
  expect(screen.queryByText(/keep their status/)).toBeNull();
});

test('changes all matching records by their query, and asks again if the number has changed', async () => {
  const user = userEvent.setup();
  const { requests, chosen } = show({}, null, ({ body }) => {
    const { dryRun, expected } = body as { dryRun: boolean; expected?: number };
    if (dryRun) return { counted: 1204, action: action({ id: two, dryRun: true, state: 'running' }) };
    const isFirst =
      requests.filter((sent) => (sent.body as { dryRun?: boolean })?.dryRun === false).length === 1;
    return isFirst ? { counted: 1206, action: null } : { counted: expected, action: action() };
  });
  await user.click(await screen.findByRole('button', { name: 'Change' }));
  await user.selectOptions(await screen.findByLabelText('Action'), 'do noFollowUp');
  await screen.findByText(/1,200 of 1,204 would change\. 1 already has this value\./);
  // The preview comes before the reason; nothing is done without one.
  expect(screen.getByRole('button', { name: 'Change 1,200' })).toBeDisabled();
  await user.type(screen.getByLabelText('Reason'), 'Moved abroad');
  await user.click(screen.getByRole('button', { name: 'Change 1,200' }));
  await screen.findByText(/1,206 match now instead of 1,204/);
  await user.click(await screen.findByRole('button', { name: 'Change 1,200' }));
  await waitFor(() => expect(chosen.clear).toHaveBeenCalled());
  const sent = requests.filter(({ path }) => path === '/api/web/case-reports/bulk');
  expect(sent.map(({ body }) => body)).toEqual([
    expect.objectContaining({
      dryRun: true,
      selection: { query, except: [] },
      transition: { id: 'noFollowUp', fields: {}, reason: '–' },
    }),
    expect.objectContaining({
      dryRun: false,
      expected: 1204,
      transition: { id: 'noFollowUp', fields: {}, reason: 'Moved abroad' },
    }),
    expect.objectContaining({ dryRun: true }),
    expect.objectContaining({ dryRun: false, expected: 1204 }),
  ]);
});

test('the last action says what it did, which records stay and why, and can be undone', async () => {
  const user = userEvent.setup();
  const { requests } = show(empty, action());
  await screen.findByText('1,200 of 1,204 were changed.');
  await user.click(screen.getByRole('button', { name: 'Why 3 stay as they are' }));
  expect(await screen.findByRole('link', { name: '2026-0000001' })).toHaveAttribute('href', `/things/${two}`);
  expect(screen.getByText(/why: investigator-needed/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(requests.some(({ path }) => path.endsWith(`${one}/undo`))).toBe(true));
});

/** How often record data becomes stale while the bar follows the last action. */
function staleLists() {
  const stale = vi.spyOn(queryClient, 'invalidateQueries');
  return () =>
    stale.mock.calls.filter(([filters]) => filters!.queryKey![0] === caseRecord.endpoints.search.path).length;
}

test('an undo that ends before it is seen running reloads the list once', async () => {
  const user = userEvent.setup();
  const stale = staleLists();
  let last = action();
  serve({
    'GET /api/web/case-reports/bulk/last': () => ({ body: { action: last } }),
    [`POST /api/web/case-reports/bulk/${one}/undo`]: () => {
      last = action({ id: two, undoes: one, change: null });
      return { body: last };
    },
    'GET /api/web/events': () => new Promise<never>(() => {}),
  });
  renderInApp(<Bar selection={selection(empty)} />);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText(/Change undone for 1,200/);
  expect(stale()).toBe(1);
});

test('a recent action may have changed the list, an old one has not', async () => {
  const stale = staleLists();
  show(empty, action());
  await screen.findByText('1,200 of 1,204 were changed.');
  expect(stale()).toBe(0);
  queryClient.clear();
  show(empty, action({ id: two, at: new Date().toISOString() }));
  await waitFor(() => expect(stale()).toBe(1));
});

test('a running action shows its progress; a stopped one its reason, until dismissed', async () => {
  const user = userEvent.setup();
  show(empty, action({ state: 'running', changed: 400, same: 0, refused: 202 }));
  await screen.findByText(/602 of 1,204/);
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50');
  queryClient.clear();
  const stopped = action({ id: two, state: 'stopped', stoppedBy: 'session-expired', changed: 400 });
  show(empty, stopped);
  await screen.findByText(/400 of 1,204 were changed\. It stopped because your session ended\./);
  await user.click(screen.getAllByRole('button', { name: 'Close' })[0]!);
  await waitFor(() => expect(screen.queryByText(/It stopped/)).toBeNull());
});

test('no more are selected individually than one request can name', async () => {
  show({ size: 1001, all: null, ids: new Set() }, null);
  expect(await screen.findByText(/up to 1,000 one by one/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Change' })).toBeDisabled();
});
