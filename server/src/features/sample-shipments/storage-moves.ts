import type { Position, TakeOutReason } from '@caseway/contract/storage';
import type { Tx } from '../../platform/db/database.ts';
import { recordId } from '../../platform/db/record-id.ts';
import { insertRows } from '../../platform/db/rows.ts';
import { AppError, refused } from '../../platform/http/app-error.ts';

/*
 * Moves of specimens in storage, in the scope of the service: a specimen has one place at most, a position holds one
 * specimen, and each move is kept.
 */

export interface Box {
  id: string;
  name: string;
  facility: string;
  rows: number;
  columns: number;
  coldest: number | null;
  warmest: number | null;
}
export interface Mover {
  tenantId: string;
  accountId: string | null;
}

/** Changes of one box run one after the other, so that the next free position is free when it is taken. */
export const lockBox = (tx: Tx, tenantId: string, id: string) =>
  tx.rows(`select pg_advisory_xact_lock(hashtextextended('box ' || $1 || $2, 0))`, [tenantId, id]);

/** All taken positions of a box, also of specimens that the reader does not see. */
export const positionsTaken = (tx: Tx, tenantId: string, id: string) =>
  tx.rows<Position>(
    `select row_number as row, column_number as column from storage_place
     where tenant_id = $1 and location_id = $2 order by row_number, column_number`,
    [tenantId, id],
  );

interface Place {
  id: string;
  code: string;
  facility: string;
  location: string;
  row: number;
  column: number;
}
/** A move as stored; `from` and `to` are places in boxes. */
interface Kept {
  specimen: { id: string; code: string };
  deed: 'stored' | 'moved' | 'taken-out';
  facility: string;
  from?: Omit<Place, 'id' | 'code' | 'facility'>;
  to?: Omit<Place, 'id' | 'code' | 'facility'>;
  reason?: string | null;
  note?: string | null;
}

const keep = (tx: Tx, { tenantId, accountId }: Mover, moves: readonly Kept[]): Promise<void> =>
  insertRows(
    tx,
    tenantId,
    'storage_move',
    {
      id: 'uuid', specimen_id: 'uuid', deed: 'text', reason: 'text', note: 'text', code: 'text', account_id: 'uuid',
      from_location_id: 'uuid', from_row: 'integer', from_column: 'integer', to_location_id: 'uuid', to_row: 'integer',
      to_column: 'integer', facility_id: 'uuid',
    }, // biome-ignore format: a table
    moves.map(({ specimen, deed, facility, from, to, reason, note }) => ({
      id: recordId(),
      specimen_id: specimen.id,
      deed,
      reason: reason ?? null,
      note: note ?? null,
      code: specimen.code,
      account_id: accountId,
      from_location_id: from?.location ?? null,
      from_row: from?.row ?? null,
      from_column: from?.column ?? null,
      to_location_id: to?.location ?? null,
      to_row: to?.row ?? null,
      to_column: to?.column ?? null,
      facility_id: facility,
    })),
    { carriedOf: 'specimen' },
  );

const placeColumns = `specimen_id as id, code, facility_id as facility, location_id as location, row_number as row,
  column_number as column`;

/** Refuses a specimen that is in a box of a shipment: one on its way is not here, and one that is packed will go. */
async function refuseShipped(tx: Tx, tenantId: string, specimen: string): Promise<void> {
  const [open] = await tx.rows<{ isPacked: boolean }>(
    `select state in ('draft', 'packed') as "isPacked" from shipment_specimen
     where tenant_id = $1 and specimen_id = $2 and received_at is null
       and state in ('draft', 'packed', 'in-transit', 'receiving') limit 1`,
    [tenantId, specimen],
  );
  if (open?.isPacked) throw refused('code', 'packed', 'it is packed in a shipment');
  if (open) throw refused('code', 'on-its-way', 'it was sent and is not received yet');
}

/** Puts a specimen into a position of a box. Returns whether it was stored in another one before. */
export async function move(
  tx: Tx,
  mover: Mover,
  box: Box,
  specimen: { id: string; code: string },
  to: Position,
): Promise<boolean> {
  const { tenantId, accountId } = mover;
  if (to.row > box.rows || to.column > box.columns)
    throw refused('position', 'outside', 'the box has no such position');
  await refuseShipped(tx, tenantId, specimen.id);
  const [from] = await tx.rows<Place>(
    `select ${placeColumns} from storage_place where tenant_id = $1 and specimen_id = $2 for update`,
    [tenantId, specimen.id],
  );
  if (from && from.facility !== box.facility)
    throw refused(
      'code',
      'other-facility',
      'it is stored at another facility, and comes from there by shipment',
    );
  const place = { location: box.id, ...to };
  if (from) {
    if (from.location === box.id && from.row === to.row && from.column === to.column)
      throw refused('position', 'there-already', 'it lies there already');
    await tx.run(
      `update storage_place set location_id = $3, row_number = $4, column_number = $5, stored_at = now(), stored_by = $6
       where tenant_id = $1 and specimen_id = $2`,
      [tenantId, specimen.id, box.id, to.row, to.column, accountId],
    );
  } else
    await insertRows(
      tx,
      tenantId,
      'storage_place',
      {
        specimen_id: 'uuid', location_id: 'uuid', row_number: 'integer', column_number: 'integer', code: 'text',
        stored_by: 'uuid', facility_id: 'uuid',
      }, // biome-ignore format: a table
      [
        {
          specimen_id: specimen.id,
          location_id: box.id,
          row_number: to.row,
          column_number: to.column,
          code: specimen.code,
          stored_by: accountId,
          facility_id: box.facility,
        },
      ],
      { carriedOf: 'specimen' },
    );
  const { facility } = box;
  await keep(tx, mover, [
    { specimen, deed: from ? 'moved' : 'stored', facility, to: place, ...(from && { from }) },
  ]);
  return from !== undefined;
}

/** Takes specimens out of storage; without a box, wherever they are. Those that are not stored stay as they are. */
export async function takeOut(
  tx: Tx,
  mover: Mover,
  { ids, from }: { ids: readonly string[]; from?: string },
  { reason, note }: { reason: TakeOutReason; note: string | null },
): Promise<void> {
  const gone = await tx.rows<Place>(
    `delete from storage_place where tenant_id = $1 and specimen_id = any ($2::uuid[])
       and ($3::uuid is null or location_id = $3) returning ${placeColumns}`,
    [mover.tenantId, ids, from ?? null],
  );
  // Somebody else has moved it or taken it out.
  if (from !== undefined && gone.length < ids.length) throw new AppError('conflict');
  await keep(
    tx,
    mover,
    gone.map(({ facility, ...place }) => ({
      specimen: place,
      deed: 'taken-out' as const,
      facility,
      from: place,
      reason,
      note,
    })),
  );
}
