import { dashboard } from '../dashboard.ts';
import { addDays } from '../date-range.ts';
import { bad, over } from '../measure.ts';
import { results } from '../results.ts';

const test = over(results);
const positive = { resultCategory: ['positive'] } as const;
const negative = { resultCategory: ['negative'] } as const;
/** What every chart's rows show. */
const shows = ['tests', 'positivity'] as const;

/** [S3.11, S4.8–S4.10, S9.6, S9.17] */
export const testing = dashboard('testing', {
  permission: 'testing-analytics/read',
  facts: { results },
  main: 'results',
  filters: {
    programTypeFilter: 'programTypeId',
    programFilter: 'programId',
    taskFilter: 'taskId',
    facilityFilter: 'facilityId',
    countyFilter: 'countyFips',
    diseaseFamilyFilter: 'diseaseFamily',
    sexFilter: 'sex',
    genderFilter: 'gender',
    raceFilter: 'race',
    ethnicityFilter: 'ethnicity',
    resultCategoryFilter: 'resultCategory',
  },
  eventDates: {
    collected: 'collectedOn',
    received: 'receivedOn',
    resulted: 'resultedOn',
    reported: 'reportedOn',
    created: 'createdOn',
  },
  /** 30 days before today to today. [S9.6] */
  defaultRange: (today) => ({ start: addDays(today, -30), end: today }),
  classes: { by: 'resultCategory', are: { positive: ['positive'], negative: ['negative'] }, rest: 'other' },
  measures: {
    tests: test.count(),
    people: test.persons(),
    positive: test.count(positive),
    negative: test.count(negative),
    other: test.count({ resultCategory: { not: ['positive', 'negative'] } }),
    positivity: test.share(
      positive,
      { resultCategory: ['positive', 'negative'] },
      { ...bad, source: 'HP2020-STD-1.1', coarse: true },
    ),
    collectedToReceivedMedian: test.median('tenthsCollectedToReceived', 'hours'),
    collectedToReceivedP90: test.percentile('tenthsCollectedToReceived', 0.9, 'hours', {
      beside: 'collectedToReceivedMedian',
    }),
    receivedToResultedMedian: test.median('tenthsReceivedToResulted', 'hours'),
    receivedToResultedP90: test.percentile('tenthsReceivedToResulted', 0.9, 'hours', {
      beside: 'receivedToResultedMedian',
    }),
    collectedToResultedMedian: test.median('tenthsCollectedToResulted', 'hours'),
    collectedToResultedP90: test.percentile('tenthsCollectedToResulted', 0.9, 'hours', {
      beside: 'collectedToResultedMedian',
    }),
    failedShare: test.share({ resultCategory: ['invalid', 'unsatisfactory'] }, {}, bad),
    missingDemographicsShare: test.share({ demographicsKnown: false }, {}, bad),
    undated: test.undated(),
  },
  leading: ['tests', 'people', 'positivity', 'collectedToResultedMedian'],
  home: 'tests',
  sections: {
    results: ['positive', 'negative', 'other', 'failedShare'],
    speed: ['collectedToReceivedMedian', 'receivedToResultedMedian'],
    where: [],
    who: ['missingDemographicsShare', 'undated'],
  },
  series: {
    trend: { form: 'trend', mean: 7, shows, wide: true, section: 'results' },
    positivityTrend: {
      form: 'trend',
      line: 'positivity',
      mean: 7,
      shows: ['positivity', 'tests'],
      section: 'results',
    },
    diseaseFamily: { form: 'bars', by: 'diseaseFamily', shows, section: 'results' },
    resultCategory: { form: 'bars', by: 'resultCategory', shows, section: 'results' },
    assay: { form: 'bars', by: 'assay', shows, section: 'results' },
    county: { form: 'map', by: 'countyFips', shows: ['positivity', 'tests'], section: 'where' },
    programType: { form: 'bars', by: 'programTypeId', shows, section: 'where' },
    program: { form: 'bars', by: 'programId', within: 'programTypeId', shows, section: 'where' },
    facility: { form: 'bars', by: 'facilityId', shows, section: 'where' },
    ageSex: { form: 'pyramid', by: 'ageBand', sides: 'sex', shows, section: 'who' },
    race: { form: 'bars', by: 'race', shows, section: 'who' },
    ethnicity: { form: 'bars', by: 'ethnicity', shows, section: 'who' },
  },
});
