import { randomUUID } from 'node:crypto';
import type { Fault } from '@caseway/contract/error';
import { ordinaryFeatures } from '@caseway/contract/permission';
import type { Experience } from '@caseway/contract/session';
import type { NewTenant, TenantRow } from '@caseway/contract/system';
import { v7 } from 'uuid';
import { hasSignedIn } from '../../platform/auth/account-state.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, faultAt, refuse } from '../../platform/http/app-error.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { stateByFips } from '../reference/places.ts';
import { defaultRoleId, installDefaultRoles } from '../roles/default-roles.ts';
import { faultsOfTenantName, lockTenantNames } from '../settings/tenant-name.ts';
import { sendInvitation } from '../users/invitation.ts';
import { accountByAddress, writeAccounts, writeMemberships } from '../users/memberships.ts';

/*
 * Tenants as the system administrator sees them, each statement in the scope `identity`, which sees tenants,
 * accounts and memberships but no record of a tenant.
 */

interface StoredTenant {
  id: string;
  name: string;
  slug: string;
  experience: Experience;
  state_fips: string | null;
  time_zone: string;
  tenant_languages: string[];
  default_language: string;
  created_at: Date;
  suspended_at: Date | null;
  suspended_reason: string | null;
  users: number;
  administrators: TenantRow['administrators'];
}

const administratorRoles = ['tenant-administrator', 'system-administrator'];

/** Every tenant by name, or one. */
export async function readTenants(tx: Tx, only: string | null = null): Promise<TenantRow[]> {
  const rows = await tx.rows<StoredTenant>(
    `select t.id, t.name, t.slug, t.experience, t.state_fips, t.time_zone, t.tenant_languages, t.default_language,
       t.created_at, t.suspended_at, t.suspended_reason,
       (select count(distinct m.account_id)::int from membership m
         where m.tenant_id = t.id and m.ended_at is null) as users,
       coalesce((select jsonb_agg(jsonb_build_object('name', a.first_name || ' ' || a.last_name, 'email', a.email,
           'signedIn', ${hasSignedIn}) order by a.name_key)
         from membership m join account a on a.id = m.account_id and a.disabled_at is null
         where m.tenant_id = t.id and m.org_type = 'T' and m.ended_at is null and exists (
           select from membership_role h join role r on r.tenant_id = h.tenant_id and r.id = h.role_id
           where h.tenant_id = m.tenant_id and h.membership_id = m.id and r.code = any ($2))), '[]') as administrators
     from tenant t where $1::uuid is null or t.id = $1 order by app_fold(t.name), t.id`,
    [only, administratorRoles],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    slug: row.slug,
    experience: row.experience,
    stateFips: row.state_fips,
    timeZone: row.time_zone,
    languages: row.tenant_languages,
    defaultLanguage: row.default_language,
    createdAt: row.created_at.toISOString(),
    users: row.users,
    administrators: row.administrators,
    suspension: row.suspended_at && {
      at: row.suspended_at.toISOString(),
      reason: row.suspended_reason ?? '',
    },
    system: row.experience === 'SYSTEM_ADMINISTRATION',
  }));
}

export async function readTenant(tx: Tx, id: string): Promise<TenantRow> {
  const [tenant] = await readTenants(tx, id);
  if (!tenant) throw new AppError('not-found');
  return tenant;
}

/**
 * The faults of a new tenant; missing fields are not checked. Until the transaction has ended, nobody else creates
 * one.
 */
export async function faultsOfNewTenant(
  tx: Tx,
  { name, slug, stateFips }: Partial<Pick<NewTenant, 'name' | 'slug' | 'stateFips'>>,
): Promise<Fault[]> {
  return [
    ...(stateFips && !stateByFips(stateFips)
      ? [faultAt('stateFips', 'unknown-choice', 'there is no such state')]
      : []),
    ...(await faultsOfTenantName(tx, 'name', name ?? '', null)),
    ...(slug !== undefined && (await tx.rows('select from tenant where slug = $1', [slug])).length > 0
      ? [faultAt('slug', 'slug-taken', 'another tenant has this short name')]
      : []),
  ];
}

/**
 * Creates a tenant with the default roles and every feature that is not in beta, and invites its first
 * administrator, who may already have an account. Returns its id.
 */
export async function makeTenant(tx: Tx, wanted: NewTenant, madeBy: string): Promise<string> {
  const tenantId = v7();
  const { administrator, ...tenant } = wanted;
  await lockTenantNames(tx);
  refuse(await faultsOfNewTenant(tx, wanted));
  await tx.run(
    `insert into tenant (id, name, slug, experience, state_fips, time_zone, default_language, tenant_languages,
       external_languages, tenant_features)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
    [
      tenantId,
      tenant.name,
      tenant.slug,
      tenant.experience,
      tenant.stateFips,
      tenant.timeZone,
      tenant.defaultLanguage,
      [...new Set(tenant.languages)],
      ordinaryFeatures,
    ],
  );
  await installDefaultRoles(tx, tenantId);
  const accountId =
    (await accountByAddress(tx, administrator.email)) ??
    (
      await writeAccounts(tx, [
        { ...administrator, middleName: null, phone: null, timeZone: tenant.timeZone },
      ])
    )[0]!;
  const roleIds = [defaultRoleId(tenantId, 'tenant-administrator')];
  const membershipIds = await writeMemberships(tx, { tenantId, accountId: madeBy }, [
    { accountId, orgType: 'T', orgId: tenantId, roleIds },
  ]);
  await enqueue(tx, sendInvitation, { tenantId, membershipIds, mailId: randomUUID() });
  return tenantId;
}

/** Why a tenant cannot be suspended: nobody would be left to undo it. */
export const faultsOfSuspension = ({ system }: TenantRow): Fault[] =>
  system ? [faultAt('', 'system-tenant', 'the tenant that administers the system cannot be suspended')] : [];

/**
 * Suspends access to a tenant for a reason, or restores it (null). Requests and streams notice it within seconds.
 * Returns the tenant before and after; both are the same if there was nothing to do. [P14]
 */
export async function setSuspension(
  tx: Tx,
  id: string,
  reason: string | null,
  by: string,
): Promise<{ before: TenantRow; after: TenantRow }> {
  await tx.rows('select from tenant where id = $1 for update', [id]);
  const before = await readTenant(tx, id);
  refuse(reason === null ? [] : faultsOfSuspension(before));
  await tx.run(
    `update tenant set suspended_at = ${reason === null ? 'null' : 'least(suspended_at, now())'},
       suspended_reason = $2, suspended_by = case when $2::text is null then null else $3::uuid end
     where id = $1`,
    [id, reason, by],
  );
  return { before, after: await readTenant(tx, id) };
}
