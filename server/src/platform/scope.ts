/**
 * On whose behalf a transaction runs. Row-level security shows each scope its own rows and nothing else; without a
 * scope there are no rows at all. The policies in server/migrations read it as the settings that `settingsOf` names.
 */
export type Scope =
  /** Sign-in, sessions and memberships; sees no record of a tenant. */
  | { kind: 'identity' }
  /** The importer and the replica follower: one whole tenant. */
  | { kind: 'service'; tenantId: string }
  /** The list of tenants and the jobs; sees no patient record. */
  | { kind: 'system' }
  /** A patient who has signed in: what is theirs, and nothing of anybody else. */
  | { kind: 'patient'; tenantId: string; patientId: string; accountId: string }
  /** A person who acts for an organisation. */
  | {
      kind: 'org';
      tenantId: string;
      /** The permission subject: 'A' is a tenant organisation that administers the system. */
      orgType: 'A' | 'T' | 'O' | 'F' | 'PHJ';
      orgId: string;
      accountId: string;
      /** Five-digit county codes of a jurisdiction; empty for every other type. */
      counties: string[];
      /** Codes of the restricted disease families that this person may not see. */
      hiddenFamilies: string[];
      /** Whether the tenant keeps gender identity and sexual orientation; where it does not, none is shown. */
      genderIdentityShown: boolean;
      /** Reads in the log why hidden records were opened, and which. */
      privacyOfficer?: boolean;
      /** The access by which this transaction may read a record that is hidden otherwise; the database asks if it lasts. */
      glass?: string;
    };

/** All settings of a scope, always the same names: one that a scope does not have is the empty string. */
export function settingsOf(scope: Scope): Record<string, string> {
  const org = scope.kind === 'org' ? scope : undefined;
  return {
    'app.scope': scope.kind,
    'app.tenant_id': 'tenantId' in scope ? scope.tenantId : '',
    'app.org_type': org?.orgType ?? '',
    'app.org_id': org?.orgId ?? '',
    'app.account_id': 'accountId' in scope ? scope.accountId : '',
    'app.patient_id': 'patientId' in scope ? scope.patientId : '',
    'app.counties': listed(org?.counties),
    'app.hidden_families': listed(org?.hiddenFamilies),
    'app.gender_identity_shown': org?.genderIdentityShown ? 'on' : '',
    'app.privacy_officer': org?.privacyOfficer ? 'on' : '',
    'app.glass': org?.glass ?? '',
  };
}

function listed(values: readonly string[] = []): string {
  // A comma or nothing between two commas would be read as another list than was meant.
  for (const value of values)
    if (value === '' || value.includes(','))
      throw new Error('an entry of a scope list is empty or holds a comma');
  return values.join(',');
}
