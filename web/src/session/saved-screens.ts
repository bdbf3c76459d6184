import { rangeChoice } from '@caseway/contract/relative-range';
import { z } from 'zod';
import { analyticsRestored } from './analytics.ts';
import { gridsRestored } from './grids.ts';
import { readJson, tabStore } from './storage.ts';
import { store } from './store.ts';

const savedScreensKey = 'caseway.screens';

const filters = z.record(z.string(), z.union([z.array(z.string()), z.string()]));
const saved = z.object({
  /** Their owner: one person's filters are not shown to the next. */
  owner: z.string(),
  grids: z.record(
    z.string(),
    z.object({
      filterModel: z.object({
        items: z.array(z.object({ field: z.string(), operator: z.string(), value: z.unknown().optional() })),
        logicOperator: z.enum(['and', 'or']),
        quickFilterValues: z.array(z.string()).optional(),
      }),
      sortModel: z.array(z.object({ field: z.string(), sort: z.enum(['asc', 'desc']) })),
      paginationModel: z.object({ page: z.number(), pageSize: z.number() }),
      filters: z.record(z.string(), z.array(z.string())),
      range: z.union([rangeChoice, z.literal('all')]).nullable(),
      rangeField: z.string().optional(),
      savedFilter: z.string().nullable(),
    }),
  ),
  analytics: z.record(
    z.string(),
    z.object({
      filters,
      defaultFilters: filters,
      range: rangeChoice.nullable(),
      eventDate: z.string().nullable(),
      presetFilter: z.string(),
    }),
  ),
});

/** Saves the state of grids and analytics screens for this tab's next load. [S3.10] */
export function saveScreens(): void {
  const { grids, analytics, authentication } = store.getState();
  if (authentication.user)
    tabStore.set(savedScreensKey, JSON.stringify({ owner: authentication.user.id, grids, analytics }));
}

export const removeSavedScreens = (): void => tabStore.remove(savedScreensKey);

/** Restores the state of this person's screens from before the page was reloaded. */
export function restoreScreens(): void {
  const { authentication } = store.getState();
  const read = saved.safeParse(readJson(tabStore, savedScreensKey));
  if (read.success && read.data.owner === authentication.user?.id) {
    store.dispatch(gridsRestored(read.data.grids));
    store.dispatch(analyticsRestored(read.data.analytics));
  }
}

let last = store.getState();
store.subscribe(() => {
  const now = store.getState();
  if (now.grids !== last.grids || now.analytics !== last.analytics) saveScreens();
  last = now;
});
