import { randomUUID } from 'node:crypto';
import { cases } from '@caseway/contract/case-reports';
import { type Dashboard, dashboard } from '@caseway/contract/dashboard';
import { caseReports } from '@caseway/contract/dashboards/case-reports';
import { fieldVisits } from '@caseway/contract/dashboards/field-visits';
import { hiv } from '@caseway/contract/dashboards/hiv';
import { incidentReports } from '@caseway/contract/dashboards/incident-reports';
import { operations } from '@caseway/contract/dashboards/operations';
import { partnerServices } from '@caseway/contract/dashboards/partner-services';
import { sti } from '@caseway/contract/dashboards/sti';
import { telemedicine } from '@caseway/contract/dashboards/telemedicine';
import { testing } from '@caseway/contract/dashboards/testing';
import { fact, integer } from '@caseway/contract/fact';
import { bad, over, ratio } from '@caseway/contract/measure';
import { results } from '@caseway/contract/results';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import {
  lastDay,
  type Person,
  type Result,
  storeResults,
  typeOfProgram,
  values,
  wholeTenant,
} from './features/testing-analytics/test-facts.ts';
import { startAnalytics } from './platform/analytics/engine.ts';
import { Measuring, type Protection } from './platform/dashboards/measuring.ts';
import { dashboardNumbers, planned } from './platform/dashboards/numbers.ts';
import { populationsFor } from './platform/dashboards/population-read.ts';
import { storedFactsOf } from './platform/dashboards/serve-dashboard.ts';
import { describeDashboards } from './platform/dashboards/test-dashboard.ts';
import { createLog } from './platform/log/log.ts';
import { populations, storeCases, world } from './test-counted.ts';

/* Every dashboard, and an invented one that uses every formula and form over the existing facts. */

/** A person with several results is one report of them. */
const reports = fact('result', results.columns, { ...results.counting, unit: 'patientId' });
const [result_, event, report] = [over(results), over(cases), over(reports)];
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
  eventDates: { collected: 'collectedOn', reported: 'reportedOn', resulted: 'resultedOn' },
  defaultRange: (today) => ({ start: today, end: today }),
  classes: { by: 'resultCategory', are: { positive: ['positive'], negative: ['negative'] }, rest: 'other' },
  measures: {
    tests: result_.count(),
    people: result_.persons(),
    positive: result_.count({ resultCategory: ['positive'] }),
    positivity: result_.share(positive, answered, { ...bad, interval: true, from: 10 }),
    families: result_.distinct('diseaseFamily', { sex: { known: true } }),
    years: result_.sum('ageYears', { any: [{ sex: 'F' }, { ageYears: { atLeast: 40 } }] }),
    peoplePositive: result_.shareOfPersons(positive, { demographicsKnown: true }),
    peopleAnswered: result_.shareOfPersons(answered, { demographicsKnown: true }),
    quick: result_.within('tenthsCollectedToResulted', 480, 'counts-as-not', answered),
    quickOfKnown: result_.within('tenthsCollectedToResulted', 480, 'left-out', answered),
    median: result_.median('tenthsCollectedToResulted', 'hours', {
      of: { race: { not: ['UNK', 'missing'] } },
    }),
    p90: result_.percentile('tenthsCollectedToResulted', 0.9, 'hours', { beside: 'median' }),
    adjusted: result_.rate(positive, { adjusted: 'us-2000' }),
    complete: result_.completeness({
      sex: { known: false },
      race: { known: false },
      countyFips: { known: false },
      assay: { known: false },
    }),
    perPerson: result_.perPerson({ sex: { not: ['M'] } }),
    newest: result_.latest('resultedOn'),
    undated: result_.undated(),
    cases: event.count(real),
    caseRate: event.rate(real, { per: 1000 }),
    hivCases: event.count({ diseaseFamily: 'hiv' }, { tells: ['hiv'] }),
    testsPerCase: ratio(result_.count(), event.count()),
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
      least: 2,
      section: 'all',
    },
    extra: { form: 'own', section: 'all' },
  },
});

const extra = { extras: { extra: async () => [{ key: 'a', values: {} }] } };
// The invented one finds most faults; the others show that their declarations are right.
describeDashboards(
  [
    ...[
      ...[testing, sti, hiv, caseReports, incidentReports, fieldVisits, telemedicine],
      ...[partnerServices, operations],
    ].map((dashboard) => ({ dashboard, times: 1 })),
    { dashboard: madeUp, counting: extra, times: 1 },
  ],
  { ...world, populations },
);

