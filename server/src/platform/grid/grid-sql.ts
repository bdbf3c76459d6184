import type { BehindNumber } from '@caseway/contract/behind';
import { todayIn } from '@caseway/contract/date-range';
import {
  type ChosenRows,
  type ColumnKind,
  type FilterGroup,
  type FilterItem,
  type Grid,
  type GridQuery,
  type Grouping,
  isUnfinished,
  type SortModel,
} from '@caseway/contract/grid';
import { missingKey } from '@caseway/contract/label';
import { type RelativeRange, resolveRange } from '@caseway/contract/relative-range';
import type { StoredFact } from '../analytics/facts.ts';
import { AppError } from '../http/app-error.ts';
import { fold } from '../text/fold.ts';
import { startOfDay } from './day-bounds.ts';
import { keyRange, searchWords } from './search-words.ts';

/*
 * A validated grid query in the SQL that PostgreSQL and DuckDB share. Expressions come from a grid's source, which is
 * program text; everything from a client is a parameter. Semantics [S10.4]:
 * - Text is compared folded: neither case nor accents matter, no character is a wildcard.
 * - Null and the empty text are both empty. A negation is the exact complement, so it is true for empty values.
 * - Days are calendar days; an instant is compared by its day in the tenant's time zone.
 * - Empty values sort last, ascending and descending. Equal rows are in the order of their ids.
 */

/** `sql` is an expression over the fact table, with the alias `f`. A text is folded here unless it is `folded`. */
export interface TextField {
  kind: 'text';
  sql: string;
  /** Its values are folded by app_fold, as all texts of the facts must be: a replica cannot fold. */
  folded?: true;
  /** Other texts for the same value, which a search finds too. */
  translations?: {
    /** The code that the texts belong to. */
    sql: string;
    /** The codes whose folded text matches. */
    codesOf: (matches: (folded: string) => boolean) => string[];
  };
}
export interface NumberField {
  kind: 'number';
  sql: string;
}
/** `instant` is filtered by its day in the tenant's time zone. */
export interface DateField {
  kind: 'day' | 'instant';
  sql: string;
}
export interface ChoiceField {
  kind: 'choice';
  sql: string;
  /** It has ids: a value that is not a UUID matches no row. */
  ids?: boolean;
  /** It has a list of ids, any of which may match; only on PostgreSQL. */
  many?: boolean;
  /**
   * The SQL condition that a row has one value of a list, given as a parameter, if the column itself cannot be
   * compared. `tenant`: the SQL of the tenant.
   */
  among?: (list: string, tenant: string) => string;
  /** How it sorts: by the position of its code in a list, or in the look-up of this name. */
  order: readonly string[] | string;
}
export type Field = TextField | NumberField | DateField | ChoiceField;
type FieldOf = { text: TextField; number: NumberField; date: DateField; choice: ChoiceField };

/** The SQL for each column and filter of a grid. */
export interface GridSource<G extends Grid = Grid> {
  grid: G;
  /** The fact of its rows; absent for rows that are only in the database. */
  fact?: StoredFact;
  /**
   * The fact table, a table of the replica and a view of the database. Or a database query, given the SQL of the
   * tenant, if it reads other tables for each row: each of them needs the tenant.
   */
  table: string | ((tenant: string) => string);
  fields: { [Name in keyof G['columns']]: FieldOf[G['columns'][Name]['kind'] & ColumnKind] };
  filters: Record<G['filters'][number], ChoiceField>;
  /** The columns with the ids for the search keys, by kind of record. Absent: the grid has no word search. */
  searchBy?: Readonly<Record<string, string>>;
  /** The condition for the records behind a number of a dashboard; absent if no number counts its rows. */
  behind?: RecordsBehind;
  /** Used instead of search keys: a folded text of words, each after a blank. A match begins one of them. */
  searchText?: string;
}

