import type { AnalyticsQuery, AnalyticsScreen } from '@caseway/contract/analytics';
import { type DateRange, todayIn } from '@caseway/contract/date-range';
import type { RangeChoice } from '@caseway/contract/relative-range';
import {
  type AnalyticsState,
  type AnalyticsView,
  analyticsCodec,
  analyticsRequest,
  initialFilters,
} from '@caseway/contract/search-params';
import { useMemo } from 'react';
import { useTimeZone } from '../session/time-zone.ts';
import { useAddressView } from './address-view.ts';

/** Sets the date range. [S4.8] */
export const withRange = (state: AnalyticsState, range: RangeChoice | null): AnalyticsState => ({
  ...state,
  range,
});

/** Sets all filters. [S4.8] */
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
 * Clear: filters to their defaults, the date range unchanged, the preset 'none'. If the screen declares
 * filters that Clear keeps, it empties all others. [S4.9] A Clear that sets the filters leaves the preset.
 * [S4.11]
 */
export function cleared(screen: AnalyticsScreen, state: AnalyticsState): AnalyticsState {
  const kept = screen.keptByClear ?? [];
  const filters = kept.length > 0 ? initialFilters(screen) : { ...state.defaultFilters };
  for (const name of kept) filters[name] = state.filters[name] ?? [];
  return screen.clear === 'sets-filters'
    ? withFilters(state, filters)
    : { ...state, filters, presetFilter: 'none' };
}

/** A dashboard's state, and every way to change it. [S3.11, S4.8–S4.10] */
export interface DashboardControl {
  state: AnalyticsState;
  request: AnalyticsQuery;
  /** The days shown. */
  range: DateRange;
  /** The part of the address that was not understood; the screen then shows its defaults. */
  badLink: string | null;
  /** The address has retired names; the screen is without them. */
  hasRetired: boolean;
  /** No one has chosen yet what it shows. */
  untouched: boolean;
  /** Today in the tenant's time zone. */
  today: string;
  /** Null for the screen's default range. */
  setRange(range: RangeChoice | null): void;
  /** The same from a chart: Back returns to the days before. */
  goToRange(range: RangeChoice): void;
  /** The date it is counted by. */
  setEventDate(eventDate: string): void;
  /** The trend periods. Null for those that suit the range. */
  setGranularity(granularity: AnalyticsView['granularity']): void;
  setFilters(filters: AnalyticsView['filters']): void;
  clear(): void;
  applyPreset(id: string, view: Omit<AnalyticsView, 'presetFilter'>): void;
}

export function useDashboardView(screen: AnalyticsScreen): DashboardControl {
  const codec = useMemo(() => analyticsCodec(screen), [screen]);
  const { view: state, badLink, hasRetired, untouched, set, step } = useAddressView(codec);
  const today = todayIn(useTimeZone());
  return useMemo(() => {
    const request = analyticsRequest(screen, state, today);
    return {
      state,
      request,
      range: request.dateRangeValue,
      badLink,
      hasRetired,
      untouched,
      today,
      setRange: (choice) => set(withRange(state, choice)),
      goToRange: (choice) => step(withRange(state, choice)),
      setEventDate: (eventDate) =>
        set({ ...state, eventDate: eventDate === screen.eventDates?.[0] ? null : eventDate }),
      setGranularity: (granularity) => set({ ...state, granularity }),
      setFilters: (filters) => set(withFilters(state, filters)),
      clear: () => set(cleared(screen, state)),
      applyPreset: (id, kept) => set(withPreset(state, id, kept)),
    };
  }, [state, today, screen, badLink, hasRetired, untouched, set, step]);
}
