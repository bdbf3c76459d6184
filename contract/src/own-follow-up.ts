import { z } from 'zod';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { type FollowUpWindow, followUpEntry, followUpFound, isTemperature } from './follow-up.ts';
import { whereValid } from './where-valid.ts';

/*
 * What people answer of their own daily follow-up, in the portal. Nothing here tells of a disease, of a case, or of how many
 * records ask: one answer is for all of them.
 */

const { symptoms, temperature, temperatureUnit, note } = followUpFound.shape;
const answerGiven = { symptoms, temperature, temperatureUnit, note };
const ownAnswer = followUpEntry.pick({
  id: true,
  day: true,
  symptoms: true,
  temperature: true,
  temperatureUnit: true,
  note: true,
  addedAt: true,
});
export type OwnAnswer = z.infer<typeof ownAnswer>;

const response = z.object({
  /** The first and the last day on which the person is asked; null where nobody asks any more. */
  from: day.nullable(),
  until: day.nullable(),
  /** The day that it is in the tenant. */
  today: day,
  /** Whether an answer of today is missing, in at least one of the records. */
  due: z.boolean(),
  /** What the person has answered, the newest first. */
  answers: z.array(ownAnswer),
});
export type OwnFollowUp = z.infer<typeof response>;

const path = '/api/patient/follow-up';
export const readOwnFollowUp = endpoint({
  method: 'GET',
  path,
  access: 'patient',
  deed: 'read',
  summary: 'What the signed-in patient is asked each day, and what they have answered',
  patientData: true,
  response,
});
/** Adds an answer for today; earlier ones stay. 409 where nobody asks today. */
export const answerOwnFollowUp = endpoint({
  method: 'POST',
  path,
  access: 'patient',
  deed: 'change',
  summary: 'Answer how one feels today; it is added to what was answered before',
  patientData: true,
  /** `id`: made by the browser, so that a request that is sent again adds no second answer. */
  body: z.strictObject({ id: z.uuid(), ...answerGiven }).refine(isTemperature, {
    error: 'no living person has this temperature',
    path: ['temperature'],
    params: { code: 'temperature-range' },
    when: whereValid('temperature', 'temperatureUnit'),
  }),
  response,
});

/** How many answers a person can add in a day. */
export const answersADay = 20;

/** The days on which a person is asked: not before somebody has started the follow-up, and not without a last day. */
export function askedDays(
  windows: readonly FollowUpWindow[],
  today: string,
): { from: string; until: string } | null {
  const open = windows.flatMap((window) => {
    const { firstOn: first, followUntil: until, startedOn } = window;
    const from = startedOn !== null && startedOn > first ? startedOn : first;
    return until !== null && until >= today && from <= until ? [{ from, until }] : [];
  });
  if (open.length === 0) return null;
  return {
    from: open.map(({ from }) => from).toSorted()[0]!,
    until: open
      .map(({ until }) => until)
      .toSorted()
      .at(-1)!,
  };
}
