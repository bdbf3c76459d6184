import type { Tx } from '../../../platform/db/database.ts';
import { idOf, type Read, readPlainly } from '../../../platform/db/rows.ts';
import { matchName } from '../../../platform/text/fold.ts';
import { loadCases, loadJurisdictions, loadPrograms } from '../../case-reports/stored-cases.ts';
import { underKeys } from '../../patients/alike.ts';
import { loadPatients } from '../../patients/stored-patients.ts';
import type { Organization, ResultStatus } from '../../reported/report.ts';
import { mappingKey } from '../../results/code-asked.ts';
import { loadTreatments } from '../../treatments/stored-treatments.ts';
import type {
  BatchState,
  FacilityRecord,
  PlanContext,
  SpecimenRecord,
  StoredMapping,
  StoredResult,
} from '../batch-state.ts';
import { keysSeenBy, type Sight } from '../sight.ts';
import { type Digest, type Incoming, receivedKey, resultKeysOf } from './incoming.ts';
import { sendingLaboratory } from './plan-places.ts';

/*
 * Reads everything that a batch can touch, in a constant number of statements, whatever its size.
 *
 * Keys of a list are looked up one by one (`unnest …, lateral (… offset 0)`). PostgreSQL plans `= any (list)` by
 * statistics, which describe almost empty tables while a large file is read. Every index then looks equally good,
 * and each batch read the whole tenant through the wrong one: ten thousand messages took ten times as long after
 * twenty thousand others as at first.
 */

const unique = <T>(list: Iterable<T>): T[] => [...new Set(list)];
const statusLetters: Record<string, ResultStatus> = {
  preliminary: 'P', final: 'F', corrected: 'C', pending: 'I', cancelled: 'X', withdrawn: 'W',
}; // biome-ignore format: one line reads as the table

/** Loads what the messages can touch, and counts the equal rows among them. */
export async function loadState(
  tx: Tx,
  tenantId: string,
  incoming: readonly Incoming[],
  digests: readonly (Digest | undefined)[],
  context: PlanContext,
  read: Read = readPlainly(tx),
): Promise<BatchState> {
  const told = digests.filter((digest) => digest !== undefined);
  const messages = await loadReceived(read, tenantId, incoming, context);
  const mappings = await read<
    StoredMapping & { kind: 'test' | 'value'; sender: string; system: string; code: string }
  >(
    `select id, kind, sender, system, code, state, target from code_mapping where tenant_id = $1 and sender = any ($2)`,
    [tenantId, unique(incoming.map(({ sender }) => sender ?? ''))],
    idOf,
  );
  const results = await read<Omit<StoredResult, 'hl7Status'> & { status: string }>(
    `select r.id, r.source_key as "sourceKey", r.patient_id as "patientId", r.specimen_id as "specimenId",
       r.content_hash as "contentHash", r.result_category as category, r.status, r.disease_family as family,
       r.organization_id as "organizationId", r.facility_id as "facilityId",
       (select coalesce(i.sight ->> 'facilityId', i.sight ->> 'organizationId') from import_message m
          join import i on i.tenant_id = m.tenant_id and i.id = m.import_id
        where m.tenant_id = $1 and m.id = r.import_message_id) as "sentBy",
       r.superseded_by is not null as "isSuperseded",
       to_char(coalesce(r.last_reported_at, r.reported_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "reportedAt",
       coalesce((select array_agg(c.case_report_id) from case_result c
         where c.tenant_id = $1 and c.result_id = r.id), '{}') as "caseIds"
     from unnest($2::text[]) as k (key), lateral (
       select * from result where tenant_id = $1 and source_key = k.key offset 0) as r
     order by r.superseded_by is not null, r.id`,
    [
      tenantId,
      unique(
        incoming.flatMap((message, at) =>
          digests[at]
            ? resultKeysOf(message, digests[at]).flatMap((keys) =>
                keys.flatMap(({ key }) => keysSeenBy(context.sight, key)),
              )
            : [],
        ),
      ),
    ],
    idOf,
  );
  const found = await read<{ key: string; ids: string[] }>(
    // Most keys belong to new people, so only the keys that were found are returned.
    underKeys,
    [tenantId, unique(told.flatMap((digest) => digest.keys))],
    ({ key }) => key,
    ({ key, ids }, upper) => ({ key, ids: unique([...ids, ...upper.ids]) }),
  );
  const numbers = incoming.flatMap(({ content }) =>
    (content.kind === 'case' || content.kind === 'treatment') && content.row.caseId
      ? [content.row.caseId]
      : [],
  );
  const numbered =
    numbers.length === 0
      ? []
      : await read<{ id: string; patientId: string }>(
          `select id, patient_id as "patientId" from case_report where tenant_id = $1 and external_id = any ($2)`,
          [tenantId, unique(numbers)],
          idOf,
        );
  const isOfTreatments = incoming.some(({ content }) => content.kind === 'treatment');
  const numberedHere =
    numbers.length === 0 || !isOfTreatments
      ? []
      : await read<{ id: string; patientId: string; caseId: string }>(
          `select id, patient_id as "patientId", case_id as "caseId" from case_report
           where tenant_id = $1 and case_id = any ($2)`,
          [tenantId, unique(numbers)],
          idOf,
        );
  const patientIds = unique([
    ...results.map(({ patientId }) => patientId),
    ...found.flatMap(({ ids }) => ids),
    ...numbered.map(({ patientId }) => patientId),
    ...numberedHere.map(({ patientId }) => patientId),
  ]);
  const patients = await loadPatients(tx, tenantId, patientIds, read);
  const cases = await loadCases(tenantId, patientIds, read);
  const accessions = unique(
    incoming.flatMap(({ content }) =>
      content.kind === 'report'
        ? content.report.orders.flatMap(({ specimens, filler, placer }) =>
            [...specimens.flatMap((specimen) => [specimen.filler, specimen.placer]), filler, placer].flatMap(
              (number) => number?.value ?? [],
            ),
          )
        : [],
    ),
  );
  const specimens = await read<SpecimenRecord>(
    `select id, patient_id as "patientId", accession, type_code as "typeCode" from specimen
     where tenant_id = $1 and accession = any ($2) and patient_id = any ($3)`,
    [tenantId, accessions, patientIds],
    idOf,
  );
  return {
    messages,
    mappings: new Map(mappings.map((mapping) => [mappingKey(mapping), mapping])),
    results: Map.groupBy(
      results.map(
        ({ status, ...result }): StoredResult => ({ ...result, hl7Status: statusLetters[status] ?? 'F' }),
      ),
      ({ sourceKey }) => sourceKey,
    ),
    patients: new Map(patients.map((patient) => [patient.id, patient])),
    byKey: new Map(found.map(({ key, ids }) => [key, new Set(ids)])),
    cases,
    caseNumbers: new Map(numberedHere.map(({ caseId, id }) => [caseId, id])),
    treatments: isOfTreatments ? await loadTreatments(tenantId, patientIds, read) : [],
    specimens,
    facilities: await loadFacilities(
      read,
      tenantId,
      incoming,
      context.facilityId ? [context.facilityId] : [],
      context.sight,
    ),
    programs: await loadPrograms(tx, tenantId),
    jurisdictionOfCounty: await loadJurisdictions(tx, tenantId),
  };
}

