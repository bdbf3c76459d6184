import { z } from 'zod';
import { classifications, yesNoUnknown } from './case-reports.ts';
import { addDays, addMonths, daysBetween } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { all, empty, given, is, not } from './expression.ts';
import {
  dispositions,
  initialFollowUps,
  interviewStatuses,
  isMan,
  namings,
  partnerDays,
  partnerFlow,
  partnerStages,
  referralBases,
} from './partner-flow.ts';
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

/** The conditions whose cases have partner services. */
export const partnerConditions: readonly string[] = [
  'syphilis-primary',
  'syphilis-secondary',
  'syphilis-early-latent',
  'syphilis-late',
  'syphilis-unknown-stage',
  'gonorrhea',
  'chlamydia',
  'chancroid',
  'hiv',
];

/** The relation to the case's person. */
export const partnerRelations = [
  'spouse',
  'main-partner',
  'other-partner',
  'former-partner',
  'anonymous-partner',
  'not-a-partner',
  'unknown',
] as const;
/** Whether they were the source of the infection, or received it. */
export const sourcesSpreads = ['source', 'spread', 'not-related', 'unknown'] as const;
const interviewTypes = ['original', 'presumptive'] as const;
const interviewPlaces = ['clinic', 'field', 'telephone', 'internet', 'other'] as const;
const internetOutcomes = ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7'] as const;
const sentOutcomes = ['done', 'not-done', 'no-answer'] as const;
const hivStatuses = ['1', '2', '3', '4', '5', '6', '9'] as const;
const hivResults = ['positive', 'negative', 'indeterminate', 'unknown'] as const;
/** Open, late, and all. */
export const partnerViews = ['open', 'late', 'all'] as const;

const worker = () => byTransitions(reference('investigators'));
const dayOfDeed = () => byTransitions(day());
const saidByDeed = (most = 200) => byTransitions(text(most));
const answer = () => byTransitions(choice(yesNoUnknown));
/** Sent to another jurisdiction. */
const isSent = is('disposition', 'K');
const howMany = () => byTransitions(count({ least: 0, most: 9999 }));

