import { code, ref, summed } from './fact.ts';

/** Where a record that may be about a person belongs, and who that person is: of incidents and of visits. */
export const recordColumns = {
  organizationId: ref('organizations'),
  facilityId: ref('facilities'),
  programId: ref('programs'),
  countyFips: code('counties'),
  diseaseFamily: code('diseaseFamilies'),
  /** On the day that the record is about. */
  ageYears: summed('open', 120),
  ageBand: code('ageBands'),
  sex: code('sex'),
  gender: code('gender'),
  race: code('race'),
  ethnicity: code('ethnicity'),
} as const;
