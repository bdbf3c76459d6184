import { conditionsOf, type Grid, type SortModel } from '@caseway/contract/grid';
import { isNarrowed } from '@caseway/contract/search-params';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type Header, useTable } from '@tanstack/react-table';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { Permitted } from '../../data/Permitted.tsx';
import { useDensity, useSingleKeys } from '../../data/use-preferences.ts';
import { densities } from '../../theme.ts';
import { useGridTabs } from '../../view/grid-tabs.ts';
import { openedRow, useRememberedList } from '../../view/list-place.ts';
import type { GridState } from '../../view/use-grid.ts';
import { Outdated } from '../Answered.tsx';
import { framed } from '../framed.ts';
import { isTyping } from '../Key.tsx';
import { BelowHeading } from '../Page.tsx';
import { ColumnMenu } from './ColumnMenu.tsx';
import { type CellEdits, useCellEditing } from './cell-editing.tsx';
import { useColumns } from './columns.ts';
import { Edges } from './Edges.tsx';
import { GridExport } from './ExportButton.tsx';
import { declaredWidth, maximumWidth, minimumWidth } from './fit-columns.ts';
import { cardOf, fieldsOfCard, GridCards } from './GridCards.tsx';
import { type BuilderOpening, GridFilters } from './GridFilters.tsx';
import { GridFooter } from './GridFooter.tsx';
import type { CellPlan, Cells } from './GridRow.tsx';
import { GridRows, type ShowRow } from './GridRows.tsx';
import { GridTabs } from './GridTabs.tsx';
import { GridTools } from './GridTools.tsx';
import { GroupText } from './GroupHeading.tsx';
import { GroupPicker } from './GroupPicker.tsx';
import { countOfAll, type GroupLine, isRow, linesOf, toggleGroup } from './groups.ts';
import { type HeadActs, HeaderCell, sorted } from './HeaderCell.tsx';
import { Late, NoRows, SkeletonRows } from './NoRows.tsx';
import { useRoving } from './roving.ts';
import { type GridSelection, SelectionCell } from './selection.tsx';
import { features, headerHeight, headerRow, selectionWidth } from './table.ts';
import { useFit } from './useFit.ts';
import { type GridWords, useCellTexts } from './values.tsx';

const noCells = {};
const noKeys = {};
const within = (width: number) => Math.max(minimumWidth, Math.min(maximumWidth, width));

/** A column's sort direction, and its position among several. */
const sortedAt = (model: SortModel, of: string) => {
  const at = model.findIndex(({ field }) => field === of);
  return { way: model[at]?.sort, place: at >= 0 && model.length > 1 ? at + 1 : null };
};

const propertyOf = (row: object, field: string): unknown => (row as Record<string, unknown>)[field];

export interface DataGridProps<Row extends { id: string }> {
  /** The contract's declaration. */
  grid: Grid;
  /** The result of `useGrid(grid)`. */
  state: GridState<Row>;
  /** The accessible name. */
  label: string;
  words: GridWords;
  /** What to show in a column instead of its plain value. */
  cells?: Cells<Row>;
  /** A column's value, if not the row's property of the same name. */
  value?: (row: Row, field: string) => unknown;
  /** The record's address: a row is a link to it, and Enter opens it. */
  href?: (row: Row) => string;
  /** The row's property with the id in that address, if not the row's own id. */
  opensBy?: keyof Row & string;
  /**
   * Opens a record in place (a side panel) instead; `openId` is the open one, from which J and K continue.
   */
  onOpen?: (row: Row) => void;
  openId?: string | null;
  /** What single keys do with the focused row: `d` marks it as done. */
  rowKeys?: Readonly<Record<string, (row: Row) => void>>;
  /** The names of the views the grid declares. */
  viewLabel?: (code: string) => string;
  /** The name of the search box; absent: no search box. */
  searchLabel?: string;
  /** The list's own filters, beside the search box; the same on every page, so that it is not rendered again. */
  filters?: ReactNode;
  /** Buttons beside the columns, before the export. */
  actions?: ReactNode;
  /** Absent if rows cannot be selected. */
  selection?: GridSelection & {
    /** A row's name, for the label of its checkbox. */
    nameOf: (row: Row) => string;
    /** The actions on selected rows, below the list. */
    bar: ReactNode;
    /** Opens the actions on the selected rows, or on this one if none is selected. */
    change?: (row: Row) => void;
  };
  /** How cells are edited in the list; absent if none can be. */
  edits?: CellEdits<Row> | undefined;
  /** Shown if there are no rows even without filters. */
  empty: { title: string; text?: ReactNode; action?: ReactNode };
}

