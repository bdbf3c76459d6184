import { randomUUID } from 'node:crypto';
import { cases, classifications } from '@caseway/contract/case-reports';
import { type Dashboard, dashboard } from '@caseway/contract/dashboard';
import { testing } from '@caseway/contract/dashboards/testing';
import { fact } from '@caseway/contract/fact';
import { bad, over, ratio } from '@caseway/contract/measure';
import { results } from '@caseway/contract/results';
import { facts as productFacts } from './facts.ts';
import {
  chance,
  lastDay,
  makeReportedTo,
  makeResults,
  storeResults,
  values,
} from './features/testing-analytics/test-facts.ts';
import { recordChange } from './platform/analytics/outbox.ts';
import type { PopulationOf } from './platform/dashboards/numbers.ts';
import { describeDashboard, type World } from './platform/dashboards/test-dashboard.ts';
import type { Database } from './platform/db/database.ts';

/* Every dashboard, and one that was made up to use every formula and form over the facts that there are. */

/** A person with several results is one report of them. */
const reports = fact('result', results.columns, { ...results.counting, unit: 'patientId' });
const [test, event, report] = [over(results), over(cases), over(reports)];
const positive = { resultCategory: 'positive' } as const;
const answered = { resultCategory: ['positive', 'negative'] } as const;
const real = { classification: ['confirmed', 'probable'] } as const;
const against = { years: 5, as: 'median' } as const;

const madeUp = dashboard('made-up', {
  permission: 'testing-analytics/read',
  facts: { results, cases, reports },
  main: 'results',
  base: { cases: { status: { not: ['closed'] } } },
  filters: {
    programFilter: 'programId',
    countyFilter: 'countyFips',
    diseaseFamilyFilter: 'diseaseFamily',
    sexFilter: 'sex',
    resultCategoryFilter: 'resultCategory',
  },
  unfiltered: { cases: ['resultCategoryFilter'] },
  eventDates: { collected: 'collectedOn', reported: 'reportedOn', resulted: 'resultedOn' },
  defaultRange: (today) => ({ start: today, end: today }),
  classes: { by: 'resultCategory', are: { positive: ['positive'], negative: ['negative'] }, rest: 'other' },
  measures: {
    tests: test.count(),
    people: test.persons(),
    positive: test.count({ resultCategory: ['positive'] }),
    positivity: test.share(positive, answered, { ...bad, interval: true, from: 10 }),
    families: test.distinct('diseaseFamily', { sex: { known: true } }),
    years: test.sum('ageYears', { any: [{ sex: 'F' }, { ageYears: { atLeast: 40 } }] }),
    peoplePositive: test.shareOfPersons(positive, { demographicsKnown: true }),
    peopleAnswered: test.shareOfPersons(answered, { demographicsKnown: true }),
    quick: test.within('tenthsCollectedToResulted', 480, 'counts-as-not', answered),
    quickOfKnown: test.within('tenthsCollectedToResulted', 480, 'left-out', answered),
    median: test.median('tenthsCollectedToResulted', 'hours', { of: { race: { not: ['UNK', 'missing'] } } }),
    p90: test.percentile('tenthsCollectedToResulted', 0.9, 'hours', { beside: 'median' }),
    adjusted: test.rate(positive, { adjusted: 'us-2000' }),
    complete: test.completeness(['sex', 'race', 'countyFips', 'assay']),
    perPerson: test.perPerson({ sex: { not: ['M'] } }),
    newest: test.latest('resultedOn'),
    undated: test.undated(),
    cases: event.count(real),
    caseRate: event.rate(real, { per: 1000 }),
    hivCases: event.count({ diseaseFamily: 'hiv' }, { tells: ['hiv'] }),
    testsPerCase: ratio(test.count(), event.count()),
    reports: report.count(),
    reportsPositive: report.share(positive, answered),
  },
  leading: ['tests', 'people', 'positivity', 'cases'],
  sections: { all: [] },
  series: {
    trend: {
      form: 'trend',
      mean: 7,
      shows: ['tests', 'positivity', 'people'],
      against,
      estimate: true,
      section: 'all',
    },
    curve: {
      on: 'cases',
      form: 'epidemic-curve',
      by: 'classification',
      shows: ['cases'],
      against,
      estimate: true,
      changes: [{ on: '2026-02-15', name: 'new-definition' }],
      section: 'all',
    },
    program: {
      form: 'bars',
      by: 'programId',
      within: 'programTypeId',
      top: 4,
      shows: ['tests', 'median', 'people'],
      section: 'all',
    },
    assay: { form: 'bars', by: 'assay', of: { ageYears: { atLeast: 18 } }, section: 'all' },
    known: { form: 'bars', by: 'demographicsKnown', section: 'all' },
    county: { on: 'cases', form: 'map', by: 'countyFips', shows: ['caseRate', 'cases'], section: 'all' },
    age: { form: 'buckets', by: 'ageYears', from: [5, 18, 65], shows: ['tests', 'people'], section: 'all' },
    ageSex: { form: 'pyramid', by: 'ageBand', sides: 'sex', section: 'all' },
    familyBySex: {
      form: 'heat',
      by: 'diseaseFamily',
      across: 'sex',
      shows: ['positivity', 'families'],
      section: 'all',
    },
    status: {
      on: 'cases',
      form: 'table',
      by: 'status',
      across: 'classification',
      shows: ['cases'],
      section: 'all',
    },
    turnaround: {
      form: 'box',
      by: 'facilityId',
      column: 'tenthsCollectedToResulted',
      unit: 'hours',
      section: 'all',
    },
    continuum: { form: 'continuum', steps: ['peopleAnswered', 'peoplePositive'], section: 'all' },
    together: {
      on: 'reports',
      form: 'pairs',
      left: 'diseaseFamily',
      right: 'assay',
      strata: ['sex'],
      least: 3,
      section: 'all',
    },
    extra: { form: 'own', section: 'all' },
  },
});

