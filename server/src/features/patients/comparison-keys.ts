import type { Tx } from '../../platform/db/database.ts';
import { type KeyedRecord, writeRecordKeys } from '../../platform/db/record-keys.ts';

/** Replaces patients' comparison keys (`blockKeys`). `tenantId` is the tenant of the transaction's scope. */
export const writeComparisonKeys = (
  tx: Tx,
  tenantId: string,
  patients: readonly KeyedRecord[],
): Promise<void> =>
  writeRecordKeys(tx, tenantId, { name: 'patient_block', idColumn: 'patient_id' }, patients);
