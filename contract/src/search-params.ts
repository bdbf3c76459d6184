import { z } from 'zod';
import type { AnalyticsQuery, AnalyticsScreen } from './analytics.ts';
import { type BehindNumber, behindNumber } from './behind.ts';
import { dateRange } from './date-range.ts';
import { type ChosenGranularity, chosenGranularity } from './granularity.ts';
import {
  type Column,
  conditionsOf,
  type FilterGroup,
  type FilterItem,
  type FilterModel,
  type Grid,
  type GridQuery,
  type Grouping,
  type GroupPeriod,
  gridQuery,
  listOperators,
  maximumPageSize,
  type PaginationModel,
  pageSize,
  type SortModel,
  showsBehind,
  valuelessOperators,
} from './grid.ts';
import { type RangeChoice, rangeChoice, relativeRangeNames, resolveRange } from './relative-range.ts';
import { withoutRetired } from './retired-names.ts';

/*
 * The one place that converts a screen's state to an address and back. An address contains no search text and
 * no filter on a name, a birth date or an identifier [P16]: the server stores such a filter, and the address
 * has its id.
 */

/** A number whose records a list shows. Its range can be relative, so the link stays correct tomorrow. */
export interface BehindView extends Omit<BehindNumber, 'dateRangeValue'> {
  range: RangeChoice;
}

/** What a grid shows. `range`: null for the grid's default, 'all' for rows of every day and without a day. */
export interface GridView {
  filterModel: FilterModel;
  sortModel: SortModel;
  paginationModel: PaginationModel;
  filters: Record<string, string[]>;
  range: RangeChoice | 'all' | null;
  /** The date column of the range; absent for the grid's first. */
  rangeField?: string;
  /** Absent: the rows are not grouped. */
  grouping?: Grouping;
  /** The server's id of the stored filter model; null until it is stored. */
  savedFilter: string | null;
  /** Only the records behind this number of a dashboard. */
  behind?: BehindView;
  /** The open saved view, even after the view has been changed. */
  tab?: string;
}

/** What an analytics screen shows. `range` is null for the screen's default. */
export interface AnalyticsView {
  filters: Record<string, string[] | string>;
  range: RangeChoice | null;
  /** Null for the screen's default, and on screens without a choice. */
  eventDate: string | null;
  /** The periods of trends; null if they follow from the range. */
  granularity: ChosenGranularity | null;
  /** 'default' at first, 'none' after clear, otherwise the id of a saved preset. [S4.10] */
  presetFilter: string;
}

/** The state of an analytics screen. [S3.11] */
export interface AnalyticsState extends AnalyticsView {
  /** The filters that Clear restores. */
  defaultFilters: AnalyticsView['filters'];
}

/** One kind of view: how it is written to an address, read from it, and remembered. */
export interface ViewCodec<V> {
  /** The id under which the session remembers the view, unique among all kinds of view. */
  id: string;
  initial: V;
  toParams(view: V): AddressParams;
  fromParams(params: ReadableParams): V | BadLink;
  /** The retired names in an address, which its view leaves out. */
  retiredIn(params: ReadableParams): string[];
  /** The shape of a remembered view; an older version may have stored another. */
  schema: z.ZodType<V>;
  /** The part of the view that survives a change of organization; null if nothing does. [S4.7] */
  acrossOrgs(view: V): V | null;
  /** A view that only its own address restores, not the bare one of its screen. */
  isPassing?(view: V): boolean;
}

/** An address has a part that its screen does not know. It names the parameter, never its value. */
export interface BadLink {
  bad: string;
}
export const isBadLink = (parsed: object): parsed is BadLink => 'bad' in parsed;

export const initialGridView = (grid: Grid): GridView => ({
  filterModel: { items: [], logicOperator: 'and' },
  sortModel: grid.defaultSort,
  paginationModel: { page: 0, pageSize },
  filters: viewIn(grid, {}),
  range: null,
  savedFilter: null,
});

/** Only the filter of the active tab; empty for a grid without tabs. */
export function viewIn({ views }: Grid, filters: GridView['filters']): GridView['filters'] {
  return views ? { [views.of]: filters[views.of] ?? [views.codes[0]] } : {};
}

