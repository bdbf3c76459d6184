import { recordChange } from '../../../platform/analytics/outbox.ts';
import { addSeen, facilitiesSeen, noteSpecimens, specimenSeen } from '../../../platform/carried/seen-at.ts';
import { codesWaitedFor, noteNotWaiting, noteWaiting } from '../../../platform/carried/waiting-codes.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type Columns, givenRows, insertRows, json } from '../../../platform/db/rows.ts';
import { writeCases } from '../../case-reports/write-cases.ts';
import { writePairs } from '../../patients/stored-pairs.ts';
import { writePatients } from '../../patients/stored-patients.ts';
import { addToTreatments, insertTreatments, tellTreatments } from '../../treatments/stored-treatments.ts';
import type { Plan } from '../batch-state.ts';

export interface WriteOptions {
  /** Today in the tenant's time zone. */
  today: string;
  /** Families whose cases are numbered separately. */
  restrictedFamilies: readonly string[];
}

/** Writes everything a batch does, except the progress of its import, in a constant number of statements. */
export async function writePlan(
  tx: Tx,
  tenantId: string,
  importId: string,
  plan: Plan,
  { today, restrictedFamilies }: WriteOptions,
): Promise<void> {
  await writePatients(tx, tenantId, plan.patients);
  const again = plan.messages.flatMap(({ id, incoming }) => (incoming.stored ? [id] : []));
  const waitedFor = await codesWaitedFor(tx, tenantId, again);
  await writeMessages(tx, tenantId, importId, plan);
  const resultsOf = Map.groupBy(plan.results, ({ specimenId }) => specimenId);
  await insertRows(
    tx,
    tenantId,
    'specimen',
    {
      id: 'uuid', patient_id: 'uuid', accession: 'text', type_code: 'text', type_text: 'text', site_code: 'text',
      site_text: 'text', collected_at: 'timestamptz', received_at: 'timestamptz', seen_at: 'jsonb', told: 'text[]',
    }, // biome-ignore format: a table
    plan.specimens.map(({ id, patientId, accession, typeCode, observed }) => ({
      ...specimenSeen(resultsOf.get(id) ?? []),
      id,
      patient_id: patientId,
      accession,
      type_code: typeCode,
      type_text: observed.specimen?.type?.text ?? null,
      site_code: observed.specimen?.sourceSite?.codes.find(({ code }) => code !== undefined)?.code ?? null,
      site_text: observed.specimenSite,
      collected_at: observed.collectedAt,
      received_at: observed.receivedAt,
    })),
  );
  if (plan.correctedSpecimens.length > 0)
    await tx.send(
      `update specimen s set collected_at = r.collected_at,
         received_at = coalesce(r.received_at, s.received_at)
       from ${givenRows('$2', { id: 'uuid', collected_at: 'timestamptz', received_at: 'timestamptz' })} as r
       where s.tenant_id = $1 and s.id = r.id`,
      [
        tenantId,
        json(
          plan.correctedSpecimens.map(({ id, observed }) => ({
            id,
            collected_at: observed.collectedAt,
            received_at: observed.receivedAt,
          })),
        ),
      ],
    );
  await writeResults(tx, tenantId, plan, today);
  await writeCases(tx, tenantId, plan, restrictedFamilies, true);
  await insertTreatments(tx, tenantId, plan.treatments);
  await tellTreatments(tx, tenantId, plan.treatmentsTold);
  await addToTreatments(tx, tenantId, plan.treatmentsAdded);
  await writePairs(tx, tenantId, plan.matches);
  await insertRows(
    tx,
    tenantId,
    'code_mapping',
    {
      id: 'uuid',
      kind: 'text',
      sender: 'text',
      system: 'text',
      code: 'text',
      text: 'text',
      disease_family: 'text',
      occurrences: 'integer',
    },
    plan.mappings.map(({ family, isNew: _, ...mapping }) => ({ ...mapping, disease_family: family })),
    {
      conflict: `on conflict (tenant_id, kind, sender, system, code) do update set
        occurrences = code_mapping.occurrences + excluded.occurrences, last_seen_at = excluded.last_seen_at`,
    },
  );
  await noteNotWaiting(tx, tenantId, waitedFor);
  await noteWaiting(
    tx,
    tenantId,
    plan.messages.flatMap(({ id, state }) => (state === 'waiting' ? [id] : [])),
  );
  await insertRows(
    tx,
    tenantId,
    'import_tally',
    { import_id: 'uuid', kind: 'text', key: 'text', families: 'text[]', n: 'integer' },
    plan.tallies.filter(({ n }) => n !== 0).map((tally) => ({ import_id: importId, ...tally })),
    {
      conflict:
        'on conflict (tenant_id, import_id, kind, key, families) do update set n = import_tally.n + excluded.n',
      carriedOf: 'import',
    },
  );
  await writeFacilities(tx, tenantId, plan);
}

