import { z } from 'zod';
import { addDays } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { patientRecordWithMaking } from './patient-record.ts';
import {
  byServer,
  byTransitions,
  choice,
  coded,
  count,
  day,
  entry,
  inColumn,
  instant,
  known,
  listOf,
  longText,
  needed,
  onCreation,
  reference,
  text,
} from './record.ts';
import { telemedicineFlow, telemedicineStatuses, telemedicineVisitTypes } from './telemedicine-flow.ts';

export const interpreterNeeds = ['yes', 'no'] as const;
/** The quality of sound and picture. */
export const connectionOutcomes = ['good', 'poor', 'failed', 'phone-instead'] as const;
/** The source of a visit's times. */
export const visitMeasures = ['by-hand', 'video-server'] as const;
/** Who created a visit. */
export const visitMakers = ['staff', 'patient'] as const;
export const cancelledBy = ['patient', 'provider', 'clinic'] as const;
/** All; today's; with someone waiting now; with someone late; and without a time. */
export const telemedicineViews = ['all', 'today', 'waiting', 'overdue', 'unbooked'] as const;

/** Times are taken in steps of this many minutes. */
export const slotMinutes = 5;
/** How long a visit is, in minutes. */
export const visitLengths = { least: 5, most: 240 } as const;
/** From this many minutes after the start, a missing person can be recorded as a no-show. */
export const overdueMinutes = 15;
/** Longer waits than this many minutes are marked. */
export const longWaitMinutes = 15;
/** A visit's room opens this many minutes before the start. */
export const roomOpensMinutes = 30;

const fields = {
  number: byServer(needed(coded(z.string()))),
  status: byTransitions(needed(choice(telemedicineStatuses))),
  patient: inColumn('patient_id', onCreation(needed(reference()))),
  caseRecord: inColumn('case_report_id', onCreation(reference())),
  visitType: needed(choice(telemedicineVisitTypes)),
  taskCategory: needed(entry('taskCategories')),
  program: reference('programs'),
  /** The provider's place; it decides who sees the visit. */
  facility: onCreation(reference('facilities')),
  /** The day by which someone without a time should be seen. */
  wantedBy: day(),
  language: entry('languages'),
  interpreter: choice(interpreterNeeds),
  note: longText(5000),
  provider: byTransitions(reference('providers')),
  startsAt: byTransitions(instant()),
  minutes: byTransitions(count({ least: visitLengths.least, most: visitLengths.most })),
  /** The version of the text the patient agreed to. */
  consentVersion: byTransitions(text(40)),
  consentAt: byTransitions(instant()),
  arrivedAt: byTransitions(instant()),
  joinedAt: byTransitions(instant()),
  endedAt: byTransitions(instant()),
  measured: byTransitions(choice(visitMeasures)),
  connection: byTransitions(choice(connectionOutcomes)),
  cancelledBy: byTransitions(choice(cancelledBy)),
  cancelledWhy: byTransitions(text(500)),
  cancelledAt: byTransitions(instant()),
  /**
   * The day of the visit in the tenant's time zone; without a time, the day it is wanted by, or was created.
   */
  plannedOn: byServer(needed(day())),
  createdOn: byServer(needed(day())),
  bookedBy: byServer(choice(visitMakers)),
  endsAt: known(instant()),
  waited: known(count()),
  lasted: known(count()),
  cancelledLate: known(choice(['yes', 'no'])),
  /** Whether the visit should have begun but no one has come. */
  overdue: known(choice(['yes', 'no'])),
  /** The person as the reader sees them. */
  name: known(text(500)),
  birthDate: known(day()),
  county: known(entry('counties')),
  caseId: known(coded(z.string())),
};

const access = { read: 'telemedicine/read', write: 'telemedicine/write' } as const;

