import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { name } from './name.ts';
import { type KnownPermission, permissions, type SubjectKind, subjectKinds } from './permission.ts';
import { historyOf } from './record-history.ts';
import { orgTypes } from './session.ts';

/*
 * Roles and their grants are data of a tenant. A grant is for a kind of organization: the tenant itself (T),
 * its organizations (O), facilities (F) or jurisdictions (PHJ), or the administration of the system (A).
 * [S6.4, S6.8]
 */

const id = z.uuid();
export const grantEffects = ['allow', 'deny'] as const;
const permission = z.enum(
  permissions as readonly KnownPermission[] as [KnownPermission, ...KnownPermission[]],
);
const kind = z.enum(subjectKinds);

export const roleGrant = z.strictObject({ on: kind, permission, effect: z.enum(grantEffects) });
export type RoleGrant = z.infer<typeof roleGrant>;

const label = name(100);

/** A role as someone wants it to be. */
export const roleDraft = z.strictObject({
  label,
  /** Labels in other languages, by tag. */
  labelI18N: z.partialRecord(z.enum(['es', 'ht', 'en-GB']), label),
  /** Roles it inherits from. */
  parentIds: z.array(id).max(50),
  grants: z.array(roleGrant).max(1000),
});
export type RoleDraft = z.infer<typeof roleDraft>;

export const role = z.object({
  id,
  code: z.string(),
  label: z.string(),
  labelI18N: z.record(z.string(), z.string()),
  parentIds: z.array(id),
  /** Its own grants, not inherited ones; grants of unknown permissions are left out. */
  grants: z.array(roleGrant),
  /** The number of people who have it somewhere, or are invited to. */
  holders: z.number().int(),
});
export type Role = z.infer<typeof role>;

export const readRoles = endpoint({
  method: 'GET',
  path: '/api/web/roles',
  access: 'users/read',
  deed: 'read',
  summary: 'The roles of the tenant with what they grant',
  response: z.object({
    /** The version of the tenant's policy; a change names the version it is based on. */
    version: z.number().int(),
    /** The kinds of organization in this tenant. */
    kinds: z.array(kind),
    roles: z.array(role),
    /** The reader's own permissions, which they may grant. */
    held: z.array(z.string()),
  }),
});

/**
 * Why a change of roles is refused; worded under `roles:refusal.<code>`.
 * - `beyond-your-rights`: the role, or someone who has it, would get a permission that the user does not
 * have.
 * - `holds-more`: it would take something from people who have more permissions than the user.
 * - `own-rights`: the user would lose the ability to change users or roles.
 * - `lost-to-all`: no one who can change roles would have the permission any more, so no one could restore
 * it.
 * - `not-grantable`: the permission has no effect for that kind of organization.
 * - `circle`: roles would inherit from each other in a circle. `too-deep`: over more than nine others.
 * - `name-taken`: another role has this name.
 * - `in-use`: people have the role, or other roles inherit from it.
 */
export const roleRefusals = [
  'beyond-your-rights',
  'holds-more',
  'own-rights',
  'lost-to-all',
  'not-grantable',
  'circle',
  'too-deep',
  'name-taken',
  'in-use',
] as const;
export type RoleRefusal = (typeof roleRefusals)[number];

/**
 * A role by its parts: its label, translations, parents, and each grant. Each part is changed, checked for
 * conflicts and undone separately. Missing parts are empty.
 */
export type RoleParts = Record<string, string | readonly string[]>;
const languages = ['es', 'ht', 'en-GB'] as const;
export const grantPart = (on: SubjectKind, permission: string): string => `grant/${on}/${permission}`;
/** The kind and the permission of a grant part. */
export function grantOf(part: string): { on: SubjectKind; permission: KnownPermission } | null {
  const [grant, on, ...permission] = part.split('/');
  return grant === 'grant'
    ? { on: on as SubjectKind, permission: permission.join('/') as KnownPermission }
    : null;
}

export const partsOf = ({ label, labelI18N, parentIds, grants }: RoleDraft): RoleParts => ({
  label,
  ...Object.fromEntries(languages.map((language) => [language, labelI18N[language] ?? ''])),
  parentIds: parentIds.toSorted(),
  // A denial comes last here and overrides an allow.
  ...Object.fromEntries(
    grants
      .toSorted((one, other) => one.effect.localeCompare(other.effect))
      .map(({ on, permission, effect }) => [grantPart(on, permission), effect]),
  ),
});