/** How a list finds the records behind a number. */
export interface RecordsBehind {
  /** The facts in the condition. */
  facts?: readonly StoredFact[];
  /** The condition on the row `f` of the list, for the engine that answers. */
  condition(
    asked: BehindNumber,
    param: (value: Param) => string,
    about: { today: string; engine: GridContext['engine'] },
  ): string;
  /** The disease families that the number reveals, although its rows may be of others. */
  tells(asked: BehindNumber): readonly string[];
}

export interface GridContext {
  engine: 'duckdb' | 'postgres';
  /** The tenant of the rows. A replica has only one. */
  tenantId: string;
  /** IANA name of the tenant's time zone. */
  timeZone: string;
  /** The entries of look-ups in sort order, by the name that a field's `order` gives. */
  orders: Readonly<Record<string, readonly string[]>>;
}

export type Param = string | number | boolean | null | readonly string[];

/** A row from an engine. */
export type Row = Record<string, string | number | boolean | null | Date>;

export interface Statement {
  /** Common table expressions to put before it. */
  with?: string;
  select: string;
  params: Param[];
}

/** A part of the rows by the first sort field: from `low` to `high`, both included; null comes after every value. */
export interface Band {
  low: Param;
  high: Param;
}

/** The sort fields of a query; by default those of the grid. */
export const sortOf = (source: GridSource, query: GridQuery): SortModel =>
  query.sortModel.length > 0 ? query.sortModel : source.grid.defaultSort;

/** The columns that decide the order of a query. */
export const fieldsOfOrder = (source: GridSource, query: GridQuery): string[] => [
  ...(query.grouping ? [query.grouping.by] : []),
  ...sortOf(source, query).map(({ field }) => field),
];

/**
 * Whether groups are in descending order: like the rows if these are sorted by the group's column, or else the
 * latest days first.
 */
export function groupsDescend({ grouping, sortModel }: GridQuery): boolean {
  const sorted = sortModel.find(({ field }) => field === grouping?.by);
  return sorted ? sorted.sort === 'desc' : grouping?.per !== undefined;
}

/** Whether each order key of a query descends: first the group's key, then the sort fields. */
export const descents = (source: GridSource, query: GridQuery): boolean[] => [
  ...(query.grouping ? Array(query.grouping.per ? 1 : 2).fill(groupsDescend(query)) : []),
  ...sortOf(source, query).map(({ sort }) => sort === 'desc'),
];

/** The number of matching rows: one row, `rowCount`. */
export function countStatement(source: GridSource, query: GridQuery, context: GridContext): Statement {
  const sql = new GridSql(source, context);
  const where = sql.where(query);
  return sql.statement(`select cast(count(*) as integer) as "rowCount" from ${sql.table} f where ${where}`);
}

/**
 * The number of matching rows for each of several queries, in one pass over the rows: one row, `count0`, `count1` …
 */
export function countsStatement(
  source: GridSource,
  queries: readonly GridQuery[],
  context: GridContext,
): Statement {
  const sql = new GridSql(source, context);
  const wheres = queries.map((query) => `(${sql.where(query)})`);
  const counts = wheres.map(
    (where, index) => `cast(count(*) filter (where ${where}) as integer) as count${index}`,
  );
  const among = [...sql.ofTenant(), `(${wheres.join(' or ')})`].join(' and ');
  return sql.statement(`select ${counts.join(', ')} from ${sql.table} f where ${among}`);
}

/**
 * The number of matching rows for each choice of a list filter: rows `id` and `count`, the most frequent first. Not
 * for a filter whose column cannot be compared.
 */
export function choicesStatement(
  source: GridSource,
  query: GridQuery,
  filter: string,
  context: GridContext,
  limit: number,
): Statement {
  const field: ChoiceField | undefined = (source.filters as Record<string, ChoiceField>)[filter];
  if (!field || field.among) throw new Error(`the grid ${source.grid.id} counts no filter of that name`);
  const sql = new GridSql(source, context);
  const where = sql.where(query);
  const value = field.many
    ? `unnest(case when ${field.sql} = '{}' then array['${missingKey}'] else cast(${field.sql} as text[]) end)`
    : `coalesce(cast(${field.sql} as text), '${missingKey}')`;
  return sql.statement(
    `select id, cast(count(*) as integer) as "count" from (select ${value} as id from ${sql.table} f where ${where}) found
    group by id order by count(*) desc, id limit ${Math.trunc(limit)}`,
  );
}

