import { z } from 'zod';
import type { Permission } from './endpoint.ts';
import { endpoint } from './endpoint.ts';
import type { Value } from './expression.ts';
import { type Grid, gridQuery, namedLimit } from './grid.ts';

/*
 * Changes many records of one kind in the background: a dry run first, then the change, which can be undone
 * as a whole. Each record is decided separately and has a code if it is not changed.
 */

/** The most records one action changes. */
export const bulkLimit = 100_000;
/** The most unchanged records one answer lists. */
export const refusedPage = 100;

const id = z.uuid();
const count = z.int().min(0);

/** An action as its owner sees it. */
const bulkAction = z.object({
  id,
  /** `stopped`: it ended early, see `stoppedBy`; changes made before that remain. */
  state: z.enum(['running', 'done', 'stopped']),
  dryRun: z.boolean(),
  /** The action it undoes. */
  undoes: id.nullable(),
  /** The fields with their new values; null for an undo. */
  change: z.record(z.string(), z.unknown()).nullable(),
  /** The transition to do on each record, with its fields in `change`. */
  transition: z.string().nullable(),
  at: z.iso.datetime(),
  total: count,
  /** Decided so far: changed, already the same, or refused. */
  changed: count,
  same: count,
  refused: count,
  /**
   * The error code of what the owner has lost since: a session, a membership or a permission. `internal`
   * means our fault.
   */
  stoppedBy: z.string().nullable(),
});
export type BulkAction = z.infer<typeof bulkAction>;

/**
 * A record that was not changed, with the reason and the field that caused it, if any. If the reader can see
 * the record, it has its name and current state.
 */
const bulkRefusal = z.object({
  id,
  name: z.string().nullable(),
  state: z.string().nullable(),
  code: z.string(),
  field: z.string().nullable(),
});
export type BulkRefusal = z.infer<typeof bulkRefusal>;

/** The records: everything a list shows on all pages, minus some, or these ids. */
const selectionOf = (grid: Grid) =>
  z
    .strictObject({
      query: gridQuery(grid).optional(),
      except: z.array(id).max(namedLimit).optional(),
      ids: z.array(id).min(1).max(namedLimit).optional(),
    })
    .refine(({ query, except, ids }) => (query === undefined) !== (ids === undefined) && !(ids && except), {
      message: 'either a query, with those that are left out, or ids',
      params: { code: 'either' },
    });
export type BulkSelection = z.infer<ReturnType<typeof selectionOf>>;

/** The transitions that can be done in bulk, with the schemas of their fields and reason. */
interface BulkTransitions {
  access: Permission;
  ids: readonly string[];
  fields: z.ZodType<Readonly<Record<string, Value>>>;
  reason: z.ZodOptional<z.ZodString>;
}

/** A transition done in bulk. */
interface BulkDeed {
  id: string;
  fields: Readonly<Record<string, Value>>;
  reason?: string | undefined;
}
const deedOf = (flow: BulkTransitions | undefined): z.ZodType<BulkDeed> =>
  flow ? z.strictObject({ id: z.enum(flow.ids), fields: flow.fields, reason: flow.reason }) : z.never();

/** The bulk endpoints of a record. `change`: the fields that can be set; `flow`: the transitions. */
export const bulkOf = <Change>(
  {
    id: ofAll,
    noun,
    access: { write },
    grid,
  }: { id: string; noun: string; access: { readonly write: Permission }; grid: Grid },
  flow: BulkTransitions | undefined,
  change: z.ZodType<Change>,
) => {
  const path = `/api/web/${ofAll}/bulk`;
  const one = `${path}/:action`;
  const params = z.strictObject({ action: id });
  // A permission for transitions alone allows them in bulk too; setting fields needs `write`.
  const more = { access: flow?.access ?? write } as const;
  const named = { ...more, patientData: true } as const;
  return {
    /**
     * Sets fields in many records, or does a transition on each. `id`: the action's id, made by the browser,
     * so that a repeated request starts no second action. `expected`: the count the user confirmed; if it
     * differs now, nothing starts and `counted` has the current count.
     */
    bulk: endpoint({
      ...named,
      method: 'POST',
      path,
      deed: 'change',
      summary: `Change many: each ${noun} on its own, in the background`,
      body: z
        .strictObject({
          id,
          selection: selectionOf(grid),
          change: change.optional(),
          transition: deedOf(flow).optional(),
          dryRun: z.boolean().default(false),
          expected: count.optional(),
        })
        .refine((body) => (body.change === undefined) !== (body.transition === undefined), {
          message: 'either fields with their values, or a transition',
          path: ['change'],
          params: { code: 'either' },
        })
        .refine(({ selection, dryRun, expected }) => dryRun || !selection.query || expected !== undefined, {
          message: 'how many records are to be changed',
          path: ['expected'],
          params: { code: 'required' },
        }),
      response: z.object({ counted: count, action: bulkAction.nullable() }),
    }),
    /**
     * Undoes an action of the same user where nothing has changed since; `id` is the id of this new action.
     */
    undoBulk: endpoint({
      ...named,
      access: write,
      method: 'POST',
      path: `${one}/undo`,
      deed: 'change',
      summary: `Take back what one action did to many: each ${noun} on its own, in the background`,
      params,
      body: z.strictObject({ id }),
      response: bulkAction,
    }),
    /** The user's last action in this organization within a day, except dry runs. */
    lastBulk: endpoint({
      ...more,
      method: 'GET',
      path: `${path}/last`,
      deed: 'read',
      summary: `What became of the last action on many: ${noun}`,
      response: z.object({ action: bulkAction.nullable() }),
    }),
    readBulk: endpoint({
      ...more,
      method: 'GET',
      path: one,
      deed: 'read',
      summary: `How far an action on many has come: ${noun}`,
      params,
      response: bulkAction,
    }),
    /** `after`: the last id of the previous page. */
    refusedByBulk: endpoint({
      ...named,
      method: 'GET',
      path: `${one}/refused`,
      deed: 'read',
      summary: `The records that an action on many leaves as they are, and why: ${noun}`,
      params,
      query: z.strictObject({ after: id.optional() }),
      response: z.object({ refused: z.array(bulkRefusal), more: z.boolean() }),
    }),
  };
};
export type BulkEndpoints = ReturnType<typeof bulkOf<Record<string, unknown>>>;