test('a worked example: six results, three cases, every number by hand', async () => {
  const { database } = await createTestDatabase();
  const person = (sex: string, race: string | null): Person => ({
    id: randomUUID(),
    half: true,
    sex_at_birth: sex,
    gender_identity: null,
    race,
    ethnicity: '2186-5',
    county_fips: '12001',
    organization_ids: [],
    facility_ids: [],
  });
  const [ana, ben, cam] = [person('F', '2106-3'), person('M', '2028-9'), person('F', null)];
  const [first, second] = values.programs as [string, string];
  const result = (
    who: Person,
    disease_family: string,
    result_category: Result['result_category'],
    assay: string,
    age_years: number,
    program: string | null,
    [collected, resulted]: [string | null, string | null],
  ): Result => ({
    id: randomUUID(),
    person: who,
    organization_id: null,
    facility_id: null,
    program_type_id: program && typeOfProgram(program),
    program_id: program,
    task_id: null,
    county_fips: '12001',
    disease_family,
    assay,
    specimen_site: null,
    result_category,
    status: 'final',
    age_years,
    collected_on: collected?.slice(0, 10) ?? null,
    received_on: null,
    resulted_on: resulted?.slice(0, 10) ?? null,
    reported_on: null,
    created_on: '2026-03-25',
    collected_at: collected && `${collected}:00Z`,
    received_at: null,
    resulted_at: resulted && `${resulted}:00Z`,
  });
  const rows = [
    // 12 hours, 72, none, 24, 50, none.
    result(ana, 'chlamydia', 'positive', 'Assay A', 20, first, ['2026-03-10T00:00', '2026-03-10T12:00']),
    result(ana, 'hiv', 'negative', 'assay a', 20, first, ['2026-03-11T00:00', '2026-03-14T00:00']),
    result(ben, 'chlamydia', 'negative', 'Assay B', 45, second, ['2026-03-11T00:00', null]),
    result(ben, 'chlamydia', 'negative', 'Assay A', 45, second, ['2026-03-12T00:00', '2026-03-13T00:00']),
    result(cam, 'syphilis', 'positive', '', 3, null, ['2026-03-20T00:00', '2026-03-22T02:00']),
    result(cam, 'chlamydia', 'invalid', 'Assay B', 3, first, ['2026-03-21T00:00', null]),
    // Entered in error, and without the day.
    {
      ...result(ben, 'hiv', 'positive', 'Assay A', 45, first, ['2026-03-10T00:00', null]),
      status: 'withdrawn',
    },
    result(ana, 'chlamydia', 'positive', 'Assay A', 20, first, [null, null]),
  ];
  const tenantId = await storeResults(database, rows);
  const of = (classification: string, status: string, family: string) => ({ classification, status, family });
  await storeCases(database, tenantId, [
    { result: rows[0]!, of: of('confirmed', 'new', 'chlamydia') },
    { result: rows[1]!, of: of('probable', 'assigned', 'hiv') },
    { result: rows[2]!, of: of('suspect', 'new', 'chlamydia') },
    // Outside the dashboard's rows.
    { result: rows[3]!, of: of('confirmed', 'closed', 'chlamydia') },
  ]);
  const postgres = await startAnalytics({
    database,
    facts: world.facts,
    log: createLog('fatal'),
    folder: '',
    engine: 'postgres',
  });
  const counting = { dashboard: madeUp, stored: storedFactsOf(madeUp, world.facts), ...extra };
  const query = {
    dateRangeValue: { start: '2026-03-01', end: '2026-03-31' },
    filters: Object.fromEntries(Object.keys(madeUp.filters).map((name) => [name, []])),
    eventDate: 'collected',
  };
  const scopes = [wholeTenant(tenantId)];
  const asked = (filters: Record<string, string[]> = {}, threshold?: number) =>
    postgres.read({ scopes, freshness: 'any' }, (ask) =>
      dashboardNumbers(ask, counting, {
        query: { ...query, filters: { ...query.filters, ...filters } },
        today: lastDay,
        timeZone: 'UTC',
        asOf: new Date(0),
        populations: populationsFor(scopes, populations, lastDay),
        threshold,
      }),
    );
  const { measures, series, countedBy, populations: per } = await asked();
  const value = (name: string) => measures[name]!.value;

  expect(value('tests')).toBe(6);
  expect(value('people')).toBe(3);
  expect(value('positive')).toBe(2);
  // Two of five, but only shown from ten on.
  expect(measures.positivity).toMatchObject({
    value: null,
    numerator: 2,
    denominator: 5,
    without: 'too-few',
  });
  // Chlamydia, HIV, syphilis.
  expect(value('families')).toBe(3);
  // Everybody is a woman or at least 40: 20 + 20 + 45 + 45 + 3 + 3.
  expect(value('years')).toBe(136);
  // Cam's race is unknown. Of Ana and Ben, Ana is positive and both have an answer.
  expect(measures.peoplePositive).toMatchObject({ value: 0.5, numerator: 1, denominator: 2 });
  expect(value('peopleAnswered')).toBe(1);
  // Of five answers, 12 h and 24 h are within 48 h; one has no time.
  expect(measures.quick).toMatchObject({ value: 0.4, numerator: 2, denominator: 5 });
  expect(measures.quickOfKnown).toMatchObject({ value: 0.5, numerator: 2, denominator: 4, excluded: 1 });
  // 12, 24 and 72 hours.
  expect(value('median')).toBe(24);
  // 12, 24, 50, 72: at place 2.7, so 50 + 0.7 × 22.
  expect(value('p90')).toBeCloseTo(65.4, 9);
  // One aged 15 to 24 years (138,646) and one aged 1 to 4 (55,317), each of 5,400 people, for whom 31 of 365 days
  // are 458.6301 person-years: 0.193963 ÷ 458.6301 × 100,000.
  expect(value('adjusted')).toBeCloseTo(42.29182, 4);
  expect(measures.adjusted!.unstable).toBe(true);
  // Sex 6, race 4, county 6, assay 5, of 24.
  expect(measures.complete).toMatchObject({ value: 0.875, numerator: 21, denominator: 24 });
  // Ana and Cam have two each.
  expect(value('perPerson')).toBe(2);
  expect(value('newest')).toBe(Date.parse('2026-03-22'));
  expect(value('undated')).toBe(1);
  expect(value('cases')).toBe(2);
  // Two of 59,400 people for 31 days: 5,044.9315 person-years, per thousand.
  expect(measures.caseRate).toMatchObject({ numerator: 2, unstable: true });
  expect(measures.caseRate!.denominator).toBeCloseTo(5044.9315, 4);
  expect(value('caseRate')).toBeCloseTo(0.396437, 6);
  expect(per).toEqual({
    residents: [{ publisher: 'Made up', title: 'People', published: 2025, years: [2025] }],
  });
  expect(value('hivCases')).toBe(1);
  // Six results, three cases.
  expect(value('testsPerCase')).toBe(2);
  expect(value('reports')).toBe(3);
  // Ana and Cam, of three.
  expect(measures.reportsPositive).toMatchObject({ numerator: 2, denominator: 3 });
  expect(countedBy).toEqual({ results: 'collectedOn', cases: 'collectedOn', reports: 'collectedOn' });

  const shown = (name: string, ...numbers: string[]) =>
    series[name]!.map(({ key, key2, values: found }) => [
      ...[key, key2].filter((one) => one !== undefined),
      ...numbers.map((one) => found[one]!.value),
    ]);
  expect(shown('program', 'tests', 'people')).toEqual([
    [first, 3, 2],
    [second, 2, 1],
    ['missing', 1, 1],
  ]);
  expect(series.program![0]!.within).toBe(typeOfProgram(first));
  expect(shown('age', 'tests', 'people')).toEqual([
    ['below', 2, 1],
    ['18', 4, 2],
  ]);
  // Of adults: the spelling that comes first, and its count.
  expect(series.assay!.map(({ key, label }) => [key, label])).toEqual([
    ['assay a', 'Assay A'],
    ['assay b', 'Assay B'],
  ]);
  expect(shown('assay', 'tests')).toEqual([
    ['assay a', 3],
    ['assay b', 1],
  ]);
  expect(shown('curve', 'cases').filter(([, , n]) => n !== 0)).toEqual([
    ['2026-03-08', 'confirmed', 1],
    ['2026-03-08', 'probable', 1],
  ]);
  // Ana and Ben have chlamydia by assay A, Ben and Cam by B; nobody has assay A without chlamydia.
  expect(series.together).toMatchObject([
    { key: 'chlamydia', key2: 'assay a', pair: { both: 2, first: 1, second: 0, neither: 0 } },
    { key: 'chlamydia', key2: 'assay b', pair: { both: 2, first: 1, second: 0, neither: 0 } },
  ]);
  expect(series.together![0]!.values.prr).toMatchObject({ value: null, without: 'no-others' });

  // Ana's two, of 4,950 women in each of six counties: 2,522.4658 person-years. A program has no population.
  const ofWomen = (await asked({ sexFilter: ['F'] })).measures.caseRate!;
  expect(ofWomen.denominator).toBeCloseTo(2522.4658, 4);
  expect(ofWomen.value).toBeCloseTo(0.792875, 6);
  const ofProgram = (await asked({ programFilter: [first] })).measures;
  expect(ofProgram.caseRate).toMatchObject({ value: null, without: 'no-population-by-filter' });
  await postgres.close();
});

