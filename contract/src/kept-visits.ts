import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { visitStatuses } from './field-visit-flow.ts';
import { fieldVisitTypes } from './field-visits.ts';
import { dayParts, visitAttempt } from './visit-attempts.ts';

/*
 * What somebody takes with them to work without a network: only what they need on the way. No condition, no family, no
 * result, and nobody else.
 */

/** So many visits are taken at most. */
export const mostKept = 50;

/** So long the list stays on a device that has not reached the server. */
export const keptHours = 24;

/** A visit on a device. */
export const keptVisit = z.object({
  id: z.uuid(),
  /** What is done to it there is compared with what others have done since. */
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
  /** The newest first. */
  attempts: z.array(visitAttempt),
});
export type KeptVisit = z.infer<typeof keptVisit>;

/** The fields whose change by others is shown to who has tried to meet the person meanwhile. */
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
    /** There are more than are taken. */
    more: z.boolean(),
  }),
});
