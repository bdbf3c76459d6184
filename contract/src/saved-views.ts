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
  /** The reader made it. */
  own: boolean;
  /** The reader may change and delete it while it is not locked: it is theirs, or they may share views. */
  changeable: boolean;
  /** Nobody changes it until somebody who may share views unlocks it; null if it is not locked. */
  locked: { by: string } | null;
  /** A change names the version that it is based on. */
  version: number;
  view: View;
  /** Retired names in the saved view, which it is answered without. */
  retired?: string[] | undefined;
}

/** A role, and the shared view with which a screen opens for it; null for none. */
export interface RoleOpening {
  id: string;
  label: string;
  labelI18N: Record<string, string>;
  opensWith: string | null;
}

const params = z.strictObject({ id: z.uuid() });
/** The id of a built-in tab of a list (`all`, `open`, `mine`, a code of its views) or of a saved view. */
const tabId = z.string().regex(/^[\w-]{1,60}$/);
const opened = z.object({ opensWith: z.string().nullable() });
/** Written out, like the others below: what is inferred for each kind of view costs every check. */
const openings = z.object({
  roles: z.array(
    z.object({
      id: z.uuid(),
      label: z.string(),
      labelI18N: z.record(z.string(), z.string()),
      opensWith: z.uuid().nullable(),
    }),
  ),
}) as unknown as z.ZodType<{ roles: RoleOpening[] }>;
/** For each role whose default changes: the view that it had, and the new one. */
interface RoleChange {
  id: string;
  before: string | null;
  opensWith: string | null;
}
const openingChange = z.strictObject({
  roles: z
    .array(z.strictObject({ id: z.uuid(), before: z.uuid().nullable(), opensWith: z.uuid().nullable() }))
    .min(1)
    .max(200),
}) as unknown as z.ZodType<{ roles: RoleChange[] }>;

/** What is saved. */
interface ViewBody<View> {
  name: string;
  shared: boolean;
  view: View;
}
type ViewChange<View> = { version: number; locked?: boolean } & Partial<ViewBody<View>>;
/** The saved views, and the ones with which the screen opens by one's own choice and for one's roles. */
interface ViewList<View> {
  presets: SavedView<View>[];
  opensWith: string | null;
  roleOpensWith: string | null;
}

/**
 * The endpoints of a screen's saved views, and of the one with which it opens: a person's own default, then
 * that of the first of their roles, by name, that has one, then the screen's own.
 */
export function savedViews<View>({
  screen,
  path,
  base,
  access,
  feature,
  view,
}: {
  /** The screen in words, for the description. */
  screen: string;
  path: string;
  /** The path of the screen. */
  base: string;
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
    changeable: z.boolean(),
    locked: z.object({ by: z.string() }).nullable(),
    version: z.number().int(),
    view,
    retired: z.array(z.string()).optional(),
  }) as unknown as z.ZodType<SavedView<View>>;
  const common = { access, ...(feature && { feature }) };
  const changing = { ...common, deed: 'change' } as const;
  return {
    list: endpoint({
      ...common,
      deed: 'read',
      method: 'GET',
      path,
      summary: `Saved views of ${screen}, by name, with the person’s own default and that of their roles`,
      response: z.object({
        presets: z.array(preset),
        opensWith: z.string().nullable(),
        roleOpensWith: z.uuid().nullable(),
      }) as unknown as z.ZodType<ViewList<View>>,
    }),
    create: endpoint({
      ...changing,
      method: 'POST',
      path,
      summary: 'Save a preset',
      body: body as unknown as z.ZodType<ViewBody<View>>,
      response: preset,
    }),
    /**
     * 409 `conflict` if it has changed since the version, 409 `view-locked` while it is locked. Others than its
     * owner need `presets/share`, which locking and unlocking also need.
     */
    change: endpoint({
      ...changing,
      method: 'PATCH',
      path: `${path}/:id`,
      summary:
        'Change a preset of one’s own, or a shared one: rename, share, lock or unlock it, or put another view in it; what is not named stays',
      params,
      body: body
        .partial()
        .extend({ version: z.number().int(), locked: z.boolean().optional() }) as unknown as z.ZodType<
        ViewChange<View>
      >,
      response: preset,
    }),
    /** 409 `conflict` if it has changed since the version, 409 `view-locked` while it is locked. */
    remove: endpoint({
      ...changing,
      method: 'DELETE',
      path: `${path}/:id`,
      summary: 'Delete a preset of one’s own, or a shared one that is not locked',
      params,
      query: z.strictObject({ version: z.coerce.number().int() }),
      response: z.object({}),
    }),
    open: endpoint({
      ...changing,
      method: 'PUT',
      path: `${base}/opens-with`,
      summary: `Choose the view with which ${screen} opens for the person who asks; null for the default of their roles, or its own`,
      body: z.strictObject({ opensWith: tabId.nullable() }),
      response: opened,
    }),
    openings: endpoint({
      ...common,
      deed: 'read',
      method: 'GET',
      path: `${base}/roles-open-with`,
      summary: `The roles of the tenant, and the shared view with which ${screen} opens for each; needs \`settings/write\` for the whole tenant`,
      response: openings,
    }),
    /** 409 `conflict` if one of the roles has another default than was assumed. */
    openFor: endpoint({
      ...common,
      deed: 'administration',
      method: 'PUT',
      path: `${base}/roles-open-with`,
      summary: `Choose the shared view with which ${screen} opens for people with a role; needs \`settings/write\` for the whole tenant`,
      body: openingChange,
      response: openings,
    }),
  };
}
export type SavedViewCalls<View> = ReturnType<typeof savedViews<View>>;
