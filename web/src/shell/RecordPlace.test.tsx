import type { GridQuery } from '@caseway/contract/grid';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, refreshToken, type Sent, serve } from '../test/server.ts';
import { openedFrom, placeIn, useRememberedList } from '../view/list-place.ts';
import { RecordPlace } from './RecordPlace.tsx';

await startTestLocales();

let ids: string[] = [];
const request: GridQuery = {
  filterModel: { items: [], logicOperator: 'and', quickFilterValues: ['rivera'] },
  sortModel: [{ field: 'number', sort: 'desc' }],
  paginationModel: { page: 1, pageSize: 3 },
  filters: { show: ['all'] },
};

function List() {
  useRememberedList('things', request);
  return (
    <>
      <Link to="/things/r4" state={openedFrom('things', 3)}>
        the fourth
      </Link>
      <Link to="/things/r4">by its link</Link>
    </>
  );
}

function Record() {
  return (
    <>
      <RecordPlace />
      <p>{useLocation().pathname}</p>
      <textarea aria-label="Note" />
    </>
  );
}

let requests: Sent[] = [];
const open = async (link: string) => {
  const user = userEvent.setup();
  requests = serve({
    'POST /api/web/grid/things/search': ({ body }: Sent) => {
      const { page, pageSize } = (body as GridQuery).paginationModel;
      const rows = ids.slice(page * pageSize, (page + 1) * pageSize).map((id) => ({ id }));
      return { body: { rows, rowCount: ids.length } };
    },
  });
  renderInApp(
    <Routes>
      <Route path="/things" element={<List />} />
      <Route path="/things/:id" element={<Record />} />
    </Routes>,
    { path: '/things' },
  );
  await user.click(screen.getByRole('link', { name: link }));
  return user;
};
const place = (text: string) => waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(text));

beforeEach(() => {
  ids = Array.from({ length: 7 }, (_, index) => `r${index + 1}`);
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

describe("a record's place in its list", () => {
  test("is shown with the list's filter and sort, and leads across pages", async () => {
    const user = await open('the fourth');
    await place('4 of 7');
    expect(requests.at(-1)!.body).toMatchObject({
      filterModel: request.filterModel,
      sortModel: request.sortModel,
      filters: request.filters,
    });
    // The third is on the previous page.
    await user.click(await screen.findByRole('link', { name: 'Previous record' }));
    await place('3 of 7');
    expect(screen.getByText('/things/r3')).toBeInTheDocument();
    for (const number of [4, 5, 6, 7]) {
      await screen.findByRole('link', { name: 'Next record' });
      await user.keyboard('j');
      await place(`${number} of 7`);
    }
    expect(screen.getByRole('button', { name: 'Next record' })).toBeDisabled();
    await user.keyboard('k');
    await place('6 of 7');
  });

  test('is not shown for a record opened by its link', async () => {
    await open('by its link');
    expect(screen.getByText('/things/r4')).toBeInTheDocument();
    expect(screen.queryByRole('navigation', { name: 'Records of the list' })).toBeNull();
    expect(requests).toEqual([]);
  });

  test('does not react to J and K typed into a field', async () => {
    const user = await open('the fourth');
    await place('4 of 7');
    await user.type(screen.getByRole('textbox', { name: 'Note' }), 'jk');
    expect(screen.getByText('/things/r4')).toBeInTheDocument();
  });

  test('follows a record that has moved, and replaces one that has left by the next', async () => {
    const rows = ['r2', 'r3', 'r1', 'r4'].map((id) => ({ id }));
    const from = openedFrom('things', 0).list;
    expect(placeIn(rows, 0, 4, 'r1', from)).toMatchObject({
      number: 3,
      previous: { id: 'r3' },
      next: { id: 'r4' },
    });
    ids = ['r1', 'r2', 'r3', 'r5', 'r6'];
    const user = await open('the fourth');
    await place('Not in the list any more');
    await user.keyboard('j');
    await place('4 of 5');
    expect(screen.getByText('/things/r5')).toBeInTheDocument();
  });

  test('is that of the record a row is about', () => {
    const rows = ['c1', 'c2', 'c1'].map((recordId, index) => ({ id: `t${index}`, recordId }));
    const from = openedFrom('tasks', 22, 'recordId').list;
    expect(placeIn(rows, 20, 23, 'c1', from)).toMatchObject({
      number: 23,
      previous: { id: 'c2', state: openedFrom('tasks', 21, 'recordId') },
      next: null,
    });
  });
});