/**
 * Combines `pageStatement` and `countStatement` in one pass over the facts: rows `id` and `rowCount`. Twice as fast
 * if finding the matching rows takes long, slower if it is cheap. If there is no row, the count is unknown.
 */
export function countedPageStatement(
  source: GridSource,
  query: GridQuery,
  context: GridContext,
  { offset, limit }: { offset: number; limit: number },
): Statement {
  const { sql, from, where, terms, ofGroup } = sorted(source, query, context);
  const keys = terms.map((term, index) => `, ${term.sql} as key${index}`);
  const by = terms.map((term, index) => `key${index} ${term.descending ? 'desc' : 'asc'} nulls last`);
  return {
    ...sql.statement(
      `select id${ofGroup && ', "group"'}, (select cast(count(*) as integer) from hit) as "rowCount" from hit
      order by ${[...by, 'id'].join(', ')} limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`,
    ),
    with: `hit as materialized (select f.id${ofGroup}${keys.join('')} from ${from} where ${where})`,
  };
}

/** The number of rows in each group, including closed groups: rows `key` and `count` in the order of the groups. */
export function groupsStatement(
  source: GridSource,
  query: GridQuery & { grouping: Grouping },
  context: GridContext,
  limit: number,
): Statement {
  const { closed: _, ...grouping } = query.grouping;
  const { sql, from, where, terms, group } = sorted(source, { ...query, grouping }, context);
  const keys = terms.slice(0, grouping.per ? 1 : 2);
  const named = keys.map((term, index) => `, ${term.sql} as key${index}`);
  const by = keys.map((term, index) => `key${index} ${term.descending ? 'desc' : 'asc'} nulls last`);
  return sql.statement(
    `select key, cast(count(*) as integer) as "count" from (select ${group} as key${named.join('')} from ${from} where ${where}) found
    group by key${keys.map((_, index) => `, key${index}`).join('')} order by ${by.join(', ')} limit ${Math.trunc(limit)}`,
  );
}

/**
 * The ids of some of the matching rows in order: rows `id`, and `group` if they are grouped. With a band, offsets
 * count from its first row.
 */
export function pageStatement(
  source: GridSource,
  query: GridQuery,
  context: GridContext,
  { offset, limit, band }: { offset: number; limit: number; band?: Band },
): Statement {
  const { sql, from, where, orderBy, terms, ofGroup } = sorted(source, query, context);
  const within = band ? ` and ${sql.within(terms[0]!, band)}` : '';
  return sql.statement(
    `select f.id${ofGroup} from ${from} where ${where}${within} order by ${orderBy}
    limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`,
  );
}

/** The first matching rows: `tenant_id`, `id`, and their sort values as `key0`, `key1` … */
export function firstRowsStatement(
  source: GridSource,
  query: GridQuery,
  context: GridContext,
  limit: number,
): Statement {
  const { sql, from, where, orderBy, terms, ofGroup } = sorted(source, query, context);
  const keys = terms.map((term, index) => `, ${term.sql} as key${index}`);
  return sql.statement(
    `select f.tenant_id, f.id${ofGroup}${keys.join('')} from ${from} where ${where} order by ${orderBy}
    limit ${Math.trunc(limit)}`,
  );
}

/**
 * Every matching row in order, including those of closed groups, or only the chosen rows. `columns` are named
 * expressions over the fact table `f`. PostgreSQL only.
 */
export function allRowsStatement(
  source: GridSource,
  query: GridQuery,
  context: GridContext,
  columns: readonly string[],
  chosen: ChosenRows = {},
): Statement {
  const { grouping, ...asked } = query;
  const isAll = chosen.except === undefined;
  const all: GridQuery = grouping && isAll ? { ...asked, grouping: { ...grouping, closed: [] } } : query;
  const { sql, from, where, orderBy } = sorted(source, all, context);
  const conditions = [where, ...sql.chosen(chosen)].join(' and ');
  return sql.statement(`select ${columns.join(', ')} from ${from} where ${conditions} order by ${orderBy}`);
}

