import { all, any, type Expression, empty, given, is, not, oneOf } from './expression.ts';
import type { Rule, Workflow } from './workflow.ts';

/* Partner services for sexually transmitted infections and HIV: six stages, derived from what is entered. */

export const initialFollowUps = ['FF', 'SF', 'SR', 'AC', 'OOJ', 'OTH'] as const;
export const dispositions = [...'ABCDEFGHJKLQVXZ1234567'] as readonly string[];
export const interviewStatuses = [...'AIRPUJLDNO'] as readonly string[];
export const referralBases = ['P1', 'P2', 'S1', 'A1', 'A2', 'C1', 'T1', 'T2', 'F1', 'M1'] as const;

const given_ = (...fields: readonly string[]): Expression => all(...fields.map(given));
const anyGiven = (...fields: readonly string[]): Expression => any(...fields.map(given));
const always: Expression = all();

const surveillance = ['surveillanceClosedOn', 'patientFollowUp'];
const sent = ['sentToAgency', 'sentToNumber', 'sentToDueOn', 'sentToOutcome'];
const examined = ['examOn', 'examProvider', 'examFacility'];
const disposed = ['disposition', 'dispositionOn', 'dispositionBy', 'supervisor', ...examined, ...sent];
const fieldWork = ['fieldInvestigator', 'fieldAssignedOn', ...disposed];
const interview = ['interviewer', 'interviewAssignedOn', 'interviewStatus', 'interviewedOn'];
const partners = ['female', 'male'].flatMap((sex) =>
  ['Partners', 'PartnersInYear', 'PartnersInPeriod'].map((what) => `${sex}${what}`),
);
const inField = any(
  is('initialFollowUp', 'FF'),
  all(is('initialFollowUp', 'SF'), is('patientFollowUp', 'FF')),
);
const ofTest = oneOf('referralBasis', 'T1', 'T2');

/** Dispositions that a classification of the case rules out. */
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
      at: ['classification', 'disposition'],
    }),
  ),
  {
    id: '4-interviewed',
    refuse: all(is('classification', 'unknown'), is('interviewStatus', 'I')),
    at: ['classification', 'interviewStatus'],
  },
  { id: '5-cluster', refuse: all(is('interviewStatus', 'N'), ofTest), at: ['interviewStatus'] },
  {
    id: '6-contacts',
    refuse: all(given('caseClosedOn'), {
      some: 'contacts',
      where: all(is('processing', 'FF'), empty('disposition')),
    }),
    at: ['contacts'],
  },
  { id: '7-pregnancy', refuse: all(is('sex', 'M'), anyGiven('pregnant', 'weeksPregnant')), at: ['pregnant'] },
  ...needed('7-internet', is('internetElicited', 'Y'), 'internetFollowUp'),
  ...['female', 'male'].flatMap((sex) =>
    ['InYear', 'InPeriod'].map(
      (span): Rule => ({
        id: '8-partners',
        refuse: all(is(`${sex}Partners`, 'Y'), is(`${sex}Partners${span}`, 0)),
        at: [`${sex}Partners${span}`],
      }),
    ),
  ),
];

/** Which referral bases a new contact can have: the first list whose condition holds. */
const bases: readonly { when: Expression; codes: readonly string[] }[] = [
  { when: is('namedHow', 'between-others'), codes: ['P1', 'P2', 'S1', 'A1', 'A2', 'C1'] },
  { when: is('namedHow', 'no-interview'), codes: ['P1', 'P2', 'S1', 'C1'] },
  { when: oneOf('sourceDisposition', ...'CDE125'), codes: ['P1', 'P2', 'S1', 'C1'] },
  { when: always, codes: ['A1', 'A2', 'C1'] },
];
export const contactRules: readonly Rule[] = bases.map(({ when, codes }, index) => ({
  id: '9-basis',
  refuse: all(
    given('referralBasis'),
    when,
    ...bases.slice(0, index).map((earlier) => not(earlier.when)),
    not(oneOf('referralBasis', ...codes, 'T1', 'T2', 'M1', 'F1')),
  ),
  at: ['referralBasis'],
}));

const investigate = ['partner-services/investigate'] as const;
const supervise = ['partner-services/supervise'] as const;

export const partnerServices: Workflow = {
  id: 'PARTNER_SERVICES',
  version: 1,
  initial: 'NF',
  states: ['NF', 'SF', 'FF', 'AI', 'OC', 'CC'],
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
        when: all(is('initialFollowUp', 'SF'), given_('surveillanceClosedOn', 'patientFollowUp')),
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
    // Who was first is kept apart from who has it now.
    firstFieldInvestigator: [
      { value: { from: 'firstFieldInvestigator' }, when: given('firstFieldInvestigator') },
      { value: { from: 'fieldInvestigator' }, when: always },
    ],
  },
  transitions: [
    {
      id: 'decide',
      from: ['NF', 'SF', 'FF'],
      may: investigate,
      asks: ['initialFollowUp', 'initialFollowUpOn'],
      requires: ['initialFollowUp', 'initialFollowUpOn'],
      effects: [{ startClock: 'assign', when: is('initialFollowUp', 'FF') }],
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
      effects: [
        { stopClock: 'assign' },
        { startClock: 'dispose' },
        { task: 'field', to: 'assignee', dueDays: 7 },
      ],
    },
    {
      id: 'dispose',
      from: ['FF'],
      may: investigate,
      asks: [...disposed, 'classification'],
      requires: ['disposition'],
      effects: [
        { stopClock: 'dispose' },
        { closeTasks: 'field' },
        { startClock: 'interview', when: oneOf('disposition', ...'CDE125') },
      ],
    },
    { id: 'withdrawDisposition', from: ['FF'], may: investigate, reason: 'required', clear: disposed },
    {
      id: 'assignInterviewer',
      from: ['FF', 'AI'],
      may: supervise,
      asks: ['interviewer'],
      requires: ['interviewer', 'disposition'],
      set: { interviewAssignedOn: 'today' },
      effects: [{ task: 'interview', to: { field: 'interviewer' }, dueDays: 3 }, { startClock: 'interview' }],
    },
    {
      id: 'recordInterview',
      from: ['AI', 'OC'],
      may: investigate,
      asks: [
        'interviewStatus',
        'interviewedOn',
        'classification',
        'internetElicited',
        'internetFollowUp',
        ...partners,
      ],
      requires: ['interviewStatus', { field: 'interviewedOn', when: is('interviewStatus', 'I') }],
      refuse: [{ id: '1-awaiting', refuse: is('interviewStatus', 'A'), at: ['interviewStatus'] }],
      effects: [{ stopClock: 'interview' }, { closeTasks: 'interview' }],
    },
    {
      id: 'closeCase',
      from: ['OC'],
      may: supervise,
      asks: ['caseClosedOn', 'closedBy'],
      requires: ['caseClosedOn', 'closedBy'],
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
      clear: ['interviewStatus', 'interviewedOn'],
    },
    {
      id: 'reopenField',
      from: ['AI'],
      may: supervise,
      reason: 'required',
      clear: interview,
      effects: [{ closeTasks: 'interview' }, { startClock: 'dispose' }],
    },
    {
      id: 'startOver',
      from: ['SF', 'FF'],
      may: supervise,
      reason: 'required',
      clear: ['initialFollowUp', 'initialFollowUpOn', ...surveillance, ...fieldWork],
      effects: [{ closeTasks: 'field' }],
    },
  ],
  rules,
  assignee: 'fieldInvestigator',
  clocks: [
    { id: 'assign', days: 1, working: true },
    { id: 'dispose', days: 7 },
    { id: 'interview', days: 3 },
  ],
};
