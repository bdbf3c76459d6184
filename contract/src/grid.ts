import { z } from 'zod';
import { type BehindNumber, behindNumber } from './behind.ts';
import { type DateRange, dateRange, day } from './date-range.ts';
import { endpoint, type Permission } from './endpoint.ts';
import { namedBack } from './error.ts';
import type { Fact } from './fact.ts';
import type { Labelled } from './label.ts';
import { missingKey } from './label.ts';
import type { Feature } from './permission.ts';
import { relativeRange } from './relative-range.ts';
import type { OrgType } from './session.ts';

/**
 * The operators of each kind of column, named as in MUI X, which has no `within`. Nothing outside these lists is accepted.
 * [S10.4]
 */
export const operators = {
  text: [
    'contains',
    'doesNotContain',
    'equals',
    'doesNotEqual',
    'startsWith',
    'doesNotStartWith',
    'endsWith',
    'doesNotEndWith',
    'isEmpty',
    'isNotEmpty',
    'isAnyOf',
    'isNoneOf',
  ],
  number: ['=', '!=', '>', '>=', '<', '<=', 'isEmpty', 'isNotEmpty'],
  date: ['is', 'not', 'after', 'onOrAfter', 'before', 'onOrBefore', 'within', 'isEmpty', 'isNotEmpty'],
  choice: ['is', 'not', 'isAnyOf', 'isNoneOf', 'isEmpty', 'isNotEmpty'],
} as const;
export type ColumnKind = keyof typeof operators;
export type Operator = (typeof operators)[ColumnKind][number];

/** Operators that take no value, and those that take a list. All others take one value. */
export const valuelessOperators: readonly string[] = ['isEmpty', 'isNotEmpty'];
export const listOperators: readonly string[] = ['isAnyOf', 'isNoneOf'];
/** Those that take a range which moves with today, by its name. */
export const rangeOperators: readonly string[] = ['within'];

export interface Column {
  kind: ColumnKind;
  /** The column of the grid's fact; absent for one that is read with the page alone. */
  of?: string;
  /** Name of the look-up whose entries a choice column takes, or its fixed codes. */
  options?: string | readonly string[];
  /** A choice column with several values in a row: a condition is met if any of them meets it. */
  many?: boolean;
  /** Names, birth dates, identifiers: a filter on it never enters an address. [P16] */
  sensitive?: boolean;
  sortable?: boolean;
  filterable?: boolean;
  /** Hidden until the user shows it. */
  hidden?: boolean;
  /** Initial width in px. */
  width?: number;
  /** A day with a time; shown with its time, filtered by its day in the tenant's time zone. */
  withTime?: boolean;
  /** A text that is stored in one form and shown in another, as people write it: E.164, or the name of a time zone. */
  as?: 'phone' | 'timeZone';
  /** A number or code that means nothing if it is cut; it is always shown whole. */
  whole?: boolean;
  /** Its words and those of its codes, where they are data and not in the locales. */
  words?: Labelled;
  optionWords?: Readonly<Record<string, Labelled>>;
  /** The kinds of places whose people have it at all; absent: all. */
  readers?: readonly OrgType[];
}

export interface Grid<
  Columns extends Record<string, Column> = Record<string, Column>,
  Row extends z.ZodType = z.ZodType,
