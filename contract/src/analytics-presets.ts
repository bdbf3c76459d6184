import { z } from 'zod';
import { type AnalyticsScreen, analyticsFilters } from './analytics.ts';
import { type ChosenGranularity, chosenGranularity } from './granularity.ts';
import { rangeChoice } from './relative-range.ts';
import { type SavedView, type SavedViewCalls, savedViews } from './saved-views.ts';

/**
 * The parts of a screen that a saved view keeps: filters, range, event date and trend periods. Null means the
 * screen's default.
 */
export interface PresetView {
  filters: Record<string, string[] | string>;
  range: z.infer<typeof rangeChoice> | null;
  eventDate: string | null;
  granularity: ChosenGranularity | null;
}

/** Its id is the value of `presetFilter` while this view is chosen. [S4.10] */
export type Preset = SavedView<PresetView>;

/** The endpoints of a screen's saved views: personal, or shared in the organization. [S4.10] */
export function analyticsPresets(screen: AnalyticsScreen): SavedViewCalls<PresetView> {
  const base = `/api/web/analytics/${screen.id}`;
  const view = z.strictObject({
    filters: analyticsFilters(screen),
    range: rangeChoice.nullable(),
    eventDate: z.enum(screen.eventDates ?? ['']).nullable(),
    granularity: chosenGranularity.nullable().default(null),
  }) as unknown as z.ZodType<PresetView>;
  return savedViews({
    screen: `the ${screen.id} analytics screen`,
    path: `${base}/presets`,
    base,
    access: screen.permission,
    view,
  });
}
