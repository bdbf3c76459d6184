import type { Permission } from '@caseway/contract/endpoint';
import { featuresNeeded } from '@caseway/contract/permission';
import {
  type Check,
  compilePolicy,
  type Enforcer,
  passes,
  permissionSubject,
} from '@caseway/contract/policy';
import { createSelector } from '@reduxjs/toolkit';
import type { RootState } from './store.ts';
import { useAppSelector } from './store.ts';

/** The access-rule enforcer of the supplied policy. [S3.6] */
export const selectEnforcer: (state: RootState) => Enforcer = createSelector(
  (state: RootState) => state.authentication.casbinPolicy,
  (lines) => compilePolicy(lines),
);

/** Whether a tenant or beta feature is on for the selected organization. [S1.6] */
export const selectFeatures: (state: RootState) => ReadonlySet<string> = createSelector(
  (state: RootState) => state.authentication.tenantFeatures,
  (state: RootState) => state.authentication.betaFeatures,
  (tenant, beta) => new Set([...tenant, ...beta]),
);

/**
 * What the user may do in the selected organization, as one function: by the policy, and with the
 * permission's feature on there. [S1.6, S6.6]
 */
export const selectMay: (state: RootState) => (check: Check) => boolean = createSelector(
  selectEnforcer,
  (state: RootState) => state.authentication.user?.id,
  (state: RootState) => state.authentication.selectedTenantOrg,
  selectFeatures,
  (enforcer, userId, org, features) => {
    if (userId === undefined || org === null) return () => false;
    const subject = permissionSubject(org, userId);
    return (check) =>
      [check]
        .flat()
        .some(
          (permission) =>
            featuresNeeded(permission).every((feature) => features.has(feature)) &&
            passes(enforcer, userId, subject, permission),
        );
  },
);

/** Whether the user has a permission, or any of several. For hiding actions only; the server decides. */
export function useMay(): (check: Permission | readonly Permission[]) => boolean {
  return useAppSelector(selectMay);
}