/**
 * The messages that were received before. A message is the same in any file. A table row is the same only if as many
 * equal rows were received in another table, so that equal rows of one table stay separate.
 */
async function loadReceived(
  read: Read,
  tenantId: string,
  incoming: readonly Incoming[],
  { importId, format, condition, sight }: PlanContext,
): Promise<BatchState['messages']> {
  const fresh = incoming.filter(({ stored }) => !stored);
  const hash = ({ contentHash }: Incoming) => Buffer.from(contentHash, 'hex');
  if (format === 'csv') {
    const before = await read<{ hash: string; n: number }>(
      `select encode(a.hash, 'hex') as hash, m.occurrence as n from unnest($2::bytea[]) as a (hash), lateral (
         select occurrence from import_message
         where tenant_id = $1 and import_id = $3 and content_hash = a.hash and message_type = 'row'
         order by occurrence desc limit 1) m`,
      [
        tenantId,
        unique(fresh.map(({ contentHash }) => contentHash)).map((text) => Buffer.from(text, 'hex')),
        importId,
      ],
      (row) => row.hash,
    );
    const counted = new Map(before.map((row) => [row.hash, row.n]));
    for (const row of fresh) {
      row.occurrence = (counted.get(row.contentHash) ?? 0) + 1;
      counted.set(row.contentHash, row.occurrence);
    }
  }
  const found = await read<{
    id: string;
    contentHash: string;
    occurrence: number;
    families: string[];
  }>(
    // Without a join to `import`, which would read every message of the file for each look-up.
    `select m.id, encode(a.hash, 'hex') as "contentHash", a.occurrence, m.families
     from unnest($2::bytea[], $3::integer[]) as a (hash, occurrence), lateral (
       select id, disease_families as families from import_message m
       where tenant_id = $1 and content_hash = a.hash and occurrence = a.occurrence and state <> 'duplicate'
         -- The same rows for another condition are other cases.
         and ($4::text is null or coalesce((select i.options #>> '{table,options,condition}' from import i
           where i.tenant_id = $1 and i.id = m.import_id), $4) = $4)
         -- What others sent is not known to an organization or facility.
         and ($5::uuid is null and $6::uuid is null or exists (select from import i
           where i.tenant_id = $1 and i.id = m.import_id
             and coalesce(i.organization_id = $5, $5 is null) and coalesce(i.facility_id = $6, $6 is null)))
       offset 0) as m`,
    [
      tenantId,
      fresh.map(hash),
      fresh.map(({ occurrence }) => occurrence),
      condition,
      sight.organizationId,
      sight.facilityId,
    ],
    receivedKey,
  );
  return new Map(found.map((message) => [receivedKey(message), message]));
}

