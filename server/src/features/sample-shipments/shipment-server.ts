import { dashboards } from '@caseway/contract/dashboards/all';
import { anyRecord } from '@caseway/contract/record';
import { type Shipment, shipmentRecord } from '@caseway/contract/sample-shipments';
import { endedStates, statesOfDestination } from '@caseway/contract/shipment-flow';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { passOn } from '../../platform/carried/carried.ts';
import { recordsOf } from '../../platform/dashboards/behind.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { AppError, faultAt, refused } from '../../platform/http/app-error.ts';
import { insertMade } from '../../platform/records/insert-made.ts';
import {
  type Changing,
  type PatientServer,
  type Person,
  patientServer,
  writeChanges,
} from '../../platform/records/patient-record.ts';
import { type Entries, entriesOffered, faultsOfEntries } from '../../platform/records/record-faults.ts';
import { recordNumber } from '../../platform/records/record-number.ts';
import { type AnyRow, recordReading } from '../../platform/records/record-server.ts';
import { readRecords } from '../../platform/records/record-sql.ts';
import { historyShown, keepFirstVersions } from '../../platform/records/record-versions.ts';
import { shipmentFact } from './shipment-fact.ts';
import { type Mover, takeOut } from './storage-moves.ts';

const atPlace = (end: 'origin' | 'destination') =>
  `(r.${end}_id = app_org('F') or r.${end}_organization_id = app_org('O'))`;

/** SQL for whether a packed specimen, `i`, is a discrepancy of a shipment in this state. */
export const isDiscrepancy = (state: string): string =>
  `(i.specimen_id is null or i.condition <> 'good'
    or i.received_at is null and ${state} in ('received', 'reconciled', 'lost'))`;
const counted = (which: string) => (tenant: string) =>
  `(select cast(count(*) as integer) from shipment_specimen i
    where i.tenant_id = ${tenant} and i.shipment_id = r.id and ${which})`;

/** Shipments with what the reader sees of their contents. */
export const shipments = recordReading<typeof shipmentRecord>({
  record: shipmentRecord,
  endedColumn: 'ended_at',
  history: historyShown(shipmentRecord),
  sql: {
    side: `case when (select app_whole_tenant()) or ${atPlace('origin')} and ${atPlace('destination')} then 'both'
      when ${atPlace('origin')} then 'sender' else 'destination' end`,
    specimens: counted('i.specimen_id is not null'),
    received: counted('i.specimen_id is not null and i.received_at is not null'),
    discrepancies: counted(isDiscrepancy('r.state')),
    unexplained: counted(`${isDiscrepancy('r.state')} and i.note is null`),
  },
  searched: ['number', 'caseId', 'trackingNumber', 'carrier'],
  behind: recordsOf(dashboards, [{ fact: shipmentFact, by: 'shipment_id' }]),
});

export const read = (tx: Tx, ids: readonly string[]) => readRecords(tx, shipments, ids);

/** Locks shipments for a change, in the scope of the service. */
export const lockShipments = (tx: Tx, tenantId: string, ids: readonly string[]) =>
  tx.rows<{ id: string; version: number; state: string }>(
    `select id, version, state from shipment where tenant_id = $1 and id = any ($2::uuid[])
     order by id for update`,
    [tenantId, ids],
  );

interface Context {
  /** The organization or facility that the writer works for, which is the sender. */
  own: Pick<Person['org'], 'orgType' | 'id'>;
  offered: Entries;
}

/** Whether the writer works for this facility. */
export async function isOwnPlace(
  tx: Tx,
  { orgType, id }: Context['own'],
  facility: unknown,
): Promise<boolean> {
  if (orgType === 'F') return facility === id;
  if (orgType !== 'O') return true;
  const rows = await tx.rows(
    'select from facility where tenant_id = $1 and id = $2 and organization_id = $3',
    [tx.tenantId, facility, id],
  );
  return rows.length > 0;
}

/**
 * Updates what rows of shipments carry, the places and state, after the shipments were written. In the scope of the
 * service.
 */
async function carry(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  await tx.run(
    `update shipment s set origin_organization_id = o.organization_id, destination_organization_id = d.organization_id
     from facility o, facility d
     where s.tenant_id = $1 and s.id = any ($2::uuid[]) and o.tenant_id = $1 and o.id = s.origin_id
       and d.tenant_id = $1 and d.id = s.destination_id`,
    [tenantId, ids],
  );
  await passOn(tx, tenantId, 'shipment', ids);
  await recordChange(tx, tenantId, 'shipment', ids);
}

const inAnother = (path: string) => refused(path, 'in-another', 'a specimen is in one shipment at a time');

/** Throws a fault at `path` if a specimen would be in two open shipments. */
export const refuseInAnother =
  (path: string) =>
  (error: { code?: string; message?: string }): never => {
    // With several servers, only the message names the constraint, followed by a number.
    throw error.code === '23505' && error.message?.includes('shipment_specimen_open')
      ? inAnother(path)
      : error;
  };

