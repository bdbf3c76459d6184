import { addDays } from '@caseway/contract/date-range';
import { anyRecord } from '@caseway/contract/record';
import { vaccinationRecord } from '@caseway/contract/vaccinations';
import type { Tx } from '../../src/platform/db/database.ts';
import { keepFirstVersions } from '../../src/platform/records/record-versions.ts';
import { loadRows } from './load.ts';
import { demoId } from './tenant-parts.ts';

type Given = readonly [
  vaccine: string,
  manufacturer: string,
  lot: string,
  route: string,
  site: string,
  days: number,
];
const usual: readonly Given[] = [
  ['150', 'PMC', 'UT8007AB', 'intramuscular', 'left-arm', 20],
  ['309', 'PFR', 'LN2307', 'intramuscular', 'left-arm', 45],
  ['115', 'SKB', '7D2PL', 'intramuscular', 'right-arm', 400],
  ['03', 'MSD', 'W029917', 'subcutaneous', 'left-arm', 800],
  ['165', 'MSD', 'W034481', 'intramuscular', 'right-arm', 250],
];

/** Vaccinations of some people of clinics, and of those whose record the demo's patient reads in the portal. */
export async function seedVaccinations(tx: Tx, today: string, inPortal: readonly string[]): Promise<void> {
  const { tenantId } = tx;
  const people = await tx.rows<{ id: string; facility: string }>(
    `select id, facility_ids[1] as facility from patient
     where tenant_id = $1 and merged_into is null and not 'hiv' = any (disease_families) and facility_ids <> '{}'
       and birth_date < date '2010-01-01'
     order by md5(cast(id as text)) limit 150`,
    [tenantId],
  );
  const all = [
    ...people.map(({ id, facility }, place) => ({
      id,
      facility,
      given: usual[place % usual.length]!,
      place,
    })),
    ...inPortal.flatMap((id, number) =>
      usual
        .slice(0, 3)
        .map((given, place) => ({ id, facility: null, given, place: 1000 * (number + 1) + place })),
    ),
  ];
  const rows = all.map(({ id, facility, given, place }) => {
    const [vaccine, manufacturer, lot, route, site, days] = given;
    const on = addDays(today, -days - (place % 90));
    return {
      tenant_id: tenantId,
      id: demoId(`vaccination/${tenantId}/${place}`),
      patient_id: id,
      ...{ vaccine, manufacturer, lot, route, site },
      given_on: on,
      dose: '1',
      facility_id: facility,
      source: facility ? 'here' : 'record',
      created_on: on,
    };
  });
  await loadRows(tx, 'vaccination', rows, 'patient');
  await keepFirstVersions(
    tx,
    anyRecord(vaccinationRecord),
    tenantId,
    rows.map(({ id }) => id),
    null,
  );
}
