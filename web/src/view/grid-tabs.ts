import {
  type FilterGroup,
  type FilterItem,
  type Grid,
  type Grouping,
  isUnfinished,
} from '@caseway/contract/grid';
import type { ColumnSettings } from '@caseway/contract/grid-columns';
import type { GridTab, SavedGridView } from '@caseway/contract/grid-views';
import { type GridView, viewIn } from '@caseway/contract/search-params';
import { useEffect, useMemo, useState } from 'react';
import { viewsOf } from '../data/saved-views.ts';
import { useMay } from '../session/permissions.ts';
import { useAppSelector } from '../session/store.ts';
import type { GridControl } from './grid-view.ts';
import { type Opening, openingIn, useSavedViews } from './opening.ts';

/** A view of a list, built-in or saved. */
export interface Tab {
  id: string;
  view: SavedGridView;
  /** Absent for a built-in one. */
  saved?: GridTab;
}

const asDeclared = (grid: Grid, filters: GridView['filters'] = {}): SavedGridView => ({
  filterModel: { items: [], logicOperator: 'and' },
  sortModel: grid.defaultSort,
  filters: viewIn(grid, filters),
  range: null,
});

/** The records that meet one condition, on any day. */
const oneCondition = (grid: Grid, from: SavedGridView, item: FilterItem): SavedGridView => ({
  ...from,
  filterModel: { items: [item], logicOperator: 'and' },
  range: grid.defaultRange ? 'all' : null,
});

/**
 * A list's built-in views: all or the declared ones, its open work if it declares the states, and the
 * reader's own rows if rows have an owner.
 */
export function ownTabs(grid: Grid, reader: string | null): Tab[] {
  const { views, owner, open } = grid;
  const first: Tab[] = views
    ? views.codes.map((code) => ({ id: code, view: asDeclared(grid, { [views.of]: [code] }) }))
    : [{ id: 'all', view: asDeclared(grid) }];
  const all = views ? asDeclared(grid, { [views.of]: ['all'] }) : asDeclared(grid);
  const condition = (id: string, item: FilterItem): Tab => ({ id, view: oneCondition(grid, all, item) });
  return [
    ...first,
    ...(open
      ? [condition('open', { field: open.column, operator: 'isAnyOf', value: [...open.states] })]
      : []),
    ...(owner && reader !== null && !views?.codes.includes('mine')
      ? [condition('mine', { field: owner.column, operator: 'is', value: reader })]
      : []),
  ];
}

/**
 * The part of a list's view that a saved view stores: no search text, and no condition that no address may
 * have.
 */
export function savedPart(grid: Grid, view: GridView): SavedGridView {
  const { filterModel, sortModel, filters, range, rangeField, grouping } = view;
  const keptOf = ({ items, groups = [], logicOperator }: FilterGroup): FilterGroup => {
    const kept = groups.map(keptOf).filter((group) => group.items.length > 0 || group.groups);
    return {
      items: items
        .filter((item) => !grid.columns[item.field]?.sensitive && !isUnfinished(item))
        .map(({ field, operator, value }) => ({ field, operator, ...(value !== undefined && { value }) })),
      ...(kept.length > 0 && { groups: kept }),
      logicOperator,
    };
  };
  return {
    filterModel: keptOf(filterModel),
    sortModel,
    filters,
    range,
    ...(rangeField !== undefined && { rangeField }),
    ...(grouping && { grouping: openGroups(grouping) }),
  };
}

/** The grouping with every group open: closed groups are not saved. */
export const openGroups = ({ by, per }: Grouping): Grouping => ({ by, ...(per && { per }) });

/** Whether two views show the same. Empty filters and the order of values do not matter. */
export function isSameView(one: SavedGridView, other: SavedGridView): boolean {
  const sorted = (value: unknown) => (Array.isArray(value) ? value.map(String).sort() : value);
  const conditions = ({ items, groups = [], logicOperator }: FilterGroup): unknown => [
    items.map(({ field, operator, value }) => [field, operator, sorted(value) ?? null]),
    groups.map(conditions),
    items.length + groups.length > 1 ? logicOperator : null,
  ];
  const text = ({ filterModel, sortModel, filters, range, rangeField, grouping, columns }: SavedGridView) =>
    JSON.stringify([
      conditions(filterModel),
      sortModel.map(({ field, sort }) => [field, sort]),
      Object.keys(filters)
        .filter((name) => filters[name]!.length > 0)
        .sort()
        .map((name) => [name, sorted(filters[name])]),
      range && Object.entries(range).sort(),
      rangeField ?? null,
      grouping ? [grouping.by, grouping.per ?? null] : null,
      columns
        ? [
            columns.order,
            sorted(columns.hidden),
            sorted(columns.pinned),
            Object.entries(columns.widths).sort(([a], [b]) => (a < b ? -1 : 1)),
          ]
        : null,
    ]);
  return text(one) === text(other);
}

