import { code, ref, summed } from './fact.ts';

/** The place of a record that may be about a person, and that person; for incidents and visits. */
export const recordColumns = {
  organizationId: ref('organizations'),
  facilityId: ref('facilities'),
  programId: ref('programs'),
  countyFips: code('counties'),
  diseaseFamily: code('diseaseFamilies'),
  /** On the day the record is about. */
  ageYears: summed('open', 120),
  ageBand: code('ageBands'),
  sex: code('sex'),
  gender: code('gender'),
  race: code('race'),
  ethnicity: code('ethnicity'),
} as const;
