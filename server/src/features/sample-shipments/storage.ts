import type { NamedAction } from '@caseway/contract/audit-action';
import type { LocationLevel } from '@caseway/contract/places';
import {
  listStorage,
  nextFree,
  type Position,
  positionName,
  readBox,
  type StorageBox,
  type StoragePlace,
  type StoredState,
  storeSpecimen,
  type Taken,
  takeOutStored,
} from '@caseway/contract/storage';
import type { Tx } from '../../platform/db/database.ts';
import { actIn } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refused } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { inItsTenant } from '../../platform/records/serve-patient-records.ts';
import { specimenTypeLabel } from '../reference/specimen-labels.ts';
import { isOwnPlace } from './shipment-server.ts';
import { type Box, lockBox, type Mover, move, positionsTaken, takeOut } from './storage-moves.ts';

/*
 * Boxes and what lies in them. A reader sees the specimens at places of theirs whose families are not hidden from
 * them. All other taken positions are shown as taken, because nothing else fits there; they tell no number. [P18]
 */

const around = `left join location p on p.tenant_id = l.tenant_id and p.id = l.parent_id
  left join location g on g.tenant_id = p.tenant_id and g.id = p.parent_id
  left join location a on a.tenant_id = g.tenant_id and a.id = g.parent_id`;
const isActive = 'coalesce(l.deactivated_at, p.deactivated_at, g.deactivated_at, a.deactivated_at) is null';

/** The box, as far as the reader sees its place. */
async function boxOf(tx: Tx, id: string): Promise<Box & { active: boolean; path: StorageBox['path'] }> {
  const [box] = await tx.rows<
    Box & { active: boolean; path: { id: string; name: string; level: LocationLevel }[] }
  >(
    `select l.id, l.name, l.facility_id as facility, l.row_count as rows, l.column_count as columns,
       coalesce(p.coldest, g.coldest, a.coldest) as coldest, coalesce(p.warmest, g.warmest, a.warmest) as warmest,
       ${isActive} as active,
       (select json_agg(json_build_object('id', o.id, 'name', o.name, 'level', o.level) order by o.place)
         from (values (1, a.id, a.name, a.level), (2, g.id, g.name, g.level), (3, p.id, p.name, p.level))
           as o (place, id, name, level) where o.id is not null) as path
     from location l ${around} where l.tenant_id = $1 and l.id = $2 and l.level = 'box'`,
    [tx.tenantId, id],
  );
  if (!box) throw new AppError('not-found');
  return box;
}

/** The specimens in a box that the reader sees. */
async function seenIn(tx: Tx, id: string): Promise<Taken[]> {
  const rows = await tx.rows<
    Position & {
      id: string;
      code: string;
      state: StoredState;
      storedAt: Date;
      storedBy: string | null;
      collectedAt: Date | null;
      typeCode: string | null;
      typeText: string | null;
    }
  >(
    `select s.row_number as row, s.column_number as column, s.specimen_id as id, s.code, s.stored_at as "storedAt",
       nullif(concat_ws(' ', u.first_name, u.last_name), '') as "storedBy",
       t.collected_at as "collectedAt", t.type_code as "typeCode", t.type_text as "typeText",
       case when i.packed then 'packed' when i.flawed then 'flawed' when i.received then 'received' else 'stored' end
         as state
     from storage_place s
     left join account u on u.id = s.stored_by
     left join specimen t on t.tenant_id = s.tenant_id and t.id = s.specimen_id
     left join lateral (select bool_or(c.state in ('draft', 'packed')) as packed,
         bool_or(c.condition <> 'good') as flawed, bool_or(c.received_at is not null) as received
       from shipment_specimen c where c.tenant_id = $1 and c.specimen_id = s.specimen_id) i on true
     where s.tenant_id = $1 and s.location_id = $2 order by s.row_number, s.column_number`,
    [tx.tenantId, id],
  );
  return rows.map(({ row, column, state, typeCode, typeText, storedAt, collectedAt, ...specimen }) => ({
    row,
    column,
    state,
    specimen: {
      ...specimen,
      specimenType: specimenTypeLabel(typeCode, typeText),
      storedAt: storedAt.toISOString(),
      collectedAt: collectedAt?.toISOString() ?? null,
    },
  }));
}

const service = (tenantId: string) => ({ kind: 'service', tenantId }) as const;

/** A box with everything in it, for the reader. */
async function answer(app: App, call: Call<{ id: string }>): Promise<StorageBox> {
  const { id } = call.params;
  const { tenantId, seen, ...box } = await inItsTenant(call, 'location', id, async (tx, tenantIdOfBox) => {
    const one = await boxOf(tx, id);
    const mayStore =
      call.may('sample-shipments/write') && one.active && (await isOwnPlace(tx, call.org, one.facility));
    return { ...one, mayStore, tenantId: tenantIdOfBox, seen: await seenIn(tx, id) };
  });
  const all = await app.database.withScope(service(tenantId), (tx) => positionsTaken(tx, tenantId, id));
  const known = new Map(seen.map((one) => [positionName(one), one]));
  return {
    ...box,
    taken: all.map(
      (position) =>
        known.get(positionName(position)) ?? { ...position, state: 'hidden' as const, specimen: null },
    ),
  };
}

interface Found {
  id: string;
  code: string;
}

