import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import type { Value } from './expression.ts';
import { type AnyRecord, accessOf, type Fields, type Kept, ofNeed } from './record.ts';
import type { Workflow } from './workflow.ts';

/* How the transitions of a record with a workflow are done, to one or to many. */

/** How long a reason can be. */
export const reasonLimit = 2000;
const reasonText = z.string().trim().max(reasonLimit);

/** What comes with transitions of a flow, as it is sent: the fields that they ask for, and the reason. */
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

/** The transitions that can be done to many at once: all that they ask for is chosen. */
export const bulkTransitions = ({
  fields,
  workflow,
}: Pick<AnyRecord, 'fields' | 'workflow'>): Workflow['transitions'] =>
  (workflow?.flow.transitions ?? []).filter(({ asks = [] }) =>
    asks.every((name) => fields[name]!.options !== undefined),
  );

/** How somebody does a transition of a record. */
export const transitionOf = <Answer extends z.ZodType>(
  { id: ofAll, noun, access, fields }: Pick<AnyRecord, 'id' | 'noun' | 'access' | 'fields'>,
  flow: Workflow,
  answer: Answer,
) =>
  endpoint({
    method: 'POST',
    path: `/api/web/${ofAll}/:id/transitions/:transition`,
    // Where the permission of a transition is enough, each asks for its own.
    access: accessOf({ access })[flow.transitions.some(({ mayAlone }) => mayAlone) ? 'read' : 'write'],
    deed: 'change',
    patientData: true,
    summary: `Do a transition of a ${noun}`,
    params: z.strictObject({ id: z.uuid(), transition: z.enum(flow.transitions.map((one) => one.id)) }),
    /** Refused with `conflict` if its state has changed since `version`. */
    body: z.strictObject({ version: z.number().int(), ...withTransition(fields, flow) }),
    response: answer,
  });
export type TransitionEndpoint = ReturnType<typeof transitionOf<z.ZodType<Kept>>>;
