import { recordChange } from '../../platform/analytics/outbox.ts';
import type { Tx } from '../../platform/db/database.ts';
import { matchName } from '../../platform/match-name.ts';
import { lockRecords } from '../../platform/record-lock.ts';
import { keysOfCase, writeSearchKeys } from '../../platform/search-keys.ts';
import { familyByCode } from '../reference/catalog.ts';
import {
  type BatchState,
  type CaseRecord,
  type FacilityRecord,
  type Plan,
  type PlanContext,
  type ProgramRecord,
  patientsPerKey,
  type SpecimenRecord,
  type StoredMapping,
  type StoredResult,
} from './batch-state.ts';
import { writeComparisonKeys } from './comparison-keys.ts';
import { type Digest, type Incoming, receivedKey, resultKeysOf } from './incoming.ts';
import { mappingKey } from './interpret.ts';
import { keysOfRecord, type PatientKeys, type PatientRecord, prepareFacts } from './patient-facts.ts';
import type { Organization, ResultStatus } from './report.ts';

/**
 * Reads what a batch can touch and writes what it does: a constant number of statements, however many messages it
 * holds. Rows go in and out as JSON, since COPY does not obey row-level security.
 *
 * What is looked for by a list is looked for one by one (`unnest …, lateral (… offset 0)`): PostgreSQL plans `= any (list)`
 * by statistics, and while a large file is read these tell of tables that were all but empty. Every index then looks
 * alike, and each batch read the whole tenant by the wrong one: measured, ten thousand messages took ten times as long
 * after twenty thousand others as at first.
 */

/**
 * Begins a transaction that stores messages. Two of one tenant never run at once: each must see the patients and cases
 * that the other makes.
 */
export async function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  // PostgreSQL keeps the plans by which it checks foreign keys for as long as a connection lasts. Made while the
  // tables were all but empty they read the whole tenant for each row: measured, a fifth of the speed.
  await tx.run('discard plans');
  await lockRecords(tx, tenantId);
}

// — Reading —

const unique = <T>(list: Iterable<T>): T[] => [...new Set(list)];
const statusLetters: Record<string, ResultStatus> = {
  preliminary: 'P', final: 'F', corrected: 'C', pending: 'I', cancelled: 'X', withdrawn: 'W',
}; // biome-ignore format: one line reads as the table

/**
 * Reads rows of tables that a batch writes to. `keyOf` says which two are the same one, where a table has a layer over
 * it (`overlay.ts`); the upper one counts unless `join` makes one of both.
 */
export type Read = <Row extends object>(
  text: string,
  params: readonly unknown[],
  keyOf: (row: Row) => string,
  join?: (lower: Row, upper: Row) => Row,
) => Promise<Row[]>;

const plainly =
  (tx: Tx): Read =>
  (text, params) =>
    tx.rows(text, params);
const idOf = ({ id }: { id: string }) => id;