/** The specimen with this number, as the person sees it: their own, or one that they have received. */
async function specimenOf(tx: Tx, code: string): Promise<Found> {
  const rows = await tx.rows<Found & { stored: boolean }>(
    `select f.id, cast($2 as text) as code, exists (select from storage_place s where s.tenant_id = $1 and s.specimen_id = f.id)
       as stored
     from (select s.id from specimen s where s.tenant_id = $1 and s.accession = $2
       union select i.specimen_id from shipment_specimen i
         where i.tenant_id = $1 and i.code = $2 and i.specimen_id is not null and i.received_at is not null) f
     order by f.id`,
    [tx.tenantId, code],
  );
  // Several tubes of one order have the same number: those that are not stored yet are put away one after the other.
  const next = rows.find(({ stored }) => !stored) ?? rows[0];
  if (!next) throw refused('code', 'unknown-specimen', 'there is no such specimen');
  if (next.stored && rows.length > 1)
    throw refused('code', 'several', 'several specimens with this number are stored');
  return next;
}

/** Changes what lies in a box of the writer: planned as the person, stored by the service. */
async function change<Plan, Done>(
  app: App,
  call: Call<{ id: string }>,
  action: NamedAction,
  plan: (tx: Tx, box: Box) => Promise<Plan>,
  work: (tx: Tx, mover: Mover, box: Box, planned: Plan) => Promise<{ specimen: string } & Done>,
): Promise<{ specimen: string } & Done> {
  const { id } = call.params;
  const { tenantId, box, planned } = await inItsTenant(call, 'location', id, async (tx, tenantIdOfBox) => {
    const one = await boxOf(tx, id);
    if (!(await isOwnPlace(tx, call.org, one.facility)))
      throw refused('code', 'not-own-place', 'it is not a place for which the writer works');
    if (!one.active) throw refused('code', 'inactive', 'nothing is stored in an inactive place');
    return { tenantId: tenantIdOfBox, box: one, planned: await plan(tx, one) };
  });
  const mover = { tenantId, accountId: call.account.accountId };
  return actIn(app, call, service(tenantId), tenantId, async (tx, audit) => {
    await lockBox(tx, tenantId, id);
    const done = await work(tx, mover, box, planned);
    await audit({ action, recordKind: 'specimen', recordIds: [done.specimen] });
    return done;
  });
}

/** Boxes of specimens: where they are, what lies in them, what is put in and taken out. */
export function serveStorage(app: App): void {
  serve(app, listStorage, async (call) => {
    const places: StoragePlace[] = [];
    for (const tenantId of call.org.tenantIds) {
      const rows = await call.withScope(
        (tx) =>
          tx.rows<Omit<StoragePlace, 'taken'>>(
            `select l.id, l.parent_id as parent, l.facility_id as facility, l.level, l.name, ${isActive} as active,
               coalesce(l.row_count * l.column_count, 0) as positions
             from location l ${around} where l.tenant_id = $1 order by l.name, l.id`,
            [tenantId],
          ),
        { tenantId },
      );
      const counts = await app.database.withScope(service(tenantId), (tx) =>
        tx.rows<{ id: string; taken: number }>(
          `select location_id as id, cast(count(*) as integer) as taken from storage_place
           where tenant_id = $1 and location_id = any ($2::uuid[]) group by location_id`,
          [tenantId, rows.filter(({ positions }) => positions > 0).map(({ id }) => id)],
        ),
      );
      const takenIn = new Map(counts.map(({ id, taken }) => [id, taken]));
      places.push(...rows.map((row) => ({ ...row, taken: takenIn.get(row.id) ?? 0 })));
    }
    return { places: withSums(places) };
  });
  serve(app, readBox, (call) => answer(app, call));
  serve(app, storeSpecimen, async (call) => {
    const { code, position } = call.body;
    const { specimen, row, column, moved } = await change(
      app,
      call,
      'specimen/stored',
      (tx) => specimenOf(tx, code),
      async (tx, mover, box, found) => {
        const to = position ?? nextFree(box, await positionsTaken(tx, mover.tenantId, box.id));
        if (!to) throw refused('code', 'full', 'the box is full');
        return { specimen: found.id, ...to, moved: await move(tx, mover, box, found, to) };
      },
    ).catch(refuseOccupied);
    return { specimen, row, column, moved, box: await answer(app, call) };
  });
  serve(app, takeOutStored, async (call) => {
    const { specimen } = call.params;
    await change(
      app,
      call,
      'specimen/taken-out',
      async (tx, box) => {
        const seen = await seenIn(tx, box.id);
        if (!seen.some((one) => one.specimen?.id === specimen)) throw new AppError('not-found');
      },
      async (tx, mover, box) => {
        await takeOut(tx, mover, { ids: [specimen], from: box.id }, call.body);
        return { specimen };
      },
    );
    return answer(app, call);
  });
}

/** Two people can choose one position at the same moment: the index refuses the second. */
function refuseOccupied(error: { code?: string; message?: string }): never {
  if (error.code !== '23505' || !error.message?.includes('storage_place')) throw error;
  // With several servers, only the message names the constraint, followed by a number.
  if (!error.message.includes('storage_place_position')) throw new AppError('conflict');
  throw refused('position', 'occupied', 'another specimen lies there');
}

/** Places with the sums of the boxes within them. */
function withSums(places: readonly StoragePlace[]): StoragePlace[] {
  const sums = new Map(places.map((place) => [place.id, { ...place }]));
  for (const { parent, positions, taken } of places)
    for (let above = sums.get(parent ?? ''); above; above = sums.get(above.parent ?? '')) {
      above.positions += positions;
      above.taken += taken;
    }
  return [...sums.values()];
}
