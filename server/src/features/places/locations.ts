import type { Fault } from '@caseway/contract/error';
import { type LocationLevel, levelsWithin, locations, removeLocation } from '@caseway/contract/places';
import type { Tx } from '../../platform/db/database.ts';
import { lookupsChanged } from '../../platform/grid/lookups.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { faultsOfConditions, unknownIn } from '../../platform/records/record-faults.ts';
import { recordServer } from '../../platform/records/record-server.ts';
import { readVersion } from '../../platform/records/record-sql.ts';
import { tenantOf } from '../../platform/records/serve-records.ts';
import { lockPlaces } from './lock-places.ts';

// Its ancestors, and the name of each level: a list is in the order of the rooms, their shelves, these shelves' bays,
// and the boxes in each.
const room = 'coalesce(a.name, g.name, p.name, r.name)';
const shelf = `case 'shelf' when r.level then r.name when p.level then p.name when g.level then g.name end`;
const bay = `case 'bay' when r.level then r.name when p.level then p.name end`;
const box = `case r.level when 'box' then r.name end`;

export const locationServer = recordServer<typeof locations>({
  record: locations,
  joined: `left join location p on p.tenant_id = r.tenant_id and p.id = r.parent_id
    left join location g on g.tenant_id = p.tenant_id and g.id = p.parent_id
    left join location a on a.tenant_id = g.tenant_id and a.id = g.parent_id`,
  sql: {
    // The same as `locationDisplayName`. [S3.8]
    displayName: `concat(${room}, ':Shelf:' || ${shelf}, ':Bay' || ${bay}, ':Box:' || ${box})`,
    parts: '(select count(*) from location c where c.tenant_id = r.tenant_id and c.parent_id = r.id)::int',
    specimens: (tenant) =>
      `((select count(*) from specimen s where s.tenant_id = ${tenant} and s.location_id = r.id)
        + (select count(*) from storage_place s where s.tenant_id = ${tenant} and s.location_id = r.id))::int`,
  },
  more: { room, shelf, bay, box, within: 'array_remove(array[r.id, p.id, g.id, a.id], null)' },
  filters: { withinFilter: { kind: 'choice', sql: 'f.within', ids: true, many: true, order: [] } },
  searched: ['room', 'shelf', 'bay', 'box'],
  lock: lockPlaces,
  faults: async (tx, next, { tenantId, id, before }) => {
    // Its parent cannot change, so its name is checked within it.
    const { facility, parent } = before ?? next;
    const faults = await unknownIn(
      tx,
      'facility',
      'facility',
      facility,
      'tenant_id = (select app_tenant()) and merged_into is null',
    );
    if (facility === undefined || parent === undefined) return faults;
    const known = { ...before, ...next };
    faults.push(
      ...faultsOfConditions(locations, known, Object.keys(next)).filter(({ path }) => path in next),
    );
    const { coldest, warmest } = known;
    if (typeof coldest === 'number' && typeof warmest === 'number' && coldest > warmest)
      faults.push(faultAt('warmest', 'below-coldest', 'it is below the lowest temperature'));
    if (before === null) faults.push(...(await misplaced(tx, tenantId, { ...next, facility, parent })));
    if (next.name === undefined) return faults;
    const same = await tx.rows(
      `select from location where tenant_id = $1 and id <> $2 and facility_id = $3
         and parent_id is not distinct from $4 and app_fold(name) = app_fold($5)`,
      [tenantId, id, facility, parent, next.name],
    );
    if (same.length > 0)
      faults.push(faultAt('name', 'name-taken', 'another one there has this name or code'));
    return faults;
  },
});

/** Faults of a new location's parent and level. */
async function misplaced(
  tx: Tx,
  tenantId: string,
  { facility, parent, level }: { facility: string; parent: string | null; level?: LocationLevel },
): Promise<Fault[]> {
  if (parent === null)
    return level === undefined || level === 'location'
      ? []
      : [faultAt('parent', 'required', 'it is part of a location')];
  const [around] = await tx.rows<{ level: LocationLevel }>(
    'select level from location where tenant_id = $1 and id = $2 and facility_id = $3',
    [tenantId, parent, facility],
  );
  if (!around) return [faultAt('parent', 'unknown-choice', 'there is no such location')];
  if (level === undefined || levelsWithin[around.level].includes(level)) return [];
  return [faultAt('level', 'not-within', `a ${level} is not directly in a ${around.level}`)];
}

/** Removes a location that nothing refers to. */
export function serveLocationRemoval(app: App): void {
  serve(app, removeLocation, async (call) => {
    const tenantId = tenantOf(call);
    const { id } = call.params;
    await call.withScope(async (tx) => {
      await lockPlaces(tx, tenantId);
      const { displayName, parts, specimens } = await readVersion(tx, locationServer, id, call.query.version);
      if (parts > 0 || specimens > 0) throw inUse();
      await tx.run('delete from location where tenant_id = $1 and id = $2', [tenantId, id]).catch((error) => {
        // Something that the reader does not see, or that was added since, refers to it.
        throw error.code === '23503' ? inUse() : error;
      });
      call.audit({
        action: 'location/removed',
        recordKind: 'location',
        recordIds: [id],
        detail: { before: { name: displayName } },
      });
    });
    await lookupsChanged(app, tenantId);
    return {};
  });
}

const inUse = () =>
  new AppError('validation-failed', {
    faults: [faultAt('', 'in-use', 'something lies in it; it can be deactivated')],
  });
