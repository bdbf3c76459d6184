import type { Tx } from '../../platform/db/database.ts';
import { type KeyedRecord, writeRecordKeys } from '../../platform/db/record-keys.ts';

/**
 * Replaces the keys under which patients are compared with reports (`blockKeys`). `tenantId` is that of the
 * transaction's scope.
 */
export const writeComparisonKeys = (
  tx: Tx,
  tenantId: string,
  patients: readonly KeyedRecord[],
): Promise<void> =>
  writeRecordKeys(tx, tenantId, { name: 'patient_block', idColumn: 'patient_id' }, patients);
