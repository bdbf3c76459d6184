import type { FilterModel, Grid } from '@caseway/contract/grid';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { type Header, useTable } from '@tanstack/react-table';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { densities } from '../../theme.ts';
import type { GridState } from '../../use-grid.ts';
import { useDensity, useSingleKeys } from '../../use-preferences.ts';
import { isTyping } from '../Key.tsx';
import { ColumnMenu } from './ColumnMenu.tsx';
import { maximumWidth, minimumWidth, useColumns, widthOf } from './columns.ts';
import { GridFooter } from './GridFooter.tsx';
import { type BuilderOpening, GridToolbar } from './GridToolbar.tsx';
import { HeaderCell, sorted } from './HeaderCell.tsx';
import { Late, NoRows, SkeletonRows } from './NoRows.tsx';
import { type GridSelection, SelectionCell } from './selection.tsx';
import { features, headerHeight, headerRow, selectionWidth } from './table.ts';
import { CellValue, type GridWords } from './values.tsx';

const propertyOf = (row: object, field: string): unknown => (row as Record<string, unknown>)[field];

export interface DataGridProps<Row extends { id: string }> {
  /** The contract's declaration. */
  grid: Grid;
  /** Of `useGrid(grid)`. */
  state: GridState<Row>;
  /** Accessible name. */
  label: string;
  words: GridWords;
  /** What to show in a column instead of its plain value. */
  cells?: Readonly<Partial<Record<string, (row: Row) => ReactNode>>>;
  /** The value of a column, where it is not the row's property of the same name. */
  value?: (row: Row, field: string) => unknown;
  /** The record's address: a row is a link to it, Enter opens it. */
  href?: (row: Row) => string;
  /** Opens a record in place (a side panel) instead; `openId` is the one that is open, J and K walk on from it. */
  onOpen?: (row: Row) => void;
  openId?: string | null;
  /** What the search box finds; absent: no search box. */
  searchLabel?: string;
  /** Buttons at the right of the toolbar: export. */
  actions?: ReactNode;
  /** Rows can be chosen; absent: they cannot. */
  selection?: GridSelection & {
    /** What a row is called, for the name of its checkbox. */
    nameOf: (row: Row) => string;
    /** What can be done with the chosen rows; stands under the list. */
    bar: ReactNode;
  };
  /** Shown when there is nothing at all, unfiltered. */
  empty: { title: string; text?: ReactNode; action?: ReactNode };
}

/**
 * A list of records, of which the server filters, sorts and counts: one page at a time, columns shown, ordered,
 * pinned and sized, entirely usable from the keyboard (see the keys dialog).
 */
