import { cases, openCaseStatuses } from '../case-reports.ts';
import { dashboard } from '../dashboard.ts';
import { addDays, startOfMmwrWeek } from '../date-range.ts';
import { bad, over } from '../measure.ts';

const event = over(cases);
/** What counts as a case. Ruled-out and undecided ones are only reports. */
const counted = { classification: ['confirmed', 'probable'] } as const;
const notRuledOut = { classification: { not: ['not_a_case'] } } as const;
const open = { status: openCaseStatuses } as const;
const shows = ['reports', 'cases'] as const;

/** The part that both case report dashboards share. */
const shared = {
  facts: { cases },
  main: 'cases',
  eventDates: {
    created: 'createdOn',
    onset: 'onsetOn',
    collected: 'collectedOn',
    reported: 'reportedOn',
    received: 'receivedOn',
  },
  classes: {
    by: 'classification',
    are: {
      confirmed: ['confirmed'],
      probable: ['probable'],
      suspect: ['suspect'],
      not_a_case: ['not_a_case'],
    },
    rest: 'unknown',
  },
  measures: {
    reports: event.count(),
    people: event.persons(),
    cases: event.count(counted),
    caseRate: event.rate(counted),
    ageAdjustedRate: event.rate(counted, { adjusted: 'us-2000', source: 'US-2000' }),
    open: event.count(open),
    openOver30: event.count({ ...open, createdOn: { daysAgo: { atLeast: 31 } } }, bad),
    onsetToReportedMedian: event.median('daysOnsetToReported', 'days'),
    onsetToReportedP90: event.percentile('daysOnsetToReported', 0.9, 'days', {
      beside: 'onsetToReportedMedian',
    }),
    reportedToReceivedMedian: event.median('daysReportedToReceived', 'days'),
    reportedToReceivedP90: event.percentile('daysReportedToReceived', 0.9, 'days', {
      beside: 'reportedToReceivedMedian',
    }),
    receivedWithinDay: event.within('daysReportedToReceived', 1, 'left-out'),
    receivedWithinWeek: event.within('daysReportedToReceived', 7, 'left-out'),
    completeness: event.completeness({
      sex: ['U', 'missing'],
      ageYears: { known: false },
      race: ['UNK', 'missing'],
      ethnicity: ['UNK', 'missing'],
      countyFips: { known: false },
      onsetOn: { known: false },
      outcome: ['unknown', 'missing'],
    }),
    possibleDuplicates: event.count({ possibleDuplicate: true }, bad),
    undated: event.undated(),
  },
  leading: ['reports', 'cases', 'open', 'onsetToReportedMedian'],
  sections: {
    cases: ['people', 'caseRate', 'ageAdjustedRate', 'undated'],
    work: ['openOver30'],
    delay: ['reportedToReceivedMedian', 'receivedWithinDay', 'receivedWithinWeek'],
    quality: ['completeness', 'possibleDuplicates'],
    where: [],
    who: [],
  },
  series: {
    curve: {
      form: 'epidemic-curve',
      by: 'classification',
      of: notRuledOut,
      against: { years: 5, as: 'median' },
      estimate: true,
      wide: true,
      section: 'cases',
    },
    condition: {
      form: 'table',
      by: 'conditionCode',
      shows: [...shows, 'caseRate', 'ageAdjustedRate'],
      section: 'cases',
    },
    diseaseFamily: { form: 'bars', by: 'diseaseFamily', shows, section: 'cases' },
    openAge: {
      form: 'buckets',
      by: 'createdOn',
      from: [0, 8, 15, 31, 91],
      of: open,
      shows: ['open'],
      section: 'work',
    },
    investigator: {
      form: 'table',
      by: 'investigatorId',
      of: open,
      shows: ['open', 'openOver30'],
      section: 'work',
    },
    status: { form: 'bars', by: 'status', shows, section: 'work' },
    registration: { form: 'bars', by: 'source', shows, section: 'work' },
    delay: {
      form: 'box',
      by: 'diseaseFamily',
      column: 'daysOnsetToReported',
      unit: 'days',
      wide: true,
      section: 'delay',
    },
    county: { form: 'map', by: 'countyFips', shows: ['cases', 'caseRate'], section: 'where' },
    program: { form: 'bars', by: 'programId', shows, section: 'where' },
    facility: { form: 'bars', by: 'facilityId', shows, section: 'where' },
    ageSex: { form: 'pyramid', by: 'ageBand', sides: 'sex', shows, section: 'who' },
    race: { form: 'bars', by: 'race', shows, section: 'who' },
    ethnicity: { form: 'bars', by: 'ethnicity', shows, section: 'who' },
  },
} as const;

/** [S3.11, S4.11] */
export const caseReports = dashboard('case-reports', {
  ...shared,
  permission: 'case-report-analytics/read',
  home: 'cases',
  filters: {
    program: 'programId',
    location: 'facilityId',
    taskCategory: 'taskCategory',
    diseaseFamily: 'diseaseFamily',
    sex: 'sex',
    gender: 'gender',
    race: 'race',
    ethnicity: 'ethnicity',
  },
  textFilters: { status: 'status', registration: 'source' },
  clear: 'sets-filters',
  /** The last 52 MMWR weeks and the current one. */
  defaultRange: (today) => ({ start: addDays(startOfMmwrWeek(today), -7 * 52), end: today }),
});

/** [S3.11, S9.6] */
export const tenantCaseReports = dashboard('tenant-case-reports', {
  ...shared,
  words: 'case-reports',
  permission: 'tenant-case-report-analytics/read',
  filters: {
    moduleFilter: 'programTypeId',
    programFilter: 'programId',
    taskFilter: 'taskId',
    facilityFilter: 'facilityId',
    countyFilter: 'countyFips',
    diseaseFamilyFilter: 'diseaseFamily',
  },
  defaultRange: (today) => ({ start: addDays(today, -30), end: today }),
});