/** Whether list filters hide rows of the active tab. */
export const isNarrowed = ({ views }: Grid, filters: GridView['filters']): boolean =>
  Object.entries(filters).some(([name, list]) => name !== views?.of && list.length > 0);

/** The range of a view: the chosen one, or all days for open work; null for the default. */
export function rangeOf(grid: Pick<Grid, 'views'>, { range, filters }: Pick<GridView, 'range' | 'filters'>) {
  const { of, allDays = [] } = grid.views ?? { of: '' };
  const shown = filters[of] ?? [];
  return range === null && shown.length > 0 && shown.every((code) => allDays.includes(code)) ? 'all' : range;
}

/** The request that a grid's view means today. */
export function gridRequest(grid: Grid, view: GridView, today: string): GridQuery {
  const chosen = rangeOf(grid, view);
  const range =
    chosen === 'all' ? undefined : chosen ? resolveRange(chosen, today) : grid.defaultRange?.(today);
  return {
    filterModel: view.filterModel,
    sortModel: view.sortModel,
    paginationModel: view.paginationModel,
    filters: view.filters,
    ...(grid.defaultRange && range ? { dateRangeValue: range } : {}),
    ...(view.rangeField !== undefined && { rangeField: view.rangeField }),
    ...(view.grouping && { grouping: view.grouping }),
    ...(view.behind && { behind: behindRequest(view.behind, today) }),
  };
}

function behindRequest({ range, ...number }: BehindView, today: string): BehindNumber {
  return { ...number, dateRangeValue: resolveRange(range, today) };
}

/** Whether a filter model must stay out of addresses: it has search text or a sensitive column. */
export const isSensitive = (grid: Grid, model: FilterModel): boolean =>
  (model.quickFilterValues ?? []).length > 0 ||
  conditionsOf(model).some((item) => grid.columns[item.field]?.sensitive === true);

/** The address of a view. It leaves out default values, so the default view has the bare address. */
export function gridToParams(grid: Grid, view: GridView): AddressParams {
  const params: [string, string][] = [];
  if (isSensitive(grid, view.filterModel)) {
    if (view.savedFilter !== null) params.push(['saved', view.savedFilter]);
  } else {
    params.push(...conditionsToParams(view.filterModel));
    if (view.filterModel.logicOperator === 'or') params.push(['logic', 'or']);
  }
  const first = viewIn(grid, {});
  params.push(
    ...listsToParams(grid.filters, view.filters).filter(([name, value]) => first[name]?.[0] !== value),
  );
  if (view.range) params.push(['range', view.range === 'all' ? 'all' : rangeToParam(view.range)]);
  if (view.rangeField !== undefined) params.push(['by', view.rangeField]);
  if (view.grouping) {
    const { by, per, closed = [] } = view.grouping;
    params.push(['group', per ? `${by}~${per}` : by]);
    params.push(...closed.map((key): AddressParams[number] => ['closed', key]));
  }
  if (view.behind) params.push(['behind', behindToParam(view.behind)]);
  if (view.tab !== undefined) params.push(['tab', view.tab]);
  const sort = view.sortModel.map(({ field, sort: way }) => (way === 'desc' ? `-${field}` : field)).join(',');
  if (sort !== grid.defaultSort.map((one) => (one.sort === 'desc' ? `-${one.field}` : one.field)).join(','))
    params.push(['sort', sort]);
  if (view.paginationModel.page > 0) params.push(['page', String(view.paginationModel.page + 1)]);
  if (view.paginationModel.pageSize !== pageSize)
    params.push(['size', String(view.paginationModel.pageSize)]);
  return params;
}

/** Marks a link to the defaults, because a bare address shows what the tab showed last. */
const defaultView: [string, string] = ['view', 'default'];
const isDefaultView = (name: string, value: string) => name === defaultView[0] && value === defaultView[1];

/**
 * A link to exactly this view of a grid, whatever the grid showed before. Numbers use it to open their
 * records.
 */
