import { type KnownPermission, type SubjectKind, subjectKinds } from '@caseway/contract/permission';
import { v5 } from 'uuid';
import type { Tx } from '../../platform/db/database.ts';

export interface RoleDefinition {
  code: string;
  label: string;
  labelI18N: Record<string, string>;
  /** Codes of the roles that it inherits from. */
  inherits: readonly string[];
  grants: readonly {
    on: readonly SubjectKind[];
    allow?: readonly KnownPermission[];
    deny?: readonly KnownPermission[];
  }[];
}

const labels = (label: string, es: string, ht: string, enGB?: string) => ({
  label,
  labelI18N: { es, ht, ...(enGB && { 'en-GB': enGB }) },
});

/**
 * The roles of a new tenant, which it can change on a screen. [S6.8] Each has what its work needs and no more:
 * people who only read numbers see no single record (`line-lists/read`), and restricted disease families are for
 * people who investigate them (`restricted-families/read`).
 */
export const defaultRoles: readonly RoleDefinition[] = [
  {
    code: 'member',
    ...labels('Member', 'Miembro', 'Manm'),
    inherits: [],
    grants: [{ on: subjectKinds, allow: ['general/other'] }],
  },
  {
    code: 'system-administrator',
    ...labels('System administrator', 'Administración del sistema', 'Administratè sistèm'),
    inherits: ['member'],
    grants: [
      {
        on: ['A'],
        allow: [
          'tenants/write',
          'system/read',
          'users/read',
          'users/write',
          'roles/write',
          'settings/write',
          'audit/read',
        ],
      },
    ],
  },
  {
    // An administrator can grant only what they have, so this role has everything in its tenant.
    code: 'tenant-administrator',
    ...labels('Tenant administrator', 'Administración de la entidad', 'Administratè enstitisyon an'),
    inherits: [
      'epidemiologist',
      'case-investigator',
      'disease-intervention-specialist',
      'supervisor',
      'program-manager',
      'laboratorian',
      'data-entry',
      'auditor',
      'privacy-officer',
    ],
    grants: [
      {
        on: ['T'],
        allow: [
          'users/read',
          'users/write',
          'roles/write',
          'settings/write',
          'analytics/exact',
          // Answers on behalf of a jurisdiction, and gives its people the permission.
          'case-reports/accept',
          'telemedicine/provide',
        ],
      },
    ],
  },
  {
    code: 'epidemiologist',
    ...labels('Epidemiologist', 'Profesional de epidemiología', 'Epidemyolojis'),
    inherits: ['read-only-analyst'],
    grants: [
      {
        on: ['T', 'O'],
        allow: [
          'case-reports/read',
          'case-reports/write',
          'case-reports/route',
          'case-reports/assign',
          'case-reports/investigate',
          'case-reports/approve',
          'case-reports/export',
          'contacts/read',
          'contacts/write',
          'contacts/export',
          'partner-services/read',
          'partner-services/investigate',
          'partner-services/supervise',
          'partner-services/export',
          'field-visits/read',
          'field-visits/write',
          'field-visits/assign',
          'field-visits/export',
          'patients/read',
          'patients/export',
          'incident-reports/read',
          'incident-reports/write',
          'incident-reports/close',
          'incident-reports/export',
          'vaccinations/read',
          'vaccinations/write',
          'vaccinations/export',
          'documents/read',
          'documents/write',
          'documents/export',
          'sample-shipments/read',
          'sample-shipments/export',
          'telemedicine/read',
          'telemedicine/export',
          'imports/read',
          'imports/write',
          'line-lists/read',
          'line-lists/export',
          'presets/share',
          'break-glass/write',
        ],
      },
      // Code mappings and the matching of people belong to the whole tenant.
      { on: ['T'], allow: ['mappings/write', 'patients/merge'] },
    ],
  },
  {
    code: 'case-investigator',
    ...labels('Case investigator', 'Personal de investigación de casos', 'Anketè sou ka'),
    inherits: ['member'],
    grants: [
      {
        on: ['T', 'O'],
        allow: [
          'case-reports/read',
          'case-reports/write',
          'case-reports/investigate',
          'contacts/read',
          'contacts/write',
          'partner-services/read',
          'partner-services/investigate',
          'field-visits/read',
          'field-visits/write',
          'patients/read',
          'patients/write',
          'incident-reports/read',
          'incident-reports/write',
          'vaccinations/read',
          'vaccinations/write',
          'documents/read',
          'documents/write',
          'imports/read',
          'testing-analytics/read',
          'sti-analytics/read',
          'partner-service-analytics/read',
          'case-report-analytics/read',
          'incident-report-analytics/read',
          'field-visit-analytics/read',
          'telemedicine-analytics/read',
          'hiv-analytics/read',
          'line-lists/read',
          'restricted-families/read',
          'break-glass/write',
        ],
      },
      {
        on: ['T'],
        allow: ['patients/merge', 'tenant-case-report-analytics/read', 'operations-analytics/read'],
      },
    ],
  },
  {
    code: 'disease-intervention-specialist',
    ...labels(
      'Disease intervention specialist',
      'Especialista en intervención de enfermedades',
      'Espesyalis entèvansyon maladi',
    ),
    inherits: ['member'],
    grants: [
      {
        on: ['T', 'O', 'F'],
        allow: [
          'case-reports/read',
          'case-reports/write',
          'case-reports/investigate',
          'contacts/read',
          'contacts/write',
          'partner-services/read',
          'partner-services/investigate',
          'field-visits/read',
          'field-visits/write',
          'patients/read',
          'patients/write',
          'incident-reports/read',
          'incident-reports/write',
          'vaccinations/read',
          'vaccinations/write',
          'documents/read',
          'documents/write',
          'sti-analytics/read',
          'partner-service-analytics/read',
          'hiv-analytics/read',
          'field-visit-analytics/read',
          'line-lists/read',
          'restricted-families/read',
        ],
      },
    ],
  },
  {
    // Leads a team of investigators: assigns their work, sees what waits, and approves what they have completed.
    code: 'supervisor',
    ...labels('Supervisor', 'Supervisión', 'Sipèvizè'),
    inherits: ['case-investigator'],
    grants: [
      {
        on: ['T', 'O'],
        allow: [
          'case-reports/route',
          'case-reports/assign',
          'case-reports/approve',
          'case-reports/export',
          'partner-services/supervise',
          'partner-services/export',
          'contacts/export',
          'field-visits/assign',
          'field-visits/export',
          'incident-reports/close',
          'line-lists/export',
          'presets/share',
        ],
      },
    ],
  },
  {
    // Runs the HIV and STI programs: reads everything about them but changes no record.
    code: 'program-manager',
    ...labels(
      'HIV and STI program manager',
      'Coordinación de los programas de VIH e ITS',
      'Responsab pwogram VIH ak ITS',
      'HIV and STI programme manager',
    ),
    inherits: ['read-only-analyst'],
    grants: [
      {
        on: ['T'],
        allow: [
          'case-reports/read',
          'case-reports/export',
          'partner-services/read',
          'patients/read',
          'hiv-analytics/read',
          'line-lists/read',
          'line-lists/export',
          'restricted-families/read',
          'presets/share',
        ],
      },
    ],
  },
  {
    code: 'clinician',
    ...labels('Clinician (telemedicine)', 'Personal clínico (telemedicina)', 'Klinisyen (telemedsin)'),
    inherits: ['member'],
    grants: [
      {
        on: ['T', 'O', 'F'],
        allow: [
          'case-reports/read',
          'patients/read',
          'patients/write',
          'incident-reports/read',
          'incident-reports/write',
          'vaccinations/read',
          'vaccinations/write',
          'documents/read',
          'documents/write',
          'sample-shipments/read',
          'sample-shipments/write',
          'telemedicine/read',
          'telemedicine/write',
          'telemedicine/provide',
          'telemedicine-analytics/read',
          'line-lists/read',
          'break-glass/write',
        ],
      },
    ],
  },
  {
    code: 'laboratorian',
    ...labels('Laboratorian', 'Personal de laboratorio', 'Pèsonèl laboratwa'),
    inherits: ['read-only-analyst'],
    grants: [
      {
        on: ['T', 'O', 'F'],
        allow: [
          'patients/read',
          'incident-reports/read',
          'incident-reports/write',
          'vaccinations/read',
          'vaccinations/write',
          'documents/read',
          'sample-shipments/read',
          'sample-shipments/write',
          'sample-shipments/export',
          'imports/read',
          'imports/write',
          'line-lists/read',
        ],
      },
      { on: ['T'], allow: ['mappings/write'] },
    ],
  },
  {
    code: 'data-entry',
    ...labels('Data entry', 'Captura de datos', 'Antre done'),
    inherits: ['member'],
    grants: [
      {
        on: ['T', 'O', 'F'],
        allow: [
          'case-reports/read',
          'case-reports/write',
          'patients/read',
          'patients/write',
          'incident-reports/read',
          'incident-reports/write',
          'vaccinations/read',
          'vaccinations/write',
          'documents/read',
          'documents/write',
          'sample-shipments/read',
          'sample-shipments/write',
          'telemedicine/read',
          'telemedicine/write',
          'imports/read',
          'imports/write',
          'line-lists/read',
        ],
      },
    ],
  },
  {
    code: 'read-only-analyst',
    ...labels('Read-only analyst', 'Analista de solo lectura', 'Analis lekti sèlman'),
    inherits: ['member'],
    grants: [
      {
        on: ['T', 'O', 'F', 'PHJ'],
        allow: [
          'testing-analytics/read',
          'sti-analytics/read',
          'partner-service-analytics/read',
          'case-report-analytics/read',
          'incident-report-analytics/read',
          'field-visit-analytics/read',
          'telemedicine-analytics/read',
        ],
      },
      { on: ['T'], allow: ['tenant-case-report-analytics/read', 'operations-analytics/read'] },
    ],
  },
  {
    code: 'organization-administrator',
    ...labels(
      'Organization administrator',
      'Administración de la organización',
      'Administratè òganizasyon',
      'Organisation administrator',
    ),
    inherits: ['read-only-analyst'],
    grants: [
      {
        on: ['O'],
        allow: [
          'users/read',
          'users/write',
          'case-reports/read',
          'patients/read',
          'incident-reports/read',
          // This role assigns the role of a facility user.
          'incident-reports/write',
          'vaccinations/read',
          'vaccinations/write',
          'documents/read',
          'sample-shipments/read',
          'sample-shipments/write',
          'imports/read',
          'imports/write',
          'line-lists/read',
          'presets/share',
        ],
      },
    ],
  },
  {
    code: 'facility-user',
    ...labels('Facility user', 'Personal del establecimiento', 'Itilizatè etablisman'),
    inherits: ['read-only-analyst'],
    grants: [
      {
        on: ['F'],
        allow: [
          'case-reports/read',
          'patients/read',
          'incident-reports/read',
          'incident-reports/write',
          'vaccinations/read',
          'vaccinations/write',
          'documents/read',
          'sample-shipments/read',
          'sample-shipments/write',
          'imports/read',
          'imports/write',
          'line-lists/read',
        ],
      },
    ],
  },
  {
    code: 'jurisdiction-user',
    ...labels('Jurisdiction user', 'Personal de la jurisdicción', 'Itilizatè jiridiksyon'),
    inherits: ['read-only-analyst'],
    grants: [
      {
        on: ['PHJ'],
        allow: [
          'case-reports/read',
          'case-reports/accept',
          'case-reports/export',
          'contacts/read',
          'contacts/export',
          'field-visits/read',
          'field-visits/export',
          'patients/read',
          'incident-reports/read',
          'incident-reports/export',
          'vaccinations/read',
          'documents/read',
          'telemedicine/read',
          'line-lists/read',
          'line-lists/export',
          'presets/share',
        ],
      },
    ],
  },
  {
    code: 'auditor',
    ...labels('Auditor', 'Auditoría', 'Oditè'),
    inherits: ['member'],
    grants: [{ on: ['A', 'T', 'O'], allow: ['audit/read'] }],
  },
  {
    code: 'privacy-officer',
    ...labels('Privacy officer', 'Responsable de privacidad', 'Responsab konfidansyalite'),
    inherits: ['member'],
    grants: [{ on: ['T'], allow: ['privacy/officer', 'audit/read'] }],
  },
];

