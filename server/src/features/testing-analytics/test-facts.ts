import { randomUUID } from 'node:crypto';
import type { AnalyticsQuery } from '@caseway/contract/analytics';
import { testing } from '@caseway/contract/dashboards/testing';
import { addDays } from '@caseway/contract/date-range';
import { answerOfCategory, eventDates, type ResultCategory } from '@caseway/contract/testing-analytics';
import fc from 'fast-check';
import { makeJurisdiction, makeTenant } from '../../../test/factories.ts';
import type { Ask } from '../../platform/analytics/engine.ts';
import { recordChange } from '../../platform/analytics/outbox.ts';
import type { Asking } from '../../platform/dashboards/measuring.ts';
import { comparedNumbers } from '../../platform/dashboards/test-dashboard.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/scope.ts';
import { resultFact } from '../results/result-fact.ts';

/* For tests: some thousand results of every kind with known values, including many small groups. */

export interface Person {
  id: string;
  half: boolean;
  birth_date?: string;
  sex_at_birth: string | null;
  gender_identity: string | null;
  race: string | null;
  ethnicity: string | null;
  county_fips: string | null;
  organization_ids: string[];
  facility_ids: string[];
}

export interface Result {
  id: string;
  person: Person;
  organization_id: string | null;
  facility_id: string | null;
  program_type_id: string | null;
  program_id: string | null;
  task_id: string | null;
  county_fips: string | null;
  disease_family: string | null;
  assay: string | null;
  specimen_site: string | null;
  result_category: ResultCategory;
  status: string;
  age_years: number | null;
  collected_on: string | null;
  received_on: string | null;
  resulted_on: string | null;
  reported_on: string | null;
  created_on: string;
  collected_at: string | null;
  received_at: string | null;
  resulted_at: string | null;
}

/** Numbers that look random and are the same each time. */
export function chance(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    next,
    below: (n: number) => Math.floor(next() * n),
    /** The first entries are the most frequent. */
    skewed: <T>(list: readonly T[]): T => list[Math.floor(next() ** 2.5 * list.length)]!,
    of: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    maybe: (share: number) => next() < share,
  };
}

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const ids = (from: number, n: number) => Array.from({ length: n }, (_, index) => idOf(from + index));
export const values = {
  programTypes: ids(100, 3),
  programs: ids(200, 8),
  tasks: ids(300, 3),
  organizations: ids(400, 3),
  facilities: ids(500, 9),
  counties: ['12001', '12003', '12086', '12095', '13121', '13089'],
  families: ['chlamydia', 'hiv', 'influenza', 'syphilis', 'measles', 'tuberculosis'],
  assays: ['Assay A', 'Assay B', 'Assay C', 'Ässay, D', 'assay a', ''],
  sexes: ['F', 'M', 'O', 'U'],
  genders: ['female', 'male', 'non-binary', 'UNK'],
  races: ['2106-3', '2054-5', '2028-9', '1002-5', 'multiple', 'ASKU', 'UNK'],
  ethnicities: ['2186-5', '2135-2', 'UNK'],
  categories: Object.keys(answerOfCategory).sort() as ResultCategory[],
};
/** A program belongs to one type. */
export const typeOfProgram = (program: string) => values.programTypes[values.programs.indexOf(program) % 3]!;

export const lastDay = '2026-03-31';
const categories: ResultCategory[] = [
  ...Array<ResultCategory>(12).fill('negative'),
  ...Array<ResultCategory>(3).fill('positive'),
  'indeterminate',
  'invalid',
  'unsatisfactory',
  'presumptive-positive',
  'weak-positive',
  'equivocal',
  'inconclusive',
  'pending',
  'not-done',
];