> {
  id: string;
  permission: Permission;
  /** Whose rows they are (`gridOver`); absent for rows that are only in the database. */
  fact?: Fact;
  /** The column of the fact that each list filter narrows. */
  filterColumns?: Readonly<Record<string, string>>;
  /** The feature that it is part of, if its permission does not say so. [S1.6] */
  feature?: Feature;
  columns: Columns;
  /** Ties are always broken by the row's id, so that pages never overlap. */
  defaultSort: { field: Extract<keyof Columns, string>; sort: 'asc' | 'desc' }[];
  /** List filters next to the column filters, by their contract names; their values are ids or codes. */
  filters: readonly string[];
  /** The column that a list filter narrows; absent for one that narrows something else. */
  narrows?: Readonly<Record<string, string>>;
  /** Views as tabs, one of which is always shown, the first when the list opens: codes of one of the list filters. */
  views?: {
    readonly of: string;
    readonly codes: readonly [string, ...string[]];
    /** Of what is to be done: however old it is, the range that the list opens with does not hide it. */
    readonly allDays?: readonly string[];
  };
  /**
   * The column with the person whose a row is. For people with the permission to be one, the list has a view with their own.
   */
  owner?: { readonly column: string; readonly may: Permission };
  /** What a row is on a phone, where it is a card: who or what it is, its state, and what else decides. */
  card?: { readonly title: readonly string[]; readonly state?: string; readonly lines: readonly string[] };
  /** The range the grid opens with, from today in the tenant's time zone. Absent: the grid has no range. */
  defaultRange?: (today: string) => DateRange;
  /**
   * Date columns from which one is chosen for the range; the first by default. Present exactly when the grid has a
   * range.
   */
  rangeFields?: readonly Extract<keyof Columns, string>[];
  row: Row;
  /** List filters, range and order stay when another organisation is chosen. [S4.7] */
  keptAcrossOrgs?: true;
  /** Dashboards count its rows, and it lists those behind a number. Of a grid over a fact, the fact says so. */
  counted?: true;
  /** The permission that exporting its rows needs in addition to the grid's own. Absent: they cannot be exported. */
  exportable?: Permission;
  /** Files of a form of their own, packed, that it is exported as besides CSV and XLSX; worded as `export.<name>`. */
  files?: readonly string[];
}

/** Whether people of a kind of place have a column. */
export const hasColumn = ({ readers }: Column, orgType: OrgType): boolean =>
  readers === undefined || readers.includes(orgType);

/** Whether something that the contract exports is a grid. */
export const isGrid = (value: unknown): value is Grid =>
  typeof value === 'object' && value !== null && 'columns' in value && 'defaultSort' in value;

/** A grid as people of a kind of place have it. */
export const gridFor = <G extends Grid>(grid: G, orgType: OrgType): G => ({
  ...grid,
  columns: Object.fromEntries(
    Object.entries(grid.columns).filter(([, column]) => hasColumn(column, orgType)),
  ),
});

export const pageSize = 25;
export const maximumPageSize = 200;
/** How many rows a selection names one by one: those that are chosen, or those that are left out. */
export const namedLimit = 1000;

/** A text that a database can keep: without zero bytes and halves of characters. */
const clean = (length: number) =>
  z
    .string()
    .max(length)
    .regex(/^[^\0\p{Surrogate}]*$/u);

export type SortModel = { field: string; sort: 'asc' | 'desc' }[];
const sortModel = z
  .array(z.strictObject({ field: z.string(), sort: z.enum(['asc', 'desc']) }))
  .max(8) as unknown as z.ZodType<SortModel>;
export interface FilterItem {
  /** A client may number its conditions. */
  id?: string | number | undefined;
  field: string;
  operator: string;
  value?: unknown;
}
const filterItem = z.strictObject({
  id: z.union([z.string(), z.number()]).optional(),
  field: z.string(),
  operator: z.string(),
  value: z.unknown().optional(),
}) as unknown as z.ZodType<FilterItem>;
/** How many conditions and how many groups a query has in all, and how many groups are around a condition. */
export const mostConditions = 50;
export const mostGroups = 10;
export const mostDepth = 3;
export interface FilterGroup {
  items: FilterItem[];
  /** Conditions that are joined among themselves first; absent for none. */
  groups?: FilterGroup[] | undefined;
  /** How the items and the groups are joined. */
  logicOperator: 'and' | 'or';
}
export interface FilterModel extends FilterGroup {
  /** Words of the search box; each must begin a search key of the row. */
  quickFilterValues?: string[] | undefined;
}
const conditions = {
  items: z.array(filterItem).max(mostConditions),
  logicOperator: z.enum(['and', 'or']).default('and'),
};
/** A group with as many levels of groups in it. */
const filterGroup = (levels: number): z.ZodType<FilterGroup> =>
  z.strictObject({
    ...conditions,
    ...(levels > 0 && {
      groups: z
        .array(filterGroup(levels - 1))
        .max(mostGroups)
        .optional(),
    }),
  }) as unknown as z.ZodType<FilterGroup>;
