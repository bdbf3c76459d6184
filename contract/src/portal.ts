import { z } from 'zod';
import { auditDeeds } from './audit-deed.ts';
import { phoneNumber } from './codes.ts';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { labelled, testNamed } from './label.ts';
import { contactBegun, contactChange, openSession } from './profile.ts';
import { rangePositions, storedValue } from './result-value.ts';
import { languages } from './session.ts';
import { whereValid } from './where-valid.ts';

/*
 * What patients see and do themselves, and what staff do for it: invite them, release withheld results, and
 * set which results are withheld.
 */

const id = z.uuid();
const instant = z.iso.datetime();
const text = z.string().nullable();

// — The patient's own data and consents —

export const consentKinds = ['email', 'text', 'sharing'] as const;
export type ConsentKind = (typeof consentKinds)[number];
/**
 * The version of the question. Raise it when the meaning changes, so that it stays clear what someone agreed
 * to.
 */
export const consentWording = '2026-11';

export const consent = z.object({
  kind: z.enum(consentKinds),
  given: z.boolean(),
  at: instant,
  /** The text they agreed to; see `consentWording`. */
  wording: z.string(),
  /** False if staff recorded what the patient said. */
  byPatient: z.boolean(),
});
export type Consent = z.infer<typeof consent>;

export const ownRecord = z.object({
  firstName: text,
  lastName: text,
  /** `YYYY-MM-DD`. */
  birthDate: text,
  /** The keeper of the record, usually the health department. */
  tenant: z.string(),
  /** The address of the keeper's logo; null without one. */
  logo: text,
  /** IANA name; days are in this zone. */
  timeZone: z.string(),
  email: text,
  /** E.164. */
  phone: text,
  languageCode: z.string(),
  /** The number to sign in with if people share an address, as on the invitation. */
  patientNumber: z.string(),
  /** Whether there are video visits to show or book. */
  visits: z.boolean(),
  /** Whether the person is asked how they are, today or on future days. */
  followUp: z.boolean(),
  /** Whether their vaccinations are stored here. */
  vaccinations: z.boolean(),
  /** Whether they can report a reaction to a vaccine. */
  reactions: z.boolean(),
  /** Every answer ever given, latest first. */
  consents: z.array(consent),
});
export type OwnRecordAnswer = z.infer<typeof ownRecord>;

export const readOwnRecord = endpoint({
  method: 'GET',
  path: '/api/patient/me',
  access: 'patient',
  deed: 'read',
  summary: 'The signed-in patient’s contact data, language and consents',
  patientData: true,
  response: ownRecord,
});
export const changeOwnLanguage = endpoint({
  method: 'PATCH',
  path: '/api/patient/me',
  access: 'patient',
  deed: 'change',
  summary: 'Choose the language in which the patient is written to',
  patientData: true,
  body: z.strictObject({ languageCode: z.enum(languages) }),
  response: ownRecord,
});
/** Adds an answer; earlier ones stay, with their time. */
export const giveConsent = endpoint({
  method: 'POST',
  path: '/api/patient/consents',
  access: 'patient',
  deed: 'change',
  summary: 'Agree to being contacted or to data being shared, or take it back',
  patientData: true,
  body: z.strictObject({
    kind: z.enum(consentKinds),
    given: z.boolean(),
    wording: z.literal(consentWording),
  }),
  response: ownRecord,
});

// — Contact data: changed once the new and the current address are confirmed —

const code = z.string().trim().max(20);
export const beginOwnContactChange = endpoint({
  method: 'POST',
  path: '/api/patient/contact',
  access: 'patient',
  deed: 'change',
  summary:
    'Begin to change the patient’s address or number: sends a code to the new one and to the present one',
  body: contactChange,
  response: contactBegun,
});
export const confirmOwnContactChange = endpoint({
  method: 'POST',
  path: '/api/patient/contact/confirm',
  access: 'patient',
  deed: 'change',
  summary: 'Change the patient’s address or number with the codes that both have received',
  patientData: true,
  body: z.strictObject({ details: z.string().min(1).max(4096), newCode: code, presentCode: code }),
  response: ownRecord,
});