export function makeResults(
  seed: number,
  { people, results }: { people: number; results: number },
): Result[] {
  const random = chance(seed);
  const orNone = <T>(value: T): T | null => (random.maybe(0.06) ? null : value);
  const persons = Array.from(
    { length: people },
    (_, index): Person => ({
      id: randomUUID(),
      half: index % 2 === 0,
      ...(index % 11 > 0 && { birth_date: `${1936 + (index % 90)}-06-15` }),
      sex_at_birth: orNone(random.skewed(values.sexes)),
      gender_identity: orNone(random.skewed(values.genders)),
      race: orNone(random.skewed(values.races)),
      ethnicity: orNone(random.skewed(values.ethnicities)),
      county_fips: orNone(random.skewed(values.counties)),
      organization_ids: values.organizations.filter(() => random.maybe(0.5)),
      facility_ids: values.facilities.filter(() => random.maybe(0.4)),
    }),
  );
  const after = (day: string | null, days: number) =>
    day === null ? null : addDays(day, random.below(days));
  const at = (day: string | null) =>
    day === null
      ? null
      : `${day}T${String(random.below(24)).padStart(2, '0')}:${String(random.below(60)).padStart(2, '0')}:00Z`;
  return Array.from({ length: results }, (_, index): Result => {
    const collected = orNone(addDays(lastDay, -random.below(75)));
    const received = after(orNone(collected), 4);
    const resulted = after(orNone(received ?? collected), 5);
    const reported = after(orNone(resulted), 3);
    const program = orNone(random.skewed(values.programs));
    return {
      id: randomUUID(),
      person: random.of(persons),
      organization_id: orNone(random.of(values.organizations)),
      facility_id: orNone(random.skewed(values.facilities)),
      program_type_id: program && typeOfProgram(program),
      program_id: program,
      task_id: orNone(random.of(values.tasks)),
      county_fips: orNone(random.skewed(values.counties)),
      disease_family: orNone(random.skewed(values.families)),
      assay: orNone(random.skewed(values.assays)),
      specimen_site: ['Throat', 'rectal', 'urine', null, 'elsewhere'][index % 5]!,
      result_category: random.of(categories),
      status: random.maybe(0.03) ? 'withdrawn' : 'final',
      age_years: orNone(random.below(96)),
      collected_on: collected,
      received_on: received,
      resulted_on: resulted,
      reported_on: reported,
      created_on: reported ?? addDays(lastDay, -random.below(75)),
      collected_at: at(collected),
      received_at: at(received),
      resulted_at: at(resulted),
    };
  });
}

/** Stores results with their persons, by default in a separate tenant; returns the tenant's id. */
export async function storeResults(
  database: Database,
  results: readonly Result[],
  tenantId?: string,
): Promise<string> {
  const tenant_id = tenantId ?? (await makeTenant(database)).id;
  const persons = [...new Set(results.map(({ person }) => person))];
  await database.withScope({ kind: 'service', tenantId: tenant_id }, async (tx) => {
    const insert = (table: string, rows: object[]) => {
      const columns = Object.keys(rows[0]!).join(', ');
      return tx.run(
        `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1) returning 1`,
        [JSON.stringify(rows)],
      );
    };
    await insert(
      'patient',
      persons.map((person) => ({ tenant_id, ...person })),
    );
    await insert(
      'result',
      results.map(({ person, ...result }) => ({
        tenant_id,
        patient_id: person.id,
        source_key: result.id,
        content_hash: '',
        test_name: 'Test',
        ...result,
      })),
    );
    await recordChange(
      tx,
      tenant_id,
      'result',
      results.map(({ id }) => id),
    );
  });
  return tenant_id;
}

/** The numbers of the screen; `threshold`: protected ones. */
export const testingNumbers = (ask: Ask, query: AnalyticsQuery, reading: Omit<Asking, 'query'>) =>
  comparedNumbers(ask, { dashboard: testing, stored: { results: resultFact } }, { query, ...reading });

/** A jurisdiction of two counties to which the tenants report. */
export async function makeReportedTo(database: Database, tenantIds: readonly string[]) {
  const jurisdiction = await makeJurisdiction(database, {
    managed_by_tenant_id: tenantIds[0]!,
    counties: ['12001', '12086'],
  });
  for (const tenantId of tenantIds.slice(1))
    await database.withScope({ kind: 'service', tenantId }, (tx) =>
      tx.run('insert into tenant_reporting (tenant_id, jurisdiction_id) values ($1, $2)', [
        tenantId,
        jurisdiction.id,
      ]),
    );
  return jurisdiction;
}

