import { z } from 'zod';
import { hiv } from './dashboards/hiv.ts';
import { testing } from './dashboards/testing.ts';
import { gridOver } from './fact-grid.ts';
import { gridSearch } from './grid.ts';
import { hivTests } from './hiv.ts';
import { labelIn, labelled, testNamed, testNameForStaff } from './label.ts';
import { results } from './results.ts';

/**
 * The category of a result, for counting.
 * - `positive` and `negative` make up positivity.
 * - `other` was performed and counts as a test, but not in positivity: results without an answer, presumptive
 * and weak positives, which await confirmation (SNOMED CT has 720735008 apart from 10828004), and quantities
 * that no one judged.
 * - `none` is no test performed: it awaits its result, or was never done.
 * Source: Healthy People 2020, STD-1.1 (positive tests among those administered, without unsatisfactory,
 * indeterminate and inconclusive ones); CDC, Calculating SARS-CoV-2 Laboratory Test Percent Positivity
 * (positive ÷ (positive + negative)).
 */
export const answerOfCategory = {
  positive: 'positive',
  negative: 'negative',
  'presumptive-positive': 'other',
  'weak-positive': 'other',
  inconclusive: 'other',
  indeterminate: 'other',
  equivocal: 'other',
  invalid: 'other',
  unsatisfactory: 'other',
  pending: 'none',
  'not-done': 'none',
  // A number or words that are neither positive nor negative: not an answer, so not counted as a test.
  quantitative: 'none',
} as const satisfies Record<string, 'positive' | 'negative' | 'other' | 'none'>;
export type ResultCategory = keyof typeof answerOfCategory;
export type ResultAnswer = (typeof answerOfCategory)[ResultCategory];

export const categoriesThatAre = (answer: ResultAnswer): ResultCategory[] =>
  (Object.keys(answerOfCategory) as ResultCategory[]).filter(
    (category) => answerOfCategory[category] === answer,
  );

/** Tests to repeat: invalid, or with an unsatisfactory specimen. */
export const failedCategories: readonly ResultCategory[] = ['invalid', 'unsatisfactory'];

/** Result statuses that never count: entered in error. */
export const uncountedStatuses: readonly string[] = ['withdrawn'];

/** The day a test is counted by, in the tenant's time zone. `created` is when it was entered. */
export const eventDates = testing.eventDates;
export type EventDate = (typeof eventDates)[number];

const coded = z.string().nullable();

/** One result in the list behind a number. */
export const testingRecord = z.object({
  id: z.string(),
  patientId: z.string(),
  lastName: z.string().nullable(),
  firstName: z.string().nullable(),
  birthDate: z.iso.date().nullable(),
  collectedOn: z.iso.date().nullable(),
  receivedOn: z.iso.date().nullable(),
  resultedOn: z.iso.date().nullable(),
  reportedOn: z.iso.date().nullable(),
  createdOn: z.iso.date(),
  ...testNamed,
  assay: coded,
  resultCategory: z.string(),
  status: z.string(),
  programTypeId: coded,
  programId: coded,
  facilityId: coded,
  countyFips: coded,
  diseaseFamily: coded,
  ageYears: z.number().int().nullable(),
  ageBand: coded,
  sex: coded,
  gender: coded,
  race: coded,
  ethnicity: coded,
  specimenSite: labelled.nullable(),
  accession: z.string().nullable(),
  providerName: z.string().nullable(),
  providerNpi: z.string().nullable(),
  providerPhone: z.string().nullable(),
  notes: z.string().nullable(),
  /**
   * Hours, rounded down to a tenth, or to whole hours from a day on; null if a time is missing or they are
   * out of order.
   */
  hoursCollectedToReceived: z.number().nullable(),
  hoursReceivedToResulted: z.number().nullable(),
  hoursCollectedToResulted: z.number().nullable(),
});
export type TestingRecord = z.infer<typeof testingRecord>;

/** A record's text in a list or file, in a language. */
export function textOfTestingRecord(row: TestingRecord, field: string, language: string): unknown {
  if (field === 'testName') return testNameForStaff(row, language);
  if (field === 'specimenSite') return row.specimenSite && labelIn(row.specimenSite, language);
  return row[field as keyof TestingRecord];
}

/** The columns of every list of tests. */
export const testColumns = {
  collectedOn: { width: 116 },
  testName: { width: 240 },
  resultCategory: { width: 150 },
  lastName: { beside: 'text', sensitive: true, width: 140 },
  firstName: { beside: 'text', sensitive: true, width: 120 },
  birthDate: { beside: 'date', sensitive: true, width: 116 },
  diseaseFamily: { width: 160, hidden: true },
  facilityId: { width: 200 },
  countyFips: { width: 140 },
  resultedOn: { width: 116, hidden: true },
  // The age on the day of collection, or else of the report.
  ageYears: { width: 110, hidden: true },
  sex: { width: 96, hidden: true },
  status: { width: 120, hidden: true },
  programId: { width: 180, hidden: true },
  race: { width: 180, hidden: true },
  ethnicity: { width: 160, hidden: true },
  accession: { whole: true, sensitive: true, width: 140, hidden: true },
  providerName: { width: 180, hidden: true },
  providerNpi: { whole: true, width: 120, hidden: true },
  providerPhone: { beside: 'text', as: 'phone', width: 140, hidden: true },
  notes: { sensitive: true, width: 280, hidden: true },
  assay: { width: 200, hidden: true },
  ageBand: { width: 96, hidden: true },
  gender: { width: 140, hidden: true },
  programTypeId: { width: 160, hidden: true },
  specimenSite: { width: 140, hidden: true },
  receivedOn: { width: 116, hidden: true },
  reportedOn: { width: 116, hidden: true },
  createdOn: { width: 116, hidden: true },
  hoursCollectedToReceived: { of: 'tenthsCollectedToReceived', width: 120, hidden: true },
  hoursReceivedToResulted: { of: 'tenthsReceivedToResulted', width: 120, hidden: true },
  hoursCollectedToResulted: { of: 'tenthsCollectedToResulted', width: 120, hidden: true },
} as const;

/** The tests behind a number of testing analytics, with the same filters and population. */
export const testingRecords = gridOver(results, {
  id: 'testing-records',
  permission: 'line-lists/read',
  exportable: 'line-lists/export',
  feature: 'testing-analytics',
  columns: testColumns,
  defaultSort: [{ field: 'collectedOn', sort: 'desc' }],
  filters: testing.filters,
  defaultRange: testing.defaultRange,
  rangeFields: ['collectedOn', 'receivedOn', 'resultedOn', 'reportedOn', 'createdOn'],
  row: testingRecord,
});

/** The record column of an event date. */
export const rangeFieldOf = (date: EventDate) => `${date}On` as const;

export const testingRecordsSearch = gridSearch(testingRecords);

/** The tests behind a number of HIV analytics. */
export const hivTestRecords = gridOver(hivTests, {
  id: 'hiv-tests',
  permission: 'line-lists/read',
  exportable: 'line-lists/export',
  feature: 'hiv-analytics',
  columns: testColumns,
  defaultSort: [{ field: 'collectedOn', sort: 'desc' }],
  filters: testing.filters,
  defaultRange: hiv.defaultRange,
  rangeFields: ['collectedOn', 'receivedOn', 'resultedOn', 'reportedOn', 'createdOn'],
  row: testingRecord,
});

export const searchHivTests = gridSearch(hivTestRecords);
