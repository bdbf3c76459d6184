import { weekdays } from '@caseway/contract/calendar';
import {
  type Asker,
  type Column,
  type ColumnOf,
  type Fact,
  mayRead,
  type Right,
  rights,
} from '@caseway/contract/fact';
import type { OrgType } from '@caseway/contract/session';
import type { Schema } from '../db/schema.ts';

/**
 * The kind of a column, which decides how a replica stores it:
 * - `id`: the key of a record, a uuid.
 * - `code`: one of comparatively few values (codes, and ids of facilities, programs …), compared, grouped and sorted
 *   as text. Kept as an ENUM, by which DuckDB groups three times as fast as by text.
 * - `text`: a text that differs in most records, stored uncompressed. Unpacking texts took longer than searching them:
 *   over a million cases the first page by a name takes 29 ms of processor time instead of 39, a word 43 instead of 62,
 *   for a file that is 110 MB larger.
 * - `label`: a text that many records share. Compressed with a dictionary, so that DuckDB searches each value once.
 * - `integer`, `wide` (an integer of 64 bits), `flag` (true or false): unchanged.
 * - `day`: a calendar day in the tenant's time zone.
 * - `instant`: a point in time.
 * - `ids`: a list of uuids, kept as a list of texts.
 */
export type ColumnKind =
  | 'id'
  | 'code'
  | 'text'
  | 'label'
  | 'flag'
  | 'day'
  | 'integer'
  | 'wide'
  | 'instant'
  | 'ids';

/** A table of the database. */
export type TableName = Extract<keyof Schema, string>;

/** What some readers see instead of a column. `shown` gives the SQL of another column as those readers see it. */
interface Instead {
  /** For an organization or facility, if another one reported the person. [P23] */
  untold?: (shown: (stored: string) => string) => string;
  /** The same, if it shares the record with other places. */
  untoldWithin?: true;
  /** Null for an organization or facility if this flag is set. */
  borrowed?: string;
  /** Shown only while the tenant records it. */
  setting?: 'genderIdentityShown';
  /** For a place: the column with only what the place itself reported. */
  ofPlace?: Readonly<Partial<Record<string, string>>>;
  /** Null for people of other kinds of places. */
  readers?: readonly OrgType[];
  /** Null if one of these families is hidden from the reader. */
  tells?: readonly string[];
}

/** The SQL of a column. */
export interface ColumnSql extends Instead {
  sql: string;
  /** How it is stored, where its kind in the contract leaves a choice. */
  as?: ColumnKind;
  /** A text that is also stored as it was sent, under its plain name. */
  asSent?: true;
  /** For a text: the SQL to compare by, if it differs from the text that was sent. */
  compared?: string;
  /** Why folding would not change this text. Other texts are folded, because grids compare folded texts. */
  alreadyFolded?: string;
  /** What readers see who may not see restricted families, taken from `open` of the fact. */
  open?: string;
  /** What readers see who share the record with other places, taken from `within` of the fact. */
  within?: string;
}

/** A column that never leaves the server. Lists use it in a condition; numbers count by it. */
export interface OwnColumnSql extends ColumnSql {
  as: ColumnKind;
  for?: readonly Asker[];
  /**
   * A number for each value of this stored column, for counting distinct values. A replica makes its own numbers
   * without gaps, so that it can count them in arrays.
   */
  numbers?: string;
}

/** A column that is built from rows of other tables, and so cannot be in a view (decision record 0059). */
export interface BesideColumn extends Instead {
  kind: ColumnKind;
  /** An aggregate over the rows. */
  sql: string;
  for?: readonly Asker[];
  /** A text: null in the replica if it is the same as this other text. */
  unless?: string;
}

/**
 * A column of this name beside a fact, and what each kind of place sees: built only from rows of `of` that belong to
 * the place, like the row `c` itself. [P1, P23] `sql`: the aggregate, with a clause for these rows alone. `isPlace`:
 * for a place that may share the row with another.
 */
export const atPlaces = (
  name: string,
  kind: ColumnKind,
  of: string,
  sql: (only: string, isPlace: boolean) => string,
): Record<string, BesideColumn> => {
  const columns = { O: 'organization_id', F: 'facility_id', PHJ: 'county_fips' };
  const variant = (column: string) => `${column.replace(/_.*/, '')}_${name}`;
  return {
    [name]: {
      kind,
      sql: sql('', false),
      ofPlace: Object.fromEntries(Object.entries(columns).map(([type, column]) => [type, variant(column)])),
    },
    ...Object.fromEntries(
      Object.values(columns).map((column) => [
        variant(column),
        { kind, sql: sql(` filter (where ${of}.${column} = c.${column})`, column !== columns.PHJ) },
      ]),
    ),
  };
};

