import { shipmentRecord, type Unassigned, unassignedGrid } from '@caseway/contract/sample-shipments';
import type { Tx } from '../../platform/db/database.ts';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import type { GridSource } from '../../platform/grid/grid-sql.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { sourceOf } from '../../platform/records/record-sql.ts';
import { serveBulk } from '../../platform/records/serve-bulk.ts';
import { servePatientRecord } from '../../platform/records/serve-patient-records.ts';
import { specimenTypeSql } from '../reference/specimen-labels.ts';
import { serveContents } from './contents.ts';
import { serveCustodyReport } from './custody-report.ts';
import { serveLabels } from './labels.ts';
import { read, shipmentServer, shipments } from './shipment-server.ts';
import { serveStorage } from './storage.ts';

/** What the list of unassigned specimens shows about a specimen `s`; `tenant`: the SQL of its tenant. */
const shownOf = (
  tenant: string,
) => `s.accession, ${specimenTypeSql('s.type_code')} as "specimenType", s.collected_at as "collectedAt",
  (select r.facility_id from result r where r.tenant_id = ${tenant} and r.specimen_id = s.id
    order by r.facility_id nulls last limit 1) as facility`;

const isUnassigned = (
  tenant: string,
) => `s.accession is not null and not exists (select from shipment_specimen i
  where i.tenant_id = ${tenant} and i.specimen_id = s.id and i.state <> 'cancelled')`;

/** Specimens with a number that are in no shipment, or only in a cancelled one. */
const unassigned: GridSource<typeof unassignedGrid> = {
  grid: unassignedGrid,
  table: (tenant) => `(select s.tenant_id, s.id, ${shownOf(tenant)} from specimen s
    where ${isUnassigned(tenant)})`,
  fields: {
    accession: { kind: 'text', sql: 'f.accession' },
    collectedAt: { kind: 'instant', sql: 'f."collectedAt"' },
    specimenType: { kind: 'choice', sql: 'f."specimenType"', order: 'specimenTypes' },
    facility: { kind: 'choice', sql: 'f.facility', ids: true, order: 'facilities' },
  },
  filters: { locationFilter: { kind: 'choice', sql: 'f.facility', ids: true, order: 'facilities' } },
  searchText: `' ' || app_fold(f.accession)`,
};

const readUnassigned = async (tx: Tx, ids: readonly string[]): Promise<Unassigned[]> => {
  const rows = await tx.rows<Omit<Unassigned, 'collectedAt'> & { collectedAt: Date | null }>(
    `select s.id, ${shownOf('$1')} from specimen s
     where s.tenant_id = $1 and s.id = any ($2::uuid[]) and ${isUnassigned('$1')}`,
    [tx.tenantId, ids],
  );
  return rows.map((row) => ({ ...row, collectedAt: row.collectedAt?.toISOString() ?? null }));
};

/** Sample shipments: their list, its export, one of them with its contents, and unassigned specimens. */
export function serveSampleShipments(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const orders: Parameters<typeof serveGrid>[2]['orders'] = (names, call) => lookups.orders(names, call);
  const ask = askDatabase(app.database);
  const server = shipmentServer(lookups);
  const source = sourceOf(shipments);
  serveGrid(app, ask, {
    source,
    recordKind: shipmentRecord.kind,
    orders,
    read,
    exported: { lookups, words: 'sample-shipments', codesOf: (field) => `choice.${field}` },
  });
  serveGrid(app, ask, { source: unassigned, recordKind: 'specimen', orders, read: readUnassigned });
  servePatientRecord(app, server);
  serveBulk(app, ask, server, source);
  serveContents(app);
  serveLabels(app, lookups);
  serveStorage(app);
  serveCustodyReport(app);
}
