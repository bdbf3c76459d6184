import { randomInt } from 'node:crypto';
import { carriedBy, carriers, passOn } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type Columns,
  givenRows,
  idOf,
  insertRows,
  json,
  type Read,
  readPlainly,
} from '../../platform/db/rows.ts';
import { writeComparisonKeys } from './comparison-keys.ts';
import type { PersonIdentifier } from './matching.ts';
import { prepareFacts } from './patient-facts.ts';
import {
  keysOfRecord,
  type OpenFacts,
  openKeysOf,
  type PatientKeys,
  type PatientRecord,
} from './patient-record.ts';
import { writeSearchKeys } from './search-keys.ts';

/* Converts patients between their tables and the importer's form. */

interface PatientRow
  extends Omit<
    PatientRecord,
    'names' | 'prepared' | 'identifiers' | 'newIdentifiers' | 'retoldIdentifiers' | 'openly'
  > {
  lastName: string | null;
  firstName: string | null;
  middleName: string | null;
  nameSuffix: string | null;
  otherNames: PatientRecord['names'];
  identifiers: PatientRecord['identifiers'];
  toldOpenly: ({ [column: string]: unknown } & { keys?: string[] }) | null;
}

/** Patients with their identifiers, in the importer's form. */
export async function loadPatients(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  read: Read = readPlainly(tx),
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
       p.disease_families as "diseaseFamilies", p.restricted_at as "restrictedAt", p.told_by as "toldBy", p.told_openly as "toldOpenly",
       to_char(p.informed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "informedAt",
       coalesce((select jsonb_agg(jsonb_build_object('kind', i.kind, 'assigner', i.assigner, 'value', i.value,
           'toldBy', i.told_by, 'toldIn', i.told_in))
         from patient_identifier i where i.tenant_id = $1 and i.patient_id = p.id), '[]') as identifiers,
       false as "isNew", false as changed, false as "keysChanged"
     from unnest($2::uuid[]) as k (id), lateral (
       select * from patient where tenant_id = $1 and id = k.id and merged_into is null offset 0) as p
     order by p.id`,
    [tenantId, ids],
    idOf,
  );
  return rows.map(({ toldOpenly, ...row }) => {
    const facts = { ...withNames(row), openly: toldOpenly && readOpenly(toldOpenly) };
    const patient = { ...facts, newIdentifiers: [], retoldIdentifiers: [], prepared: prepareFacts(facts) };
    return { ...patient, sightBefore: sightOf(patient) };
  });
}

/** What decides who sees a patient's rows, and the columns that find the patient. */
const sightOf = (patient: Omit<PatientRecord, 'sightBefore'>): string =>
  JSON.stringify([
    patient.diseaseFamilies,
    patient.organizationIds,
    patient.facilityIds,
    patient.restrictedAt,
    patient.countyFips,
    patient.openly && [patient.openly.countyFips, openKeysOf(patient)],
    patient.toldBy,
    patient.toldBy && [patient.names[0]?.first, patient.names[0]?.last],
  ]);

type StoredNames = Pick<PatientRow, 'lastName' | 'firstName' | 'middleName' | 'nameSuffix' | 'otherNames'>;

function withNames<Row extends StoredNames>({
  lastName,
  firstName,
  middleName,
  nameSuffix,
  otherNames,
  ...row
}: Row) {
  const named = lastName !== null || firstName !== null;
  const names = [
    ...(named ? [{ last: lastName, first: firstName, middle: middleName, suffix: nameSuffix }] : []),
    ...otherNames,
  ];
  return { ...row, names };
}

/** The columns of `told_openly`, by the names in facts. */
function readOpenly({ keys: _, ...columns }: NonNullable<PatientRow['toldOpenly']>): OpenFacts {
  const named = Object.entries(columns).map(([column, value]) => [
    column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return withNames(Object.fromEntries(named) as StoredNames & Omit<OpenFacts, 'names'>);
}

const patientColumns: Columns = {
  id: 'uuid', last_name: 'text', first_name: 'text', middle_name: 'text', name_suffix: 'text', other_names: 'jsonb',
  birth_date: 'date', birth_date_precision: 'text', born_from: 'date', born_to: 'date', sex_at_birth: 'text', gender_identity: 'text',
  sexual_orientation: 'text', races: 'text[]', race: 'text', ethnicity: 'text', raw_demographics: 'jsonb',
  language_code: 'text', deceased: 'boolean', deceased_on: 'date', street: 'text', street2: 'text', city: 'text',
  state_fips: 'text', postal_code: 'text', county_fips: 'text', country_code: 'text', phones: 'text[]',
  emails: 'text[]', organization_ids: 'uuid[]', facility_ids: 'uuid[]', informed_at: 'timestamptz',
  disease_families: 'text[]', restricted_at: 'uuid[]', told_by: 'uuid[]', told_openly: 'jsonb',
}; // biome-ignore format: a table

/** The stored columns of facts. */
const factColumns = (facts: OpenFacts) => {
  const [name, ...others] = facts.names;
  return {
    last_name: name?.last ?? null,
    first_name: name?.first ?? null,
    middle_name: name?.middle ?? null,
    name_suffix: name?.suffix ?? null,
    other_names: others,
    birth_date: facts.birthDate,
    birth_date_precision: facts.birthDatePrecision,
    born_from: facts.bornFrom,
    born_to: facts.bornTo,
    sex_at_birth: facts.sexAtBirth,
    gender_identity: facts.genderIdentity,
    sexual_orientation: facts.sexualOrientation,
    races: facts.races,
    race: facts.race,
    ethnicity: facts.ethnicity,
    raw_demographics: facts.rawDemographics,
    language_code: facts.languageCode,
    deceased: facts.deceased,
    deceased_on: facts.deceasedOn,
    street: facts.street,
    street2: facts.street2,
    city: facts.city,
    state_fips: facts.stateFips,
    postal_code: facts.postalCode,
    county_fips: facts.countyFips,
    country_code: facts.countryCode,
    phones: facts.phones,
    emails: facts.emails,
    informed_at: facts.informedAt,
  };
};

const patientRow = (patient: PatientRecord) => ({
  ...factColumns(patient),
  id: patient.id,
  organization_ids: patient.organizationIds,
  facility_ids: patient.facilityIds,
  disease_families: patient.diseaseFamilies,
  restricted_at: patient.restrictedAt,
  told_by: patient.toldBy,
  told_openly: patient.openly && { ...factColumns(patient.openly), keys: openKeysOf(patient) },
});

/** Writes new and changed patients with all their search keys. */
export async function writePatients(
  tx: Tx,
  tenantId: string,
  patients: readonly PatientRecord[],
): Promise<void> {
  const made = patients.filter(({ isNew }) => isNew);
  const changed = patients.filter(({ isNew }) => !isNew);
  await insertRows(
    tx,
    tenantId,
    'patient',
    { ...patientColumns, half: 'boolean' },
    // Drawn once: no later statement writes it. [P17]
    made.map((patient) => ({ ...patientRow(patient), half: randomInt(2) === 0 })),
  );
  if (changed.length > 0) {
    const names = Object.keys(patientColumns);
    await tx.send(
      `update patient p set version = p.version + 1, updated_at = now(),
         ${names
           .filter((name) => name !== 'id')
           .map((name) => `${name} = r.${name}`)
           .join(', ')}
       from ${givenRows('$2', patientColumns)} as r
       where p.tenant_id = $1 and p.id = r.id`,
      [tenantId, json(changed.map(patientRow))],
    );
  }
  await writeIdentifiers(tx, tenantId, made, '');
  await writeIdentifiers(
    tx,
    tenantId,
    changed,
    `on conflict (tenant_id, kind, assigner, value, patient_id) do update
       set ${identifierColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  );
  const ids = changed.filter(isSeenElsewhere).map(({ id }) => id);
  await passOn(tx, tenantId, 'patient', ids, besideOwn);
  await writeKeys(
    tx,
    tenantId,
    patients.filter(({ keysChanged }) => keysChanged),
    changed.filter((patient) => !patient.keysChanged && isSeenElsewhere(patient)),
  );
}

/** New people have no stored identifiers, and not looking for them saves part of the insert. */
const writeIdentifiers = (
  tx: Tx,
  tenantId: string,
  patients: readonly PatientRecord[],
  conflict: string,
): Promise<void> =>
  insertRows(
    tx,
    tenantId,
    'patient_identifier',
    {
      patient_id: 'uuid',
      kind: 'text',
      assigner: 'text',
      value: 'text',
      told_by: 'uuid[]',
      told_in: 'text[]',
    },
    patients.flatMap((patient) =>
      Array.from(identifiersToWrite(patient), ({ kind, assigner, value, toldBy = null, toldIn = null }) => ({
        patient_id: patient.id,
        kind,
        assigner,
        value,
        told_by: toldBy,
        told_in: toldIn,
      })),
    ),
    { conflict, carriedOf: 'patient' },
  );

/** Whether others than before see a stored patient, or what belongs to them. */
const isSeenElsewhere = (patient: PatientRecord): boolean =>
  !patient.isNew && patient.sightBefore !== sightOf(patient);

/** All identifiers of a patient if others see them now; otherwise those that are new, or also told by others. */
const identifiersToWrite = (patient: PatientRecord): Iterable<PersonIdentifier> =>
  new Map(
    [
      ...(isSeenElsewhere(patient) ? patient.identifiers : []),
      ...patient.newIdentifiers,
      ...patient.retoldIdentifiers,
    ].map((one) => [JSON.stringify([one.kind, one.assigner, one.value]), one]),
  ).values();
const identifierColumns = ['told_by', 'told_in', ...carriedBy('patient_identifier', 'patient').names];

/** Rows that carry columns of a patient, except identifiers and keys, which the importer writes itself. */
const besideOwn = carriers.patient
  .map(({ table }) => table)
  .filter((table) => table !== 'search_key' && table !== 'patient_identifier');

/**
 * Replaces the comparison and search keys of patients. `stay`: patients whose stored keys stay, but whom others than
 * before see.
 */
export async function writeKeys(
  tx: Tx,
  tenantId: string,
  patients: readonly PatientRecord[],
  stay: readonly PatientRecord[] = [],
): Promise<void> {
  const keyed = patients.map((patient) => ({ patient, keys: keysOfRecord(patient) }));
  const keyedBy = (kind: keyof PatientKeys) =>
    keyed.map(({ patient, keys }) => ({
      id: patient.id,
      keys: keys[kind],
      before: patient.isNew ? ('new' as const) : patient.keysBefore?.[kind],
      // Only the service sees comparison keys.
      seenElsewhere: kind === 'search' && isSeenElsewhere(patient),
    }));
  await writeComparisonKeys(tx, tenantId, keyedBy('comparison'));
  const staying = stay.map((patient) => {
    const { search: keys } = keysOfRecord(patient);
    return { id: patient.id, keys, before: keys, seenElsewhere: true };
  });
  await writeSearchKeys(tx, tenantId, 'patient', [...keyedBy('search'), ...staying]);
}
