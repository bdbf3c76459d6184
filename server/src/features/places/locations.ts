import { locationDisplayName } from '@caseway/contract/label';
import {
  type LocationFields,
  type LocationRecord,
  locationEndpoints,
  locationGrid,
  locationLevels,
  placeStatuses,
  removeLocation,
} from '@caseway/contract/places';
import type { GridSource } from '../../platform/grid/grid-sql.ts';
import { lookupsChanged } from '../../platform/grid/lookups.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { lockPlaces, type RecordKind, readToChange, tenantOf, unknownIn, wordsOf } from './records.ts';

// In the order of the rooms, their shelves and the bays of these.
const table = (
  tenant: string,
) => `(select l.tenant_id, l.id, l.name, l.facility_id as facility, l.parent_id as parent, l.level, l.version,
    l.deactivated_at is null as active, case when l.deactivated_at is null then 'active' else 'inactive' end as status,
    coalesce(g.name, p.name, l.name) as room,
    case l.level when 'shelf' then l.name when 'bay' then p.name end as shelf,
    case l.level when 'bay' then l.name end as bay, array_remove(array[l.id, p.id, g.id], null) as within,
    (select count(*) from location c where c.tenant_id = l.tenant_id and c.parent_id = l.id)::int as parts,
    (select count(*) from specimen s where s.tenant_id = ${tenant} and s.location_id = l.id)::int as specimens
  from location l
  left join location p on p.tenant_id = l.tenant_id and p.id = l.parent_id
  left join location g on g.tenant_id = p.tenant_id and g.id = p.parent_id)`;

const source: GridSource<typeof locationGrid> = {
  grid: locationGrid,
  table,
  fields: {
    displayName: {
      kind: 'text',
      sql: `concat(f.room, ':shelf:' || f.shelf, ':bay' || f.bay)`,
    },
    level: { kind: 'choice', sql: 'f.level', order: locationLevels },
    facility: { kind: 'choice', sql: 'f.facility', ids: true, order: 'facilities' },
    parts: { kind: 'number', sql: 'f.parts' },
    specimens: { kind: 'number', sql: 'f.specimens' },
    status: { kind: 'choice', sql: 'f.status', order: placeStatuses },
  },
  filters: { withinFilter: { kind: 'choice', sql: 'f.within', ids: true, many: true, order: [] } },
  searchText: wordsOf('f.room', 'f.shelf', 'f.bay'),
};

type Stored = Omit<LocationRecord, 'displayName'> & {
  tenant_id: string;
  room: string;
  shelf: string | null;
  bay: string | null;
  within: string[];
};

export const locationKind: RecordKind<LocationFields, LocationRecord> = {
  name: 'location',
  table: 'location',
  tenantColumn: 'tenant_id',
  endpoints: locationEndpoints,
  source,
  columns: { name: 'name', facility: 'facility_id', parent: 'parent_id' },
  read: async (tx, ids) => {
    const rows = await tx.rows<Stored>(
      `select * from ${table('$1')} f where f.tenant_id = $1 and f.id = any ($2::uuid[])`,
      [tx.tenantId, ids],
    );
    return rows.map(({ tenant_id: _, within: __, room, shelf, bay, ...row }) => ({
      ...row,
      displayName: locationDisplayName({ name: room, shelfCode: shelf, bayCode: bay }),
    }));
  },
  faults: async (tx, next, { tenantId, id, before }) => {
    const moved =
      before !== null &&
      ((next.facility !== undefined && next.facility !== before.facility) ||
        (next.parent !== undefined && next.parent !== before.parent));
    // Its parent cannot change, so its name is checked there.
    const { facility, parent } = before ?? next;
    const faults = moved
      ? [faultAt('parent', 'kept', 'what a location lies in stays')]
      : await unknownIn(
          tx,
          'facility',
          'facility',
          facility,
          'tenant_id = (select app_tenant()) and merged_into is null',
        );
    if (facility === undefined || parent === undefined) return faults;
    if (parent !== null) {
      const rows = await tx.rows<{ level: string }>(
        'select level from location where tenant_id = $1 and id = $2 and facility_id = $3',
        [tenantId, parent, facility],
      );
      if (rows.length === 0) faults.push(faultAt('parent', 'unknown-choice', 'there is no such location'));
      else if (rows[0]!.level === 'bay') faults.push(faultAt('parent', 'too-deep', 'nothing lies in a bay'));
    }
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
  // A level is the one below its parent's.
  write: async (tx, { parent }, { tenantId, id, before }) => {
    if (before === null && parent !== null)
      await tx.run(
        `update location l set level = case when p.level = 'location' then 'shelf' else 'bay' end
         from location p where l.tenant_id = $1 and l.id = $2 and p.tenant_id = $1 and p.id = l.parent_id`,
        [tenantId, id],
      );
  },
  derived: ({ parent }, { before }) =>
    before === null ? { level: parent === null ? 'location' : 'shelf' } : {},
};

/** Removes a location that nothing refers to. */
export function serveLocationRemoval(app: App): void {
  serve(app, removeLocation, async (call) => {
    const tenantId = tenantOf(call);
    const { id } = call.params;
    await call.withScope(async (tx) => {
      await lockPlaces(tx, tenantId);
      const { displayName, parts, specimens } = await readToChange(tx, locationKind, id, call.query.version);
      if (parts > 0 || specimens > 0) throw inUse();
      await tx.run('delete from location where tenant_id = $1 and id = $2', [tenantId, id]).catch((error) => {
        // Something that the reader does not see, or that was added since.
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
