import {
  conditionsOf,
  countedGroups,
  type Grid,
  type GridQuery,
  type Grouping,
  gridQuery,
  type RowGroup,
} from '@caseway/contract/grid';
import { countedChoices } from '@caseway/contract/grid-counts';
import { missingKey } from '@caseway/contract/label';
import { z } from 'zod';
import type { Ask, Request } from '../analytics/engine.ts';
import { AnalyticsTimeout } from '../analytics/limits.ts';
import type { About, Answering, Reading } from '../analytics/readings.ts';
import { refusalOf } from '../analytics/refusal.ts';
import { statementFor } from '../analytics/visible-facts.ts';
import { AppError } from '../http/app-error.ts';
import type { Scope } from '../scope.ts';
import {
  type Band,
  bandStatement,
  choicesStatement,
  countedPageStatement,
  countStatement,
  countsStatement,
  descents,
  type Field,
  firstRowsStatement,
  type GridContext,
  type GridSource,
  groupsDescend,
  groupsStatement,
  idsStatement,
  type Param,
  pageStatement,
  type Row,
  type Statement,
  sampleStatement,
} from './grid-sql.ts';

/** A query, with everything besides the facts that its answer depends on. */
interface PageArgs extends Omit<GridContext, 'engine' | 'tenantId'> {
  query: GridQuery;
}

/** Queries that are only counted, so that order does not matter. */
interface CountsArgs extends Pick<PageArgs, 'timeZone'> {
  queries: readonly GridQuery[];
}

/** A query whose matching rows are counted by the choices of one filter. */
interface ChoicesArgs extends Pick<PageArgs, 'query' | 'timeZone'> {
  filter: string;
}
/** How many rows a choice has. */
export interface ChoiceCount {
  id: string;
  count: number;
}

/** A row by its id, with the key of its group if rows are grouped. */
interface FoundId {
  id: string;
  group?: string;
}
interface FirstRow extends FoundId {
  tenant_id: string;
  /** Its sort values as `key0`, `key1` …; an instant in milliseconds. */
  [key: `key${number}`]: string | number | boolean | null;
}
interface FirstRows {
  rows: FirstRow[];
  rowCount: number;
  groups?: RowGroup[] | undefined;
}
interface FoundHere extends Omit<FirstRows, 'rows'> {
  found: FoundId[];
}

/**
 * What a grid's search reads: a page in one tenant, the first rows of each tenant for a page over several, the ids
 * for an action on all rows, the number of rows for several queries, and the number for each choice of a filter.
 */
interface PageReadings {
  page: Reading<PageArgs, FoundHere>;
  firstRows: Reading<PageArgs, FirstRows>;
  ids: Reading<PageArgs & { most: number }, string[]>;
  counts: Reading<CountsArgs, number[]>;
  choices: Reading<ChoicesArgs, ChoiceCount[]>;
}

const readingsOfGrids = new WeakMap<GridSource, PageReadings>();

