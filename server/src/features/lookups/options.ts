import { locationDisplayName } from '@caseway/contract/label';
import type { KnownPermission } from '@caseway/contract/permission';
import type { LookupOption } from '@caseway/contract/reference';
import { hasCome } from '../../platform/auth/memberships.ts';
import type { ScopeOptions, Tx } from '../../platform/db/database.ts';
import { loadTenantPolicy } from '../../platform/policy/tenant-policy.ts';
import type { Scope } from '../../platform/scope.ts';
import { fold } from '../../platform/text/fold.ts';
import {
  ageBands,
  alwaysRestricted,
  conditions,
  demographics,
  diseaseCategories,
  diseaseFamilies,
  resultCategories,
  resultStatuses,
  specimenTypes,
} from '../reference/catalog.ts';
import { type County, counties, countiesOf, countyByFips, stateByFips, states } from '../reference/places.ts';

const byLabel = new Intl.Collator('en', { numeric: true }).compare;

type ListName = keyof typeof demographics;
type OrgScope = Extract<Scope, { kind: 'org' }>;

/** Finds the entries of a look-up in a tenant, as far as the transaction's scope sees them; in no particular order. */
type Find = (tx: Tx, scope: OrgScope) => Promise<LookupOption[]>;

interface Listed {
  code: string;
  label: string;
  labelI18N?: Record<string, string>;
}
const option = ({ code, label, labelI18N }: Listed, within?: Record<string, string>): LookupOption => ({
  id: code,
  label,
  ...(labelI18N && { labelI18N }),
  ...(within && { within }),
});
const withoutNulls = (within: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(within).filter((entry): entry is [string, string] => entry[1] !== null));

/** Look-ups that are the same for everyone, in the order of the code list. */
const fixed: Readonly<Record<string, readonly LookupOption[]>> = {
  ...Object.fromEntries(
    (
      [
        ['sex', 'sexAtBirth'],
        ['race', 'race'],
        ['ethnicity', 'ethnicity'],
        ['languages', 'preferredLanguage'],
        ['pregnancyStatuses', 'pregnancyStatus'],
        ['taskCategories', 'taskCategory'],
        ['specimenSites', 'specimenSite'],
        ['vaxAdverseReactions', 'vaccineAdverseReaction'],
        ['classifications', 'classification'],
      ] satisfies [string, ListName][]
    ).map(([name, list]) => [name, demographics[list].map((entry) => option(entry))]),
  ),
  resultCategories: resultCategories.map((entry) => option(entry)),
  resultStatuses: resultStatuses.map((entry) => option(entry)),
  ageBands: ageBands.map((entry) => option(entry)),
  specimenTypes: specimenTypes.map((entry) => option(entry)),
  diseaseCategories: diseaseCategories.map((entry) => option(entry)),
  states: states.map(({ fips, label, labelI18N }) => ({ id: fips, label, labelI18N })),
};

interface Row {
  id: string;
  label: string;
  label_i18n: Record<string, string>;
  inactive?: boolean;
}
/** A deactivated entry stays in the list, marked, for the records that refer to it. */
const marked = (inactive: boolean | undefined) => (inactive ? { inactive: true } : {});
const labelled = (
  { id, label, label_i18n, inactive }: Row,
  within: Record<string, string | null> = {},
): LookupOption => ({
  id,
  label,
  labelI18N: label_i18n,
  within: withoutNulls(within),
  ...marked(inactive),
});
/** The same for entries with one name in every language. */
const named = (rows: (LookupOption & { inactive: boolean })[]): LookupOption[] =>
  rows.map(({ inactive, ...row }) => ({ ...row, ...marked(inactive) }));

const countyOption = ({ fips, label, labelI18N, stateFips }: County): LookupOption => ({
  id: fips,
  label,
  labelI18N,
  within: { states: stateFips },
});

/** The name of a county in another state: `Fulton County, GA`. */
function awayOption(county: County): LookupOption {
  const { abbreviation } = stateByFips(county.stateFips)!;
  const away = (label: string) => `${label}, ${abbreviation}`;
  const { es, ht } = county.labelI18N;
  return {
    ...countyOption(county),
    label: away(county.label),
    labelI18N: { es: away(es), ht: away(ht) },
  };
}

const sorted = (list: LookupOption[]) => list.sort((a, b) => byLabel(a.label, b.label));

/** Every county with its name in other states, sorted by name: the same for everyone. */
export const everyCounty: readonly LookupOption[] = sorted(counties.map(awayOption));
const away = new Set(everyCounty);

const countiesSeenFrom = new Map<string, readonly LookupOption[]>();
/** Every county: those of a state by name, then those of other states, where people tested here may also live. */
function countiesFrom(stateFips: string): readonly LookupOption[] {
  let seen = countiesSeenFrom.get(stateFips);
  if (!seen) {
    const near = sorted(countiesOf(stateFips).map(countyOption));
    seen = [...near, ...everyCounty.filter(({ within }) => within!.states !== stateFips)];
    countiesSeenFrom.set(stateFips, seen);
  }
  return seen;
}