/** The last write of a batch: facilities are on every server, and one transaction at a time writes to them. [P30] */
async function writeFacilities(tx: Tx, tenantId: string, plan: Plan): Promise<void> {
  const seen = facilitiesSeen([
    ...plan.results.map((result) => ({ ...result, family: result.observed.diseaseFamily })),
    ...plan.cases.filter(({ isNew }) => isNew),
  ]);
  await insertRows(
    tx,
    tenantId,
    'facility',
    {
      id: 'uuid', name: 'text', match_name: 'text', facility_type: 'text', clia: 'text', npi: 'text', street: 'text',
      city: 'text', postal_code: 'text', phone: 'text', registered: 'boolean', disease_families: 'text[]', seen_at: 'jsonb',
    }, // biome-ignore format: a table
    plan.facilities.map(({ id, matchName: match, clia, npi, postalCode, made, diseaseFamilies }) => ({
      id,
      name: made!.name,
      match_name: match,
      facility_type: made!.type,
      clia,
      npi,
      street: made!.organization.address?.street ?? null,
      city: made!.organization.address?.city ?? null,
      postal_code: postalCode,
      phone: made!.organization.phones[0]?.e164 ?? null,
      registered: false,
      disease_families: diseaseFamilies,
      seen_at: seen.get(id) ?? {},
    })),
    { isShared: true },
  );
  await writeChangedFacilities(tx, tenantId, plan, seen);
  for (const { id } of [...plan.facilities, ...plan.changedFacilities]) seen.delete(id);
  await addSeen(tx, tenantId, seen);
}

/**
 * Adds to known facilities what the batch says about them. They are found by a list of ids and not by a join: while
 * statistics know few facilities of a tenant, a join reads all of them for each id.
 */
async function writeChangedFacilities(
  tx: Tx,
  tenantId: string,
  { changedFacilities }: Plan,
  seen: ReadonlyMap<string, Record<string, string[]>>,
): Promise<void> {
  if (changedFacilities.length === 0) return;
  const changes = changedFacilities.map(({ id, diseaseFamilies, clia, npi, isRegistered }) => [
    id,
    { families: diseaseFamilies.join(','), clia, npi, registered: isRegistered, seen: seen.get(id) ?? {} },
  ]);
  const given = (name: string) => `($3::jsonb -> f.id::text ->> '${name}')`;
  // An existing number stays, because it may belong to an earlier name.
  await tx.send(
    `update facility f set disease_families = string_to_array(${given('families')}, ','),
       clia = coalesce(f.clia, ${given('clia')}), npi = coalesce(f.npi, ${given('npi')}),
       registered = f.registered and (${given('registered')}::boolean
         or (f.clia is not null or ${given('clia')} is null) and (f.npi is not null or ${given('npi')} is null)),
       version = f.version + case when f.clia is null and ${given('clia')} is not null
         or f.npi is null and ${given('npi')} is not null then 1 else 0 end,
       seen_at = case when f.seen_at @> ($3::jsonb -> f.id::text -> 'seen') then f.seen_at
         else app_seen_with(f.seen_at, $3::jsonb -> f.id::text -> 'seen') end
     where f.tenant_id = $1 and f.id = any ($2::uuid[])`,
    [tenantId, changedFacilities.map(({ id }) => id), json(Object.fromEntries(changes))],
  );
}

