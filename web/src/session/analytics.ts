import type { AnalyticsScreen } from '@caseway/contract/analytics';
import type { RangeChoice } from '@caseway/contract/relative-range';
import { type AnalyticsView, initialAnalyticsView, initialFilters } from '@caseway/contract/search-params';
import type { PayloadAction } from '@reduxjs/toolkit';
import { createSlice } from '@reduxjs/toolkit';
import { orgChanged } from './authentication.ts';

/** [S3.11] */
export interface AnalyticsState extends AnalyticsView {
  /** The state that Clear restores. */
  defaultFilters: AnalyticsView['filters'];
}

/** Filters that stay when another organisation is chosen. [S4.7] */
const keptScreen = 'field-visits';

export const initialAnalyticsState = (screen: AnalyticsScreen): AnalyticsState => ({
  ...initialAnalyticsView(screen),
  defaultFilters: initialFilters(screen),
});

/** The date range can be set. [S4.8] */
export const withRange = (state: AnalyticsState, range: RangeChoice | null): AnalyticsState => ({
  ...state,
  range,
});

/** The whole filter set can be set. [S4.8] */
export const withFilters = (state: AnalyticsState, filters: AnalyticsView['filters']): AnalyticsState => ({
  ...state,
  filters,
});

/** A saved view: its filters, and its id as the preset. [S4.10] */
export const withPreset = (
  state: AnalyticsState,
  presetFilter: string,
  view: Omit<AnalyticsView, 'presetFilter'>,
): AnalyticsState => ({ ...state, ...view, presetFilter });

/**
 * Clear: filters to their defaults, the date range unchanged, the preset 'none'. A screen that declares what Clear
 * keeps empties every other list and keeps those. [S4.9]
 */
export function cleared(screen: AnalyticsScreen, state: AnalyticsState): AnalyticsState {
  const kept = screen.keptByClear ?? [];
  const filters = kept.length > 0 ? initialFilters(screen) : { ...state.defaultFilters };
  for (const name of kept) filters[name] = state.filters[name] ?? [];
  return { ...state, filters, presetFilter: 'none' };
}

const slice = createSlice({
  name: 'analytics',
  initialState: {} as Record<string, AnalyticsState>,
  reducers: {
    analyticsSet(draft, { payload }: PayloadAction<{ screen: string; state: AnalyticsState }>) {
      draft[payload.screen] = payload.state;
    },
    analyticsRestored: (_, { payload }: PayloadAction<Record<string, AnalyticsState>>) => payload,
  },
  extraReducers: (builder) => {
    builder.addCase(orgChanged, (draft) => {
      for (const screen of Object.keys(draft)) if (screen !== keptScreen) delete draft[screen];
    });
  },
});

export const { analyticsSet, analyticsRestored } = slice.actions;
export const analyticsReducer = slice.reducer;