const isSameItem = (one: FilterItem, other: FilterItem): boolean =>
  one.field === other.field &&
  one.operator === other.operator &&
  JSON.stringify(one.value) === JSON.stringify(other.value);

/** The tab a view belongs to. */
export function tabOf(grid: Grid, tabs: readonly Tab[], view: GridView): Tab {
  const saved = tabs.find((tab) => tab.saved && tab.id === view.tab);
  if (saved) return saved;
  // A view with a single condition is active while that condition is, whatever else applies.
  const made = tabs.findLast(
    ({ id, saved, view: own }) =>
      !saved &&
      ['open', 'mine'].includes(id) &&
      own.filterModel.items.length > 0 &&
      own.filterModel.items.every((item) => view.filterModel.items.some((one) => isSameItem(one, item))),
  );
  if (made) return made;
  const code = grid.views && view.filters[grid.views.of]?.[0];
  return tabs.find(({ id, saved }) => !saved && id === code) ?? tabs[0]!;
}

/** A tab's view; its columns are not in an address. */
export function viewOf({ id, saved, view: { columns: _, ...view } }: Tab): Partial<GridView> {
  return { ...view, ...(saved && { tab: id }) };
}

/** A list's tabs, and which one is open. */
export interface GridTabs {
  tabs: readonly Tab[];
  open: Tab;
  /** The view differs from the saved one. */
  changed: boolean;
  /** What would be saved now. */
  shown: SavedGridView;
  /** The default tab that counts for the reader; null for the first. */
  opensWith: string | null;
  /** The reader's own default, and that of their roles. */
  opening: Opening;
  /** The columns of a tab that has its own, with unsaved changes. */
  columns: ViewColumns | undefined;
  select(tab: Tab): void;
}

/** A view's columns, and their arrangement until it is saved or reset; null: as saved. */
export interface ViewColumns {
  settings: ColumnSettings;
  arrange(columns: ColumnSettings | null): void;
}

const noOpening: Opening = { opensWith: null, roleOpensWith: null };

/** A list's tabs. An untouched list in this browser tab opens with its reader's default. */
export function useGridTabs(grid: Grid, state: GridControl): GridTabs {
  const { view, untouched, show, setFilters } = state;
  const reader = useAppSelector(({ authentication }) => authentication.user?.id ?? null);
  const may = useMay();
  const { data } = useSavedViews(viewsOf(grid), grid.id);
  const owner = grid.owner && may(grid.owner.may) ? reader : null;
  const tabs = useMemo((): Tab[] => {
    const presets = (data?.presets ?? []).toSorted((a, b) => Number(a.shared) - Number(b.shared));
    return [...ownTabs(grid, owner), ...presets.map((saved) => ({ id: saved.id, view: saved.view, saved }))];
  }, [grid, owner, data]);
  const [arranged, setArranged] = useState<{ tab: string; columns: ColumnSettings } | null>(null);
  const opening = data ?? noOpening;
  const found = useMemo((): GridTabs => {
    const open = tabOf(grid, tabs, view);
    const kept = open.view.columns;
    const columns: ViewColumns | undefined = kept && {
      settings: arranged?.tab === open.id ? arranged.columns : kept,
      arrange: (next) => setArranged(next && { tab: open.id, columns: next }),
    };
    const shown = { ...savedPart(grid, view), ...(columns && { columns: columns.settings }) };
    const isDeclared = ({ id, saved }: Tab) => !saved && grid.views?.codes.includes(id) === true;
    return {
      tabs,
      open,
      changed: !isSameView(open.view, shown),
      shown,
      columns,
      opensWith: openingIn(opening, (id) => tabs.some((tab) => tab.id === id)),
      opening,
      select: (tab) => {
        setArranged(null);
        // Other filters stay between views that the list declares.
        if (isDeclared(tab) && isDeclared(open) && tab.id !== open.id)
          setFilters({ ...view.filters, [grid.views!.of]: [tab.id] });
        else show(viewOf(tab));
      },
    };
  }, [grid, tabs, view, arranged, opening, setFilters, show]);
  const asks = untouched && (opening.opensWith ?? opening.roleOpensWith) !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it becomes known.
  useEffect(() => {
    if (asks) found.select(tabs.find(({ id }) => id === found.opensWith) ?? tabs[0]!);
  }, [asks]);
  return found;
}
