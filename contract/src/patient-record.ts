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

/** Where a person's timeline is read. Apart from its endpoint, which knows every record that is on it. */
export const timelinePath = '/api/web/patients/:id/timeline';

/** A record in the timelines of persons. A reader's timeline leaves out what they may not read. */
export interface TimelineRecord {
  readonly id: string;
  readonly kind: AuditRecordKind;
  readonly table: string;
  readonly access: { readonly read: Permission };
  readonly name: string;
  readonly fields: Fields;
  readonly timeline: OnTimeline<string>;
  /** Absent if it is only read as part of other records. */
  readonly endpoints?: object;
}

/** Declares a read-only record about patients, with its entry in the person's timeline. */
export const patientFinding = <const F extends Fields>(
  declaration: Omit<TimelineRecord, 'fields' | 'name' | 'timeline' | 'endpoints'> & {
    name: keyof F & string;
    fields: F;
    timeline: OnTimeline<keyof F & string>;
  },
): TimelineRecord => declaration;

/** A record's answer: all its fields, and more. */
export const answerOf = <const F extends Fields, More extends z.ZodRawShape>(fields: F, more: More) =>
  shownSchema(fields).omit({ active: true }).extend(more) as unknown as z.ZodType<
    Omit<RecordOf<{ fields: F }>, 'active'> & z.infer<z.ZodObject<More>>
  >;

/** A record about patients as an entry in a person's timeline. */
export function onTimeline({
  timeline,
  ...record
}: Omit<TimelineRecord, 'timeline'> & { readonly timeline?: OnTimeline<string> }): TimelineRecord {
  if (!timeline) throw new Error(`${record.id} does not say how it is on a timeline`);
  return { ...record, timeline };
}

/**
 * A record about patients: listed by the grid of its fact, also created by imports, and never deactivated.
 * The log has the names of changed fields, never their values. Not all of a tenant's users see every record,
 * so its history has its own table, `<table>_history`.
 */
interface PatientDeclaration<F extends Fields, Answer extends z.ZodType, G extends Grid> {
  id: string;
  kind: AuditRecordKind;
  noun: string;
  table: string;
  access: { readonly read: Permission; readonly write: Permission };
  name: keyof F & string;
  fields: F;
  /** The workflow that decides one of its fields. */
  workflow?: { readonly of: NameOf<F, 'transitions'>; readonly flow: Workflow };
  /** No two places share a record with a version each. [P23] */
  alone?: true;
  grid: G;
  /** The record's answer: its fields and more. */
  answer: Answer;
  /** The form's fields in order, those on one line together; absent: all that users set (`inLines`). */
  form?: readonly (FormField<F> | readonly FormField<F>[])[];
  /** The fields that can be set in bulk; all transitions that allow it come with them. */
  bulk: readonly NameOf<F, 'always'>[];
  /** Transitions done one record at a time, after looking at it. */
  oneByOne?: readonly string[];
  /** Required texts that most records already have: in bulk, a transition keeps them and does not ask. */
  enteredBefore?: readonly NameOf<F, 'always'>[];
  /** Absent if it is not about a single person. */
  timeline?: OnTimeline<keyof F & string>;
}

const short: ReadonlySet<string> = new Set(['text', 'choice', 'day', 'phone', 'email', 'count']);

/** All fields that users set, in order; consecutive short ones share a line. */
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
      /**
       * Also refused with `conflict` if a field differs from the value the user has `seen`, because imports
       * create no version.
       */
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

interface Subject<F extends Fields> {
  readonly field: NameOf<F, 'creation'>;
  readonly kind: AuditRecordKind;
}

/**
 * What users create it about: a record of another kind, which they must be able to see, and the field with
 * its id.
 */
interface MadeByPeople<F extends Fields> {
  /**
   * Absent for a record that stands alone, such as a person. It may be empty in a new record, which then
   * belongs to the current tenant.
   */
  about?: Subject<F> & {
    /** What it is about if that field is empty. */
    readonly or?: Subject<F>;
  };
  /** Initial values of a new record's fields. */
  begins?: Readonly<Partial<Record<FormField<F>, string>>>;
}

/** The endpoint by which users create a record about patients. */
const makingOf = <F extends Fields, Answer extends z.ZodType>(
  declaration: Pick<PatientDeclaration<F, Answer, Grid>, 'id' | 'noun' | 'access' | 'fields' | 'answer'>,
) =>
  endpoint({
    ...endpointsOf({ ...declaration, also: {} }).make,
    patientData: true,
    deed: 'change',
    response: declaration.answer as unknown as z.ZodType<z.infer<Answer>>,
  });

/** Declares a record that users create, one at a time. */
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
    // Created and changed one at a time.
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

/** Declares a record that users create and can change in bulk, or that other events also create. */
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