const isEnded = (state: unknown) => (endedStates as readonly unknown[]).includes(state);
/** The ended shipments that cannot be reopened, because a specimen is in an open one, or in an earlier one here. */
async function heldByOthers(tx: Tx, tenantId: string, reopened: readonly string[]): Promise<string[]> {
  if (reopened.length === 0) return [];
  const rows = await tx.rows<{ id: string; specimens: string[]; taken: boolean }>(
    `select i.shipment_id as id, array_agg(i.specimen_id) as specimens,
       bool_or(exists (select from shipment_specimen o
         where o.tenant_id = $1 and o.specimen_id = i.specimen_id and o.state <> all ($3::text[]))) as taken
     from shipment_specimen i
     where i.tenant_id = $1 and i.shipment_id = any ($2::uuid[]) and i.specimen_id is not null
     group by i.shipment_id order by i.shipment_id`,
    [tenantId, reopened, endedStates],
  );
  const held = new Set<string>();
  return rows.flatMap(({ id, specimens, taken }) => {
    if (taken || specimens.some((one) => held.has(one))) return [id];
    for (const one of specimens) held.add(one);
    return [];
  });
}

/** What is sent is no longer in storage. */
async function leaveStorage(tx: Tx, mover: Mover, sent: readonly string[]): Promise<void> {
  if (sent.length === 0) return;
  const rows = await tx.rows<{ id: string }>(
    `select specimen_id as id from shipment_specimen
     where tenant_id = $1 and shipment_id = any ($2::uuid[]) and specimen_id is not null`,
    [mover.tenantId, sent],
  );
  await takeOut(tx, mover, { ids: rows.map(({ id }) => id) }, { reason: 'sent', note: null });
}

const isOfDestination = (state: unknown) => (statesOfDestination as readonly unknown[]).includes(state);

/** What the declaration of a shipment does not say. */
export function shipmentServer(lookups: Lookups): PatientServer {
  const server = patientServer<Shipment & AnyRow, Context>({
    ...shipments,
    record: shipmentRecord,
    read: async (tx, ids) => (await read(tx, ids)) as (Shipment & AnyRow)[],
    lock: async () => undefined,
    answer: async (tx, id) => (await read(tx, [id]))[0] ?? null,
    context: async (person) => ({
      own: person.org,
      offered: await entriesOffered(shipmentRecord, lookups, person),
    }),
    async faults(tx, { context }, { stored, changes, undoes }) {
      const next = {
        ...stored,
        ...Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])),
      };
      const faults = faultsOfEntries(shipmentRecord, next, Object.keys(changes), context.offered);
      if (next.destination && next.destination === next.origin)
        faults.push(faultAt('destination', 'same-place', 'a shipment goes to another place'));
      if (changes.origin && faults.length === 0 && !(await isOwnPlace(tx, context.own, next.origin)))
        faults.push(faultAt('origin', 'not-own-place', 'it is not a place for which the writer works'));
      // One end cannot undo what the other has done.
      const other = isOfDestination(stored.state) ? 'sender' : 'destination';
      if (undoes !== undefined && changes.state && stored.side === other)
        faults.push(
          faultAt(
            'state',
            `not-the-${other === 'sender' ? 'destination' : 'sender'}`,
            'the other end did it',
          ),
        );
      return faults;
    },
    derived: () => ({}),
    sets: ({ state }) =>
      state && isEnded(state.to) !== isEnded(state.from)
        ? [`ended_at = ${isEnded(state.to) ? 'now()' : 'null'}`]
        : [],
    write: (tx, { tenantId }, changed) =>
      carry(
        tx,
        tenantId,
        changed.map(({ stored }) => stored.id),
      ),
    byService: {
      async change(tx, writer, considered, actionId) {
        const { tenantId } = writer;
        const ids = considered.map(({ stored }) => stored.id);
        const now = new Map((await lockShipments(tx, tenantId, ids)).map((one) => [one.id, one.version]));
        const isOvertaken = ({ stored }: Changing) => now.get(stored.id) !== stored.version;
        const stays = new Map(
          considered.filter(isOvertaken).map(({ stored }) => [stored.id, new AppError('conflict')]),
        );
        const reopened = considered.filter(
          ({ stored, changes: { state } }) =>
            !stays.has(stored.id) && state && isEnded(state.from) && !isEnded(state.to),
        );
        for (const id of await heldByOthers(
          tx,
          tenantId,
          reopened.map(({ stored }) => stored.id),
        ))
          stays.set(id, inAnother('state'));
        const free = considered.filter(({ stored }) => !stays.has(stored.id));
        // Someone can pack one of the specimens at the same moment; a bulk action is retried.
        await writeChanges(tx, server, writer, free, actionId).catch(refuseInAnother('state'));
        await leaveStorage(
          tx,
          writer,
          free.filter(({ changes: { state } }) => state?.to === 'in-transit').map(({ stored }) => stored.id),
        );
        return stays;
      },
      async make(tx, { tenantId, accountId, today }, id, given) {
        const made = { ...given, id, state: 'draft', number: recordNumber('SS', today), createdOn: today };
        await insertMade(tx, tenantId, shipmentRecord, made);
        await carry(tx, tenantId, [id]);
        await keepFirstVersions(tx, anyRecord(shipmentRecord), tenantId, [id], accountId);
      },
    },
  });
  return server;
}
