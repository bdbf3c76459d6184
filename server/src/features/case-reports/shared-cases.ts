import type { CaseExplanation } from '@caseway/contract/case-rules';
import type { CaseRecord } from './case-record.ts';

/*
 * A case of one place that another place has also reported. Only readers who see the whole tenant see what the other
 * place reports. The organization and facility of the case see it as if that report had not come: neither its facts
 * nor the change of version and time. The result of the case rules is for everyone who shares the case. [P1, P23]
 */

/** The facts that reports give about a case, stored on the record and beside it. */
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
 * Whether everyone who shares the case may see a report of this place. A report without a place is the tenant's own
 * and for everyone, as for people.
 */
export const isOwn = ({ organizationId, facilityId }: CaseRecord, place: Place): boolean =>
  (place.organizationId === null && place.facilityId === null) ||
  ((organizationId === null || organizationId === place.organizationId) &&
    (facilityId === null || facilityId === place.facilityId));

/** The places that share a case and may see a report in its history; undefined: all of them. */
export function tellersOf({ organizationId, facilityId }: Place): string[] | undefined {
  const tellers = [organizationId, facilityId].filter((one) => one !== null);
  return tellers.length > 0 ? tellers : undefined;
}

/** The facts that everyone sees. */
const concluded = ({ conditionCode, classification, classifiedBy, reviewReason }: CaseRecord): string =>
  JSON.stringify([conditionCode, classification, classifiedBy, reviewReason]);

/** Adds a report to a case, and to what its own place sees of it if that differs. */
export function tellCase(record: CaseRecord, place: Place, apply: (facts: CaseFacts) => void): void {
  if (isOwn(record, place)) {
    if (record.within) apply(record.within);
    record.toldToOwn = true;
    record.kept = undefined;
  } else {
    record.within ??= factsOf(record);
    // A stored case has it on its row.
    if (record.isNew && record.explanation)
      record.kept ??= { explanation: record.explanation, concluded: concluded(record) };
  }
  apply(record);
}

/** Marks a new case whose county comes from another place's report about the person. */
export function borrowCounty(record: CaseRecord): void {
  record.within = { ...factsOf(record), countyFips: null, jurisdictionId: null };
}

/** The names of their columns. */
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

/** In the stored form; null: same as on the row. */
export const storedWithin = ({ within }: CaseRecord): Record<string, string | null> | null =>
  within
    ? Object.fromEntries(
        Object.entries(columns).map(([field, column]) => [column, within[field as keyof CaseFacts]]),
      )
    : null;

/** The rule's explanation with the case's day as its own place knows it; null if the rule was not applied. */
export const explainedWithin = ({ within, explanation, createdOn }: CaseRecord): CaseExplanation | null =>
  within && explanation
    ? {
        ...explanation,
        eventDay: within.collectedOn ?? within.onsetOn ?? within.reportedOn ?? createdOn,
      }
    : null;

/** The values stored beside the row of a new case. */
export const storedWithNew = (record: CaseRecord): Record<string, unknown> | null => {
  const { kept } = record;
  const explanation =
    kept && kept.concluded === concluded(record) ? kept.explanation : explainedWithin(record);
  return record.within && { ...storedWithin(record), explanation };
};

/** SQL for the values beside the row `c` of a case, from its current row. */
export const keptWithin = `jsonb_build_object('version', c.version, 'updated_at', c.updated_at,
  'explanation', c.explanation, ${Object.values(columns)
    .map((column) => `'${column}', c.${column}`)
    .join(', ')})`;

/** SQL that reads them from `c` as `CaseRecord.within`. */
export const selectedWithin = `case when c.told_within is not null then jsonb_build_object(${Object.entries(
  columns,
)
  .map(([field, column]) => `'${field}', c.told_within -> '${column}'`)
  .join(', ')}) end as within`;
