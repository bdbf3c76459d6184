import { z } from 'zod';
import { answerColumnsOf } from './answer-columns.ts';
import { endpoint } from './endpoint.ts';
import type { Form } from './form.ts';
import { answerHistoryEntry, answersSent, changedBy, formShown } from './form-sent.ts';
import { syphilis } from './forms/syphilis.ts';
import type { OrgType } from './session.ts';

/* The forms of investigations: by disease family, what is asked about a case beside its fields. */

/** What conditions of these forms can name, as `record.sex`, and questions can show. */
export const caseFormFacts = ['sex', 'condition', 'classification', 'pregnant', 'onsetOn'] as const;
export type CaseFormFact = (typeof caseFormFacts)[number];

const forms: Readonly<Record<string, Form>> = { syphilis };

/** Every form, by the family whose cases it asks about. */
export const investigationForms: readonly [family: string, form: Form][] = Object.entries(forms);

/** Whose people see what investigators have learned: a hospital or laboratory that knows the case does not. */
export const investigating: readonly OrgType[] = ['T', 'PHJ'];

/** Answers as columns of cases. */
export const caseAnswerColumns = answerColumnsOf(investigationForms);

export const formOfFamily = (family: string): Form | undefined => forms[family];

// — Endpoints —

const id = z.uuid();

const investigation = z.object({
  /** Of the case: raised with every change of its fields and answers. */
  version: z.number().int(),
  /** As the tenant of the case asks it, without questions about families that the reader may not see. */
  form: formShown,
  facts: z.record(z.enum(caseFormFacts), z.string().nullable()),
  answers: answersSent,
  /** How the records are called that answers refer to, by their ids: only those that the reader sees. */
  records: z.record(z.uuid(), z.string()),
  completed: z.object({ at: z.iso.datetime(), by: changedBy.nullable() }).nullable(),
});
export type Investigation = z.infer<typeof investigation>;

const path = '/api/web/case-reports/:id/investigation';
const params = z.strictObject({ id });

export const readInvestigation = endpoint({
  method: 'GET',
  path,
  access: 'case-reports/read',
  deed: 'read',
  summary: 'The form of an investigation and what was answered; null where a case has none',
  patientData: true,
  params,
  response: z.object({ investigation: investigation.nullable() }),
});

/**
 * Answers that are not named stay. Refused with `conflict` if one of the same answers has changed since `version`; the
 * faults name them. An answer to a question that is not asked is refused; a stored one is removed, and stays in the history.
 */
export const changeInvestigation = endpoint({
  method: 'PATCH',
  path,
  access: 'case-reports/write',
  deed: 'change',
  summary: 'Answer questions about a case',
  patientData: true,
  params,
  body: z.strictObject({
    version: z.number().int(),
    answers: answersSent,
    /** True needs an answer to each required question, false opens the form again; absent: as before. */
    complete: z.boolean().optional(),
  }),
  response: z.object({ investigation }),
});

export const readInvestigationHistory = endpoint({
  method: 'GET',
  path: `${path}/history`,
  access: 'case-reports/read',
  deed: 'read',
  summary: 'What was changed of the answers about a case, the newest first',
  patientData: true,
  params,
  query: z.strictObject({ before: z.coerce.number().int().optional() }),
  response: z.object({
    entries: z.array(answerHistoryEntry),
    more: z.boolean(),
    records: z.record(z.uuid(), z.string()),
  }),
});
