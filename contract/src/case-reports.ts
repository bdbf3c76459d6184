import { z } from 'zod';
import { factColumnsOf, listColumnsOf } from './answer-columns.ts';
import { glassAccess } from './break-glass.ts';
import { caseExplanation, classifiedBy } from './case-rules.ts';
import { addDays, day, startOfMmwrWeek } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import {
  code,
  day as dayColumn,
  fact,
  flag,
  id as idColumn,
  instant as instantColumn,
  integer,
  ref,
  summed,
  text as textColumn,
} from './fact.ts';
import { gridOver } from './fact-grid.ts';
import { gridSearch } from './grid.ts';
import { caseAnswerColumns, investigating } from './investigation-form.ts';
import { labelled, testNamed } from './label.ts';
import { colleague, mentionedIn, mentionsLimit } from './mentions.ts';
import { textOfLines } from './name.ts';

/** The condition decides which are allowed; `not_a_case` and `unknown` always are. */
export const classifications = ['confirmed', 'probable', 'suspect', 'not_a_case', 'unknown'] as const;
export type Classification = (typeof classifications)[number];

/** The investigation has not started, or is in progress. */
export const openCaseStatuses = [
  'new',
  'assigned_to_jurisdiction',
  'rejected_by_jurisdiction',
  'accepted',
  'assigned',
  'rejected_by_investigator',
  'under_investigation',
  'awaiting_interview',
  'reopened',
] as const;
/** In the order of an investigation. */
export const caseStatuses = [...openCaseStatuses, 'complete', 'approved', 'closed', 'no_follow_up'] as const;
export type CaseStatus = (typeof caseStatuses)[number];

export const caseOutcomes = ['recovered', 'ill', 'died', 'unknown'] as const;
export const caseSources = ['elr', 'csv', 'provider', 'manual'] as const;
export const visitTypes = ['clinic', 'field', 'telemedicine'] as const;
export const yesNoUnknown = ['yes', 'no', 'unknown'] as const;

/** The five event dates in their order. `createdOn` is set by the system and never changes. */
export const eventDates = ['onsetOn', 'collectedOn', 'reportedOn', 'receivedOn', 'createdOn'] as const;
export type EventDate = (typeof eventDates)[number];

/** One row for each case report. */
export const cases = fact(
  'case',
  {
    id: idColumn,
    patientId: idColumn,
    caseId: textColumn('record'),
    conditionCode: code('conditions'),
    diseaseFamily: code('diseaseFamilies'),
    classification: code(classifications),
    status: code(caseStatuses),
    onsetOn: dayColumn('open'),
    collectedOn: dayColumn('open'),
    reportedOn: dayColumn('open'),
    receivedOn: dayColumn('open'),
    createdOn: dayColumn('open'),
    organizationId: ref('organizations'),
    facilityId: ref('facilities'),
    programTypeId: ref('programTypes'),
    programId: ref('programs'),
    taskId: ref('tasks'),
    taskCategory: code('taskCategories'),
    visitType: code(visitTypes),
    jurisdictionId: ref('jurisdictions'),
    countyFips: code('counties'),
    investigatorId: ref('investigators'),
    outcome: code(caseOutcomes),
    pregnant: code(yesNoUnknown),
    source: code(caseSources),
    externalId: textColumn('record'),
    updatedAt: instantColumn,
    lastName: textColumn('record'),
    firstName: textColumn('record'),
    city: textColumn('record'),
    birthDate: dayColumn('record'),
    ageYears: summed('open', 120),
    ageBand: code('ageBands'),
    sex: code('sex'),
    gender: code('gender'),
    race: code('race'),
    ethnicity: code('ethnicity'),
    notes: textColumn('record'),
    /** Days from specimen collection to first treatment; negative if the treatment was presumptive. */
    daysToTreatment: integer('counted'),
    /** The person has an HIV test within 30 days of the collection. */
    hivTested: { ...flag, tells: ['hiv'] },
    /** The person had a positive HIV test or a viral load more than 30 days before the collection. */
    hivKnown: { ...flag, tells: ['hiv'] },
    /** Null if a date is missing or the dates are out of order. */
    daysOnsetToReported: integer('counted'),
    daysReportedToReceived: integer('counted'),
    /**
     * The same person had a report of the same condition in the previous 90 days. Only the tenant may know
     * about other places' reports.
     */
    possibleDuplicate: { ...flag, readers: ['T'] },
    /**
     * HIV only: days from the diagnosis, which is the specimen's collection, to the first viral load or CD4
     * count.
     */
    daysToCare: integer('counted'),
    ...(factColumnsOf(caseAnswerColumns, investigating) as Record<never, never>),
  },
  {
    records: 'case-reports',
    eventDates: ['createdOn', 'onsetOn', 'collectedOn', 'reportedOn', 'receivedOn'],
    enteredOn: 'createdOn',
    person: true,
    restrictedBy: 'diseaseFamily',
    residents: {
      county: 'countyFips',
      sex: 'sex',
      ageBand: 'ageBand',
      ageYears: 'ageYears',
      events: ['diseaseFamily', 'conditionCode', 'classification', 'status', 'outcome', 'source'],
    },
  },
);