/** Ten thousand people in each county, a hundredth of them in each year of age; nothing is known by place or program. */
const population: PopulationOf = (_, of, fromAge) => {
  const known = ['countyFips', 'diseaseFamily', 'resultCategory', 'classification'];
  if (Object.keys(of).some((column) => !known.includes(column))) return null;
  const counties = (of.countyFips ?? values.counties).filter((county) => values.counties.includes(county));
  return fromAge === undefined ? counties.length * 10_000 : counties.length * 900;
};

/** Results of a tenant, and a case for every fourth of them. */
async function makeRows(
  database: Database,
  seed: number,
  { without }: { without?: string } = {},
): Promise<string> {
  const random = chance(seed);
  const all = makeResults(seed, { people: 90, results: 420 }).map((result) => ({
    result,
    classification: random.of(classifications),
    status: random.of(['new', 'assigned', 'closed']),
    isCase: random.maybe(0.25),
  }));
  const kept = all.filter(({ result }) => without === undefined || result.disease_family !== without);
  const tenantId = await storeResults(
    database,
    kept.map(({ result }) => result),
  );
  const rows = kept.flatMap(({ result, classification, status, isCase }, index) =>
    isCase
      ? [
          {
            tenant_id: tenantId,
            id: randomUUID(),
            case_id: `2026-${String(index).padStart(7, '0')}`,
            patient_id: result.person.id,
            condition_code: 'chlamydia',
            disease_family: result.disease_family ?? 'chlamydia',
            disease_category: 'std',
            classification,
            classified_by: 'rule',
            status,
            version: 1,
            source: 'elr',
            organization_id: result.organization_id,
            facility_id: result.facility_id,
            program_id: result.program_id,
            county_fips: result.county_fips,
            collected_on: result.collected_on,
            reported_on: result.reported_on,
            created_on: result.created_on,
          },
        ]
      : [],
  );
  await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    const columns = Object.keys(rows[0]!).join(', ');
    await tx.run(
      `insert into case_report (${columns}) select ${columns} from jsonb_populate_recordset(null::case_report, $1) returning 1`,
      [JSON.stringify(rows)],
    );
    await recordChange(
      tx,
      tenantId,
      'case_report',
      rows.map(({ id }) => id),
    );
  });
  return tenantId;
}

const world: World = {
  facts: productFacts.map((one) => ({
    ...one,
    sql: { ...one.sql, ...(one.shape.name === 'result' && { unit: 'patient_number' }) },
  })),
  makeRows,
  values: {
    programTypeFilter: values.programTypes,
    programFilter: values.programs,
    taskFilter: values.tasks,
    facilityFilter: values.facilities,
    countyFilter: values.counties,
    diseaseFamilyFilter: values.families,
    sexFilter: values.sexes,
    genderFilter: values.genders,
    raceFilter: values.races,
    ethnicityFilter: values.ethnicities,
    resultCategoryFilter: values.categories,
  },
  today: lastDay,
  family: 'hiv',
  organizations: values.organizations,
  facilities: values.facilities,
  makeReportedTo,
};

const all: readonly [Dashboard, World['counting']?][] = [
  [testing],
  [madeUp, { population, extras: { extra: async () => [{ key: 'a', values: {} }] } }],
];
for (const [one, counting] of all) describeDashboard(one, { ...world, ...(counting && { counting }) });