test('[P17] numbers of rows that are not about persons are only for readers of exact ones', () => {
  const places = fact('case', cases.columns, {
    records: 'case-reports',
    eventDates: ['createdOn'],
    enteredOn: 'createdOn',
    person: false,
  });
  const of = over(places);
  const mixed = dashboard('mixed', {
    permission: 'testing-analytics/read',
    facts: { results, places },
    main: 'results',
    filters: { sexFilter: 'sex' },
    defaultRange: (today) => ({ start: today, end: today }),
    exactOnly: { places: 'As if cases were not about persons.' },
    measures: {
      tests: result_.count(),
      people: result_.persons(),
      cases: of.count(),
      testsPerCase: ratio(result_.count(), of.count()),
    },
    leading: ['tests', 'people', 'cases', 'testsPerCase'],
    sections: { all: [] },
    series: { status: { on: 'places', form: 'bars', by: 'status', section: 'all' } },
  });
  const stored = storedFactsOf(mixed, world.facts);
  const isHalf = (name: string) => name === 'half' || name === 'person_place';
  const columns = stored.places!.columns.filter(({ name }) => !isHalf(name));
  const counting = { dashboard: mixed, stored: { ...stored, places: { ...stored.places!, columns } } };
  // It starts although nothing says whose rows are in the half.
  planned(counting);
  const asking = {
    query: { dateRangeValue: { start: lastDay, end: lastDay }, filters: {} },
    today: lastDay,
    timeZone: 'UTC',
    asOf: new Date(0),
  };
  const shown = (protection?: Protection) =>
    new Measuring(counting, asking, protection).measures.map(([name]) => name);
  expect(shown()).toEqual(['tests', 'people', 'cases', 'testsPerCase']);
  expect(shown({ threshold: 11, weeks: 1 })).toEqual(['tests', 'people']);
});

