import { z } from 'zod';
import type { AuditRecordKind } from './audit-action.ts';
import { bulkOf } from './bulk.ts';
import { endpoint, type Permission } from './endpoint.ts';
import { type Grid, gridSearch } from './grid.ts';
import {
  type ChangeOf,
  endpointsOf,
  type Fields,
  type FormField,
  type NameOf,
  type OnTimeline,
  type RecordOf,
  shownSchema,
  writtenNames,
  writtenSchema,
} from './record.ts';
import {
  bulkTransitions,
  isSetInMany,
  transitionAccess,
  transitionOf,
  withTransition,
} from './record-transitions.ts';
import type { Workflow } from './workflow.ts';

/** A record in the timelines of persons. What a reader may not read is not in theirs. */
export interface TimelineRecord {
  readonly id: string;
  readonly kind: AuditRecordKind;
  readonly table: string;
  readonly access: { readonly read: Permission };
  readonly name: string;
  readonly fields: Fields;
  readonly timeline: OnTimeline<string>;
  /** Absent where people only read it, as a part of other records. */
  readonly endpoints?: object;
}

/** Declares a record about patients that nobody changes: what it says in the timeline of its person. */
export const patientFinding = <const F extends Fields>(
  declaration: Omit<TimelineRecord, 'fields' | 'name' | 'timeline' | 'endpoints'> & {
    name: keyof F & string;
    fields: F;
    timeline: OnTimeline<keyof F & string>;
  },
): TimelineRecord => declaration;

/** A record that is answered with all its fields, and more. */
export const answerOf = <const F extends Fields, More extends z.ZodRawShape>(fields: F, more: More) =>
  shownSchema(fields).omit({ active: true }).extend(more) as unknown as z.ZodType<
    Omit<RecordOf<{ fields: F }>, 'active'> & z.infer<z.ZodObject<More>>
  >;

/** A record about patients as it is in the timelines of persons. */
export function onTimeline({
  timeline,
  ...record
}: Omit<TimelineRecord, 'timeline'> & { readonly timeline?: OnTimeline<string> }): TimelineRecord {
  if (!timeline) throw new Error(`${record.id} does not say how it is on a timeline`);
  return { ...record, timeline };
}

/**
 * A record about patients. It is listed by the grid of its fact, made by imports, and never deactivated. The log has the
 * names of the fields that were changed, never their values. Not everyone of the tenant sees each of them, so its history
 * is in a table of its own, `<table>_history`.
 */
interface PatientDeclaration<F extends Fields, Answer extends z.ZodType, G extends Grid> {
  id: string;
  kind: AuditRecordKind;
  noun: string;
  table: string;
  access: { readonly read: Permission; readonly write: Permission };
  name: keyof F & string;
  fields: F;
  /** Its states, where one of its fields is decided by a workflow. */
  workflow?: { readonly of: NameOf<F, 'transitions'>; readonly flow: Workflow };
  /** No places share one, each with a version of its own. [P23] */
  alone?: true;
  grid: G;
  /** A record as it is answered: its fields and more. */
  answer: Answer;
  /** The fields of the form in their order, those that share a line together; absent: all that people set (`inLines`). */
  form?: readonly (FormField<F> | readonly FormField<F>[])[];
  /** The fields that can be set in many at once; with them come all transitions that can be done to many. */
  bulk: readonly NameOf<F, 'always'>[];
  /** The transitions that people do one at a time, after a look at each record. */
  oneByOne?: readonly string[];
  /** Texts that a transition needs and that stand in most records by then: done to many, it keeps them and does not ask. */
  enteredBefore?: readonly NameOf<F, 'always'>[];
  /** Absent where it is not of one person. */
  timeline?: OnTimeline<keyof F & string>;
}

const short: ReadonlySet<string> = new Set(['text', 'choice', 'day', 'phone', 'email', 'count']);

/** All that people set, in the order of the fields; short ones that follow each other share a line. */
function inLines<F extends Fields>(fields: F): (FormField<F> | FormField<F>[])[] {
  const lines: (FormField<F> | FormField<F>[])[] = [];
  for (const name of writtenNames(fields) as FormField<F>[]) {
    const { kind, each, lines: isLong } = fields[name]!;
    const last = lines.at(-1);
    if (isLong || (!short.has(kind) && !(each && each.kind !== 'text'))) lines.push(name);
    else if (Array.isArray(last) && last.length === 1) last.push(name);
    else lines.push([name]);
  }
  return lines;
}

/** Declares a record about patients. */
export function patientRecord<
  const F extends Fields,
  Answer extends z.ZodType<{ id: string; version: number }>,
  G extends Grid,
