import { caseReportGrid } from '@caseway/contract/case-reports';
import { addDays } from '@caseway/contract/date-range';
import { type Grid, gridSearch } from '@caseway/contract/grid';
import { readGridColumns } from '@caseway/contract/grid-columns';
import { gridRequest, initialGridView } from '@caseway/contract/search-params';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { viewsOf } from '../data/saved-views.ts';
import { storageKeys } from '../session/storage-keys.ts';
import { answerAhead, askRowsAhead, type RowsAhead } from './rows-ahead.ts';
import { declaredGrids, rowsAheadOf } from './rows-ahead-of.ts';

const headers = {
  'Accept-Language': 'es',
  Authorization: 'Bearer its-access-token',
  'X-Org-Token': 'of-the-organization',
};
// In Los Angeles it is still the day before.
const now = Date.parse('2026-11-27T05:00:00Z');
const today = '2026-11-26';
const sent: { address: string; init: RequestInit }[] = [];
let person: object | null;
let refuses = false;

beforeEach(() => {
  sent.length = 0;
  refuses = false;
  vi.useFakeTimers({ toFake: ['Date'], now });
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    sent.push({ address, init });
    return Response.json({ of: address }, { status: refuses ? 403 : 200 });
  });
  person = {
    selectedOrg: { token: headers['X-Org-Token'], timeZone: 'America/Los_Angeles' },
    casbinPolicy: ['p, u1, T, case-reports/read, allow'],
  };
});
afterEach(() => {
  vi.useRealTimers();
  window.rowsAhead = undefined;
  window.sessionAhead = undefined;
  window.history.replaceState(null, '', '/');
  sessionStorage.clear();
  localStorage.clear();
});

const list = rowsAheadOf(caseReportGrid);
async function begin(list: RowsAhead | undefined) {
  window.sessionAhead = {
    tokens: Promise.resolve({ accessToken: 'its-access-token', refreshToken: 'its-refresh-token' }),
    person: Promise.resolve(person),
    org: null,
    language: 'es',
  };
  askRowsAhead({ beginning: 'shell', language: 'es', list }, storageKeys);
  await new Promise((resolve) => setTimeout(resolve, 0));
}
/** The case list's first request, as the program sends it. */
const search = (grid: Grid = caseReportGrid) =>
  ['POST', gridSearch(grid).path, gridRequest(grid, initialGridView(grid), today)] as const;

describe('the first page of a list, requested while the program is loading', () => {
  test('is what the program would request, with its columns and views, and is used by it', async () => {
    await begin(list);
    const [method, path, body] = search();
    expect(sent.map(({ address, init }) => [init.method, address])).toEqual([
      [method, path],
      ['GET', readGridColumns(caseReportGrid).path],
      ['GET', viewsOf(caseReportGrid).list.path],
    ]);
    expect(sent[0]!.init.headers).toEqual({
      ...headers,
      Accept: 'application/json',
      'Content-Type': 'application/json',
    });
    expect(body).toMatchObject({ dateRangeValue: { end: addDays(today, 14) } });
    expect(await (await answerAhead(method, path, body, headers))!.json()).toEqual({ of: path });
  });

  test('is used once, and for at most 15 seconds', async () => {
    await begin(list);
    const [method, path, body] = search();
    expect(await answerAhead(method, path, body, headers)).toBeDefined();
    expect(await answerAhead(method, path, body, headers)).toBeUndefined();
    const columns = ['GET', readGridColumns(caseReportGrid).path, undefined, headers] as const;
    vi.setSystemTime(now + 15_001);
    expect(await answerAhead(...columns)).toBeUndefined();
  });

  test.each([
    ['another filter', { filters: { condition: ['measles'] } }, {}],
    ['another account', {}, { Authorization: 'Bearer of another' }],
    ['another organization', {}, { 'X-Org-Token': 'of another' }],
    ['another language', {}, { 'Accept-Language': 'en' }],
  ])('has no answer for %s', async (_what, change, other) => {
    await begin(list);
    const [method, path, body] = search();
    expect(await answerAhead(method, path, { ...body, ...change }, { ...headers, ...other })).toBeUndefined();
  });

  test('is requested again by the program after a refusal', async () => {
    refuses = true;
    await begin(list);
    const [method, path, body] = search();
    expect(await answerAhead(method, path, body, headers)).toBeUndefined();
  });

  test.each<[string, () => unknown]>([
    ['the address has a filter', () => window.history.replaceState(null, '', '/case-reports?f=x')],
    [
      'this tab has shown another view',
      () =>
        sessionStorage.setItem(
          storageKeys.views,
          JSON.stringify({ views: { [caseReportGrid.id]: { view: {} } } }),
        ),
    ],
    [
      'it opens with a view of the person’s choice',
      () => localStorage.setItem(storageKeys.preferences, JSON.stringify({ opened: [caseReportGrid.id] })),
    ],
    [
      'the person may not read it',
      () => Object.assign(person!, { casbinPolicy: ['p, u1, T, audit/read, allow'] }),
    ],
    ['the person has no organization', () => Object.assign(person!, { selectedOrg: null })],
  ])('is not asked for if %s', async (_when, arrange) => {
    arrange();
    await begin(list);
    expect(sent).toEqual([]);
  });

  test("is requested whatever someone has written into the browser's storage", async () => {
    localStorage.setItem(storageKeys.preferences, '{');
    sessionStorage.setItem(storageKeys.views, '7');
    await begin(list);
    expect(sent).toHaveLength(3);
  });

  test('is not requested after the session was refused, or for a screen that is not a list', async () => {
    person = null;
    await begin(list);
    await begin(undefined);
    window.sessionAhead = undefined;
    askRowsAhead({ beginning: 'shell', language: 'es', list }, storageKeys);
    expect(sent).toEqual([]);
  });
});

test.each(declaredGrids.map((grid) => [grid.id, grid] as const))(
  'what the page asks for the list %s is what the program asks',
  async (_id, grid) => {
    const ofGrid = rowsAheadOf(grid);
    // Its range begins with a week or a month.
    if (!ofGrid) return expect(initialGridView(grid).range).toBeNull();
    Object.assign(person!, { casbinPolicy: [`p, u1, T, ${grid.permission}, allow`] });
    for (const at of ['2028-02-29T20:00:00Z', '2026-12-31T20:00:00Z']) {
      sent.length = 0;
      vi.setSystemTime(Date.parse(at));
      await begin(ofGrid);
      expect(JSON.parse(sent[0]!.init.body as string)).toEqual(
        gridRequest(grid, initialGridView(grid), at.slice(0, 10)),
      );
    }
  },
);

test('it runs as standalone text, as the build writes it into the page', async () => {
  await begin(undefined);
  const begun = { beginning: 'shell', language: 'es', list };
  new Function(`(${askRowsAhead})(${JSON.stringify(begun)}, ${JSON.stringify(storageKeys)})`)();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(sent).toHaveLength(3);
});
