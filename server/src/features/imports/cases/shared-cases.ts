import type { CaseExplanation } from '@caseway/contract/case-rules';
import type { CaseRecord } from '../batch-state.ts';

/*
 * A case of one place that another place has reported as well. What the other one tells of it is for those who see the
 * whole tenant; the organization and facility of the case are shown it as if that report had not come: neither the
 * facts nor the version or the time. What the case rules conclude is for everyone who shares the case. [P1, P23]
 */

/** What reports say of a case, on the record and beside it. */
export type CaseFacts = Pick<
  CaseRecord,
  | 'onsetOn'
  | 'collectedOn'
  | 'reportedOn'
  | 'outcome'
  | 'pregnant'
  | 'hospitalized'
  | 'visitType'
  | 'externalId'
  | 'countyFips'
  | 'jurisdictionId'
>;

/** Where a report comes from. */
export interface Place {
  organizationId: string | null;
  facilityId: string | null;
}

const factsOf = (record: CaseFacts): CaseFacts => ({
  onsetOn: record.onsetOn,
  collectedOn: record.collectedOn,
  reportedOn: record.reportedOn,
  outcome: record.outcome,
  pregnant: record.pregnant,
  hospitalized: record.hospitalized,
  visitType: record.visitType,
  externalId: record.externalId,
  countyFips: record.countyFips,
  jurisdictionId: record.jurisdictionId,
});

/**
 * Whether everyone who shares the case may know what a report of this place says. A report of no place is the tenant's
 * own, which may tell everyone, as of a person.
 */
export const isOwn = ({ organizationId, facilityId }: CaseRecord, place: Place): boolean =>
  (place.organizationId === null && place.facilityId === null) ||
  ((organizationId === null || organizationId === place.organizationId) &&
    (facilityId === null || facilityId === place.facilityId));

/** Who of those that share a case may know of a report, for its history; undefined: all of them. */
export function tellersOf({ organizationId, facilityId }: Place): string[] | undefined {
  const tellers = [organizationId, facilityId].filter((one) => one !== null);
  return tellers.length > 0 ? tellers : undefined;
}

/** What is for everyone who shares the case. */
const concluded = ({ conditionCode, classification, classifiedBy, reviewReason }: CaseRecord): string =>
  JSON.stringify([conditionCode, classification, classifiedBy, reviewReason]);

/** Applies what a report tells to a case, and to what its own place is shown of it, where that is another thing. */
export function tellCase(record: CaseRecord, place: Place, apply: (facts: CaseFacts) => void): void {
  if (isOwn(record, place)) {
    if (record.within) apply(record.within);
    record.toldToOwn = true;
    record.kept = undefined;
  } else {
    record.within ??= factsOf(record);
    // Of a stored one the row has it.
    if (record.isNew && record.explanation)
      record.kept ??= { explanation: record.explanation, concluded: concluded(record) };
  }
  apply(record);
}

/** Notes on a new case that its county comes from what someone else reported about the person. */
export function borrowCounty(record: CaseRecord): void {
  record.within = { ...factsOf(record), countyFips: null, jurisdictionId: null };
}

/** The names of the columns in which they are kept. */
const columns: Readonly<Record<keyof CaseFacts, string>> = {
  onsetOn: 'onset_on',
  collectedOn: 'collected_on',
  reportedOn: 'reported_on',
  outcome: 'outcome',
  pregnant: 'pregnant',
  hospitalized: 'hospitalized',
  visitType: 'visit_type',
  externalId: 'external_id',
  countyFips: 'county_fips',
  jurisdictionId: 'jurisdiction_id',
};

/** As they are stored; null: as the row says. */
export const storedWithin = ({ within }: CaseRecord): Record<string, string | null> | null =>
  within
    ? Object.fromEntries(
        Object.entries(columns).map(([field, column]) => [column, within[field as keyof CaseFacts]]),
      )
    : null;

/** Why the rule says what it says, with the day of the case as its own place knows it; null where it was not asked. */
export const explainedWithin = ({ within, explanation, createdOn }: CaseRecord): CaseExplanation | null =>
  within && explanation
    ? {
        ...explanation,
        eventDay: within.collectedOn ?? within.onsetOn ?? within.reportedOn ?? createdOn,
      }
    : null;

/** What is kept beside the row of a new case. */
export const storedWithNew = (record: CaseRecord): Record<string, unknown> | null => {
  const { kept } = record;
  const explanation =
    kept && kept.concluded === concluded(record) ? kept.explanation : explainedWithin(record);
  return record.within && { ...storedWithin(record), explanation };
};

/** SQL of what is kept beside the row `c` of a case, as the row is now. */
export const keptWithin = `jsonb_build_object('version', c.version, 'updated_at', c.updated_at,
  'explanation', c.explanation, ${Object.values(columns)
    .map((column) => `'${column}', c.${column}`)
    .join(', ')})`;

/** SQL that reads them of `c` as `CaseRecord.within`. */
export const selectedWithin = `case when c.told_within is not null then jsonb_build_object(${Object.entries(
  columns,
)
  .map(([field, column]) => `'${field}', c.told_within -> '${column}'`)
  .join(', ')}) end as within`;