>(declaration: PatientDeclaration<F, Answer, G>) {
  const { noun, fields, grid, workflow } = declaration;
  const typed = declaration.bulk.find((name) => !isSetInMany(fields[name]!));
  if (typed !== undefined)
    throw new Error(`${typed} of a ${noun} is neither chosen nor a day, and so not set in many at once`);
  const { read, change, history, undo } = endpointsOf({ ...declaration, also: {} });
  const answer = declaration.answer as unknown as z.ZodType<z.infer<Answer>>;
  const logged = { patientData: true } as const;
  const changing = { ...logged, deed: 'change' } as const;
  const version = z.number().int();
  return {
    ...declaration,
    form: declaration.form ?? inLines(fields),
    ofPatients: true as const,
    filters: grid.filters,
    begins: {},
    grids: { [grid.id]: grid },
    endpoints: {
      read: endpoint({ ...read, ...logged, response: answer }),
      /** Also refused with `conflict` if a field is not as the writer has `seen` it: imports make no version. */
      change: endpoint({
        ...change,
        ...changing,
        summary: `Change a ${noun}`,
        body: writtenSchema(fields)
          .partial()
          .extend({ version, seen: z.record(z.string(), z.unknown()).optional() }) as unknown as z.ZodType<
          ChangeOf<{ fields: F }> & { version: number; seen?: Readonly<Record<string, unknown>> }
        >,
        response: answer,
      }),
      history: endpoint({ ...history, ...logged }),
      undo: endpoint({
        ...undo,
        ...changing,
        response: z.object({ record: answer, kept: z.array(z.string()) }),
      }),
      ...(workflow && { transition: transitionOf(declaration, workflow.flow, answer) }),
      search: gridSearch(grid),
      ...bulkOf(
        declaration,
        workflow && {
          access: transitionAccess(declaration, workflow.flow),
          ids: bulkTransitions(declaration).map((one) => one.id),
          ...withTransition(fields, workflow.flow),
        },
        writtenSchema(fields)
          .pick(Object.fromEntries(declaration.bulk.map((name) => [name, true as const])))
          .partial() as unknown as z.ZodType<
          ChangeOf<{ fields: Pick<F, (typeof declaration)['bulk'][number]> }>
        >,
      ),
    },
  };
}

/** What people make it about: a record of another kind, which they have to see, and the field with its id. */
interface MadeByPeople<F extends Fields> {
  /** Absent for one by itself, as a person is. It may be empty in a new one, which is then of the tenant in which it is made. */
  about?: { readonly field: NameOf<F, 'creation'>; readonly kind: AuditRecordKind };
  /** What a new one begins with, where that is not empty. */
  begins?: Readonly<Partial<Record<FormField<F>, string>>>;
}

/** The endpoint by which people make a record about patients. */
const makingOf = <F extends Fields, Answer extends z.ZodType>(
  declaration: Pick<PatientDeclaration<F, Answer, Grid>, 'id' | 'noun' | 'access' | 'fields' | 'answer'>,
) =>
  endpoint({
    ...endpointsOf({ ...declaration, also: {} }).make,
    patientData: true,
    deed: 'change',
    response: declaration.answer as unknown as z.ZodType<z.infer<Answer>>,
  });

/** Declares one that people make, each by itself. */
export function patientRecordOfPeople<
  const F extends Fields,
  Answer extends z.ZodType<{ id: string; version: number }>,
  G extends Grid,
>(given: Omit<PatientDeclaration<F, Answer, G>, 'bulk' | 'oneByOne' | 'enteredBefore'> & MadeByPeople<F>) {
  const { about, begins = {}, ...declaration } = given;
  const record = patientRecord<F, Answer, G>({ ...declaration, bulk: [] });
  const { read, change, transition, history, undo, search } = record.endpoints;
  return {
    ...record,
    ...(about && { about }),
    begins,
    // Each is made and changed by itself.
    endpoints: {
      read,
      change,
      ...(transition && { transition }),
      history,
      undo,
      search,
      make: makingOf(declaration),
    },
  };
}

/** Declares one that people make and change many of at once, or that also follows from something else. */
export function patientRecordWithMaking<
  const F extends Fields,
  Answer extends z.ZodType<{ id: string; version: number }>,
  G extends Grid,
>(given: PatientDeclaration<F, Answer, G> & MadeByPeople<F>) {
  const { about, begins = {}, ...declaration } = given;
  const record = patientRecord<F, Answer, G>(declaration);
  return {
    ...record,
    ...(about && { about }),
    begins,
    endpoints: { ...record.endpoints, make: makingOf(declaration) },
  };
}