const id = z.uuid();
const text = z.string().nullable();
const date = day.nullable();

/** A row of the grid, with ids and codes from the look-ups its columns name. */
export const caseReportRow = z.object({
  id,
  caseId: z.string(),
  patientId: id,
  lastName: text,
  firstName: text,
  birthDate: date,
  /** Completed years on the day the case was created; null without a birth date. */
  age: z.number().int().nullable(),
  sex: text,
  race: text,
  ethnicity: text,
  condition: z.string(),
  diseaseFamily: z.string(),
  classification: z.enum(classifications),
  status: z.enum(caseStatuses),
  onsetOn: date,
  collectedOn: date,
  reportedOn: date,
  receivedOn: date,
  createdOn: day,
  county: text,
  city: text,
  facility: text,
  program: text,
  task: text,
  visitType: text,
  jurisdiction: text,
  investigator: text,
  outcome: text,
  pregnant: text,
  source: z.string(),
  externalId: text,
  /** Who ordered the newest test for which this is known. */
  providerName: text,
  providerNpi: text,
  providerPhone: text,
  /** Senders' notes on results and in line lists, one per line, newest first. */
  notes: text,
  /** Answers by column name; empty for readers who may not see them. */
  answers: z.record(z.string(), z.string()),
  updatedAt: z.iso.datetime(),
});
export type CaseReportRow = z.infer<typeof caseReportRow>;

