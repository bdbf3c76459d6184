import { ordinaryFeatures } from '@caseway/contract/permission';
import { installDefaultRoles } from '../../src/features/roles/default-roles.ts';
import { storeLogo } from '../../src/features/settings/logo.ts';
import { noteMemberships, passOn } from '../../src/platform/carried/carried.ts';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { matchName } from '../../src/platform/text/fold.ts';
import { demoAccounts } from './accounts.ts';
import type { DemoTenant, Labels } from './tenant-parts.ts';
import { type DemoWorld, demoWorld } from './tenants.ts';

/**
 * Makes the demo's tenants with everything except people: organisations, facilities, programmes, jurisdictions,
 * default roles, accounts. Existing data does not change, so it can be called at every start.
 */
export async function seedDemoTenants(database: Database): Promise<DemoWorld> {
  const world = demoWorld();
  for (const tenant of [world.system, world.demo, world.vendor])
    await database.withScope({ kind: 'service', tenantId: tenant.id }, (tx) => insertTenant(tx, tenant));
  await database.withScope({ kind: 'identity' }, (tx) => insertJurisdictions(tx, world));
  await database.withScope({ kind: 'identity' }, (tx) => insertAccounts(tx, world));
  return world;
}

const labelColumns = ({ label, labelI18N }: Labels) => ({ label, label_i18n: JSON.stringify(labelI18N) });

async function insertTenant(tx: Tx, tenant: DemoTenant): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('tenant')
    .values({
      id: tenant.id,
      name: tenant.name,
      slug: tenant.slug,
      experience: tenant.experience,
      state_fips: tenant.stateFips,
      time_zone: tenant.timeZone,
      tenant_languages: tenant.languages,
      external_languages: tenant.languages,
      tenant_features: [...ordinaryFeatures],
      guide_checked: tenant.guideChecked,
      patients_book: tenant.slug === 'demo',
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) return;
  if (tenant.logo) await storeLogo(tx, tenant.id, await tenant.logo());
  await installDefaultRoles(tx, tenant.id);
  const rows = <Row extends object>(list: readonly Row[]) =>
    list.map((row) => ({ tenant_id: tenant.id, ...row }));
  if (tenant.organizations.length > 0)
    await tx.insertInto('organization').values(rows(tenant.organizations)).execute();
  if (tenant.facilities.length > 0)
    await tx
      .insertInto('facility')
      .values(
        rows(
          tenant.facilities.map((facility) => ({
            id: facility.id,
            organization_id: facility.organizationId,
            name: facility.name,
            match_name: matchName(facility.name),
            facility_type: facility.facilityType,
            clia: facility.clia,
            npi: facility.npi,
            street: facility.street,
            city: facility.city,
            state_fips: facility.countyFips.slice(0, 2),
            postal_code: facility.postalCode,
            county_fips: facility.countyFips,
            phone: facility.phone,
            experience: facility.experience,
          })),
        ),
      )
      .execute();
  if (tenant.programTypes.length > 0)
    await tx
      .insertInto('program_type')
      .values(rows(tenant.programTypes.map((type) => ({ id: type.id, ...labelColumns(type) }))))
      .execute();
  if (tenant.programs.length > 0)
    await tx
      .insertInto('program')
      .values(
        rows(
          tenant.programs.map((program) => ({
            id: program.id,
            program_type_id: program.programTypeId,
            organization_id: program.organizationId,
            disease_families: program.diseaseFamilies,
            ...labelColumns(program),
          })),
        ),
      )
      .execute();
  if (tenant.tasks.length > 0)
    await tx
      .insertInto('task')
      .values(
        rows(
          tenant.tasks.map((task) => ({
            id: task.id,
            program_id: task.programId,
            task_category: task.taskCategory,
            ...labelColumns(task),
          })),
        ),
      )
      .execute();
  await passOn(tx, tenant.id, 'program', 'all');
}

async function insertJurisdictions(tx: Tx, { jurisdictions }: DemoWorld): Promise<void> {
  for (const { id, name, parentId, countyFips, tenantIds } of jurisdictions) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('jurisdiction')
      .values({
        id,
        name,
        parent_id: parentId,
        managed_by_tenant_id: tenantIds[0]!,
        reported_by: tenantIds,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) continue;
    await tx
      .insertInto('jurisdiction_county')
      .values(
        countyFips.map((county_fips) => ({
          jurisdiction_id: id,
          county_fips,
          managed_by_tenant_id: tenantIds[0]!,
          reported_by: tenantIds,
        })),
      )
      .execute();
    await tx
      .insertInto('tenant_reporting')
      .values(tenantIds.map((tenant_id) => ({ tenant_id, jurisdiction_id: id })))
      .execute();
  }
}

async function insertAccounts(tx: Tx, world: DemoWorld): Promise<void> {
  for (const account of demoAccounts(world)) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('account')
      .values({
        id: account.id,
        cognito_account_id: account.id,
        username: account.username,
        email: account.username,
        first_name: account.firstName,
        last_name: account.lastName,
        language_code: account.languageCode,
        time_zone: account.timeZone,
        patient_tenant_id: account.patient?.tenantId ?? null,
        patient_id: account.patient?.patientId ?? null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) continue;
    for (const membership of account.memberships) {
      await tx
        .insertInto('membership')
        .values({
          tenant_id: membership.tenantId,
          id: membership.id,
          account_id: account.id,
          org_type: membership.orgType,
          org_id: membership.orgId,
        })
        .execute();
      // By their codes, because a role from a later version has another id.
      await tx.run(
        `insert into membership_role (tenant_id, membership_id, role_id, account_id, org_type, org_id)
         select tenant_id, $2, id, $4, $5, $6 from role where tenant_id = $1 and code = any ($3) returning 1`,
        [
          membership.tenantId,
          membership.id,
          membership.roles,
          account.id,
          membership.orgType,
          membership.orgId,
        ],
      );
    }
    await noteMemberships(tx, [account.id]);
  }
}
