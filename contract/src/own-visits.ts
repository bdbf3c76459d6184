import { z } from 'zod';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import type { TelemedicineVisit } from './telemedicine.ts';
import { telemedicineStatuses, telemedicineVisitTypes } from './telemedicine-flow.ts';

/*
 * What patients see and do about their own video visits. Nothing here reveals a disease: only patients who
 * chose the purpose of a visit themselves see it.
 */

/** What patients can book a visit for. */
export const patientVisitTypes = [
  'first-visit',
  'follow-up',
  'results',
  'counseling',
  'other',
] as const satisfies readonly (typeof telemedicineVisitTypes)[number][];
export type PatientVisitType = (typeof patientVisitTypes)[number];

/** How many future visits a patient can have booked, and how many bookings they can make in a day. */
export const openBookingsAtMost = 3;
export const bookingsADay = 6;
/** How many days of free times are shown at once. */
export const patientDays = 14;

/** The states in which a patient can move or cancel a visit. */
export const changedByPatient = ['booked'] as const satisfies readonly TelemedicineVisit['status'][];

const id = z.uuid();
const instant = z.iso.datetime();
const ownVisit = z.object({
  id,
  version: z.number().int(),
  status: z.enum(telemedicineStatuses),
  startsAt: instant.nullable(),
  minutes: z.number().int().nullable(),
  provider: z.string().nullable(),
  /** Null if staff chose it. */
  visitType: z.enum(telemedicineVisitTypes).nullable(),
  /** Whether the patient may move or cancel it. */
  mayChange: z.boolean(),
});
export type OwnVisit = z.infer<typeof ownVisit>;

export const listOwnVisits = endpoint({
  method: 'GET',
  path: '/api/patient/visits',
  access: 'patient',
  deed: 'read',
  child: 'visits',
  summary: 'The visits by video of the signed-in patient, the next ones first',
  patientData: true,
  response: z.object({
    visits: z.array(ownVisit),
    /** Whether patients can book visits themselves. */
    booking: z.boolean(),
    /** How many more visits this patient can book now. */
    left: z.number().int(),
  }),
});

const chosenTime = { startsAt: instant, provider: id };
export const findOwnFreeTimes = endpoint({
  method: 'GET',
  path: '/api/patient/visits/free-times',
  access: 'patient',
  deed: 'search',
  summary: 'The times that the signed-in patient can book, from a day on',
  query: z.strictObject({
    visitType: z.enum(patientVisitTypes).optional(),
    /** The visit to move; for a new one, send the visit type instead. */
    visit: id.optional(),
    from: day,
  }),
  response: z.object({
    times: z.array(z.object({ ...chosenTime, minutes: z.number().int(), name: z.string() })),
    next: instant.nullable(),
  }),
});
/**
 * Books a free time. Refused with a fault of `startsAt`: `taken` if someone else was faster, `not-offered` if
 * it is no longer offered; or of `visitType`: `too-many` if the patient has the most future visits allowed.
 */
export const bookOwnVisit = endpoint({
  method: 'POST',
  path: '/api/patient/visits',
  access: 'patient',
  deed: 'change',
  summary: 'Book a visit by video',
  body: z.strictObject({
    /** Chosen by the browser, so that a repeated request books nothing more. */
    id,
    visitType: z.enum(patientVisitTypes),
    ...chosenTime,
  }),
  response: z.object({ id }),
});
const ofVisit = z.strictObject({ id });
const version = z.number().int();
export const moveOwnVisit = endpoint({
  method: 'POST',
  path: '/api/patient/visits/:id/reschedule',
  access: 'patient',
  deed: 'change',
  summary: 'Move a visit of one’s own to another free time',
  params: ofVisit,
  body: z.strictObject({ version, ...chosenTime }),
  response: z.object({ id }),
});
export const cancelOwnVisit = endpoint({
  method: 'POST',
  path: '/api/patient/visits/:id/cancel',
  access: 'patient',
  deed: 'change',
  summary: 'Give up a visit of one’s own',
  params: ofVisit,
  body: z.strictObject({ version, why: z.string().trim().max(500) }),
  response: z.object({ id }),
});
