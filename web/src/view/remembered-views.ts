import { z } from 'zod';
import { readJson, tabStore } from '../session/storage.ts';
import { storageKeys } from '../session/storage-keys.ts';
import { store } from '../session/store.ts';
import { viewsRestored } from './views.ts';

/** Views are checked where they are shown, because only that code knows their shape. */
const stored = z.object({
  /** Filters are not shown to another user. */
  owner: z.string(),
  views: z.record(
    z.string(),
    z.object({ view: z.looseObject({}), acrossOrgs: z.looseObject({}).nullable() }),
  ),
});

/** Saves the views of grids and dashboards for this tab's next load. [S3.10] */
export function saveViews(): void {
  const { views, authentication } = store.getState();
  if (authentication.user)
    tabStore.set(storageKeys.views, JSON.stringify({ owner: authentication.user.id, views }));
}

export const removeSavedViews = (): void => tabStore.remove(storageKeys.views);

/** Restores this user's views from before the page was reloaded. */
export function restoreViews(): void {
  const { authentication } = store.getState();
  const read = stored.safeParse(readJson(tabStore, storageKeys.views));
  if (read.success && read.data.owner === authentication.user?.id)
    store.dispatch(viewsRestored(read.data.views));
}

let last = store.getState().views;
store.subscribe(() => {
  const { views } = store.getState();
  if (views !== last) saveViews();
  last = views;
});