const filterModel = z.strictObject({
  ...conditions,
  groups: z
    .array(filterGroup(mostDepth - 1))
    .max(mostGroups)
    .optional(),
  quickFilterValues: z.array(clean(200)).max(10).optional(),
}) as unknown as z.ZodType<FilterModel>;
const paginationModel = z.strictObject({
  page: z.number().int().min(0).default(0),
  pageSize: z.number().int().min(1).max(maximumPageSize).default(pageSize),
});
export type PaginationModel = z.infer<typeof paginationModel>;

/** The periods by which the rows of a date are grouped: days, or MMWR weeks. */
export const groupPeriods = ['day', 'week'] as const;
export type GroupPeriod = (typeof groupPeriods)[number];
/** How many groups of a list can be closed, and how many are counted. */
export const mostClosed = 100;
export const countedGroups = 1000;

/** Rows in groups, by the values of one column. */
export interface Grouping {
  by: string;
  /** Of a date; absent for a choice. */
  per?: GroupPeriod | undefined;
  /** The keys of groups whose rows are left out. */
  closed?: string[] | undefined;
}
/** A group of rows: its code or id, `missing`, or the first day of its period; and how many rows it has. */
export interface RowGroup {
  key: string;
  count: number;
}

/** Whether rows can be grouped by a column: one choice for each row, or a day. No name, birth date or identifier. [P16] */
export const canGroup = ({ kind, many, sensitive, withTime, sortable, filterable }: Column): boolean =>
  (kind === 'choice' || (kind === 'date' && !withTime)) &&
  !many &&
  !sensitive &&
  sortable !== false &&
  filterable !== false;

const groupingSchema = z.strictObject({
  by: z.string(),
  per: z.enum(groupPeriods).optional(),
  closed: z.array(clean(200)).max(mostClosed).optional(),
}) as unknown as z.ZodType<Grouping>;

/** The query of a grid. Every part is optional; absent parts take the grid's defaults. [S3.10, S7.10] */
export interface GridQuery {
  filterModel: FilterModel;
  sortModel: SortModel;
  paginationModel: PaginationModel;
  /** Absent: rows of every day, and those without one. */
  dateRangeValue?: DateRange;
  /** The date column for the range, one of the grid's `rangeFields`; the first of them if absent. */
  rangeField?: string;
  filters: Record<string, string[]>;
  /** Absent: the rows are in no groups. */
  grouping?: Grouping;
  /** Only the records behind a number of a dashboard. */
  behind?: BehindNumber;
}

type Issue = { code: 'custom'; message: string; path: Place; params: { code: string } };
const refuse = (context: { addIssue(issue: Issue): void }, code: string, message: string, path: Place) =>
  context.addIssue({ code: 'custom', message, path, params: { code } });

const valueSchemas: Record<ColumnKind, z.ZodType> = {
  text: clean(500),
  number: z.number(),
  date: day,
  choice: clean(200),
};

/**
 * Whether a filter item is incomplete: it needs a value and has none, or an empty one. Such an item is allowed, as in
 * MUI X, and filters nothing.
 */
export const isUnfinished = (item: FilterItem): boolean => {
  if (valuelessOperators.includes(item.operator)) return false;
  const { value } = item;
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
};

type Place = (string | number)[];
type Conditions = Pick<FilterGroup, 'items' | 'groups'>;

/** Every condition of a filter, also those in groups, with its place in it. */
export const placedConditions = ({ items, groups = [] }: Conditions): [item: FilterItem, at: Place][] => [
  ...items.map((item, index): [FilterItem, Place] => [item, ['items', index]]),
  ...groups.flatMap((group, index) =>
    placedConditions(group).map(([item, at]): [FilterItem, Place] => [item, ['groups', index, ...at]]),
  ),
];
export const conditionsOf = (filter: Conditions): FilterItem[] =>
  placedConditions(filter).map(([item]) => item);
