import type { Tx } from '../db/database.ts';
import { passOn } from './carried.ts';

/*
 * A specimen is visible with any of its results, a facility with any of its results or cases. Both carry the disease
 * families of these by the place where they are visible: `{"*" or an organization, a facility or a county:
 * [families]}`, with `-` for a result without a known family. A specimen also carries the results that tell its
 * patient about it (decision record 0054). All of this is computed in the scope of the service, which sees all
 * results.
 */

const families = (rows: string) => `(select jsonb_object_agg(place, families) from (
    select place, jsonb_agg(distinct family collate "C") as families
    from (${rows}) as k, unnest(array['*', k.organization_id::text, k.facility_id::text, k.county_fips]) as place
    where place is not null group by place) as at)`;

const ofResult = (condition: string) =>
  `select organization_id, facility_id, county_fips, coalesce(disease_family, '-') as family from result where ${condition}`;

/** What a specimen `s` carries; `tenant`: the SQL of its tenant. */
export const specimenSight = (tenant: string) => ({
  seen_at: families(ofResult(`tenant_id = ${tenant} and specimen_id = s.id`)),
  told: `array(select distinct one collate "C" from result r, unnest(array[
      concat_ws('|', r.patient_id, coalesce(r.disease_family, ''), coalesce(r.condition_code, ''), r.result_category),
      case when r.released_at is not null then r.patient_id::text end]) as one
    where r.tenant_id = ${tenant} and r.specimen_id = s.id and one is not null order by 1)`,
});

/** What a facility `f` carries; `tenant`: the SQL of its tenant. */
export const facilitySight = (tenant: string) =>
  `coalesce(${families(
    `${ofResult(`tenant_id = ${tenant} and facility_id = f.id`)}
    union all ${ofResult(`tenant_id = ${tenant} and performing_facility_id = f.id`)}
    union all select organization_id, facility_id, county_fips, disease_family from case_report
      where tenant_id = ${tenant} and facility_id = f.id`,
  )}, '{}')`;

/** Updates what the specimens of these results carry, after the results were written. */
export async function noteSpecimens(tx: Tx, tenantId: string, resultIds: readonly string[]): Promise<void> {
  if (resultIds.length === 0) return;
  const { seen_at, told } = specimenSight('$1');
  const changed = await tx.rows<{ id: string }>(
    `update specimen s set seen_at = n.seen_at, told = n.told
     from (select s.id, ${seen_at} as seen_at, ${told} as told
       from specimen s where s.tenant_id = $1 and s.id in (
         select specimen_id from result where tenant_id = $1 and id = any ($2))) n
     where s.tenant_id = $1 and s.id = n.id and (s.seen_at, s.told) is distinct from (n.seen_at, n.told)
     returning s.id`,
    [tenantId, resultIds],
  );
  await passOn(
    tx,
    tenantId,
    'specimen',
    changed.map(({ id }) => id),
  );
}

/** The same for facilities, after results or cases have left them or moved to other places. */
export async function noteFacilities(
  tx: Tx,
  tenantId: string,
  ids: readonly string[] | 'all',
): Promise<void> {
  // Facilities are on every server, but what they carry comes from the tenant's server. It is read first, and
  // facilities that are already right are not written.
  const changed = await tx.rows<{ id: string; seen: string }>(
    `select n.id, n.seen_at::text as seen from (select f.id, f.seen_at as before, ${facilitySight('$1')} as seen_at
       from facility f where f.tenant_id = $1 and ($2::uuid[] is null or f.id = any ($2))) n
     where n.before <> n.seen_at`,
    [tenantId, ids === 'all' ? null : ids],
  );
  if (changed.length === 0) return;
  await tx.run(
    `update facility f set seen_at = n.seen_at from unnest($2::uuid[], $3::jsonb[]) as n (id, seen_at)
     where f.tenant_id = $1 and f.id = n.id`,
    [tenantId, changed.map(({ id }) => id), changed.map(({ seen }) => seen)],
  );
}

/** A result or a case that makes a facility visible. */
export interface SeenRecord {
  facilityId: string | null;
  /** For a result: the facility that tested it. */
  performingFacilityId?: string | null;
  organizationId: string | null;
  countyFips: string | null;
  /** Null or absent: without a known family. */
  family?: string | null;
}

/** What a new specimen with these results carries. */
export function specimenSeen(
  results: readonly (SeenRecord & {
    patientId: string;
    observed: { diseaseFamily: string | null; conditionCode: string | null; category: string };
  })[],
): { seen_at: Record<string, string[]> | null; told: string[] } {
  const seen = new Map<string, Set<string>>();
  const told = new Set<string>();
  for (const { organizationId, facilityId, countyFips, patientId, observed } of results) {
    const { diseaseFamily, conditionCode, category } = observed;
    told.add([patientId, diseaseFamily ?? '', conditionCode ?? '', category].join('|'));
    for (const place of ['*', organizationId, facilityId, countyFips])
      if (place) seen.set(place, (seen.get(place) ?? new Set()).add(diseaseFamily ?? '-'));
  }
  const places = [...seen].map(([place, families]) => [place, [...families].sort()] as const);
  return { seen_at: places.length > 0 ? Object.fromEntries(places) : null, told: [...told].sort() };
}

/** What facilities carry for these records, by facility id. */
export function facilitiesSeen(records: readonly SeenRecord[]): Map<string, Record<string, string[]>> {
  const seen = new Map<string, Record<string, string[]>>();
  for (const { facilityId, performingFacilityId, organizationId, countyFips, family } of records)
    for (const id of new Set([facilityId, performingFacilityId])) {
      if (!id) continue;
      const places = seen.get(id) ?? {};
      seen.set(id, places);
      for (const place of ['*', organizationId, facilityId, countyFips]) {
        if (!place) continue;
        const families = places[place] ?? [];
        places[place] = families;
        if (families.includes(family ?? '-')) continue;
        families.push(family ?? '-');
        families.sort();
      }
    }
  return seen;
}

/** Adds new records to what their facilities carry. Most already have the place and the family. */
export const noteSeen = (tx: Tx, tenantId: string, records: readonly SeenRecord[]): Promise<void> =>
  addSeen(tx, tenantId, facilitiesSeen(records));

export async function addSeen(
  tx: Tx,
  tenantId: string,
  seen: ReadonlyMap<string, Record<string, string[]>>,
): Promise<void> {
  if (seen.size === 0) return;
  const more = JSON.stringify(Object.fromEntries(seen));
  // Found by a list of ids and not by a join: if statistics know few facilities of a tenant, a join reads all of
  // them for each id. And read first: a statement that writes to facilities, which are on every server, waits for
  // every other writer, even if it changes no row. A laboratory may carry thousands of places, which take long to
  // read.
  const changed = await tx.rows<{ id: string }>(
    `select f.id from facility f
     where f.tenant_id = $1 and f.id = any ($2::uuid[]) and not f.seen_at @> ($3::jsonb -> f.id::text)`,
    [tenantId, [...seen.keys()], more],
  );
  if (changed.length === 0) return;
  await tx.run(
    `update facility f set seen_at = app_seen_with(f.seen_at, $3::jsonb -> f.id::text)
     where f.tenant_id = $1 and f.id = any ($2::uuid[])`,
    [tenantId, changed.map(({ id }) => id), more],
  );
}
