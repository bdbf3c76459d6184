import { randomUUID } from 'node:crypto';
import { passOn } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import { insertRows } from '../../platform/db/rows.ts';
import type { Pair } from './alike.ts';

/** Writes pairs of patients for people to decide. An existing pair stays as it is. */
export async function writePairs(tx: Tx, tenantId: string, pairs: readonly Pair[]): Promise<void> {
  await insertRows(
    tx,
    tenantId,
    'patient_match',
    { id: 'uuid', patient_id: 'uuid', candidate_id: 'uuid', score: 'real', parts: 'jsonb' },
    pairs.map(({ patientId, candidateId, comparison }) => ({
      id: randomUUID(),
      patient_id: patientId,
      candidate_id: candidateId,
      score: comparison.score,
      parts: comparison.parts,
    })),
    { conflict: 'on conflict do nothing', carriedOf: 'patient' },
  );
  // The other patient of each pair, too.
  await passOn(
    tx,
    tenantId,
    'patient',
    pairs.map(({ candidateId }) => candidateId),
    ['patient_match'],
  );
}