export function DataGrid<Row extends { id: string }>({
  grid,
  state,
  label,
  words,
  cells = {},
  value: valueIn = propertyOf,
  href,
  onOpen,
  openId = null,
  searchLabel,
  actions,
  selection,
  empty,
}: DataGridProps<Row>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const density = useDensity();
  const singleKeys = useSingleKeys();
  const columns = useColumns(grid);
  const { settings } = columns;
  const { rows, rowCount, status, view } = state;
  const rowHeight = densities[density];

  const [builder, setBuilder] = useState<BuilderOpening | null>(null);
  const [menu, setMenu] = useState<{ anchor: HTMLElement; field: string } | null>(null);
  const [active, setActive] = useState<{ row: number; column: number }>({ row: headerRow, column: 0 });
  const [live, setLive] = useState<Record<string, number>>({});
  const wantsFocus = useRef<{ row: number; column: number } | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);

  const definitions = useMemo(
    () =>
      Object.entries(grid.columns).map(([field, column]) => ({
        id: field,
        accessorFn: (row: Row) => valueIn(row, field),
        size: widthOf(column),
        minSize: minimumWidth,
        maxSize: maximumWidth,
      })),
    [grid, valueIn],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    getRowId: (row) => row.id,
    columnResizeMode: 'onChange',
    state: {
      columnOrder: settings.order,
      columnVisibility: Object.fromEntries(settings.hidden.map((field) => [field, false])),
      columnPinning: { start: settings.order.filter((field) => settings.pinned.includes(field)), end: [] },
      columnSizing: { ...settings.widths, ...live },
    },
    onColumnSizingChange: (change) =>
      setLive((before) =>
        typeof change === 'function' ? change({ ...settings.widths, ...before }) : change,
      ),
  });
  const resizing = table.state.columnResizing.isResizingColumn;
  useEffect(() => {
    if (resizing || Object.keys(live).length === 0) return;
    columns.resize(live);
    setLive({});
  }, [resizing, live, columns]);

  const headers = table.getLeafHeaders();
  // The checkboxes stand in a column of their own, the first.
  const before = selection ? 1 : 0;
  const beforeWidth = selection ? selectionWidth : 0;
  const lastColumn = headers.length - 1 + before;
  const width = headers.reduce((sum, header) => sum + header.getSize(), beforeWidth);

  const activeRow = active.row;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    scrollMargin: 0,
    scrollPaddingStart: headerHeight,
    overscan: 8,
    getItemKey: (index) => rows[index]?.id ?? index,
    // The row with the focus stays, wherever the list is scrolled.
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range);
        return activeRow < 0 || activeRow >= range.count || shown.includes(activeRow)
          ? shown
          : [...shown, activeRow].sort((a, b) => a - b);
      },
      [activeRow],
    ),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another density is another height of every row.
  useEffect(() => virtualizer.measure(), [rowHeight]);

  // Another page begins at its top.
  const { page } = view.paginationModel;
  const edge = useRef<'first' | 'last' | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page counts, not the rows on it.
  useEffect(() => {
    if (status !== 'ready') return;
    const row = edge.current === 'last' ? rows.length - 1 : 0;
    scroller.current?.scrollTo({ top: 0 });
    if (edge.current !== null) {
      edge.current = null;
      goTo(row, active.column);
      const reached = rows[row];
      if (reached && openId !== null) onOpen?.(reached);
    }
  }, [page, status]);

  const goTo = (row: number, column: number) => {
    wantsFocus.current = { row, column };
    if (row >= 0) virtualizer.scrollToIndex(row, { align: 'auto' });
    setActive({ row, column });
  };
  useEffect(() => {
    // Not the active cell of this rendering: the wanted one may only be rendered by the next.
    const wanted = wantsFocus.current;
    if (wanted === null) return;
    const cell = scroller.current?.querySelector<HTMLElement>(
      `[data-row="${wanted.row}"][data-column="${wanted.column}"]`,
    );
    if (!cell) return;
    wantsFocus.current = null;
    cell.focus({ preventScroll: wanted.row >= 0 });
    cell.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  });

  const open = (row: Row) => {
    if (onOpen) onOpen(row);
    else if (href) void navigate(href(row));
  };
  const sortBy = (field: string, also: boolean) => {
    if (grid.columns[field]?.sortable !== false) state.setSortModel(sorted(view.sortModel, field, also));
  };
  const lastPage =
    rowCount === undefined ? page : Math.max(0, Math.ceil(rowCount / view.paginationModel.pageSize) - 1);
  const turnTo = (next: number, at: 'first' | 'last') => {
    edge.current = at;
    state.setPaginationModel({ ...view.paginationModel, page: next });
  };
  const walk = (step: 1 | -1) => {
    const row = activeRow + step;
    if (row >= rows.length) {
      if (page < lastPage) turnTo(page + 1, 'first');
      return;
    }
    if (row < 0) {
      if (page > 0) turnTo(page - 1, 'last');
      return;
    }
    goTo(row, active.column);
    if (openId !== null && rows[row]) onOpen?.(rows[row]);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (isTyping(event.target)) return;
    const { row, column } = active;
    const pageRows = Math.max(
      1,
      Math.floor(((scroller.current?.clientHeight ?? 400) - headerHeight) / rowHeight),
    );
    const within = (wanted: number) => Math.max(headerRow, Math.min(rows.length - 1, wanted));
    const moves: Record<string, () => [number, number]> = {
      ArrowRight: () => [row, Math.min(lastColumn, column + 1)],
      ArrowLeft: () => [row, Math.max(0, column - 1)],
      ArrowDown: () => [within(row + 1), column],
      ArrowUp: () => [within(row - 1), column],
      PageDown: () => [within(row + pageRows), column],
      PageUp: () => [Math.max(0, within(row - pageRows)), column],
      Home: () => [event.ctrlKey || event.metaKey ? 0 : row, 0],
      End: () => [event.ctrlKey || event.metaKey ? rows.length - 1 : row, lastColumn],
    };
    const move = event.altKey ? undefined : moves[event.key];
    const field = headers[column - before]?.column.id;
    if (move) {
      event.preventDefault();
      goTo(...move());
    } else if (event.key === 'Enter' && row === headerRow && field !== undefined) {
      event.preventDefault();
      sortBy(field, event.shiftKey);
    } else if (event.key === ' ' && selection && rows[row] && column > 0) {
      event.preventDefault();
      selection.toggle([rows[row].id], !selection.ids.has(rows[row].id));
    } else if (event.key === 'Enter' && rows[row]) {
      event.preventDefault();
      open(rows[row]);
    } else if (row === headerRow && field !== undefined && event.altKey && event.key === 'ArrowDown') {
      event.preventDefault();
      setMenu({ anchor: event.target as HTMLElement, field });
    } else if (singleKeys && !event.ctrlKey && !event.metaKey && !event.altKey && /^[jk]$/i.test(event.key)) {
      event.preventDefault();
      walk(event.key.toLowerCase() === 'j' ? 1 : -1);
    }
  };

  useEffect(() => {
    const onSlash = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || !singleKeys || isTyping(event.target) || event.ctrlKey || event.metaKey)
        return;
      if (!search.current) return;
      event.preventDefault();
      search.current.focus();
    };
    window.addEventListener('keydown', onSlash);
    return () => window.removeEventListener('keydown', onSlash);
  }, [singleKeys]);

  const stickyStyle = (header: Header<typeof features, Row>) =>
    header.column.getIsPinned()
      ? { position: 'sticky' as const, left: beforeWidth + header.column.getStart('start') }
      : {};

  const filtered =
    view.filterModel.items.length > 0 ||
    (view.filterModel.quickFilterValues ?? []).length > 0 ||
    Object.values(view.filters).some((list) => list.length > 0);
  const nothing = status === 'ready' && rows.length === 0;
  const chosenHere = selection ? rows.filter(({ id }) => selection.ids.has(id)).length : 0;
  const frameMinWidth = Math.max(width, 0);

  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, minHeight: 0, flex: 1 }}>
      {state.badLink === null ? null : (
        <Alert severity="warning">{t('filter.badLink', { part: state.badLink })}</Alert>
      )}
      <GridToolbar
        grid={grid}
        words={words}
        model={view.filterModel}
        rowCount={status === 'ready' ? rowCount : undefined}
        columns={columns}
        searchLabel={searchLabel}
        searchRef={search}
        builder={builder}
        onBuilder={setBuilder}
        onModel={(model: FilterModel) => state.setFilterModel(model)}
        actions={actions}
      />
      <Box
        sx={{
          display: 'flex',
          flexDirection: 'column',
          flex: { xs: 'none', sm: 1 },
          height: { xs: 'min(70dvh, 560px)', sm: 'auto' },
          minHeight: 280,
          border: 1,
          borderColor: 'divider',
          borderRadius: '10px',
          backgroundColor: 'surface',
          overflow: 'hidden',
          position: 'relative',
        }}
      >
        {status === 'changing' ? <Late /> : null}
        <Box
          ref={scroller}
          role="grid"
          aria-label={label}
          aria-rowcount={rowCount === undefined ? -1 : rowCount + 1}
          aria-colcount={headers.length + before}
          aria-multiselectable={selection ? true : undefined}
          aria-busy={status === 'loading' || status === 'changing'}
          onKeyDown={onKeyDown}
          sx={{
            flex: 1,
            minHeight: 0,
            overflow: 'auto',
            position: 'relative',
            scrollPaddingTop: `${headerHeight}px`,
            '& [role=gridcell]:focus-visible, & [role=columnheader]:focus-visible': { outlineOffset: '-2px' },
          }}
        >
          <Box
            role="row"
            aria-rowindex={1}
            sx={{
              display: 'flex',
              position: 'sticky',
              top: 0,
              zIndex: 2,
              height: headerHeight,
              minWidth: frameMinWidth,
              backgroundColor: 'raised',
              borderBottom: 1,
              borderColor: 'divider',
            }}
          >
            {selection ? (
              <SelectionCell
                role="columnheader"
                row={headerRow}
                active={active.row === headerRow && active.column === 0}
                label={t('grid.selectPage')}
                checked={rows.length > 0 && chosenHere === rows.length}
                indeterminate={chosenHere > 0 && chosenHere < rows.length}
                onFocus={() => setActive({ row: headerRow, column: 0 })}
                onToggle={(on) =>
                  selection.toggle(
                    rows.map(({ id }) => id),
                    on,
                  )
                }
              />
            ) : null}
            {headers.map((header, index) => (
              <HeaderCell
                key={header.id}
                header={header}
                index={index + before}
                column={grid.columns[header.column.id]!}
                label={words.column(header.column.id)}
                sort={view.sortModel}
                active={active.row === headerRow && active.column === index + before}
                sticky={stickyStyle(header)}
                onFocus={() => setActive({ row: headerRow, column: index + before })}
                onSort={(also) => sortBy(header.column.id, also)}
                onMenu={(anchor) => setMenu({ anchor, field: header.column.id })}
                onDropOf={(field) => columns.moveBefore(field, header.column.id)}
              />
            ))}
          </Box>
          {status === 'loading' ? <SkeletonRows height={rowHeight} /> : null}
          <Box
            role="rowgroup"
            sx={{
              position: 'relative',
              minWidth: frameMinWidth,
              height: virtualizer.getTotalSize(),
              opacity: status === 'changing' ? 0.7 : 1,
            }}
          >
            {virtualizer.getVirtualItems().map((item) => {
              const row = rows[item.index];
              if (!row) return null;
              const isOpen = openId !== null && row.id === openId;
              const isChosen = selection?.ids.has(row.id) ?? false;
              const background = isOpen || isChosen ? 'tint' : 'surface';
              return (
                <Box
                  key={row.id}
                  role="row"
                  aria-rowindex={page * view.paginationModel.pageSize + item.index + 2}
                  aria-selected={selection ? isChosen : openId === null ? undefined : isOpen}
                  aria-current={selection && isOpen ? true : undefined}
                  onClick={(event: MouseEvent) => {
                    // Marking text with the mouse is no click on the record.
                    if (
                      String(window.getSelection()) === '' &&
                      !(event.target as HTMLElement).closest('a, button, label')
                    )
                      open(row);
                  }}
                  sx={{
                    display: 'flex',
                    position: 'absolute',
                    top: 0,
                    left: 0,
                    width: '100%',
                    minWidth: frameMinWidth,
                    height: rowHeight,
                    cursor: href || onOpen ? 'pointer' : 'default',
                    borderBottom: 1,
                    borderColor: 'divider',
                    backgroundColor: background,
                    '&:hover': { backgroundColor: background === 'tint' ? 'tint' : 'canvas' },
                    '& > [role=gridcell]': { backgroundColor: 'inherit' },
                  }}
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  {selection ? (
                    <SelectionCell
                      role="gridcell"
                      row={item.index}
                      active={active.row === item.index && active.column === 0}
                      label={t('grid.selectRow', { name: selection.nameOf(row) })}
                      checked={isChosen}
                      onFocus={() => setActive({ row: item.index, column: 0 })}
                      onToggle={(on) => selection.toggle([row.id], on)}
                    />
                  ) : null}
                  {headers.map((header, index) => {
                    const field = header.column.id;
                    const column = grid.columns[field]!;
                    const own = cells[field];
                    const content = own ? (
                      own(row)
                    ) : (
                      <CellValue field={field} column={column} value={valueIn(row, field)} words={words} />
                    );
                    return (
                      <Box
                        key={field}
                        role="gridcell"
                        aria-colindex={index + before + 1}
                        data-row={item.index}
                        data-column={index + before}
                        tabIndex={active.row === item.index && active.column === index + before ? 0 : -1}
                        onFocus={() => setActive({ row: item.index, column: index + before })}
                        sx={{
                          display: 'flex',
                          alignItems: 'center',
                          justifyContent: column.kind === 'number' ? 'flex-end' : 'flex-start',
                          flex: 'none',
                          paddingX: 3,
                          fontSize: '0.8125rem',
                          lineHeight: 20 / 13,
                          zIndex: header.column.getIsPinned() ? 1 : 0,
                        }}
                        style={{ width: header.getSize(), ...stickyStyle(header) }}
                      >
                        <Box
                          component="span"
                          sx={{
                            overflow: 'hidden',
                            textOverflow: 'ellipsis',
                            whiteSpace: 'nowrap',
                            minWidth: 0,
                          }}
                        >
                          {index === 0 && href ? (
                            <Box
                              component={Link}
                              to={href(row)}
                              tabIndex={-1}
                              sx={{
                                color: 'primary.main',
                                textDecoration: 'none',
                                '&:hover': { textDecoration: 'underline' },
                              }}
                            >
                              {content}
                            </Box>
                          ) : (
                            content
                          )}
                        </Box>
                      </Box>
                    );
                  })}
                </Box>
              );
            })}
          </Box>
        </Box>
        {nothing || status === 'error' ? (
          <NoRows
            error={status === 'error' ? state.error : null}
            narrowed={filtered || view.range !== null}
            empty={empty}
            onRetry={state.refresh}
            onClear={filtered ? state.clearFilters : undefined}
          />
        ) : null}
        {selection?.bar}
        <GridFooter
          model={view.paginationModel}
          rowCount={rowCount}
          shown={rows.length}
          onModel={(model) => state.setPaginationModel(model)}
        />
      </Box>
      {menu ? (
        <ColumnMenu
          anchor={menu.anchor}
          column={grid.columns[menu.field]!}
          label={words.column(menu.field)}
          sort={view.sortModel.find(({ field }) => field === menu.field)?.sort}
          pinned={settings.pinned.includes(menu.field)}
          onlyOne={headers.length === 1}
          onClose={() => setMenu(null)}
          onSort={(way) =>
            state.setSortModel(
              way === null
                ? view.sortModel.filter(({ field }) => field !== menu.field)
                : [{ field: menu.field, sort: way }],
            )
          }
          onFilter={() => setBuilder({ anchor: menu.anchor, field: menu.field })}
          onPin={() => columns.pin(menu.field)}
          onMove={(step) => columns.move(menu.field, step)}
          onWidth={(change) => {
            const size = table.getColumn(menu.field)?.getSize() ?? widthOf(grid.columns[menu.field]!);
            columns.resize({ [menu.field]: Math.max(minimumWidth, Math.min(maximumWidth, size + change)) });
          }}
          onHide={() => columns.toggle(menu.field)}
        />
      ) : null}
    </Box>
  );
}
