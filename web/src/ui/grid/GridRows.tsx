import Box from '@mui/material/Box';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';
import { followedLink } from '../FollowLinks.tsx';
import { GridRow, rowStyles } from './GridRow.tsx';
import { type GroupLine, isRow, type Line } from './groups.ts';
import type { Roving } from './roving.ts';
import { headerHeight, headerRow } from './table.ts';

type OfRow<Row extends { id: string }> = ComponentProps<typeof GridRow<Row>>;

/** Draws a row that is not drawn yet, and scrolls to it. */
export type ShowRow = (row: number) => void;

/**
 * The rows in sight, and a few around them. It is apart from the list around it because scrolling draws it again: the
 * toolbar, the headers and the footer stay as they are.
 */
export function GridRows<Row extends { id: string }>({
  scroller,
  roving,
  showRow,
  toTop,
  lines,
  headingOf,
  isLate,
  width,
  height,
  nameOf,
  isChosen,
  href,
  openId,
  onOpen,
  onFollow,
  onToggleGroup,
  onDrawn,
  ...ofRow
}: {
  scroller: RefObject<HTMLElement | null>;
  roving: Roving;
  /** Is given what shows a row. */
  showRow: RefObject<ShowRow>;
  /** Is given what scrolls to the first row. */
  toTop: RefObject<() => void>;
  lines: readonly Line<Row>[];
  /** What the heading of a group says. */
  headingOf: (line: GroupLine) => ReactNode;
  /** Other rows are on their way. */
  isLate: boolean;
  /** Of all columns. */
  width: number;
  /** Of a row. */
  height: number;
  /** The label of a row's checkbox; null: rows cannot be chosen. */
  nameOf: ((row: Row) => string) | null;
  isChosen: (id: string) => boolean;
  href: ((row: Row) => string) | undefined;
  openId: string | null;
  /** Opens a row that was clicked. */
  onOpen: (row: Row) => void;
  /** Goes to the address of a row. */
  onFollow: (row: Row) => void;
  onToggleGroup: (group: string) => void;
  /** Called when rows have been drawn. */
  onDrawn: () => void;
} & Pick<OfRow<Row>, 'layout' | 'texts' | 'cells' | 'valueIn' | 'opens' | 'onToggle' | 'saysOpen'>) {
  const [called, setCalled] = useState(headerRow);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    scrollMargin: 0,
    scrollPaddingStart: headerHeight,
    overscan: 4,
    // The row with the focus stays visible wherever the list is scrolled.
    // biome-ignore lint/correctness/useExhaustiveDependencies: a requested row is another range.
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range);
        const { row } = roving.at;
        return row < 0 || row >= range.count || shown.includes(row)
          ? shown
          : [...shown, row].sort((a, b) => a - b);
      },
      [roving, called],
    ),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another density is another height of every row.
  useEffect(() => virtualizer.measure(), [height]);
  useLayoutEffect(() => {
    showRow.current = (row) => {
      setCalled(row);
      virtualizer.scrollToIndex(row, { align: 'auto' });
    };
    // To ask the page where it is would lay out all of it once more.
    toTop.current = () => {
      if (virtualizer.scrollOffset !== 0) virtualizer.scrollToOffset(0);
    };
    onDrawn();
  });
  return (
    <Box
      role="rowgroup"
      onClick={(event) => {
        const target = event.target as HTMLElement;
        const line = lines[Number(target.closest<HTMLElement>('[data-index]')?.dataset.index)];
        if (!line) return;
        if (!isRow(line)) {
          onToggleGroup(line.group);
          return;
        }
        const { row } = line;
        if (target.closest('a[data-follow]')) {
          if (followedLink(event)) onFollow(row);
          // Selecting text with the mouse is not a click on the record.
        } else if (String(window.getSelection()) === '' && !target.closest('a, button, label')) onOpen(row);
      }}
      sx={rowStyles}
      style={{
        position: 'relative',
        minWidth: width,
        height: virtualizer.getTotalSize(),
        opacity: isLate ? 0.7 : 1,
      }}
    >
      {virtualizer.getVirtualItems().map((item) => {
        const line = lines[item.index];
        if (!line) return null;
        if (!isRow(line))
          return (
            // biome-ignore lint/a11y/useSemanticElements: rows are positioned, which a table's rows cannot be; the grid moves the focus.
            // biome-ignore lint/a11y/useFocusableInteractive: its cell has the focus.
            <div
              key={`group ${item.index}`}
              role="row"
              data-index={item.index}
              className="row group"
              style={{ transform: `translateY(${item.start}px)`, height, minWidth: width }}
            >
              {/* biome-ignore lint/a11y/useSemanticElements: a cell of such a row. */}
              <div
                role="gridcell"
                aria-colindex={1}
                aria-colspan={ofRow.layout.length + (nameOf ? 1 : 0)}
                aria-expanded={!line.isClosed}
                data-row={item.index}
                data-column={0}
                data-whole
                tabIndex={-1}
                className="cell"
              >
                {headingOf(line)}
              </div>
            </div>
          );
        const { row, place } = line;
        return (
          <GridRow
            // By its place: another page fills the rows that are there, which is half the work of other rows.
            key={item.index}
            {...ofRow}
            row={row}
            index={item.index}
            place={place}
            top={item.start}
            height={height}
            minWidth={width}
            href={href ? href(row) : null}
            isOpen={row.id === openId}
            isChosen={isChosen(row.id)}
            choosesAs={nameOf ? nameOf(row) : null}
          />
        );
      })}
    </Box>
  );
}