const fields = {
  number: byServer(needed(coded(z.string()))),
  caseRecord: inColumn('case_report_id', onCreation(needed(reference()))),
  /** The record of the case's person, the source of this one; empty for that record itself. */
  index: inColumn('index_id', onCreation(reference())),
  stage: byTransitions(needed(choice(partnerStages))),

  /** Empty if only a description of the person is known. */
  patient: inColumn('patient_id', reference()),
  description: neededIf(all(given('index'), empty('patient')), text(500)),
  /** The user name in an app or a network. */
  handle: text(200),
  sex: askedIf(empty('patient'), entry('sex')),
  age: askedIf(empty('patient'), count({ least: 0, most: 130 })),
  phone: phone(),
  referralBasis: needed(choice(referralBases)),
  namedHow: neededIf(given('index'), askedIf(given('index'), choice(namings))),
  relation: askedIf(given('index'), choice(partnerRelations)),
  metOnline: askedIf(given('index'), choice(yesNoUnknown)),
  firstExposedOn: askedIf(given('index'), day()),
  lastExposedOn: askedIf(given('index'), day()),
  sourceSpread: askedIf(given('index'), choice(sourcesSpreads)),
  /** The case that the named person turned into. */
  ownCase: inColumn('own_case_id', byTransitions(askedIf(given('index'), reference()))),
  pregnant: askedIf(not(isMan), choice(yesNoUnknown)),
  weeksPregnant: askedIf(not(isMan), count({ least: 0, most: 45 })),
  hivStatus: choice(hivStatuses),
  hivTested: choice(yesNoUnknown),
  hivTestedOn: day(),
  hivResult: choice(hivResults),
  hivCounselled: choice(yesNoUnknown),
  hivCounselledOn: day(),
  note: longText(5000),

  initialFollowUp: byTransitions(choice(initialFollowUps)),
  initialFollowUpOn: dayOfDeed(),
  patientFollowUp: byTransitions(choice(initialFollowUps)),
  surveillanceClosedOn: dayOfDeed(),
  fieldInvestigator: worker(),
  fieldAssignedOn: dayOfDeed(),
  firstFieldInvestigator: worker(),
  firstFieldAssignedOn: dayOfDeed(),
  disposition: byTransitions(choice(dispositions)),
  dispositionOn: dayOfDeed(),
  dispositionBy: worker(),
  supervisor: worker(),
  examOn: dayOfDeed(),
  examProvider: saidByDeed(),
  examFacility: saidByDeed(),
  sentToAgency: askedIf(isSent, saidByDeed()),
  sentToNumber: askedIf(isSent, saidByDeed(60)),
  sentToDueOn: askedIf(isSent, dayOfDeed()),
  sentToOutcome: askedIf(isSent, byTransitions(choice(sentOutcomes))),
  interviewer: worker(),
  interviewAssignedOn: dayOfDeed(),
  firstInterviewer: worker(),
  firstInterviewAssignedOn: dayOfDeed(),
  interviewStatus: byTransitions(choice(interviewStatuses)),
  interviewedOn: dayOfDeed(),
  interviewType: byTransitions(choice(interviewTypes)),
  interviewPlace: byTransitions(choice(interviewPlaces)),
  reinterviewedOn: dayOfDeed(),
  femalePartners: answer(),
  femalePartnersInYear: askedIf(is('femalePartners', 'yes'), howMany()),
  femalePartnersInPeriod: askedIf(is('femalePartners', 'yes'), howMany()),
  malePartners: answer(),
  malePartnersInYear: askedIf(is('malePartners', 'yes'), howMany()),
  malePartnersInPeriod: askedIf(is('malePartners', 'yes'), howMany()),
  transgenderPartners: answer(),
  transgenderPartnersInYear: askedIf(is('transgenderPartners', 'yes'), howMany()),
  transgenderPartnersInPeriod: askedIf(is('transgenderPartners', 'yes'), howMany()),
  internetElicited: answer(),
  internetFollowUp: askedIf(is('internetElicited', 'yes'), byTransitions(choice(internetOutcomes))),
  caseClosedOn: dayOfDeed(),
  closedBy: worker(),
  /** The last day of an ended record, which follows from the stage. */
  closedOn: dayOfDeed(),

  createdOn: byServer(needed(day())),
  /** The person as the reader sees them, or the description. */
  name: known(text(500)),
  birthDate: known(day()),
  personSex: known(entry('sex')),
  county: known(entry('counties')),
  caseId: known(coded(z.string())),
  condition: computed(entry('conditions')),
  /** For the case itself; for a named person, their own case. */
  classification: known(choice(classifications)),
  ownCaseId: known(coded(z.string())),
  indexNumber: known(coded(z.string())),
  sourceDisposition: known(choice(dispositions)),
  /** Named people in field follow-up without a disposition. */
  openContacts: known(count()),
  /** The day by which someone should be found or interviewed. */
  dueOn: known(day()),
  /** The case's, for the interview period. */
  onsetOn: known(day()),
  treatedOn: known(day()),
  testedOn: known(day()),
  counselledOn: known(day()),
};

const access = { read: 'partner-services/read', write: 'partner-services/investigate' } as const;

