import { z } from 'zod';
import { answerColumnsOf } from './answer-columns.ts';
import { endpoint } from './endpoint.ts';
import type { Form } from './form.ts';
import { answerHistoryEntry, answersSent, changedBy, formShown } from './form-sent.ts';
import { syphilis } from './forms/syphilis.ts';
import type { OrgType } from './session.ts';

/* Investigation forms: the questions about a case beyond its fields, by disease family. */

/** The facts that conditions of these forms can name (`record.sex`) and questions can show. */
export const caseFormFacts = ['sex', 'condition', 'classification', 'pregnant', 'onsetOn'] as const;
export type CaseFormFact = (typeof caseFormFacts)[number];

const forms: Readonly<Record<string, Form>> = { syphilis };

/** Every form with the family whose cases it asks about. */
export const investigationForms: readonly [family: string, form: Form][] = Object.entries(forms);

/** Who sees the findings of an investigation: not the hospital or laboratory that knows the case. */
export const investigating: readonly OrgType[] = ['T', 'PHJ'];

/** Answers as columns of cases. */
export const caseAnswerColumns = answerColumnsOf(investigationForms);

export const formOfFamily = (family: string): Form | undefined => forms[family];

// — Endpoints —

const id = z.uuid();

const investigation = z.object({
  /** The case's version, which increases with every change of its fields and answers. */
  version: z.number().int(),
  /** As the case's tenant uses it, without questions about families the reader may not see. */
  form: formShown,
  facts: z.record(z.enum(caseFormFacts), z.string().nullable()),
  answers: answersSent,
  /** The names of the records that answers refer to, by id; only those the reader sees. */
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
 * Answers not in the request stay. Refused with `conflict` if one of the same answers has changed since
 * `version`; the faults name them. An answer to a question that is not asked is refused; a stored one is
 * removed, but stays in the history.
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
    /** True requires an answer to each required question; false reopens the form; absent changes nothing. */
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