// — Results —

/**
 * The explanation of a result: a key of the locale `explanations`, with `meaning` and `next`. The server
 * chooses it from the reviewed table. [P26]
 */
const explanation = z.string();

/** How an answer is displayed: found, not found, or neither. */
export const answerMarks = ['found', 'not-found', 'other'] as const;
export type AnswerMark = (typeof answerMarks)[number];

export const ownResult = z.object({
  id,
  /** The laboratory's name for it. */
  ...testNamed,
  /** The same for repetitions of one test; null if only the laboratory's words name it. */
  loinc: text,
  /** The disease or substance it tests for, in every language. */
  about: labelled.nullable(),
  explanation,
  mark: z.enum(answerMarks),
  /** The answer's label in every language; null if the answer is a number. */
  answer: labelled.nullable(),
  preliminary: z.boolean(),
  /** It replaced an earlier one. */
  corrected: z.boolean(),
  /** Null if the answer is complete without it; see `resultValue`. */
  value: storedValue.nullable(),
  /** Where the number is relative to the laboratory's range. */
  position: z.enum(rangePositions).nullable(),
  /** Days in the tenant's time zone. */
  collectedOn: text,
  resultedOn: text,
  specimen: labelled.nullable(),
  /** The laboratory's number of the sample. */
  specimenNumber: text,
  facility: text,
  /** The number to call about it: the facility's, in E.164 or as received. */
  facilityPhone: text,
  /**
   * Who did the test, which a report must state (42 CFR 493.1291): `Gulf Lab, 1 Main Street, Tampa, FL 33602
   * · CLIA 10D0123456`.
   */
  laboratory: text,
});
export type OwnResult = z.infer<typeof ownResult>;

/** Leaves out withheld results, without revealing that they exist. */
export const listOwnResults = endpoint({
  method: 'GET',
  path: '/api/patient/results',
  access: 'patient',
  deed: 'read',
  child: 'results',
  summary: 'The signed-in patient’s results, the latest first, without those that are held back',
  patientData: true,
  response: z.object({ results: z.array(ownResult) }),
});
export const ownResultFile = endpoint({
  method: 'GET',
  path: '/api/patient/results/:id/file',
  access: 'patient',
  deed: 'export',
  child: 'results',
  summary: 'One result with its explanation as PDF, in the language of the request',
  patientData: true,
  params: z.strictObject({ id }),
  produces: 'application/pdf',
});

// — Who looked at the record —

export const recordAccess = z.object({
  id,
  at: instant,
  /** `guardian`: somebody who may see the record for the person, who is a child. */
  by: z.enum(['you', 'guardian', 'staff', 'system']),
  organization: text,
  /** The person's roles there; persons are not named. */
  roles: z.array(labelled),
  deed: z.enum(auditDeeds),
});
export type RecordAccess = z.infer<typeof recordAccess>;

export const listRecordAccess = endpoint({
  method: 'GET',
  path: '/api/patient/access-log',
  access: 'patient',
  deed: 'read',
  summary: 'Who looked at or changed the signed-in patient’s record, the latest first',
  patientData: true,
  query: z.strictObject({
    /** Only events before this one. */
    before: id.optional(),
  }),
  response: z.object({
    entries: z.array(recordAccess),
    more: z.boolean(),
    /** Events before this day are in archive files and not shown; null if none are archived. */
    since: day.nullable(),
  }),
});

// — Sessions —

export const listOwnSessions = endpoint({
  method: 'GET',
  path: '/api/patient/sessions',
  access: 'patient',
  deed: 'read',
  summary: 'Where the patient is signed in, the latest first',
  response: z.object({ sessions: z.array(openSession) }),
});
export const endOwnSession = endpoint({
  method: 'DELETE',
  path: '/api/patient/sessions/:id',
  access: 'patient',
  deed: 'change',
  summary: 'End one session of the patient',
  params: z.strictObject({ id }),
});