test('[P17] a sum of a number without a cap is refused when the server starts', () => {
  const uncapped = { ...results, columns: { ...results.columns, ageYears: integer('open') } };
  const years = { ...result_.sum('ageYears'), fact: uncapped };
  const declared = { ...madeUp, facts: { ...madeUp.facts, results: uncapped }, measures: { years } };
  const start = () =>
    planned({
      dashboard: { ...declared, series: {}, leading: [], classes: undefined } as unknown as Dashboard,
      stored: storedFactsOf(madeUp, world.facts),
      ...extra,
    });
  expect(start).toThrow('one person could carry it');
});

describe('a dashboard that cannot be answered is refused when the server starts', () => {
  const start = (given: object) =>
    planned({
      dashboard: { ...madeUp, ...given } as Dashboard,
      stored: storedFactsOf(madeUp, world.facts),
      ...extra,
    });
  const own = { form: 'own', section: 'all' };
  test.each([
    ['by a name', { series: { x: { form: 'bars', by: 'accession', section: 'all' } } }, 'accession'],
    ['by an id', { filters: { x: 'patientId' } }, 'patientId'],
    ['by a number that is only counted', { filters: { x: 'notes' } }, 'notes'],
    ['with a series that nothing counts', { series: { extra: own, other: own } }, 'other'],
    [
      'with steps of different wholes',
      { series: { x: { form: 'continuum', steps: ['peoplePositive', 'positivity'], section: 'all' } } },
      'not shares of the same',
    ],
  ])('%s', (_, given, said) => {
    expect(() => start(given)).toThrow(said);
  });
  test('with rates of a fact whose rows have no population', () => {
    const { columns, counting } = cases;
    const { records, eventDates, enteredOn, person } = counting;
    const plain = fact('case', columns, { records, eventDates, enteredOn, person });
    expect(() => over(plain).rate()).toThrow('how its rows become rates');
    expect(() => start({})).not.toThrow();
  });
});