export function linkToGrid(grid: Grid, path: string, view: Partial<GridView>): string {
  return link(path, gridToParams(grid, { ...initialGridView(grid), ...view }));
}
/** A link to exactly this view of an analytics screen. */
export function linkToAnalytics(screen: AnalyticsScreen, path: string, view: Partial<AnalyticsView>): string {
  return link(path, analyticsToParams(screen, { ...initialAnalyticsView(screen), ...view }));
}
const link = (path: string, params: AddressParams): string => {
  const pairs = params.length > 0 ? params : [defaultView];
  return `${path}?${writeParams(pairs)}`;
};

const isOneOf = (codes: readonly string[], chosen: readonly string[] = codes.slice(0, 1)): boolean =>
  chosen.length === 1 && codes.includes(chosen[0]!);

const namesOfParts: Readonly<Record<string, string>> = {
  sortModel: 'sort',
  filters: 'filters',
  grouping: 'group',
};

/** The view of an address. It has only the id of a stored filter, which the caller gets from the server. */
export function gridFromParams(grid: Grid, params: ReadableParams): GridView | BadLink {
  const view = initialGridView(grid);
  const lists: Record<string, string[]> = {};
  for (const [name, value] of params) {
    if (isDefaultView(name, value)) continue;
    if (name === 'f') {
      const item = itemFromParam(grid.columns, value);
      if (!item || grid.columns[item.field]?.sensitive) return { bad: 'f' };
      view.filterModel = { ...view.filterModel, items: [...view.filterModel.items, item] };
    } else if (name === 'g') {
      const group = groupFromParam(grid.columns, value);
      if (!group || conditionsOf(group).some((item) => grid.columns[item.field]?.sensitive))
        return { bad: 'g' };
      view.filterModel = { ...view.filterModel, groups: [...(view.filterModel.groups ?? []), group] };
    } else if (name === 'logic') {
      if (value !== 'or') return { bad: name };
      view.filterModel = { ...view.filterModel, logicOperator: 'or' };
    } else if (name === 'saved') view.savedFilter = value;
    else if (name === 'tab') {
      if (!z.uuid().safeParse(value).success) return { bad: name };
      view.tab = value;
    } else if (name === 'range') {
      const range = value === 'all' ? value : rangeFromParam(value);
      if (!range || !grid.defaultRange) return { bad: name };
      view.range = range;
    } else if (name === 'by') {
      if (!grid.rangeFields?.includes(value)) return { bad: name };
      view.rangeField = value;
    } else if (name === 'group') {
      const [by = '', per, ...more] = value.split('~');
      if (more.length > 0 || view.grouping) return { bad: name };
      view.grouping = { by, ...(per !== undefined && { per: per as GroupPeriod }) };
    } else if (name === 'closed') {
      // It follows its column, as written.
      if (!view.grouping) return { bad: name };
      view.grouping = { ...view.grouping, closed: [...(view.grouping.closed ?? []), value] };
    } else if (name === 'behind') {
      const behind = behindFromParam(value);
      if (!behind || !showsBehind(grid)) return { bad: name };
      const { asked } = withoutRetired(behind);
      if (asked) view.behind = asked;
    } else if (name === 'sort') {
      view.sortModel =
        value === ''
          ? []
          : value.split(',').map((one) => ({
              field: one.replace(/^-/, ''),
              sort: one.startsWith('-') ? ('desc' as const) : ('asc' as const),
            }));
    } else if (name === 'page' || name === 'size') {
      const number = /^\d{1,7}$/.test(value) ? Number(value) : 0;
      if (number < 1 || (name === 'size' && number > maximumPageSize)) return { bad: name };
      view.paginationModel = {
        ...view.paginationModel,
        ...(name === 'page' ? { page: number - 1 } : { pageSize: number }),
      };
    } else if (grid.filters.includes(name)) lists[name] = [...(lists[name] ?? []), value];
    else return { bad: name };
  }
  if (grid.views && !isOneOf(grid.views.codes, lists[grid.views.of])) return { bad: grid.views.of };
  view.filters = { ...view.filters, ...lists };
  const checked = gridQuery(grid).safeParse({
    filterModel: view.filterModel,
    sortModel: view.sortModel,
    paginationModel: view.paginationModel,
    filters: view.filters,
    grouping: view.grouping,
  });
  if (checked.success) return view;
  const part = String(checked.error.issues[0]?.path[0] ?? '');
  return { bad: namesOfParts[part] ?? 'f' };
}