export const caseReportGrid = gridOver(cases, {
  id: 'case-reports',
  permission: 'case-reports/read',
  exportable: 'case-reports/export',
  columns: {
    caseId: { whole: true, width: 136 },
    lastName: { sensitive: true, width: 130 },
    firstName: { sensitive: true, width: 110 },
    condition: { of: 'conditionCode', width: 190 },
    status: { width: 150 },
    classification: { width: 130 },
    investigator: { of: 'investigatorId', width: 150 },
    county: { of: 'countyFips', width: 130 },
    createdOn: { width: 116 },
    birthDate: { sensitive: true, width: 116, hidden: true },
    onsetOn: { width: 116, hidden: true },
    collectedOn: { width: 116, hidden: true },
    reportedOn: { width: 116, hidden: true },
    receivedOn: { width: 116, hidden: true },
    // The age on the day of creation, stored in the row.
    age: { of: 'ageYears', width: 150, hidden: true },
    sex: { width: 120, hidden: true },
    facility: { of: 'facilityId', width: 220, hidden: true },
    program: { of: 'programId', width: 190, hidden: true },
    task: { of: 'taskId', width: 190, hidden: true },
    diseaseFamily: { width: 160, hidden: true },
    race: { width: 180, hidden: true },
    ethnicity: { width: 160, hidden: true },
    city: { width: 140, hidden: true },
    jurisdiction: { of: 'jurisdictionId', width: 190, hidden: true },
    visitType: { width: 130, hidden: true },
    outcome: { width: 120, hidden: true },
    pregnant: { width: 120, hidden: true },
    source: { width: 120, hidden: true },
    externalId: { whole: true, sensitive: true, width: 150, hidden: true },
    providerName: { beside: 'text', width: 180, hidden: true },
    providerNpi: { beside: 'text', whole: true, width: 120, hidden: true },
    providerPhone: { beside: 'text', as: 'phone', width: 140, hidden: true },
    notes: { sensitive: true, width: 280, hidden: true },
    updatedAt: { width: 160, hidden: true },
    ...(listColumnsOf(caseAnswerColumns) as Record<never, never>),
  },
  defaultSort: [{ field: 'caseId', sort: 'desc' }],
  filters: { programFilter: 'programId', locationFilter: 'facilityId', visitType: 'visitType' },
  card: { title: ['lastName', 'firstName'], state: 'status', lines: ['condition', 'caseId', 'createdOn'] },
  owner: { column: 'investigator', may: 'case-reports/investigate' },
  open: { column: 'status', states: openCaseStatuses },
  // 2022-01-02 opens MMWR week 1 of 2022. [S9.9]
  defaultRange: (today) => ({ start: startOfMmwrWeek('2022-01-02'), end: addDays(today, 14) }),
  // Every case has a creation day, so the default range hides no case for lack of a date.
  rangeFields: ['createdOn', 'onsetOn', 'collectedOn', 'reportedOn', 'receivedOn'],
  row: caseReportRow,
});

export const searchCaseReports = gridSearch(caseReportGrid);

// — One record —

const instant = z.iso.datetime().nullable();

export const caseResult = z.object({
  id,
  ...testNamed,
  testLoinc: text,
  method: text,
  /** A code of the look-up resultCategories. */
  resultCategory: z.string(),
  status: z.string(),
  valueText: text,
  valueNumber: z.number().nullable(),
  valueComparator: text,
  units: text,
  referenceRange: text,
  abnormalFlag: text,
  facilityId: text,
  performingFacilityId: text,
  /** The provider who ordered the test; null if the sender did not say. */
  orderingProvider: z.object({ name: text, npi: text, phone: text }).nullable(),
  /** Notes on the result, one line each. */
  notes: text,
  specimen: z
    .object({
      id,
      accession: text,
      type: labelled.nullable(),
      site: labelled.nullable(),
      collectedAt: instant,
      receivedAt: instant,
    })
    .nullable(),
  collectedAt: instant,
  receivedAt: instant,
  resultedAt: instant,
  reportedAt: instant,
  /** The corrected result that replaced it, if any. */
  supersededBy: id.nullable(),
});

export const casePatient = z.object({
  id,
  lastName: text,
  firstName: text,
  middleName: text,
  nameSuffix: text,
  birthDate: date,
  birthDatePrecision: z.enum(['day', 'month', 'year']).nullable(),
  sex: text,
  /** Also null if the tenant does not record gender. */
  gender: text,
  race: text,
  ethnicity: text,
  languageCode: text,
  street: text,
  street2: text,
  city: text,
  stateFips: text,
  postalCode: text,
  county: text,
  phones: z.array(z.string()),
  emails: z.array(z.string()),
  identifiers: z.array(z.object({ kind: z.string(), assigner: z.string(), value: z.string() })),
  deceased: z.boolean().nullable(),
  deceasedOn: date,
});

