import { cases } from '../case-reports.ts';
import { dashboard } from '../dashboard.ts';
import { addDays, endOfMonth, startOfMonth } from '../date-range.ts';
import { careYears, hivTests } from '../hiv.ts';
import { bad, good, over } from '../measure.ts';
import { sti } from './sti.ts';

const [test, event, care] = [over(hivTests), over(cases), over(careYears)];
const positive = { resultCategory: 'positive' } as const;
const diagnosed = { classification: 'confirmed' } as const;
const shows = ['tests', 'positivity'] as const;
const ofCare = ['living', 'received', 'retained', 'suppressed'] as const;
/** Readers who may not see HIV get no numbers of it, not even zero. [P18] */
const tells = { tells: ['hiv'] } as const;
const cdc = { source: 'CDC-HIV-28-4' } as const;

/** HIV analytics: tests, diagnoses, and the care of people with HIV. [S1.1, S3.11] */
export const hiv = dashboard('hiv', {
  permission: 'hiv-analytics/read',
  facts: { tests: hivTests, cases, careYears },
  main: 'tests',
  base: { cases: { diseaseFamily: 'hiv' } },
  /** The filters of STI analytics. [S3.11] */
  filters: sti.filters,
  /** [S4.9] */
  keptByClear: ['diseaseFamilyFilter'],
  eventDates: {
    collected: 'collectedOn',
    received: 'receivedOn',
    resulted: 'resultedOn',
    reported: 'reportedOn',
    created: 'createdOn',
  },
  /** From the month of 30 days ago to the end of the current month. [S9.7] */
  defaultRange: (today) => ({ start: startOfMonth(addDays(today, -30)), end: endOfMonth(today) }),
  classes: { by: 'resultCategory', are: { positive: ['positive'], negative: ['negative'] }, rest: 'other' },
  measures: {
    tests: test.count({}, tells),
    people: test.persons({}, tells),
    positivity: test.share(
      positive,
      { resultCategory: ['positive', 'negative'] },
      { ...bad, ...tells, source: 'HP2020-STD-1.1', coarse: true },
    ),
    firstTesters: test.shareOfPersons({ firstTest: true }, {}, { ...good, ...tells }),
    newPositives: test.persons({ ...positive, positiveBefore: false }, { ...bad, ...tells }),
    knownPositives: test.persons({ ...positive, positiveBefore: true }, tells),
    diagnoses: event.count(diagnosed, { ...bad, ...tells }),
    rate: event.rate(diagnosed, { ...bad, ...tells }),
    linked30: event.within('daysToCare', 30, 'counts-as-not', diagnosed, { ...tells, ...cdc }),
    linked90: event.within('daysToCare', 90, 'counts-as-not', diagnosed, tells),
    living: care.persons({}, tells),
    received: care.shareOfPersons({ received: true }, {}, { ...good, ...tells, ...cdc }),
    retained: care.shareOfPersons({ retained: true }, {}, { ...good, ...tells, ...cdc, definition: 'CDC' }),
    suppressed: care.shareOfPersons({ suppressed: true }, {}, { ...good, ...tells, ...cdc }),
    undated: test.undated(tells),
  },
  leading: ['tests', 'newPositives', 'linked30', 'suppressed'],
  home: 'newPositives',
  sections: {
    tests: ['people', 'firstTesters', 'knownPositives', 'positivity', 'undated'],
    diagnoses: ['diagnoses', 'rate', 'linked90'],
    care: ['living', 'received', 'retained'],
    where: [],
    who: [],
  },
  series: {
    trend: { form: 'trend', mean: 7, shows, wide: true, section: 'tests' },
    assay: { form: 'bars', by: 'assay', shows, section: 'tests' },
    county: {
      on: 'cases',
      form: 'map',
      by: 'countyFips',
      of: diagnosed,
      shows: ['rate', 'diagnoses'],
      section: 'diagnoses',
    },
    continuum: {
      on: 'careYears',
      form: 'continuum',
      steps: ['received', 'retained', 'suppressed'],
      section: 'care',
    },
    careByRace: { on: 'careYears', form: 'table', by: 'race', shows: ofCare, section: 'care' },
    careByAge: { on: 'careYears', form: 'table', by: 'ageBand', shows: ofCare, section: 'care' },
    program: { form: 'bars', by: 'programId', within: 'programTypeId', shows, section: 'where' },
    facility: { form: 'bars', by: 'facilityId', shows, section: 'where' },
    ageSex: { form: 'pyramid', by: 'ageBand', sides: 'sex', shows, section: 'who' },
    race: { form: 'bars', by: 'race', shows, section: 'who' },
    ethnicity: { form: 'bars', by: 'ethnicity', shows, section: 'who' },
  },
});