/** The readings of a grid, which `serveGrid` declares. */
export function pageReadings(source: GridSource): PageReadings {
  const known = readingsOfGrids.get(source);
  if (known) return known;
  const grid: Grid = source.grid;
  const shape = {
    query: gridQuery(grid),
    timeZone: z.string(),
    orders: z.record(z.string(), z.array(z.string())),
  };
  const args = z.strictObject(shape) as unknown as z.ZodType<PageArgs>;
  const contextOf = (
    { timeZone, orders = {} }: Pick<PageArgs, 'timeZone'> & Partial<PageArgs>,
    { by, scopes: [scope] }: About,
  ): GridContext => ({
    tenantId: tenantIn(scope),
    timeZone,
    orders,
    engine: by === 'duckdb' ? 'duckdb' : 'postgres',
  });
  const made: PageReadings = {
    page: {
      name: `grid/${grid.id}/page`,
      asks: 'list',
      args,
      run: (ask, given, about) =>
        findHere(asking(ask, source, about), source, given.query, contextOf(given, about)),
    },
    firstRows: {
      name: `grid/${grid.id}/first-rows`,
      asks: 'list',
      args,
      run: (ask, given, about) =>
        firstRows(asking(ask, source, about), source, given.query, contextOf(given, about)),
    },
    ids: {
      name: `grid/${grid.id}/ids`,
      asks: 'list',
      args: z.strictObject({ ...shape, most: z.int() }) as unknown as z.ZodType<PageArgs & { most: number }>,
      async run(ask, { most, ...given }, about) {
        const statement = idsStatement(source, given.query, contextOf(given, about), most);
        return (await run<{ id: string }>(asking(ask, source, about), statement)).map(({ id }) => id);
      },
    },
    counts: {
      name: `grid/${grid.id}/counts`,
      asks: 'list',
      args: z.strictObject({
        queries: z.array(shape.query),
        timeZone: z.string(),
      }) as unknown as z.ZodType<CountsArgs>,
      async run(ask, { queries, ...given }, about) {
        const statement = countsStatement(source, queries, contextOf(given, about));
        const [counts] = await run<Record<string, number>>(asking(ask, source, about), statement);
        return queries.map((_, index) => counts![`count${index}`]!);
      },
    },
    choices: {
      name: `grid/${grid.id}/choices`,
      asks: 'list',
      args: z.strictObject({
        query: shape.query,
        filter: z.enum(grid.filters),
        timeZone: z.string(),
      }) as unknown as z.ZodType<ChoicesArgs>,
      run(ask, { query, filter, ...given }, about) {
        const statement = choicesStatement(
          source,
          query,
          filter,
          contextOf(given, about),
          countedChoices + 1,
        );
        return run<ChoiceCount>(asking(ask, source, about), statement);
      },
    },
  };
  readingsOfGrids.set(source, made);
  return made;
}

/** A list that is not over a fact but shows the rows behind a number names facts, as this reader may see them. */
function asking(ask: Ask, { fact, behind }: GridSource, { scopes: [scope] }: About): Ask {
  const facts = behind?.facts;
  if (fact || !facts || !scope) return ask;
  return (question) => {
    const { text, params } = statementFor(facts, scope, question, 'postgres', { asks: 'list' });
    return ask({ select: text, params });
  };
}

function tenantIn(scope: Scope | undefined): string {
  if (!scope || !('tenantId' in scope)) throw new Error('rows of a grid belong to a tenant');
  return scope.tenantId;
}

/** The ids of a page's rows in order, with their groups, and the number of matching rows in all and in each group. */
export interface FoundRows {
  rows: (FoundId & { tenantId: string })[];
  rowCount: number;
  groups?: RowGroup[] | undefined;
}

export interface FindOptions {
  /** One per tenant; several for a jurisdiction. */
  scopes: readonly (Scope & { tenantId: string })[];
  context: Omit<GridContext, 'engine' | 'tenantId'>;
  signal?: AbortSignal;
  /** Milliseconds for everything; by default the time that a list may take. */
  budgetMs?: number;
}

/** The time that a list may take in all, including the wait for the replica. [P19] */
const listBudgetMs = 1900;
/** From this row on, DuckDB would sort everything to find a page; see the record on grids on the replica. */
const farOffset = 2000;
const sampleSize = 4000;

/**
 * Queries the facts for a page of a grid: the ids of its rows, and the exact number of matching rows. Both come from
 * one state of the facts, which includes everything committed before the call. Only if PostgreSQL would have to
 * answer and is too slow, the replica answers as it is. Throws `query-too-slow` if that also takes too long.
 */