export const partnerGrid = listOf(fields, {
  id: 'partner-services',
  permission: access.read,
  exportable: 'partner-services/export',
  counted: true,
  columns: {
    number: { whole: true, width: 140 },
    name: { sensitive: true, width: 190 },
    stage: { width: 160 },
    dueOn: { width: 116 },
    condition: { width: 150 },
    caseId: { width: 136 },
    referralBasis: { width: 190 },
    fieldInvestigator: { width: 150 },
    disposition: { width: 190 },
    interviewer: { width: 150, hidden: true },
    interviewStatus: { width: 150, hidden: true },
    interviewedOn: { width: 116, hidden: true },
    initialFollowUp: { width: 160, hidden: true },
    fieldAssignedOn: { width: 116, hidden: true },
    dispositionOn: { width: 116, hidden: true },
    indexNumber: { width: 140, hidden: true },
    county: { width: 140, hidden: true },
    phone: { sensitive: true, width: 140, hidden: true },
    description: { sensitive: true, width: 200, hidden: true },
    handle: { sensitive: true, width: 160, hidden: true },
    birthDate: { sensitive: true, width: 116, hidden: true },
    closedOn: { width: 116, hidden: true },
    createdOn: { width: 116, hidden: true },
  },
  sortedBy: ['dueOn', 'createdOn'],
  filters: ['show', 'stage', 'condition', 'fieldInvestigator', 'county'],
  views: { of: 'show', codes: partnerViews },
  card: { title: ['name'], state: 'stage', lines: ['referralBasis', 'condition', 'phone', 'dueOn'] },
  owner: { column: 'fieldInvestigator', may: 'partner-services/investigate' },
});
export const partnerRow = partnerGrid.row;
export type PartnerService = z.infer<typeof partnerRow>;

/** Partner services for a case's person, or for someone they or others have named. */
export const partnerRecord = patientRecordWithMaking({
  id: 'partner-services',
  kind: 'partner-service',
  noun: 'record of partner services',
  table: 'partner_service',
  access,
  about: { field: 'caseRecord', kind: 'case' },
  alone: true,
  name: 'number',
  fields,
  workflow: { of: 'stage', flow: partnerFlow },
  grid: partnerGrid,
  answer: partnerRow,
  form: [
    'patient',
    'description',
    'handle',
    'sex',
    'age',
    'phone',
    'referralBasis',
    'namedHow',
    'relation',
    'metOnline',
    'firstExposedOn',
    'lastExposedOn',
    'sourceSpread',
    'pregnant',
    'weeksPregnant',
    'hivStatus',
    'hivTested',
    'hivTestedOn',
    'hivResult',
    'hivCounselled',
    'hivCounselledOn',
    'note',
  ],
  bulk: ['hivTested', 'hivTestedOn', 'hivCounselled', 'hivCounselledOn'],
  // Findings about a single person, and the ways back, which erase entries.
  oneByOne: [
    'dispose',
    'withdrawDisposition',
    'recordInterview',
    'reopenCase',
    'reopenInterview',
    'reopenField',
    'startOver',
  ],
  timeline: { at: ['createdOn'], shows: ['referralBasis', 'stage'] },
});

/** A case's partner services: its own person first, then the people named. */
export const partnersOfCase = endpoint({
  method: 'GET',
  path: '/api/web/case-reports/:id/partner-services',
  access: access.read,
  deed: 'read',
  summary: 'Partner services of a case report',
  feature: 'case-reports',
  patientData: true,
  params: z.strictObject({ id: z.uuid() }),
  response: z.object({ records: z.array(partnerRow) }),
});

/** What decides an interview period. */
export interface PeriodFacts {
  condition: string | null;
  onsetOn: string | null;
  treatedOn: string | null;
  /** For HIV: the positive test, and the counseling after it. */
  testedOn: string | null;
  counselledOn: string | null;
  relation?: string | null;
}

/**
 * The days in which partners count, by the CDC's program guidelines: up to the treatment, or to today if there
 * is none. Null if unknown: another stage or condition, or a missing day.
 */
export function interviewPeriod(
  { condition, onsetOn, treatedOn, testedOn, counselledOn, relation }: PeriodFacts,
  today: string,
): { start: string; end: string } | null {
  const end = treatedOn ?? today;
  switch (condition) {
    case 'chlamydia':
    case 'gonorrhea':
      return { start: addDays(onsetOn ?? end, -60), end };
    case 'syphilis-primary':
      return onsetOn === null ? null : { start: addDays(onsetOn, -90), end };
    case 'syphilis-secondary':
      // Six and a half months.
      return onsetOn === null ? null : { start: addDays(addMonths(onsetOn, -6), -15), end };
    case 'syphilis-early-latent':
    case 'syphilis-unknown-stage':
      return { start: addMonths(end, -12), end };
    case 'hiv':
      return testedOn === null
        ? null
        : { start: addMonths(testedOn, relation === 'spouse' ? -120 : -12), end: counselledOn ?? today };
    default:
      return null;
  }
}

