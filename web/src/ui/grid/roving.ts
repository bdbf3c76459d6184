import { type RefObject, useCallback, useRef } from 'react';
import { headerRow } from './table.ts';

/** A cell by its row, `headerRow` or counted from 0, and its column. */
export interface Place {
  row: number;
  column: number;
}

/** The grid's one tab stop, which moves from cell to cell. */
export interface Roving {
  /** Its position. */
  readonly at: Place;
  /** Moves the focus there, as soon as the cell is rendered. */
  goTo(place: Place): void;
  /** Called when the focus moves without the arrow keys: a click, Tab. */
  onFocus(target: EventTarget): void;
  /**
   * Called when headers or rows have been rendered, because the tab stop and its target come and go with
   * them.
   */
  settle(): void;
}

/**
 * Kept in the document instead of component state: an arrow key changes two attributes and renders nothing.
 * Cells have `data-row`, `data-column` and tabindex -1; the only cell of a row has `data-whole`.
 */
export function useRoving(
  scroller: RefObject<HTMLElement | null>,
  /** Renders a row that is not rendered yet, and scrolls to it. */
  show: RefObject<(row: number) => void>,
): Roving {
  const at = useRef<Place>({ row: headerRow, column: 0 });
  const wanted = useRef<Place | null>(null);

  const cellAt = useCallback(
    ({ row, column }: Place) =>
      scroller.current?.querySelector<HTMLElement>(
        `[data-row="${row}"]:is([data-column="${column}"], [data-whole])`,
      ) ?? null,
    [scroller],
  );
  const mark = useCallback(() => {
    // If its cell is gone, the first cell is the tab stop.
    const stop = cellAt(at.current) ?? cellAt({ row: headerRow, column: 0 });
    for (const cell of scroller.current?.querySelectorAll<HTMLElement>('[data-row][tabindex="0"]') ?? [])
      if (cell !== stop) cell.tabIndex = -1;
    if (stop && stop.tabIndex !== 0) stop.tabIndex = 0;
  }, [scroller, cellAt]);
  const reach = useCallback(() => {
    const cell = wanted.current && cellAt(wanted.current);
    if (!cell) return;
    const { row } = wanted.current!;
    wanted.current = null;
    cell.focus({ preventScroll: row >= 0 });
    cell.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [cellAt]);

  const settle = useCallback(() => {
    mark();
    reach();
  }, [mark, reach]);

  const roving = useRef<Roving>(undefined);
  roving.current ??= {
    get at() {
      return at.current;
    },
    goTo: (place) => {
      at.current = place;
      wanted.current = place;
      if (place.row >= 0 && !cellAt(place)) show.current(place.row);
      settle();
    },
    settle,
    onFocus: (target) => {
      const cell = (target as HTMLElement).closest<HTMLElement>('[data-row][data-column]');
      if (!cell) return;
      const { row, column, whole } = cell.dataset;
      // A heading is one cell as wide as the list: below it, the focus returns to its column.
      at.current = { row: Number(row), column: whole === undefined ? Number(column) : at.current.column };
      mark();
    },
  };
  return roving.current;
}
