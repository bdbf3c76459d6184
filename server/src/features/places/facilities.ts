import { confirmFacility, type FacilityRecord, facilities, mergeFacility } from '@caseway/contract/places';
import { v7 } from 'uuid';
import type { Tx } from '../../platform/db/database.ts';
import { lookupsChanged } from '../../platform/grid/lookups.ts';
import { actIn } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { unknownIn } from '../../platform/records/record-faults.ts';
import { keepVersion } from '../../platform/records/record-history.ts';
import { recordServer } from '../../platform/records/record-server.ts';
import { readRecord, readRecords, readVersion } from '../../platform/records/record-sql.ts';
import { tenantOf } from '../../platform/records/serve-records.ts';
import { matchName } from '../../platform/text/fold.ts';
import { countyByFips, stateByFips } from '../reference/places.ts';
import { lockPlaces } from './lock-places.ts';
import { mergeInto } from './merge.ts';

export const facilityServer = recordServer<typeof facilities>({
  record: facilities,
  // A facility that was merged into another one is no longer a facility.
  only: 'r.merged_into is null',
  sql: {
    status: `case when r.deactivated_at is not null then 'inactive' when r.registered then 'active' else 'waiting' end`,
    results: 'null::int',
  },
  searched: ['name', 'city', 'clia', 'npi'],
  lock: lockPlaces,
  complete: async (tx, rows) => {
    const waiting = rows.filter(({ status }) => status === 'waiting').map(({ id }) => id);
    const counted =
      waiting.length === 0
        ? []
        : await tx.rows<{ id: string; n: number }>(
            `select f.id, (select count(*) from (
                select from result r where r.tenant_id = $1 and r.facility_id = f.id and r.superseded_by is null
                union all
                select from result r where r.tenant_id = $1 and r.performing_facility_id = f.id
                  and r.facility_id is distinct from f.id and r.superseded_by is null
                limit 1000) seen)::int as n
             from unnest($2::uuid[]) as f (id)`,
            [tx.tenantId, waiting],
          );
    const results = new Map(counted.map(({ id, n }) => [id, n]));
    return rows.map((row) => ({ ...row, results: results.get(row.id) ?? null }));
  },
  faults: async (tx, { organization, state, county }) => [
    ...(await unknownIn(tx, 'organization', 'organization', organization)),
    ...(state && !stateByFips(state) ? [faultAt('state', 'unknown-choice', 'there is no such state')] : []),
    ...(county && !countyByFips(county)
      ? [faultAt('county', 'unknown-choice', 'there is no such county')]
      : []),
    ...(county && state && !county.startsWith(state)
      ? [faultAt('county', 'county-elsewhere', 'the county lies in another state')]
      : []),
  ],
  derived: ({ name }) => ({ match_name: matchName(name) }),
  // Reports still use the earlier name.
  write: async (tx, { name }, { tenantId, id, before }) => {
    if (before === null || matchName(before.name) === matchName(name)) return;
    await tx.run(
      `insert into facility_alias (tenant_id, id, facility_id, match_name, postal_code)
       select $1, $2, $3, $4, $5 where not exists (select from facility_alias a
         where a.tenant_id = $1 and a.facility_id = $3 and a.match_name = $4) returning 1`,
      [tenantId, v7(), id, matchName(before.name), before.postalCode],
    );
  },
});

/** A facility that waits for someone to confirm it. */
async function waiting(tx: Tx, id: string, version: number): Promise<FacilityRecord> {
  const stored = await readVersion(tx, facilityServer, id, version);
  if (stored.status !== 'waiting') throw new AppError('conflict');
  return stored;
}

/** Actions on facilities that imports have made. */
export function serveWaiting(app: App): void {
  serve(app, confirmFacility, async (call) => {
    const tenantId = tenantOf(call);
    const { id } = call.params;
    const confirmed = await call.withScope(async (tx) => {
      await lockPlaces(tx, tenantId);
      const { name } = await waiting(tx, id, call.body.version);
      await tx.run(
        'update facility set registered = true, version = version + 1 where tenant_id = $1 and id = $2',
        [tenantId, id],
      );
      await keepVersion(tx, facilityServer, tenantId, id, {
        version: call.body.version + 1,
        accountId: call.account.accountId,
        changes: { status: { from: 'waiting', to: 'active' } },
      });
      call.audit({
        action: 'facility/confirmed',
        recordKind: 'facility',
        recordIds: [id],
        detail: { name, before: { status: 'waiting' }, after: { status: 'active' } },
      });
      return readRecord(tx, facilityServer, id);
    });
    await lookupsChanged(app, tenantId);
    return confirmed;
  });

  serve(app, mergeFacility, async (call) => {
    const tenantId = tenantOf(call);
    const { into, version } = call.body;
    const { id } = call.params;
    // In the scope of the service, because records that the person may not see are moved too.
    await actIn(app, call, { kind: 'service', tenantId }, tenantId, async (tx, audit) => {
      await lockPlaces(tx, tenantId);
      const from = await waiting(tx, id, version);
      const target = into === id ? undefined : (await readRecords(tx, facilityServer, [into]))[0];
      if (!target?.active)
        throw new AppError('validation-failed', {
          faults: [faultAt('into', 'unknown-choice', 'there is no such facility')],
        });
      await mergeInto(tx, { tenantId, accountId: call.account.accountId }, from, target);
      await audit({
        action: 'facility/merged',
        recordKind: 'facility',
        recordIds: [id, into],
        detail: {
          before: { facility: from.name, clia: from.clia, npi: from.npi },
          after: { facility: target.name, clia: target.clia, npi: target.npi },
        },
      });
    });
    await lookupsChanged(app, tenantId);
    return call.withScope((tx) => readRecord(tx, facilityServer, into));
  });
}