const againColumns: Columns = {
  id: 'uuid', state: 'text', reason: 'text', faults: 'jsonb', waiting_for: 'uuid[]', patient_id: 'uuid',
  disease_families: 'text[]', control_id: 'text', message_type: 'text', sender: 'text',
}; // biome-ignore format: a table

async function writeMessages(tx: Tx, tenantId: string, importId: string, { messages }: Plan): Promise<void> {
  const fresh = messages.filter(({ incoming }) => !incoming.stored);
  await insertRows(
    tx,
    tenantId,
    'import_message',
    {
      id: 'uuid', import_id: 'uuid', index: 'integer', revision: 'integer', line: 'integer', raw: 'text', charset: 'text',
      content_hash: 'text', occurrence: 'integer', duplicate_of: 'uuid', control_id: 'text', message_type: 'text', sender: 'text', state: 'text',
      reason: 'text', faults: 'jsonb', waiting_for: 'uuid[]', patient_id: 'uuid', disease_families: 'text[]',
    }, // biome-ignore format: a table
    fresh.map(({ id, incoming, state, reason, duplicateOf, faults, waitingFor, patientId, families }) => ({
      id,
      import_id: importId,
      index: incoming.index,
      revision: incoming.revision,
      line: incoming.line,
      raw: state === 'duplicate' ? null : (incoming.raw?.toString('base64') ?? null),
      charset: incoming.charset,
      content_hash: incoming.contentHash,
      occurrence: incoming.occurrence,
      duplicate_of: duplicateOf,
      control_id: incoming.controlId,
      message_type: incoming.type,
      sender: incoming.sender,
      state,
      reason,
      faults,
      waiting_for: waitingFor,
      patient_id: patientId,
      disease_families: families,
    })),
    {
      select: { raw: `decode(c.raw, 'base64')`, content_hash: `decode(c.content_hash, 'hex')` },
      carriedOf: 'import',
    },
  );
  const again = messages.filter(({ incoming }) => incoming.stored);
  if (again.length > 0)
    await tx.send(
      `update import_message m set state = r.state, reason = r.reason, faults = r.faults, waiting_for = r.waiting_for,
         patient_id = coalesce(r.patient_id, m.patient_id), disease_families = r.disease_families, rerun = false,
         control_id = r.control_id, message_type = r.message_type, sender = r.sender
       from ${givenRows('$2', againColumns)} as r
       where m.tenant_id = $1 and m.id = r.id`,
      [
        tenantId,
        json(
          again.map(({ id, incoming, state, reason, faults, waitingFor, patientId, families }) => ({
            id,
            state,
            reason,
            faults,
            waiting_for: waitingFor,
            patient_id: patientId,
            disease_families: families,
            control_id: incoming.controlId,
            message_type: incoming.type,
            sender: incoming.sender,
          })),
        ),
      ],
    );
  const corrections = messages.filter(({ incoming }) => incoming.corrects);
  for (const { id, incoming } of corrections)
    await tx.send('update import_message set corrected_by = $3 where tenant_id = $1 and id = $2', [
      tenantId,
      incoming.corrects!.id,
      id,
    ]);
}