/** Whole days from one day to another; null if the second is earlier. */
export const wholeDays = (from: string, to: string): string =>
  `case when ${to} >= ${from} then ${to} - ${from} end`;

/** The weekday code of a day. */
export const weekdayOf = (day: string): string =>
  `(array['${weekdays.join("', '")}'])[cast(extract(dow from ${day}) as integer) + 1]`;

/** Columns that come from the same rows of other tables. `c` is the row of the fact. */
export interface Beside {
  /** The rows, as a table with a condition or as a query; `tenant` is the SQL of the tenant. */
  from: (tenant: string) => string;
  /** Their texts are folded when they are put together. */
  folded?: true;
  columns: Readonly<Record<string, BesideColumn>>;
}

/**
 * How a change of a table selects the rows of a fact that change:
 * - by the stored column with the id of the changed record;
 * - by a query for the ids of the affected rows, given the changed ids as SQL;
 * - by the tables of the records that its rows belong to: the code that writes the row reports these as changed.
 */
export type ChangedBy =
  | { by: string }
  | { rows: (ids: string, tenant: string) => string }
  | { with: readonly TableName[] };

/** A record with a family, an organization, a facility and a county, by the stored columns that hold them. */
export interface VisibleRecord {
  family: string;
  organization: string;
  facility: string;
  county: string;
  /** The person that the record is about. If a reader cannot see the person, they cannot see the record. */
  person?: { organizations: string; facilities: string; county: string; toldBy: string };
  /** The same for a record that may be about nobody, and whose family does not say what the person is known for. */
  maybePerson?: VisiblePerson;
}

/** A person is visible at many places. Some of these may know the person by restricted records alone. */
export interface VisiblePerson {
  /** A code: the families of the person's records, separated by commas. */
  families: string;
  organizations: string;
  facilities: string;
  restrictedAt: string;
  county: string;
  toldBy: string;
}

/** The stored column with the places that reported everything about the person of a row. */
export const toldByOf = (visible: VisibleRecord | VisiblePerson): string | undefined =>
  'families' in visible ? visible.toldBy : (visible.person ?? visible.maybePerson)?.toldBy;

type ColumnGiven = string | ColumnSql | { stored: string };

/** The SQL of a fact: what the server adds to the shape of the contract. */
export interface FactSql<F extends Fact = Fact> {
  /** The table with one row for each row of the fact, and its alias. */
  base: { table: TableName; as: string };
  /** Rows of other tables, at most one for each row: `join table alias on …`. */
  joins: readonly string[];
  where?: string;
  /** The JSON of what is known without restricted reports. [P18] */
  open?: string;
  /** The JSON of what is known without other places. [P1, P23] */
  within?: string;
  /** The SQL of columns of the contract; or the name of one that is `beside` it. */
  columns: { [Name in ColumnOf<F>]?: ColumnGiven };
  /** The SQL of any other column; absent: the base column of the same name. */
  column?: (name: string) => ColumnGiven;
  /** Columns that never leave the server, by their stored names. */
  own: Readonly<Record<string, OwnColumnSql>>;
  /** Columns of the view that the columns beside it are built from. */
  viewOnly?: Readonly<Record<string, string>>;
  beside?: readonly Beside[];
  /** The stored columns that decide who sees a row. */
  visible: VisibleRecord | VisiblePerson;
  /**
   * Columns that are combined in one, because few of their combinations occur. So rows are grouped once for several
   * charts.
   */
  packs?: Readonly<Record<string, readonly ColumnOf<F>[]>>;
  /** Every table that it reads. */
  changedBy: Readonly<Partial<Record<TableName, ChangedBy>>>;
  /** The stored column to count persons by; absent if rows are not about persons. */
  person?: string;
  /** The stored column to count units by, where one unit has several rows. */
  unit?: string;
  /** Rows of a new replica are written in the order of this day, so that a range of days reads only a few blocks. */
  orderedBy: string;
}

/** A column as it is stored. */
export interface StoredColumn extends Instead {
  name: string;
  kind: ColumnKind;
  /**
   * Whose questions may name it. A variant for some readers stands in for its column, and nobody names it directly.
   */
  for: readonly Asker[];
  /** Its SQL in the view; absent if it is beside the view. */
  sql?: string;
  beside?: Beside;
  numbers?: string;
}

