/**
 * Where the tables lie once the data is spread over several servers by tenant (Citus). Everything else is a record: it has
 * a `tenant_id`, and lies on the server of its tenant. [P22]
 */
export const places = {
  /** On the first server alone: sign-in, and what is of the installation. */
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
  /** On every server: what sign-in reads over all tenants, and what records of every tenant are joined with. */
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
