import Box from '@mui/material/Box';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type ComponentProps,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';
import { followedLink } from '../FollowLinks.tsx';
import { GridRow, rowStyles } from './GridRow.tsx';
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
  rows,
  firstPlace,
  isLate,
  width,
  height,
  nameOf,
  isChosen,
  href,
  openId,
  onOpen,
  onFollow,
  onDrawn,
  ...ofRow
}: {
  scroller: RefObject<HTMLElement | null>;
  roving: Roving;
  /** Is given what shows a row. */
  showRow: RefObject<ShowRow>;
  /** Is given what scrolls to the first row. */
  toTop: RefObject<() => void>;
  rows: readonly Row[];
  /** The place of the first row among all that match, from 0. */
  firstPlace: number;
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
  /** Called when rows have been drawn. */
  onDrawn: () => void;
} & Pick<OfRow<Row>, 'layout' | 'texts' | 'cells' | 'valueIn' | 'opens' | 'onToggle' | 'saysOpen'>) {
  const [called, setCalled] = useState(headerRow);
  const virtualizer = useVirtualizer({
    count: rows.length,
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
        const row = rows[Number(target.closest<HTMLElement>('[data-index]')?.dataset.index)];
        if (!row) return;
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
        const row = rows[item.index];
        if (!row) return null;
        return (
          <GridRow
            // By its place: another page fills the rows that are there, which is half the work of other rows.
            key={item.index}
            {...ofRow}
            row={row}
            index={item.index}
            place={firstPlace + item.index}
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
