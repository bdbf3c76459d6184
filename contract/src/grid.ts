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
 * The operators of each kind of column, named as in MUI X, except `within`. Nothing else is accepted. [S10.4]
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

/** Operators without a value, and with a list. All others take one value. */
export const valuelessOperators: readonly string[] = ['isEmpty', 'isNotEmpty'];
export const listOperators: readonly string[] = ['isAnyOf', 'isNoneOf'];
/** Operators that take the name of a range relative to today. */
export const rangeOperators: readonly string[] = ['within'];

export interface Column {
  kind: ColumnKind;
  /** The column of the grid's fact; absent for one read only with the page. */
  of?: string;
  /** The look-up of a choice column, or its fixed codes. */
  options?: string | readonly string[];
  /** A choice column with several values per row: a condition is met if any value meets it. */
  many?: boolean;
  /** Names, birth dates, identifiers: a filter on one never enters an address. [P16] */
  sensitive?: boolean;
  sortable?: boolean;
  filterable?: boolean;
  /** Hidden until the user shows it. */
  hidden?: boolean;
  /** Initial width in px. */
  width?: number;
  /** A date with a time. Shown with the time; filtered by the date in the tenant's time zone. */
  withTime?: boolean;
  /** A text shown in another form than stored: an E.164 number, or the name of a time zone. */
  as?: 'phone' | 'timeZone';
  /** A number or code that is meaningless when truncated; always shown in full. */
  whole?: boolean;
  /** The labels of the column and its codes, if they are data and not in the locales. */
  words?: Labelled;
  optionWords?: Readonly<Record<string, Labelled>>;
  /** The kinds of places whose users have the column at all; absent: all. */
  readers?: readonly OrgType[];
  /** Its field needs the whole form, so that it is not edited in the list (`cellFields`). */
  formOnly?: true;
}

export interface Grid<
  Columns extends Record<string, Column> = Record<string, Column>,
  Row extends z.ZodType = z.ZodType,
> {
  id: string;
  permission: Permission;
  /** The fact whose rows it lists (`gridOver`); absent for rows that exist only in the database. */
  fact?: Fact;
  /** The fact's column for each list filter. */
  filterColumns?: Readonly<Record<string, string>>;
  /** The feature it belongs to, if its permission does not imply it. [S1.6] */
  feature?: Feature;
  columns: Columns;
  /** Ties are always broken by the row's id, so that pages never overlap. */
  defaultSort: { field: Extract<keyof Columns, string>; sort: 'asc' | 'desc' }[];
  /** List filters in addition to the column filters, by contract name; values are ids or codes. */
  filters: readonly string[];
  /** The column a list filter applies to; absent for one that filters by something else. */
  narrows?: Readonly<Record<string, string>>;
  /** Views as tabs: codes of one list filter. One is always active, at first the first one. */
  views?: {
    readonly of: string;
    readonly codes: readonly [string, ...string[]];
    /** Views of open work: the default range does not hide it, however old it is. */
    readonly allDays?: readonly string[];
  };
  /** The column with the row's person. Users with permission `may` get a view of their own rows. */
  owner?: { readonly column: string; readonly may: Permission };
  /** The states of open work. The list gets a view with these. */
  open?: { readonly column: string; readonly states: readonly string[] };
  /** A row as a card on a phone: its title, state, and other important lines. */
  card?: { readonly title: readonly string[]; readonly state?: string; readonly lines: readonly string[] };
  /** The default range, from today in the tenant's time zone. Absent: the grid has no range. */
  defaultRange?: (today: string) => DateRange;
  /** The date columns the range can use, the default first. Present exactly when the grid has a range. */
  rangeFields?: readonly Extract<keyof Columns, string>[];
  row: Row;
  /** List filters, range and order stay when another organization is chosen. [S4.7] */
  keptAcrossOrgs?: true;
  /**
   * Dashboards count its rows, and it lists those behind a number. For a grid over a fact, the fact says so.
   */
  counted?: true;
  /** The permission needed for exports, in addition to the grid's own. Absent: no export. */
  exportable?: Permission;
  /**
   * Other, packed file formats it can be exported as, in addition to CSV and XLSX; worded as `export.<name>`.
   */
  files?: readonly string[];
}

/** Whether users of a kind of place have a column. */
export const hasColumn = ({ readers }: Column, orgType: OrgType): boolean =>
  readers === undefined || readers.includes(orgType);

/** Whether an export of the contract is a grid. */
export const isGrid = (value: unknown): value is Grid =>
  typeof value === 'object' && value !== null && 'columns' in value && 'defaultSort' in value;

