import type { Tx } from '../../../platform/db/database.ts';
import { writeSearchKeys } from '../../../platform/search-keys.ts';
import { type Columns, givenRows, idOf, insertRows, json, type Read, readPlainly } from '../rows.ts';
import { writeComparisonKeys } from './comparison-keys.ts';
import { prepareFacts } from './patient-facts.ts';
import {
  keysOfRecord,
  type OpenFacts,
  openKeysOf,
  type PatientKeys,
  type PatientRecord,
} from './patient-record.ts';

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
         from patient_identifier i where i.tenant_id = p.tenant_id and i.patient_id = p.id), '[]') as identifiers,
       false as "isNew", false as changed, false as "keysChanged"
     from unnest($2::uuid[]) as k (id), lateral (
       select * from patient where tenant_id = $1 and id = k.id and merged_into is null offset 0) as p
     order by p.id`,
    [tenantId, ids],
    idOf,
  );
  return rows.map(({ toldOpenly, ...row }) => {
    const facts = { ...withNames(row), openly: toldOpenly && readOpenly(toldOpenly) };
    return { ...facts, newIdentifiers: [], retoldIdentifiers: [], prepared: prepareFacts(facts) };
  });
}

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

/** The columns of `told_openly` by the names that facts have. */
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

/** The columns that facts are kept in. */
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

/** Writes patients, new and changed, with all their search keys. */
export async function writePatients(
  tx: Tx,
  tenantId: string,
  patients: readonly PatientRecord[],
): Promise<void> {
  const made = patients.filter(({ isNew }) => isNew);
  const changed = patients.filter(({ isNew }) => !isNew);
  await insertRows(tx, tenantId, 'patient', patientColumns, made.map(patientRow));
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
  await insertRows(
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
    patients.flatMap(({ id, newIdentifiers, retoldIdentifiers }) =>
      [...new Set([...newIdentifiers, ...retoldIdentifiers])].map(
        ({ kind, assigner, value, toldBy = null, toldIn = null }) => ({
          patient_id: id,
          kind,
          assigner,
          value,
          told_by: toldBy,
          told_in: toldIn,
        }),
      ),
    ),
    {
      conflict:
        'on conflict (tenant_id, kind, assigner, value, patient_id) do update set told_by = excluded.told_by, told_in = excluded.told_in',
    },
  );
  await writeKeys(
    tx,
    tenantId,
    patients.filter(({ keysChanged }) => keysChanged),
  );
}

/** Replaces the keys by which patients are compared and searched. */
export async function writeKeys(tx: Tx, tenantId: string, patients: readonly PatientRecord[]): Promise<void> {
  const keyed = patients.map((patient) => ({ patient, keys: keysOfRecord(patient) }));
  const keyedBy = (kind: keyof PatientKeys) =>
    keyed.map(({ patient: { id, isNew, keysBefore }, keys }) => ({
      id,
      keys: keys[kind],
      before: isNew ? ('new' as const) : keysBefore?.[kind],
    }));
  await writeComparisonKeys(tx, tenantId, keyedBy('comparison'));
  await writeSearchKeys(tx, tenantId, 'patient', keyedBy('search'));
}