// — What staff do —

/** How staff confirmed with the patient that an address or number is theirs. */
export const checksOfAddress = ['in-person', 'phone', 'document'] as const;
export type CheckOfAddress = (typeof checksOfAddress)[number];

/**
 * Why someone cannot confirm an invitation: they requested it, or they worked on a file that created the
 * record.
 */
export const invitationBars = ['asked-for-it', 'brought-it-in'] as const;
export type InvitationBar = (typeof invitationBars)[number];

const sentBy = z.enum(['EMAIL', 'SMS']);
/** Days an invitation waits for a second person. */
export const invitationDays = 14;

export const portalState = z.object({
  /**
   * `none`: no invitation; `invited`: has not signed in yet. Only as far as the reader may know: an
   * organization or facility does not see an access to which only others invited the patient.
   */
  status: z.enum(['none', 'invited', 'active', 'disabled']),
  invitedAt: instant.nullable(),
  lastSignInAt: instant.nullable(),
  patientNumber: text,
  /** The record's addresses and numbers. */
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  /**
   * Those that need no second person, because someone has confirmed them or the patient has signed in with them.
   */
  confirmed: z.array(z.string()),
  /** The invitation waiting for a second person. */
  waiting: z
    .object({
      id,
      by: sentBy,
      to: z.string(),
      languageCode: z.string(),
      askedBy: text,
      askedAt: instant,
      expiresAt: instant,
      /** Whether the reader requested it. */
      own: z.boolean(),
      /** Null if the reader can confirm it. */
      barred: z.enum(invitationBars).nullable(),
    })
    .nullable(),
  languageCode: z.string(),
  /** The latest answer of each kind. */
  consents: z.array(consent),
  /** Results withheld until someone has spoken with the patient, and released ones. */
  held: z.array(
    z.object({
      id,
      ...testNamed,
      about: labelled.nullable(),
      answer: labelled,
      resultedOn: text,
      releasedAt: instant.nullable(),
      releasedBy: text,
    }),
  ),
});
export type PortalState = z.infer<typeof portalState>;

const ofPatient = z.strictObject({ id });
export const readPortalState = endpoint({
  method: 'GET',
  path: '/api/web/patients/:id/portal',
  access: 'patients/read',
  deed: 'read',
  summary: 'Whether a patient can see their results, and what is held back from them',
  patientData: true,
  params: ofPatient,
  response: portalState,
});
/**
 * Requests an invitation to an address or number of the record, and replaces a waiting one. It is sent once
 * someone else confirms it, or at once to a confirmed address. Refused with a fault of `to`: `not-in-record`,
 * `no-consent` if the patient does not want to be contacted that way, `signs-in-elsewhere` if the reader
 * knows that they sign in with another address.
 */
export const invitePatient = endpoint({
  method: 'POST',
  path: '/api/web/patients/:id/portal/invite',
  access: 'patients/write',
  deed: 'change',
  summary: 'Invite a patient to see their results, by mail or text message in their language',
  patientData: true,
  params: ofPatient,
  body: z
    .strictObject({
      by: sentBy,
      to: z.string().trim().min(1).max(254),
      languageCode: z.enum(languages),
    })
    .refine(({ by, to }) => (by === 'EMAIL' ? z.email() : phoneNumber).safeParse(to).success, {
      error: 'no address or number that a message can be sent to',
      path: ['to'],
      params: { code: 'not-reachable' },
      when: whereValid('by', 'to'),
    }),
  response: portalState,
});
const ofInvitation = z.strictObject({ id, invitationId: id });
/**
 * Sends an invitation that someone else requested. Refused with a fault of `invitationId` if the user may not
 * confirm it, or with one of `to` as in the request; 409 if it no longer waits.
 */
