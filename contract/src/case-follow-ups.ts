import { z } from 'zod';
import { caseFollowUpFlow, caseFollowUpStatuses } from './case-follow-up-flow.ts';
import { addDays, day as daySchema, daysBetween } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { followUpOf, followUpToday, followUpViews } from './follow-up.ts';
import { patientRecordOfPeople } from './patient-record.ts';
import {
  byServer,
  byTransitions,
  choice,
  coded,
  count,
  day,
  entry,
  inColumn,
  known,
  listOf,
  longText,
  needed,
  onCreation,
  reference,
  text,
} from './record.ts';

/** Why the person is asked each day: to check isolation, or to monitor symptoms. */
export const caseFollowUpPurposes = ['isolation', 'monitoring'] as const;
/** The longest follow-up, in days. */
export const mostFollowUpDays = 366;

const fields = {
  number: byServer(needed(coded(z.string()))),
  /** The case whose person is followed up. */
  caseRecord: inColumn('case_report_id', onCreation(needed(reference()))),
  status: byTransitions(needed(choice(caseFollowUpStatuses))),
  purpose: needed(choice(caseFollowUpPurposes)),
  /** After creation, only a transition with a reason moves the days. */
  firstOn: needed(day()),
  lastOn: needed(day()),
  note: longText(5000),
  endedOn: byTransitions(day()),
  lastSeenOn: byServer(day()),
  createdOn: byServer(needed(day())),
  patient: inColumn('patient_id', byServer(needed(reference()))),
  /** The person as the reader sees them. */
  name: known(text(500)),
  birthDate: known(day()),
  caseId: known(coded(z.string())),
  condition: known(entry('conditions')),
  county: known(entry('counties')),
  /** The case's investigator; without one, the user who started the follow-up. */
  investigator: known(reference('investigators')),
  today: known(choice(followUpToday)),
  /** Days since the person was last heard from, or since the first day if never. */
  unseenDays: known(count({ least: 0, most: mostFollowUpDays })),
};

const access = { read: 'contacts/read', write: 'contacts/write' } as const;

export const caseFollowUpGrid = listOf(fields, {
  id: 'case-follow-ups',
  permission: access.read,
  exportable: 'contacts/export',
  columns: {
    number: { whole: true, width: 140 },
    name: { sensitive: true, width: 190 },
    status: { width: 150 },
    today: { width: 130 },
    unseenDays: { width: 116 },
    lastSeenOn: { width: 116 },
    firstOn: { width: 116, formOnly: true },
    lastOn: { width: 116, formOnly: true },
    condition: { width: 150 },
    caseId: { width: 136 },
    purpose: { width: 120 },
    investigator: { width: 150 },
    county: { width: 140 },
    birthDate: { sensitive: true, width: 116, hidden: true },
    endedOn: { width: 116, hidden: true },
    createdOn: { width: 116, hidden: true },
  },
  sortedBy: 'lastOn',
  filters: ['show', 'status', 'condition', 'investigator', 'county'],
  views: { of: 'show', codes: followUpViews },
  card: { title: ['name'], state: 'status', lines: ['today', 'condition', 'unseenDays', 'lastOn'] },
  owner: { column: 'investigator', may: 'case-reports/investigate' },
});
export const caseFollowUpRow = caseFollowUpGrid.row;
export type CaseFollowUp = z.infer<typeof caseFollowUpRow>;

/** A case's person in isolation or monitoring, who is asked each day how they are. */
export const caseFollowUpRecord = patientRecordOfPeople({
  id: 'case-follow-ups',
  kind: 'case-follow-up',
  noun: 'follow-up of a case',
  table: 'case_follow_up',
  access,
  about: { field: 'caseRecord', kind: 'case' },
  alone: true,
  name: 'number',
  fields,
  workflow: { of: 'status', flow: caseFollowUpFlow },
  grid: caseFollowUpGrid,
  answer: caseFollowUpRow,
  form: ['purpose', 'firstOn', 'lastOn', 'note'],
  timeline: { at: ['firstOn'], shows: ['purpose', 'status'] },
});

export const caseFollowUpDays = followUpOf(caseFollowUpRecord);

/** The follow-ups of a case, the active one first, and the proposal for a new one. */
export const followUpsOfCase = endpoint({
  method: 'GET',
  path: '/api/web/case-reports/:id/follow-ups',
  access: access.read,
  deed: 'read',
  summary: 'The daily follow-ups of a case report',
  feature: 'case-reports',
  patientData: true,
  params: z.strictObject({ id: z.uuid() }),
  response: z.object({
    followUps: z.array(caseFollowUpRow),
    /** Absent if none can start now: one is active, or the investigation is over. */
    proposed: z
      .object({
        firstOn: daySchema,
        /** From the condition and the onset; null if one is unknown or the day has passed. */
        lastOn: daySchema.nullable(),
      })
      .optional(),
  }),
});

/** The last day of isolation, counted from the onset; null if it has passed. */
export function proposedLastDay(
  { onsetOn, isolationDays }: { onsetOn: string | null; isolationDays: number | undefined },
  today: string,
): string | null {
  if (onsetOn === null || isolationDays === undefined) return null;
  const last = addDays(onsetOn, isolationDays);
  return last < today ? null : last;
}

/** The fault codes of follow-up days, worded under `case-follow-ups:fault.<code>`. */
export function caseFollowUpFaults(
  { firstOn, lastOn }: Pick<CaseFollowUp, 'firstOn' | 'lastOn'>,
  { today, birthDate }: { today: string; birthDate: string | null },
): { field: 'firstOn' | 'lastOn'; code: string }[] {
  const ofFirst =
    firstOn < '1900-01-01'
      ? 'before-1900'
      : birthDate !== null && firstOn < birthDate
        ? 'before-birth'
        : null;
  const ofLast =
    lastOn < firstOn
      ? 'before-first'
      : daysBetween(firstOn, lastOn) >= mostFollowUpDays
        ? 'too-long'
        : lastOn < today
          ? 'over'
          : null;
  return [
    ...(ofFirst ? [{ field: 'firstOn' as const, code: ofFirst }] : []),
    ...(ofLast && !ofFirst ? [{ field: 'lastOn' as const, code: ofLast }] : []),
  ];
}
