import { logoAddress } from '@caseway/contract/logo';
import { betaFeatures, featuresFor } from '@caseway/contract/permission';
import type { SettingsAnswer, TenantSettings } from '@caseway/contract/settings';
import type { Tx } from '../../platform/db/database.ts';
import { sensitiveForGuardians } from '../reference/catalog.ts';
import { shorteningsOf } from './retention.ts';

interface Row extends Omit<TenantSettings, 'features'> {
  version: number;
  tenantFeatures: string[];
  betaFeatures: string[];
}
export interface StoredSettings {
  version: number;
  settings: TenantSettings;
}

const columns: Readonly<Record<Exclude<keyof TenantSettings, 'features'>, string>> = {
  name: 'name',
  phone: 'phone',
  experience: 'experience',
  timeZone: 'time_zone',
  workdays: 'workdays',
  federalHolidays: 'federal_holidays',
  daysOff: 'days_off',
  tenantLanguages: 'tenant_languages',
  externalLanguages: 'external_languages',
  defaultLanguage: 'default_language',
  smallCellThreshold: 'small_cell_threshold',
  genderIdentityKept: 'gender_identity_kept',
  patientsBook: 'patients_book',
  ownAccountAge: 'own_account_age',
  guardianUntilAge: 'guardian_until_age',
  guardianRights: 'guardian_rights',
  guardianFamilies: 'guardian_families',
  guardianFamiliesUntilAge: 'guardian_families_until_age',
  restrictedFamilies: 'restricted_families',
  breakGlassMinutes: 'break_glass_minutes',
  sessionIdleMinutes: 'session_idle_minutes',
  sessionHours: 'session_hours',
  secondFactorRequired: 'second_factor_required',
  rawMessageMonths: 'raw_message_months',
  auditMonths: 'audit_months',
  uploadDays: 'upload_days',
  notForProduction: 'not_for_production',
  testSenders: 'test_senders',
};
const isBeta = (feature: string) => (betaFeatures as readonly string[]).includes(feature);

/** The settings of a tenant; with `lock`, anyone else who changes them waits until the transaction has ended. */
export async function settingsOf(tx: Tx, tenantId: string, lock = false): Promise<StoredSettings> {
  const selected = Object.entries(columns).map(([field, column]) => `${column} as "${field}"`);
  const [row] = await tx.rows<Row>(
    `select settings_version as version, tenant_features as "tenantFeatures", beta_features as "betaFeatures",
       ${selected.join(', ')} from tenant where id = $1 ${lock ? 'for update' : ''}`,
    [tenantId],
  );
  const { version, tenantFeatures, betaFeatures: onTrial, ...rest } = row!;
  return { version, settings: { ...rest, features: featuresFor([...tenantFeatures, ...onTrial]) } };
}

/** Writes all of them, as the next version. Beta features have their own column. */
export async function storeSettings(tx: Tx, tenantId: string, settings: TenantSettings): Promise<void> {
  const { features, ...rest } = settings;
  const values: Record<string, unknown> = {
    tenant_features: features.filter((feature) => !isBeta(feature)),
    beta_features: features.filter(isBeta),
  };
  for (const [field, column] of Object.entries(columns)) values[column] = rest[field as keyof typeof rest];
  const names = Object.keys(values);
  await tx.run(
    `update tenant set settings_version = settings_version + 1,
       ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} where id = $1`,
    [tenantId, ...Object.values(values)],
  );
}

/** Limits running sessions to the length of new ones. In the scope `identity`. */
export async function shortenSessions(
  tx: Tx,
  tenantId: string,
  { sessionIdleMinutes, sessionHours }: TenantSettings,
): Promise<void> {
  const open = 'revoked_at is null and expires_at > now()';
  const [{ accounts }] = (await tx.rows(
    `select array(
       select account_id from session where ${open} and account_id in (
         select account_id from membership where tenant_id = $1 and ended_at is null
         union select id from account where patient_tenant_id = $1)) as accounts`,
    [tenantId],
  )) as [{ accounts: string[] }];
  await tx.run(
    `update session set idle_minutes = least(idle_minutes, $2::integer),
       expires_at = least(expires_at, created_at + make_interval(hours => $3::integer))
     where ${open} and account_id = any ($1)`,
    [accounts, sessionIdleMinutes, sessionHours],
  );
}

/** The answer to the screen's first request and to every change. */
export async function settingsAnswer(
  tx: Tx,
  tenantId: string,
  alwaysRestricted: readonly string[],
): Promise<SettingsAnswer> {
  const { version, settings } = await settingsOf(tx, tenantId);
  // Nothing is known about people who are only invited.
  const [row] = await tx.rows<{ people: number; logo: string | null }>(
    `select t.logo_hash as logo, (select count(distinct a.id)::int from membership m join account a on a.id = m.account_id
         where m.tenant_id = $1 and m.ended_at is null and a.disabled_at is null and a.second_factor_at is null)
       + (select count(distinct person_id)::int from membership_offer where tenant_id = $1 and ended_at is null)
       as people from tenant t where t.id = $1`,
    [tenantId],
  );
  return {
    version,
    settings,
    logo: logoAddress(row!.logo),
    alwaysRestricted: [...alwaysRestricted],
    sensitiveForGuardians: [...new Set([...sensitiveForGuardians, ...settings.restrictedFamilies])].sort(),
    withoutSecondFactor: row!.people,
    system: settings.experience === 'SYSTEM_ADMINISTRATION',
    shortenings: await shorteningsOf(tx, tenantId, settings),
  };
}
