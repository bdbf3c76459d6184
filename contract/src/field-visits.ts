import { z } from 'zod';
import { addDays } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { fieldVisitFlow, minutesOut, visitResults, visitStatuses } from './field-visit-flow.ts';
import { patientRecordWithMaking } from './patient-record.ts';
import {
  byServer,
  byTransitions,
  choice,
  coded,
  count,
  day,
  entry,
  flag,
  inColumn,
  instant,
  known,
  listOf,
  longText,
  needed,
  onCreation,
  phone,
  reference,
  text,
} from './record.ts';
import { attemptMade, attemptOutcomeCodes, dayParts, visitAttempt } from './visit-attempts.ts';

/** The purpose of a visit. */
export const fieldVisitTypes = [
  'notification',
  'interview',
  'specimen',
  'treatment',
  'follow-up',
  'outbreak',
  'other',
] as const;
/** The task category of a visit for this purpose, as in the tenant's other numbers. */
export const taskCategoryOfVisit: Readonly<Record<(typeof fieldVisitTypes)[number], string>> = {
  notification: 'partner-services',
  interview: 'case-investigation',
  specimen: 'testing',
  treatment: 'treatment',
  'follow-up': 'contact-tracing',
  outbreak: 'case-investigation',
  other: 'field-visit',
};
/** Whether a worker who has set out is expected or overdue. */
export const visitReturns = ['expected', 'overdue'] as const;
/**
 * Open visits planned for today or earlier; open visits with an overdue worker; the user's own open visits; all
 * open visits; and all.
 */
export const visitViews = ['today', 'overdue', 'mine', 'open', 'all'] as const;

/** The days that users set. */
export const visitDays = ['plannedFor', 'dueOn'] as const;

const fields = {
  number: byServer(needed(coded(z.string()))),
  patient: inColumn('patient_id', onCreation(needed(reference()))),
  /** The case of the person it is about; it decides who sees the visit. */
  caseRecord: inColumn('case_report_id', onCreation(reference())),
  status: byTransitions(needed(choice(visitStatuses))),
  visitType: needed(choice(fieldVisitTypes)),
  plannedFor: needed(day()),
  dueOn: day(),
  /** Empty: the person's home address. */
  address: text(300),
  program: reference('programs'),
  /** No one goes alone. */
  twoWorkers: needed(flag()),
  /** Nothing in writing is left or sent, so that no one else there finds out. */
  noLetter: needed(flag()),
  note: longText(5000),
  worker: byTransitions(reference('investigators')),
  /** Minutes until the worker is expected back, from setting out. */
  minutesOut: byTransitions(choice(minutesOut)),
  result: byTransitions(choice(visitResults)),
  doneOn: byTransitions(day()),
  cancelledOn: byTransitions(day()),
  attemptCount: byServer(needed(count())),
  attemptDays: byServer(needed(count())),
  lastAttemptOn: byServer(day()),
  lastOutcome: byServer(choice(attemptOutcomeCodes)),
  createdOn: byServer(needed(day())),
  /** The time of day to try next, until the visit is over. */
  tryIn: known(choice(dayParts)),
  return: known(choice(visitReturns)),
  outSince: known(instant()),
  expectedBack: known(instant()),
  /** The person as the reader sees them. */
  name: known(text(500)),
  birthDate: known(day()),
  phone: known(phone()),
  place: known(text(500)),
  county: known(entry('counties')),
  caseId: known(coded(z.string())),
  condition: known(entry('conditions')),
  diseaseFamily: known(entry('diseaseFamilies')),
  /** The facility whose staff wrote it, if any. */
  facility: byServer(reference('facilities')),
};

const access = { read: 'field-visits/read', write: 'field-visits/write' } as const;