/** Every list empty, every string at its default. */
export const initialFilters = (screen: AnalyticsScreen): AnalyticsView['filters'] => ({
  ...Object.fromEntries(screen.listFilters.map((name) => [name, []])),
  ...screen.stringFilters,
});

export const initialAnalyticsView = (screen: AnalyticsScreen): AnalyticsView => ({
  filters: initialFilters(screen),
  range: null,
  eventDate: null,
  granularity: null,
  presetFilter: 'default',
});

/** The request that an analytics screen's view means today. */
export function analyticsRequest(
  screen: AnalyticsScreen,
  view: AnalyticsView,
  today: string,
): AnalyticsQuery {
  return {
    dateRangeValue: view.range ? resolveRange(view.range, today) : screen.defaultRange(today),
    filters: view.filters,
    ...(screen.eventDates && { eventDate: view.eventDate ?? screen.eventDates[0] }),
    ...(view.granularity !== null && { granularity: view.granularity }),
  };
}

export function analyticsToParams(screen: AnalyticsScreen, view: AnalyticsView): AddressParams {
  const params = listsToParams(screen.listFilters, view.filters);
  for (const [name, initial] of Object.entries(screen.stringFilters ?? {})) {
    const value = view.filters[name];
    if (typeof value === 'string' && value !== initial) params.push([name, value]);
  }
  if (view.range) params.push(['range', rangeToParam(view.range)]);
  if (view.eventDate !== null) params.push(['date', view.eventDate]);
  if (view.granularity !== null) params.push(['granularity', view.granularity]);
  if (view.presetFilter !== 'default') params.push(['preset', view.presetFilter]);
  return params;
}

/** Whether part of an address has a retired name: of a filter or an event date. */
const isRetired = ({ retired = [] }: AnalyticsScreen, name: string, value: string): boolean =>
  retired.includes(name === 'date' ? value : name);

export function analyticsFromParams(
  screen: AnalyticsScreen,
  params: ReadableParams,
): AnalyticsView | BadLink {
  const view = initialAnalyticsView(screen);
  for (const [name, value] of params) {
    if (isDefaultView(name, value)) continue;
    if (name === 'range') {
      const range = rangeFromParam(value);
      if (!range) return { bad: name };
      view.range = range;
    } else if (isRetired(screen, name, value)) {
      // Dropped.
    } else if (name === 'date') {
      if (!screen.eventDates?.includes(value)) return { bad: name };
      view.eventDate = value;
    } else if (name === 'granularity') {
      const parsed = chosenGranularity.safeParse(value);
      if (!parsed.success) return { bad: name };
      view.granularity = parsed.data;
    } else if (name === 'preset') view.presetFilter = value;
    else if (value.length > 200) return { bad: name };
    else if (screen.listFilters.includes(name))
      view.filters[name] = [...(view.filters[name] as string[]), value];
    else if (Object.hasOwn(screen.stringFilters ?? {}, name)) view.filters[name] = value;
    else return { bad: name };
  }
  return view;
}

const rangeShape = rangeChoice.nullable();
const conditionsShape = {
  items: z.array(z.object({ field: z.string(), operator: z.string(), value: z.unknown().optional() })),
  groups: z.array(z.lazy((): z.ZodType => z.object(conditionsShape))).optional(),
  logicOperator: z.enum(['and', 'or']),
};
const gridViewShape = z.object({
  filterModel: z.object({ ...conditionsShape, quickFilterValues: z.array(z.string()).optional() }),
  sortModel: z.array(z.object({ field: z.string(), sort: z.enum(['asc', 'desc']) })),
  paginationModel: z.object({ page: z.number(), pageSize: z.number() }),
  filters: z.record(z.string(), z.array(z.string())),
  range: z.union([rangeShape, z.literal('all')]),
  rangeField: z.string().optional(),
  grouping: z
    .object({ by: z.string(), per: z.string().optional(), closed: z.array(z.string()).optional() })
    .optional(),
  savedFilter: z.string().nullable(),
  behind: z.object({ dashboard: z.string(), range: rangeChoice }).loose().optional(),
  tab: z.string().optional(),
}) as unknown as z.ZodType<GridView>;
const filtersShape = z.record(z.string(), z.union([z.array(z.string()), z.string()]));
const analyticsStateShape = z.object({
  filters: filtersShape,
  defaultFilters: filtersShape,
  range: rangeShape,
  eventDate: z.string().nullable(),
  granularity: chosenGranularity.nullable().default(null),
  presetFilter: z.string(),
});

