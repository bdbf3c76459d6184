import { endpoint } from '@caseway/contract/endpoint';
import type { GridQuery } from '@caseway/contract/grid';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { z } from 'zod';
import { useApi } from '../data/api.ts';
import { store, useAppSelector } from '../session/store.ts';
import { viewSet } from './views.ts';

/*
 * The list a record was opened from. The record's history entry has the list and the place in it, and nothing
 * that the user typed [P16]; this tab remembers the list's query, and forgets it with the session.
 */

const opening = z.object({
  /** The id of the list's grid. */
  grid: z.string(),
  /** The place among all matching rows, from 0. */
  place: z.number().int().min(0),
  /** The row's property with the record's id in its address. */
  by: z.string(),
});
export type Opening = z.infer<typeof opening>;

/** The history state with which a row leads to its record; none if the row has no such record. */
export const openedRow = (
  row: Readonly<Record<string, unknown>>,
  grid: string,
  place: number,
  by = 'id',
): { list: Opening } | null => (typeof row[by] === 'string' ? openedFrom(grid, place, by) : null);

/** The same for a row that has one. */
export const openedFrom = (grid: string, place: number, by = 'id'): { list: Opening } => ({
  list: { grid, place, by },
});

const codecOf = (grid: string) => ({ id: `list/${grid}`, acrossOrgs: () => null });

/** Remembers a list's query, for the records opened from it. */
export function useRememberedList(grid: string, request: GridQuery): void {
  useEffect(() => {
    store.dispatch(viewSet(codecOf(grid), request));
  }, [grid, request]);
}

const searches = new Map<string, ReturnType<typeof searchOf>>();
const searchOf = (grid: string) =>
  endpoint({
    method: 'POST',
    path: `/api/web/grid/${grid}/search`,
    access: 'signed-in',
    deed: 'search',
    summary: 'Rows of the list from which a record was opened',
    body: z.unknown(),
    response: z.object({ rows: z.array(z.looseObject({ id: z.string() })), rowCount: z.number().int() }),
  });
function searchIn(grid: string) {
  const search = searches.get(grid) ?? searchOf(grid);
  searches.set(grid, search);
  return search;
}

/**
 * How long a list's pages count as fresh for moving through records, in milliseconds; changes are reloaded at
 * once.
 */
const freshMs = 60_000;

/** A record to move to. */
interface Neighbor {
  id: string;
  state: { list: Opening };
}

/** A record's place in the list it was opened from, and its neighbors. */
export interface ListPlace {
  /** From 1; null if it is no longer in the list. */
  number: number | null;
  count: number;
  previous: Neighbor | null;
  next: Neighbor | null;
}

/** The list and the place from which the screen's record was opened; null if it was opened by its link. */
export function useOpening(): Opening | null {
  const { state } = useLocation();
  return opening.safeParse((state as { list?: unknown } | null)?.list).data ?? null;
}

/** A record's place in the list it was opened from; null until it is known. */
export function useListPlace(id: string, from: Opening): ListPlace | null {
  const remembered = useAppSelector(({ views }) => views[codecOf(from.grid).id]?.view);
  const request = remembered as GridQuery | undefined;
  const size = request?.paginationModel.pageSize ?? 1;
  const page = Math.floor(from.place / size);
  const pageOf = (number: number, enabled: boolean) => ({
    input: { body: { ...request, paginationModel: { page: number, pageSize: size } } },
    options: { enabled: request !== undefined && enabled, staleTime: freshMs, keepPrevious: false },
  });
  const search = searchIn(from.grid);
  const [here, before, after] = [
    pageOf(page, true),
    pageOf(page - 1, page > 0 && from.place % size === 0),
    pageOf(page + 1, from.place % size === size - 1),
  ];
  const shown = useApi(search, here.input, here.options).data;
  const rowsBefore = useApi(search, before.input, before.options).data?.rows ?? [];
  const hasAfter = shown !== undefined && (page + 1) * size < shown.rowCount;
  const rowsAfter =
    useApi(search, after.input, { ...after.options, enabled: after.options.enabled && hasAfter }).data
      ?.rows ?? [];
  if (!request || !shown) return null;
  const rows = [...rowsBefore, ...shown.rows, ...rowsAfter];
  const start = page * size - rowsBefore.length;
  return placeIn(rows, start, shown.rowCount, id, from);
}

/**
 * A record's place among loaded rows, the first of which is at `start`. A moved record is found at its new
 * place; if it has left the list, the row now in its place is the next one.
 */
export function placeIn(
  rows: readonly Readonly<Record<string, unknown>>[],
  start: number,
  count: number,
  id: string,
  { grid, place, by }: Opening,
): ListPlace {
  const isHere = (index: number) => rows[index]?.[by] === id;
  const expected = place - start;
  const found = rows.flatMap((_, index) => (isHere(index) ? [index] : []));
  const at = found.sort((a, b) => Math.abs(a - expected) - Math.abs(b - expected))[0];
  /** The nearest row from here on in this direction that has such a record. */
  const neighbor = (from: number, step: 1 | -1): Neighbor | null => {
    for (let index = from; index in rows; index += step) {
      const next = rows[index]![by];
      if (typeof next === 'string') return { id: next, state: openedFrom(grid, start + index, by) };
    }
    return null;
  };
  return at === undefined
    ? { number: null, count, previous: neighbor(expected - 1, -1), next: neighbor(expected, 1) }
    : { number: start + at + 1, count, previous: neighbor(at - 1, -1), next: neighbor(at + 1, 1) };
}
