import type { AnalyticsScreen } from '@caseway/contract/analytics';
import { analyticsPresets, type Preset, type PresetView } from '@caseway/contract/analytics-presets';
import type { App } from '../http/app.ts';
import { type Call, serve } from '../http/serve.ts';
import { readSavedViews, type StoredView, savedViewOf, serveSavedViews } from '../saved-views.ts';

/** Serves the saved views of an analytics screen: the person's own, and those shared in the organisation. [S4.10] */
export function servePresets(app: App, screen: AnalyticsScreen): void {
  const { list, ...changes } = analyticsPresets(screen);
  const answer = (row: StoredView<PresetView>, call: Call) => asPreset(row, call, screen);
  serve(app, list, async (call) => {
    const rows = await readSavedViews<PresetView>(call, screen.id);
    // A saved view that the screen can no longer read is left out.
    const isReadable = ({ name, view }: Preset) =>
      changes.create.body!.safeParse({ name, shared: false, view }).success;
    return { presets: rows.map((row) => answer(row, call)).filter(isReadable) };
  });
  serveSavedViews(app, changes, screen.id, answer);
}

/** A saved view without the names that no longer exist, and the list of those names. */
function asPreset(
  row: StoredView<PresetView>,
  call: Call,
  { retired = [], listFilters, stringFilters = {} }: AnalyticsScreen,
): Preset {
  // Views from before the choice of periods have none.
  const { filters, range, eventDate, granularity = null } = row.filters;
  const isGone = (name: string) => retired.includes(name);
  const gone = [...Object.keys(filters), ...(eventDate === null ? [] : [eventDate])].filter(isGone);
  const kept = Object.fromEntries(Object.entries(filters).filter(([name]) => !isGone(name)));
  return {
    ...savedViewOf(row, call),
    view: {
      // A filter that was added after the view was saved is not set.
      filters: { ...Object.fromEntries(listFilters.map((name) => [name, []])), ...stringFilters, ...kept },
      range,
      eventDate: eventDate !== null && isGone(eventDate) ? null : eventDate,
      granularity,
    },
    ...(gone.length > 0 && { retired: gone }),
  };
}
