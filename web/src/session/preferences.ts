import { type ColumnSettings, columnSettings } from '@caseway/contract/grid-columns';
import type { PayloadAction } from '@reduxjs/toolkit';
import { createSlice } from '@reduxjs/toolkit';
import { z } from 'zod';
import { type Density, densities } from '../theme.ts';
import { browserStore, readJson } from './storage.ts';
import { storageKeys } from './storage-keys.ts';

const preferences = z.object({
  density: z.enum(Object.keys(densities) as [Density, ...Density[]]),
  navigationCollapsed: z.boolean(),
  /** Whether single-key shortcuts (`?`, J, K, /) are on; voice control users switch them off. */
  singleKeys: z.boolean(),
  /** Whether the home screen shows the steps to a first dashboard. */
  firstSteps: z.boolean(),
  /** Whether the home screen shows an administrator the guide to the first day of a tenant. */
  guide: z.boolean().default(true),
  /** The column arrangements of grids, as last known to this browser; the server stores them. */
  columns: z.record(z.string(), columnSettings),
  /** The grids with a default view chosen by the user, as last known to this browser. */
  opened: z.array(z.string()).default([]),
});
/** The user's display preferences in this browser; they survive signing out. */
export type Preferences = z.infer<typeof preferences>;

const defaults: Preferences = {
  density: 'standard',
  navigationCollapsed: false,
  singleKeys: true,
  firstSteps: true,
  guide: true,
  columns: {},
  opened: [],
};

const read = (): Preferences => {
  const stored = preferences.safeParse(readJson(browserStore, storageKeys.preferences));
  return stored.success ? stored.data : defaults;
};

const slice = createSlice({
  name: 'preferences',
  initialState: read,
  reducers: {
    densityChosen(state, { payload }: PayloadAction<Density>) {
      state.density = payload;
    },
    navigationToggled(state) {
      state.navigationCollapsed = !state.navigationCollapsed;
    },
    singleKeysToggled(state) {
      state.singleKeys = !state.singleKeys;
    },
    firstStepsHidden(state) {
      state.firstSteps = false;
    },
    guideShown(state, { payload }: PayloadAction<boolean>) {
      state.guide = payload;
    },
    openingKnown(state, { payload: { grid, chosen } }: PayloadAction<{ grid: string; chosen: boolean }>) {
      const others = state.opened.filter((one) => one !== grid);
      state.opened = chosen ? [...others, grid] : others;
    },
    columnsArranged(state, { payload }: PayloadAction<{ grid: string; columns: ColumnSettings | null }>) {
      if (payload.columns) state.columns[payload.grid] = payload.columns;
      else delete state.columns[payload.grid];
    },
  },
});

export const {
  densityChosen,
  navigationToggled,
  singleKeysToggled,
  firstStepsHidden,
  guideShown,
  columnsArranged,
  openingKnown,
} = slice.actions;
export const preferencesReducer = slice.reducer;
export const savePreferences = (state: Preferences): void =>
  browserStore.set(storageKeys.preferences, JSON.stringify(state));