const some = (list: readonly string[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<string[]>([]) },
    { weight: 2, arbitrary: fc.subarray([...list, 'missing', 'unheard-of'], { minLength: 1 }) },
  );

/** Any query of the screen. */
export const anyQuery: fc.Arbitrary<AnalyticsQuery> = fc.record({
  dateRangeValue: fc
    .tuple(
      fc.integer({ min: -90, max: 5 }),
      // Over very long ranges, persons are counted in another way.
      fc.oneof(fc.constant(30), fc.integer({ min: 0, max: 120 }), fc.integer({ min: 540, max: 560 })),
    )
    .map(([last, days]) => ({ start: addDays(lastDay, last - days), end: addDays(lastDay, last) })),
  filters: fc.record({
    programTypeFilter: some(values.programTypes),
    programFilter: some(values.programs),
    taskFilter: some(values.tasks),
    facilityFilter: some(values.facilities),
    countyFilter: some(values.counties),
    diseaseFamilyFilter: some(values.families),
    sexFilter: some(values.sexes),
    genderFilter: some(values.genders),
    raceFilter: some(values.races),
    ethnicityFilter: some(values.ethnicities),
    resultCategoryFilter: some(values.categories),
  }),
  eventDate: fc.oneof(fc.constant('collected'), fc.constantFrom(...eventDates)),
});

export const wholeTenant = (tenantId: string, hiddenFamilies: string[] = []): Scope => ({
  kind: 'org',
  tenantId,
  orgType: 'T',
  orgId: tenantId,
  accountId: idOf(1),
  counties: [],
  hiddenFamilies,
  genderIdentityShown: true,
});

const bands = [0, 1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 55, 65, 75, 85];
const bandOf = (age: number | null) => {
  if (age === null) return null;
  const from = bands.findLast((low) => low <= age)!;
  const to = bands[bands.indexOf(from) + 1];
  return to === undefined ? `${from}+` : `${from}-${to - 1}`;
};

/** The values that each series splits a result by. */
export const keysOf: Record<string, (result: Result) => (string | null)[]> = {
  programType: (result) => [result.program_type_id],
  program: (result) => [result.program_id],
  facility: (result) => [result.facility_id],
  county: (result) => [result.county_fips],
  diseaseFamily: (result) => [result.disease_family],
  assay: (result) => [result.assay?.toLowerCase().replace('ä', 'a') || null],
  ageSex: (result) => [bandOf(result.age_years), result.person.sex_at_birth],
  race: (result) => [result.person.race],
  ethnicity: (result) => [result.person.ethnicity],
  resultCategory: (result) => [result.result_category],
};

/** The results that a query matches, computed from each result separately. */
export function matching(results: readonly Result[], query: AnalyticsQuery): Result[] {
  const day = `${query.eventDate}_on` as 'collected_on';
  const { start, end } = query.dateRangeValue;
  const of: Record<string, (result: Result) => string | null> = {
    programTypeFilter: (result) => result.program_type_id,
    programFilter: (result) => result.program_id,
    taskFilter: (result) => result.task_id,
    facilityFilter: (result) => result.facility_id,
    countyFilter: (result) => result.county_fips,
    diseaseFamilyFilter: (result) => result.disease_family,
    sexFilter: (result) => result.person.sex_at_birth,
    genderFilter: (result) => result.person.gender_identity,
    raceFilter: (result) => result.person.race,
    ethnicityFilter: (result) => result.person.ethnicity,
    resultCategoryFilter: (result) => result.result_category,
  };
  return results.filter(
    (result) =>
      result.status !== 'withdrawn' &&
      answerOfCategory[result.result_category] !== 'none' &&
      result[day] !== null &&
      result[day] >= start &&
      result[day] <= end &&
      testing.listFilters.every((name) => {
        const picked = query.filters[name] as string[];
        return picked.length === 0 || picked.includes(of[name]!(result) ?? 'missing');
      }),
  );
}
