import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import type { Value } from './expression.ts';
import { type AnyRecord, accessOf, type Field, type Fields, type Kept, ofNeed } from './record.ts';
import type { Workflow } from './workflow.ts';

/* The endpoints that do the transitions of a record with a workflow, one at a time or in bulk. */

/** The longest reason, in characters. */
export const reasonLimit = 2000;
const reasonText = z.string().trim().max(reasonLimit);

/** What a request for a transition contains: the fields it requires, and the reason. */
export const withTransition = (fields: Fields, { transitions }: Workflow) => ({
  fields: z
    .strictObject(
      Object.fromEntries(
        transitions.flatMap(({ asks = [] }) =>
          asks.map((name) => [name, ofNeed(fields[name]!, fields[name]!.written).optional()]),
        ),
      ),
    )
    .default({}) as unknown as z.ZodType<Readonly<Record<string, Value>>>,
  reason: reasonText.optional(),
});

/** What decides which of a record's transitions can be done in bulk. */
export type ManyOf = Pick<AnyRecord, 'fields' | 'workflow' | 'oneByOne' | 'enteredBefore'>;

/** Whether many records can share a field's value: it is chosen from a list, or is a day. */
export const isSetInMany = ({ options, kind }: Field): boolean => options !== undefined || kind === 'day';

/** The fields of a transition that can share a value in many records. */
export const askedOfMany = (
  { fields }: Pick<AnyRecord, 'fields'>,
  { asks = [] }: Pick<Workflow['transitions'][number], 'asks'>,
): string[] => asks.filter((name) => isSetInMany(fields[name]!));

/**
 * The transitions that can be done in bulk: every field they require can have one value for all or usually
 * has one already (`enteredBefore`), and none is in `oneByOne`.
 */
export const bulkTransitions = ({
  fields,
  workflow,
  oneByOne = [],
  enteredBefore = [],
}: ManyOf): Workflow['transitions'] =>
  (workflow?.flow.transitions ?? []).filter(({ id, asks = [], requires = [] }) => {
    const needed = requires
      .map((one) => (typeof one === 'string' ? one : one.field))
      .filter((name) => !enteredBefore.includes(name));
    return (
      !oneByOne.includes(id) && asks.every((name) => isSetInMany(fields[name]!) || !needed.includes(name))
    );
  });

/**
 * The permission for these transitions: if one needs only its own permission (`mayAlone`), the endpoint needs
 * `read` and each transition checks its own.
 */
export const transitionAccess = (
  { access }: Pick<AnyRecord, 'access'>,
  { transitions }: Pick<Workflow, 'transitions'>,
) => accessOf({ access })[transitions.some(({ mayAlone }) => mayAlone) ? 'read' : 'write'];

/** The endpoint that does a transition of a record. */
export const transitionOf = <Answer extends z.ZodType>(
  { id: ofAll, noun, access, fields }: Pick<AnyRecord, 'id' | 'noun' | 'access' | 'fields'>,
  flow: Workflow,
  answer: Answer,
) =>
  endpoint({
    method: 'POST',
    path: `/api/web/${ofAll}/:id/transitions/:transition`,
    access: transitionAccess({ access }, flow),
    deed: 'change',
    patientData: true,
    summary: `Do a transition of a ${noun}`,
    params: z.strictObject({ id: z.uuid(), transition: z.enum(flow.transitions.map((one) => one.id)) }),
    /** Refused with `conflict` if its state has changed since `version`. */
    body: z.strictObject({ version: z.number().int(), ...withTransition(fields, flow) }),
    response: answer,
  });
export type TransitionEndpoint = ReturnType<typeof transitionOf<z.ZodType<Kept>>>;
