/** The property for cached decisions of a scope. A symbol, so that a key made from a scope does not include it. */
export const decided = Symbol('decided');

/** What the transactions of one reader have found out, while it is valid. */
export interface Decided {
  /** The scope that it belongs to. A scope derived for another tenant or organization does not use it. */
  tenantId: string;
  orgId: string;
  /** When it expires, by `performance.now()`. After that each transaction reads it again. */
  until: number;
  /** Settings by their names; absent before the first transaction. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * The party that a transaction runs for. Row-level security shows each scope only its own rows; without a scope
 * there are no rows at all. The policies in server/migrations read it as the settings that `settingsOf` names.
 */
export type Scope =
  /** Sign-in, sessions and memberships; sees no record of a tenant. */
  | { kind: 'identity' }
  /** The importer and the replica follower: one whole tenant. */
  | { kind: 'service'; tenantId: string }
  /** The list of tenants and the jobs; sees no patient record. */
  | { kind: 'system' }
  /**
   * A patient who has signed in: only their own records, or those of a child whose guardian they are today; then
   * `guardian` names the sensitive families that they do not see.
   */
  | {
      kind: 'patient';
      tenantId: string;
      patientId: string;
      accountId: string;
      guardian?: { hiddenFamilies: string[] };
    }
  /** A person who acts for an organisation. */
  | {
      kind: 'org';
      tenantId: string;
      /** The permission subject: 'A' is a tenant organisation that administers the system. */
      orgType: 'A' | 'T' | 'O' | 'F' | 'PHJ';
      orgId: string;
      accountId: string;
      /** Five-digit county codes of a jurisdiction; empty for every other type. */
      counties: string[];
      /** Codes of the restricted disease families that this person may not see. */
      hiddenFamilies: string[];
      /** Whether the tenant records gender identity and sexual orientation; if not, none is shown. */
      genderIdentityShown: boolean;
      /** Reads in the log why hidden records were opened, and which. */
      privacyOfficer?: boolean;
      /**
       * The access by which this transaction may read an otherwise hidden record; the database checks whether it is
       * valid.
       */
      glass?: string;
      [decided]?: Decided;
    };

/** All settings of a scope, always with the same names. A setting that the scope does not have is the empty string. */
export function settingsOf(scope: Scope): Record<string, string> {
  const org = scope.kind === 'org' ? scope : undefined;
  const guardian = scope.kind === 'patient' ? scope.guardian : undefined;
  return {
    'app.scope': scope.kind,
    'app.tenant_id': 'tenantId' in scope ? scope.tenantId : '',
    'app.org_type': org?.orgType ?? '',
    'app.org_id': org?.orgId ?? '',
    'app.account_id': 'accountId' in scope ? scope.accountId : '',
    'app.patient_id': 'patientId' in scope ? scope.patientId : '',
    'app.guardian': guardian ? 'on' : '',
    'app.hidden_from_guardian': listed(guardian?.hiddenFamilies),
    'app.counties': listed(org?.counties),
    'app.hidden_families': listed(org?.hiddenFamilies),
    'app.gender_identity_shown': org?.genderIdentityShown ? 'on' : '',
    'app.privacy_officer': org?.privacyOfficer ? 'on' : '',
    'app.glass': org?.glass ?? '',
  };
}

/**
 * A statement that reads a scope's rights from tables and sets them. Each connection plans it once, by its name,
 * with the tenant as `$1`. Its answer is one row: the values by setting name.
 */
interface Decision {
  name: string;
  text: string;
  /** It describes the reader, and so is also valid for the next transaction. */
  ofReader: boolean;
}

/**
 * What `withScope` sets at the beginning of a transaction, and the decisions that it then has to read, in order:
 * none for readers who see a whole tenant, and none that an earlier transaction has read and that are still valid.
 */
export function beginningOf(scope: Scope): {
  settings: Record<string, string>;
  decisions: readonly Decision[];
} {
  const settings = settingsOf(scope);
  if (scope.kind === 'patient') return { settings, decisions: [heldRules, ownFacilities] };
  if (scope.kind !== 'org') return { settings, decisions: [] };
  const of = { A: [], T: [], O: [organizationFacilities], F: [facilityOrganization], PHJ: [reporting] };
  const known = holding(scope)?.settings;
  const asked = known ? [] : of[scope.orgType];
  return {
    settings: { ...settings, ...known },
    // An emergency access can end at any moment: it is read each time.
    decisions: scope.glass === undefined ? asked : [...asked, glassCase, ofGlassCase, glassPlaces],
  };
}

/** Longer values, such as the facilities of a large organization, are faster to read than to send. */
const keptLength = 4000;

/**
 * Caches what a transaction has found out about its reader, for the next ones; `answers` in the order of `decisions`.
 */
export function keepDecided(
  scope: Scope,
  decisions: readonly Decision[],
  answers: readonly Readonly<Record<string, string>>[],
): void {
  const found = answers.filter((_, index) => decisions[index]!.ofReader);
  const kept = scope.kind === 'org' && found.length > 0 ? holding(scope) : undefined;
  const settings = Object.assign({}, ...found) as Record<string, string>;
  if (kept && Object.values(settings).every((value) => value.length <= keptLength)) kept.settings = settings;
}

function holding(scope: Scope & { kind: 'org' }): Decided | undefined {
  const kept = scope[decided];
  const isOwn = kept?.tenantId === scope.tenantId && kept.orgId === scope.orgId;
  return isOwn && performance.now() < kept.until ? kept : undefined;
}

/** Settings until the end of the transaction, by the SQL of their values. */
const decision = (
  name: string,
  values: Record<string, string>,
  { before = '', ofReader = true } = {},
): Decision => ({
  name: `decide_${name}`,
  ofReader,
  text: `${before} select ${Object.entries(values)
    .map(
      ([setting, value]) => `set_config('${setting}', coalesce((${value})::text, ''), true) as "${setting}"`,
    )
    .join(', ')}`,
});

/** A jurisdiction sees its counties in a tenant that reports to it, and nothing in another. */
const reporting = decision(
  'reporting',
  {
    'app.reports_here': `select 'on' from reports`,
    'app.reported_counties': `select string_agg(county_fips, ',') from jurisdiction_county
      where jurisdiction_id = app_org('PHJ') and exists (select from reports)`,
  },
  {
    before: `with reports as (select from tenant_reporting
      where tenant_id = $1 and jurisdiction_id = app_org('PHJ') and ended_at is null)`,
  },
);

const organizationFacilities = decision('organization_facilities', {
  'app.organization_facilities': `select string_agg(id::text, ',') from facility
    where tenant_id = $1 and organization_id = app_org('O')`,
});

const facilityOrganization = decision('facility_organization', {
  'app.facility_organization': `select organization_id from facility
    where tenant_id = $1 and id = app_org('F')`,
});

/** The tenant's rules for results that patients must first hear in person. */
const heldRules = decision(
  'held_rules',
  {
    'app.held_rules': `select jsonb_object_agg(disease_family || '|' || condition_code || '|' || result_category, held)
      from held_result_rule where tenant_id = $1`,
  },
  { ofReader: false },
);

/** Where the patient was tested, as far as they may know. */
const ownFacilities = decision(
  'own_facilities',
  {
    'app.told_facilities': `select string_agg(distinct facility::text, ',')
      from result r, unnest(array[r.facility_id, r.performing_facility_id]) as facility
      where r.tenant_id = $1 and r.patient_id = app_patient()`,
  },
  { ofReader: false },
);

/** While the access lasts, for its holder, in their organisation. */
const glassCase = decision(
  'glass_case',
  {
    'app.glass_case': `select case_report_id from break_glass
      where tenant_id = $1 and id = nullif(current_setting('app.glass'), '')::uuid
        and account_id = app_account() and org_id = nullif(current_setting('app.org_id'), '')::uuid
        and ended_at is null and expires_at > clock_timestamp()`,
  },
  { ofReader: false },
);

/** Once the case is visible. */
const ofGlassCase = decision(
  'of_glass_case',
  {
    'app.glass_patient': `select patient_id from case_report where tenant_id = $1 and id = app_glass_case()`,
    'app.glass_results': `select string_agg(result_id::text, ',') from case_result
      where tenant_id = $1 and case_report_id = app_glass_case()`,
  },
  { ofReader: false },
);

/** What the opened case and its results reveal, including the results that they replaced. */
const ofGlassResults = `result r where r.tenant_id = $1
  and r.patient_id in (select o.patient_id from result o where o.tenant_id = $1 and o.id = any (app_glass_results()))
  and (r.id = any (app_glass_results()) or r.superseded_by = any (app_glass_results()))`;
const glassPlaces = decision(
  'glass_places',
  {
    'app.glass_specimens': `select string_agg(distinct r.specimen_id::text, ',') from ${ofGlassResults}`,
    'app.told_facilities': `select string_agg(distinct facility::text, ',') from (
      select unnest(array[r.facility_id, r.performing_facility_id]) as facility from ${ofGlassResults}
      union all select facility_id from case_report where tenant_id = $1 and id = app_glass_case()) as k`,
  },
  { ofReader: false },
);

function listed(values: readonly string[] = []): string {
  // A comma, or nothing between two commas, would change the list.
  for (const value of values)
    if (value === '' || value.includes(','))
      throw new Error('an entry of a scope list is empty or holds a comma');
  return values.join(',');
}

/**
 * Whether something of the tenant is hidden from a reader, who then is not notified of its changes as they happen.
 * [P24]
 */
export const isLimited = (scope: Scope): boolean =>
  scope.kind === 'org' && (scope.hiddenFamilies.length > 0 || !['A', 'T'].includes(scope.orgType));