export const telemedicineGrid = listOf(fields, {
  id: 'telemedicine',
  permission: access.read,
  exportable: 'telemedicine/export',
  columns: {
    number: { whole: true, width: 140 },
    startsAt: { width: 170 },
    name: { sensitive: true, width: 190 },
    status: { width: 140 },
    provider: { width: 160 },
    bookedBy: { width: 120 },
    visitType: { width: 140 },
    taskCategory: { width: 150 },
    language: { width: 120 },
    interpreter: { width: 110 },
    arrivedAt: { width: 170 },
    waited: { width: 100 },
    lasted: { width: 100 },
    connection: { width: 130 },
    facility: { width: 180, hidden: true },
    program: { width: 180, hidden: true },
    caseId: { width: 136, hidden: true },
    minutes: { width: 100, hidden: true },
    endsAt: { width: 170, hidden: true },
    joinedAt: { width: 170, hidden: true },
    endedAt: { width: 170, hidden: true },
    measured: { width: 130, hidden: true },
    consentVersion: { width: 130, hidden: true },
    cancelledBy: { width: 130, hidden: true },
    cancelledLate: { width: 120, hidden: true },
    cancelledAt: { width: 170, hidden: true },
    wantedBy: { width: 116, hidden: true },
    plannedOn: { width: 116, hidden: true },
    birthDate: { sensitive: true, width: 116, hidden: true },
    county: { width: 140, hidden: true },
    createdOn: { width: 116, hidden: true },
  },
  sortedBy: ['plannedOn', 'startsAt'],
  newestFirst: true,
  filters: [
    'show',
    'status',
    'provider',
    'bookedBy',
    'visitType',
    'taskCategory',
    'language',
    'programFilter',
    'locationFilter',
  ],
  narrows: { programFilter: 'program', locationFilter: 'facility' },
  views: { of: 'show', codes: telemedicineViews, allDays: ['waiting', 'overdue', 'unbooked'] },
  card: { title: ['name'], state: 'status', lines: ['visitType', 'startsAt', 'provider'] },
  owner: { column: 'provider', may: 'telemedicine/provide' },
  defaultRange: (today) => ({ start: addDays(today, -14), end: addDays(today, 14) }),
  rangeFields: ['plannedOn', 'createdOn'],
  counted: true,
});
export const telemedicineRow = telemedicineGrid.row;
export type TelemedicineVisit = z.infer<typeof telemedicineRow>;

/** A person's video visit: requested, booked with a provider, held, and how it went. */
export const telemedicineRecord = patientRecordWithMaking({
  id: 'telemedicine',
  kind: 'telemedicine-visit',
  noun: 'telemedicine visit',
  table: 'telemedicine_visit',
  access,
  about: { field: 'patient', kind: 'patient' },
  alone: true,
  name: 'number',
  fields,
  workflow: { of: 'status', flow: telemedicineFlow },
  grid: telemedicineGrid,
  answer: telemedicineRow,
  form: [
    'patient',
    'caseRecord',
    ['visitType', 'taskCategory'],
    ['program', 'facility'],
    ['language', 'interpreter'],
    'wantedBy',
    'note',
  ],
  begins: { visitType: 'first-visit', taskCategory: 'telemedicine', interpreter: 'no' },
  bulk: ['wantedBy', 'taskCategory', 'program'],
  oneByOne: ['admit', 'step-back', 'finish', 'resume'],
  timeline: { at: ['plannedOn'], shows: ['visitType', 'status'] },
});

/** Why a visit's room cannot be entered. */
export const roomClosed = ['no-server', 'not-booked', 'early', 'over'] as const;

/** The address of a visit, for users who may conduct it; only around its time. */
export const telemedicineRoom = endpoint({
  method: 'GET',
  path: '/api/web/telemedicine/:id/room',
  access: 'telemedicine/provide',
  deed: 'read',
  patientData: true,
  summary: 'Where a telemedicine visit is held',
  params: z.strictObject({ id: z.uuid() }),
  response: z.object({
    url: z.string().nullable(),
    closed: z.enum(roomClosed).nullable(),
    /** When it opens, if it will. */
    opensAt: z.iso.datetime().nullable(),
  }),
});

/**
 * What a screen polls to detect changes of a visit. It has nothing about the patient, so it is not logged.
 */
export const telemedicineVersion = endpoint({
  method: 'GET',
  path: '/api/web/telemedicine/:id/version',
  access: 'telemedicine/read',
  deed: 'read',
  summary: 'The version of a telemedicine visit',
  params: z.strictObject({ id: z.uuid() }),
  response: z.object({ version: z.number().int() }),
});

