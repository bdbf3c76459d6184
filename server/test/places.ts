/**
 * Where the tables are once the data is spread over several servers by tenant (Citus). All others are records: they
 * have a `tenant_id`, and are on the server of their tenant. [P22]
 */
export const places = {
  /** Only on the first server: sign-in, and data of the installation. */
  local: [
    'account_recovery',
    'backup_made',
    'contact_change',
    'passkey',
    'recovery_approval',
    'recovery_code',
    'schema_migration',
    'secret_mark',
    'session',
    'sign_in_challenge',
    'sign_in_failure',
    'totp_authenticator',
  ],
  /**
   * On every server: data that sign-in reads over all tenants, and data that records of every tenant are joined with.
   */
  shared: [
    'account',
    'facility',
    'facility_alias',
    'feature_switch',
    'held_result_rule',
    'jurisdiction',
    'jurisdiction_county',
    'label_override',
    'location',
    'mail_text',
    'membership',
    'membership_offer',
    'membership_role',
    'organization',
    'policy_version',
    'program',
    'program_type',
    'role',
    'role_grant',
    'role_parent',
    'task',
    'tenant',
    'tenant_reporting',
  ],
} as const;