export const fieldVisitGrid = listOf(fields, {
  id: 'field-visits',
  permission: access.read,
  exportable: 'field-visits/export',
  columns: {
    number: { whole: true, width: 140 },
    name: { sensitive: true, width: 180 },
    status: { width: 130 },
    return: { width: 140 },
    visitType: { width: 160 },
    worker: { width: 150 },
    plannedFor: { width: 116 },
    dueOn: { width: 116 },
    attemptCount: { width: 100 },
    lastOutcome: { width: 180 },
    tryIn: { width: 140 },
    place: { sensitive: true, width: 220 },
    county: { width: 140 },
    condition: { width: 150 },
    caseId: { width: 136 },
    result: { width: 140 },
    phone: { sensitive: true, width: 140, hidden: true },
    birthDate: { sensitive: true, width: 116, hidden: true },
    lastAttemptOn: { width: 116, hidden: true },
    expectedBack: { width: 160, hidden: true },
    doneOn: { width: 116, hidden: true },
    program: { width: 180, hidden: true },
    facility: { width: 190, hidden: true },
    diseaseFamily: { width: 160, hidden: true },
    createdOn: { width: 116, hidden: true },
  },
  sortedBy: 'plannedFor',
  filters: [
    'show',
    'status',
    'worker',
    'visitTypeFilter',
    'condition',
    'county',
    'programFilter',
    'locationFilter',
    'diseaseFamilyFilter',
  ],
  narrows: {
    visitTypeFilter: 'visitType',
    programFilter: 'program',
    locationFilter: 'facility',
    diseaseFamilyFilter: 'diseaseFamily',
  },
  card: { title: ['name'], state: 'status', lines: ['visitType', 'return', 'place', 'plannedFor', 'dueOn'] },
  views: { of: 'show', codes: visitViews, allDays: ['today', 'overdue', 'mine', 'open'] },
  defaultRange: (today) => ({ start: addDays(today, -14), end: addDays(today, 14) }),
  rangeFields: ['plannedFor', 'dueOn', 'lastAttemptOn', 'doneOn', 'createdOn'],
  keptAcrossOrgs: true,
  counted: true,
});
export const fieldVisitRow = fieldVisitGrid.row;
export type FieldVisit = z.infer<typeof fieldVisitRow>;

/** A visit to a person: to notify, to interview, to take a specimen or to treat. */
export const fieldVisitRecord = patientRecordWithMaking({
  id: 'field-visits',
  kind: 'field-visit',
  noun: 'field visit',
  table: 'field_visit',
  access,
  about: { field: 'patient', kind: 'patient' },
  alone: true,
  name: 'number',
  fields,
  workflow: { of: 'status', flow: fieldVisitFlow },
  grid: fieldVisitGrid,
  answer: fieldVisitRow,
  form: [
    'patient',
    'caseRecord',
    'visitType',
    ['plannedFor', 'dueOn'],
    'address',
    'program',
    ['twoWorkers', 'noLetter'],
    'note',
  ],
  bulk: ['plannedFor', 'dueOn', 'program'],
  oneByOne: ['finish', 'finish-early'],
  timeline: { at: ['doneOn', 'plannedFor'], shows: ['visitType', 'status'] },
});

const params = z.strictObject({ id: z.uuid() });
const attempts = z.object({ attempts: z.array(visitAttempt) });

/** The attempts of a visit, and adding one. */
export const visitAttempts = {
  read: endpoint({
    method: 'GET',
    path: '/api/web/field-visits/:id/attempts',
    access: access.read,
    deed: 'read',
    summary: 'The attempts of a field visit, the newest first',
    patientData: true,
    params,
    response: attempts,
  }),
  /**
   * `id`: made by the browser, so that a repeated request adds no second attempt. `version`: the version of
   * the visit the user has seen; if others have changed it since, the answer is `conflict`, and the faults
   * name the fields.
   */
  add: endpoint({
    method: 'POST',
    path: '/api/web/field-visits/:id/attempts',
    access: access.write,
    deed: 'change',
    summary: 'Add an attempt to a field visit',
    patientData: true,
    params,
    body: attemptMade.extend({ id: z.uuid(), version: z.int().optional() }),
    response: attempts,
  }),
};

/** The visits of a case, unfinished ones first. */
export const visitsOfCase = endpoint({
  method: 'GET',
  path: '/api/web/case-reports/:id/field-visits',
  access: access.read,
  deed: 'read',
  summary: 'The field visits of a case report',
  feature: 'case-reports',
  patientData: true,
  params,
  response: z.object({ visits: z.array(fieldVisitRow) }),
});

/**
 * Fault codes of a visit's days, worded under `field-visits:fault.<code>`. A day in another year is probably
 * a slip.
 */
export const visitFaults = (
  days: Partial<Record<(typeof visitDays)[number], string | null>>,
  today: string,
): { field: (typeof visitDays)[number]; code: string }[] =>
  visitDays.flatMap((field) => {
    const value = days[field];
    return value && (value < addDays(today, -366) || value > addDays(today, 366))
      ? [{ field, code: 'far' }]
      : [];
  });
