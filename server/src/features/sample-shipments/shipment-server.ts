import { dashboards } from '@caseway/contract/dashboards/all';
import { anyRecord } from '@caseway/contract/record';
import { type Shipment, shipmentRecord } from '@caseway/contract/sample-shipments';
import { endedStates, shipmentStates, statesOfDestination } from '@caseway/contract/shipment-flow';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { passOn } from '../../platform/carried/carried.ts';
import { recordsOf } from '../../platform/dashboards/behind.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { actIn } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt, refused } from '../../platform/http/app-error.ts';
import type { Call } from '../../platform/http/serve.ts';
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
import { type AnyRow, recordReading, type Values } from '../../platform/records/record-server.ts';
import { oneOf, readRecords } from '../../platform/records/record-sql.ts';
import { historyShown, keepFirstVersions } from '../../platform/records/record-versions.ts';
import { patientWriter } from '../../platform/records/serve-patient-records.ts';
import { shipmentFact } from './shipment-fact.ts';

const atPlace = (end: 'origin' | 'destination') =>
  `(r.${end}_id = app_org('F') or r.${end}_organization_id = app_org('O'))`;

/** The SQL that what was packed, `i`, is a discrepancy of a shipment in this state. */
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
  filters: {
    statusFilter: oneOf('state', shipmentStates),
    locationFilter: oneOf('origin', 'facilities', true),
    destinationFilter: oneOf('destination', 'facilities', true),
  },
  searched: ['number', 'caseId', 'trackingNumber', 'carrier'],
  behind: recordsOf(dashboards, [{ fact: shipmentFact, by: 'shipment_id' }]),
});

export const read = (tx: Tx, ids: readonly string[]) => readRecords(tx, shipments, ids);

export const lockShipment = (tx: Tx, tenantId: string, id: string) =>
  tx.rows<{ version: number; state: string }>(
    'select version, state from shipment where tenant_id = $1 and id = $2 for update',
    [tenantId, id],
  );

interface Context {
  /** The organization or facility for which the writer works, which is the sender. */
  own: Pick<Person['org'], 'orgType' | 'id'>;
  offered: Entries;
}

/** Whether the writer sends from this facility. */
async function isOwnPlace(tx: Tx, { orgType, id }: Context['own'], facility: unknown): Promise<boolean> {
  if (orgType === 'F') return facility === id;
  if (orgType !== 'O') return true;
  const rows = await tx.rows(
    'select from facility where tenant_id = $1 and id = $2 and organization_id = $3',
    [tx.tenantId, facility, id],
  );
  return rows.length > 0;
}

/** Has what belongs to a shipment carry its places and its state, after it was written; in the scope of the service. */
async function carry(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(
    `update shipment s set origin_organization_id = o.organization_id, destination_organization_id = d.organization_id
     from facility o, facility d
     where s.tenant_id = $1 and s.id = $2 and o.tenant_id = $1 and o.id = s.origin_id
       and d.tenant_id = $1 and d.id = s.destination_id`,
    [tenantId, id],
  );
  await passOn(tx, tenantId, 'shipment', [id]);
  await recordChange(tx, tenantId, 'shipment', [id]);
}

/** Throws a fault at `path` where a specimen would be in two open shipments. */
export const refuseInAnother =
  (path: string) =>
  (error: { code?: string; message?: string }): never => {
    // Several servers name the constraint in the message alone, with a number behind it.
    throw error.code === '23505' && error.message?.includes('shipment_specimen_open')
      ? refused(path, 'in-another', 'a specimen is in one shipment at a time')
      : error;
  };

const isEnded = (state: unknown) => (endedStates as readonly unknown[]).includes(state);
const isOfDestination = (state: unknown) => (statesOfDestination as readonly unknown[]).includes(state);

/** What the declaration of a shipment does not say. */
export function shipmentServer(app: App, lookups: Lookups): PatientServer {
  const contextOf = async (person: Person): Promise<Context> => ({
    own: person.org,
    offered: await entriesOffered(shipmentRecord, lookups, person),
  });
  const inService = <T>(
    call: Call,
    tenantId: string,
    work: (tx: Tx, audit: Parameters<Parameters<typeof actIn>[4]>[1]) => Promise<T>,
  ) => actIn(app, call, { kind: 'service', tenantId }, tenantId, work);

  const server = patientServer<Shipment & AnyRow, Context>({
    ...shipments,
    record: shipmentRecord,
    read: async (tx, ids) => (await read(tx, ids)) as (Shipment & AnyRow)[],
    lock: async () => undefined,
    answer: async (tx, id) => (await read(tx, [id]))[0] ?? null,
    context: contextOf,
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
      // What one end has done, the other does not take back.
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
    async write() {},
    async storeNew(call, tenantId, id, given) {
      const { today } = patientWriter(call, tenantId, null);
      const made: Values = { ...given, state: 'draft', number: recordNumber('SS', today), createdOn: today };
      await inService(call, tenantId, async (tx, audit) => {
        await insertMade(tx, tenantId, shipmentRecord, { ...made, id });
        await carry(tx, tenantId, id);
        await keepFirstVersions(tx, anyRecord(shipmentRecord), tenantId, [id], call.account.accountId);
        const fields = Object.keys(given).filter((name) => given[name] !== null);
        await audit({ action: 'shipment/made', recordKind: 'shipment', recordIds: [id], detail: { fields } });
      });
    },
    async store(call, tenantId, changing) {
      const { stored, changes, undoes, done } = changing;
      const writer = patientWriter(call, tenantId, await contextOf(call));
      await inService(call, tenantId, async (tx, audit) => {
        const [now] = await lockShipment(tx, tenantId, stored.id);
        if (now?.version !== stored.version) throw new AppError('conflict');
        await writeChanges(tx, server, writer, [changing as Changing]);
        await carry(tx, tenantId, stored.id);
        const detail = {
          fields: Object.keys(changes),
          ...(undoes !== undefined && { undoes }),
          ...(done && { transition: done.transition }),
        };
        await audit({ action: 'change', recordKind: 'shipment', recordIds: [stored.id], detail });
        // Opened again, while one of its specimens went into another one.
      }).catch(refuseInAnother('state'));
    },
  });
  return server;
}