/** A grid as users of a kind of place have it. */
export const gridFor = <G extends Grid>(grid: G, orgType: OrgType): G => ({
  ...grid,
  columns: Object.fromEntries(
    Object.entries(grid.columns).filter(([, column]) => hasColumn(column, orgType)),
  ),
});

export const pageSize = 25;
export const maximumPageSize = 200;
/** How many rows a selection can name: the included or the excluded ones. */
export const namedLimit = 1000;

/** A text that a database can store: no NUL characters and no lone surrogates. */
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
  /** Clients may number their conditions. */
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
/** The most conditions and groups in a query, and the deepest nesting of groups. */
export const mostConditions = 50;
export const mostGroups = 10;
export const mostDepth = 3;
export interface FilterGroup {
  items: FilterItem[];
  /** Conditions joined among themselves first; absent: none. */
  groups?: FilterGroup[] | undefined;
  logicOperator: 'and' | 'or';
}
export interface FilterModel extends FilterGroup {
  /** Words of the search box; each must be the beginning of a search key of the row. */
  quickFilterValues?: string[] | undefined;
}
const conditions = {
  items: z.array(filterItem).max(mostConditions),
  logicOperator: z.enum(['and', 'or']).default('and'),
};
/** A group that contains up to this many levels of groups. */
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

/** The periods that group rows by date: days or MMWR weeks. */
export const groupPeriods = ['day', 'week'] as const;
export type GroupPeriod = (typeof groupPeriods)[number];
/** How many groups of a list can be closed, and how many are counted. */
export const mostClosed = 100;
export const countedGroups = 1000;

/** Rows grouped by the values of one column. */
export interface Grouping {
  by: string;
  /** For a date; absent for a choice. */
  per?: GroupPeriod | undefined;
  /** The keys of closed groups, whose rows are left out. */
  closed?: string[] | undefined;
}
/**
 * A group of rows. `key`: its code or id, `missing`, or the first day of its period; with its number of rows.
 */
export interface RowGroup {
  key: string;
  count: number;
}

/**
 * Whether rows can be grouped by a column: one choice per row, or a day, but no name, birth date or
 * identifier. [P16]
 */
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

/** The query of a grid. All parts are optional and default to the grid's. [S3.10, S7.10] */
export interface GridQuery {
  filterModel: FilterModel;
  sortModel: SortModel;
  paginationModel: PaginationModel;
  /** Absent: rows of all days, and rows without a date. */
  dateRangeValue?: DateRange;
  /** The range's date column, one of the grid's `rangeFields`; by default the first. */
  rangeField?: string;
  filters: Record<string, string[]>;
  /** Absent: the rows are not grouped. */
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
 * Whether a filter item lacks the value it needs. Such an item is allowed, as in MUI X, and filters nothing.
 */
export const isUnfinished = (item: FilterItem): boolean => {
  if (valuelessOperators.includes(item.operator)) return false;
  const { value } = item;
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
};

type Place = (string | number)[];
type Conditions = Pick<FilterGroup, 'items' | 'groups'>;

/** Every condition of a filter, including those in groups, with its place. */
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

/** Whether it can list the records behind a number of a dashboard. */
export const showsBehind = ({ id, counted, fact }: Grid): boolean =>
  counted === true || fact?.counting?.records === id;

/**
 * The schema of a grid's search request. It refuses, by name, every undeclared field, operator, sort key and
 * filter, and every value of the wrong kind, so nothing undeclared reaches SQL. [P19]
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

/** A page of a grid. `rowCount` counts all matching rows except those of closed groups. */
export interface GridAnswer<Row> {
  rows: Row[];
  rowCount: number;
  /** The groups of all matching rows in order, closed ones included, at most the first thousand. */
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

/** The file formats of list exports. */
export const exportFormats = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const mediaTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>;
export const packedType = 'application/zip';

/** Of the matching rows, only those with these ids, or all but some. */
export interface ChosenRows {
  ids?: string[] | undefined;
  except?: string[] | undefined;
}
const named = z.array(z.uuid()).max(namedLimit);

/** What an export contains: all matching rows, not just one page, or the chosen ones; and which columns. */
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

/** The common part of all export endpoints. */
export const exportsOf = (grid: Pick<Grid, 'feature'> & { exportable: Permission }) =>
  ({ access: grid.exportable, deed: 'export', feature: grid.feature, patientData: true }) as const;
export const producedBy = (grid: Pick<Grid, 'files'>) =>
  ({
    produces: mediaTypes.csv,
    alsoProduces: grid.files ? [mediaTypes.xlsx, packedType] : [mediaTypes.xlsx],
  }) as const;

/**
 * POST /api/web/grid/{grid}/export of an exportable grid: all matching rows, not just one page, or the chosen
 * ones, as CSV or XLSX, with the requested columns and their titles in the language of the request.
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