/** Loads what the messages can touch, and counts the equal rows among them. */
export async function loadState(
  tx: Tx,
  tenantId: string,
  incoming: readonly Incoming[],
  digests: readonly (Digest | undefined)[],
  context: PlanContext,
  read: Read = plainly(tx),
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
       r.superseded_by is not null as "isSuperseded",
       to_char(r.reported_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "reportedAt",
       coalesce((select array_agg(c.case_report_id) from case_result c
         where c.tenant_id = r.tenant_id and c.result_id = r.id), '{}') as "caseIds"
     from unnest($2::text[]) as k (key), lateral (
       select * from result where tenant_id = $1 and source_key = k.key and superseded_by is null
       union all select * from result where tenant_id = $1 and source_key = k.key and superseded_by is not null
       offset 0) as r
     order by r.superseded_by is not null, r.id`,
    [
      tenantId,
      unique(
        incoming.flatMap((message, at) =>
          digests[at] ? resultKeysOf(message, digests[at]).flatMap((keys) => keys.map(({ key }) => key)) : [],
        ),
      ),
    ],
    idOf,
  );
  const found = await read<{ key: string; ids: string[] }>(
    `select k.key, array(select b.patient_id from patient_block b
       where b.tenant_id = $1 and b.key = k.key order by b.patient_id limit ${patientsPerKey}) as ids
     from unnest($2::text[]) as k (key)`,
    [tenantId, unique(told.flatMap((digest) => digest.keys))],
    ({ key }) => key,
    ({ key, ids }, upper) => ({ key, ids: unique([...ids, ...upper.ids]) }),
  );
  const numbers = incoming.flatMap(({ content }) =>
    content.kind === 'case' && content.row.caseId ? [content.row.caseId] : [],
  );
  const numbered =
    numbers.length === 0
      ? []
      : await read<{ id: string; patientId: string }>(
          `select id, patient_id as "patientId" from case_report where tenant_id = $1 and external_id = any ($2)`,
          [tenantId, unique(numbers)],
          idOf,
        );
  const patientIds = unique([
    ...results.map(({ patientId }) => patientId),
    ...found.flatMap(({ ids }) => ids),
    ...numbered.map(({ patientId }) => patientId),
  ]);
  const patients = await loadPatients(tx, tenantId, patientIds, read);
  const cases = await read<CaseRecord>(
    `select id, patient_id as "patientId", condition_code as "conditionCode", disease_family as family, classification,
       onset_on as "onsetOn", collected_on as "collectedOn", reported_on as "reportedOn", received_on as "receivedOn",
       created_on as "createdOn", organization_id as "organizationId", facility_id as "facilityId",
       program_id as "programId", task_id as "taskId", jurisdiction_id as "jurisdictionId", county_fips as "countyFips",
       outcome, pregnant, hospitalized, source, external_id as "externalId", review_reason as "reviewReason",
       false as "isNew", false as changed
     from unnest($2::uuid[]) as k (patient), lateral (
       select * from case_report where tenant_id = $1 and patient_id = k.patient offset 0) as c
     order by id`,
    [tenantId, patientIds],
    idOf,
  );
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
    specimens,
    facilities: await loadFacilities(
      read,
      tenantId,
      incoming,
      context.facilityId ? [context.facilityId] : [],
    ),
    programs: await loadPrograms(tx, tenantId),
    jurisdictionOfCounty: await loadJurisdictions(tx, tenantId),
  };
}

/**
 * The messages that were received before. A message is the same wherever it stands; a row of a table, only where as
 * many equal ones were received with other tables, so that equal rows of one table are each a row of their own.
 */
async function loadReceived(
  read: Read,
  tenantId: string,
  incoming: readonly Incoming[],
  { importId, format, condition }: PlanContext,
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
    families: string[] | null;
  }>(
    // Without a join to `import`, by which every message of the file would be read for each that is looked for.
    `select m.id, encode(a.hash, 'hex') as "contentHash", a.occurrence, m.families
     from unnest($2::bytea[], $3::integer[]) as a (hash, occurrence), lateral (
       select id, disease_families as families from import_message m
       where tenant_id = $1 and content_hash = a.hash and occurrence = a.occurrence and state <> 'duplicate'
         -- The same rows for another condition are other cases.
         and ($4::text is null or coalesce((select i.options #>> '{table,options,condition}' from import i
           where i.tenant_id = m.tenant_id and i.id = m.import_id), $4) = $4)
       offset 0) as m`,
    [tenantId, fresh.map(hash), fresh.map(({ occurrence }) => occurrence), condition],
    receivedKey,
  );
  return new Map(found.map((message) => [receivedKey(message), message]));
}

interface PatientRow extends Omit<PatientRecord, 'names' | 'prepared' | 'identifiers' | 'newIdentifiers'> {
  lastName: string | null;
  firstName: string | null;
  middleName: string | null;
  nameSuffix: string | null;
  otherNames: PatientRecord['names'];
  identifiers: PatientRecord['identifiers'];
}

/** Patients with their identifiers, as the importer holds them. */
export async function loadPatients(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  read: Read = plainly(tx),
): Promise<PatientRecord[]> {
  if (ids.length === 0) return [];
  const rows = await read<PatientRow>(
    `select p.id, p.last_name as "lastName", p.first_name as "firstName", p.middle_name as "middleName",
       p.name_suffix as "nameSuffix", p.other_names as "otherNames", p.birth_date as "birthDate",
       p.birth_date_precision as "birthDatePrecision", p.born_from as "bornFrom",
       p.born_to as "bornTo", p.sex_at_birth as "sexAtBirth",
       p.gender_identity as "genderIdentity", p.sexual_orientation as "sexualOrientation", p.races, p.race, p.ethnicity,
       p.raw_demographics as "rawDemographics", p.language_code as "languageCode", p.deceased,
       p.deceased_on as "deceasedOn", p.street, p.street2, p.city, p.state_fips as "stateFips",
       p.postal_code as "postalCode", p.county_fips as "countyFips", p.country_code as "countryCode", p.phones, p.emails,
       p.organization_ids as "organizationIds", p.facility_ids as "facilityIds",
       p.disease_families as "diseaseFamilies",
       to_char(p.informed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "informedAt",
       coalesce((select jsonb_agg(jsonb_build_object('kind', i.kind, 'assigner', i.assigner, 'value', i.value))
         from patient_identifier i where i.tenant_id = p.tenant_id and i.patient_id = p.id), '[]') as identifiers,
       false as "isNew", false as changed, false as "keysChanged"
     from unnest($2::uuid[]) as k (id), lateral (
       select * from patient where tenant_id = $1 and id = k.id and merged_into is null offset 0) as p
     order by p.id`,
    [tenantId, ids],
    idOf,
  );
  return rows.map(({ lastName, firstName, middleName, nameSuffix, otherNames, ...row }) => {
    const named = lastName !== null || firstName !== null;
    const facts = {
      ...row,
      names: [
        ...(named ? [{ last: lastName, first: firstName, middle: middleName, suffix: nameSuffix }] : []),
        ...otherNames,
      ],
    };
    return { ...facts, newIdentifiers: [], prepared: prepareFacts(facts) };
  });
}

async function loadFacilities(
  read: Read,
  tenantId: string,
  incoming: readonly Incoming[],
  given: readonly string[],
): Promise<FacilityRecord[]> {
  const named = incoming.flatMap(({ content }): Organization[] => {
    if (content.kind === 'case') return [{ name: content.row.facility, identifiers: [], phones: [] }];
    if (content.kind !== 'report') return [];
    const { header, orders } = content.report;
    return [
      { name: header.sendingFacility?.name, clia: header.sendingClia, identifiers: [], phones: [] },
      ...orders
        .flatMap(({ facility, observations }) => [
          facility,
          ...observations.map(({ performer }) => performer),
        ])
        .filter((one) => one !== undefined),
    ];
  });
  const said = (list: (string | undefined)[]) =>
    unique(list.filter((entry) => entry !== undefined && entry !== ''));
  // Under the name and numbers it has, under those it had and those of facilities that were merged into it, and by the id
  // of one for which a file was uploaded before it was merged.
  return read<FacilityRecord & { key: string }>(
    `select 'own ' || id as key, id, organization_id as "organizationId", match_name as "matchName", clia, npi,
       postal_code as "postalCode", null::uuid as "mergedId", 0 as place, registered
     from facility where tenant_id = $1 and merged_into is null
       and (id = any ($2) or clia = any ($3) or npi = any ($4) or match_name = any ($5))
     union all
     select 'alias ' || a.id, f.id, f.organization_id, a.match_name, a.clia, a.npi, a.postal_code, null::uuid, 1, f.registered
     from facility_alias a join facility f on f.tenant_id = a.tenant_id and f.id = a.facility_id
     where a.tenant_id = $1 and (a.clia = any ($3) or a.npi = any ($4) or a.match_name = any ($5))
     union all
     select 'merged ' || m.id, f.id, f.organization_id, m.match_name, m.clia, m.npi, m.postal_code, m.id, 2, f.registered
     from facility m join facility f on f.tenant_id = m.tenant_id and f.id = m.merged_into
     where m.tenant_id = $1 and m.id = any ($2)
     order by place, registered desc, id`,
    [
      tenantId,
      given,
      said(named.map(({ clia }) => clia)),
      said(named.map(({ npi }) => npi)),
      said(named.map(({ name }) => matchName(name ?? ''))),
    ],
    ({ key }) => key,
  );
}

const loadPrograms = (tx: Tx, tenantId: string): Promise<ProgramRecord[]> =>
  tx.rows<ProgramRecord>(
    `select p.id, p.program_type_id as "programTypeId", p.organization_id as "organizationId", p.disease_families as families,
       (select t.id from task t where t.tenant_id = p.tenant_id and t.program_id = p.id and t.deactivated_at is null
         and t.task_category = 'testing' order by t.id limit 1) as "testingTaskId",
       (select t.id from task t where t.tenant_id = p.tenant_id and t.program_id = p.id and t.deactivated_at is null
         and t.task_category = 'case-investigation' order by t.id limit 1) as "investigationTaskId"
     from program p where p.tenant_id = $1 and p.deactivated_at is null order by p.id`,
    [tenantId],
  );

/** Counties to the jurisdiction responsible for their residents: of several, the one with the fewest counties. */
async function loadJurisdictions(tx: Tx, tenantId: string): Promise<Map<string, string>> {
  const rows = await tx.rows<{ county: string; id: string }>(
    `select distinct on (c.county_fips) c.county_fips as county, c.jurisdiction_id as id
     from tenant_reporting r join jurisdiction_county c on c.jurisdiction_id = r.jurisdiction_id
     join jurisdiction j on j.id = r.jurisdiction_id and j.deactivated_at is null
     where r.tenant_id = $1
     order by c.county_fips, (select count(*) from jurisdiction_county o where o.jurisdiction_id = c.jurisdiction_id), c.jurisdiction_id`,
    [tenantId],
  );
  return new Map(rows.map(({ county, id }) => [county, id]));
}

// — Writing —

type Columns = Record<string, string>;

/** Inserts rows given as objects; `columns` names each property's column and SQL type. */
async function insert<Row extends object>(
  tx: Tx,
  tenantId: string,
  table: string,
  columns: Columns,
  rows: readonly Row[],
  { conflict = '', select = {} }: { conflict?: string; select?: Record<string, string> } = {},
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  await tx.run(
    `insert into ${table} (tenant_id, ${names.join(', ')})
     select $1, ${names.map((name) => select[name] ?? `r.${name}`).join(', ')}
     from json_to_recordset($2::json) as r (${names.map((name) => `${name} ${columns[name]}`).join(', ')}) ${conflict}`,
    [tenantId, json(rows)],
  );
}

/** JSON without what PostgreSQL's text cannot hold: zero bytes and halves of a character. */
export const json = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /(\\+)u(0000|d[89a-f][0-9a-f]{2})/g,
    (found, slashes: string, code: string) =>
      // An even number of backslashes is text that only looks like an escape.
      slashes.length % 2 === 0 ? found : slashes.slice(1) + (code === '0000' ? '' : '\\ufffd'),
  );

const patientColumns: Columns = {
  id: 'uuid', last_name: 'text', first_name: 'text', middle_name: 'text', name_suffix: 'text', other_names: 'jsonb',
  birth_date: 'date', birth_date_precision: 'text', born_from: 'date', born_to: 'date', sex_at_birth: 'text', gender_identity: 'text',
  sexual_orientation: 'text', races: 'text[]', race: 'text', ethnicity: 'text', raw_demographics: 'jsonb',
  language_code: 'text', deceased: 'boolean', deceased_on: 'date', street: 'text', street2: 'text', city: 'text',
  state_fips: 'text', postal_code: 'text', county_fips: 'text', country_code: 'text', phones: 'text[]',
  emails: 'text[]', organization_ids: 'uuid[]', facility_ids: 'uuid[]', informed_at: 'timestamptz',
  disease_families: 'text[]',
}; // biome-ignore format: a table

const patientRow = (patient: PatientRecord) => {
  const [name, ...others] = patient.names;
  return {
    id: patient.id,
    last_name: name?.last ?? null,
    first_name: name?.first ?? null,
    middle_name: name?.middle ?? null,
    name_suffix: name?.suffix ?? null,
    other_names: others,
    birth_date: patient.birthDate,
    birth_date_precision: patient.birthDatePrecision,
    born_from: patient.bornFrom,
    born_to: patient.bornTo,
    sex_at_birth: patient.sexAtBirth,
    gender_identity: patient.genderIdentity,
    sexual_orientation: patient.sexualOrientation,
    races: patient.races,
    race: patient.race,
    ethnicity: patient.ethnicity,
    raw_demographics: patient.rawDemographics,
    language_code: patient.languageCode,
    deceased: patient.deceased,
    deceased_on: patient.deceasedOn,
    street: patient.street,
    street2: patient.street2,
    city: patient.city,
    state_fips: patient.stateFips,
    postal_code: patient.postalCode,
    county_fips: patient.countyFips,
    country_code: patient.countryCode,
    phones: patient.phones,
    emails: patient.emails,
    organization_ids: patient.organizationIds,
    facility_ids: patient.facilityIds,
    informed_at: patient.informedAt,
    disease_families: patient.diseaseFamilies,
  };
};

/** Writes patients, new and changed, with everything by which they are found. */
export async function writePatients(
  tx: Tx,
  tenantId: string,
  patients: readonly PatientRecord[],
): Promise<void> {
  const made = patients.filter(({ isNew }) => isNew);
  const changed = patients.filter(({ isNew }) => !isNew);
  await insert(tx, tenantId, 'patient', patientColumns, made.map(patientRow));
  if (changed.length > 0) {
    const names = Object.keys(patientColumns);
    await tx.run(
      `update patient p set version = p.version + 1, updated_at = now(),
         ${names
           .filter((name) => name !== 'id')
           .map((name) => `${name} = r.${name}`)
           .join(', ')}
       from json_to_recordset($2::json) as r (${names.map((name) => `${name} ${patientColumns[name]}`).join(', ')})
       where p.tenant_id = $1 and p.id = r.id`,
      [tenantId, json(changed.map(patientRow))],
    );
  }
  await insert(
    tx,
    tenantId,
    'patient_identifier',
    { patient_id: 'uuid', kind: 'text', assigner: 'text', value: 'text' },
    patients.flatMap(({ id, newIdentifiers }) =>
      newIdentifiers.map((identifier) => ({ patient_id: id, ...identifier })),
    ),
    { conflict: 'on conflict do nothing' },
  );
  await writeKeys(
    tx,
    tenantId,
    patients.filter(({ keysChanged }) => keysChanged),
  );
}

/** Writes the keys by which patients are compared and searched, in place of those they had. */
export async function writeKeys(tx: Tx, tenantId: string, patients: readonly PatientRecord[]): Promise<void> {
  const keyed = patients.map((patient) => ({ patient, keys: keysOfRecord(patient) }));
  const keyedBy = (kind: keyof PatientKeys) =>
    keyed.map(({ patient: { id, keysBefore }, keys }) => ({
      id,
      keys: keys[kind],
      before: keysBefore?.[kind],
    }));
  await writeComparisonKeys(tx, tenantId, keyedBy('comparison'));
  await writeSearchKeys(tx, tenantId, 'patient', keyedBy('search'));
}

/** Writes everything a batch does, except the progress of its import. `accountId` is set when a person did it by hand. */
export async function writePlan(
  tx: Tx,
  tenantId: string,
  importId: string,
  plan: Plan,
  { today }: { today: string },
): Promise<void> {
  await insert(
    tx,
    tenantId,
    'facility',
    {
      id: 'uuid', name: 'text', match_name: 'text', facility_type: 'text', clia: 'text', npi: 'text', street: 'text',
      city: 'text', postal_code: 'text', phone: 'text', registered: 'boolean',
    }, // biome-ignore format: a table
    plan.facilities.map(({ id, matchName: match, clia, npi, postalCode, made }) => ({
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
    })),
  );
  await writePatients(tx, tenantId, plan.patients);
  await writeMessages(tx, tenantId, importId, plan);
  await insert(
    tx,
    tenantId,
    'specimen',
    {
      id: 'uuid', patient_id: 'uuid', accession: 'text', type_code: 'text', type_text: 'text', site_code: 'text',
      site_text: 'text', collected_at: 'timestamptz', received_at: 'timestamptz',
    }, // biome-ignore format: a table
    plan.specimens.map(({ id, patientId, accession, typeCode, observed }) => ({
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
  await writeResults(tx, tenantId, plan, today);
  await writeCases(tx, tenantId, plan);
  await insert(
    tx,
    tenantId,
    'patient_match',
    { id: 'uuid', patient_id: 'uuid', candidate_id: 'uuid', score: 'real', parts: 'jsonb' },
    plan.matches.map(({ patientId, candidateId, comparison }) => ({
      patient_id: patientId,
      candidate_id: candidateId,
      score: comparison.score,
      parts: comparison.parts,
    })),
    { conflict: 'on conflict do nothing', select: { id: 'gen_random_uuid()' } },
  );
  await insert(
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
        occurrences = code_mapping.occurrences + excluded.occurrences, last_seen_at = now()`,
    },
  );
  await insert(
    tx,
    tenantId,
    'import_tally',
    { import_id: 'uuid', kind: 'text', key: 'text', families: 'text[]', n: 'integer' },
    plan.tallies.filter(({ n }) => n !== 0).map((tally) => ({ import_id: importId, ...tally })),
    {
      conflict:
        'on conflict (tenant_id, import_id, kind, key, families) do update set n = import_tally.n + excluded.n',
    },
  );
}

