import type { Permission } from './endpoint.ts';

/**
 * Every permission there is, `module/action`. Roles grant them, endpoints name them, menus ask for them;
 * what one allows in plain words is in the locales under `permission.<module>/<action>`.
 */
export const permissions = [
  // The one permission everybody has without a policy. [S6.3]
  'general/other',
  'case-reports/read',
  'case-reports/write',
  'case-reports/export',
  'patients/read',
  'patients/write',
  'patients/merge',
  'imports/read',
  'imports/write',
  'mappings/write',
  'testing-analytics/read',
  'presets/share',
  // Reads single records behind charts, and numbers without small-cell suppression. [P17]
  'line-lists/read',
  // Sees restricted disease families. [P18]
  'restricted-families/read',
  'users/read',
  'users/write',
  'roles/write',
  'settings/write',
  'tenants/write',
  'audit/read',
] as const satisfies readonly Permission[];
export type KnownPermission = (typeof permissions)[number];

/**
 * Features that a tenant can switch off: the permissions of these modules then answer `feature-off`, and their menu
 * entries and routes are gone. Codes as in `tenantFeatures` of the init answer. [S1.6]
 */
export const features = ['testing-analytics', 'case-reports', 'patients', 'imports'] as const;
export type Feature = (typeof features)[number];

/** Modules that belong to a feature of another name. */
const featureOfModule: Readonly<Record<string, Feature>> = { mappings: 'imports' };

/** The feature a permission is of; undefined for what cannot be switched off. */
export function featureOf(permission: Permission): Feature | undefined {
  const module = permission.slice(0, permission.indexOf('/'));
  return featureOfModule[module] ?? features.find((feature) => feature === module);
}