export const draftOfParts = (parts: Readonly<RoleParts>): RoleDraft => ({
  label: String(parts.label).trim(),
  labelI18N: Object.fromEntries(
    languages.flatMap((language) => (parts[language] ? [[language, String(parts[language])]] : [])),
  ),
  parentIds: [...((parts.parentIds ?? []) as readonly string[])],
  grants: Object.entries(parts).flatMap(([part, effect]) => {
    const grant = grantOf(part);
    return grant && effect ? [{ ...grant, effect: effect as RoleGrant['effect'] }] : [];
  }),
});

/** What each version changed in a role, by part; the version is that of the tenant's policy. */
export const roleVersions = historyOf({
  path: '/api/web/roles/:id',
  noun: 'role',
  read: 'users/read',
  write: 'roles/write',
  shown: role,
});

/** What a change means for people with the same roles in the same kind of organization. */
export const roleEffect = z.object({
  kind,
  roleIds: z.array(id),
  people: z.number().int(),
  /** Some of their names. */
  names: z.array(z.string()),
  gained: z.array(z.string()),
  lost: z.array(z.string()),
});
export type RoleEffect = z.infer<typeof roleEffect>;

export const roleChange = z.strictObject({
  version: z.number().int(),
  /** Null for a new role. */
  id: id.nullable(),
  /** Null to delete the role. */
  draft: roleDraft.nullable(),
});

/** What would change for whom; writes nothing. */
export const previewRole = endpoint({
  method: 'POST',
  path: '/api/web/roles/preview',
  access: 'roles/write',
  deed: 'read',
  summary: 'What a change of a role would change for whom',
  body: roleChange,
  response: z.object({
    effects: z.array(roleEffect),
    refusals: z.array(z.object({ code: z.enum(roleRefusals), permissions: z.array(z.string()) })),
  }),
});
export type RolePreview = z.infer<typeof previewRole.response & z.ZodType>;

/** 409 if the roles have changed since the version; 422 with the refusals of the preview. */
export const changeRole = endpoint({
  method: 'POST',
  path: '/api/web/roles',
  access: 'roles/write',
  deed: 'administration',
  summary: 'Make, change or remove a role',
  body: roleChange,
  response: z.object({ id: id.nullable(), version: z.number().int() }),
});

// — Who may do what, and why —

/**
 * Users by the beginnings of their names and addresses, in the organizations whose users the reader sees; at
 * most 20.
 */
export const findUsers = endpoint({
  method: 'POST',
  path: '/api/web/users/find',
  access: 'users/read',
  deed: 'search',
  summary: 'Find users by name or address',
  body: z.strictObject({ words: z.string().trim().min(1).max(200) }),
  response: z.object({
    users: z.array(
      z.object({
        /** The membership's id. */
        id,
        name: z.string(),
        email: z.string(),
        orgType: z.enum(orgTypes),
        orgName: z.string(),
      }),
    ),
  }),
});

export const accessCheck = z.object({
  allowed: z.boolean(),
  /** The membership has ended, or the account is disabled, so nothing is allowed. */
  ended: z.boolean(),
  /** The tenant has switched off the permission's feature. */
  featureOff: z.boolean(),
  /** The subject of the policy: `T`, `O:{id}`, … [S6.4] */
  subject: z.string(),
  /** The lines about it, in order; a denying one overrides all others. */
  lines: z.array(
    z.object({
      line: z.string(),
      effect: z.enum(grantEffects),
      /** Ids of the roles that lead to it, the person's own role first. */
      roleIds: z.array(id),
    }),
  ),
});
export type AccessCheck = z.infer<typeof accessCheck>;

export const checkAccess = endpoint({
  method: 'POST',
  path: '/api/web/roles/check',
  access: 'users/read',
  deed: 'read',
  summary: 'Whether a user may do something where they are a member, and by which line of the policy',
  body: z.strictObject({ membershipId: id, permission }),
  response: accessCheck,
});

/** For people without a permission: the roles that allow it here, and who can grant one. */
export const whoCanGrant = endpoint({
  method: 'GET',
  path: '/api/web/access/granters',
  access: 'general/other',
  deed: 'read',
  summary: 'Which roles give a permission in the organisation acted for, and who can grant it',
  query: z.strictObject({ permission }),
  response: z.object({
    roles: z.array(z.object({ label: z.string(), labelI18N: z.record(z.string(), z.string()) })),
    /** At most ten. */
    people: z.array(z.object({ name: z.string(), email: z.string() })),
  }),
});