export const confirmInvitation = endpoint({
  method: 'POST',
  path: '/api/web/patients/:id/portal/invitations/:invitationId/confirm',
  access: 'patients/write',
  deed: 'change',
  summary: 'Say that the patient was asked whose address it is, and send the invitation',
  patientData: true,
  params: ofInvitation,
  body: z.strictObject({ checked: z.enum(checksOfAddress) }),
  response: portalState,
});
/** By the person who requested it, or by someone who found that the address is not the patient's. */
export const refuseInvitation = endpoint({
  method: 'POST',
  path: '/api/web/patients/:id/portal/invitations/:invitationId/refuse',
  access: 'patients/write',
  deed: 'change',
  summary: 'Take an invitation back before it is sent',
  patientData: true,
  params: ofInvitation,
  body: z.strictObject({}),
  response: portalState,
});

/**
 * Ends a patient's access: they are signed out within seconds, and no one can sign in with the patient number
 * or address. The record does not change; a new invitation needs the same steps as the first. 409 if there is
 * no access to end.
 */
export const endPatientAccess = endpoint({
  method: 'POST',
  path: '/api/web/patients/:id/portal/end',
  access: 'patients/write',
  deed: 'change',
  summary: 'End a patient’s access to their results, as where the wrong person was invited',
  patientData: true,
  params: ofPatient,
  body: z.strictObject({}),
  response: portalState,
});

export const waitingInvitation = z.object({
  id,
  patientId: id,
  /** The person's latest case; null if the reader sees none. */
  caseReportId: id.nullable(),
  firstName: text,
  lastName: text,
  askedBy: text,
  askedAt: instant,
  expiresAt: instant,
  own: z.boolean(),
});
export type WaitingInvitation = z.infer<typeof waitingInvitation>;
export const listWaitingInvitations = endpoint({
  method: 'GET',
  path: '/api/web/patients/invitations',
  access: 'patients/write',
  deed: 'search',
  summary: 'Invitations of patients that wait for a second person, the oldest first',
  patientData: true,
  response: z.object({ invitations: z.array(waitingInvitation) }),
});

/** After someone has spoken with the patient. */
export const releaseResult = endpoint({
  method: 'POST',
  path: '/api/web/patients/:id/portal/release',
  access: 'patients/write',
  deed: 'change',
  summary: 'Show a patient a result that was held back',
  patientData: true,
  params: ofPatient,
  body: z.strictObject({ resultId: id }),
  response: portalState,
});

// — Which results are withheld —

export const heldResultRule = z.strictObject({
  diseaseFamily: z.string().min(1).max(100),
  /** A condition of the family; null for all. */
  condition: z.string().min(1).max(100).nullable(),
  resultCategory: z.string().min(1).max(100),
  held: z.boolean(),
});
export type HeldResultRule = z.infer<typeof heldResultRule>;
export const heldResultRules = z.object({ rules: z.array(heldResultRule) });

export const patientWordsReview = z.object({
  /** Null if no one has signed the current texts. */
  reviewed: z.object({ by: z.string(), on: z.iso.date() }).nullable(),
  /** Who has to sign them. */
  signer: labelled,
  /** The number of explanations; each exists in every language. */
  explanations: z.number().int(),
});
/** Whether a clinician has reviewed the explanations of results for patients. [P26] */
export const readPatientWordsReview = endpoint({
  method: 'GET',
  path: '/api/web/settings/patient-words',
  access: 'settings/write',
  deed: 'read',
  summary: 'Whether the words that explain results to patients have been reviewed and signed',
  response: patientWordsReview,
});

export const readHeldResultRules = endpoint({
  method: 'GET',
  path: '/api/web/settings/held-results',
  access: 'settings/write',
  deed: 'read',
  summary: 'The tenant’s rules on which results patients see only once somebody has spoken with them',
  response: heldResultRules,
});
/**
 * Without a matching rule, every HIV test answer except negative is withheld, and so are results of no known
 * family.
 */
export const setHeldResultRules = endpoint({
  method: 'PUT',
  path: '/api/web/settings/held-results',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Set the tenant’s rules on which results are held back',
  body: z.strictObject({ rules: z.array(heldResultRule).max(300) }),
  response: heldResultRules,
});
