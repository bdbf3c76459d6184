import { z } from 'zod';
import { contactFlow, contactStatuses } from './contact-flow.ts';
import { endpoint } from './endpoint.ts';
import { empty } from './expression.ts';
import { followUpOf, followUpToday, followUpViews } from './follow-up.ts';
import { patientRecordWithMaking } from './patient-record.ts';
import {
  askedIf,
  byServer,
  byTransitions,
  choice,
  coded,
  computed,
  count,
  day,
  entry,
  inColumn,
  known,
  listOf,
  longText,
  needed,
  neededIf,
  onCreation,
  phone,
  reference,
  text,
} from './record.ts';

/** How the contact was exposed, closest first. */
export const contactExposures = [
  'body-fluids',
  'sexual',
  'touch',
  'face-to-face',
  'same-room',
  'shared-items',
  'food-or-water',
  'other',
  'unknown',
] as const;
/** The contact's relation to the case's person. */
export const contactRelations = [
  'household',
  'partner',
  'family',
  'friend',
  'school-or-childcare',
  'work',
  'health-care',
  'congregate-living',
  'travel',
  'other',
  'unknown',
] as const;
export const contactRisks = ['high', 'medium', 'low', 'unknown'] as const;
/** The days that users set; the first two cannot be in the future. */
export const contactDays = ['firstExposedOn', 'lastExposedOn', 'otherUntil'] as const;

const fields = {
  number: byServer(needed(coded(z.string()))),
  /** The case the contact was exposed to. */
  caseRecord: inColumn('case_report_id', onCreation(needed(reference()))),
  status: byTransitions(needed(choice(contactStatuses))),
  /** Empty if only a description of the person is known. */
  patient: inColumn('patient_id', reference()),
  description: neededIf(empty('patient'), text(500)),
  sex: askedIf(empty('patient'), entry('sex')),
  age: askedIf(empty('patient'), count({ least: 0, most: 130 })),
  phone: phone(),
  exposure: needed(choice(contactExposures)),
  relation: choice(contactRelations),
  firstExposedOn: day(),
  lastExposedOn: needed(day()),
  risk: choice(contactRisks),
  /** Replaces the last day that the condition gives. */
  otherUntil: day(),
  note: longText(5000),
  investigator: byTransitions(reference('investigators')),
  startedOn: byTransitions(day()),
  endedOn: byTransitions(day()),
  /** The case the contact turned into. */
  becameCase: inColumn('became_case_id', byTransitions(reference())),
  /** The last day of the follow-up, as many days after the last exposure as the condition says. */
  followUntil: byServer(day()),
  lastSeenOn: byServer(day()),
  createdOn: byServer(needed(day())),
  /** The person as the reader sees them, or the description. */
  name: known(text(500)),
  birthDate: known(day()),
  caseId: known(coded(z.string())),
  condition: computed(entry('conditions')),
  /** The person's county; if unknown, the case's. */
  county: known(entry('counties')),
  today: known(choice(followUpToday)),
  becameCaseId: known(coded(z.string())),
};

const access = { read: 'contacts/read', write: 'contacts/write' } as const;

export const contactGrid = listOf(fields, {
  id: 'contacts',
  permission: access.read,
  exportable: 'contacts/export',
  columns: {
    number: { whole: true, width: 140 },
    name: { sensitive: true, width: 190 },
    status: { width: 150 },
    today: { width: 130 },
    lastSeenOn: { width: 116 },
    followUntil: { width: 116 },
    condition: { width: 150 },
    caseId: { width: 136 },
    risk: { width: 100 },
    investigator: { width: 150 },
    county: { width: 140 },
    exposure: { width: 160 },
    relation: { width: 150, hidden: true },
    firstExposedOn: { width: 116, hidden: true },
    lastExposedOn: { width: 116 },
    phone: { sensitive: true, width: 140, hidden: true },
    description: { sensitive: true, width: 200, hidden: true },
    birthDate: { sensitive: true, width: 116, hidden: true },
    sex: { width: 96, hidden: true },
    age: { width: 90, hidden: true },
    startedOn: { width: 116, hidden: true },
    endedOn: { width: 116, hidden: true },
    becameCaseId: { width: 136, hidden: true },
    createdOn: { width: 116, hidden: true },
  },
  sortedBy: 'followUntil',
  filters: ['show', 'status', 'condition', 'investigator', 'county'],
  views: { of: 'show', codes: followUpViews },
  card: { title: ['name'], state: 'status', lines: ['today', 'condition', 'phone', 'followUntil'] },
  owner: { column: 'investigator', may: 'case-reports/investigate' },
});
export const contactRow = contactGrid.row;
export type Contact = z.infer<typeof contactRow>;

/** Someone exposed to a case, followed up until they can no longer fall ill from it. */
export const contactRecord = patientRecordWithMaking({
  id: 'contacts',
  kind: 'contact',
  noun: 'contact',
  table: 'contact',
  access,
  about: { field: 'caseRecord', kind: 'case' },
  alone: true,
  name: 'number',
  fields,
  workflow: { of: 'status', flow: contactFlow },
  grid: contactGrid,
  answer: contactRow,
  form: [
    'caseRecord',
    'patient',
    'description',
    ['sex', 'age'],
    'phone',
    ['exposure', 'relation'],
    ['firstExposedOn', 'lastExposedOn'],
    ['risk', 'otherUntil'],
    'note',
  ],
  bulk: ['risk'],
  timeline: { at: ['lastExposedOn'], shows: ['exposure', 'status'] },
});

/** The daily follow-up of a contact. */
export const contactFollowUp = followUpOf(contactRecord);

/** The contacts of a case, those still followed up first. */
export const contactsOfCase = endpoint({
  method: 'GET',
  path: '/api/web/case-reports/:id/contacts',
  access: access.read,
  deed: 'read',
  summary: 'The contacts of a case report',
  feature: 'case-reports',
  patientData: true,
  params: z.strictObject({ id: z.uuid() }),
  response: z.object({ contacts: z.array(contactRow) }),
});

/**
 * Fault codes of a contact's days, worded under `contacts:fault.<code>`. `birthDate` is the person's, if
 * known.
 */
export function contactFaults(
  {
    firstExposedOn,
    lastExposedOn,
    otherUntil,
  }: { firstExposedOn?: string | null; lastExposedOn?: string | null; otherUntil?: string | null },
  { today, birthDate }: { today: string; birthDate: string | null },
): { field: (typeof contactDays)[number]; code: string }[] {
  const exposed = { firstExposedOn, lastExposedOn };
  const ofDays = (['firstExposedOn', 'lastExposedOn'] as const).flatMap((field) => {
    const value = exposed[field];
    if (!value) return [];
    if (value > today) return [{ field, code: 'future' }];
    if (value < '1900-01-01') return [{ field, code: 'before-1900' }];
    return birthDate !== null && value < birthDate ? [{ field, code: 'before-birth' }] : [];
  });
  return [
    ...ofDays,
    ...(firstExposedOn && lastExposedOn && lastExposedOn < firstExposedOn && ofDays.length === 0
      ? [{ field: 'lastExposedOn' as const, code: 'before-first' }]
      : []),
    ...(otherUntil && lastExposedOn && otherUntil <= lastExposedOn
      ? [{ field: 'otherUntil' as const, code: 'not-after-exposure' }]
      : []),
  ];
}
