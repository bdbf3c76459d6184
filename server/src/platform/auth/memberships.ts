import { betaFeatures, type Feature, featuresFor, type OwnSwitches } from '@caseway/contract/permission';
import type { Experience, OrgType } from '@caseway/contract/session';
import type { Tx } from '../db/database.ts';
import { hasSignedIn } from './account-state.ts';
import type { OrgClaims } from './signing.ts';

/** One organisation that an account belongs to. */
export interface MembershipEntry {
  orgType: OrgType;
  orgId: string;
  tenantId: string;
  name: string;
  experience: Experience;
}

/** A membership with the settings of its tenant and the roles there. */
export interface Membership extends MembershipEntry {
  accountId: string;
  tenantName: string;
  logoHash: string | null;
  timeZone: string;
  /** The features that are on for this organisation, including beta features. [S1.6] */
  tenantFeatures: Feature[];
  betaFeatures: Feature[];
  defaultLanguage: string;
  tenantLanguages: string[];
  externalLanguages: string[];
  secondFactorRequired: boolean;
  /** Ids of the roles in this organisation. */
  roleIds: string[];
  /** The version of the tenant's policy. */
  policyVersion: number;
}

/** The features that tenant `t` has on, and those that it has switched for one organisation. */
const switchesOf = (orgType: string, orgId: string) => `t.tenant_features || t.beta_features as "tenantOn",
  (select coalesce(jsonb_object_agg(w.feature, w.is_on), '{}') from feature_switch w
    where w.tenant_id = t.id and w.org_type = ${orgType} and w.org_id = ${orgId}) as "ownSwitches"`;
interface Switches {
  tenantOn: string[];
  ownSwitches: OwnSwitches;
}

const entryColumns = `m.org_type as "orgType", m.org_id as "orgId", m.tenant_id as "tenantId",
  coalesce(o.name, f.name, j.name, t.name) as name,
  coalesce(o.experience, f.experience, j.experience, t.experience) as experience`;
const columns = `${entryColumns}, m.account_id as "accountId",
  t.name as "tenantName", t.logo_hash as "logoHash", t.time_zone as "timeZone", t.default_language as "defaultLanguage",
  ${switchesOf('m.org_type', 'm.org_id')},
  t.tenant_languages as "tenantLanguages", t.external_languages as "externalLanguages",
  t.second_factor_required as "secondFactorRequired",
  coalesce((select v.version from policy_version v where v.tenant_id = m.tenant_id), 0) as "policyVersion",
  array(select r.role_id from membership_role r
    where r.tenant_id = m.tenant_id and r.membership_id = m.id order by r.role_id) as "roleIds"`;

// The memberships of a removed or deactivated organisation have no effect.
const tables = `membership m
  join tenant t on t.id = m.tenant_id and t.suspended_at is null
  left join organization o on m.org_type = 'O' and o.tenant_id = m.tenant_id and o.id = m.org_id
    and o.deactivated_at is null
  left join facility f on m.org_type = 'F' and f.tenant_id = m.tenant_id and f.id = m.org_id
    and f.deactivated_at is null
  left join jurisdiction j on m.org_type = 'PHJ' and j.id = m.org_id and j.managed_by_tenant_id = m.tenant_id
    and j.deactivated_at is null`;

const current = `m.ended_at is null and case m.org_type
  when 'T' then m.org_id = m.tenant_id when 'O' then o.id is not null when 'F' then f.id is not null
  else j.id is not null end`;

/** The organisations of one type that an account belongs to. `from` joins the table with their names. */
const entriesOf = (orgType: OrgType, from: string, named: string) =>
  `select m.org_type as "orgType", m.org_id as "orgId", m.tenant_id as "tenantId", ${named}.name, ${named}.experience
   from membership m join tenant t on t.id = m.tenant_id and t.suspended_at is null ${from}
   where m.account_id = $1 and m.ended_at is null and m.org_type = '${orgType}'`;
const allEntries = [
  `${entriesOf('T', '', 't')} and m.org_id = m.tenant_id`,
  `${entriesOf('O', 'join organization o on o.tenant_id = m.tenant_id and o.id = m.org_id', 'o')} and o.deactivated_at is null`,
  `${entriesOf('F', 'join facility f on f.tenant_id = m.tenant_id and f.id = m.org_id', 'f')} and f.deactivated_at is null`,
  `${entriesOf('PHJ', 'join jurisdiction j on j.id = m.org_id and j.managed_by_tenant_id = m.tenant_id', 'j')} and j.deactivated_at is null`,
].join(' union all ');

/** Every organisation of an account, in no order. In the scope `identity`. */
export const membershipsOf = (tx: Tx, accountId: string): Promise<MembershipEntry[]> =>
  tx.rows<MembershipEntry>(allEntries, [accountId]);

/** Whether the organisation of membership `m` is active. */
export const orgGoesOn = `not exists (select from inactive_org i where i.tenant_id = m.tenant_id and i.id = m.org_id)`;

/**
 * Whether the person invited by membership `m` with account `a` has joined. Until then they appear only in the list
 * of users, so that nothing else distinguishes a new person from one who already has an account and got an offer.
 * [P12]
 */
