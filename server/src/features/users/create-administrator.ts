import { ordinaryFeatures } from '@caseway/contract/permission';
import { v7 } from 'uuid';
import { auditAccount } from '../../platform/audit/auditor.ts';
import { noteMemberships } from '../../platform/carried/carried.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { defaultRoleId, installDefaultRoles } from '../roles/default-roles.ts';

export interface NewAdministrator {
  /** Also the user name. */
  email: string;
  firstName: string;
  lastName: string;
  /**
   * A tenant to administer, created if there is none with this slug; without it, the account administers the whole
   * system.
   */
  tenant?: { slug: string; name: string };
}

export interface MadeAdministrator {
  username: string;
  tenantName: string;
  madeTenant: boolean;
  madeAccount: boolean;
  /** False if the account already had this role; then nothing was changed. */
  granted: boolean;
}

const system = { slug: 'system', name: 'System administration' };

/**
 * Creates the first administrator of the system or of a tenant, and the tenant if it is missing. Repeating it
 * changes nothing. Throws an Error if the account is disabled, or the tenant is of the other kind.
 */
export async function createAdministrator(
  database: Database,
  wanted: NewAdministrator,
): Promise<MadeAdministrator> {
  const { slug, name } = wanted.tenant ?? system;
  const experience = wanted.tenant ? 'PUBLIC_HEALTH' : 'SYSTEM_ADMINISTRATION';
  // System administrators belong to the tenant with that experience, whatever its name.
  const find = (tx: Tx) =>
    tx
      .selectFrom('tenant')
      .select(['id', 'name', 'experience'])
      .where((where) => (wanted.tenant ? where('slug', '=', slug) : where('experience', '=', experience)))
      .orderBy('created_at')
      .executeTakeFirst();
  const known = await database.withScope({ kind: 'system' }, find);
  if (known && known.experience === 'SYSTEM_ADMINISTRATION' && wanted.tenant)
    throw new Error(`The tenant ${slug} administers the system and is no health department.`);
  const tenantId = known?.id ?? v7();
  if (!known)
    await database.withScope({ kind: 'service', tenantId }, async (tx) => {
      await tx
        .insertInto('tenant')
        .values({
          id: tenantId,
          slug,
          name,
          experience,
          tenant_features: wanted.tenant ? [...ordinaryFeatures] : [],
        })
        .execute();
      await installDefaultRoles(tx, tenantId);
    });

  const made = await database.withScope({ kind: 'identity' }, async (tx) => {
    const username = wanted.email.toLowerCase();
    const account = await tx
      .selectFrom('account')
      .select(['id', 'disabled_at'])
      .where('username', '=', username)
      // A patient with the same name has a separate account.
      .where('patient_id', 'is', null)
      .executeTakeFirst();
    if (account?.disabled_at) throw new Error(`The account ${username} is disabled.`);
    const accountId = account?.id ?? v7();
    if (!account)
      await tx
        .insertInto('account')
        .values({
          id: accountId,
          cognito_account_id: accountId,
          username,
          email: wanted.email,
          first_name: wanted.firstName,
          last_name: wanted.lastName,
        })
        .execute();
    const { id: membershipId } = await tx
      .insertInto('membership')
      .values({ tenant_id: tenantId, id: v7(), account_id: accountId, org_type: 'T', org_id: tenantId })
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'account_id', 'org_type', 'org_id']).doUpdateSet({ ended_at: null }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    await noteMemberships(tx, [accountId]);
    const role = wanted.tenant ? 'tenant-administrator' : 'system-administrator';
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('membership_role')
      .values({
        tenant_id: tenantId,
        membership_id: membershipId,
        role_id: defaultRoleId(tenantId, role),
        account_id: accountId,
        org_type: 'T',
        org_id: tenantId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    const granted = Boolean(numInsertedOrUpdatedRows);
    if (granted)
      await auditAccount(tx, accountId, 'account/made-administrator', { role, tenantId, by: 'command' });
    return { username, madeAccount: !account, granted };
  });
  return { ...made, tenantName: known?.name ?? name, madeTenant: !known };
}