/** An event in a case. `detail` depends on the kind: codes, ids, days, and the text of a note. */
export const caseEvent = z.object({
  id,
  at: z.iso.datetime(),
  /** Null for the system. */
  by: z.object({ id, name: z.string() }).nullable(),
  kind: z.string(),
  /**
   * Of a note that mentions colleagues, `mentioned` has their present names by account, without those the reader may
   * not know.
   */
  detail: z.record(z.string(), z.unknown()),
});
export type CaseEvent = z.infer<typeof caseEvent>;

export const caseReport = caseReportRow.extend({
  /** Increases with every change. */
  version: z.number().int(),
  hospitalized: text,
  /** Why later evidence calls for a review; a stable code. */
  reviewReason: text,
  closedAt: instant,
  /** Who completed the investigation. */
  completedBy: text,
  patient: casePatient,
  /** Newest first, superseded ones included. */
  results: z.array(caseResult),
  /** Newest first. */
  timeline: z.array(caseEvent),
  /** The access that opened a hidden record; the record is then read-only. */
  breakGlass: glassAccess
    // Look-ups leave out restricted families, so the labels come along.
    .extend({ conditionLabel: labelled.nullable(), familyLabel: labelled.nullable() })
    .nullable(),
  /** Rules can change what a rule decided, never what a user decided. */
  classifiedBy: z.enum(classifiedBy),
  /** What the case rule decided and why; null if no rule has been applied. */
  explanation: caseExplanation.nullable(),
  /** The classifications that the condition allows. */
  lawfulClassifications: z.array(z.enum(classifications)),
});
export type CaseReport = z.infer<typeof caseReport>;

export const noteText = textOfLines(10_000).refine((text) => mentionedIn(text).length <= mentionsLimit, {
  error: `a note mentions at most ${mentionsLimit} colleagues`,
  params: { code: 'too-many-mentions' },
});

export const addCaseNote = endpoint({
  method: 'POST',
  path: '/api/web/case-reports/:id/notes',
  access: 'case-reports/write',
  deed: 'change',
  summary: 'Add a note to the timeline of a case report',
  patientData: true,
  params: z.strictObject({ id }),
  body: z.strictObject({ text: noteText }),
  response: caseReport,
});

/** Colleagues who can be mentioned in a note: those of the name who may see the case. */
export const findCaseColleagues = endpoint({
  method: 'GET',
  path: '/api/web/case-reports/:id/colleagues',
  access: 'case-reports/write',
  deed: 'read',
  summary: 'Colleagues who may see a case report, by name',
  params: z.strictObject({ id }),
  query: z.strictObject({ words: z.string().max(100).default('') }),
  response: z.object({ colleagues: z.array(colleague) }),
});

/** Fault codes of an event date change, worded under `case-reports:fault.<code>`. */
export type EventDateFault = {
  field: Exclude<EventDate, 'createdOn'>;
  code: 'future' | 'before-1900' | 'before-birth' | 'after-next';
  next?: EventDate;
};

/**
 * The faults of a case's event dates, with `today` in the tenant's time zone: in the future, before 1900,
 * before the person's birth, or after the next of the five. Checks only dates in `changed` and pairs with one
 * of them, so an imported fault does not block another change.
 */
export function eventDateFaults(
  dates: Readonly<Record<EventDate, string | null>>,
  changed: ReadonlySet<string>,
  { today, birthDate }: { today: string; birthDate: string | null },
): EventDateFault[] {
  const faults: EventDateFault[] = [];
  const given = eventDates.filter((field) => dates[field] !== null);
  for (const [index, field] of given.entries()) {
    const value = dates[field]!;
    if (field === 'createdOn') continue;
    const next = given[index + 1];
    if (changed.has(field)) {
      if (value > today) faults.push({ field, code: 'future' });
      else if (value < '1900-01-01') faults.push({ field, code: 'before-1900' });
      else if (birthDate !== null && value < birthDate) faults.push({ field, code: 'before-birth' });
    }
    if (next && (changed.has(field) || changed.has(next)) && value > dates[next]!)
      faults.push({ field, code: 'after-next', next });
  }
  return faults;
}