async function loadFacilities(
  read: Read,
  tenantId: string,
  incoming: readonly Incoming[],
  given: readonly string[],
  sight: Sight,
): Promise<FacilityRecord[]> {
  const named = incoming.flatMap(({ content }): Organization[] => {
    if (content.kind === 'case' || content.kind === 'treatment')
      return [{ name: content.row.facility, identifiers: [], phones: [] }];
    if (content.kind !== 'report') return [];
    const { orders } = content.report;
    return orders
      .flatMap(({ facility, observations }) => [
        facility,
        // As in the plan: if no performer is named, the sender is the performer.
        ...observations.map(({ performer }) => performer ?? sendingLaboratory(content.report)),
      ])
      .filter((one) => one !== undefined);
  });
  const said = (list: (string | undefined)[]) =>
    unique(list.filter((entry) => entry !== undefined && entry !== ''));
  const places = named.map(({ name, address }) => ({
    name: matchName(name ?? ''),
    postalCode: address?.zip?.slice(0, 5) || undefined,
  }));
  const anywhere = places.filter(({ postalCode }) => !postalCode);
  const somewhere = places.filter(({ name, postalCode }) => name !== '' && postalCode);
  // A chain has hundreds of places with one name; only those that a message can mean are read.
  const isMeant = (alias: string) => `(${alias}.match_name = any ($5) or ${alias}.match_name = any ($6) and (
    coalesce(${alias}.postal_code, '') = '' or ${alias}.match_name || ' ' || left(${alias}.postal_code, 5) = any ($7)))`;
  // Matches what the policy of `facility` shows to a reader with this visibility, including places with hidden
  // disease families. The plan uses them to decide for whom a place counts as new.
  const isSeen = `($8::uuid is null and $9::uuid is null or f.organization_id = $8 or f.id = $9
      or f.registered and (f.facility_type = 'laboratory' or f.organization_id is null)
      or exists (select from result r where r.tenant_id = $1
        and (r.facility_id = f.id or r.performing_facility_id = f.id)
        and coalesce(r.organization_id = $8, $8 is null) and coalesce(r.facility_id = $9, $9 is null)
        and coalesce(r.disease_family <> all ($10::text[]), true)))`;
  // If a report can mean several, the one that a person entered counts, then the oldest. Looked up by current names
  // and numbers, former ones, those of merged facilities, and by the id of a facility that a file was uploaded for
  // before it was merged.
  return read<FacilityRecord & { key: string }>(
    `select 'own ' || id as key, id, organization_id as "organizationId", match_name as "matchName", clia, npi,
       postal_code as "postalCode", coalesce(${isSeen}, false) as "isSeen", registered as "isRegistered",
       disease_families as "diseaseFamilies", null::uuid as "mergedId", 0 as place, registered, created_at
     from facility f where tenant_id = $1 and merged_into is null
       and (id = any ($2) or clia = any ($3) or npi = any ($4) or ${isMeant('f')})
     union all
     select 'alias ' || a.id, f.id, f.organization_id, a.match_name, a.clia, a.npi, a.postal_code,
       coalesce(${isSeen}, false), f.registered, f.disease_families, null::uuid, 1, f.registered, f.created_at
     from facility_alias a join facility f on f.tenant_id = a.tenant_id and f.id = a.facility_id
     where a.tenant_id = $1 and (a.clia = any ($3) or a.npi = any ($4) or ${isMeant('a')})
     union all
     select 'merged ' || m.id, f.id, f.organization_id, m.match_name, m.clia, m.npi, m.postal_code,
       coalesce(${isSeen}, false), f.registered, f.disease_families, m.id, 2, f.registered, f.created_at
     from facility m join facility f on f.tenant_id = m.tenant_id and f.id = m.merged_into
     where m.tenant_id = $1 and m.id = any ($2)
     order by place, registered desc, created_at, id`,
    [
      tenantId,
      given,
      said(named.map(({ clia }) => clia)),
      said(named.map(({ npi }) => npi)),
      said(anywhere.map(({ name }) => name)),
      said(somewhere.map(({ name }) => name)),
      unique(somewhere.map(({ name, postalCode }) => `${name} ${postalCode}`)),
      sight.organizationId,
      sight.facilityId,
      sight.hiddenFamilies,
    ],
    ({ key }) => key,
  );
}
