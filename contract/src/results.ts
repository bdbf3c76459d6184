import { code, counting, day, fact, flag, id, listed, ref, summed, tenths, text } from './fact.ts';

/** How results are counted, all or those of some tests. */
export const resultCounting = {
  records: 'testing-records',
  eventDates: ['collectedOn', 'receivedOn', 'resultedOn', 'reportedOn', 'createdOn'],
  enteredOn: 'createdOn',
  person: true,
  counted: 'performed',
  restrictedBy: 'diseaseFamily',
  residents: {
    county: 'countyFips',
    sex: 'sex',
    ageBand: 'ageBand',
    ageYears: 'ageYears',
    events: ['diseaseFamily', 'conditionCode', 'resultCategory', 'status'],
  },
} as const;

/** One row per result that has not been replaced. */
export const results = fact(
  'result',
  {
    id,
    patientId: id,
    organizationId: ref('organizations'),
    facilityId: ref('facilities'),
    programTypeId: ref('programTypes'),
    programId: ref('programs'),
    taskId: ref('tasks'),
    countyFips: code('counties'),
    diseaseFamily: code('diseaseFamilies'),
    conditionCode: code('conditions'),
    testName: text('record'),
    assay: listed('open', 'assays'),
    resultCategory: code('resultCategories'),
    status: code('resultStatuses'),
    /** Whether it counts as a test. */
    performed: counting,
    specimenSite: text('record'),
    /** The coded site, if the sender used one of its names. */
    anatomicSite: code('specimenSites'),
    accession: text('record'),
    ageYears: summed('open', 120),
    ageBand: code('ageBands'),
    collectedOn: day('open'),
    receivedOn: day('open'),
    resultedOn: day('open'),
    reportedOn: day('open'),
    createdOn: day('open'),
    tenthsCollectedToReceived: tenths,
    tenthsReceivedToResulted: tenths,
    tenthsCollectedToResulted: tenths,
    sex: code('sex'),
    gender: code('gender'),
    race: code('race'),
    ethnicity: code('ethnicity'),
    /** Sex, age, race and ethnicity are all known. */
    demographicsKnown: flag,
    providerName: text('record'),
    providerNpi: text('record'),
    notes: text('record'),
  },
  resultCounting,
);
