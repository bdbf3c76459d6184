import { z } from 'zod';
import { type AnalyticsScreen, analyticsFilters } from './analytics.ts';
import { endpoint } from './endpoint.ts';
import { type ChosenGranularity, chosenGranularity } from './granularity.ts';
import { rangeChoice } from './relative-range.ts';
import { type SavedView, savedViews } from './saved-views.ts';

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
export function analyticsPresets(screen: AnalyticsScreen) {
  const path = `/api/web/analytics/${screen.id}/presets`;
  const access = screen.permission;
  const view = z.strictObject({
    filters: analyticsFilters(screen),
    range: rangeChoice.nullable(),
    eventDate: z.enum(screen.eventDates ?? ['']).nullable(),
    granularity: chosenGranularity.nullable().default(null),
  }) as unknown as z.ZodType<PresetView>;
  const { preset, ...changes } = savedViews({ path, access, view });
  return {
    list: endpoint({
      method: 'GET',
      path,
      access,
      deed: 'read',
      summary: `Saved presets of the ${screen.id} analytics screen, by name`,
      response: z.object({ presets: z.array(preset) }),
    }),
    ...changes,
  };
}