/**
 * The codec of a grid's view. Across organizations it keeps list filters, range and order, if the grid allows
 * it. [S4.7]
 */
export const gridCodec = (grid: Grid): ViewCodec<GridView> => ({
  id: `grid/${grid.id}`,
  initial: initialGridView(grid),
  toParams: (view) => gridToParams(grid, view),
  fromParams: (params) => gridFromParams(grid, params),
  retiredIn: (params) =>
    [...params].flatMap(([name, value]) => {
      const behind = name === 'behind' ? behindFromParam(value) : null;
      return behind ? withoutRetired(behind).retired : [];
    }),
  schema: gridViewShape,
  // The menu opens the list itself, not the records behind a number.
  isPassing: ({ behind }) => behind !== undefined,
  acrossOrgs: ({ behind: _, tab: __, grouping: ___, ...view }) =>
    grid.keptAcrossOrgs
      ? {
          ...view,
          filterModel: { items: [], logicOperator: 'and' },
          paginationModel: { ...view.paginationModel, page: 0 },
          savedFilter: null,
        }
      : null,
});

export const initialAnalyticsState = (screen: AnalyticsScreen): AnalyticsState => ({
  ...initialAnalyticsView(screen),
  defaultFilters: initialFilters(screen),
});

export const analyticsCodec = (screen: AnalyticsScreen): ViewCodec<AnalyticsState> => ({
  id: `analytics/${screen.id}`,
  initial: initialAnalyticsState(screen),
  toParams: (state) => analyticsToParams(screen, state),
  fromParams: (params) => {
    const view = analyticsFromParams(screen, params);
    return isBadLink(view) ? view : { ...initialAnalyticsState(screen), ...view };
  },
  retiredIn: (params) =>
    [...params].flatMap(([name, value]) =>
      isRetired(screen, name, value) ? [name === 'date' ? value : name] : [],
    ),
  // A view remembered before an update may have retired filters.
  schema: analyticsStateShape.refine(({ filters }) =>
    Object.keys(filters).every(
      (name) => screen.listFilters.includes(name) || Object.hasOwn(screen.stringFilters ?? {}, name),
    ),
  ),
  acrossOrgs: (state) => (screen.keptAcrossOrgs ? state : null),
});

/** What `URLSearchParams` accepts, and what iterating it yields. */
export type AddressParams = [name: string, value: string][];
type ReadableParams = Iterable<[string, string]>;

const listsToParams = (
  names: readonly string[],
  lists: Readonly<Record<string, string[] | string>>,
): AddressParams =>
  names.flatMap((name) => {
    const values = lists[name];
    return Array.isArray(values) ? values.map((value): [string, string] => [name, value]) : [];
  });

const rangeToParam = (range: RangeChoice) =>
  'relative' in range ? range.relative : `${range.start}..${range.end}`;

function rangeFromParam(value: string): RangeChoice | null {
  if ((relativeRangeNames as string[]).includes(value)) return rangeChoice.parse({ relative: value });
  const [start, end, ...more] = value.split('..');
  const parsed = dateRange.safeParse({ start, end });
  return parsed.success && more.length === 0 ? parsed.data : null;
}

/** The single-word parts of a number; all other names are the dashboard's filters. */
const partsOfNumber = [
  'dashboard',
  'measure',
  'series',
  'key',
  'key2',
  'class',
  'date',
  'granularity',
] as const;

/**
 * A number as one parameter, itself written as an address:
 * `dashboard=testing&measure=tests&range=last-30-days`.
 */