/** The ids of matching rows, in any order. */
export function idsStatement(
  source: GridSource,
  query: GridQuery,
  context: GridContext,
  limit: number,
): Statement {
  const sql = new GridSql(source, context);
  const where = sql.where(query);
  return sql.statement(`select f.id from ${sql.table} f where ${where} limit ${Math.trunc(limit)}`);
}

/** A random sample of the matching rows, at most `size`: rows `key`, their first sort field. DuckDB only. */
export function sampleStatement(
  source: GridSource,
  query: GridQuery,
  context: GridContext,
  size: number,
): Statement {
  const { sql, from, where, terms } = sorted(source, query, context);
  return sql.statement(
    `select key from (select ${terms[0]!.sql} as key from ${from} where ${where})
    using sample reservoir(${Math.trunc(size)} rows) repeatable (1)`,
  );
}

/** The number of matching rows before a band and within it: one row, `before` and `within`. */
export function bandStatement(
  source: GridSource,
  query: GridQuery,
  context: GridContext,
  band: Band,
): Statement {
  const { sql, from, where, terms } = sorted(source, query, context);
  return sql.statement(
    `select cast(count(*) filter (where ${sql.before(terms[0]!, band.low)}) as integer) as "before",
      cast(count(*) filter (where ${sql.within(terms[0]!, band)}) as integer) as "within"
    from ${from} where ${where}`,
  );
}

/** The parts of a statement for rows in order. */
function sorted(source: GridSource, query: GridQuery, context: GridContext) {
  const sql = new GridSql(source, context);
  const where = sql.where(query);
  const { joins, terms, group } = sql.order(query);
  const by = terms.map((term) => `${term.sql} ${term.descending ? 'desc' : 'asc'} nulls last`);
  const ofGroup = group === undefined ? '' : `, ${group} as "group"`;
  return {
    sql,
    from: `${sql.table} f${joins}`,
    where,
    orderBy: [...by, 'f.id'].join(', '),
    terms,
    /** The key of a row's group; undefined if rows are not grouped. */
    group,
    ofGroup,
  };
}

/** A field to sort by. `type` is the SQL type of its values. */
interface SortTerm {
  sql: string;
  descending: boolean;
  type: string;
}

const denied: Readonly<Record<string, string>> = {
  doesNotContain: 'contains',
  doesNotEqual: 'equals',
  doesNotStartWith: 'startsWith',
  doesNotEndWith: 'endsWith',
  isNoneOf: 'isAnyOf',
};

/** The condition of an operator on a folded text; undefined if the operator's text has no words. */
function matcherOf(operator: string, value: unknown): ((folded: string) => boolean) | undefined {
  const terms = [value].flat().map((term) => fold(String(term ?? '').trim()));
  const [term] = terms;
  if (!term) return undefined;
  switch (operator) {
    case 'contains':
      return (text) => text.includes(term);
    case 'equals':
      return (text) => text === term;
    case 'startsWith':
      return (text) => text.startsWith(term);
    case 'endsWith':
      return (text) => text.endsWith(term);
    case 'isAnyOf':
      return (text) => terms.includes(text);
    default:
      return undefined;
  }
}

class GridSql {
  readonly #source: GridSource;
  readonly #context: GridContext;
  readonly #params: Param[] = [];

  constructor(source: GridSource, context: GridContext) {
    this.#source = source;
    this.#context = context;
  }