/**
 * A list of records that the server filters, sorts and counts: one page at a time, with columns to show,
 * order, pin and resize, entirely usable by keyboard (see the keys dialog).
 */
export function DataGrid<Row extends { id: string }>({
  grid,
  state,
  label,
  words,
  cells = noCells,
  value: valueIn = propertyOf,
  href,
  opensBy,
  onOpen,
  openId = null,
  rowKeys = noKeys,
  viewLabel,
  searchLabel,
  filters,
  actions,
  selection,
  edits,
  empty,
}: DataGridProps<Row>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const density = useDensity();
  const singleKeys = useSingleKeys();
  const { onFirstPage } = state;
  const tabs = useGridTabs(grid, onFirstPage);
  const columns = useColumns(grid, tabs.open.id, tabs.columns);
  const { settings } = columns;
  const { rows, rowCount, status, view } = state;
  const rowHeight = densities[density];

  const [builder, setBuilder] = useState<BuilderOpening | null>(null);
  const [menu, setMenu] = useState<{ anchor: HTMLElement; field: string } | null>(null);
  const [live, setLive] = useState<Record<string, number>>({});
  const scroller = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);

  const arranged = useMemo(
    () => ({
      columnOrder: settings.order,
      columnVisibility: Object.fromEntries(settings.hidden.map((field) => [field, false])),
      columnPinning: { start: settings.order.filter((field) => settings.pinned.includes(field)), end: [] },
    }),
    [settings],
  );
  const definitions = useMemo(
    () =>
      Object.entries(grid.columns).map(([field, column]) => ({
        id: field,
        accessorFn: (row: Row) => valueIn(row, field),
        size: declaredWidth(column),
        minSize: minimumWidth,
        maxSize: maximumWidth,
      })),
    [grid, valueIn],
  );
  // The checkboxes have their own first column.
  const before = selection ? 1 : 0;
  const beforeWidth = selection ? selectionWidth : 0;
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const first = Object.keys(grid.columns)[0]!;
  const card = cardOf(grid, columns.shown);
  const { grouping } = view;
  const firstPlace = view.paginationModel.page * view.paginationModel.pageSize;
  const { groups, groupOf } = state;
  const lines = useMemo(
    () =>
      linesOf<Row>({
        rows,
        rowCount,
        groups,
        groupOf,
        grouping,
        firstPlace,
        pageSize: view.paginationModel.pageSize,
      }),
    [rows, rowCount, groups, groupOf, grouping, firstPlace, view.paginationModel.pageSize],
  );
  const rowAt = (at: number): Row | undefined => {
    const line = lines[at];
    return isRow(line) ? line.row : undefined;
  };
  const texts = useCellTexts(
    grid,
    [...(narrow ? fieldsOfCard(card, first) : columns.shown), ...(grouping ? [grouping.by] : [])],
    words.choice,
    { enabled: lines.length > 0 },
  );
  const fit = useFit({
    grid,
    view: tabs.open.id,
    shown: columns.shown,
    chosen: settings.widths,
    label: words.column,
    sorted: new Set(view.sortModel.map(({ field }) => field)),
    before: beforeWidth,
    scroller,
    isThere: status === 'ready' && rows.length > 0,
  });
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    getRowId: (row) => row.id,
    columnResizeMode: 'onChange',
    state: {
      ...arranged,
      columnSizing: { ...fit.widths, ...live },
    },
    onColumnSizingChange: (change) =>
      setLive((already) => (typeof change === 'function' ? change(already) : change)),
  });
  const resizing = table.state.columnResizing.isResizingColumn;
  useEffect(() => {
    if (resizing || Object.keys(live).length === 0) return;
    columns.resize(live);
    setLive({});
  }, [resizing, live, columns]);

  const headers = table.getLeafHeaders();
  const lastColumn = headers.length - 1 + before;
  const width = headers.reduce((sum, header) => sum + header.getSize(), beforeWidth);

  const showRow = useRef<ShowRow>(() => {});
  const toTop = useRef(() => {});
  const roving = useRoving(scroller, showRow);
  const { goTo } = roving;
  const editing = useCellEditing(edits, {
    scroller,
    goTo,
    rowAt,
    columns: headers.map((header) => header.column.id),
    before,
  });

  // Another page starts at its top.
  const { page } = view.paginationModel;
  const edge = useRef<'first' | 'last' | { group: string } | null>(null);
  const toggled = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the page matters, not its rows.
  useEffect(() => {
    if (status !== 'ready') return;
    // A page keeps its position when a group on it was opened or closed.
    if (!toggled.current) toTop.current();
    toggled.current = false;
    const at = edge.current;
    if (at === null) return;
    edge.current = null;
    const row =
      typeof at === 'object'
        ? lines.findIndex((line) => !isRow(line) && line.group === at.group)
        : at === 'last'
          ? lines.findLastIndex(isRow)
          : lines.findIndex(isRow);
    goTo({ row: Math.max(0, row), column: roving.at.column });
    const reached = rowAt(row);
    if (reached && openId !== null) onOpen?.(reached);
  }, [page, status]);
  const toggle = (group: string) => {
    toggled.current = true;
    if (toggleGroup(state, group) !== page) edge.current = { group };
  };

  useRememberedList(grid.id, onFirstPage.request);
  const follow = (row: Row) => {
    if (!href) return;
    void navigate(href(row), { state: openedRow(row, grid.id, firstPlace + rows.indexOf(row), opensBy) });
  };
  const open = onOpen ?? follow;
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
    let at = roving.at.row + step;
    while (lines[at] && !isRow(lines[at])) at += step;
    if (at >= lines.length) {
      if (page < lastPage) turnTo(page + 1, 'first');
      return;
    }
    if (at < 0) {
      if (page > 0) turnTo(page - 1, 'last');
      return;
    }
    goTo({ row: at, column: roving.at.column });
    const row = rowAt(at);
    if (openId !== null && row) onOpen?.(row);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (isTyping(event.target)) return;
    const { row, column } = roving.at;
    const line = lines[row];
    const record = rowAt(row);
    const pageRows = Math.max(
      1,
      Math.floor(((scroller.current?.clientHeight ?? 400) - headerHeight) / rowHeight),
    );
    const inside = (wanted: number) => Math.max(headerRow, Math.min(lines.length - 1, wanted));
    const moves: Record<string, () => [number, number]> = {
      ArrowRight: () => [row, Math.min(lastColumn, column + 1)],
      ArrowLeft: () => [row, Math.max(0, column - 1)],
      ArrowDown: () => [inside(row + 1), column],
      ArrowUp: () => [inside(row - 1), column],
      PageDown: () => [inside(row + pageRows), column],
      PageUp: () => [Math.max(0, inside(row - pageRows)), column],
      Home: () => [event.ctrlKey || event.metaKey ? 0 : row, 0],
      End: () => [event.ctrlKey || event.metaKey ? lines.length - 1 : row, lastColumn],
    };
    const move = event.altKey ? undefined : moves[event.key];
    const field = headers[column - before]?.column.id;
    if (move) {
      event.preventDefault();
      const [toRow, toColumn] = move();
      goTo({ row: toRow, column: toColumn });
    } else if (event.key === 'Enter' && row === headerRow && field !== undefined) {
      event.preventDefault();
      sortBy(field, event.shiftKey);
    } else if ((event.key === ' ' || event.key === 'Enter') && line && !isRow(line)) {
      event.preventDefault();
      toggle(line.group);
    } else if (event.key === ' ' && selection && record && column > 0) {
      event.preventDefault();
      selection.toggle([record.id], !selection.has(record.id));
    } else if (record && field !== undefined && editing.onKey(event, record, { row, column })) {
      event.preventDefault();
    } else if (event.key === 'Enter' && record) {
      event.preventDefault();
      open(record);
    } else if (row === headerRow && field !== undefined && event.altKey && event.key === 'ArrowDown') {
      event.preventDefault();
      setMenu({ anchor: event.target as HTMLElement, field });
    } else if (singleKeys && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const key = event.key.toLowerCase();
      const act = Object.hasOwn(rowKeys, key) ? rowKeys[key] : key === 'c' ? selection?.change : undefined;
      if (/^[jk]$/.test(key)) walk(key === 'j' ? 1 : -1);
      else if (act && record) act(record);
      else return;
      event.preventDefault();
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

  const leftOf = (header: Header<typeof features, Row>) =>
    header.column.getIsPinned() ? beforeWidth + header.column.getStart('start') : null;
  const plans = headers.map((header): CellPlan => {
    const field = header.column.id;
    return { field, column: grid.columns[field]!, width: header.getSize(), left: leftOf(header) };
  });
  const planned = JSON.stringify(plans.map(({ field, width, left }) => [field, width, left]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `planned` stands for the plans, which are recreated in every render.
  const layout = useMemo(() => plans, [grid, planned]);

  const latestSelection = useRef(selection);
  useLayoutEffect(() => {
    latestSelection.current = selection;
  });
  const toggleRow = useCallback((id: string, on: boolean) => latestSelection.current?.toggle([id], on), []);

  const latestHeads = useRef<HeadActs>(null);
  useLayoutEffect(() => {
    latestHeads.current = {
      sort: sortBy,
      openMenu: (field, anchor) => setMenu({ anchor, field }),
      fit: (field) => columns.resize({ [field]: within(fit.contentsOf(field)) }),
      drop: columns.moveBefore,
    };
  });
  const headActs = useMemo<HeadActs>(
    () => ({
      sort: (field, also) => latestHeads.current?.sort(field, also),
      openMenu: (field, anchor) => latestHeads.current?.openMenu(field, anchor),
      fit: (field) => latestHeads.current?.fit(field),
      drop: (field, on) => latestHeads.current?.drop(field, on),
    }),
    [],
  );

  const filtered =
    conditionsOf(view.filterModel).length > 0 ||
    (view.filterModel.quickFilterValues ?? []).length > 0 ||
    isNarrowed(grid, view.filters);
  const nothing = status === 'ready' && lines.length === 0;
  const count = status === 'ready' ? countOfAll(state) : undefined;
  // The toolbar is the same on every page.
  const groupPicker = useMemo(
    () => <GroupPicker grid={grid} words={words} state={onFirstPage} groups={groups} />,
    [grid, words, onFirstPage, groups],
  );
  const { size: chosen, ids, all } = selection ?? {};
  const toolbarActions = useMemo(
    () => (
      <>
        {actions}
        {grid.exportable ? (
          <Permitted permission={grid.exportable} label={t('export.menu')} size="small">
            <GridExport
              grid={grid}
              query={onFirstPage.request}
              columns={columns.shown}
              rowCount={count}
              selection={chosen === undefined ? undefined : { size: chosen, ids, all }}
            />
          </Permitted>
        ) : null}
      </>
    ),
    [actions, grid, t, onFirstPage, columns, count, chosen, ids, all],
  );
  const headingOf = (line: GroupLine) =>
    grouping ? <GroupText grid={grid} grouping={grouping} line={line} words={words} texts={texts} /> : null;
  const chosenHere = selection ? rows.filter(({ id }) => selection.has(id)).length : 0;

  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, minHeight: 0, flex: 1 }}>
      <BelowHeading>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
          <GridTabs
            grid={grid}
            pathname={pathname}
            state={onFirstPage}
            tabs={tabs}
            columns={narrow ? null : columns}
            label={label}
            viewLabel={viewLabel}
          />
          <GridTools
            grid={grid}
            words={words}
            columns={narrow ? null : columns}
            sort={narrow ? view.sortModel : null}
            onSort={onFirstPage.setSortModel}
            groupPicker={groupPicker}
            actions={toolbarActions}
          />
        </Box>
      </BelowHeading>
      {state.badLink === null ? null : (
        <Alert severity="warning">{t('filter.badLink', { part: state.badLink })}</Alert>
      )}
      {state.hasRetired && <Alert severity="info">{t('filter.retired')}</Alert>}
      {status === 'error' ? null : <Outdated query={state.query} />}
      <GridFilters
        grid={grid}
        words={words}
        model={view.filterModel}
        rowCount={count}
        searchLabel={searchLabel}
        searchRef={search}
        builder={builder}
        onBuilder={setBuilder}
        onModel={onFirstPage.setFilterModel}
        filters={filters}
      />
      <Box
        sx={{
          display: 'flex',
          flexDirection: 'column',
          flex: { xs: 'none', sm: 1 },
          minHeight: 280,
          ...framed,
          overflow: { xs: 'clip', sm: 'hidden' },
          position: 'relative',
        }}
      >
        {status === 'changing' ? <Late /> : null}
        {narrow ? (
          <>
            {status === 'loading' ? <SkeletonRows height={80} /> : null}
            <GridCards
              grid={grid}
              rows={rows}
              lines={lines}
              headingOf={headingOf}
              onToggleGroup={toggle}
              card={card}
              first={first}
              label={label}
              busy={status === 'loading' || status === 'changing'}
              words={words}
              texts={texts}
              cells={cells}
              valueIn={valueIn}
              href={href}
              opensBy={opensBy}
              onOpen={onOpen}
              selection={selection}
            />
          </>
        ) : (
          <Box sx={{ flex: 1, minHeight: 0, position: 'relative', display: 'flex' }}>
            <Box
              ref={scroller}
              role="grid"
              aria-label={label}
              aria-rowcount={rowCount === undefined ? -1 : rowCount + 1}
              aria-colcount={headers.length + before}
              aria-multiselectable={selection ? true : undefined}
              aria-busy={status === 'loading' || status === 'changing'}
              aria-readonly={edits ? true : undefined}
              onKeyDown={onKeyDown}
              onClick={editing.onClick}
              onDoubleClick={editing.onDoubleClick}
              onFocus={(event) => roving.onFocus(event.target)}
              sx={{
                flex: 1,
                minWidth: 0,
                overflow: 'auto',
                position: 'relative',
                scrollPaddingTop: `${headerHeight}px`,
                '& [role=gridcell]:focus-visible, & [role=columnheader]:focus-visible': {
                  outlineOffset: '-2px',
                },
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
                  minWidth: width,
                  backgroundColor: 'raised',
                  borderBottom: 1,
                  borderColor: 'divider',
                }}
              >
                {selection ? (
                  <SelectionCell
                    role="columnheader"
                    row={headerRow}
                    label={t('grid.selectPage')}
                    checked={rows.length > 0 && chosenHere === rows.length}
                    indeterminate={chosenHere > 0 && chosenHere < rows.length}
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
                    field={header.column.id}
                    index={index + before}
                    column={grid.columns[header.column.id]!}
                    label={words.column(header.column.id)}
                    {...sortedAt(view.sortModel, header.column.id)}
                    width={header.getSize()}
                    left={leftOf(header)}
                    isResizing={header.column.getIsResizing()}
                    acts={headActs}
                  />
                ))}
              </Box>
              {status === 'loading' ? <SkeletonRows height={rowHeight} /> : null}
              <GridRows
                scroller={scroller}
                roving={roving}
                showRow={showRow}
                toTop={toTop}
                lines={lines}
                headingOf={headingOf}
                onToggleGroup={toggle}
                isLate={status === 'changing'}
                width={width}
                height={rowHeight}
                layout={layout}
                texts={texts}
                cells={cells}
                valueIn={valueIn}
                href={href}
                opens={href !== undefined || onOpen !== undefined}
                openId={openId}
                saysOpen={openId !== null}
                mayEdit={edits?.may}
                isChosen={(id) => selection?.has(id) ?? false}
                nameOf={selection ? (row) => t('grid.selectRow', { name: selection.nameOf(row) }) : null}
                onToggle={toggleRow}
                onOpen={open}
                onFollow={follow}
                onDrawn={() => {
                  fit.measure();
                  roving.settle();
                }}
              />
            </Box>
            <Edges scroller={scroller} left={beforeWidth + table.getStartTotalSize()} />
          </Box>
        )}
        {nothing || status === 'error' ? (
          <NoRows
            error={status === 'error' ? state.query.error : null}
            retrying={state.query.isFetching}
            narrowed={filtered || view.range !== null}
            empty={empty}
            onRetry={state.refresh}
            onClear={filtered ? state.clearFilters : undefined}
          />
        ) : null}
        {selection ? (
          <Box sx={{ position: { xs: 'sticky', sm: 'static' }, bottom: 0, zIndex: 2 }}>{selection.bar}</Box>
        ) : null}
        <GridFooter
          model={view.paginationModel}
          rowCount={rowCount}
          shown={rows.length}
          hasGroups={lines.length > 0}
          onModel={onFirstPage.setPaginationModel}
        />
      </Box>
      {editing.editor}
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
            const size = table.getColumn(menu.field)?.getSize() ?? declaredWidth(grid.columns[menu.field]!);
            columns.resize({ [menu.field]: within(size + change) });
          }}
          onHide={() => columns.toggle(menu.field)}
        />
      ) : null}
    </Box>
  );
}