const namespace = '0a7d1cf4-9a0b-4d1e-8f6e-2c0f3d2f7a55';

/** The id of a tenant's role that was made from a default one. */
export const defaultRoleId = (tenantId: string, code: string): string => v5(`${tenantId}/${code}`, namespace);

/** Gives a new tenant the default roles. */
export async function installDefaultRoles(tx: Tx, tenantId: string): Promise<void> {
  await tx
    .insertInto('role')
    .values(
      defaultRoles.map(({ code, label, labelI18N }) => ({
        tenant_id: tenantId,
        id: defaultRoleId(tenantId, code),
        code,
        label,
        label_i18n: JSON.stringify(labelI18N),
      })),
    )
    .execute();
  await tx
    .insertInto('role_parent')
    .values(
      defaultRoles.flatMap(({ code, inherits }) =>
        inherits.map((parent) => ({
          tenant_id: tenantId,
          role_id: defaultRoleId(tenantId, code),
          parent_id: defaultRoleId(tenantId, parent),
        })),
      ),
    )
    .execute();
  await tx
    .insertInto('role_grant')
    .values(
      defaultRoles.flatMap(({ code, grants }) =>
        grants.flatMap(({ on, allow = [], deny = [] }) =>
          on.flatMap((obj) =>
            [
              ...allow.map((act) => ({ act, eft: 'allow' })),
              ...deny.map((act) => ({ act, eft: 'deny' })),
            ].map((grant) => ({
              tenant_id: tenantId,
              role_id: defaultRoleId(tenantId, code),
              obj,
              ...grant,
            })),
          ),
        ),
      ),
    )
    .execute();
  await tx.insertInto('policy_version').values({ tenant_id: tenantId }).execute();
}