async function writeMessages(tx: Tx, tenantId: string, importId: string, { messages }: Plan): Promise<void> {
  const fresh = messages.filter(({ incoming }) => !incoming.stored);
  await insert(
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
    { select: { raw: `decode(r.raw, 'base64')`, content_hash: `decode(r.content_hash, 'hex')` } },
  );
  const again = messages.filter(({ incoming }) => incoming.stored);
  if (again.length > 0)
    await tx.run(
      `update import_message m set state = r.state, reason = r.reason, faults = r.faults, waiting_for = r.waiting_for,
         patient_id = coalesce(r.patient_id, m.patient_id), disease_families = r.disease_families, rerun = false,
         control_id = r.control_id, message_type = r.message_type, sender = r.sender
       from json_to_recordset($2::json) as r (id uuid, state text, reason text, faults jsonb, waiting_for uuid[],
         patient_id uuid, disease_families text[], control_id text, message_type text, sender text)
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
    await tx.run('update import_message set corrected_by = $3 where tenant_id = $1 and id = $2', [
      tenantId,
      incoming.corrects!.id,
      id,
    ]);
}

async function writeResults(
  tx: Tx,
  tenantId: string,
  { results, superseded }: Plan,
  today: string,
): Promise<void> {
  // First, since only one current result may have a key.
  const old = superseded.map(({ id }) => id);
  if (old.length > 0)
    await tx.run(
      `update result r set superseded_by = s.by from json_to_recordset($2::json) as s (id uuid, by uuid)
       where r.tenant_id = $1 and r.id = s.id`,
      [tenantId, json(superseded)],
    );
  const by = new Map(superseded.map((pair) => [pair.id, pair.by]));
  await insert(
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
      abnormal_flag: 'text', accession: 'text', specimen_site: 'text', age_years: 'smallint', county_fips: 'text',
      collected_at: 'timestamptz', received_at: 'timestamptz', resulted_at: 'timestamptz', reported_at: 'timestamptz',
      collected_on: 'date', received_on: 'date', resulted_on: 'date', reported_on: 'date', created_on: 'date',
      superseded_by: 'uuid',
    }, // biome-ignore format: a table
    results.map(({ observed, ...result }) => ({
      id: result.id,
      patient_id: result.patientId,
      specimen_id: result.specimenId,
      import_message_id: result.messageId,
      source_key: observed.key.key,
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
    })),
  );
  await recordChange(tx, tenantId, 'result', [...new Set([...results.map(({ id }) => id), ...old])]);
}

async function writeCases(
  tx: Tx,
  tenantId: string,
  { cases, caseResults, caseEvents, patients }: Plan,
): Promise<void> {
  const made = cases.filter(({ isNew }) => isNew);
  const numbers = await takeCaseNumbers(tx, tenantId, made);
  await insert(
    tx,
    tenantId,
    'case_report',
    {
      id: 'uuid', case_id: 'text', patient_id: 'uuid', condition_code: 'text', disease_family: 'text',
      disease_category: 'text', classification: 'text', onset_on: 'date', collected_on: 'date', reported_on: 'date',
      received_on: 'date', created_on: 'date', organization_id: 'uuid', facility_id: 'uuid', program_id: 'uuid',
      task_id: 'uuid', jurisdiction_id: 'uuid', county_fips: 'text', outcome: 'text', pregnant: 'text',
      hospitalized: 'text', source: 'text', external_id: 'text', review_reason: 'text',
    }, // biome-ignore format: a table
    made.map((record) => ({
      id: record.id,
      case_id: numbers.get(record.id),
      patient_id: record.patientId,
      condition_code: record.conditionCode,
      disease_family: record.family,
      disease_category: familyByCode(record.family)?.category ?? '',
      classification: record.classification,
      onset_on: record.onsetOn,
      collected_on: record.collectedOn,
      reported_on: record.reportedOn,
      received_on: record.receivedOn,
      created_on: record.createdOn,
      organization_id: record.organizationId,
      facility_id: record.facilityId,
      program_id: record.programId,
      task_id: record.taskId,
      jurisdiction_id: record.jurisdictionId,
      county_fips: record.countyFips,
      outcome: record.outcome,
      pregnant: record.pregnant,
      hospitalized: record.hospitalized,
      source: record.source,
      external_id: record.externalId,
      review_reason: record.reviewReason,
    })),
  );
  const changed = cases.filter(({ isNew }) => !isNew);
  if (changed.length > 0) {
    const rows = await tx.rows<{ id: string; case_id: string }>(
      `update case_report c set condition_code = r."conditionCode", classification = r.classification,
         onset_on = r."onsetOn", collected_on = r."collectedOn", reported_on = r."reportedOn", outcome = r.outcome,
         pregnant = r.pregnant, hospitalized = r.hospitalized, external_id = r."externalId",
         review_reason = r."reviewReason", version = c.version + 1, updated_at = now()
       from json_to_recordset($2::json) as r (id uuid, "conditionCode" text, classification text, "onsetOn" date,
         "collectedOn" date, "reportedOn" date, outcome text, pregnant text, hospitalized text, "externalId" text,
         "reviewReason" text)
       where c.tenant_id = $1 and c.id = r.id returning c.id, c.case_id`,
      [tenantId, json(changed)],
    );
    for (const { id, case_id } of rows) numbers.set(id, case_id);
  }
  await insert(
    tx,
    tenantId,
    'case_result',
    { case_report_id: 'uuid', result_id: 'uuid' },
    caseResults.map(({ caseId, resultId }) => ({ case_report_id: caseId, result_id: resultId })),
    { conflict: 'on conflict do nothing' },
  );
  await insert(
    tx,
    tenantId,
    'case_event',
    { id: 'uuid', at: 'timestamptz', case_report_id: 'uuid', kind: 'text', detail: 'jsonb' },
    // A millionth of a second apart, so that they stay in their order.
    caseEvents.map(({ caseId, kind, detail }, place) => ({
      case_report_id: caseId,
      kind,
      detail,
      id: null,
      at: null,
      place,
    })),
    { select: { id: 'gen_random_uuid()', at: `now() + row_number() over () * interval '1 microsecond'` } },
  );
  await writeSearchKeys(
    tx,
    tenantId,
    'case',
    cases
      .filter(({ isNew, externalId }) => isNew || externalId !== null)
      .map((record) => ({
        id: record.id,
        keys: keysOfCase({ caseId: numbers.get(record.id)!, externalId: record.externalId }),
        before: record.isNew ? [] : undefined,
      })),
  );
  await recordChange(
    tx,
    tenantId,
    'case',
    cases.map(({ id }) => id),
  );
  await recordChange(
    tx,
    tenantId,
    'patient',
    patients.filter(({ isNew }) => !isNew).map(({ id }) => id),
  );
}

/** The next readable numbers, `YYYY-NNNNNNN`, one for each new case, in the order given. */
async function takeCaseNumbers(
  tx: Tx,
  tenantId: string,
  made: readonly CaseRecord[],
): Promise<Map<string, string>> {
  const numbers = new Map<string, string>();
  for (const [year, cases] of Map.groupBy(made, ({ createdOn }) => createdOn.slice(0, 4))) {
    const [row] = await tx.rows<{ last: number }>(
      `insert into case_counter (tenant_id, year, last_number) values ($1, $2, $3)
       on conflict (tenant_id, year) do update set last_number = case_counter.last_number + excluded.last_number
       returning last_number as last`,
      [tenantId, Number(year), cases.length],
    );
    const before = row!.last - cases.length;
    for (const [at, record] of cases.entries())
      numbers.set(record.id, `${year}-${String(before + at + 1).padStart(7, '0')}`);
  }
  return numbers;
}
