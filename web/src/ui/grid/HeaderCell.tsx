import type { Column, SortModel } from '@caseway/contract/grid';
import Box from '@mui/material/Box';
import type { Header } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, EllipsisVertical } from 'lucide-react';
import type { DragEvent, MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { cellPadding, menuRoom } from './fit-columns.ts';
import { type features, headerRow } from './table.ts';

/** A click on a column: ascending, descending, unsorted; with Shift it is added to the sorted columns. */
export function sorted(model: SortModel, field: string, also: boolean): SortModel {
  const current = model.find((one) => one.field === field);
  const next: 'asc' | 'desc' | null = current === undefined ? 'asc' : current.sort === 'asc' ? 'desc' : null;
  if (!also) return next === null ? [] : [{ field, sort: next }];
  if (next === null) return model.filter((one) => one.field !== field);
  return current === undefined
    ? [...model, { field, sort: next }].slice(0, 8)
    : model.map((one) => (one.field === field ? { field, sort: next } : one));
}

/** The head of a column: sorts, is dragged to its place and to its width, and opens the column's menu. */
export function HeaderCell<Row extends { id: string }>({
  header,
  index,
  column,
  label,
  sort,
  sticky,
  onSort,
  onMenu,
  onFit,
  onDropOf,
}: {
  header: Header<typeof features, Row>;
  index: number;
  column: Column;
  label: string;
  sort: SortModel;
  sticky: { position?: 'sticky'; left?: number };
  onSort: (also: boolean) => void;
  onMenu: (anchor: HTMLElement) => void;
  /** Makes the column as wide as its contents. */
  onFit: () => void;
  /** Another column was dropped on this one. */
  onDropOf: (field: string) => void;
}) {
  const { t } = useTranslation();
  const place = sort.findIndex(({ field }) => field === header.column.id);
  const way = sort[place]?.sort;
  const sortable = column.sortable !== false;
  const type = 'application/x-caseway-column';
  return (
    <Box
      role="columnheader"
      // Not also of what opens its menu: a screen reader says it before each cell.
      aria-label={label}
      aria-colindex={index + 1}
      aria-sort={way === 'asc' ? 'ascending' : way === 'desc' ? 'descending' : sortable ? 'none' : undefined}
      data-row={headerRow}
      data-column={index}
      data-field={header.column.id}
      tabIndex={-1}
      draggable
      onDragStart={(event: DragEvent) => {
        event.dataTransfer.setData(type, header.column.id);
        event.dataTransfer.effectAllowed = 'move';
      }}
      onDragOver={(event: DragEvent) => {
        if (event.dataTransfer.types.includes(type)) event.preventDefault();
      }}
      onDrop={(event: DragEvent) => {
        const field = event.dataTransfer.getData(type);
        if (field !== '' && field !== header.column.id) onDropOf(field);
      }}
      onClick={(event: MouseEvent) => onSort(event.shiftKey)}
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
        zIndex: header.column.getIsPinned() ? 1 : 0,
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
      style={{ width: header.getSize(), ...sticky }}
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
          {sort.length > 1 ? (
            <Box component="span" sx={{ fontSize: '0.6875rem' }}>
              {place + 1}
            </Box>
          ) : null}
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
          onMenu(event.currentTarget);
        }}
        sx={{
          // Over the end of the label, which has the whole width unless someone points at it.
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
          // The edge sizes the column, it does not carry it away.
          event.preventDefault();
          event.stopPropagation();
        }}
        onMouseDown={header.getResizeHandler()}
        onTouchStart={header.getResizeHandler()}
        onClick={(event: MouseEvent) => event.stopPropagation()}
        onDoubleClick={onFit}
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
            backgroundColor: header.column.getIsResizing() ? 'primary.main' : 'divider',
          },
          '&:hover::after': { backgroundColor: 'control', width: '2px' },
        }}
      />
    </Box>
  );
}
