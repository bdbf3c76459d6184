import { recordChange } from '../../platform/analytics/outbox.ts';
import { carriedNow } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import { lockRecords } from '../../platform/db/record-lock.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Changes, changesOf, keepVersion } from '../../platform/records/record-history.ts';
import { type Pair, pairsOf } from './alike.ts';
import { type Correction, correctPatient, type Given, givenFrom, withGiven } from './corrected-person.ts';
import { nobody } from './patient-facts.ts';
import { newPatient, type PatientRecord, seenBy, toldBy } from './patient-record.ts';
import { writePairs } from './stored-pairs.ts';
import { loadPatients, writePatients } from './stored-patients.ts';
import { loadTenantContext } from './tenant-context.ts';

/*
 * Patients whom people enter and correct, written like those of an import: with their search and comparison keys,
 * their pairs, who sees them, and the changes for replicas. In the scope of the service.
 */

/** The writer: an account, and the organization and facility it works for; neither: the whole tenant. */
export interface PersonWriter {
  accountId: string;
  organizationId: string | null;
  facilityId: string | null;
}

const placesOf = ({ organizationId, facilityId }: PersonWriter): string[] =>
  [organizationId, facilityId].filter((one) => one !== null);

/**
 * The number of a patient `p`'s last version made by people; the first is the state from the first report or person.
 */
export const versionOf = (patient: string): string =>
  `coalesce((select max(v.version) from patient_history v where v.tenant_id = $1 and v.record_id = ${patient}), 1)`;

const history = { record: { kind: 'patient', fields: {} }, history: 'patient_history' } as const;

async function store(
  tx: Tx,
  tenantId: string,
  patient: PatientRecord,
  restricted: readonly string[],
  {
    changesOpen,
    ...version
  }: {
    version: number;
    accountId: string;
    changes: Changes;
    changesOpen: Changes | null;
    undoes?: number | undefined;
  },
): Promise<void> {
  await writePatients(tx, tenantId, [patient]);
  await writePairs(tx, tenantId, await newerFirst(tx, await pairsOf(tx, tenantId, patient, restricted)));
  const carried = await carriedNow(tx, 'patient_history', 'patient', patient.id);
  const open = changesOpen && JSON.stringify(changesOpen);
  await keepVersion(tx, history, tenantId, patient.id, {
    ...version,
    readers: { ...carried, changes_open: open },
  });
  await recordChange(tx, tenantId, 'patient', [patient.id]);
}

/** A merge moves the newer one to the older. For a corrected patient, the other one can be newer. */
async function newerFirst(tx: Tx, pairs: readonly Pair[]): Promise<Pair[]> {
  const ids = pairs.flatMap(({ patientId, candidateId }) => [patientId, candidateId]);
  const rows = await tx.rows<{ id: string; place: number }>(
    `select id, cast(row_number() over (order by created_at, id) as integer) as place
     from patient where tenant_id = $1 and id = any ($2::uuid[])`,
    [tx.tenantId, ids],
  );
  const place = new Map(rows.map((row) => [row.id, row.place]));
  return pairs.map((pair) =>
    place.get(pair.patientId)! > place.get(pair.candidateId)!
      ? pair
      : { ...pair, patientId: pair.candidateId, candidateId: pair.patientId },
  );
}

/** Stores a new patient, whom everyone at the writer's place sees. */
export async function makePerson(
  tx: Tx,
  tenantId: string,
  id: string,
  given: Given,
  writer: PersonWriter,
): Promise<void> {
  await lockRecords(tx, tenantId);
  const { restrictedFamilies, facts } = await loadTenantContext(tx, tenantId);
  const entered = withGiven(nobody, { given });
  const { stateFips, city } = entered;
  const countyFips = entered.countyFips ?? (city ? facts.geography.countyFips({ stateFips, city }) : null);
  const patient = newPatient(id, { ...entered, countyFips }, new Date().toISOString());
  seenBy(patient, writer.organizationId, writer.facilityId, false);
  toldBy(patient, { isNew: true, brought: true, viewers: [] }, placesOf(writer), []);
  const changes = Object.fromEntries(Object.entries(givenFrom(patient)).map(([name, to]) => [name, { to }]));
  const { accountId } = writer;
  await store(tx, tenantId, patient, restrictedFamilies, {
    version: 1,
    accountId,
    changes,
    changesOpen: null,
  });
}

/**
 * Stores a person's correction of a patient, if the version is still the one it was based on; otherwise throws
 * `conflict`.
 */
export async function changePerson(
  tx: Tx,
  tenantId: string,
  { id, version }: { id: string; version: number },
  correction: Pick<Correction, 'given' | 'shown'>,
  { undoes, ...writer }: PersonWriter & { undoes?: number | undefined },
): Promise<void> {
  await lockRecords(tx, tenantId);
  const [patient] = await loadPatients(tx, tenantId, [id]);
  const [now] = await tx.rows<{ version: number }>(
    `select ${versionOf('p.id')} as version from patient p where p.tenant_id = $1 and p.id = $2`,
    [tenantId, id],
  );
  if (!patient || now?.version !== version) throw new AppError('conflict');
  const { restrictedFamilies: restricted } = await loadTenantContext(tx, tenantId);
  const before = givenFrom(patient);
  const viewers = [...patient.organizationIds, ...patient.facilityIds];
  const made = { ...correction, exact: undoes !== undefined };
  const open = correctPatient(patient, made, { now: new Date().toISOString(), restricted });
  toldBy(patient, { isNew: false, brought: true, viewers }, placesOf(writer), []);
  const { accountId } = writer;
  await store(tx, tenantId, patient, restricted, {
    version: version + 1,
    accountId,
    changes: changesOf(before, givenFrom(patient)),
    changesOpen: open ? changesOf(givenFrom(open.before), givenFrom(open.after)) : null,
    undoes,
  });
}
