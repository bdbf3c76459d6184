import { isBadLink, type ViewCodec } from '@caseway/contract/search-params';
import { act, render } from '@testing-library/react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AppError } from '../data/transport.ts';
import { signedOut } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { type AddressView, type Keeper, useAddressView } from './address-view.ts';
import { viewSet } from './views.ts';

/** A view of a page number, and of search text that no address may have. */
interface Pages {
  page: number;
  words: { text: string } | null;
  kept: string | null;
}
const codec: ViewCodec<Pages> = {
  id: 'test/pages',
  initial: { page: 1, words: null, kept: null },
  toParams: ({ page, kept }) => [
    ...(page === 1 ? [] : [['page', String(page)] as [string, string]]),
    ...(kept === null ? [] : [['saved', kept] as [string, string]]),
  ],
  retiredIn: () => [],
  fromParams: (params) => {
    const view: Pages = { page: 1, words: null, kept: null };
    for (const [name, value] of params) {
      if (name === 'page') view.page = Number(value);
      else if (name === 'saved') view.kept = value;
      else if (name !== 'view') return { bad: name };
    }
    return view;
  },
  schema: z.object({
    page: z.number(),
    words: z.object({ text: z.string() }).nullable(),
    kept: z.string().nullable(),
  }),
  acrossOrgs: () => null,
  isPassing: ({ page }) => page === 9,
};
const onServer = new Map<string, { text: string }>();
const keeper: Keeper<Pages, { text: string }> = {
  param: 'saved',
  idOf: ({ kept }) => kept,
  partOf: ({ words }) => words,
  withPart: (view, words, kept) => ({ ...view, words, kept }),
  save: async (words) => {
    const id = `id${onServer.size + 1}`;
    onServer.set(id, words);
    return id;
  },
  load: async (id) => {
    const words = onServer.get(id);
    if (!words) throw new AppError(404, 'not-found', 'there is no such filter');
    return words;
  },
};

let shown: AddressView<Pages>;
function Screen() {
  shown = useAddressView(codec, keeper);
  return null;
}

const open = async (...addresses: string[]) => {
  const router = createMemoryRouter(
    [
      { path: '/list', element: <Screen /> },
      { path: '*', element: null },
    ],
    { initialEntries: addresses },
  );
  render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  await act(async () => {});
  return {
    address: () => `${router.state.location.pathname}${router.state.location.search}`,
    go: (to: string | number) => act(async () => router.navigate(to as string)),
  };
};
const set = (change: Partial<Pages>) => act(async () => shown.set({ ...shown.view, ...change }));

beforeEach(() => {
  store.dispatch(signedOut());
  onServer.clear();
});

describe('a view', () => {
  test('[S3.10] goes into the address and is remembered for the bare one', async () => {
    const { address, go } = await open('/list');
    await set({ page: 3 });
    expect(address()).toBe('/list?page=3');
    await go('/elsewhere');
    await go('/list');
    expect(shown.view.page).toBe(3);
    expect(address()).toBe('/list?page=3');
  });

  test('with an unreadable part in its address is the default one, and names that part', async () => {
    await open('/list?shoe=9');
    expect(isBadLink(codec.fromParams([['shoe', '9']]))).toBe(true);
    expect(shown).toMatchObject({ view: codec.initial, badLink: 'shoe' });
  });

  test('returned to with Back is the one remembered from then on', async () => {
    const { address, go } = await open('/list');
    await set({ page: 3 });
    await go('/list?page=5');
    await go(-1);
    expect(address()).toBe('/list?page=3');
    await go('/elsewhere');
    await go('/list');
    expect(shown.view.page).toBe(3);
  });

  test('reached by a step leads back to the one before, by its address or without one, and forth again', async () => {
    const { address, go } = await open('/list?page=2', '/list');
    const step = (page: number) => act(async () => shown.step({ ...shown.view, page }));
    for (const [before, at] of [
      [1, '/list'],
      [2, '/list?page=2'],
    ] as const) {
      if (before === 2) await go(-1);
      expect([shown.view.page, address()]).toEqual([before, at]);
      await step(4);
      expect(address()).toBe('/list?page=4');
      await step(6);
      await go('/elsewhere');
      await go(-1);
      expect(shown.view.page).toBe(6);
      await go(-2);
      expect([shown.view.page, address()]).toEqual([before, at]);
      await go(1);
      expect([shown.view.page, address()]).toEqual([4, '/list?page=4']);
      await go(-1);
      expect([shown.view.page, address()]).toEqual([before, at]);
    }
  });

  test('that only its own address restores is not shown for the bare one', async () => {
    const { address, go } = await open('/list');
    await go('/list?page=9');
    expect(shown.view.page).toBe(9);
    await go('/list');
    expect(shown.view).toEqual(codec.initial);
    expect(address()).toBe('/list');
    await go(-1);
    expect(shown.view.page).toBe(9);
  });

  test('stored in another shape by an older version is not shown', async () => {
    store.dispatch(viewSet({ ...codec, id: codec.id } as never, { page: 'three' }));
    await open('/list');
    expect(shown.view).toEqual(codec.initial);
  });
});

describe('data that no address may contain [P16]', () => {
  test('is stored on the server after a pause, and the address has its id', async () => {
    vi.useFakeTimers();
    const { address } = await open('/list');
    await set({ page: 2, words: { text: 'Rivera' } });
    expect(address()).toBe('/list?page=2');
    expect(shown.view.words).toEqual({ text: 'Rivera' });
    await act(() => vi.advanceTimersByTimeAsync(800));
    expect(address()).toBe('/list?page=2&saved=id1');
    expect(shown.view).toEqual({ page: 2, words: { text: 'Rivera' }, kept: 'id1' });
    vi.useRealTimers();
  });

  test('is read from the server for the id in an address', async () => {
    onServer.set('id7', { text: 'Okafor' });
    await open('/list?saved=id7');
    expect(shown).toMatchObject({
      ready: true,
      badLink: null,
      view: { words: { text: 'Okafor' }, kept: 'id7' },
    });
  });

  test('is reported as a bad link if the server does not have it', async () => {
    await open('/list?saved=gone');
    expect(shown).toMatchObject({ ready: true, badLink: 'saved', view: { words: null } });
  });

  test('is not taken from memory for a link from elsewhere', async () => {
    const { go } = await open('/list');
    await set({ page: 2, words: { text: 'Rivera' } });
    await go('/list?page=2');
    expect(shown.view).toEqual({ page: 2, words: null, kept: null });
  });
});
