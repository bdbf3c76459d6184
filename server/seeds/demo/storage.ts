import { addDays } from '@caseway/contract/date-range';
import { passOn } from '../../src/platform/carried/carried.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { loadRows } from './load.ts';
import { demoId } from './tenant-parts.ts';

/** The boxes of nine by nine on each shelf of the freezer. */
const shelves = [
  { code: 'A', boxes: ['A1', 'A2'] },
  { code: 'B', boxes: ['B1'] },
] as const;
const side = 9;
/** How many specimens lie in each box; those of the shipment that arrived are in A2. */
const holds = { A1: 77, B1: 12 } as const;

interface Tube {
  id: string;
  code: string;
}

/** A freezer of the state's laboratory with three boxes, after the shipments: one of them is nearly full. */
export async function seedStorage(tx: Tx, today: string): Promise<void> {
  const { tenantId } = tx;
  const [place] = await tx.rows<{ id: string }>(
    'select id from facility where tenant_id = $1 and name = $2',
    [tenantId, 'Gulfstream State Public Health Laboratory'],
  );
  if (!place) return;
  const arrived = await tx.rows<Tube>(
    `select specimen_id as id, code from shipment_specimen
     where tenant_id = $1 and destination_id = $2 and specimen_id is not null and received_at is not null
     order by code, specimen_id`,
    [tenantId, place.id],
  );
  const free = await tx.rows<Tube>(
    `select s.id, s.accession as code from specimen s
     where s.tenant_id = $1 and s.accession is not null and not s.seen_at -> '*' ? 'hiv'
       and not exists (select from shipment_specimen i where i.tenant_id = $1 and i.specimen_id = s.id)
     order by s.collected_at, s.id limit $2`,
    [tenantId, holds.A1 + holds.B1],
  );
  const tubes: Readonly<Record<string, readonly Tube[]>> = {
    A1: free.slice(0, holds.A1),
    A2: arrived,
    B1: free.slice(holds.A1),
  };
  const common = { tenant_id: tenantId, facility_id: place.id };
  const id = (name: string) => demoId(`location/${tenantId}/${name}`);
  const freezer = {
    ...{ ...common, id: id('freezer'), parent_id: null, level: 'location', name: 'Freezer 1' },
    ...{ equipment: 'freezer', coldest: -86, warmest: -70, row_count: null, column_count: null },
  };
  const part = { ...freezer, equipment: null, coldest: null, warmest: null };
  await loadRows(tx, 'location', [freezer]);
  await loadRows(
    tx,
    'location',
    shelves.map(({ code }) => ({ ...part, id: id(code), parent_id: freezer.id, level: 'shelf', name: code })),
  );
  const boxes = shelves.flatMap(({ code, boxes: names }) =>
    names.map((name) => ({
      ...{ ...part, id: id(name), parent_id: id(code), level: 'box', name },
      ...{ row_count: side, column_count: side },
    })),
  );
  await loadRows(tx, 'location', boxes);
  const by = demoId('account/lab@demo.caseway.test');
  const at = `${addDays(today, -3)}T15:00:00Z`;
  const stored = boxes.flatMap((box) =>
    tubes[box.name]!.map(({ id: specimen_id, code }, index) => ({
      specimen_id,
      code,
      box: box.id,
      row: 1 + Math.floor(index / side),
      column: 1 + (index % side),
    })),
  );
  await loadRows(
    tx,
    'storage_place',
    stored.map(({ specimen_id, code, box, row, column }) => ({
      ...{ ...common, specimen_id, code, location_id: box, row_number: row, column_number: column },
      ...{ stored_at: at, stored_by: by },
    })),
  );
  await loadRows(
    tx,
    'storage_move',
    stored.map(({ specimen_id, code, box, row, column }) => ({
      ...{ ...common, id: demoId(`stored/${tenantId}/${specimen_id}`), specimen_id, code, deed: 'stored' },
      ...{ to_location_id: box, to_row: row, to_column: column, at, account_id: by },
    })),
  );
  await passOn(tx, tenantId, 'specimen', 'all', ['storage_place', 'storage_move']);
}
