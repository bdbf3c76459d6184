import { daysBetween } from '@caseway/contract/date-range';
import { compare, type Parts, type PreparedPerson } from '../patients/matching.ts';
import type { CaseReportRow } from '../reported/report.ts';
import { caseDay } from './case-decision.ts';
import type { CaseRecord } from './case-record.ts';
import { visitTypeOfWords } from './visit-type.ts';

/** The dates of a case. `day` is the one that it is counted by. */
export interface DatedCase {
  day: string;
  onsetOn: string | null;
  collectedOn: string | null;
}

/** The longest time between two reports of one numbered case, in days. */
const reportsApart = 90;
/** The largest difference between repeated days of onset, in days. */
const datesApart = 7;

/**
 * Whether a row of a line list is about the same case as an earlier row with its number. Senders count separately,
 * and a short number is only a position in a list that begins at 1 again. So the person must not differ. If nothing
 * identifies the person, the illness itself must match: it began or was tested on the same day; or the same place
 * reported it, the age agrees and the days are at most a week apart. `doubtful` becomes a separate case for review,
 * because two cases can be joined later, but an overwritten case is lost.
 */
export function numberedAs(
  number: string,
  row: DatedCase,
  known: DatedCase,
  /** How the two persons agree. */
  { identifier, lastName, firstName, birthDate, age, sex }: Parts,
  /** Whether one place reported both; `untold` if neither names its place. */
  place: 'same' | 'another' | 'untold',
): 'same' | 'doubtful' | 'another' {
  const apart = (a: string | null, b: string | null) => (a && b ? [Math.abs(daysBetween(a, b))] : []);
  if (apart(row.day, known.day)[0]! > reportsApart) return 'another';
  if ([birthDate, age, sex, firstName].includes(0) || (lastName === 0 && identifier !== 1)) return 'another';
  if (identifier === 1 || birthDate === 1 || (lastName && firstName)) return 'same';

  if (place === 'another') return 'another';
  if (!/^\d{1,5}$/.test(number)) return 'same';
  const dates = [...apart(row.onsetOn, known.onsetOn), ...apart(row.collectedOn, known.collectedOn)];
  if (dates.length > 0 && dates.every((days) => days === 0)) return 'same';
  const isOfOneAge = birthDate !== undefined || age !== undefined;
  return place === 'same' && isOfOneAge && dates.every((days) => days <= datesApart) ? 'same' : 'doubtful';
}

/**
 * The case of an earlier row with this row's number, or a possible one. `candidates` are the cases with this number
 * that the sender may see.
 */
export function numberedCase(
  number: string,
  row: DatedCase,
  person: PreparedPerson,
  place: Pick<CaseRecord, 'organizationId' | 'facilityId'>,
  candidates: readonly { record: CaseRecord; person: PreparedPerson }[],
): { same?: CaseRecord; doubtful?: CaseRecord } {
  let doubtful: CaseRecord | undefined;
  for (const { record, person: known } of candidates) {
    const { parts } = compare(person, known);
    const at =
      record.organizationId !== place.organizationId || record.facilityId !== place.facilityId
        ? 'another'
        : place.organizationId === null && place.facilityId === null
          ? 'untold'
          : 'same';
    const found = numberedAs(number, row, { ...record, day: caseDay(record) }, parts, at);
    if (found === 'same') return { same: record };
    if (found === 'doubtful') doubtful ??= record;
  }
  return { doubtful };
}

const yesOrNo = (value: boolean | undefined) => (value === undefined ? null : value ? 'yes' : 'no');

/** The facts of a row about its case, as stored; null for what it leaves out. */
export const toldByRow = (row: CaseReportRow) =>
  ({
    classification: row.classification === 'not-a-case' ? 'not_a_case' : (row.classification ?? null),
    onsetOn: row.onset?.day ?? null,
    collectedOn: row.specimenCollected?.day ?? null,
    // A place that diagnosed or admitted a person has known the case from that day on.
    reportedOn: row.reported?.day ?? row.diagnosed?.day ?? row.hospitalized?.day ?? null,
    outcome: row.outcome && row.outcome !== 'unknown' ? row.outcome : null,
    hospitalized: yesOrNo(row.wasHospitalized ?? (row.hospitalized ? true : undefined)),
    pregnant: yesOrNo(row.pregnant),
    visitType: visitTypeOfWords(row.visitType),
  }) as const;
