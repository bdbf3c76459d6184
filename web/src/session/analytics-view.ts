import type { AnalyticsQuery, AnalyticsScreen } from '@caseway/contract/analytics';
import { type DateRange, todayIn } from '@caseway/contract/date-range';
import { type RangeChoice, resolveRange } from '@caseway/contract/relative-range';
import {
  type AnalyticsView,
  analyticsFromParams,
  analyticsRequest,
  analyticsToParams,
  isBadLink,
} from '@caseway/contract/search-params';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import {
  type AnalyticsState,
  analyticsSet,
  cleared,
  initialAnalyticsState,
  withFilters,
  withPreset,
  withRange,
} from './analytics.ts';
import { store, useAppSelector } from './store.ts';
import { useTimeZone } from './time-zone.ts';

/** The state of an analytics screen, and every way to change it. [S3.11, S4.8–S4.10] */
export interface AnalyticsControl {
  state: AnalyticsState;
  request: AnalyticsQuery;
  /** The days that are shown. */
  range: DateRange;
  /** The part of the address that the screen did not understand; it shows its defaults then. */
  badLink: string | null;
  /** Today in the tenant's time zone. */
  today: string;
  /** Null: the screen's default range. */
  setRange(range: RangeChoice | null): void;
  /** The date that it is counted by. */
  setEventDate(eventDate: string): void;
  setFilters(filters: AnalyticsView['filters']): void;
  clear(): void;
  applyPreset(id: string, view: Omit<AnalyticsView, 'presetFilter'>): void;
}

/** The view of an analytics screen: from the address, or, if that says nothing, what this tab showed last. */
export function useAnalyticsView(screen: AnalyticsScreen): AnalyticsControl {
  const { search, pathname, key } = useLocation();
  const navigate = useNavigate();
  const today = todayIn(useTimeZone());
  const remembered = useAppSelector((all) => all.analytics[screen.id]);

  const parsed = useMemo(
    () => (search === '' ? null : analyticsFromParams(screen, new URLSearchParams(search))),
    [screen, search],
  );
  const bad = parsed !== null && isBadLink(parsed) ? parsed.bad : null;
  // A change was made here and its address is not written yet: the old address is outdated.
  const changedAt = useRef<string | null>(null);
  const ahead = changedAt.current === key;
  const state = useMemo<AnalyticsState>(() => {
    if (ahead && remembered) return remembered;
    const base = remembered ?? initialAnalyticsState(screen);
    if (parsed === null) return base;
    return isBadLink(parsed) ? initialAnalyticsState(screen) : { ...base, ...parsed };
  }, [screen, parsed, remembered, ahead]);

  const addressOf = useCallback(
    (view: AnalyticsView) => new URLSearchParams(analyticsToParams(screen, view)).toString(),
    [screen],
  );
  const set = useCallback(
    (next: AnalyticsState) => {
      changedAt.current = key;
      store.dispatch(analyticsSet({ screen: screen.id, state: next }));
      void navigate({ pathname, search: addressOf(next) }, { replace: true });
    },
    [screen, navigate, pathname, addressOf, key],
  );

  // This tab shows a followed link from now on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address counts, nothing else.
  useEffect(() => {
    if (parsed !== null && bad === null) store.dispatch(analyticsSet({ screen: screen.id, state }));
  }, [key]);

  // Coming back without an address: it is written again from memory.
  useEffect(() => {
    if (search !== '' || !remembered) return;
    const params = addressOf(remembered);
    if (params !== '') void navigate({ pathname, search: params }, { replace: true });
  }, [search, remembered, addressOf, navigate, pathname]);

  return useMemo(() => {
    const range = state.range ? resolveRange(state.range, today) : screen.defaultRange(today);
    return {
      state,
      request: analyticsRequest(screen, state, today),
      range,
      badLink: bad,
      today,
      setRange: (choice) => set(withRange(state, choice)),
      setEventDate: (eventDate) =>
        set({ ...state, eventDate: eventDate === screen.eventDates?.[0] ? null : eventDate }),
      setFilters: (filters) => set(withFilters(state, filters)),
      clear: () => set(cleared(screen, state)),
      applyPreset: (id, kept) => set(withPreset(state, id, kept)),
    };
  }, [state, today, screen, bad, set]);
}
