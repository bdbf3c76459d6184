import { z } from 'zod';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { labelled } from './label.ts';
import { name, textOfLines } from './name.ts';
import { dayFault } from './vaccinations.ts';

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
  'abdominal-pain',
  'dizziness',
  'rash',
  'hives',
  'itching',
  'swollen-lymph-nodes',
  'numbness',
  'weakness',
  'difficulty-walking',
  'facial-swelling',
  'tongue-swelling',
  'throat-tightness',
  'difficulty-breathing',
  'wheezing',
  'chest-pain',
  'rapid-heartbeat',
  'fainting',
  'confusion',
  'facial-weakness',
  'difficulty-speaking',
  'vision-loss',
  'seizure',
  'anaphylaxis',
  'other',
] as const;
export type OwnReaction = (typeof ownReactions)[number];
/** Reactions that can be an emergency by themselves. */
const urgent: readonly string[] = [
  'facial-swelling',
  'tongue-swelling',
  'throat-tightness',
  'difficulty-breathing',
  'wheezing',
  'chest-pain',
  'rapid-heartbeat',
  'fainting',
  'confusion',
  'facial-weakness',
  'difficulty-speaking',
  'vision-loss',
  'seizure',
  'anaphylaxis',
];
/** With hives these can be a severe allergic reaction. Source: CDC, vaccine information statements. */
const urgentWithHives: readonly string[] = ['dizziness', 'weakness', 'vomiting'];
export const isUrgent = (reactions: readonly string[]): boolean =>
  reactions.some((one) => urgent.includes(one)) ||
  (reactions.includes('hives') && reactions.some((one) => urgentWithHives.includes(one)));
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
  child: 'reactions',
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
  child: 'reactions',
  summary: 'Report a reaction to a vaccine; staff review it as an incident report',
  body: z.strictObject({ id: z.uuid(), ...said }),
  response: z.object({ id: z.uuid() }),
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
    reactions,
    note,
  }: Pick<OwnReport, 'vaccination' | 'otherVaccine' | 'givenOn' | 'since' | 'reactions' | 'note'>,
  known: { today: string; birthDate: string | null },
): { path: 'otherVaccine' | 'givenOn' | 'since' | 'note'; code: string }[] {
  const given = givenOn === null ? 'required' : dayFault(givenOn, known);
  const began = dayFault(since, known) ?? (givenOn !== null && since < givenOn ? 'before-given' : null);
  return [
    ...((vaccination === null) === (otherVaccine === null)
      ? [{ path: 'otherVaccine' as const, code: 'required' }]
      : []),
    ...(given ? [{ path: 'givenOn' as const, code: given }] : []),
    ...(began ? [{ path: 'since' as const, code: began }] : []),
    ...(reactions.includes('other') && note === null ? [{ path: 'note' as const, code: 'which' }] : []),
  ];
}
