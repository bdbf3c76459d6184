import { addDays } from '@caseway/contract/date-range';
import { retest } from '@caseway/contract/treatments';
import { testByLoinc } from '../../src/features/reference/catalog.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { Random } from './random.ts';
import { storeResults } from './store-results.ts';

const testOf: Readonly<Record<string, string>> = { chlamydia: '43304-5', gonorrhea: '43305-2' };

interface Treated {
  id: string;
  family: string;
  started_on: string;
  patient_id: string;
  organization_id: string | null;
  facility_id: string | null;
  program_id: string | null;
  county_fips: string | null;
}

/**
 * Tests of people who came back three months after their treatment, as a third of them do: all negative, because a
 * positive one would be another case. From the id of the treatment, so that nothing else of the demo depends on it.
 */
export async function seedRetests(tx: Tx, today: string): Promise<void> {
  const treated = await tx.rows<Treated>(
    `select t.id, t.disease_family as family, t.started_on, t.patient_id, k.organization_id, k.facility_id, k.program_id,
       k.county_fips
     from treatment t join case_report k on k.tenant_id = t.tenant_id and k.id = t.case_report_id
     where t.tenant_id = $1 and t.disease_family = any ($2) and t.started_on > cast($3 as date)`,
    [tx.tenantId, Object.keys(testOf), addDays(today, -600)],
  );
  await storeResults(
    tx,
    treated.flatMap(({ id, family, started_on, ...of }) => {
      const random = new Random(`retest after ${id}`);
      const day = addDays(started_on, random.between(retest.from + 14, retest.until - 45));
      if (day > today || !random.chance(0.34)) return [];
      const loinc = testOf[family]!;
      const { component, method, condition } = testByLoinc(loinc)!;
      const key = `demo:retest:${id}`;
      return [
        {
          ...of,
          source_key: key,
          content_hash: key,
          test_loinc: loinc,
          test_name: component,
          method,
          assay: random.pick(['Aptima Combo 2', 'cobas CT/NG', 'Xpert CT/NG']),
          specimen_site: 'urine',
          condition_code: condition ?? null,
          disease_family: family,
          result_category: 'negative',
          status: 'final',
          value_code: '260415000',
          value_system: 'SCT',
          value_text: 'Not detected',
          ...Object.fromEntries(
            ['collected', 'received', 'resulted', 'reported'].map((step) => [`${step}_on`, day]),
          ),
          created_on: day,
        },
      ];
    }),
  );
}