export const hasCome = `(${hasSignedIn} or m.invited_at is null)`;

/** A number that changes when the list of organisations of account `a` changes. */
export const membershipsMark = `(select coalesce(sum(hashtextextended(m.id::text, 0)), 0)::text || ' ' || count(*)
  from membership m join tenant t on t.id = m.tenant_id and t.suspended_at is null
  where m.account_id = a.id and m.ended_at is null and ${orgGoesOn})`;

/** The suspended tenants that account `a` belongs to, each with the reason, as JSON. */
export const suspendedTenants = `(select coalesce(jsonb_agg(
    jsonb_build_object('name', t.name, 'reason', coalesce(t.suspended_reason, '')) order by app_fold(t.name)), '[]')
  from tenant t where t.suspended_at is not null and exists (
    select from membership m where m.tenant_id = t.id and m.account_id = a.id and m.ended_at is null))`;

/** The membership of an organisation token; undefined if it has ended. In the scope `identity`. */
export async function membershipFor(tx: Tx, org: OrgClaims): Promise<Membership | undefined> {
  const [row] = await tx.prepared<Omit<Membership, 'tenantFeatures' | 'betaFeatures'> & Switches>(
    'membership',
    `select ${columns} from ${tables}
     where m.tenant_id = $1 and m.account_id = $2 and m.org_type = $3 and m.org_id = $4 and ${current}`,
    [org.tenantId, org.accountId, org.orgType, org.orgId],
  );
  if (!row) return undefined;
  const { tenantOn, ownSwitches, ...membership } = row;
  const on = featuresFor(tenantOn, ownSwitches);
  return {
    ...membership,
    tenantFeatures: on.filter((feature) => !betaFeatures.includes(feature)),
    betaFeatures: on.filter((feature) => betaFeatures.includes(feature)),
  };
}

/** Whether a person is a member of the token's organisation while its tenant is suspended. In the scope `identity`. */
export async function isSuspended(tx: Tx, org: OrgClaims): Promise<boolean> {
  const found = await tx.rows(
    `select from membership m join tenant t on t.id = m.tenant_id and t.suspended_at is not null
     where m.tenant_id = $1 and m.account_id = $2 and m.org_type = $3 and m.org_id = $4 and m.ended_at is null`,
    [org.tenantId, org.accountId, org.orgType, org.orgId],
  );
  return found.length > 0;
}

/** A tenant whose records an organisation reads, with the disease families that the tenant itself restricts. */
export interface ReadTenant {
  id: string;
  restrictedFamilies: string[];
  /**
   * Whether the organisation may see restricted families at all, if its policy allows it. For a jurisdiction, the
   * tenant decides.
   */
  restrictedReported: boolean;
  genderIdentityKept: boolean;
  /**
   * For a jurisdiction: the features that the tenant has on for it. Undefined if the organisation's own features
   * decide. [S1.6]
   */
  features?: Feature[];
}

const readTenantColumns = `t.id, t.restricted_families as "restrictedFamilies",
  t.gender_identity_kept as "genderIdentityKept"`;

/**
 * The tenants whose records an organisation reads: its own, or, for a jurisdiction, those that report to it, with the
 * counties it is limited to. In the scope `identity`.
 */
export async function reachOf(
  tx: Tx,
  { orgType, orgId, tenantId }: Pick<Membership, 'orgType' | 'orgId' | 'tenantId'>,
): Promise<{ tenants: ReadTenant[]; counties: string[] }> {
  if (orgType !== 'PHJ') {
    const tenants = await tx.rows<ReadTenant>(
      `select ${readTenantColumns}, true as "restrictedReported" from tenant t where t.id = $1`,
      [tenantId],
    );
    return { tenants, counties: [] };
  }
  const rows = await tx.rows<ReadTenant & Switches>(
    `select ${readTenantColumns}, r.restricted_families as "restrictedReported",
       ${switchesOf("'PHJ'", 'r.jurisdiction_id')} from tenant_reporting r
     join tenant t on t.id = r.tenant_id and t.suspended_at is null
     where r.jurisdiction_id = $1 and r.ended_at is null order by t.name, t.id`,
    [orgId],
  );
  const counties = await tx.rows<{ county_fips: string }>(
    'select county_fips from jurisdiction_county where jurisdiction_id = $1 order by county_fips',
    [orgId],
  );
  const tenants = rows.map(({ tenantOn, ownSwitches, ...tenant }) => ({
    ...tenant,
    features: featuresFor(tenantOn, ownSwitches),
  }));
  return { tenants, counties: counties.map((row) => row.county_fips) };
}

/**
 * Called before people change their own details, so that an edit at the same time, in any tenant, finds an outdated
 * version. It runs before the account is locked, as in changes of users. In the scope `identity`.
 */
export async function raiseVersions(tx: Tx, accountId: string): Promise<void> {
  // In a fixed order: an update locks rows as it finds them, and two updates for one person could deadlock.
  await tx.rows('select from membership where account_id = $1 and ended_at is null order by id for update', [
    accountId,
  ]);
  await tx.run('update membership set version = version + 1 where account_id = $1 and ended_at is null', [
    accountId,
  ]);
}