async function writeResults(
  tx: Tx,
  tenantId: string,
  { results, superseded, reportedAgain, specimens }: Plan,
  today: string,
): Promise<void> {
  // First, because only one current result may have a key.
  const old = superseded.map(({ id }) => id);
  if (old.length > 0)
    await tx.send(
      `update result r set superseded_by = s.by from ${givenRows('$2', { id: 'uuid', by: 'uuid' })} as s
       where r.tenant_id = $1 and r.id = s.id`,
      [tenantId, json(superseded)],
    );
  const by = new Map(superseded.map((pair) => [pair.id, pair.by]));
  await insertRows(
    tx,
    tenantId,
    'result',
    {
      id: 'uuid', patient_id: 'uuid', specimen_id: 'uuid', import_message_id: 'uuid', source_key: 'text',
      content_hash: 'text', organization_id: 'uuid', facility_id: 'uuid', performing_facility_id: 'uuid',
      program_type_id: 'uuid', program_id: 'uuid', task_id: 'uuid', test_loinc: 'text', test_local_code: 'text',
      test_name: 'text', method: 'text', assay: 'text', condition_code: 'text', disease_family: 'text',
      result_category: 'text', status: 'text', value_code: 'text', value_system: 'text', value_text: 'text',
      value_number: 'double precision', value_comparator: 'text', units: 'text', reference_range: 'text',
      abnormal_flag: 'text', accession: 'text', specimen_site: 'text', age_years: 'smallint', county_fips: 'text', county_borrowed: 'boolean',
      collected_at: 'timestamptz', received_at: 'timestamptz', resulted_at: 'timestamptz', reported_at: 'timestamptz',
      collected_on: 'date', received_on: 'date', resulted_on: 'date', reported_on: 'date', created_on: 'date',
      superseded_by: 'uuid', provider_name: 'text', provider_npi: 'text', provider_phone: 'text', notes: 'text',
    }, // biome-ignore format: a table
    results.map(({ observed, ...result }) => ({
      id: result.id,
      patient_id: result.patientId,
      specimen_id: result.specimenId,
      import_message_id: result.messageId,
      source_key: result.sourceKey,
      content_hash: observed.contentHash,
      organization_id: result.organizationId,
      facility_id: result.facilityId,
      performing_facility_id: result.performingFacilityId,
      program_type_id: result.programTypeId,
      program_id: result.programId,
      task_id: result.taskId,
      test_loinc: observed.testLoinc,
      test_local_code: observed.testLocalCode,
      test_name: observed.testName,
      method: observed.method,
      assay: observed.assay,
      condition_code: observed.conditionCode,
      disease_family: observed.diseaseFamily,
      result_category: observed.category,
      status: observed.status,
      value_code: observed.valueCode,
      value_system: observed.valueSystem,
      value_text: observed.valueText,
      value_number: observed.valueNumber,
      value_comparator: observed.valueComparator,
      units: observed.units,
      reference_range: observed.referenceRange,
      abnormal_flag: observed.abnormalFlag,
      accession: observed.accession,
      specimen_site: observed.specimenSite,
      age_years: result.ageYears,
      county_fips: result.countyFips,
      county_borrowed: result.countyBorrowed,
      collected_at: observed.collectedAt,
      received_at: observed.receivedAt,
      resulted_at: observed.resultedAt,
      reported_at: observed.reportedAt,
      collected_on: observed.collectedOn,
      received_on: observed.receivedOn,
      resulted_on: observed.resultedOn,
      reported_on: observed.reportedOn,
      created_on: today,
      superseded_by: by.get(result.id) ?? null,
      provider_name: observed.providerName,
      provider_npi: observed.providerNpi,
      provider_phone: observed.providerPhone,
      notes: observed.notes,
    })),
  );
  if (reportedAgain.length > 0)
    await tx.send(
      `update result r set last_reported_at = a.at from ${givenRows('$2', { id: 'uuid', at: 'timestamptz' })} as a
       where r.tenant_id = $1 and r.id = a.id`,
      [tenantId, json(reportedAgain)],
    );
  const fresh = new Set(specimens.map(({ id }) => id));
  await noteSpecimens(
    tx,
    tenantId,
    results.flatMap(({ id, specimenId }) => (specimenId && !fresh.has(specimenId) ? [id] : [])),
  );
  await recordChange(tx, tenantId, 'result', [...new Set([...results.map(({ id }) => id), ...old])]);
}
