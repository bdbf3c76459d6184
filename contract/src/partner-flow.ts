import { all, any, type Expression, empty, given, is, not, oneOf } from './expression.ts';
import type { Effect, Rule, Workflow } from './workflow.ts';

/* Partner services for sexually transmitted infections and HIV: six stages, derived from the entered data. */

/** No follow-up, surveillance follow-up, field follow-up, awaiting interview, open case, closed case. */
export const partnerStages = ['NF', 'SF', 'FF', 'AI', 'OC', 'CC'] as const;
export type PartnerStage = (typeof partnerStages)[number];

/** Field or surveillance follow-up, and the reasons for none. */
export const initialFollowUps = [
  'FF',
  'SF',
  'AC',
  'BFP',
  'DEC',
  'II',
  'NPP',
  'OOJ',
  'PC',
  'RDV',
  'RSC',
  'SR',
  'OTH',
] as const;
export const dispositions: readonly string[] = [...'ABCDEFGHJKLQVXZ1234567'];
export const interviewStatuses: readonly string[] = [...'AIRPUJLDNO'];
/**
 * How the case itself came to attention, and how the people around it did: partners, social contacts,
 * associates, a cohort.
 */
export const indexBases = ['T1', 'T2'] as const;
export const partnerBases = ['P1', 'P2', 'P3'] as const;
export const clusterBases = ['S1', 'S2', 'S3', 'A1', 'A2', 'A3', 'C1'] as const;
export const referralBases = [...indexBases, ...partnerBases, ...clusterBases] as const;
/** When and by whom someone was named. */
export const namings = ['original', 're-interview', 'no-interview', 'between-others'] as const;
/** Dispositions of infected people. */
export const infected: readonly string[] = [...'CDE125'];
/**
 * Dispositions that leave someone unexamined, untested or untreated, except for death or transfer to another
 * agency.
 */
export const unfinished: readonly string[] = [...'DGHJLQV47'];

/** Days from the assignment in which a person should be found, and interviewed. */
export const partnerDays = { dispose: 7, interview: 3 } as const;

const anyGiven = (...fields: readonly string[]): Expression => any(...fields.map(given));
const always: Expression = all();

const surveillance = ['surveillanceClosedOn', 'patientFollowUp'];
const sent = ['sentToAgency', 'sentToNumber', 'sentToDueOn', 'sentToOutcome'];
const examined = ['examOn', 'examProvider', 'examFacility'];
const disposed = [
  'disposition',
  'dispositionOn',
  'dispositionBy',
  'supervisor',
  ...examined,
  ...sent,
  'ownCase',
];
const fieldWork = ['fieldInvestigator', 'fieldAssignedOn', ...disposed];
const held = ['interviewStatus', 'interviewedOn', 'interviewType', 'interviewPlace', 'reinterviewedOn'];
const interview = ['interviewer', 'interviewAssignedOn', ...held];
const genders = ['female', 'male', 'transgender'];
const partners = genders.flatMap((gender) =>
  ['Partners', 'PartnersInYear', 'PartnersInPeriod'].map((what) => `${gender}${what}`),
);
const inField = any(
  is('initialFollowUp', 'FF'),
  all(is('initialFollowUp', 'SF'), is('patientFollowUp', 'FF')),
);
/** According to the record, or to its person. */
export const isMan = any(is('sex', 'M'), is('personSex', 'M'));
const ofTest = oneOf('referralBasis', 'T1', 'T2');

/** Dispositions that a case's classification rules out. */
export const unlawful: Readonly<Record<string, readonly string[]>> = {
  unknown: [...'CDF12356'],
  probable: [...'ABCDF36'],
  confirmed: [...'ABF3467'],
  not_a_case: [...'CD125'],
};

const needed = (id: string, when: Expression, ...fields: readonly string[]): Rule[] =>
  fields.map((field) => ({ id, refuse: all(when, empty(field)), at: [field] }));