/** Whether someone was with the case's person during the period; null if no day is known. */
export function isInPeriod(
  { firstExposedOn, lastExposedOn }: { firstExposedOn: string | null; lastExposedOn: string | null },
  { start, end }: { start: string; end: string },
): boolean | null {
  const first = firstExposedOn ?? lastExposedOn;
  const last = lastExposedOn ?? firstExposedOn;
  return first === null || last === null ? null : last >= start && first <= end;
}

/** How many days something took since its assignment, and whether that meets the standard. */
export interface PartnerTime {
  what: keyof typeof partnerDays;
  days: number;
  limit: number;
  state: 'running' | 'late' | 'met' | 'missed';
}

/**
 * Days from the last field assignment to the disposition, and from the interview's assignment to the interview.
 * None if never assigned, or if no interview will take place.
 */
export function partnerTimes(
  {
    fieldAssignedOn,
    dispositionOn,
    interviewAssignedOn,
    interviewStatus,
    interviewedOn,
  }: Pick<
    PartnerService,
    'fieldAssignedOn' | 'dispositionOn' | 'interviewAssignedOn' | 'interviewStatus' | 'interviewedOn'
  >,
  today: string,
): PartnerTime[] {
  const of = (what: PartnerTime['what'], from: string | null, to: string | null): PartnerTime[] => {
    if (from === null) return [];
    const [days, limit] = [daysBetween(from, to ?? today), partnerDays[what]];
    const isIn = days <= limit;
    return [
      { what, days, limit, state: to === null ? (isIn ? 'running' : 'late') : isIn ? 'met' : 'missed' },
    ];
  };
  const isHeld = interviewStatus === 'I';
  return [
    ...of('dispose', fieldAssignedOn, dispositionOn),
    ...(isHeld || interviewStatus === 'A'
      ? of('interview', interviewAssignedOn, isHeld ? interviewedOn : null)
      : []),
  ];
}

/** Days on which something happened; none can be in the future. */
export const partnerDaysPast = [
  'firstExposedOn',
  'lastExposedOn',
  'hivTestedOn',
  'hivCounselledOn',
  'initialFollowUpOn',
  'surveillanceClosedOn',
  'dispositionOn',
  'examOn',
  'interviewedOn',
  'reinterviewedOn',
  'caseClosedOn',
] as const;

/** Days that must not be before another one. */
const inOrder = [
  ['firstExposedOn', 'lastExposedOn', 'before-first'],
  ['fieldAssignedOn', 'dispositionOn', 'before-assigned'],
  ['interviewAssignedOn', 'interviewedOn', 'before-assigned'],
  ['interviewedOn', 'reinterviewedOn', 'before-interview'],
] as const;

/** Fault codes of the days, worded under `partner-services:fault.<code>`. */
export function partnerDayFaults(
  values: Readonly<Record<string, unknown>>,
  { today, birthDate }: { today: string; birthDate: string | null },
): { field: string; code: string }[] {
  const dayOf = (name: string) => (values[name] ?? null) as string | null;
  const wrong = partnerDaysPast.flatMap((field) => {
    const value = dayOf(field);
    if (value === null) return [];
    if (value > today) return [{ field, code: 'future' }];
    if (value < '1900-01-01') return [{ field, code: 'before-1900' }];
    return birthDate !== null && value < birthDate ? [{ field, code: 'before-birth' }] : [];
  });
  const late = inOrder.flatMap(([first, last, code]) => {
    const [from, to] = [dayOf(first), dayOf(last)];
    return from !== null && to !== null && to < from ? [{ field: last as string, code }] : [];
  });
  return [...wrong, ...late.filter(({ field }) => !wrong.some((one) => one.field === field))];
}
