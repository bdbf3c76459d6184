import { custodyReport, positionName, type Whereabouts } from '@caseway/contract/storage';
import type { Tx } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { inItsTenant } from '../../platform/records/serve-patient-records.ts';
import { specimenTypeLabel } from '../reference/specimen-labels.ts';
import { withGaps } from './custody-gaps.ts';

interface Row {
  id: string;
  at: Date;
  by: string | null;
  deed: string;
  code: string;
  shipment: string | null;
  condition: 'good' | 'damaged' | 'leaked' | null;
  reason: string | null;
  note: string | null;
  origin: string | null;
  destination: string | null;
  facility: string | null;
  from: string | null;
  fromRow: number | null;
  fromColumn: number | null;
  to: string | null;
  toRow: number | null;
  toColumn: number | null;
}

/** The transitions of a shipment that move what is in it. */
const moving = ['send', 'lose'];

/**
 * Everything that the reader sees of what was done with a specimen, oldest first. What happens at the same moment: it
 * leaves storage before it is sent.
 */
const eventsOf = (tx: Tx, id: string) =>
  tx.rows<Row>(
    `select m.*, nullif(concat_ws(' ', u.first_name, u.last_name), '') as by
     from (
       select cast(m.id as text) as id, 1 as rank, m.at, m.account_id, m.deed, m.code, null as shipment,
         null as condition, m.reason, m.note, null::uuid as origin, null::uuid as destination,
         m.facility_id as facility, m.from_location_id as "from", m.from_row as "fromRow",
         m.from_column as "fromColumn", m.to_location_id as "to", m.to_row as "toRow", m.to_column as "toColumn"
       from storage_move m where m.tenant_id = $1 and m.specimen_id = $2
       union all
       select cast(e.id as text), 0, e.at, e.account_id, e.deed, e.code, h.number, e.condition, null, e.note,
         e.origin_id, e.destination_id, null, null, null, null, null, null, null
       from custody_event e join shipment h on h.tenant_id = $1 and h.id = e.shipment_id
       where e.tenant_id = $1 and e.specimen_id = $2
       union all
       select concat(v.record_id, '/', v.version), 2, v.at, v.account_id, v.transition, i.code, h.number, null,
         v.reason, null, h.origin_id, h.destination_id, null, null, null, null, null, null, null
       from shipment_specimen i
       join shipment h on h.tenant_id = $1 and h.id = i.shipment_id
       join shipment_history v on v.tenant_id = $1 and v.record_id = h.id and v.at >= i.packed_at
       where i.tenant_id = $1 and i.specimen_id = $2 and v.transition = any ($3::text[])) m
     left join account u on u.id = m.account_id
     order by m.at, m.rank, m.id`,
    [tx.tenantId, id, moving],
  );

const at = (facility: string | null): Whereabouts => ({ facility, location: null, position: null });
const inBox = (
  facility: string | null,
  location: string | null,
  row: number | null,
  column: number | null,
): Whereabouts | null =>
  location === null || row === null || column === null
    ? null
    : { facility, location, position: positionName({ row, column }) };

/** From where to where an event takes a specimen; null: it stays where it is. */
function wayOf(row: Row): { from: Whereabouts | null; to: Whereabouts | null } {
  const { deed, origin, destination, facility, reason } = row;
  const from = inBox(facility, row.from, row.fromRow, row.fromColumn);
  const to = inBox(facility, row.to, row.toRow, row.toColumn);
  switch (deed) {
    case 'stored':
      return { from: at(facility), to };
    case 'moved':
      return { from, to };
    case 'taken-out':
      return { from, to: at(reason === 'sent' ? null : facility) };
    case 'packed':
      return { from: at(origin), to: at(origin) };
    case 'send':
      return { from: at(origin), to: at(null) };
    case 'scanned':
    case 'ticked':
      return { from: null, to: at(destination) };
    default:
      return { from: null, to: null };
  }
}

/** The custody of one specimen: each of its moves, with the gaps between them. */
export function serveCustodyReport(app: App): void {
  serve(app, custodyReport, (call) =>
    inItsTenant(call, 'specimen', call.params.id, async (tx) => {
      const { id } = call.params;
      const rows = await eventsOf(tx, id);
      const [seen] = await tx.rows<{
        accession: string | null;
        typeCode: string | null;
        typeText: string | null;
        collectedAt: Date | null;
      }>(
        `select accession, type_code as "typeCode", type_text as "typeText", collected_at as "collectedAt"
         from specimen where tenant_id = $1 and id = $2`,
        [tx.tenantId, id],
      );
      const code = seen?.accession ?? rows[0]?.code;
      if (code === undefined) throw new AppError('not-found');
      const collectedAt = seen?.collectedAt?.toISOString() ?? null;
      const events = rows.map((row) => ({
        id: row.id,
        at: row.at.toISOString(),
        by: row.by,
        deed: row.deed,
        shipment: row.shipment,
        condition: row.condition,
        reason: row.reason,
        note: row.note,
        ...wayOf(row),
      }));
      return {
        code,
        specimenType: specimenTypeLabel(seen?.typeCode ?? null, seen?.typeText ?? null),
        collectedAt,
        events: withGaps(events),
      };
    }),
  );
}
