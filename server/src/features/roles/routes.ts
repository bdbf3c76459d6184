import type { Fault } from '@caseway/contract/error';
import { featureOf, featuresFor, type OwnSwitches, type SubjectKind } from '@caseway/contract/permission';
import { compilePolicy, permissionSubject } from '@caseway/contract/policy';
import {
  changeRole,
  checkAccess,
  draftOfParts,
  findUsers,
  partsOf,
  previewRole,
  type RoleDraft,
  type RoleParts,
  type RoleRefusal,
  readRoles,
  type roleChange,
  roleVersions,
  whoCanGrant,
} from '@caseway/contract/roles';
import type { OrgType } from '@caseway/contract/session';
import { v7 } from 'uuid';
import type { z } from 'zod';
import type { Tx } from '../../platform/db/database.ts';
import { actIn, changesBetween } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import type { ValidPart } from '../../platform/http/validation.ts';
import {
  type Authority,
  administeredTenant,
  authorityOf,
  authorityToChange,
} from '../../platform/policy/authority.ts';
import { policyLines, raisePolicyVersion } from '../../platform/policy/tenant-policy.ts';
import {
  type Changes,
  changesOf,
  keepVersion,
  readChanges,
  readHistory,
  same,
} from '../../platform/records/record-history.ts';
import { fold } from '../../platform/text/fold.ts';
import { findGranters } from './granters.ts';
import { changedPolicy, effectsOf, type Refused, refusalsOf } from './plan.ts';
import { groupsOf, kindsOf, readRoleList } from './queries.ts';

