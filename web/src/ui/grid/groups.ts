import { type GridAnswer, type Grouping, mostClosed } from '@caseway/contract/grid';
import type { GridState } from '../../view/use-grid.ts';

/** A group's heading. `count` is null for groups after the first thousand. */
export interface GroupLine {
  group: string;
  count: number | null;
  isClosed: boolean;
}
/** A line of a list: a row with its place among all matching rows, from 0, or a group's heading. */
export type Line<Row> = { row: Row; place: number } | GroupLine;
export const isRow = <Row>(line: Line<Row> | undefined): line is { row: Row; place: number } =>
  line !== undefined && 'row' in line;

/** How many rows of open groups come before each group. */
function starts(groups: readonly { key: string; count: number }[], closed: readonly string[]): number[] {
  let rows = 0;
  return groups.map(({ key, count }) => {
    const start = rows;
    if (!closed.includes(key)) rows += count;
    return start;
  });
}

/**
 * A page's lines: its rows, and the heading of each group that starts on it, including closed ones. A group
 * continued from the previous page has its heading again.
 */
export function linesOf<Row extends { id: string }>({
  rows,
  rowCount,
  groups,
  groupOf,
  firstPlace,
  pageSize,
  grouping,
}: Pick<GridAnswer<Row>, 'groups' | 'groupOf'> & {
  rows: readonly Row[];
  rowCount: number | undefined;
  firstPlace: number;
  pageSize: number;
  grouping: Grouping | undefined;
}): Line<Row>[] {
  const lines = rows.map((row, index) => ({ row, place: firstPlace + index }));
  if (!grouping || !groups || !groupOf) return lines;
  const { closed = [] } = grouping;
  const ofGroup = Map.groupBy(lines, ({ row }) => groupOf[row.id]!);
  const continued = rows[0] && groupOf[rows[0].id];
  const end = firstPlace + pageSize;
  const isLast = rowCount === undefined || end >= rowCount;
  const begins = starts(groups, closed);
  const headed = groups
    .filter(({ key }, index) => {
      const start = begins[index]!;
      return key === continued || (start >= firstPlace && (start < end || isLast));
    })
    .map(({ key, count }) => ({ key, count }));
  // Rows of a group that was not counted, or that the answer did not know yet.
  const others = [...ofGroup.keys()]
    .filter((key) => !headed.some((one) => one.key === key))
    .map((key) => ({ key, count: null }));
  return [...headed, ...others].flatMap(({ key, count }): Line<Row>[] => {
    const isClosed = closed.includes(key);
    return [{ group: key, count, isClosed }, ...(isClosed ? [] : (ofGroup.get(key) ?? []))];
  });
}

type Grouped = Pick<GridState<unknown>, 'view' | 'groups' | 'setGrouping'>;

/** How many records match, including those in closed groups; undefined while unknown. */
export function countOfAll({ view, groups, rowCount }: Grouped & Pick<GridState<unknown>, 'rowCount'>) {
  const { closed = [] } = view.grouping ?? {};
  return groups && rowCount !== undefined
    ? groups.reduce((sum, { key, count }) => (closed.includes(key) ? sum + count : sum), rowCount)
    : rowCount;
}

/** Opens a closed group or closes an open one, and shows the page with its heading. Returns that page. */
export function toggleGroup({ view, groups = [], setGrouping }: Grouped, key: string): number {
  const { pageSize, page } = view.paginationModel;
  const { closed = [], ...grouping } = view.grouping!;
  const next = closed.includes(key) ? closed.filter((one) => one !== key) : [...closed, key];
  if (next.length > mostClosed) return page;
  const at = groups.findIndex((group) => group.key === key);
  const to = at < 0 ? page : Math.floor(starts(groups, closed)[at]! / pageSize);
  setGrouping({ ...grouping, ...(next.length > 0 && { closed: next }) }, to);
  return to;
}
