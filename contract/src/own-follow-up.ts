import { z } from 'zod';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { type FollowUpWindow, followUpEntry, followUpFound, isTemperature } from './follow-up.ts';
import { whereValid } from './where-valid.ts';

/*
 * A person's answers to their own daily follow-up, in the portal. Nothing here reveals a disease, a case, or
 * how many records ask: one answer serves all of them.
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
  /** The first and last day the person is asked; null if no one asks any more. */
  from: day.nullable(),
  until: day.nullable(),
  /** Today in the tenant's time zone. */
  today: day,
  /** Whether at least one record still lacks today's answer. */
  due: z.boolean(),
  /** The person's answers, newest first. */
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
/** Adds an answer for today; earlier ones stay. 409 if no one asks today. */
export const answerOwnFollowUp = endpoint({
  method: 'POST',
  path,
  access: 'patient',
  deed: 'change',
  summary: 'Answer how one feels today; it is added to what was answered before',
  patientData: true,
  /** `id`: made by the browser, so that a repeated request adds no second answer. */
  body: z.strictObject({ id: z.uuid(), ...answerGiven }).refine(isTemperature, {
    error: 'no living person has this temperature',
    path: ['temperature'],
    params: { code: 'temperature-range' },
    when: whereValid('temperature', 'temperatureUnit'),
  }),
  response,
});

/** The most answers a person can add in a day. */
export const answersADay = 20;

/** The days a person is asked: only once the follow-up has started, and only with a last day. */
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