/** Roles and grants: who may do what, by which line, and the effects of a change. [S6.8] */
export function serveRoles(app: App): void {
  serve(app, readRoles, (call) =>
    call.withScope(async (tx) => {
      const authority = await authorityOf(tx, call);
      const kinds = kindsOf(tenantKind(authority));
      return {
        version: authority.policy.version,
        kinds,
        roles: await readRoleList(tx, authority.tenantId, kinds),
        held: [...authority.held],
      };
    }),
  );

  const alsoWrong = (call: Call<unknown, unknown, ValidPart<RoleChange>>) =>
    app.database.withScope({ kind: 'identity' }, async (tx) =>
      faultsOfDraft(tx, await authorityOf(tx, call), call.body),
    );
  serve(
    app,
    previewRole,
    (call) =>
      app.database.withScope({ kind: 'identity' }, async (tx) => {
        const { effects, refusals } = await plan(tx, await authorityOf(tx, call), call.body);
        return { effects, refusals };
      }),
    { alsoWrong },
  );

  /** Makes, changes or removes a role, with its version in the history; `undoes`: the version that it undoes. */
  const change = (call: Call, wanted: RoleChange, undoes?: number) =>
    actIn(app, call, { kind: 'identity' }, administeredTenant(call), async (tx, audit) => {
      const authority = await authorityToChange(tx, call, 'roles/write');
      const { tenantId, accountId, policy } = authority;
      const { id, draft } = wanted;
      const planned = await plan(tx, authority, wanted);
      if (planned.refusals.length > 0)
        throw new AppError('validation-failed', {
          faults: planned.refusals.map(({ code, permissions }) => ({
            path: placeOf[code] ?? 'draft',
            code,
            message: [messages[code], permissions.join(', ')].filter(Boolean).join(': '),
          })),
        });
      const said = (roles: typeof policy.roles, roleId: string) => {
        const found = roles.get(roleId);
        return found
          ? {
              parents: found.parentIds.map((parent) => roles.get(parent)?.code ?? parent).sort(),
              grants: found.grants.map(({ obj, act, eft }) => `${obj} ${act} ${eft}`).sort(),
            }
          : {};
      };
      const { current } = planned;
      await write(tx, tenantId, planned.id, draft, planned.kinds);
      await raisePolicyVersion(tx, tenantId);
      const version = policy.version + 1;
      const changes = draft ? changesOfParts(current ? partsOf(current) : undefined, partsOf(draft)) : {};
      if (Object.keys(changes).length > 0)
        await keepVersion(tx, roleHistory, tenantId, planned.id, {
          version,
          accountId,
          changes,
          ...(undoes !== undefined && { undoes }),
        });
      await audit({
        action: draft === null ? 'role/removed' : id === null ? 'role/made' : 'role/changed',
        recordKind: 'role',
        recordIds: [planned.id],
        detail: {
          role: draft?.label ?? current?.label,
          people: planned.effects.reduce((sum, { people }) => sum + people, 0),
          ...changesBetween<Record<string, unknown>>(
            { ...(current ? { label: current.label } : {}), ...said(policy.roles, planned.id) },
            draft ? { label: draft.label, ...said(planned.after.roles, planned.id) } : { label: null },
          ),
        },
      });
      return { id: draft === null ? null : planned.id, version };
    });
  serve(app, changeRole, (call) => change(call, call.body), { alsoWrong });

  /** A role of the tenant, and the version of its policy. */
  const roleNow = (call: Call, id: string) =>
    call.withScope(async (tx) => {
      const authority = await authorityOf(tx, call);
      const roles = await readRoleList(tx, authority.tenantId, kindsOf(tenantKind(authority)));
      const found = roles.find((one) => one.id === id);
      if (!found) throw new AppError('not-found');
      return { role: found, version: authority.policy.version };
    });

  serve(app, roleVersions.history, async (call) => {
    const { id } = call.params;
    await roleNow(call, id);
    return call.withScope((tx) =>
      readHistory(tx, roleHistory, id, { before: call.query.before, hiddenFamilies: [] }),
    );
  });

  serve(app, roleVersions.undo, async (call) => {
    const { id } = call.params;
    const { version } = call.body;
    const now = await roleNow(call, id);
    const made = await call.withScope((tx) => readChanges(tx, roleHistory, id, version, []));
    const changes = Object.entries(made?.changes ?? {});
    // A new role is removed, not undone.
    if (!changes.some(([, { from }]) => from !== undefined)) throw new AppError('not-found');
    const parts = partsOf(now.role);
    const isAsMade = ([part, { to }]: (typeof changes)[number]) => same(parts[part] ?? '', to);
    const undone = changes.filter(isAsMade);
    if (undone.length === 0) throw new AppError('conflict');
    const earlier = Object.fromEntries(undone.map(([part, { from }]) => [part, from as RoleParts[string]]));
    const draft = draftOfParts({ ...parts, ...earlier });
    await change(call, { version: now.version, id, draft }, version);
    return {
      record: (await roleNow(call, id)).role,
      kept: changes.filter((one) => !isAsMade(one)).map(([part]) => part),
    };
  });

  serve(app, findUsers, (call) =>
    call.withScope(async (tx) => {
      const words = call.body.words
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(fold);
      const users = await tx.rows<{
        id: string;
        name: string;
        email: string;
        orgType: OrgType;
        orgName: string;
      }>(
        `select u.id, u.first_name || ' ' || u.last_name as name, u.email, u.org_type as "orgType",
           coalesce(o.name, f.name, j.name, t.name, '') as "orgName"
         from user_list u
         left join tenant t on u.org_type = 'T' and t.id = u.tenant_id
         left join organization o on u.org_type = 'O' and o.tenant_id = u.tenant_id and o.id = u.org_id
         left join facility f on u.org_type = 'F' and f.tenant_id = u.tenant_id and f.id = u.org_id
         left join jurisdiction j on u.org_type = 'PHJ' and j.id = u.org_id
         where u.tenant_id = $1 and not exists (select from unnest($2::text[]) as word
           where strpos(' ' || translate(u.name_key, ',-', '  ') || ' ' || app_fold(u.email), ' ' || word) = 0)
         order by u.name_key, u.id limit 20`,
        [tx.tenantId, words],
      );
      return { users };
    }),
  );

  serve(app, checkAccess, (call) =>
    call.withScope(async (tx) => {
      const { membershipId, permission } = call.body;
      const [found] = await tx.rows<{
        account_id: string;
        org_type: OrgType;
        org_id: string;
        role_ids: string[];
        status: string;
        experience: 'PUBLIC_HEALTH' | 'SYSTEM_ADMINISTRATION';
        tenant_on: string[];
        own: OwnSwitches;
      }>(
        `select u.account_id, u.org_type, u.org_id, u.role_ids, u.status, t.experience,
           t.tenant_features || t.beta_features as tenant_on,
           (select coalesce(jsonb_object_agg(w.feature, w.is_on), '{}') from feature_switch w
            where w.tenant_id = u.tenant_id and w.org_type = u.org_type and w.org_id = u.org_id) as own
         from user_list u join tenant t on t.id = u.tenant_id where u.tenant_id = $1 and u.id = $2`,
        [tx.tenantId, membershipId],
      );
      if (!found) throw new AppError('not-found');
      const { account_id: accountId, org_type: orgType, role_ids: roleIds } = found;
      const { policy } = await authorityOf(tx, call);
      const org = { id: found.org_id, orgType, experience: found.experience };
      const subject = permissionSubject(org, accountId);
      const lines = policyLines(accountId, org, roleIds, policy);
      const enforcer = compilePolicy(lines);
      const feature = featureOf(permission);
      const ended = found.status === 'inactive' || found.status === 'disabled';
      const featureOff = feature !== undefined && !featuresFor(found.tenant_on, found.own).includes(feature);
      const idsByCode = new Map([...policy.roles].map(([id, { code }]) => [`role:${code}`, id]));
      return {
        // Without a role, only the fallback applies. [S6.3]
        allowed: !ended && !featureOff && enforcer.allows(accountId, subject, permission),
        ended,
        featureOff,
        subject,
        lines: enforcer.explain(accountId, subject, permission).map(({ line, effect, path }) => ({
          line,
          effect: effect === 'deny' ? ('deny' as const) : ('allow' as const),
          roleIds: path.flatMap((name) => idsByCode.get(name) ?? []),
        })),
      };
    }),
  );

  serve(app, whoCanGrant, (call) =>
    app.database.withScope({ kind: 'identity' }, (tx) => findGranters(tx, call, call.query.permission), {
      readOnly: true,
    }),
  );
}

