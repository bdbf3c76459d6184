import { v7 } from 'uuid';
import { keysOfCase } from '../../src/features/case-reports/case-keys.ts';
import { takeCaseNumbers } from '../../src/features/case-reports/case-numbers.ts';
import { writeSearchKeys } from '../../src/features/patients/search-keys.ts';
import { recordChange } from '../../src/platform/analytics/outbox.ts';
import { passOn } from '../../src/platform/carried/carried.ts';
import { noteSpecimens } from '../../src/platform/carried/seen-at.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import type { DemoPatient } from './tenants.ts';

/** The results of the demo's patient. The last is withheld until someone has spoken with her. */
const results = [
  {
    family: 'chlamydia',
    loinc: '21613-5',
    test: 'Chlamydia trachomatis DNA',
    specimen: 'urine',
    category: 'negative',
    daysAgo: 9,
  },
  {
    family: 'gonorrhea',
    loinc: '24111-7',
    test: 'Neisseria gonorrhoeae DNA',
    specimen: 'urine',
    category: 'positive',
    daysAgo: 9,
  },
  {
    family: 'coronavirus',
    loinc: '94500-6',
    test: 'SARS-CoV-2 RNA',
    specimen: 'nasopharyngeal-swab',
    category: 'negative',
    daysAgo: 40,
  },
  {
    family: 'hiv',
    loinc: '56888-1',
    test: 'HIV 1 and 2 antigen and antibody',
    specimen: 'blood',
    category: 'positive',
    daysAgo: 8,
  },
] as const;

/**
 * Adds records for the portal to the demo's patient: results of each kind, and a case that staff work on, from which
 * they release the withheld one. As the service of the tenant.
 */
export async function addPortalResults(tx: Tx, { tenantId, patientId }: DemoPatient): Promise<void> {
  const [facility] = await tx.rows<{ id: string; organizationId: string | null }>(
    `select id, organization_id as "organizationId" from facility where tenant_id = $1 and name = 'Mangrove Community Clinic Ybor City'`,
    [tenantId],
  );
  const made: Record<string, string> = {};
  for (const { family, loinc, test, specimen, category, daysAgo } of results) {
    const [resultId, specimenId] = [v7(), v7()];
    made[family] = resultId;
    await tx.run(
      `insert into specimen (tenant_id, id, patient_id, accession, type_code, collected_at)
       values ($1, $2, $3, $4, $5, current_date - $6::int + interval '15 hours')`,
      [tenantId, specimenId, patientId, `portal-${family}`, specimen, daysAgo],
    );
    await tx.run(
      `insert into result (tenant_id, id, patient_id, specimen_id, source_key, content_hash, facility_id, organization_id, test_loinc,
         test_name, method, condition_code, disease_family, result_category, status, collected_at, collected_on, resulted_on,
         reported_on, created_on)
       values ($1, $2, $3, $4, $5, $5, $6, $14, $7, $8, $9, $13, $10, $11, 'final', current_date - $12::int + interval '15 hours',
         current_date - $12::int, current_date - $12::int + 2, current_date - $12::int + 2, current_date - $12::int + 2)`,
      [
        tenantId,
        resultId,
        patientId,
        specimenId,
        `portal-${family}`,
        facility?.id ?? null,
        loinc,
        test,
        family === 'hiv' ? 'antigen-antibody' : 'naat',
        family,
        category,
        daysAgo,
        family === 'coronavirus' ? 'covid-19' : family,
        facility?.organizationId ?? null,
      ],
    );
  }
  await tx.run(
    `update patient set disease_families = (select array_agg(distinct f) from unnest(disease_families || $3::text[]) f),
       facility_ids = (select coalesce(array_agg(distinct f), '{}') from unnest(array_append(facility_ids, $4::uuid)) f
         where f is not null),
       organization_ids = (select coalesce(array_agg(distinct o), '{}')
         from unnest(array_append(organization_ids, $5::uuid)) o where o is not null)
     where tenant_id = $1 and id = $2`,
    [
      tenantId,
      patientId,
      results.map(({ family }) => family),
      facility?.id ?? null,
      facility?.organizationId ?? null,
    ],
  );
  const id = v7();
  const [day] = await tx.rows<{ year: string }>(`select to_char(current_date - 6, 'YYYY') as year`);
  const numbers = await takeCaseNumbers(tx, tenantId, [{ id, year: day!.year, isRestricted: true }]);
  const caseId = numbers.get(id)!;
  await tx.run(
    `insert into case_report (tenant_id, id, case_id, patient_id, condition_code, disease_family, disease_category,
       classification, status, reported_on, created_on, facility_id, organization_id, source)
     values ($1, $2, $3, $4, 'hiv', 'hiv', 'hiv', 'confirmed', 'new', current_date - 6, current_date - 6, $5, $6, 'elr')`,
    [tenantId, id, caseId, patientId, facility?.id ?? null, facility?.organizationId ?? null],
  );
  await tx.run('insert into case_result (tenant_id, case_report_id, result_id) values ($1, $2, $3)', [
    tenantId,
    id,
    made.hiv,
  ]);
  const keys = keysOfCase({ caseId, externalId: null });
  await writeSearchKeys(tx, tenantId, 'case', [{ id, keys, before: [] }]);
  await recordChange(tx, tenantId, 'result', Object.values(made));
  await noteSpecimens(tx, tenantId, Object.values(made));
  await passOn(tx, tenantId, 'patient', [patientId]);
  await passOn(tx, tenantId, 'case_report', [id]);
  await recordChange(tx, tenantId, 'case_report', [id]);
  await recordChange(tx, tenantId, 'patient', [patientId]);
}