export async function findRows(
  analytics: Pick<Answering, 'answer'>,
  source: GridSource,
  query: GridQuery,
  { scopes, context, signal, budgetMs = listBudgetMs }: FindOptions,
): Promise<FoundRows> {
  const readings = pageReadings(source);
  const args: PageArgs = { query, ...context };
  return inTime(budgetMs, async (freshness, timeoutMs): Promise<FoundRows> => {
    const asked = (scope: Scope): Request => ({
      scopes: [scope],
      freshness,
      signal,
      timeoutMs,
      urgency: 'list',
    });
    const [only] = scopes;
    if (only && scopes.length === 1) {
      const { found, ...counts } = await analytics.answer(asked(only), readings.page, args);
      return { rows: found.map((row) => ({ ...row, tenantId: only.tenantId })), ...counts };
    }
    const parts = scopes.map((scope) => analytics.answer(asked(scope), readings.firstRows, args));
    return merged(await Promise.all(parts), source, query, context);
  });
}

/**
 * The ids of the matching rows in each tenant, in any order; `most`: at most this many of each. From the same state
 * of the facts as a page of the list.
 */
export function findIds(
  analytics: Pick<Answering, 'answer'>,
  source: GridSource,
  query: GridQuery,
  { scopes, context, signal, budgetMs = listBudgetMs }: FindOptions,
  most: number,
): Promise<Map<string, string[]>> {
  const { ids } = pageReadings(source);
  return inTime(budgetMs, async (freshness, timeoutMs) => {
    const found = scopes.map(async (scope): Promise<[string, string[]]> => {
      const asked: Request = { scopes: [scope], freshness, signal, timeoutMs, urgency: 'list' };
      return [scope.tenantId, await analytics.answer(asked, ids, { query, ...context, most })];
    });
    return new Map(await Promise.all(found));
  });
}

type CountOptions = Omit<FindOptions, 'context'> & Pick<GridContext, 'timeZone'>;

/** The answers of a reading in each scope, in order. */
const inEachScope = <Args, Answer>(
  analytics: Pick<Answering, 'answer'>,
  reading: Reading<Args, Answer>,
  args: Args,
  { scopes, signal, budgetMs = listBudgetMs }: CountOptions,
): Promise<Answer[]> =>
  inTime(budgetMs, (freshness, timeoutMs) =>
    Promise.all(
      scopes.map((scope) =>
        analytics.answer({ scopes: [scope], freshness, signal, timeoutMs, urgency: 'list' }, reading, args),
      ),
    ),
  );

/** The number of matching rows for each query, in all tenants together. */
export async function countFound(
  analytics: Pick<Answering, 'answer'>,
  source: GridSource,
  queries: readonly GridQuery[],
  options: CountOptions,
): Promise<number[]> {
  const { timeZone } = options;
  const ofEach = await inEachScope(analytics, pageReadings(source).counts, { queries, timeZone }, options);
  return queries.map((_, index) => ofEach.reduce((sum, one) => sum + one[index]!, 0));
}

/**
 * The number of matching rows for each choice of a filter, in all tenants together; up to one choice over the limit.
 */
