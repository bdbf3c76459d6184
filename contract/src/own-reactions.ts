import { z } from 'zod';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { labelled } from './label.ts';
import { name, textOfLines } from './name.ts';

/*
 * Patients' reports of a reaction to a vaccine, from the portal. Each becomes an incident report that staff
 * review.
 */

/** Reactions that people notice without an examination, by codes of `vaxAdverseReactions`. */
export const ownReactions = [
  'injection-site-pain',
  'injection-site-redness',
  'injection-site-swelling',
  'fever',
  'chills',
  'fatigue',
  'headache',
  'muscle-pain',
  'joint-pain',
  'nausea',
  'vomiting',
  'diarrhea',
  'dizziness',
  'rash',
  'hives',
  'itching',
  'numbness',
  'weakness',
  'facial-swelling',
  'throat-tightness',
  'difficulty-breathing',
  'chest-pain',
  'rapid-heartbeat',
  'fainting',
  'seizure',
  'other',
] as const;
export type OwnReaction = (typeof ownReactions)[number];
/** Reactions that can be an emergency. */
export const urgentReactions: readonly string[] = [
  'facial-swelling',
  'throat-tightness',
  'difficulty-breathing',
  'chest-pain',
  'fainting',
  'seizure',
];
export const ownOutcomes = ['recovered', 'recovering', 'not-recovered'] as const;
/** The highest level of care the person needed. */
export const ownCare = ['none', 'doctor', 'emergency', 'hospital'] as const;

const said = {
  /** One of the person's own vaccinations; null for a vaccine not in their list. */
  vaccination: z.uuid().nullable(),
  /** The name of that other vaccine, and the day it was given. */
  otherVaccine: name(200).nullable(),
  givenOn: day.nullable(),
  reactions: z.array(z.enum(ownReactions)).min(1).max(ownReactions.length),
  /** The day of the first sign. */
  since: day,
  outcome: z.enum(ownOutcomes),
  care: z.enum(ownCare),
  note: textOfLines(2000).nullable(),
};
const ownReport = z.object({
  ...said,
  id: z.uuid(),
  /** The vaccine's code, as in `OwnVaccination`. */
  vaccine: z.string(),
  sentAt: z.iso.datetime(),
});
export type OwnReport = z.infer<typeof ownReport>;

const response = z.object({
  /** Today in the tenant's time zone. */
  today: day,
  /** The reactions to choose from, with their labels. */
  reactions: z.array(labelled.extend({ code: z.enum(ownReactions) })),
  /** The reports the person has sent, newest first. */
  reports: z.array(ownReport),
});
export type OwnReports = z.infer<typeof response>;

const path = '/api/patient/reactions';
export const readOwnReports = endpoint({
  method: 'GET',
  path,
  access: 'patient',
  deed: 'read',
  summary: 'The reactions that the signed-in patient has reported, and the choices for a new report',
  patientData: true,
  response,
});
/** `id`: made by the browser, so that a repeated request creates no second report. */
export const sendOwnReport = endpoint({
  method: 'POST',
  path,
  access: 'patient',
  deed: 'change',
  summary: 'Report a reaction to a vaccine; staff review it as an incident report',
  patientData: true,
  body: z.strictObject({ id: z.uuid(), ...said }),
  response,
});

/** The most reports a person can send in a day. */
export const reportsADay = 5;

/** Faults that need more than one field; worded under `vaccinations:report.fault.<code>`. */
export function ownReportFaults(
  {
    vaccination,
    otherVaccine,
    givenOn,
    since,
  }: Pick<OwnReport, 'vaccination' | 'otherVaccine' | 'givenOn' | 'since'>,
  today: string,
): { path: 'otherVaccine' | 'givenOn' | 'since'; code: string }[] {
  const given =
    givenOn === null
      ? 'required'
      : givenOn > today
        ? 'future'
        : givenOn < '1900-01-01'
          ? 'before-1900'
          : null;
  const began = since > today ? 'future' : givenOn !== null && since < givenOn ? 'before-given' : null;
  return [
    ...((vaccination === null) === (otherVaccine === null)
      ? [{ path: 'otherVaccine' as const, code: 'required' }]
      : []),
    ...(given ? [{ path: 'givenOn' as const, code: given }] : []),
    ...(began ? [{ path: 'since' as const, code: began }] : []),
  ];
}
