import { code, counting, day, fact, flag, id, ref, summed } from './fact.ts';
import { resultCounting, results } from './results.ts';

/* Facts about HIV. For a place, a person's history is what that place found. */

/** One row per test that asks whether someone has HIV: no viral loads, CD4 counts or genotypes. */
export const hivTests = fact(
  'hiv_test',
  {
    ...results.columns,
    /** The person had no such test on an earlier day. */
    firstTest: flag,
    /**
     * The person had a positive test or a viral load more than 30 days earlier; a confirmatory test does not
     * count as another.
     */
    positiveBefore: flag,
  },
  { ...resultCounting, records: 'hiv-tests' },
);

/**
 * One row per confirmed HIV case and calendar year after the year of diagnosis, if the person was alive at
 * its end. Care is measured by the year's viral loads and CD4 counts. Source: CDC, Monitoring selected
 * national HIV prevention and care objectives, vol. 28 no. 4.
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
    /** Two of them, at least three months apart. */
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