export async function countChoices(
  analytics: Pick<Answering, 'answer'>,
  source: GridSource,
  query: GridQuery,
  filter: string,
  options: CountOptions,
): Promise<ChoiceCount[]> {
  const { timeZone } = options;
  const { choices } = pageReadings(source);
  const ofEach = await inEachScope(analytics, choices, { query, filter, timeZone }, options);
  const sums = new Map<string, number>();
  for (const { id, count } of ofEach.flat()) sums.set(id, (sums.get(id) ?? 0) + count);
  return [...sums]
    .map(([id, count]) => ({ id, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, countedChoices + 1);
}

/** Queries the current state of the facts and, if that takes too long, the facts as they are. */
async function inTime<T>(
  budgetMs: number,
  within: (freshness: 'current' | 'any', timeoutMs: number) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + budgetMs;
  try {
    return await within('current', budgetMs * 0.6);
  } catch (error) {
    if (!(error instanceof AnalyticsTimeout)) throw error;
  }
  try {
    return await within('any', deadline - performance.now());
  } catch (error) {
    throw refusalOf(error);
  }
}

const run = <R extends object>(ask: Ask, statement: Statement): Promise<R[]> => ask<R>(statement);

async function findHere(
  ask: Ask,
  source: GridSource,
  query: GridQuery,
  context: GridContext,
): Promise<FoundHere> {
  const { page, pageSize: limit } = query.paginationModel;
  const offset = page * limit;
  const groups = await groupsOf(ask, source, query, context);
  const counted = async () =>
    (await run<{ rowCount: number }>(ask, countStatement(source, query, context)))[0]!.rowCount;
  const answer = (found: FoundId[], rowCount: number): FoundHere => ({
    found: found.map(({ id, group }) => ({ id, ...(group !== undefined && { group }) })),
    rowCount,
    ...(groups && { groups }),
  });
  const isNear = offset < farOffset || context.engine !== 'duckdb';
  // Conditions on columns and words have to read every row; codes and ranges cost almost nothing.
  const { quickFilterValues = [] } = query.filterModel;
  if (isNear && (conditionsOf(query.filterModel).length > 0 || quickFilterValues.length > 0)) {
    const statement = countedPageStatement(source, query, context, { offset, limit });
    const found = await run<FoundId & { rowCount: number }>(ask, statement);
    if (found[0]) return answer(found, found[0].rowCount);
    return answer([], offset === 0 ? 0 : await counted());
  }
  if (isNear) {
    const found = await run<FoundId>(ask, pageStatement(source, query, context, { offset, limit }));
    // A page that is not full shows how many rows there are.
    const isLast = found.length < limit && (found.length > 0 || offset === 0);
    return answer(found, isLast ? offset + found.length : await counted());
  }
  const rowCount = await counted();
  if (offset >= rowCount) return answer([], rowCount);
  const narrowed = await bandOf(ask, source, query, context, { offset, limit, rowCount });
  const place = narrowed ?? { offset, limit };
  return answer(await run<FoundId>(ask, pageStatement(source, query, context, place)), rowCount);
}

/** The number of rows in each group, the first group first; undefined if rows are not grouped. */
async function groupsOf(
  ask: Ask,
  source: GridSource,
  query: GridQuery,
  context: GridContext,
): Promise<RowGroup[] | undefined> {
  const { grouping } = query;
  if (!grouping) return undefined;
  return run<RowGroup>(ask, groupsStatement(source, { ...query, grouping }, context, countedGroups));
}

/**
 * A part of the rows that certainly contains the page and is much smaller than all of them, found with a sample of
 * the first sort field. Sorting only a few hundredths of the rows makes far pages fast. Undefined if the sample was
 * misleading.
 */
async function bandOf(
  ask: Ask,
  source: GridSource,
  query: GridQuery,
  context: GridContext,
  { offset, limit, rowCount }: { offset: number; limit: number; rowCount: number },
): Promise<{ offset: number; limit: number; band: Band } | undefined> {
  const sampled = await run<{ key: Row[string] }>(ask, sampleStatement(source, query, context, sampleSize));
  const descending = descents(source, query)[0]!;
  const keys = sampled.map(({ key }) => key).sort((a, b) => compareBy(descending, a, b));
  const size = keys.length;
  // Five standard deviations of a sampled row's position, so that the band practically never misses the page.
  const margin = (share: number) => 5 * Math.sqrt(size * share * (1 - share)) + 2;
  const from = offset / rowCount;
  const to = Math.min(1, (offset + limit) / rowCount);
  const low = keys[Math.max(0, Math.floor(from * size - margin(from)))];
  const high = keys[Math.min(size - 1, Math.ceil(to * size + margin(to)))];
  if (low === undefined || high === undefined) return undefined;
  const band = { low: asParam(low, descending ? 1 : -1), high: asParam(high, descending ? -1 : 1) };
  const [counts] = await run<{ before: number; within: number }>(
    ask,
    bandStatement(source, query, context, band),
  );
  const { before, within } = counts!;
  if (before > offset || before + within < Math.min(offset + limit, rowCount)) return undefined;
  return { offset: offset - before, limit, band };
}

/** A sampled value as a parameter. Instants are cut to milliseconds, so a bound is moved outwards by one. */
function asParam(value: Row[string], outwards: 1 | -1): Param {
  return value instanceof Date ? new Date(value.getTime() + outwards).toISOString() : value;
}

/** The rows of one tenant that can be on a page over several: those up to its end, with their sort values. */
async function firstRows(
  ask: Ask,
  source: GridSource,
  query: GridQuery,
  context: GridContext,
): Promise<FirstRows> {
  const { page, pageSize: limit } = query.paginationModel;
  const upTo = (page + 1) * limit;
  if (upTo > mergeLimit) throw new AppError('page-too-far');
  const [{ rowCount }] = (await run<{ rowCount: number }>(ask, countStatement(source, query, context))) as [
    { rowCount: number },
  ];
  const rows = await run<Row>(ask, firstRowsStatement(source, query, context, upTo));
  const plain = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.getTime() : value]),
    ),
  );
  const groups = await groupsOf(ask, source, query, context);
  return { rows: plain as unknown as FirstRow[], rowCount, ...(groups && { groups }) };
}

