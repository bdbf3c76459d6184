import { z } from 'zod';
import { endpoint, type Permission } from './endpoint.ts';
import { name } from './name.ts';
import type { FeatureNeed } from './permission.ts';

/** A named view of a list or dashboard: personal, or shared in the organization. */
export interface SavedView<View> {
  id: string;
  name: string;
  /** Everyone in the organization sees it. */
  shared: boolean;
  /** The reader made it, so they can change and delete it. */
  own: boolean;
  view: View;
  /** Retired names in the saved view, which it is answered without. */
  retired?: string[] | undefined;
}

const params = z.strictObject({ id: z.uuid() });

/** The endpoints that change a screen's saved views, and their shape. */
export function savedViews<View>({
  path,
  access,
  feature,
  view,
}: {
  path: string;
  access: Permission;
  feature?: FeatureNeed | undefined;
  view: z.ZodType<View>;
}) {
  /** Sharing needs the permission `presets/share`. */
  const body = z.strictObject({ name: name(80), shared: z.boolean(), view });
  const preset = z.object({
    id: z.uuid(),
    name: z.string(),
    shared: z.boolean(),
    own: z.boolean(),
    view,
    retired: z.array(z.string()).optional(),
  }) as unknown as z.ZodType<SavedView<View>>;
  const changing = { access, deed: 'change', ...(feature && { feature }) } as const;
  return {
    preset,
    create: endpoint({ ...changing, method: 'POST', path, summary: 'Save a preset', body, response: preset }),
    change: endpoint({
      ...changing,
      method: 'PATCH',
      path: `${path}/:id`,
      summary:
        "Change one's own preset: rename it, share it, or put another view in it; what is not named stays",
      params,
      body: body.partial(),
      response: preset,
    }),
    remove: endpoint({
      ...changing,
      method: 'DELETE',
      path: `${path}/:id`,
      summary: "Delete one's own preset",
      params,
      response: z.object({}),
    }),
  };
}