const rules: readonly Rule[] = [
  {
    id: '1-initial',
    refuse: all(
      not(oneOf('initialFollowUp', 'FF', 'SF')),
      anyGiven(...surveillance, ...fieldWork, ...interview, 'caseClosedOn'),
    ),
    at: ['initialFollowUp'],
  },
  {
    id: '1-patient',
    refuse: all(not(inField), anyGiven(...fieldWork, ...interview, 'caseClosedOn')),
    at: ['patientFollowUp'],
  },
  {
    id: '1-disposition',
    refuse: all(empty('disposition'), anyGiven(...interview, 'caseClosedOn')),
    at: ['disposition'],
  },
  {
    id: '1-interview',
    refuse: all(any(empty('interviewStatus'), is('interviewStatus', 'A')), given('caseClosedOn')),
    at: ['interviewStatus'],
  },
  ...needed('2-disposition', given('disposition'), 'dispositionOn', 'dispositionBy', 'supervisor'),
  ...needed('2-exam', all(oneOf('disposition', ...'ABCDEF'), not(ofTest)), ...examined),
  ...needed('3-sent-to', is('disposition', 'K'), 'sentToAgency', 'sentToDueOn'),
  ...Object.entries(unlawful).map(
    ([status, which]): Rule => ({
      id: '4-status',
      refuse: all(is('classification', status), oneOf('disposition', ...which)),
      at: ['disposition'],
    }),
  ),
  {
    id: '4-interviewed',
    refuse: all(is('classification', 'unknown'), is('interviewStatus', 'I')),
    at: ['interviewStatus'],
  },
  { id: '5-cluster', refuse: all(is('interviewStatus', 'N'), ofTest), at: ['interviewStatus'] },
  { id: '7-pregnancy', refuse: all(isMan, anyGiven('pregnant', 'weeksPregnant')), at: ['pregnant'] },
  ...needed('7-internet', is('internetElicited', 'yes'), 'internetFollowUp'),
  ...genders.flatMap((gender) =>
    ['InYear', 'InPeriod'].map(
      (span): Rule => ({
        id: '8-partners',
        refuse: all(is(`${gender}Partners`, 'yes'), is(`${gender}Partners${span}`, 0)),
        at: [`${gender}Partners${span}`],
      }),
    ),
  ),
];

/** The referral bases a new contact can have: the first list whose condition holds. */
const bases: readonly { when: Expression; codes: readonly string[] }[] = [
  { when: is('namedHow', 'between-others'), codes: [...partnerBases, ...clusterBases] },
  {
    // Until it has a disposition, the source is assumed to be infected.
    when: any(
      is('namedHow', 'no-interview'),
      empty('sourceDisposition'),
      oneOf('sourceDisposition', ...infected),
    ),
    codes: [...partnerBases, 'S1', 'S2', 'S3', 'C1'],
  },
  { when: always, codes: ['A1', 'A2', 'A3', 'C1'] },
];
/** The rules that refuse the referral basis of the case, and of people named for it. */
export const basisRules: readonly Rule[] = [
  {
    id: '9-index',
    refuse: all(empty('index'), given('referralBasis'), not(oneOf('referralBasis', ...indexBases))),
    at: ['referralBasis'],
  },
  ...bases.map(({ when, codes }, index) => ({
    id: '9-basis',
    refuse: all(
      given('index'),
      given('referralBasis'),
      when,
      ...bases.slice(0, index).map((earlier) => not(earlier.when)),
      not(oneOf('referralBasis', ...codes)),
    ),
    at: ['referralBasis'],
  })),
];

/** Keeps its first value. */
const firstOf = (first: string, now: string) => [
  { value: { from: first }, when: given(first) },
  { value: { from: now }, when: always },
];

const about = 'caseRecord';
const find: Effect = {
  task: 'find',
  to: 'assignee',
  about,
  dueDays: partnerDays.dispose,
  from: 'fieldAssignedOn',
};
const hold: Effect = {
  task: 'interview',
  to: { field: 'interviewer' },
  about,
  dueDays: partnerDays.interview,
  from: 'interviewAssignedOn',
};
const isUnfinished = oneOf('disposition', ...unfinished);
const drop = (...tasks: string[]): Effect[] =>
  tasks.map((closeTasks) => ({ closeTasks, as: 'not-needed' as const }));

const investigate = ['partner-services/investigate'] as const;
const supervise = ['partner-services/supervise'] as const;