const countGroups = ({ groups = [] }: Conditions): number =>
  groups.reduce((sum, group) => sum + 1 + countGroups(group), 0);

/** Whether it lists the records behind a number of a dashboard. */
export const showsBehind = ({ id, counted, fact }: Grid): boolean =>
  counted === true || fact?.counting?.records === id;

/**
 * The schema of a grid's search request. It refuses, by name, every field, operator, sort key and filter that
 * the grid does not declare, and every value of the wrong kind, so that nothing undeclared reaches SQL. [P19]
 */
export function gridQuery(grid: Grid): z.ZodType<GridQuery> {
  return z
    .strictObject({
      filterModel: filterModel.default({ items: [], logicOperator: 'and' }),
      sortModel: sortModel.default(grid.defaultSort),
      paginationModel: paginationModel.default({ page: 0, pageSize }),
      dateRangeValue: dateRange.optional(),
      rangeField: z.string().optional(),
      filters: z.record(z.string(), z.array(clean(200)).max(5000)).default({}),
      grouping: groupingSchema.optional(),
      behind: behindNumber.optional(),
    })
    .superRefine((query, context) => {
      const placed = placedConditions(query.filterModel);
      if (placed.length > mostConditions)
        refuse(context, 'invalid-value', `at most ${mostConditions} conditions`, ['filterModel']);
      if (countGroups(query.filterModel) > mostGroups)
        refuse(context, 'invalid-value', `at most ${mostGroups} groups`, ['filterModel']);
      for (const [item, inside] of placed) {
        const at = ['filterModel', ...inside];
        const column = Object.hasOwn(grid.columns, item.field) ? grid.columns[item.field] : undefined;
        if (!column || column.filterable === false) {
          refuse(context, 'unknown-field', `there is no field ${namedBack(item.field)} to filter by`, [
            ...at,
            'field',
          ]);
          continue;
        }
        if (!(operators[column.kind] as readonly string[]).includes(item.operator)) {
          refuse(context, 'unknown-operator', `${item.field} has no operator ${namedBack(item.operator)}`, [
            ...at,
            'operator',
          ]);
          continue;
        }
        if (valuelessOperators.includes(item.operator) || isUnfinished(item)) continue;
        const one = rangeOperators.includes(item.operator) ? relativeRange : valueSchemas[column.kind];
        const expected = listOperators.includes(item.operator) ? z.array(one).max(1000) : one;
        const parsed = expected.safeParse(item.value);
        if (!parsed.success)
          refuse(context, 'invalid-value', `${item.field} takes another kind of value`, [...at, 'value']);
      }
      query.sortModel.forEach((sort, index) => {
        const column = Object.hasOwn(grid.columns, sort.field) ? grid.columns[sort.field] : undefined;
        if (!column || column.sortable === false)
          refuse(context, 'unknown-field', `there is no field ${namedBack(sort.field)} to sort by`, [
            'sortModel',
            index,
            'field',
          ]);
      });
      if (query.grouping) {
        const { by, per, closed = [] } = query.grouping;
        const column = Object.hasOwn(grid.columns, by) ? grid.columns[by] : undefined;
        if (!column || !canGroup(column))
          refuse(context, 'unknown-field', `there is no field ${namedBack(by)} to group by`, [
            'grouping',
            'by',
          ]);
        else if ((per !== undefined) !== (column.kind === 'date'))
          refuse(context, 'invalid-value', 'a date is grouped by a period, a choice is not', [
            'grouping',
            'per',
          ]);
        else if (per && !closed.every((key) => key === missingKey || day.safeParse(key).success))
          refuse(context, 'invalid-value', 'a group of days is named by its first', ['grouping', 'closed']);
      }
      if (query.behind && !showsBehind(grid))
        refuse(context, 'unknown-filter', 'this grid has no records of a dashboard', ['behind']);
      for (const name of Object.keys(query.filters))
        if (!grid.filters.includes(name))
          refuse(context, 'unknown-filter', `there is no filter ${namedBack(name)}`, ['filters', name]);
      if (query.dateRangeValue && !grid.defaultRange)
        refuse(context, 'unknown-filter', 'this grid has no date range', ['dateRangeValue']);
      if (query.rangeField !== undefined && !grid.rangeFields?.includes(query.rangeField))
        refuse(
          context,
          'unknown-field',
          `there is no date ${namedBack(query.rangeField)} for a range to go by`,
          ['rangeField'],
        );
    }) as unknown as z.ZodType<GridQuery>;
}