const minuteMs = 60_000;
type Times = Pick<TelemedicineVisit, 'startsAt' | 'arrivedAt' | 'joinedAt' | 'endedAt'>;
const minutesBetween = (from: number, to: number) => Math.max(0, Math.floor((to - from) / minuteMs));

/**
 * Whole minutes someone has been waiting at an instant: from the start or their arrival, whichever is later.
 */
export const minutesWaiting = (
  { startsAt, arrivedAt }: Pick<Times, 'startsAt' | 'arrivedAt'>,
  at: string | number,
): number | null =>
  startsAt === null || arrivedAt === null
    ? null
    : minutesBetween(Math.max(Date.parse(startsAt), Date.parse(arrivedAt)), new Date(at).getTime());

/** Minutes someone waited until they were admitted; null if one of the times was not measured. */
export const minutesWaited = ({ joinedAt, ...times }: Omit<Times, 'endedAt'>): number | null =>
  joinedAt === null ? null : minutesWaiting(times, joinedAt);

/** How long a visit lasted. */
export const minutesLasted = ({ joinedAt, endedAt }: Pick<Times, 'joinedAt' | 'endedAt'>): number | null =>
  joinedAt === null || endedAt === null ? null : minutesBetween(Date.parse(joinedAt), Date.parse(endedAt));

/**
 * Whether a visit was cancelled less than 24 hours before its start; null if it had none or was not
 * cancelled.
 */
export const isCancelledLate = ({
  startsAt,
  cancelledAt,
}: Pick<TelemedicineVisit, 'startsAt' | 'cancelledAt'>): boolean | null =>
  startsAt === null || cancelledAt === null
    ? null
    : Date.parse(startsAt) - Date.parse(cancelledAt) < 24 * 60 * minuteMs;

/** The steps of `slotMinutes` a visit takes, counted from 1970. */
export function slotsOf({ startsAt, minutes }: { startsAt: string; minutes: number }): number[] {
  const first = Date.parse(startsAt) / (slotMinutes * minuteMs);
  return Array.from({ length: minutes / slotMinutes }, (_, place) => first + place);
}

/** Fault codes of a visit's time, worded under `telemedicine:fault.<code>`. */
export function bookingFaults(
  { startsAt, minutes }: { startsAt?: string | null; minutes?: number | null },
  now: string,
): { field: 'startsAt' | 'minutes'; code: string }[] {
  const start = startsAt ? Date.parse(startsAt) : null;
  const ahead = start === null ? 0 : start - Date.parse(now);
  return [
    ...(start !== null && start % (slotMinutes * minuteMs) !== 0
      ? [{ field: 'startsAt' as const, code: 'not-five' }]
      : []),
    ...(ahead < -overdueMinutes * minuteMs ? [{ field: 'startsAt' as const, code: 'past' }] : []),
    ...(ahead > 400 * 24 * 60 * minuteMs ? [{ field: 'startsAt' as const, code: 'too-far' }] : []),
    ...(minutes && minutes % slotMinutes !== 0 ? [{ field: 'minutes' as const, code: 'not-five' }] : []),
  ];
}

/** Fault codes of times measured by hand. */
export function heldFaults(
  { arrivedAt, joinedAt, endedAt }: Partial<Omit<Times, 'startsAt'>>,
  now: string,
): { field: 'arrivedAt' | 'joinedAt' | 'endedAt'; code: string }[] {
  const order = [
    ['joinedAt', arrivedAt, joinedAt, 'before-arrived'],
    ['endedAt', joinedAt, endedAt, 'before-joined'],
  ] as const;
  return [
    ...(['arrivedAt', 'joinedAt', 'endedAt'] as const).flatMap((field) => {
      const value = { arrivedAt, joinedAt, endedAt }[field];
      return value && Date.parse(value) > Date.parse(now) ? [{ field, code: 'future' }] : [];
    }),
    ...order.flatMap(([field, earlier, later, code]) =>
      earlier && later && Date.parse(later) < Date.parse(earlier) ? [{ field, code }] : [],
    ),
  ];
}