/** The counties of a complete list whose names differ from `everyCounty`; undefined for any other list. */
export const countiesBeside = (options: readonly LookupOption[]): LookupOption[] | undefined =>
  options.length === everyCounty.length && options.some((one) => away.has(one))
    ? options.filter((one) => !away.has(one))
    : undefined;

/** Look-ups that depend on the tenant or on the reader. */
const found: Readonly<Record<string, Find>> = {
  // [P18]
  diseaseFamilies: async (_, { hiddenFamilies }) =>
    diseaseFamilies
      .filter(({ code }) => !hiddenFamilies.includes(code))
      .map((family) => option(family, { diseaseCategories: family.category })),
  /** Assays as they are compared, each in its most frequent spelling. */
  assays: async (tx, { tenantId }) => {
    const rows = await tx.rows<{ label: string; n: number }>(
      `select btrim(r.assay) as label, count(*)::int as n from result r
       where r.tenant_id = $1 and r.superseded_by is null and btrim(r.assay) <> '' group by 1`,
      [tenantId],
    );
    return [...Map.groupBy(rows, ({ label }) => fold(label))].map(([id, written]) => ({
      id,
      label: written.sort((one, other) => other.n - one.n || byLabel(one.label, other.label))[0]!.label,
    }));
  },
  restrictedFamilies: async (tx, { hiddenFamilies, tenantId }) => {
    const rows = await tx.rows<{ own: string[] }>(
      'select restricted_families as own from tenant where id = $1',
      [tenantId],
    );
    const restricted = [...alwaysRestricted, ...(rows[0]?.own ?? [])];
    return diseaseFamilies
      .filter(({ code }) => restricted.includes(code) && !hiddenFamilies.includes(code))
      .map((family) => option(family));
  },
  conditions: async (_, { hiddenFamilies }) =>
    conditions
      .filter(({ family }) => !hiddenFamilies.includes(family))
      .map((condition) => option(condition, { diseaseFamilies: condition.family })),

  gender: (tx) => whereKept(tx, 'genderIdentity'),
  sexualOrientations: (tx) => whereKept(tx, 'sexualOrientation'),

  // A jurisdiction's own counties; otherwise all of them, those of the tenant's state first.
  counties: async (tx, { counties: own, tenantId }) => {
    if (own.length > 0)
      return own
        .flatMap((fips) => countyByFips(fips) ?? [])
        .map(countyOption)
        .sort((a, b) => byLabel(a.label, b.label));
    const [tenant] = await tx.rows<{ state_fips: string | null }>(
      'select state_fips from tenant where id = $1',
      [tenantId],
    );
    return [...countiesFrom(tenant?.state_fips ?? '')];
  },

  programTypes: async (tx) =>
    (await tx.rows<Row>('select id, label, label_i18n from program_type')).map((row) => labelled(row)),
  programs: async (tx) => {
    const rows = await tx.rows<Row & { program_type_id: string; organization_id: string | null }>(
      `select id, label, label_i18n, program_type_id, organization_id, deactivated_at is not null as inactive
       from program`,
    );
    return rows.map((row) =>
      labelled(row, { programTypes: row.program_type_id, organizations: row.organization_id }),
    );
  },
  tasks: async (tx) => {
    const rows = await tx.rows<Row & { program_id: string; program_type_id: string; task_category: string }>(
      `select t.id, t.label, t.label_i18n, t.program_id, t.task_category, p.program_type_id,
         t.deactivated_at is not null or p.deactivated_at is not null as inactive
       from task t join program p on p.tenant_id = t.tenant_id and p.id = t.program_id`,
    );
    return rows.map((row) =>
      labelled(row, {
        programs: row.program_id,
        programTypes: row.program_type_id,
        taskCategories: row.task_category,
      }),
    );
  },
  teams: async (tx) =>
    named(await tx.rows('select id, name as label, deactivated_at is not null as inactive from team')),
  organizations: async (tx) =>
    named(
      await tx.rows('select id, name as label, deactivated_at is not null as inactive from organization'),
    ),
  facilities: async (tx) => {
    const rows = await tx.rows<{
      id: string;
      name: string;
      county_fips: string | null;
      organization_id: string | null;
      inactive: boolean;
    }>(
      `select id, name, county_fips, organization_id, deactivated_at is not null as inactive
       from facility where merged_into is null`,
    );
    return rows.map(({ id, name, county_fips, organization_id, inactive }) => ({
      id,
      label: name,
      within: withoutNulls({ counties: county_fips, organizations: organization_id }),
      ...marked(inactive),
    }));
  },

  // [S3.8]
  locations: async (tx) => {
    const rows = await tx.rows<{
      id: string;
      facility_id: string;
      name: string;
      shelfCode: string | null;
      bayCode: string | null;
      boxCode: string | null;
      inactive: boolean;
    }>(
      `select l.id, l.facility_id, coalesce(a.name, g.name, p.name, l.name) as name,
         case 'shelf' when l.level then l.name when p.level then p.name when g.level then g.name end as "shelfCode",
         case 'bay' when l.level then l.name when p.level then p.name end as "bayCode",
         case l.level when 'box' then l.name end as "boxCode",
         coalesce(l.deactivated_at, p.deactivated_at, g.deactivated_at, a.deactivated_at) is not null as inactive
       from location l
       left join location p on p.tenant_id = l.tenant_id and p.id = l.parent_id
       left join location g on g.tenant_id = p.tenant_id and g.id = p.parent_id
       left join location a on a.tenant_id = g.tenant_id and a.id = g.parent_id`,
    );
    return rows.map((row) => ({
      id: row.id,
      label: locationDisplayName(row),
      within: { facilities: row.facility_id },
      ...marked(row.inactive),
    }));
  },

  // The current and former jurisdictions that the tenant reports to, because cases still name these; for a
  // jurisdiction, itself and those within it.
  jurisdictions: async (tx, { orgType, orgId }) =>
    named(
      await tx.rows(
        `with recursive own as (
         select id from jurisdiction where id = $1
         union select j.id from jurisdiction j join own on j.parent_id = own.id)
       select j.id, j.name as label, j.deactivated_at is not null or r.ended_at is not null as inactive
       from jurisdiction j join tenant_reporting r on r.jurisdiction_id = j.id
       where $1::uuid is null or j.id in (select id from own)`,
        [orgType === 'PHJ' ? orgId : null],
      ),
    ),

  // The jurisdictions whose users and counties the tenant manages.
  managedJurisdictions: async (tx, { tenantId }) =>
    named(
      await tx.rows(
        `select id, name as label, deactivated_at is not null as inactive from jurisdiction
         where managed_by_tenant_id = $1`,
        [tenantId],
      ),
    ),
  roles: async (tx) =>
    (await tx.rows<Row>('select id, label, label_i18n from role')).map((row) => labelled(row)),
  // The audit log names roles by their codes, which do not change when a role is renamed.
  roleCodes: async (tx) =>
    (await tx.rows<Row>('select code as id, label, label_i18n from role')).map((row) => labelled(row)),

  // People who may investigate, and so can be assigned cases; and people who may hold visits by video.
  investigators: (tx, { tenantId }) => whoMay(tx, tenantId, 'case-reports/investigate'),
  providers: (tx, { tenantId }) => whoMay(tx, tenantId, 'telemedicine/provide'),
};