/** A page of a grid. `rowCount` is of all rows that match, without those of closed groups. */
export interface GridAnswer<Row> {
  rows: Row[];
  rowCount: number;
  /** The groups in their order, closed ones too, the first thousand: of all rows that match, on whichever page. */
  groups?: RowGroup[] | undefined;
  /** The key of each row's group, by the row's id. */
  groupOf?: Record<string, string> | undefined;
}

/** POST /api/web/grid/{grid}/search of one grid. [S7.10] */
export const gridSearch = <G extends Grid>(grid: G) =>
  endpoint({
    method: 'POST',
    path: `/api/web/grid/${grid.id}/search`,
    access: grid.permission,
    deed: 'search',
    feature: grid.feature,
    summary: `Search the ${grid.id} grid`,
    patientData: true,
    body: gridQuery(grid),
    response: z.object({
      rows: z.array(grid.row),
      rowCount: z.number().int(),
      groups: z.array(z.object({ key: z.string(), count: z.number().int() })).optional(),
      groupOf: z.record(z.string(), z.string()).optional(),
    }) as unknown as z.ZodType<GridAnswer<z.infer<G['row']>>>,
  });

/** The files that a list is exported as. */
export const exportFormats = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const mediaTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>;
export const packedType = 'application/zip';

/** Of the rows that match, only those with these ids, or all but some. */
export interface ChosenRows {
  ids?: string[] | undefined;
  except?: string[] | undefined;
}
const named = z.array(z.uuid()).max(namedLimit);

/** What of a grid is exported: every matching row, not only one page, or the chosen of them, and in which columns. */
export const exportedRows = (grid: Grid) =>
  z.strictObject({
    query: gridQuery(grid),
    columns: z.array(z.enum(Object.keys(grid.columns) as [string, ...string[]])).min(1),
    format: z.enum([...exportFormats, ...(grid.files ?? [])]).default('csv'),
    ids: named.min(1).optional(),
    except: named.optional(),
  });
export const eitherRows = [
  ({ ids, except }: { ids?: unknown; except?: unknown }) => !(ids && except),
  { message: 'either the ids of rows, or of those that are left out', params: { code: 'either' } },
] as const;
export type ExportRequest = z.infer<ReturnType<typeof exportedRows>>;

/** What all endpoints of an export have. */
export const exportsOf = (grid: Pick<Grid, 'feature'> & { exportable: Permission }) =>
  ({ access: grid.exportable, deed: 'export', feature: grid.feature, patientData: true }) as const;
export const producedBy = (grid: Pick<Grid, 'files'>) =>
  ({
    produces: mediaTypes.csv,
    alsoProduces: grid.files ? [mediaTypes.xlsx, packedType] : [mediaTypes.xlsx],
  }) as const;

/**
 * POST /api/web/grid/{grid}/export of a grid that is exportable: every matching row, not only one page, or the chosen of
 * them, as CSV or XLSX, with the requested columns and their titles in the language of the request.
 */
export const gridExport = (grid: Grid & { exportable: Permission }) =>
  endpoint({
    ...exportsOf(grid),
    method: 'POST',
    path: `/api/web/grid/${grid.id}/export`,
    summary: `Every matching row of the ${grid.id} grid, or the chosen of them, as CSV or XLSX`,
    body: exportedRows(grid).refine(...eitherRows),
    ...producedBy(grid),
  });
