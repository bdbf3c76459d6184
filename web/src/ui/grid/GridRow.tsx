import type { Column } from '@caseway/contract/grid';
import { Fragment, memo, type ReactNode } from 'react';
import { SelectionCell } from './selection.tsx';
import type { CellTexts } from './values.tsx';

/** A column's layout for its cells. */
export interface CellPlan {
  field: string;
  column: Column;
  width: number;
  /** The distance from the left edge for a pinned column; null for the others. */
  left: number | null;
}

/** How a column shows its value in a row. */
export type Cells<Row> = Readonly<Partial<Record<string, (row: Row) => ReactNode>>>;

/**
 * The styles of all rows, set once for the list, because a separate style for every cell takes longer than
 * the cell.
 */
export const rowStyles = {
  '& .row': {
    display: 'flex',
    position: 'absolute',
    top: 0,
    left: 0,
    width: '100%',
    borderBottom: 1,
    borderColor: 'divider',
    backgroundColor: 'surface',
    // A change in a row affects only its own layout.
    contain: 'layout style',
    cursor: 'default',
  },
  '& .row.opens': { cursor: 'pointer' },
  '& .row:hover': { backgroundColor: 'canvas' },
  '& .row.group, & .row.group:hover': { backgroundColor: 'raised', cursor: 'pointer' },
  '& .row.group .cell': { position: 'sticky', left: 0, maxWidth: '100%' },
  '& .row.marked, & .row.marked:hover': { backgroundColor: 'tint' },
  '& .cell': {
    display: 'flex',
    alignItems: 'center',
    flex: 'none',
    paddingX: 2.5,
    fontSize: '0.8125rem',
    fontVariantNumeric: 'tabular-nums',
    lineHeight: 20 / 13,
    backgroundColor: 'inherit',
  },
  '&.measured .cell': { width: 'max-content !important' },
  // A pencil where a cell can be edited, in its padding and without an element of its own.
  '& .cell.edits': { position: 'relative', cursor: 'cell' },
  '& .cell.edits::after': {
    content: '""',
    position: 'absolute',
    right: 0,
    width: 10,
    height: 10,
    opacity: 0,
    cursor: 'pointer',
    backgroundColor: 'text.secondary',
    clipPath: 'polygon(72% 0, 100% 28%, 32% 96%, 0 100%, 4% 68%)',
  },
  '& .cell.number.edits::after': { right: 'auto', left: 0 },
  '& .cell.edits:hover::after, & .cell.edits:focus::after': { opacity: 1 },
  '@media (forced-colors: active)': { '& .cell.edits::after': { backgroundColor: 'CanvasText' } },
  '& .cell.number': { justifyContent: 'flex-end' },
  '& .cell.pinned': { position: 'sticky', zIndex: 1 },
  '& .cell > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  // A mark with its word is cut at the word.
  '& .cell > span > *': { maxWidth: '100%' },
  '& .cell a': { color: 'primary.main', textDecoration: 'none' },
  '& .cell a:hover': { textDecoration: 'underline' },
} as const;

interface GridRowProps<Row extends { id: string }> {
  row: Row;
  /** Its place on the page. */
  index: number;
  /** Its place among all matching rows, from 0. */
  place: number;
  top: number;
  height: number;
  minWidth: number;
  layout: readonly CellPlan[];
  texts: CellTexts;
  cells: Cells<Row>;
  valueIn: (row: Row, field: string) => unknown;
  /** The record's address, under the first cell; the list follows it. */
  href: string | null;
  opens: boolean;
  isOpen: boolean;
  isChosen: boolean;
  /** The name of its checkbox; null if rows cannot be selected. */
  choosesAs: string | null;
  onToggle: (id: string, on: boolean) => void;
  /** Whether rows open in a panel next to the list, so that this row says whether it is the open one. */
  saysOpen: boolean;
  /** Whether a cell can be edited; always the same function for a reader. */
  mayEdit: ((row: Row, field: string) => boolean) | undefined;
}

function Row<Row extends { id: string }>({
  row,
  index,
  place,
  top,
  height,
  minWidth,
  layout,
  texts,
  cells,
  valueIn,
  href,
  opens,
  isOpen,
  isChosen,
  choosesAs,
  onToggle,
  saysOpen,
  mayEdit,
}: GridRowProps<Row>) {
  const before = choosesAs === null ? 0 : 1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned, which a table's rows cannot be; the grid moves the focus.
    // biome-ignore lint/a11y/useFocusableInteractive: its cells have the focus.
    <div
      role="row"
      aria-rowindex={place + 2}
      aria-selected={choosesAs !== null ? isChosen : saysOpen ? isOpen : undefined}
      aria-current={choosesAs !== null && isOpen ? true : undefined}
      data-index={index}
      className={`row${opens ? ' opens' : ''}${isOpen || isChosen ? ' marked' : ''}`}
      style={{ transform: `translateY(${top}px)`, height, minWidth }}
    >
      {choosesAs === null ? null : (
        <SelectionCell
          role="gridcell"
          row={index}
          label={choosesAs}
          checked={isChosen}
          onToggle={(on) => onToggle(row.id, on)}
        />
      )}
      {layout.map(({ field, column, width, left }, at) => {
        const own = cells[field];
        // A custom cell may hold state, which belongs to this record.
        const content = own ? (
          <Fragment key={row.id}>{own(row)}</Fragment>
        ) : (
          texts(field, column, valueIn(row, field))
        );
        const edits = mayEdit?.(row, field);
        return (
          // biome-ignore lint/a11y/useSemanticElements: a cell of such a row.
          <div
            key={field}
            role="gridcell"
            aria-colindex={at + before + 1}
            data-row={index}
            data-column={at + before}
            aria-readonly={edits ? false : undefined}
            data-field={field}
            tabIndex={-1}
            className={`cell${column.kind === 'number' ? ' number' : ''}${edits ? ' edits' : ''}${left === null ? '' : ' pinned'}`}
            style={left === null ? { width } : { width, left }}
          >
            <span>
              {at === 0 && href !== null ? (
                <a href={href} data-follow tabIndex={-1}>
                  {content}
                </a>
              ) : (
                content
              )}
            </span>
          </div>
        );
      })}
    </div>
  );
}

/** One record of a list; rerendered only if it has changed. */
export const GridRow = memo(Row) as typeof Row;
