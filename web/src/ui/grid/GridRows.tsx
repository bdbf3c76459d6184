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

/** Renders a row that is not rendered yet, and scrolls to it. */
export type ShowRow = (row: number) => void;

/**
 * The visible rows, and a few around them. Separate from the list around it, because scrolling rerenders it:
 * toolbar, headers and footer stay as they are.
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
  /** Receives the function that shows a row. */
  showRow: RefObject<ShowRow>;
  /** Receives the function that scrolls to the first row. */
  toTop: RefObject<() => void>;
  lines: readonly Line<Row>[];
  /** The text of a group's heading. */
  headingOf: (line: GroupLine) => ReactNode;
  /** Other rows are loading. */
  isLate: boolean;
  /** The width of all columns. */
  width: number;
  /** The height of a row. */
  height: number;
  /** The label of a row's checkbox; null if rows cannot be selected. */
  nameOf: ((row: Row) => string) | null;
  isChosen: (id: string) => boolean;
  href: ((row: Row) => string) | undefined;
  openId: string | null;
  /** Opens a clicked row. */
  onOpen: (row: Row) => void;
  /** Goes to a row's address. */
  onFollow: (row: Row) => void;
  onToggleGroup: (group: string) => void;
  /** Called after rows have been rendered. */
  onDrawn: () => void;
} & Pick<
  OfRow<Row>,
  'layout' | 'texts' | 'cells' | 'valueIn' | 'opens' | 'onToggle' | 'saysOpen' | 'mayEdit'
>) {
  const [called, setCalled] = useState(headerRow);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    scrollMargin: 0,
    scrollPaddingStart: headerHeight,
    overscan: 2,
    // The focused row stays rendered wherever the list is scrolled.
    // biome-ignore lint/correctness/useExhaustiveDependencies: a requested row changes the range.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the density changes the height of every row.
  useEffect(() => virtualizer.measure(), [height]);
  useLayoutEffect(() => {
    showRow.current = (row) => {
      setCalled(row);
      virtualizer.scrollToIndex(row, { align: 'auto' });
    };
    // Asking the page for its position would cause another layout of all of it.
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
          // A cell that can be edited is only focused: another click would open its field.
        } else if (String(window.getSelection()) === '' && !target.closest('a, button, label, .edits'))
          onOpen(row);
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
            // Keyed by position: another page fills the existing rows, which is half the work of new ones.
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
