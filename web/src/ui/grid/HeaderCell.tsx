import type { Column, SortModel } from '@caseway/contract/grid';
import Box from '@mui/material/Box';
import type { Header } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, EllipsisVertical } from 'lucide-react';
import { type DragEvent, type MouseEvent, memo } from 'react';
import { useTranslation } from 'react-i18next';
import { cellPadding, menuRoom } from './fit-columns.ts';
import { type features, headerRow } from './table.ts';

/** A click on a column: ascending, descending, unsorted; with Shift it is added to the sort columns. */
export function sorted(model: SortModel, field: string, also: boolean): SortModel {
  const current = model.find((one) => one.field === field);
  const next: 'asc' | 'desc' | null = current === undefined ? 'asc' : current.sort === 'asc' ? 'desc' : null;
  if (!also) return next === null ? [] : [{ field, sort: next }];
  if (next === null) return model.filter((one) => one.field !== field);
  return current === undefined
    ? [...model, { field, sort: next }].slice(0, 8)
    : model.map((one) => (one.field === field ? { field, sort: next } : one));
}

/** What column headers can do; the same object for the lifetime of the list. */
export interface HeadActs {
  sort(field: string, also: boolean): void;
  openMenu(field: string, anchor: HTMLElement): void;
  /** Makes a column as wide as its contents. */
  fit(field: string): void;
  /** One column was dropped on another. */
  drop(field: string, on: string): void;
}

/** A column's header: sorts, is dragged to a new place or width, and opens the column's menu. */
function Head<Row extends { id: string }>({
  header,
  field,
  index,
  column,
  label,
  way,
  place,
  width,
  left,
  isResizing,
  acts,
}: {
  header: Header<typeof features, Row>;
  field: string;
  index: number;
  column: Column;
  label: string;
  way: 'asc' | 'desc' | undefined;
  /** The position among several sort columns, from 1; null for others. */
  place: number | null;
  width: number;
  /** For a pinned column; null for the others. */
  left: number | null;
  isResizing: boolean;
  acts: HeadActs;
}) {
  const { t } = useTranslation();
  const sortable = column.sortable !== false;
  const type = 'application/x-caseway-column';
  return (
    <Box
      role="columnheader"
      // Without the menu button's name: screen readers say this before each cell.
      aria-label={label}
      aria-colindex={index + 1}
      aria-sort={way === 'asc' ? 'ascending' : way === 'desc' ? 'descending' : sortable ? 'none' : undefined}
      data-row={headerRow}
      data-column={index}
      data-field={field}
      tabIndex={-1}
      draggable
      onDragStart={(event: DragEvent) => {
        event.dataTransfer.setData(type, field);
        event.dataTransfer.effectAllowed = 'move';
      }}
      onDragOver={(event: DragEvent) => {
        if (event.dataTransfer.types.includes(type)) event.preventDefault();
      }}
      onDrop={(event: DragEvent) => {
        const dropped = event.dataTransfer.getData(type);
        if (dropped !== '' && dropped !== field) acts.drop(dropped, field);
      }}
      onClick={(event: MouseEvent) => acts.sort(field, event.shiftKey)}
      sx={{
        position: 'relative',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        flex: 'none',
        paddingX: 2.5,
        fontSize: '0.8125rem',
        fontWeight: 550,
        color: 'text.secondary',
        backgroundColor: 'raised',
        userSelect: 'none',
        cursor: sortable ? 'pointer' : 'default',
        zIndex: left === null ? 0 : 1,
        justifyContent: column.kind === 'number' ? 'flex-end' : 'flex-start',
        // Beyond the last column there is nothing to scroll to.
        '&:last-of-type .column-edge': { right: 0 },
        '& .column-menu': { opacity: 0 },
        '&:hover .column-menu, &:focus .column-menu': { opacity: 1 },
        '@media (hover: none)': {
          '& .column-menu': { opacity: 1 },
          paddingRight: `${cellPadding / 2 + menuRoom}px`,
        },
      }}
      style={left === null ? { width } : { width, position: 'sticky', left }}
    >
      <Box
        component="span"
        title={label}
        sx={{
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: '2',
          overflow: 'hidden',
          lineHeight: 16 / 13,
          textAlign: column.kind === 'number' ? 'right' : 'left',
        }}
      >
        {label}
      </Box>
      {way ? (
        <Box
          component="span"
          aria-hidden
          sx={{ display: 'flex', alignItems: 'center', color: 'primary.main' }}
        >
          {way === 'asc' ? <ArrowUp size={14} /> : <ArrowDown size={14} />}
          {place === null ? null : (
            <Box component="span" sx={{ fontSize: '0.6875rem' }}>
              {place}
            </Box>
          )}
        </Box>
      ) : null}
      <Box
        component="button"
        type="button"
        className="column-menu"
        tabIndex={-1}
        aria-label={t('grid.columnMenu', { column: label })}
        aria-haspopup="menu"
        onClick={(event: MouseEvent<HTMLElement>) => {
          event.stopPropagation();
          acts.openMenu(field, event.currentTarget);
        }}
        sx={{
          // Over the end of the label, which has the full width until it is hovered.
          position: 'absolute',
          right: 6,
          display: 'grid',
          placeItems: 'center',
          width: 24,
          height: 24,
          padding: 0,
          border: 0,
          borderRadius: '6px',
          backgroundColor: 'raised',
          color: 'inherit',
          cursor: 'pointer',
          '&:hover': { backgroundColor: 'divider' },
        }}
      >
        <EllipsisVertical size={14} aria-hidden />
      </Box>
      <Box
        aria-hidden
        draggable
        onDragStart={(event: DragEvent) => {
          // Dragging the edge resizes the column and must not move it.
          event.preventDefault();
          event.stopPropagation();
        }}
        onMouseDown={header.getResizeHandler()}
        onTouchStart={header.getResizeHandler()}
        onClick={(event: MouseEvent) => event.stopPropagation()}
        onDoubleClick={() => acts.fit(field)}
        className="column-edge"
        sx={{
          position: 'absolute',
          right: -4,
          top: 8,
          bottom: 8,
          width: 8,
          cursor: 'col-resize',
          touchAction: 'none',
          zIndex: 1,
          '&::after': {
            content: '""',
            position: 'absolute',
            left: 3,
            top: 0,
            bottom: 0,
            width: '1px',
            backgroundColor: isResizing ? 'primary.main' : 'divider',
          },
          '&:hover::after': { backgroundColor: 'control', width: '2px' },
        }}
      />
    </Box>
  );
}

/** Rerendered only if its own props have changed. */
export const HeaderCell = memo(Head) as typeof Head;
