import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { telemedicineStatuses } from './telemedicine-flow.ts';

/* How a patient joins a video visit: the waiting room, then the address once they are admitted. */

/** Minutes before the start from which patients can enter the waiting room, until the visit's end. */
export const checkInMinutes = 15;

/**
 * The consent text for entering the waiting room, `portal:waiting.consent.<version>`. A new text needs a new
 * version.
 */
export const videoConsent = 'portal-1';

const minuteMs = 60_000;
interface When {
  startsAt: string | null;
  minutes: number | null;
}

/** When a visit's waiting room is open, in milliseconds since 1970; null for a visit without a time. */
export function checkInTime({ startsAt, minutes }: When): { from: number; until: number } | null {
  if (startsAt === null || minutes === null) return null;
  const start = Date.parse(startsAt);
  return { from: start - checkInMinutes * minuteMs, until: start + minutes * minuteMs };
}

/** Whether the patient can enter a visit's waiting room now. */
export function mayCheckIn({ status, ...when }: When & { status: string }, now: number): boolean {
  const time = checkInTime(when);
  return status === 'booked' && time !== null && now >= time.from && now < time.until;
}

const instant = z.iso.datetime();
const ofVisit = z.strictObject({ id: z.uuid() });
const place = {
  status: z.enum(telemedicineStatuses),
  /** The patient's place in the provider's queue, from 1; null if they are not waiting. */
  place: z.number().int().nullable(),
  /** Expected minutes until they are admitted; null if unknown. */
  expectedMinutes: z.number().int().nullable(),
};
const ownWaiting = z.object({
  ...place,
  startsAt: instant.nullable(),
  minutes: z.number().int().nullable(),
  provider: z.string().nullable(),
  arrivedAt: instant.nullable(),
  /** The address of the visit, once the patient is admitted and if there is a video server. */
  url: z.string().nullable(),
  /** Whether there is a video server; without one, the clinic phones. */
  byVideo: z.boolean(),
});
export type OwnWaiting = z.infer<typeof ownWaiting>;

export const readOwnWaiting = endpoint({
  method: 'GET',
  path: '/api/patient/visits/:id/waiting',
  access: 'patient',
  deed: 'read',
  summary: 'How far a visit of one’s own is: the place in the queue, and the way in',
  patientData: true,
  params: ofVisit,
  response: ownWaiting,
});

/** What the page polls while the patient waits. It has no name, time or address, so it is not logged. */
export const readOwnQueue = endpoint({
  method: 'GET',
  path: '/api/patient/visits/:id/queue',
  access: 'patient',
  deed: 'read',
  summary: 'Whether the place in the queue of a visit of one’s own has changed',
  params: ofVisit,
  response: z.object(place),
});

/**
 * Records that the patient has arrived and agreed to a video visit. Refused with a fault of `status`:
 * `too-early` before the waiting room opens, `not-open` if the visit is not booked or is over.
 */
export const enterWaitingRoom = endpoint({
  method: 'POST',
  path: '/api/patient/visits/:id/arrive',
  access: 'patient',
  deed: 'change',
  summary: 'Go to the waiting room of a visit of one’s own',
  params: ofVisit,
  body: z.strictObject({ consent: z.literal(videoConsent) }),
  response: z.object({ id: z.uuid() }),
});