type RoleChange = z.infer<typeof roleChange>;

const roleHistory = { record: { kind: 'role', fields: {} } } as const;

/** The differences between two states of a role, by part; for a new one only what it has. */
function changesOfParts(before: RoleParts | undefined, after: RoleParts): Changes {
  if (before === undefined)
    return Object.fromEntries(
      Object.entries(after).flatMap(([part, to]) => (to.length === 0 ? [] : [[part, { to }]])),
    );
  const without = Object.fromEntries(Object.keys(before).map((part) => [part, '']));
  const fresh = Object.fromEntries(Object.keys(after).map((part) => [part, '']));
  return changesOf({ ...fresh, ...before }, { ...without, ...after });
}

/** The kind of the tenant itself. */
const tenantKind = ({ kind }: Authority): SubjectKind => (kind === 'A' ? 'A' : 'T');

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<RoleRefusal, string>> = {
  'beyond-your-rights': 'it would give permissions that you do not hold',
  'holds-more': 'it would take something from people who hold more than you',
  'own-rights': 'you would no longer be able to change users or roles',
  'lost-to-all': 'nobody could give these permissions back',
  'not-grantable': 'these permissions say nothing for this kind of organization',
  circle: 'roles would inherit from each other in a ring',
  'too-deep': 'roles would inherit over more than nine others',
  'name-taken': 'another role has this name',
  'in-use': 'people have this role, or other roles inherit from it',
};

/** The field for a refusal of a role as a whole, if one of its parts causes it. */
const placeOf: Readonly<Partial<Record<RoleRefusal, string>>> = {
  'name-taken': 'draft.label',
  circle: 'draft.parentIds',
  'too-deep': 'draft.parentIds',
  'not-grantable': 'draft.grants',
};

/** The faults of each part of a draft by itself; missing parts are skipped. */
async function faultsOfDraft(
  tx: Tx,
  { tenantId, policy, ...authority }: Authority,
  { id, draft }: ValidPart<RoleChange>,
): Promise<Fault[]> {
  const { parentIds = [], label } = draft ?? {};
  const roles = await readRoleList(tx, tenantId, ['A', ...kindsOf(authority.kind === 'A' ? 'A' : 'T')]);
  return [
    ...parentIds.flatMap((one, index) =>
      typeof one !== 'string' || policy.roles.has(one)
        ? []
        : [{ path: `draft.parentIds.${index}`, code: 'unknown-role', message: 'there is no such role' }],
    ),
    ...(label !== undefined && roles.some((role) => role.id !== id && fold(role.label) === fold(label))
      ? [{ path: placeOf['name-taken']!, code: 'name-taken', message: messages['name-taken'] }]
      : []),
  ];
}

