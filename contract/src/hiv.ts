import { code, counting, day, fact, flag, id, ref, summed } from './fact.ts';
import { resultCounting, results } from './results.ts';

/* What is counted of HIV. To a place the history of a person is what was found there. */

/** One row for each test that asks whether somebody has HIV: no viral loads, CD4 counts or genotypes. */
export const hivTests = fact(
  'hiv_test',
  {
    ...results.columns,
    /** The person had no such test on an earlier day. */
    firstTest: flag,
    /** More than 30 days earlier the person had a positive test or a viral load; a test to confirm one is not another. */
    positiveBefore: flag,
  },
  { ...resultCounting, records: 'hiv-tests' },
);

/**
 * One row for each confirmed case of HIV and each calendar year after that of its diagnosis, if the person was alive at the
 * end of it. Care is measured by viral loads and CD4 counts of the year. Source: CDC, Monitoring selected national HIV
 * prevention and care objectives, vol. 28 no. 4.
 */
export const careYears = fact(
  'care_year',
  {
    id,
    patientId: id,
    living: counting,
    yearEndsOn: day('open'),
    /** A viral load or CD4 count. */
    received: flag,
    /** Two of them at least three months apart. */
    retained: flag,
    /** The last viral load was below 200 copies per milliliter. */
    suppressed: flag,
    organizationId: ref('organizations'),
    facilityId: ref('facilities'),
    programId: ref('programs'),
    taskId: ref('tasks'),
    countyFips: code('counties'),
    diseaseFamily: code('diseaseFamilies'),
    /** At the end of the year. */
    ageYears: summed('open', 120),
    ageBand: code('ageBands'),
    sex: code('sex'),
    gender: code('gender'),
    race: code('race'),
    ethnicity: code('ethnicity'),
  },
  {
    records: 'case-reports',
    eventDates: ['yearEndsOn'],
    enteredOn: 'yearEndsOn',
    person: true,
    counted: 'living',
    restrictedBy: 'diseaseFamily',
    yearly: true,
  },
);