/**
 * People who may do something now, or could before: records stay with people who have left. Nobody who is only
 * invited.
 */
async function whoMay(tx: Tx, tenantId: string, permission: KnownPermission): Promise<LookupOption[]> {
  const { roles } = await loadTenantPolicy(tx, tenantId);
  const grants = (id: string, seen = new Set<string>()): boolean => {
    const role = roles.get(id);
    if (!role || seen.has(id)) return false;
    seen.add(id);
    return (
      role.grants.some(({ act, eft }) => act === permission && eft === 'allow') ||
      role.parentIds.some((parent) => grants(parent, seen))
    );
  };
  return tx.rows<LookupOption>(
    `select a.id, a.first_name || ' ' || a.last_name as label from account a
     where a.patient_id is null and exists (
       select from membership m
       join membership_role r on r.tenant_id = m.tenant_id and r.membership_id = m.id
       where m.tenant_id = $1 and m.account_id = a.id and r.role_id = any ($2) and ${hasCome})`,
    [tenantId, [...roles.keys()].filter((id) => grants(id))],
  );
}

async function whereKept(tx: Tx, list: 'genderIdentity' | 'sexualOrientation'): Promise<LookupOption[]> {
  const [tenant] = await tx.rows<{ kept: boolean }>('select gender_identity_kept as kept from tenant');
  return tenant?.kept ? demographics[list].map((entry) => option(entry)) : [];
}

/**
 * The entries of a look-up over all tenants that a reader sees, each once: code lists in their own order, entries
 * with tenants' own names by label. Undefined for an unknown look-up.
 */
export async function optionsOf(
  name: string,
  tenantIds: readonly string[],
  within: <T>(
    tenantId: string,
    work: (tx: Tx, scope: OrgScope) => Promise<T>,
    options: Pick<ScopeOptions, 'atCoordinator'>,
  ) => Promise<T>,
): Promise<readonly LookupOption[] | undefined> {
  if (Object.hasOwn(fixed, name)) return fixed[name];
  if (!Object.hasOwn(found, name)) return undefined;
  const options = new Map<string, LookupOption>();
  for (const tenantId of tenantIds)
    for (const one of await within(tenantId, found[name]!, { atCoordinator: ofSignIns.has(name) }))
      if (!options.has(one.id)) options.set(one.id, one);
  const list = [...options.values()];
  return ordered.has(name) ? list : list.sort((a, b) => byLabel(a.label, b.label));
}

/** Look-ups that depend on who has signed in, which only the coordinator knows. */
const ofSignIns: ReadonlySet<string> = new Set(['investigators', 'providers']);

/** Tenant-dependent look-ups that are already in order. */
const ordered: ReadonlySet<string> = new Set([
  'diseaseFamilies',
  'conditions',
  'gender',
  'sexualOrientations',
  'counties',
]);