/** The full effect of a change, given the current roles. 409 if they have changed since. */
async function plan(tx: Tx, authority: Authority, change: RoleChange) {
  const { tenantId, policy, held } = authority;
  const { id: wanted, draft, version } = change;
  // Roles belong to the whole tenant, so only people who act for all of it change them.
  if (authority.orgType !== 'T') throw new AppError('forbidden', { permission: 'roles/write' });
  if (policy.version !== version) throw new AppError('conflict');
  if (wanted !== null && !policy.roles.has(wanted)) throw new AppError('not-found');
  if (wanted === null && draft === null) throw new AppError('not-found');
  if ((draft?.parentIds ?? []).some((one) => !policy.roles.has(one)))
    throw new AppError('validation-failed', {
      faults: await faultsOfDraft(tx, authority, change),
    });
  const id = wanted ?? v7();
  const kinds = kindsOf(tenantKind(authority));
  const changed = { id, draft };
  const after = changedPolicy(policy, changed, kinds);
  const groups = await groupsOf(tx, tenantId, tenantKind(authority));
  const refusals: Refused[] = refusalsOf(policy, after, changed, {
    groups,
    kinds,
    changer: { held, kind: authority.kind, roleIds: authority.roleIds },
  });
  const roles = await readRoleList(tx, tenantId, ['A', ...kinds]);
  const current = roles.find((role) => role.id === id);
  if (
    draft === null &&
    ((current?.holders ?? 0) > 0 || roles.some(({ parentIds }) => parentIds.includes(id)))
  )
    refusals.push({ code: 'in-use', permissions: [] });
  if (draft !== null && roles.some((role) => role.id !== id && fold(role.label) === fold(draft.label)))
    refusals.push({ code: 'name-taken', permissions: [] });
  return { id, kinds, current, after, refusals, effects: effectsOf(policy, after, groups) };
}

async function write(
  tx: Tx,
  tenantId: string,
  id: string,
  draft: RoleDraft | null,
  kinds: readonly SubjectKind[],
): Promise<void> {
  const key = [tenantId, id];
  if (draft === null) {
    // The person no longer belongs anywhere: an ended membership does not keep a role alive.
    await tx.run('delete from membership_role where tenant_id = $1 and role_id = $2', key);
    await tx.run(
      'update membership_offer set role_ids = array_remove(role_ids, $2) where tenant_id = $1 and $2 = any (role_ids)',
      key,
    );
    await tx.run('delete from role where tenant_id = $1 and id = $2', key);
    return;
  }
  await tx.run(
    `insert into role (tenant_id, id, code, label, label_i18n) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, id) do update set label = excluded.label, label_i18n = excluded.label_i18n`,
    [...key, `own-${id}`, draft.label, JSON.stringify(draft.labelI18N)],
  );
  await tx.run('delete from role_parent where tenant_id = $1 and role_id = $2', key);
  await tx.run(
    `insert into role_parent (tenant_id, role_id, parent_id)
     select distinct $1::uuid, $2::uuid, r.id from role r where r.tenant_id = $1 and r.id = any ($3::uuid[])
     returning 1`,
    [...key, draft.parentIds],
  );
  await tx.run('delete from role_grant where tenant_id = $1 and role_id = $2 and obj = any ($3)', [
    ...key,
    kinds,
  ]);
  await tx.run(
    `insert into role_grant (tenant_id, role_id, obj, act, eft)
     select distinct $1::uuid, $2::uuid, obj, act, eft from unnest($3::text[], $4::text[], $5::text[]) as g (obj, act, eft)
     returning 1`,
    [
      ...key,
      draft.grants.map(({ on }) => on),
      draft.grants.map(({ permission }) => permission),
      draft.grants.map(({ effect }) => effect),
    ],
  );
}