  #param(value: Param): string {
    return `$${this.#params.push(value)}`;
  }

  get #tenant(): string {
    return `cast(${this.#param(this.#context.tenantId)} as uuid)`;
  }

  get table(): string {
    const { table } = this.#source;
    return typeof table === 'string' ? table : table(this.#tenant);
  }

  statement(select: string): Statement {
    return { select, params: this.#params };
  }

  #field(name: string): Field {
    const fields: Record<string, Field> = this.#source.fields;
    // The contract has already refused undeclared names; this is a second check.
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) throw new Error(`the grid ${this.#source.grid.id} has no field of that name`);
    return field;
  }

  /** The tenant condition. A replica has only one tenant. */
  ofTenant(): string[] {
    return this.#context.engine === 'postgres' ? [`f.tenant_id = ${this.#tenant}`] : [];
  }

  /** The conditions on the ids of rows, for PostgreSQL. */
  chosen({ ids, except }: ChosenRows): string[] {
    const among = (values: readonly string[]) => `any(cast(${this.#param([...values])} as uuid[]))`;
    return [...(ids ? [`f.id = ${among(ids)}`] : []), ...(except ? [`not f.id = ${among(except)}`] : [])];
  }

  where(query: GridQuery): string {
    const { quickFilterValues = [], ...own } = query.filterModel;
    const conditions = this.#joined(own);
    conditions.push(...this.ofTenant());
    if (query.grouping?.closed?.length) conditions.push(this.#isOpen(query.grouping, query.grouping.closed));
    for (const [name, values] of Object.entries(query.filters)) {
      const field: ChoiceField | undefined = (this.#source.filters as Record<string, ChoiceField>)[name];
      if (!field) throw new Error(`the grid ${this.#source.grid.id} has no filter of that name`);
      if (values.length > 0) conditions.push(this.#isAnyOf(field, values));
    }
    if (query.dateRangeValue) {
      const name = query.rangeField ?? this.#source.grid.rangeFields?.[0];
      if (name === undefined) throw new Error(`the grid ${this.#source.grid.id} has no date for a range`);
      const field = this.#field(name) as DateField;
      conditions.push(
        this.#date(field, 'onOrAfter', query.dateRangeValue.start),
        this.#date(field, 'onOrBefore', query.dateRangeValue.end),
      );
    }
    if (query.behind) {
      const { behind } = this.#source;
      if (!behind) throw new Error(`the grid ${this.#source.grid.id} has no records of a dashboard`);
      conditions.push(
        behind.condition(query.behind, (value) => this.#param(value), {
          today: todayIn(this.#context.timeZone),
          engine: this.#context.engine,
        }),
      );
    }
    for (const terms of searchWords(quickFilterValues))
      conditions.push(`(${terms.map((term) => this.#search(term)).join(' or ')})`);
    return conditions.join(' and ') || 'true';
  }

  /** Conditions and groups of them as one condition; none if nothing is filtered. */
  #joined({ items, groups = [], logicOperator }: FilterGroup): string[] {
    const asked = items.filter((item) => !isUnfinished(item)).map((item) => this.#item(item));
    const all = [...asked, ...groups.flatMap((group) => this.#joined(group))];
    return all.length > 0 ? [`(${all.join(` ${logicOperator} `)})`] : [];
  }

  #item(item: FilterItem): string {
    const field = this.#field(item.field);
    switch (field.kind) {
      case 'text':
        return this.#text(field, item.operator, item.value);
      case 'number':
        return this.#number(field, item.operator, item.value as number);
      case 'day':
      case 'instant':
        return this.#date(field, item.operator, item.value as string);
      case 'choice':
        return this.#choice(field, item.operator, item.value);
    }
  }

  /** A text or one of its translations; a negation is the exact complement. */
  #text(field: TextField, operator: string, value: unknown): string {
    const asked = denied[operator] ?? operator;
    const matches = field.translations && matcherOf(asked, value);
    const codes = matches ? field.translations!.codesOf(matches) : [];
    if (codes.length === 0) return this.#plainText(field, operator, value);
    const found = `(${this.#plainText(field, asked, value)} or ${this.#in({ sql: field.translations!.sql }, codes)})`;
    return asked === operator ? found : `not coalesce(${found}, false)`;
  }

  #plainText(field: TextField, operator: string, value: unknown): string {
    const sql = foldedText(field);
    const one = () => this.#param(fold((value as string).trim()));
    const list = () => (value as string[]).map((text) => fold(text.trim())).filter((text) => text !== '');
    switch (operator) {
      case 'contains':
        return `strpos(${sql}, ${one()}) > 0`;
      case 'doesNotContain':
        return `(${sql} is null or strpos(${sql}, ${one()}) = 0)`;
      case 'equals':
        return `${sql} = ${one()}`;
      case 'doesNotEqual':
        return `(${sql} is null or ${sql} <> ${one()})`;
      case 'startsWith':
        return `starts_with(${sql}, ${one()})`;
      case 'doesNotStartWith':
        return `(${sql} is null or not starts_with(${sql}, ${one()}))`;
      case 'endsWith':
        return `ends_with(${sql}, ${one()})`;
      case 'doesNotEndWith':
        return `(${sql} is null or not ends_with(${sql}, ${one()}))`;
      case 'isEmpty':
        return `(${sql} is null or ${sql} = '')`;
      case 'isNotEmpty':
        return `${sql} <> ''`;
      case 'isAnyOf':
        return this.#in({ sql }, list());
      case 'isNoneOf':
        return `(${sql} is null or not ${this.#in({ sql }, list())})`;
      default:
        throw new Error('a text has no operator of that name');
    }
  }

  #number({ sql }: NumberField, operator: string, value: number): string {
    switch (operator) {
      case '=':
      case '>':
      case '>=':
      case '<':
      case '<=':
        return `${sql} ${operator} cast(${this.#param(value)} as double precision)`;
      case '!=':
        return `(${sql} is null or ${sql} <> cast(${this.#param(value)} as double precision))`;
      case 'isEmpty':
        return `${sql} is null`;
      case 'isNotEmpty':
        return `${sql} is not null`;
      default:
        throw new Error('a number has no operator of that name');
    }
  }

  #date({ sql, kind }: DateField, operator: string, value: string): string {
    if (operator === 'isEmpty') return `${sql} is null`;
    if (operator === 'isNotEmpty') return `${sql} is not null`;
    if (operator === 'within') {
      const relative = value as RelativeRange;
      const { start, end } = resolveRange({ relative }, todayIn(this.#context.timeZone));
      return `(${this.#date({ sql, kind }, 'onOrAfter', start)} and ${this.#date({ sql, kind }, 'onOrBefore', end)})`;
    }
    if (kind === 'day') {
      const compared = { is: '=', not: '<>', after: '>', onOrAfter: '>=', before: '<', onOrBefore: '<=' }[
        operator
      ];
      if (!compared) throw new Error('a date has no operator of that name');
      const condition = `${sql} ${compared} cast(${this.#param(value)} as date)`;
      return operator === 'not' ? `(${sql} is null or ${condition})` : condition;
    }
    const start = () => `cast(${this.#param(startOfDay(value, this.#context.timeZone))} as timestamptz)`;
    const end = () => `cast(${this.#param(startOfDay(value, this.#context.timeZone, 1))} as timestamptz)`;
    switch (operator) {
      case 'is':
        return `(${sql} >= ${start()} and ${sql} < ${end()})`;
      case 'not':
        return `(${sql} is null or ${sql} < ${start()} or ${sql} >= ${end()})`;
      case 'after':
        return `${sql} >= ${end()}`;
      case 'onOrAfter':
        return `${sql} >= ${start()}`;
      case 'before':
        return `${sql} < ${start()}`;
      case 'onOrBefore':
        return `${sql} < ${end()}`;
      default:
        throw new Error('a date has no operator of that name');
    }
  }

  #choice(field: ChoiceField, operator: string, value: unknown): string {
    switch (operator) {
      case 'is':
        return this.#isAnyOf(field, [value as string]);
      case 'not': {
        if (value === missingKey) return `not (${this.#isMissing(field)})`;
        const [known] = this.#known(field, [value as string]);
        if (field.many && known !== undefined) return `not (${this.#in(field, [known])})`;
        return known === undefined
          ? 'true'
          : `(${field.sql} is null or ${field.sql} <> ${this.#param(known)})`;
      }
      case 'isAnyOf':
        return this.#isAnyOf(field, value as string[]);
      case 'isNoneOf':
        return `not coalesce(${this.#isAnyOf(field, value as string[])}, false)`;
      case 'isEmpty':
        return this.#isMissing(field);
      case 'isNotEmpty':
        return `not (${this.#isMissing(field)})`;
      default:
        throw new Error('a choice has no operator of that name');
    }
  }

  #isAnyOf(field: ChoiceField, values: readonly string[]): string {
    const known = this.#known(field, values);
    const parts = known.length > 0 ? [this.#in(field, known)] : [];
    if (values.includes(missingKey)) parts.push(this.#isMissing(field));
    return parts.length > 1 ? `(${parts.join(' or ')})` : (parts[0] ?? 'false');
  }

  #isMissing({ sql, many }: ChoiceField): string {
    return many ? `${sql} = '{}'` : `${sql} is null`;
  }

  /** A few values are compared one by one, which is twice as fast in DuckDB as a list. */
  #in({ sql, many, among }: Pick<ChoiceField, 'sql' | 'many' | 'among'>, values: readonly string[]): string {
    if (values.length === 0) return 'false';
    if (among) return among(this.#param(values), this.#tenant);
    if (many) return `${sql} && ${this.#param(values)}`;
    if (values.length > 30) return `${sql} = any(${this.#param(values)})`;
    return `${sql} in (${values.map((value) => this.#param(value)).join(', ')})`;
  }

  /** Leaves out values that no row can have, which PostgreSQL would refuse as an id. */
  #known(field: ChoiceField, values: readonly string[]): string[] {
    if (!field.ids) return values.filter((value) => value !== missingKey);
    return values.filter((value) => uuid.test(value)).map((value) => value.toLowerCase());
  }

  #search(term: string): string {
    const { searchText } = this.#source;
    if (searchText) return `strpos(${searchText}, ${this.#param(` ${term}`)}) > 0`;
    const by = Object.entries(this.#source.searchBy ?? {});
    if (by.length === 0)
      throw new AppError('unknown-filter', {
        faults: [
          {
            path: 'filterModel.quickFilterValues',
            code: 'unknown-filter',
            message: 'this grid is not searched by words',
          },
        ],
      });
    // A replica has the keys of a row in two texts, with a blank before each key; the database has them in an index.
    if (this.#context.engine === 'duckdb')
      return `strpos(f.${term < 'a' ? 'search_numbers' : 'search_names'}, ${this.#param(` ${term}`)}) > 0`;
    const [from, to] = keyRange(term);
    const low = this.#param(from);
    const high = this.#param(to);
    const found = by.map(
      ([kind, column]) =>
        `select r.id from search_key k join ${this.table} r on r.tenant_id = k.tenant_id and r.${column} = k.record_id
        where k.tenant_id = ${this.#tenant} and k.record_kind = '${kind}' and k.key >= ${low} and k.key < ${high}`,
    );
    return `f.id in (${found.join(' union ')})`;
  }

  /** A row must not be in a closed group. */
  #isOpen({ by, per }: Grouping, closed: readonly string[]): string {
    const field = this.#field(by);
    if (field.kind === 'choice') return this.#choice(field, 'isNoneOf', closed);
    const days = closed.filter((key) => key !== missingKey);
    const first = firstDayOf(field.sql, per);
    const among = days.map((one) => `cast(${this.#param(one)} as date)`).join(', ');
    const isClosed = [
      ...(days.length > 0 ? [`coalesce(${first} in (${among}), false)`] : []),
      ...(days.length < closed.length ? [`${field.sql} is null`] : []),
    ];
    return `not (${isClosed.join(' or ')})`;
  }

  /** The sort keys of rows, and the key of a row's group: undefined if rows are not grouped. */
  order(query: GridQuery): { joins: string; terms: SortTerm[]; group?: string } {
    const joins: string[] = [];
    const terms = sortOf(this.#source, query).map(({ field, sort }) =>
      this.#term(this.#field(field), sort === 'desc', joins),
    );
    const { grouping } = query;
    if (!grouping) return { joins: joins.join(''), terms };
    const field = this.#field(grouping.by);
    const descending = groupsDescend(query);
    const key = field.kind === 'choice' ? field.sql : firstDayOf(field.sql, grouping.per);
    const grouped: SortTerm[] =
      field.kind === 'choice'
        ? [
            this.#term(field, descending, joins),
            // Codes outside the list stay together.
            { sql: `cast(${key} as text)`, descending, type: 'text' },
          ]
        : [{ sql: key, descending, type: 'date' }];
    return {
      joins: joins.join(''),
      terms: [...grouped, ...terms],
      group: `coalesce(cast(${key} as text), '${missingKey}')`,
    };
  }

  /** A field as a sort key; adds to `joins` what it needs. */
  #term(field: Field, descending: boolean, joins: string[]): SortTerm {
    // Some facts store a text as codes, and DuckDB cannot sort by an empty set of codes.
    if (field.kind === 'text') return { sql: `cast(${foldedText(field)} as text)`, descending, type: 'text' };
    if (field.kind !== 'choice') return { sql: field.sql, descending, type: sortTypes[field.kind] };
    if (typeof field.order !== 'string')
      return { sql: placeIn(field.order, field.sql), descending, type: 'integer' };
    const order = this.#context.orders[field.order];
    if (!order) throw new Error(`the order of ${field.order} was not given`);
    const alias = `o${joins.length + 1}`;
    const sortedBy = (sql: string): SortTerm => ({ sql, descending, type: 'integer' });
    // PostgreSQL can join a table of places once for each pair of other rows, if it has no statistics of those yet.
    if (this.#context.engine !== 'duckdb') {
      const places = JSON.stringify(Object.fromEntries(order.map((key, place) => [key, place])));
      joins.push(` cross join (select cast(${this.#param(places)} as jsonb) as places) ${alias}`);
      return sortedBy(`cast(${alias}.places ->> cast(${field.sql} as text) as integer)`);
    }
    const keys = this.#param(order);
    const places = this.#param(order.map((_, index) => String(index)));
    joins.push(
      ` left join (select unnest(cast(${keys} as text[])) as key, unnest(cast(${places} as integer[])) as place) ${alias}
        on ${alias}.key = cast(${field.sql} as text)`,
    );
    return sortedBy(`${alias}.place`);
  }

  /** Rows that sort before a value. None of them is null, because null sorts last. */
  before({ sql, descending, type }: SortTerm, value: Param): string {
    if (value === null) return `${sql} is not null`;
    return `${sql} ${descending ? '>' : '<'} cast(${this.#param(value)} as ${type})`;
  }

  within({ sql, descending, type }: SortTerm, { low, high }: Band): string {
    if (low === null) return `${sql} is null`;
    const fromLow = `${sql} ${descending ? '<=' : '>='} cast(${this.#param(low)} as ${type})`;
    if (high === null) return `(${fromLow} or ${sql} is null)`;
    return `(${fromLow} and ${sql} ${descending ? '>=' : '<='} cast(${this.#param(high)} as ${type}))`;
  }
}

/** The search text is folded, so every text compared with it must be folded too. */
const foldedText = ({ sql, folded }: TextField): string => (folded ? sql : `app_fold(${sql})`);

const sortTypes = { number: 'double precision', day: 'date', instant: 'timestamptz' } as const;

/** The first day of a day's period. An MMWR week begins on Sunday. */
const firstDayOf = (day: string, per: Grouping['per']): string =>
  per === 'week' ? `(${day} - cast(extract(dow from ${day}) as integer))` : day;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The position of a code in a declared list; null for any other code. */
function placeIn(codes: readonly string[], sql: string): string {
  const whens = codes.map((code, index) => {
    if (!/^[\w .-]+$/.test(code)) throw new Error('a declared code holds a character that SQL could misread');
    return `when '${code}' then ${index}`;
  });
  return `case ${sql} ${whens.join(' ')} end`;
}