/**
 * A column that is computed from others of its row: by PostgreSQL when a question names it, by a replica when it
 * writes the row. So no view has it, and it reveals nothing beyond the other columns.
 */
export interface MadeColumn {
  name: string;
  kind: ColumnKind;
  for: readonly Asker[];
  /** The stored columns that it is computed from. */
  of: readonly string[];
  /** The SQL for both engines, given the SQL of these columns. */
  sql: (shown: (column: string) => string) => string;
  /**
   * For a pack: the columns of the contract whose values its text has, in order. A text is there twice, as compared
   * and as sent.
   */
  parts?: readonly PackPart[];
}

export interface PackPart {
  column: string;
  kind: Column['kind'];
  /** The text as it was sent. */
  sent: boolean;
  /** The stored column. */
  stored: string;
}

/** A fact with everything that follows from its declaration. */
export interface StoredFact {
  shape: Fact;
  /** The name of its view in the database and its table in a replica. */
  table: string;
  sql: FactSql & { columns: Readonly<Record<string, ColumnGiven>> };
  columns: readonly StoredColumn[];
  made: readonly MadeColumn[];
  /** The stored column for comparing, sorting and grouping by a column of the contract. */
  comparedBy: Readonly<Record<string, string>>;
}

/** The database name of a column. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Who may use a column. */
const askersOf = (column: Column): Asker[] =>
  (['list', 'numbers'] as const).filter((by) => rights.some((right) => mayRead(column, right, by)));

const storedKinds = { id: 'id', code: 'code', flag: 'flag', day: 'day', instant: 'instant' } as const;

/** Grids compare texts in code point order, whatever the database's own collation is, like a replica. */
const folded = (sql: string) => `app_fold(${sql}) collate "C"`;

/** Builds the stored form of a fact from its declaration. */
export function storedFact<F extends Fact>(shape: F, sql: FactSql<F>): StoredFact {
  const columns: StoredColumn[] = [];
  const comparedBy: Record<string, string> = {};
  const besideFor = new Map<string, { askers: Asker[] } & Pick<Instead, 'readers' | 'tells'>>();
  const { open, within } = sql;

  /** Adds a column and its variants for readers who see something else. */
  const add = (
    name: string,
    kind: ColumnKind,
    given: ColumnSql,
    as: (text: string) => string,
    askers: readonly Asker[],
  ) => {
    const { setting, untold, untoldWithin, borrowed, ofPlace } = given;
    const { numbers } = given as OwnColumnSql;
    const kept = (text: string) =>
      setting === 'genderIdentityShown'
        ? `case when (select app_gender_identity_shown()) then ${text} end`
        : text;
    const instead = { setting, untold, untoldWithin, borrowed, ofPlace };
    const text = given.compared ?? given.sql;
    columns.push({ name, kind, for: askers, sql: kept(as(text)), ...instead, ...(numbers && { numbers }) });
    // For codes and flags the variant has the full value: choosing between two columns of codes would make a text.
    // The other variants have few values.
    const isWhole = kind === 'code' || kind === 'flag';
    const variant = (prefix: string, of: string | undefined, other: string | undefined) => {
      if (other === undefined) return;
      if (of === undefined) throw new Error(`${shape.name}: nothing says where ${prefix}_${name} is from`);
      const value = isWhole ? `case when ${of} is null then ${as(text)} else ${as(other)} end` : as(other);
      columns.push({ name: `${prefix}_${name}`, kind, for: [], sql: kept(value) });
    };
    variant('open', open, given.open);
    variant('within', within, given.within);
  };
  const plain = (text: string) => text;

  const named = (name: string) => `${sql.base.as}.${snake(name)}`;
  const all = Object.fromEntries(
    Object.keys(shape.columns).map((name): [string, ColumnGiven] => [
      name,
      sql.columns[name as ColumnOf<F>] ?? (sql.column ?? named)(name),
    ]),
  );
  for (const [name, given] of Object.entries(all)) {
    const column: Column = shape.columns[name]!;
    const askers = askersOf(column);
    const isBeside = typeof given === 'object' && 'stored' in given;
    if ((column.readers || column.tells) && !isBeside)
      throw new Error(`${shape.name}: ${name} is for some readers, and so beside the fact`);
    if (isBeside) {
      comparedBy[name] = given.stored;
      besideFor.set(given.stored, { askers, readers: column.readers, tells: column.tells });
      continue;
    }
    const one: ColumnSql = typeof given === 'string' ? { sql: given } : given;
    if (column.kind !== 'text') {
      comparedBy[name] = snake(name);
      add(
        snake(name),
        one.as ?? (column.kind === 'integer' ? 'integer' : storedKinds[column.kind]),
        one,
        plain,
        askers,
      );
      continue;
    }
    const kind = one.as ?? 'text';
    if (one.asSent) columns.push({ name: snake(name), kind, for: askers, sql: one.sql });
    const isFolded = one.alreadyFolded !== undefined;
    comparedBy[name] = isFolded ? snake(name) : `${snake(name)}_key`;
    add(comparedBy[name], kind, one, isFolded ? plain : folded, askers);
  }
  for (const [name, given] of Object.entries(sql.own)) add(name, given.as, given, plain, given.for ?? []);
  const flagOf = (prefix: string, of: string | undefined) => {
    if (columns.some(({ name, kind }) => name.startsWith(`${prefix}_`) && kind !== 'code' && kind !== 'flag'))
      columns.push({
        name: `told_${prefix === 'open' ? 'openly' : prefix}`,
        kind: 'flag',
        for: [],
        sql: `${of} is not null`,
      });
  };
  flagOf('open', open);
  flagOf('within', within);
  for (const beside of sql.beside ?? [])
    for (const [name, { kind, for: askers = [], untold, untoldWithin, ofPlace }] of Object.entries(
      beside.columns,
    ))
      columns.push({
        name,
        kind,
        for: besideFor.get(name)?.askers ?? askers,
        beside,
        untold,
        untoldWithin,
        ofPlace,
        readers: besideFor.get(name)?.readers,
        tells: besideFor.get(name)?.tells,
      });
  const unit = columns.find(({ name }) => name === sql.unit);
  if (sql.unit !== undefined && !unit?.for.includes('numbers'))
    throw new Error(`${shape.name}: numbers may not read ${sql.unit}, of which several rows are one`);
  return {
    shape,
    table: `${shape.name}_fact`,
    sql: { ...(sql as unknown as FactSql), columns: all },
    columns,
    made: [
      ...personColumns(columns),
      ...placeColumns(sql.visible),
      ...packsOf(shape, sql, columns, comparedBy),
    ],
    comparedBy,
  };
}

