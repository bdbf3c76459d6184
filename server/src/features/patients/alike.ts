import type { Tx } from '../../platform/db/database.ts';
import { type Comparison, compare, type PreparedPerson, soughtKeys } from './matching.ts';
import { areRestricted } from './open-facts.ts';
import type { PatientRecord } from './patient-record.ts';
import { loadPatients } from './stored-patients.ts';

/** At most this many patients are compared per key, the oldest first. A key that more people share says nothing. */
export const patientsPerKey = 100;

/** Two patients who may be one. A merge moves everything of the first to the second. */
export interface Pair {
  patientId: string;
  candidateId: string;
  comparison: Comparison;
}

/** The patients under each of these keys, as a query: rows `key` and `ids`; the tenant is `$1`, the keys are `$2`. */
export const underKeys = `select k.key, f.ids from unnest($2::text[]) as k (key), lateral (
   select array_agg(o.patient_id order by o.patient_id) as ids from (
     select b.patient_id from patient_block b where b.tenant_id = $1 and b.key = k.key
     order by b.patient_id limit ${patientsPerKey}) as o
   having count(*) > 0) as f`;

/** Patients who share a key with a person, and so may be the same; in the scope of the service, which sees the keys. */
export async function sharingKeys(tx: Tx, tenantId: string, person: PreparedPerson): Promise<string[]> {
  const found = await tx.rows<{ ids: string[] }>(underKeys, [tenantId, [...new Set(soughtKeys(person))]]);
  return [...new Set(found.flatMap(({ ids }) => ids))];
}

/**
 * The number of pairs per patient: this many with people whom everyone sees, and this many with people of restricted
 * families only.
 */
const pairsKept = 5;

const likeliest = (pairs: Pair[]): Pair[] =>
  pairs
    .sort((a, b) => b.comparison.score - a.comparison.score || (a.candidateId < b.candidateId ? -1 : 1))
    .slice(0, pairsKept);

/**
 * The pairs of one patient that a person has to decide. People whom not everyone sees do not push other pairs out of
 * the list, because that would reveal them. [P18]
 */
export const worthDeciding = (
  pairs: readonly Pair[],
  restricted: readonly string[],
  candidate: (id: string) => PatientRecord,
): Pair[] => {
  const groups = Map.groupBy(pairs, ({ candidateId }) =>
    areRestricted(candidate(candidateId).diseaseFamilies, restricted),
  );
  return [...groups.values()].flatMap(likeliest);
};

/** The pairs of a patient who was entered or corrected by hand, with everyone who may be the same. */
export async function pairsOf(
  tx: Tx,
  tenantId: string,
  patient: PatientRecord,
  restricted: readonly string[],
): Promise<Pair[]> {
  const ids = await sharingKeys(tx, tenantId, patient.prepared);
  const others = await loadPatients(
    tx,
    tenantId,
    ids.filter((id) => id !== patient.id),
  );
  const byId = new Map(others.map((one) => [one.id, one]));
  const pairs = others.flatMap((other) => {
    const comparison = compare(patient.prepared, other.prepared);
    return comparison.decision === 'different'
      ? []
      : [{ patientId: patient.id, candidateId: other.id, comparison }];
  });
  return worthDeciding(pairs, restricted, (id) => byId.get(id)!);
}
