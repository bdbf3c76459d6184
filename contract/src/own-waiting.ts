import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { telemedicineStatuses } from './telemedicine-flow.ts';

/* The way of a patient into a visit by video: the waiting room, and the address once the patient is let in. */

/** From so many minutes before the start on, until the end, patients go to the waiting room. */
export const checkInMinutes = 15;

/**
 * The text to which patients agree when they go to the waiting room. Its words are `portal:waiting.consent.<version>`: other
 * words are another version.
 */
export const videoConsent = 'portal-1';

const minuteMs = 60_000;
interface When {
  startsAt: string | null;
  minutes: number | null;
}

/** When the waiting room of a visit is open, in milliseconds since 1970; null for a visit without a time. */
export function checkInTime({ startsAt, minutes }: When): { from: number; until: number } | null {
  if (startsAt === null || minutes === null) return null;
  const start = Date.parse(startsAt);
  return { from: start - checkInMinutes * minuteMs, until: start + minutes * minuteMs };
}

/** Whether the patient can go to the waiting room of a visit now. */
export function mayCheckIn({ status, ...when }: When & { status: string }, now: number): boolean {
  const time = checkInTime(when);
  return status === 'booked' && time !== null && now >= time.from && now < time.until;
}

const instant = z.iso.datetime();
const ofVisit = z.strictObject({ id: z.uuid() });
const place = {
  status: z.enum(telemedicineStatuses),
  /** Where the patient is in the queue of the provider, from 1 on; null if they do not wait. */
  place: z.number().int().nullable(),
  /** Minutes until they are probably let in; null where that is not known. */
  expectedMinutes: z.number().int().nullable(),
};
const ownWaiting = z.object({
  ...place,
  startsAt: instant.nullable(),
  minutes: z.number().int().nullable(),
  /** Who holds it. */
  provider: z.string().nullable(),
  arrivedAt: instant.nullable(),
  /** Where the visit is held: once the patient is let in, and there is a video server. */
  url: z.string().nullable(),
  /** Whether there is a video server; the clinic phones if there is none. */
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

/** What a page asks again while the patient waits: it names nobody and has no time and no address, so it is not logged. */
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
 * Notes that the patient has arrived, and has agreed to a visit by video. Refused with a fault of `status`: `too-early`
 * before the waiting room opens, `not-open` if the visit is not booked or its time is over.
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
