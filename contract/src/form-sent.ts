import { z } from 'zod';
import { type Answers, type Form, type FormExtension, formLimits, itemTypes, referredKinds } from './form.ts';
import { labelled } from './label.ts';
import { name } from './name.ts';

/* Forms, answers and a tenant's additions, as sent. */

const linkId = z.string().max(60);
const words = z.object({
  label: name(formLimits.text),
  labelI18N: z.record(z.string().max(10), name(formLimits.text)).optional(),
});
const option = z.strictObject({ code: z.string().min(1).max(60), words, retired: z.boolean().optional() });
/** A condition on one earlier question. */
const condition = z.union([
  z.strictObject({ field: linkId, is: z.union([z.string().max(60), z.boolean()]) }),
  z.strictObject({ field: linkId, has: z.array(z.string().max(60)).min(1).max(20) }),
  z.strictObject({ field: linkId, empty: z.boolean() }),
]);
const ownQuestion = z.strictObject({
  linkId: z.string().regex(/^x-[a-z0-9-]{1,58}$/),
  type: z.enum(itemTypes),
  words,
  help: words.optional(),
  answers: z.array(option).max(formLimits.options).optional(),
  when: condition.optional(),
  required: z.boolean().optional(),
  low: z.number().optional(),
  high: z.number().optional(),
  reportable: z.boolean().optional(),
  retired: z.boolean().optional(),
});
/** A tenant's own question or section. */
const ownItem = ownQuestion.extend({
  repeats: z.number().int().optional(),
  items: z.array(ownQuestion).max(formLimits.questions).optional(),
});
/** A tenant's additions to a form, as published: data of a fixed shape. */
export const extensionBody = z.strictObject({
  after: z.record(linkId, z.array(ownItem).max(formLimits.questions)),
  hidden: z.array(linkId).max(formLimits.questions),
}) as unknown as z.ZodType<Pick<FormExtension, 'after' | 'hidden'>>;

const anyCondition = z.record(z.string(), z.unknown());
const shownQuestion = ownQuestion.extend({
  linkId,
  words: labelled,
  help: labelled.optional(),
  answers: z.union([z.string(), z.array(option.extend({ words: labelled }))]).optional(),
  when: anyCondition.optional(),
  required: z.union([z.boolean(), anyCondition]).optional(),
  unit: labelled.optional(),
  to: z.enum(referredKinds).optional(),
  repeats: z.number().int().optional(),
  field: z.string().optional(),
  nndss: z.string().optional(),
  family: z.string().optional(),
});
const shownGroup = shownQuestion.extend({ items: z.array(shownQuestion).optional() });
/** A form for answering. */
export const formShown = z.object({
  id: z.string(),
  version: z.number().int(),
  title: labelled,
  answerSets: z.record(z.string(), z.array(option.extend({ words: labelled }))),
  items: z.array(shownGroup.extend({ items: z.array(shownGroup).optional() })),
}) as unknown as z.ZodType<Form>;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const several = z.array(z.string().max(60)).max(formLimits.options);
/** Answers by linkId; null for none. The form says what each may be. */
export const answersSent = z.record(
  linkId,
  z.union([scalar, several, z.array(z.record(linkId, z.union([scalar, several]))).max(formLimits.rows)]),
) as unknown as z.ZodType<Answers>;

/** The account that made a change; deleted accounts have no name. */
export const changedBy = z.object({ id: z.uuid(), name: z.string() });
/** One save's changes to the answers of a record. */
export const answerHistoryEntry = z.object({
  /** The record's version. */
  version: z.number().int(),
  at: z.iso.datetime(),
  by: changedBy.nullable(),
  changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
  /** Whether it completed or reopened the form; null for neither. */
  completes: z.boolean().nullable(),
});
export type AnswerHistoryEntry = z.infer<typeof answerHistoryEntry>;
