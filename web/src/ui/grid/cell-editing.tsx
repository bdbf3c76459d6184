import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Place } from './roving.ts';

/** How the cells of a list are edited. */
export interface CellEdits<Row> {
  /** The columns whose cells can be edited, at least by some users and in some records. */
  fields: ReadonlySet<string>;
  /** Whether the reader may edit this cell now. Stays the same function, because every row depends on it. */
  may: (row: Row, field: string) => boolean;
  /** Says why this one cannot be edited. */
  refuse: (row: Row, field: string) => void;
  /** The field's control beside the cell. `onClose`: to the next (1) or previous (-1) cell, or back to it. */
  editor: (cell: {
    row: Row;
    field: string;
    anchor: HTMLElement;
    onClose: (step: -1 | 0 | 1) => void;
  }) => ReactNode;
}

/** The pencil's width at the edge of a cell, in px. */
const pencil = 26;

const isOnPencil = (cell: HTMLElement, { clientX }: MouseEvent) => {
  const { left, right } = cell.getBoundingClientRect();
  return cell.classList.contains('number') ? clientX < left + pencil : clientX > right - pencil;
};

/** The cell that is being edited, and every way to begin: F2, Enter, a double click, the pencil. */
export function useCellEditing<Row extends { id: string }>(
  edits: CellEdits<Row> | undefined,
  {
    scroller,
    goTo,
    rowAt,
    columns,
    before,
  }: {
    scroller: RefObject<HTMLElement | null>;
    goTo: (place: Place) => void;
    rowAt: (row: number) => Row | undefined;
    /** The visible columns from left to right. */
    columns: readonly string[];
    /** The number of columns before them. */
    before: number;
  },
): {
  editor: ReactNode;
  /** Whether the key began to edit this cell, or said why it cannot be edited. */
  onKey: (event: KeyboardEvent, row: Row, place: Place) => boolean;
  onClick: (event: MouseEvent) => void;
  onDoubleClick: (event: MouseEvent) => void;
} {
  const [cell, setCell] = useState<{ row: Row; field: string; anchor: HTMLElement; place: Place } | null>(
    null,
  );
  const then = useRef<Place | null>(null);
  useEffect(() => {
    // Only once the control is gone, which would take the focus back.
    if (cell !== null || then.current === null) return;
    goTo(then.current);
    then.current = null;
  }, [cell, goTo]);

  const begin = (row: Row, place: Place): boolean => {
    const field = columns[place.column - before];
    const anchor = scroller.current?.querySelector<HTMLElement>(
      `[data-row="${place.row}"][data-column="${place.column}"]`,
    );
    if (!edits || !anchor || field === undefined || !edits.may(row, field)) return false;
    setCell({ row, field, anchor, place });
    return true;
  };
  const beginAt = (event: MouseEvent, wanted: (cell: HTMLElement) => boolean) => {
    const clicked = event.target as HTMLElement;
    const at = clicked.closest<HTMLElement>('.edits');
    if (!at || clicked.closest('a, button, label') || !wanted(at)) return;
    const place = { row: Number(at.dataset.row), column: Number(at.dataset.column) };
    const row = rowAt(place.row);
    if (row) begin(row, place);
  };
  /** The place so many editable cells further in the same row; the same one if there is none. */
  const placeBy = (row: Row, place: Place, step: number): Place => {
    let at = place.column - before;
    do at += step;
    while (columns[at] !== undefined && !edits?.may(row, columns[at]!));
    return columns[at] === undefined ? place : { ...place, column: at + before };
  };

  return {
    editor:
      cell && edits ? (
        <Suspense fallback={null}>
          {edits.editor({
            ...cell,
            onClose: (step) => {
              then.current = step === 0 ? cell.place : placeBy(cell.row, cell.place, step);
              setCell(null);
            },
          })}
        </Suspense>
      ) : null,
    onKey: (event, row, place) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
      // Enter follows the link in the first column.
      const isAsked = event.key === 'F2' || (event.key === 'Enter' && place.column > before);
      if (!isAsked) return false;
      if (begin(row, place)) return true;
      const field = columns[place.column - before];
      if (event.key === 'Enter' || field === undefined || !edits?.fields.has(field)) return false;
      edits.refuse(row, field);
      return true;
    },
    onClick: (event) => beginAt(event, (at) => isOnPencil(at, event)),
    onDoubleClick: (event) =>
      beginAt(event, () => {
        window.getSelection()?.removeAllRanges();
        return true;
      }),
  };
}