function behindToParam({ range, filters, eventDate, ...number }: BehindView): string {
  const parts: Readonly<Record<string, string | undefined>> = { ...number, date: eventDate };
  return writeParams([
    ...partsOfNumber.flatMap((name): AddressParams => {
      const part = parts[name];
      return part === undefined ? [] : [[name, part]];
    }),
    ['range', rangeToParam(range)],
    ...Object.entries(filters).flatMap(
      ([name, values]): AddressParams => [values].flat().map((value) => [name, value]),
    ),
  ]);
}

function behindFromParam(param: string): BehindView | null {
  const parts: Record<string, string> = {};
  const filters: Record<string, string[]> = {};
  let range: RangeChoice | null = null;
  for (const [name, value] of readParams(param)) {
    if (name === 'range') range = rangeFromParam(value);
    else if ((partsOfNumber as readonly string[]).includes(name)) parts[name] = value;
    else filters[name] = [...(filters[name] ?? []), value];
  }
  if (!range) return null;
  const { date, ...number } = parts;
  // Any days will do for the check, because relative ranges move with today.
  const dateRangeValue = { start: '2000-01-01', end: '2000-01-01' };
  const parsed = behindNumber.safeParse({
    ...number,
    filters,
    dateRangeValue,
    ...(date !== undefined && { eventDate: date }),
  });
  if (!parsed.success) return null;
  const { dateRangeValue: _, ...read } = parsed.data;
  return { ...read, range };
}

const writeParams = (params: AddressParams): string =>
  params.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
function readParams(text: string): AddressParams {
  try {
    return text.split('&').map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [decodeURIComponent(name), decodeURIComponent(value)];
    });
  } catch {
    return [];
  }
}

// `field~operator~value~value`; `!` escapes itself and `~`.
const escaped = (part: string) => part.replace(/[!~]/g, '!$&');
const itemToParam = (item: FilterItem): string => {
  const values = valuelessOperators.includes(item.operator)
    ? []
    : Array.isArray(item.value)
      ? item.value.map(String)
      : [String(item.value)];
  return [item.field, item.operator, ...values].map(escaped).join('~');
};

/** Finished conditions and non-empty groups only; the others filter nothing. */
const conditionsToParams = ({ items, groups = [] }: FilterGroup): AddressParams => [
  ...items
    .filter((item) => valuelessOperators.includes(item.operator) || (item.value ?? null) !== null)
    .map((item): AddressParams[number] => ['f', itemToParam(item)]),
  ...groups.flatMap((group): AddressParams => {
    const made = conditionsToParams(group);
    return made.length > 0 ? [['g', writeParams([...made, ['logic', group.logicOperator]])]] : [];
  }),
];

/** A group as one parameter, itself written as an address: `f=status~is~open&f=age~>~18&logic=or`. */
function groupFromParam(columns: Readonly<Record<string, Column>>, param: string): FilterGroup | null {
  const group: FilterGroup = { items: [], logicOperator: 'and' };
  for (const [name, value] of readParams(param)) {
    const item = name === 'f' ? itemFromParam(columns, value) : null;
    const inner = name === 'g' ? groupFromParam(columns, value) : null;
    if (item) group.items.push(item);
    else if (inner) group.groups = [...(group.groups ?? []), inner];
    else if (name === 'logic' && (value === 'and' || value === 'or')) group.logicOperator = value;
    else return null;
  }
  return group.items.length > 0 || group.groups ? group : null;
}

function itemFromParam(columns: Readonly<Record<string, Column>>, param: string): FilterItem | null {
  const parts = [''];
  for (const [, mark, character = ''] of param.matchAll(/(!?)([\s\S])/g)) {
    if (character === '~' && !mark) parts.push('');
    else parts.push(`${parts.pop()}${character}`);
  }
  const [field = '', operator = '', ...texts] = parts;
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
  if (!column) return null;
  if (valuelessOperators.includes(operator)) return texts.length === 0 ? { field, operator } : null;
  const values = column.kind === 'number' ? texts.map(Number) : texts;
  if (listOperators.includes(operator)) return { field, operator, value: values };
  return values.length === 1 ? { field, operator, value: values[0] } : null;
}
