import { results } from '@caseway/contract/results';
import { type FactSql, storedFact } from '../../platform/analytics/facts.ts';
import { fold } from '../../platform/text/fold.ts';
import {
  openPerson,
  ownPersonColumns,
  personColumns,
  visibleWithPerson,
} from '../patients/person-columns.ts';
import { ageBandSql } from '../reference/age-band-sql.ts';
import { demographics } from '../reference/catalog.ts';

/**
 * What counts as a test: it was done, was not entered in error, and has an answer. Not answers: a number or words
 * that are neither positive nor negative (`quantitative`), a laboratory's everyday work (`routine`), its comments,
 * drug susceptibilities, one band of an immunoblot, a question, a control, a panel. A resistance mechanism is a test
 * if it is a condition of its own.
 */
export const performed = `r.result_category not in ('pending', 'not-done', 'quantitative') and r.status <> 'withdrawn'
    and not (coalesce(r.method, '') in ('narrative', 'susceptibility', 'routine', 'antibody-band', 'question', 'control', 'panel')
      or coalesce(r.method, '') = 'quantity' and r.disease_family is null
      or coalesce(r.method, '') = 'resistance' and r.condition_code is null)`;

const sites = Object.fromEntries(
  demographics.specimenSite.flatMap(({ code, label, codings, aliases }) =>
    [code, label, ...codings.map((coding) => coding.code), ...aliases].map((name) => [fold(name), code]),
  ),
);
/**
 * The code of a site by any of its names. They are looked up together, because looking them up one by one took a
 * quarter of a row's time.
 */
const anatomicSite = `cast('${JSON.stringify(sites)}' as jsonb) ->> app_fold(btrim(r.specimen_site))`;

/**
 * Tenths of an hour, rounded down, and whole hours from one day on, so that there are few values to count; null if a
 * time is missing or they are out of order. Uses date_part, whose doubles divide faster than extract's numerics.
 */
const tenths = (from: string, to: string) => `case when r.${to}_at >= r.${from}_at + interval '1 day'
      then cast(floor(date_part('epoch', r.${to}_at - r.${from}_at) / 3600) as integer) * 10
    when r.${to}_at >= r.${from}_at then cast(floor(date_part('epoch', r.${to}_at - r.${from}_at) / 360) as integer) end`;

/** Sex, age, race and ethnicity are all known. Asked but not answered (ASKU) is an answer. */
const known = ({ sex, race, ethnicity }: Record<'sex' | 'race' | 'ethnicity', string>) =>
  `coalesce(${sex} <> 'U' and r.age_years >= 0 and ${race} <> 'UNK' and ${ethnicity} <> 'UNK', false)`;

export const resultSql = {
  base: { table: 'result', as: 'r' },
  joins: ['join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id'],
  where: 'r.superseded_by is null',
  open: openPerson,
  columns: {
    countyFips: { sql: 'r.county_fips', borrowed: 'county_borrowed' },
    testName: { sql: 'r.test_name', as: 'code', asSent: true },
    assay: { sql: 'r.assay', as: 'code', asSent: true, compared: 'btrim(r.assay)' },
    performed,
    specimenSite: { sql: 'r.specimen_site', as: 'code', asSent: true },
    anatomicSite,
    ageYears: 'cast(r.age_years as integer)',
    ageBand: ageBandSql('cast(r.age_years as integer)'),
    tenthsCollectedToReceived: tenths('collected', 'received'),
    tenthsReceivedToResulted: tenths('received', 'resulted'),
    tenthsCollectedToResulted: tenths('collected', 'resulted'),
    ...personColumns,
    demographicsKnown: {
      sql: known({ sex: 'p.sex_at_birth', race: 'p.race', ethnicity: 'p.ethnicity' }),
      open: known({
        sex: personColumns.sex.open,
        race: personColumns.race.open,
        ethnicity: personColumns.ethnicity.open,
      }),
      untold: () => 'false',
    },
    providerName: { sql: 'r.provider_name', as: 'label' },
    providerNpi: { sql: 'r.provider_npi', as: 'code', alreadyFolded: 'ten digits' },
  },
  own: {
    ...ownPersonColumns,
    // A test is found by its name in other languages.
    test_loinc: { sql: 'r.test_loinc', as: 'code', for: ['list'] },
    method: { sql: 'r.method', as: 'code' },
    // The county was taken from the person's record. Organizations and facilities do not see it.
    county_borrowed: { sql: 'r.county_borrowed', as: 'flag' },
  },
  visible: visibleWithPerson,
  person: 'patient_number',
  packs: {
    people: ['ageBand', 'sex', 'race', 'ethnicity', 'demographicsKnown', 'resultCategory'],
    places: ['programTypeId', 'programId', 'facilityId', 'resultCategory'],
    tests: ['countyFips', 'resultCategory', 'diseaseFamily', 'assay'],
    // Single columns: times have few values, and a replica counts those in an array.
    received: ['tenthsCollectedToReceived'],
    resulted: ['tenthsReceivedToResulted'],
    answered: ['tenthsCollectedToResulted'],
  },
  changedBy: { result: { by: 'id' }, patient: { by: 'patient_id' } },
  orderedBy: 'collected_on',
} as const satisfies FactSql<typeof results>;

export const resultFact = storedFact(results, resultSql);
