import type { Permission } from './endpoint.ts';
import type { OrgType } from './session.ts';

/**
 * Every permission, as `module/action`. Roles grant them, endpoints name them, menus check them; each is
 * explained under `permission.<module>/<action>`.
 */
export const permissions = [
  // The only permission that everyone has without a policy. [S6.3]
  'general/other',
  'case-reports/read',
  'case-reports/write',
  // Transitions of a case: send cases to jurisdictions, answer for a jurisdiction, assign cases,
  // investigate, approve and close.
  'case-reports/route',
  'case-reports/accept',
  'case-reports/assign',
  'case-reports/investigate',
  'case-reports/approve',
  'case-reports/export',
  'contacts/read',
  'contacts/write',
  'contacts/export',
  'partner-services/read',
  // Record findings about a case and its partners.
  'partner-services/investigate',
  // Assign, close and reopen them.
  'partner-services/supervise',
  'partner-services/export',
  'field-visits/read',
  'field-visits/write',
  // Assign visits, and finish, cancel and reopen them where workers cannot.
  'field-visits/assign',
  'field-visits/export',
  'patients/read',
  'patients/write',
  'patients/merge',
  'patients/export',
  'incident-reports/read',
  'incident-reports/write',
  // Close, discard and reopen them.
  'incident-reports/close',
  'incident-reports/export',
  'vaccinations/read',
  'vaccinations/write',
  'vaccinations/export',
  'documents/read',
  'documents/write',
  'documents/export',
  'sample-shipments/read',
  'sample-shipments/write',
  'sample-shipments/export',
  'telemedicine/read',
  'telemedicine/write',
  // Be bookable as a provider, and conduct visits.
  'telemedicine/provide',
  'telemedicine/export',
  'imports/read',
  'imports/write',
  'mappings/write',
  'testing-analytics/read',
  'sti-analytics/read',
  'case-report-analytics/read',
  'tenant-case-report-analytics/read',
  'hiv-analytics/read',
  'incident-report-analytics/read',
  'field-visit-analytics/read',
  'telemedicine-analytics/read',
  'partner-service-analytics/read',
  'operations-analytics/read',
  'presets/share',
  // Read exact numbers, not those of half the persons, but no single record. [P17]
  'analytics/exact',
  // Read single records behind charts, and so exact numbers too. [P17]
  'line-lists/read',
  // Export those records as a file.
  'line-lists/export',
  // See restricted disease families. [P18]
  'restricted-families/read',
  // Open a single hidden record for a stated reason and a short time.
  'break-glass/write',
  // Read who did so and why, and end it.
  'privacy/officer',
  'users/read',
  'users/write',
  'roles/write',
  'settings/write',
  // Create, suspend and maintain whole tenants.
  'tenants/write',
  // View health, storage, feeds and job queues of the whole system.
  'system/read',
  'audit/read',
] as const satisfies readonly Permission[];
export type KnownPermission = (typeof permissions)[number];

/** Each of these gives exact numbers: no small cell is withheld. [P17] */
export const exactRights = [
  'analytics/exact',
  'line-lists/read',
] as const satisfies readonly KnownPermission[];

/** The kinds of permission subject a grant can be for. [S6.4] */
export const subjectKinds = ['A', 'T', 'O', 'F', 'PHJ'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** The kind of permission subject an organization is. */
export const subjectKindOf = (orgType: OrgType, experience: string): SubjectKind =>
  orgType === 'T' && experience === 'SYSTEM_ADMINISTRATION' ? 'A' : orgType;

/**
 * The kinds for which a permission has an effect; for unlisted permissions, all except system administration.
 */
const kindsOf: Readonly<Partial<Record<KnownPermission, readonly SubjectKind[]>>> = {
  'general/other': subjectKinds,
  'patients/merge': ['T'],
  'tenant-case-report-analytics/read': ['T'],
  'operations-analytics/read': ['T'],
  'mappings/write': ['T'],
  'break-glass/write': ['T', 'O', 'F'],
  'privacy/officer': ['T'],
  'sample-shipments/read': ['T', 'O', 'F'],
  'sample-shipments/write': ['T', 'O', 'F'],
  'sample-shipments/export': ['T', 'O', 'F'],
  'imports/read': ['T', 'O', 'F'],
  'imports/write': ['T', 'O', 'F'],
  'users/read': ['A', 'T', 'O', 'F'],
  'users/write': ['A', 'T', 'O', 'F'],
  'roles/write': ['A', 'T'],
  'settings/write': ['A', 'T'],
  'tenants/write': ['A'],
  'system/read': ['A'],
  'audit/read': ['A', 'T', 'O', 'F'],
};
const everywhere: readonly SubjectKind[] = ['T', 'O', 'F', 'PHJ'];

/** The kinds of permission subject on which a permission can be granted. */
export const grantableOn = (permission: KnownPermission): readonly SubjectKind[] =>
  kindsOf[permission] ?? everywhere;

/**
 * Features a tenant can switch off: the permissions of these modules then answer `feature-off`, and their
 * menu entries and routes disappear. Codes as in `tenantFeatures` of the init answer. [S1.6]
 */
export const features = [
  'testing-analytics',
  'sti-analytics',
  'case-report-analytics',
  'tenant-case-report-analytics',
  'hiv-analytics',
  'incident-report-analytics',
  'field-visit-analytics',
  'telemedicine-analytics',
  'partner-service-analytics',
  'operations-analytics',
  'case-reports',
  'contacts',
  'partner-services',
  'field-visits',
  'patients',
  'incident-reports',
  'vaccinations',
  'documents',
  'sample-shipments',
  'telemedicine',
  'imports',
  'weekly-cases',
] as const;
export type Feature = (typeof features)[number];

/** Beta features: off until a tenant switches them on; `betaFeatures` of the init answer. */
export const betaFeatures: readonly Feature[] = ['weekly-cases'];

/** The features that are on in a new tenant. */
export const ordinaryFeatures = features.filter((feature) => !betaFeatures.includes(feature));

/** A tenant's on and off switches for one organization, facility or jurisdiction. */
export type OwnSwitches = Readonly<Partial<Record<Feature, boolean>>>;

/**
 * The features of one organization, facility or jurisdiction of a tenant with `tenantOn`, in the order of
 * `features`. It can only switch off the tenant's features, but can also switch on a beta feature. [S1.6]
 */
export const featuresFor = (tenantOn: readonly string[], own: OwnSwitches = {}): Feature[] =>
  features.filter((feature) =>
    betaFeatures.includes(feature)
      ? (own[feature] ?? tenantOn.includes(feature))
      : tenantOn.includes(feature) && own[feature] !== false,
  );

/** Modules that belong to a feature of another name. */
const featureOfModule: Readonly<Record<string, Feature>> = { mappings: 'imports' };

/** One feature, several, or none. */
export type FeatureNeed = Feature | readonly Feature[] | undefined;

/** The features that must be on for a permission: its own, and those an endpoint or screen also names. */
export const featuresNeeded = (permission: Permission, beside?: FeatureNeed): Feature[] => {
  const own = featureOf(permission);
  return [...new Set([...(own ? [own] : []), ...[beside ?? []].flat()])];
};

/** A permission's feature; undefined if it cannot be switched off. */
export function featureOf(permission: Permission): Feature | undefined {
  const module = permission.slice(0, permission.indexOf('/'));
  return featureOfModule[module] ?? features.find((feature) => feature === module);
}