/** From the first look at a case or a partner to the closing of the case. */
export const partnerFlow: Workflow<PartnerStage> = {
  id: 'PARTNER_SERVICES',
  version: 2,
  initial: 'NF',
  states: partnerStages,
  assignee: 'fieldInvestigator',
  derive: [
    { state: 'CC', when: given('caseClosedOn') },
    { state: 'OC', when: all(given('interviewStatus'), not(is('interviewStatus', 'A'))) },
    { state: 'AI', when: given('interviewer') },
    { state: 'FF', when: inField },
    { state: 'SF', when: is('initialFollowUp', 'SF') },
    { state: 'NF', when: always },
  ],
  derived: {
    closedOn: [
      { value: { from: 'caseClosedOn' }, when: given('caseClosedOn') },
      { value: null, when: given('interviewer') },
      { value: { from: 'dispositionOn' }, when: given('disposition') },
      { value: null, when: inField },
      {
        value: { from: 'surveillanceClosedOn' },
        when: all(is('initialFollowUp', 'SF'), given('surveillanceClosedOn'), given('patientFollowUp')),
      },
      { value: null, when: is('initialFollowUp', 'SF') },
      { value: { from: 'initialFollowUpOn' }, when: always },
    ],
    interviewStatus: [
      { value: { code: 'A' }, when: all(given('interviewer'), empty('interviewStatus')) },
      { value: { from: 'interviewStatus' }, when: always },
    ],
    sentToDueOn: [
      { value: { from: 'sentToDueOn' }, when: given('sentToDueOn') },
      { value: { from: 'dispositionOn', days: 14 }, when: is('disposition', 'K') },
    ],
    // The first investigator is stored separately from the current one.
    firstFieldInvestigator: firstOf('firstFieldInvestigator', 'fieldInvestigator'),
    firstFieldAssignedOn: firstOf('firstFieldAssignedOn', 'fieldAssignedOn'),
    firstInterviewer: firstOf('firstInterviewer', 'interviewer'),
    firstInterviewAssignedOn: firstOf('firstInterviewAssignedOn', 'interviewAssignedOn'),
  },
  transitions: [
    {
      id: 'decide',
      from: ['NF', 'SF', 'FF'],
      may: investigate,
      asks: ['initialFollowUp', 'initialFollowUpOn'],
      requires: ['initialFollowUp', 'initialFollowUpOn'],
    },
    {
      id: 'endSurveillance',
      from: ['SF'],
      may: investigate,
      asks: surveillance,
      requires: [
        'patientFollowUp',
        { field: 'surveillanceClosedOn', when: not(is('patientFollowUp', 'FF')) },
      ],
    },
    {
      id: 'assignField',
      from: ['FF'],
      may: supervise,
      asks: ['fieldInvestigator'],
      requires: ['fieldInvestigator'],
      set: { fieldAssignedOn: 'today' },
      refuse: [{ id: 'disposed', refuse: given('disposition'), at: ['disposition'] }],
      // A new investigator gets seven days from their own assignment.
      effects: [...drop('find'), find],
    },
    {
      id: 'dispose',
      from: ['FF'],
      may: investigate,
      asks: disposed,
      requires: ['disposition'],
      effects: [
        { closeTasks: 'find' },
        ...drop('review').map((effect) => ({ ...effect, when: not(isUnfinished) })),
        { task: 'review', to: 'supervisor', about, dueDays: 3, working: true, when: isUnfinished },
      ],
    },
    {
      id: 'withdrawDisposition',
      from: ['FF'],
      may: investigate,
      reason: 'required',
      clear: disposed,
      effects: [...drop('review'), { ...find, when: given('fieldInvestigator') }],
    },
    {
      id: 'assignInterviewer',
      from: ['FF', 'AI'],
      may: supervise,
      asks: ['interviewer'],
      requires: ['interviewer', 'disposition'],
      set: { interviewAssignedOn: 'today' },
      effects: [{ closeTasks: 'review' }, ...drop('interview'), hold],
    },
    {
      id: 'recordInterview',
      from: ['AI', 'OC'],
      may: investigate,
      asks: [...held, 'internetElicited', 'internetFollowUp', ...partners],
      requires: ['interviewStatus', { field: 'interviewedOn', when: is('interviewStatus', 'I') }],
      refuse: [{ id: '1-awaiting', refuse: is('interviewStatus', 'A'), at: ['interviewStatus'] }],
      effects: [{ closeTasks: 'interview' }],
    },
    {
      id: 'closeCase',
      from: ['OC'],
      may: supervise,
      asks: ['caseClosedOn', 'closedBy'],
      requires: ['caseClosedOn', 'closedBy'],
      refuse: [{ id: '6-contacts', refuse: { field: 'openContacts', atLeast: 1 }, at: ['openContacts'] }],
    },
    {
      id: 'reopenCase',
      from: ['CC'],
      may: supervise,
      reason: 'required',
      clear: ['caseClosedOn', 'closedBy'],
      effects: [{ notify: 'assignee', text: 'reopened' }],
    },
    {
      id: 'reopenInterview',
      from: ['OC'],
      may: supervise,
      reason: 'required',
      clear: held,
      effects: [hold],
    },
    {
      id: 'reopenField',
      from: ['AI'],
      may: supervise,
      reason: 'required',
      clear: interview,
      effects: drop('interview'),
    },
    {
      id: 'startOver',
      from: ['SF', 'FF'],
      may: supervise,
      reason: 'required',
      clear: ['initialFollowUp', 'initialFollowUpOn', ...surveillance, ...fieldWork],
      effects: drop('find', 'review'),
    },
  ],
  next: {
    NF: ['decide'],
    SF: ['endSurveillance'],
    FF: ['assignInterviewer', 'dispose', 'assignField'],
    AI: ['recordInterview'],
    OC: ['closeCase'],
  },
  rules,
};
