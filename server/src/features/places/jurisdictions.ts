import { jurisdictions } from '@caseway/contract/places';
import { faultAt } from '../../platform/http/app-error.ts';
import { nameTaken } from '../../platform/records/record-faults.ts';
import { recordServer } from '../../platform/records/record-server.ts';
import { countyByFips } from '../reference/places.ts';
import { lockPlaces } from './lock-places.ts';
import { beginReporting, endReporting } from './reporting.ts';

const own = 'managed_by_tenant_id = (select app_tenant())';

export const jurisdictionServer = recordServer<typeof jurisdictions>({
  record: jurisdictions,
  tenantColumn: 'managed_by_tenant_id',
  only: `r.${own}`,
  sql: {
    counties:
      'array(select c.county_fips from jurisdiction_county c where c.jurisdiction_id = r.id order by c.county_fips)',
    reporting: `exists (select from tenant_reporting t where t.jurisdiction_id = r.id
      and t.tenant_id = (select app_tenant()) and t.ended_at is null)`,
  },
  searched: ['name'],
  lock: lockPlaces,
  faults: async (tx, { name, parent, counties }, { id }) => {
    const faults = await nameTaken(tx, `jurisdiction where ${own}`, name, id);
    const unknown = (counties ?? []).filter((county) => !countyByFips(county));
    if (unknown.length > 0)
      faults.push(faultAt('counties', 'unknown-choice', `there are no such counties: ${unknown.join(', ')}`));
    if (parent) {
      const above = await tx.rows<{ id: string }>(
        `with recursive above as (
           select id, parent_id from jurisdiction where id = $1 and ${own}
           union select j.id, j.parent_id from jurisdiction j join above a on j.id = a.parent_id)
         select id from above`,
        [parent],
      );
      if (above.length === 0) faults.push(faultAt('parent', 'unknown-choice', 'there is no such record'));
      if (above.some((one) => one.id === id))
        faults.push(faultAt('parent', 'circle', 'jurisdictions would lie within each other'));
    }
    return faults;
  },
  // Another tenant has agreed that it reads the residents of its counties, so its manager cannot add counties.
  faultsElsewhere: async (database, { counties }, { tenantId, id }) => {
    if (!counties) return [];
    const added = await database.withScope({ kind: 'identity' }, (tx) =>
      tx.rows(
        `select from jurisdiction j join tenant_reporting r on r.jurisdiction_id = j.id and r.tenant_id <> $1 and r.ended_at is null
         where j.managed_by_tenant_id = $1 and j.id = $2 and exists (select from unnest($3::text[]) as county
           where county not in (select c.county_fips from jurisdiction_county c where c.jurisdiction_id = j.id)) limit 1`,
        [tenantId, id, counties],
      ),
    );
    return added.length > 0
      ? [faultAt('counties', 'others-report', 'another tenant reports to it for the counties that it has')]
      : [];
  },
  write: async (tx, { counties, reporting }, { tenantId, id, before }) => {
    await tx.run('delete from jurisdiction_county where jurisdiction_id = $1 and county_fips <> all ($2)', [
      id,
      counties,
    ]);
    await tx.run(
      `insert into jurisdiction_county (jurisdiction_id, county_fips, managed_by_tenant_id, reported_by)
       select j.id, county, j.managed_by_tenant_id, j.reported_by
       from jurisdiction j, unnest($2::text[]) as county where j.id = $1 on conflict do nothing`,
      [id, counties],
    );
    if (!reporting) await endReporting(tx, tenantId, id);
    else if (!before?.reporting) await beginReporting(tx, tenantId, id, { restrictedFamilies: false });
  },
});
