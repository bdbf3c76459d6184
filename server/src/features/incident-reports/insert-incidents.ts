import { incidentRecord } from '@caseway/contract/incident-reports';
import { recordChange } from '../../platform/analytics/outbox.ts';
import type { Tx } from '../../platform/db/database.ts';
import { insertManyMade } from '../../platform/records/insert-made.ts';
import { type OwnPlace, placeOfMade } from '../../platform/records/place-of-made.ts';
import { recordNumber } from '../../platform/records/record-number.ts';
import type { Values } from '../../platform/records/record-server.ts';

/**
 * Stores new reports with who sees them: the place where it happened, or that they are written for. `cells`: the
 * received cells, if they are from a file.
 */
export async function insertIncidents(
  tx: Tx,
  { tenantId, today, own }: { tenantId: string; today: string; own: OwnPlace },
  reports: readonly (Values & { id: string; facility?: string | null; cells?: object })[],
): Promise<void> {
  const rows: (Values & { id: string; organization: string | null; cells: unknown })[] = [];
  const places = new Map<string | null, OwnPlace>();
  for (const { cells = null, ...given } of reports) {
    const named = given.facility ?? null;
    const place = places.get(named) ?? (await placeOfMade(tx, tenantId, own, named));
    places.set(named, place);
    rows.push({
      ...given,
      ...place,
      stage: 'received',
      number: recordNumber('IR', today),
      createdOn: today,
      cells,
    });
  }
  await insertManyMade(
    tx,
    tenantId,
    incidentRecord,
    rows,
    {
      organization_id: { type: 'uuid', of: 'organization' },
      as_received: { type: 'jsonb', of: 'cells' },
    },
    'patient',
  );
  await recordChange(
    tx,
    tenantId,
    'incident',
    rows.map(({ id }) => id),
  );
}
