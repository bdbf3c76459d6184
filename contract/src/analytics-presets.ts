import { z } from 'zod';
import { type AnalyticsScreen, analyticsFilters } from './analytics.ts';
import { endpoint } from './endpoint.ts';
import { name } from './name.ts';
import { rangeChoice } from './relative-range.ts';

/**
 * The parts of a screen that a saved view keeps: its filters, its range and its event date. Null means the screen's
 * default.
 */
export interface PresetView {
  filters: Record<string, string[] | string>;
  range: z.infer<typeof rangeChoice> | null;
  eventDate: string | null;
}

export interface Preset {
  /** The value of `presetFilter` while this view is chosen. [S4.10] */
  id: string;
  name: string;
  /** Everyone in the organisation sees it. */
  shared: boolean;
  /** It can be changed and deleted by the person who made it. */
  own: boolean;
  view: PresetView;
  /** Names in the saved view that are no more: it is without them. */
  retired?: string[] | undefined;
}

const params = z.strictObject({ id: z.uuid() });

/** The endpoints of a screen's saved views: personal, or shared in the organisation. [S4.10] */
export function analyticsPresets(screen: AnalyticsScreen) {
  const path = `/api/web/analytics/${screen.id}/presets`;
  const access = screen.permission;
  const view = z.strictObject({
    filters: analyticsFilters(screen),
    range: rangeChoice.nullable(),
    eventDate: z.enum(screen.eventDates ?? ['']).nullable(),
  }) as unknown as z.ZodType<PresetView>;
  /** Sharing needs the permission `presets/share`. */
  const body = z.strictObject({ name: name(80), shared: z.boolean(), view });
  const preset = z.object({
    id: z.uuid(),
    name: z.string(),
    shared: z.boolean(),
    own: z.boolean(),
    view,
    retired: z.array(z.string()).optional(),
  });
  return {
    list: endpoint({
      method: 'GET',
      path,
      access,
      deed: 'read',
      summary: `Saved presets of the ${screen.id} analytics screen, by name`,
      response: z.object({ presets: z.array(preset) }),
    }),
    create: endpoint({
      method: 'POST',
      path,
      access,
      deed: 'change',
      summary: 'Save a preset',
      body,
      response: preset,
    }),
    change: endpoint({
      method: 'PATCH',
      path: `${path}/:id`,
      access,
      deed: 'change',
      summary:
        "Change one's own preset: rename it, share it, or put another view in it; what is not named stays",
      params,
      body: body.partial(),
      response: preset,
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `${path}/:id`,
      access,
      deed: 'change',
      summary: "Delete one's own preset",
      params,
      response: z.object({}),
    }),
  };
}
