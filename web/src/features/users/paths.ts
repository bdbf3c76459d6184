import type { OrgType } from '@caseway/contract/session';

/** Where administrators let people back in who can no longer sign in. */
export const recoveryPath = '/admin/users/recovery';

/** The screens of users by type of organization. [S2.2] */
export const pathOfType: Readonly<Record<OrgType, string>> = {
  T: '/admin/users/tenants',
  O: '/admin/users/organizations',
  F: '/admin/users/facilities',
  PHJ: '/admin/users/jurisdictions',
};
