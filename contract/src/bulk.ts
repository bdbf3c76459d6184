import { z } from 'zod';
import type { Permission } from './endpoint.ts';
import { endpoint } from './endpoint.ts';
import type { Value } from './expression.ts';
import { type Grid, gridQuery, namedLimit } from './grid.ts';

/*
 * Many records of a kind changed by one deed, in the background: looked at first (`dryRun`), then changed, and taken back as
 * one. Each record is decided on its own, and says by a code why it stays as it is.
 */

/** How many records one action changes. */
export const bulkLimit = 100_000;
/** How many records that stay as they are one answer names. */
export const refusedPage = 100;

const id = z.uuid();
const count = z.int().min(0);

/** What one action does or did, as its owner is shown it. */
const bulkAction = z.object({
  id,
  /** `stopped`: before its end, see `stoppedBy`; what was changed until then stays. */
  state: z.enum(['running', 'done', 'stopped']),
  dryRun: z.boolean(),
  /** The action that it takes back. */
  undoes: id.nullable(),
  /** The fields with their new values; null where it takes back another one. */
  change: z.record(z.string(), z.unknown()).nullable(),
  /** The transition that is done to each; then the fields come with it. */
  transition: z.string().nullable(),
  at: z.iso.datetime(),
  total: count,
  /** Of these so many are decided: changed, the same already, or refused. */
  changed: count,
  same: count,
  refused: count,
  /** The error code of what its owner lacks since: a session, a membership, a permission. `internal`: a fault of ours. */
  stoppedBy: z.string().nullable(),
});
export type BulkAction = z.infer<typeof bulkAction>;

/**
 * A record that stays as it is, and why: the field that is in the way, where it is one. Its name, and the state that it is
 * in now, where the reader sees it.
 */
const bulkRefusal = z.object({
  id,
  name: z.string().nullable(),
  state: z.string().nullable(),
  code: z.string(),
  field: z.string().nullable(),
});
export type BulkRefusal = z.infer<typeof bulkRefusal>;

/** Which records: those that a list shows on all its pages but some, or those with these ids. */
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

/** The transitions that can be done to many, with the schemas of the fields and the reason that come with them. */
interface BulkTransitions {
  access: Permission;
  ids: readonly string[];
  fields: z.ZodType<Readonly<Record<string, Value>>>;
  reason: z.ZodOptional<z.ZodString>;
}

/** A transition that is done to many. */
interface BulkDeed {
  id: string;
  fields: Readonly<Record<string, Value>>;
  reason?: string | undefined;
}
const deedOf = (flow: BulkTransitions | undefined): z.ZodType<BulkDeed> =>
  flow ? z.strictObject({ id: z.enum(flow.ids), fields: flow.fields, reason: flow.reason }) : z.never();

/** The endpoints of a record; `change`: what can be set in many at once, `flow`: what can be done to them. */
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
  // Who may do transitions alone does them to many as well; setting fields asks for `write`.
  const more = { access: flow?.access ?? write } as const;
  const named = { ...more, patientData: true } as const;
  return {
    /**
     * Sets fields in many, or does a transition to each. `id`: of the action, made by the browser, so that a request that is sent again begins no second
     * one. `expected`: how many records the person was told of. Where there are more or fewer by now, nothing is begun, and
     * `counted` says how many.
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
    /** Takes back what an action of the same person did, where nothing has changed since; `id`: of this new action. */
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
    /** The last one of the person for this organization in a day, but for those that only looked. */
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
    /** `after`: the last id of the page before. */
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