/**
 * A made column as a replica keeps it, and the stored columns that it has there. A second one is built from what
 * readers see from whom restricted families are hidden.
 */
export interface KeptColumn {
  name: string;
  made: MadeColumn;
  of: (column: string) => string;
}

export function keptColumns({ columns, made }: StoredFact): KeptColumn[] {
  const names = new Set(columns.map(({ name }) => name));
  const open = (column: string) => (names.has(`open_${column}`) ? `open_${column}` : column);
  return made.flatMap((one) => [
    { name: one.name, made: one, of: (column: string) => column },
    ...(one.of.some((column) => open(column) !== column)
      ? [{ name: `open_${one.name}`, made: one, of: open }]
      : []),
  ]);
}

/** How many numbers a word of bits has: the sign and the bit before it stay free. */
export const bitsOfWord = 62;
export const [personWord, personBit] = ['person_word', 'person_bit'];

/**
 * Counts distinct persons without hashing them. A word stands for 62 numbers with one bit each, so
 * `sum(bit_count(bits))` over `bit_or(person_bit) … group by person_word` is the exact number of persons.
 */
function personColumns(columns: readonly StoredColumn[]): MadeColumn[] {
  const number = columns.find(({ numbers }) => numbers !== undefined);
  if (!number) return [];
  const made = (name: string, sql: MadeColumn['sql']): MadeColumn => ({
    name,
    kind: 'wide',
    for: number.for,
    of: [number.name],
    sql,
  });
  return [
    made(personWord, (shown) => `${shown(number.name)} / ${bitsOfWord}`),
    made(personBit, (shown) => `cast(1 as bigint) << cast(${shown(number.name)} % ${bitsOfWord} as integer)`),
  ];
}

/** Whether the organization or the facility of a row may see its person. */
export const [ofOrganization, ofFacility] = ['of_organization', 'of_facility'];

/** A row's list of places is searched once, not in each question of a reader with a narrow scope. */
function placeColumns(visible: FactSql['visible']): MadeColumn[] {
  if ('families' in visible || !visible.person) return [];
  const { organization, facility, person } = visible;
  const made = (name: string, place: string, places: string): MadeColumn => ({
    name,
    kind: 'flag',
    for: [],
    of: [place, places],
    // Not `any`, which DuckDB turns into a join.
    sql: (shown) => `coalesce(array_position(${shown(places)}, ${shown(place)}), 0) > 0`,
  });
  return [
    made(ofOrganization, organization, person.organizations),
    made(ofFacility, facility, person.facilities),
  ];
}

