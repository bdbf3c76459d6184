import type { OrgType } from '@caseway/contract/session';

/** Where administrators let people back in who have lost every way to sign in. */
export const recoveryPath = '/admin/users/recovery';

/** Where the users of each type of organisation are. [S2.2] */
export const pathOfType: Readonly<Record<OrgType, string>> = {
  T: '/admin/users/tenants',
  O: '/admin/users/organizations',
  F: '/admin/users/facilities',
  PHJ: '/admin/users/jurisdictions',
};
