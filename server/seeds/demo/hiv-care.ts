import { addDays, daysBetween } from '@caseway/contract/date-range';
import { testByLoinc } from '../../src/features/reference/catalog.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { Random } from './random.ts';
import { storeResults } from './store-results.ts';

/** Of earlier years, only the first visit exists. */
const daysOfCare = 800;
const [viralLoad, cd4] = ['20447-9', '24467-3'];

interface Diagnosed {
  id: string;
  patient_id: string;
  organization_id: string | null;
  facility_id: string | null;
  program_id: string | null;
  county_fips: string | null;
  collected_on: string;
}

/** How people come to care: how many of a hundred, the days to the first visit and between two, and how many are suppressed. */
const ways = [
  { of: 62, first: [4, 26], between: [80, 150], suppressed: 0.93 },
  { of: 26, first: [20, 150], between: [150, 420], suppressed: 0.55 },
] as const;

/**
 * Viral loads and CD4 counts of people with HIV, from their diagnosis to today: most come regularly, some now and
 * then, some never. From the id of the case, so that nothing else of the demo depends on it.
 */
export async function seedHivCare(tx: Tx, today: string): Promise<void> {
  const diagnosed = await tx.rows<Diagnosed>(
    `select id, patient_id, organization_id, facility_id, program_id, county_fips, cast(collected_on as text) as collected_on
     from case_report where tenant_id = $1 and disease_family = 'hiv' and classification = 'confirmed'
       and collected_on is not null`,
    [tx.tenantId],
  );
  await storeResults(
    tx,
    diagnosed.flatMap((one) => resultsOf(one, today)),
  );
}

function resultsOf({ id, collected_on, ...of }: Diagnosed, today: string) {
  const random = new Random(`care of ${id}`);
  const drawn = random.between(1, 100);
  const way = drawn <= ways[0].of ? ways[0] : drawn <= ways[0].of + ways[1].of ? ways[1] : undefined;
  if (!way) return [];
  const rows: object[] = [];
  const [[soonest, latest], [shortest, longest]] = [way.first, way.between];
  let day = addDays(collected_on, random.between(soonest, latest));
  const since = addDays(today, -daysOfCare);
  for (let visit = 0; day <= today; day = addDays(day, random.between(shortest, longest)), visit++) {
    if (visit > 0 && day < since) continue;
    const treated = daysBetween(collected_on, day) > 120;
    const copies =
      treated && random.chance(way.suppressed) ? random.between(20, 190) : random.between(900, 180_000);
    const tests = [[viralLoad, copies, 'copies/mL'] as const];
    const counts = random.chance(0.7) ? [[cd4, random.between(180, 900), 'cells/uL'] as const] : [];
    for (const [loinc, value, units] of [...tests, ...counts]) {
      const { component, method, condition } = testByLoinc(loinc!)!;
      const key = `demo:care:${id}:${day}:${loinc}`;
      rows.push({
        ...of,
        source_key: key,
        content_hash: key,
        test_loinc: loinc,
        test_name: component,
        method,
        condition_code: condition ?? null,
        disease_family: 'hiv',
        result_category: 'quantitative',
        status: 'final',
        value_number: value,
        value_text: String(value),
        units,
        ...Object.fromEntries(
          ['collected', 'received', 'resulted', 'reported'].map((step) => [`${step}_on`, day]),
        ),
        created_on: day,
      });
    }
  }
  return rows;
}