/** The number of rows of each tenant that a page over several tenants may need. */
const mergeLimit = 20_000;

function merged(
  parts: FirstRows[],
  source: GridSource,
  query: GridQuery,
  { orders }: Pick<GridContext, 'orders'>,
): FoundRows {
  const { page, pageSize: limit } = query.paginationModel;
  const descending = descents(source, query);
  const rows = parts.flatMap((part) => part.rows);
  rows.sort((a, b) => {
    for (const [index, descends] of descending.entries()) {
      const order = compareBy(descends, a[`key${index}`]!, b[`key${index}`]!);
      if (order !== 0) return order;
    }
    return a.id < b.id ? -1 : 1;
  });
  return {
    rows: rows.slice(page * limit, (page + 1) * limit).map(({ tenant_id, id, group }) => ({
      tenantId: tenant_id,
      id,
      ...(group !== undefined && { group }),
    })),
    rowCount: parts.reduce((sum, part) => sum + part.rowCount, 0),
    ...(query.grouping && {
      groups: mergedGroups(
        parts.flatMap(({ groups = [] }) => groups),
        source,
        { ...query, grouping: query.grouping },
        orders,
      ),
    }),
  };
}

/** The groups of several tenants as one list, in the order of each tenant. */
function mergedGroups(
  groups: readonly RowGroup[],
  source: GridSource,
  query: GridQuery & { grouping: Grouping },
  orders: GridContext['orders'],
): RowGroup[] {
  const counts = new Map<string, number>();
  for (const { key, count } of groups) counts.set(key, (counts.get(key) ?? 0) + count);
  const field = (source.fields as Record<string, Field>)[query.grouping.by];
  const order = field?.kind === 'choice' ? field.order : [];
  const places = new Map(
    (typeof order === 'string' ? orders[order]! : order).map((key, place): [string, number] => [key, place]),
  );
  const descending = groupsDescend(query);
  const known = (key: string) => (key === missingKey ? null : key);
  return [...counts]
    .map(([key, count]): RowGroup => ({ key, count }))
    .sort(
      (one, other) =>
        compareBy(descending, places.get(one.key) ?? null, places.get(other.key) ?? null) ||
        compareBy(descending, known(one.key), known(other.key)),
    )
    .slice(0, countedGroups);
}

/** Compares two values of a sort field like the engines: texts by code point, null last in both directions. */
function compareBy(descending: boolean, a: Row[string], b: Row[string]): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const order =
    typeof a === 'string' && typeof b === 'string'
      ? Buffer.compare(Buffer.from(a), Buffer.from(b))
      : Number(a) - Number(b);
  return descending ? -order : order;
}
