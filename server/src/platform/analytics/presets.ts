import type { AnalyticsScreen } from '@caseway/contract/analytics';
import { analyticsPresets, type PresetView } from '@caseway/contract/analytics-presets';
import type { App } from '../http/app.ts';
import { serveSavedViews } from '../saved-views.ts';

/** Serves the saved views of an analytics screen: the person's own, and those shared in the organisation. [S4.10] */
export function servePresets(app: App, screen: AnalyticsScreen): void {
  const calls = analyticsPresets(screen);
  serveSavedViews(app, calls, {
    screen: screen.id,
    preference: `dashboard/${screen.id}`,
    current: (view) => withoutRetired(view, screen),
    // A saved view that the screen can no longer read is left out.
    isReadable: ({ name, view }) => calls.create.body!.safeParse({ name, shared: false, view }).success,
  });
}

/** A saved view without the names that no longer exist, and the list of those names. */
function withoutRetired(
  stored: PresetView,
  { retired = [], listFilters, stringFilters = {} }: AnalyticsScreen,
): { view: PresetView; retired: string[] } {
  // Views from before the choice of periods have none.
  const { filters, range, eventDate, granularity = null } = stored;
  const isGone = (name: string) => retired.includes(name);
  const kept = Object.fromEntries(Object.entries(filters).filter(([name]) => !isGone(name)));
  return {
    view: {
      // A filter that was added after the view was saved is not set.
      filters: { ...Object.fromEntries(listFilters.map((name) => [name, []])), ...stringFilters, ...kept },
      range,
      eventDate: eventDate !== null && isGone(eventDate) ? null : eventDate,
      granularity,
    },
    retired: [...Object.keys(filters), ...(eventDate === null ? [] : [eventDate])].filter(isGone),
  };
}
