import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { visitStatuses } from './field-visit-flow.ts';
import { fieldVisitTypes } from './field-visits.ts';
import { dayParts, visitAttempt } from './visit-attempts.ts';

/*
 * What a field worker takes along to work offline: only what they need on the way. No condition, family or
 * result, and no one else's data.
 */

/** The most visits to take along. */
export const mostKept = 50;

/** Hours the list stays on a device that has not reached the server. */
export const keptHours = 24;

/** A visit on a device. */
export const keptVisit = z.object({
  id: z.uuid(),
  /** Offline work is compared with what others have changed since this version. */
  version: z.int(),
  number: z.string(),
  status: z.enum(visitStatuses),
  visitType: z.enum(fieldVisitTypes),
  plannedFor: z.string(),
  dueOn: z.string().nullable(),
  address: z.string().nullable(),
  twoWorkers: z.boolean(),
  noLetter: z.boolean(),
  note: z.string().nullable(),
  worker: z.string().nullable(),
  tryIn: z.enum(dayParts).nullable(),
  createdOn: z.string(),
  place: z.string().nullable(),
  phone: z.string().nullable(),
  name: z.string().nullable(),
  birthDate: z.string().nullable(),
  /** Newest first. */
  attempts: z.array(visitAttempt),
});
export type KeptVisit = z.infer<typeof keptVisit>;

/** Fields whose changes by others are shown to a worker who attempted a visit offline. */
export const comparedFields = [
  'status',
  'worker',
  'visitType',
  'plannedFor',
  'dueOn',
  'address',
  'twoWorkers',
  'noLetter',
  'note',
] as const satisfies readonly (keyof KeptVisit)[];

export const readKeptVisits = endpoint({
  method: 'GET',
  path: '/api/web/field-visits/kept',
  access: 'field-visits/write',
  deed: 'export',
  summary: 'The visits of today that are one’s own, to take along',
  patientData: true,
  response: z.object({
    visits: z.array(keptVisit),
    /** There are more visits than can be taken along. */
    more: z.boolean(),
  }),
});
