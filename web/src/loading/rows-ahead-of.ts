import { addDays } from '@caseway/contract/date-range';
import { type Grid, isGrid } from '@caseway/contract/grid';
import { gridRequest, initialGridView } from '@caseway/contract/search-params';
import type { RowsAhead } from './rows-ahead.ts';

/** The grids the contract declares, on their own or in a record. */
export const declaredGrids: readonly Grid[] = Object.values(
  import.meta.glob<object>(['../../../contract/src/*.ts', '!../../../contract/src/*.test.ts'], {
    eager: true,
  }),
)
  .flatMap((module) => Object.values(module))
  .flatMap((value) => [value, ...Object.values((value as { grids?: object } | null)?.grids ?? {})])
  .filter(isGrid);

/** Test days for a range: more than a year, with its leap day. */
const trial = Array.from({ length: 800 }, (_, index) => addDays('2027-06-15', index));

/**
 * What the page needs to know of a list; undefined if its range is not a number of days before or after
 * today.
 */
export function rowsAheadOf(grid: Grid): RowsAhead | undefined {
  const view = initialGridView(grid);
  const rangeOn = (today: string) => gridRequest(grid, view, today).dateRangeValue;
  const dayOf = (of: 'start' | 'end'): string | number | undefined => {
    const isAlways = (day: (today: string) => string) =>
      trial.every((today) => rangeOn(today)?.[of] === day(today));
    const [first] = trial as [string];
    const shown = rangeOn(first)![of];
    if (isAlways(() => shown)) return shown;
    const days = Math.round((Date.parse(shown) - Date.parse(first)) / 86_400_000);
    return isAlways((today) => addDays(today, days)) ? days : undefined;
  };
  const ofList = {
    grid: grid.id,
    permission: grid.permission,
    sortModel: view.sortModel,
    paginationModel: view.paginationModel,
    filters: view.filters,
  };
  if (!rangeOn(trial[0]!)) return ofList;
  const [start, end] = [dayOf('start'), dayOf('end')];
  return start === undefined || end === undefined ? undefined : { ...ofList, days: [start, end] };
}