/** The separator between the values of a pack, and the character that escapes it in a text. */
const [packSeparator, packEscape] = ['|', '~'];
const packPrefix = 'pack_';
/** A pack is kept as a number, with the texts in its own table, so new texts do not change existing ones. */
export const isPack = ({ parts }: MadeColumn): boolean => parts !== undefined;
/** The replica's table with the number and text of each value of a pack. */
export const packTable = ({ table }: StoredFact, { name }: MadeColumn): string => `${table}_${name}`;

/** Builds a pack: its columns joined as texts. A missing value is an empty text. */
function packsOf<F extends Fact>(
  shape: F,
  { packs = {} }: FactSql<F>,
  columns: readonly StoredColumn[],
  comparedBy: Readonly<Record<string, string>>,
): MadeColumn[] {
  const names = new Set(columns.map(({ name }) => name));
  return Object.entries<readonly string[]>(packs).map(([name, packed]) => {
    const parts = packed.flatMap((column): PackPart[] => {
      // A number on its own needs no pack: counting its values is enough.
      const right =
        packed.length === 1 && shape.columns[column]!.kind === 'integer' ? 'aggregated' : 'grouped';
      if (!mayRead(shape.columns[column], right, 'numbers'))
        throw new Error(`numbers of ${shape.name} may not be grouped by ${column}`);
      const { kind } = shape.columns[column]!;
      const [compared, sent] = [comparedBy[column]!, snake(column)];
      return [
        { column, kind, sent: false, stored: compared },
        ...(kind === 'text' && names.has(sent) ? [{ column, kind, sent: true, stored: sent }] : []),
      ];
    });
    return {
      name: `${packPrefix}${name}`,
      kind: 'code',
      for: ['numbers'],
      of: parts.map(({ stored }) => stored),
      sql: (shown) =>
        joined(parts.map(({ kind, stored }) => ({ sql: shown(stored), isFree: kind === 'text' }))),
      parts,
    };
  });
}

/**
 * Joins several values into one text in SQL. A missing value is empty; `isFree`: the value may contain any
 * characters.
 */
export const joined = (values: readonly { sql: string; isFree: boolean }[]): string =>
  values
    .map(({ sql, isFree }) => {
      const text = `coalesce(cast(${sql} as text), '')`;
      if (!isFree) return text;
      return [packEscape, packSeparator].reduce(
        (escaped, sign) => `replace(${escaped}, '${sign}', '${packEscape}${sign}')`,
        text,
      );
    })
    .join(` || '${packSeparator}' || `);

/** Splits the text of a pack into values; an empty one is missing. */
export function partsOfPack(text: string): string[] {
  if (!text.includes(packEscape)) return text.split(packSeparator);
  const values = [''];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === packSeparator) values.push('');
    else values[values.length - 1] += sign === packEscape ? text[++at]! : sign;
  }
  return values;
}

/** The database view of a fact. PostgreSQL answers questions from its rows and columns, and replicas copy them. */
export function viewOf({ table, sql, columns }: StoredFact): string {
  const { base, joins, where, viewOnly = {} } = sql;
  const selected = [
    `${base.as}.tenant_id`,
    ...columns.flatMap((column) => (column.sql === undefined ? [] : [named(column.sql, column.name)])),
    ...Object.entries(viewOnly).map(([name, text]) => named(text, name)),
  ];
  return `-- Printed by npm run db:types from the declaration of the fact: change that, not this.
create view ${table} with (security_invoker = true) as
select
  ${selected.join(',\n  ')}
from ${[`${base.table} ${base.as}`, ...joins].join('\n')}${where ? `\nwhere ${where}` : ''};
`;
}

const named = (sql: string, name: string) =>
  /^\w+\.(\w+)$/.exec(sql)?.[1] === name ? sql : `${sql} as ${name}`;

/** The stored column behind a column of the contract, for numbers that read it in some way. Throws if they may not. */
export function numbersBy(
  { shape, table, comparedBy }: StoredFact,
  name: string,
  right: Exclude<Right, 'shown' | 'sorted'>,
): string {
  if (!mayRead(shape.columns[name], right, 'numbers'))
    throw new Error(`numbers of ${table} may not read ${name}: ${right}`);
  return comparedBy[name]!;
}

/** The stored column with a text as it was sent, or the compared column if both are the same. */
export function sentAs(fact: StoredFact, name: string): string {
  const compared = numbersBy(fact, name, 'grouped');
  const sent = snake(name);
  return fact.columns.some((column) => column.name === sent) ? sent : compared;
}
