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

/** What some readers are shown instead of a column. `shown` gives the SQL of another column as they are shown it. */
interface Instead {
  /** To an organization or facility, where another one reported the person. [P23] */
  untold?: (shown: (stored: string) => string) => string;
  /** The same where it shares the record with other places. */
  untoldWithin?: true;
  /** Null to an organization or facility where this flag is set. */
  borrowed?: string;
  /** Only while the tenant records it. */
  setting?: 'genderIdentityShown';
  /** To a place: the column of what is its own. */
  ofPlace?: Readonly<Partial<Record<string, string>>>;
  /** Null to people of other kinds of places than these. */
  readers?: readonly OrgType[];
  /** Null where one of these families is hidden. */
  tells?: readonly string[];
}

/** The SQL of a column. */
export interface ColumnSql extends Instead {
  sql: string;
  /** How it is stored, where its kind in the contract leaves a choice. */
  as?: ColumnKind;
  /** A text: it is also stored as it was sent, under its plain name. */
  asSent?: true;
  /** A text: what is compared, where that is not quite what was sent. */
  compared?: string;
  /** A text that folding would not change, and why. Other texts are folded, because grids compare folded texts. */
  alreadyFolded?: string;
  /** What readers are shown who may not see restricted families: of `open` of the fact. */
  open?: string;
  /** What readers are shown who share the record with other places: of `within` of the fact. */
  within?: string;
}

/** A column that never leaves the server. Who asks for it: a list, for a condition; numbers, to count by it. */
export interface OwnColumnSql extends ColumnSql {
  as: ColumnKind;
  for?: readonly Asker[];
  /**
   * A number for each value of this stored column, by which the different ones are counted. A replica has numbers of its
   * own, without gaps: it counts them in arrays.
   */
  numbers?: string;
}

/** A column that is made of rows of other tables, and so cannot be in a view (decision record 0059). */
export interface BesideColumn extends Instead {
  kind: ColumnKind;
  /** An aggregate over the rows. */
  sql: string;
  for?: readonly Asker[];
  /** A text: null in the replica where it is the same as this one of them. */
  unless?: string;
}

/**
 * A column of this name beside a fact, and what each kind of place is shown: made only of rows of `of` that are of the
 * place, as the row `c` itself is. [P1, P23] `sql`: the aggregate, with a clause for these rows alone. `isPlace`: to a place
 * that may share the row with another.
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

/** Whole days from one day to another; null where they are out of order. */
export const wholeDays = (from: string, to: string): string =>
  `case when ${to} >= ${from} then ${to} - ${from} end`;

/** The code of the day of the week of a day. */
export const weekdayOf = (day: string): string =>
  `(array['${weekdays.join("', '")}'])[cast(extract(dow from ${day}) as integer) + 1]`;

/** Columns from the same rows of other tables. `c` is the row of the fact. */
export interface Beside {
  /** The rows, with their condition or as a query; `tenant` is the SQL of the tenant. */
  from: (tenant: string) => string;
  /** Their texts are folded when they are put together. */
  folded?: true;
  columns: Readonly<Record<string, BesideColumn>>;
}

/**
 * By which changes of a table the rows of a fact change:
 * - the stored column with the id of the changed record;
 * - or the query for the ids of the rows that belong to them, whose ids are given as SQL;
 * - or the tables of the records that its rows belong to: who writes it says that these have changed.
 */
export type ChangedBy =
  | { by: string }
  | { rows: (ids: string, tenant: string) => string }
  | { with: readonly TableName[] };

/** A record of a family, an organization, a facility and a county, by the stored columns with them. */
export interface VisibleRecord {
  family: string;
  organization: string;
  facility: string;
  county: string;
  /** Of the person whom it is about: who is not seen, of that person nothing is. */
  person?: { organizations: string; facilities: string; county: string; toldBy: string };
  /** The same where a record may be about nobody, and where its family does not say what the person is known for. */
  maybePerson?: VisiblePerson;
}

/** A person, who is seen at many places, each of which may know them by restricted records alone. */
export interface VisiblePerson {
  /** A code: the families of their records, with commas. */
  families: string;
  organizations: string;
  facilities: string;
  restrictedAt: string;
  county: string;
  toldBy: string;
}

/** The stored column with who has told everything about the person of a row. */
export const toldByOf = (visible: VisibleRecord | VisiblePerson): string | undefined =>
  'families' in visible ? visible.toldBy : (visible.person ?? visible.maybePerson)?.toldBy;

type ColumnGiven = string | ColumnSql | { stored: string };

/** The SQL of a fact: what the server adds to the shape of the contract. */
export interface FactSql<F extends Fact = Fact> {
  /** The table that it has one row of for each of its own, and the alias of that. */
  base: { table: TableName; as: string };
  /** Rows of other tables, at most one for each: `join table alias on …`. */
  joins: readonly string[];
  where?: string;
  /** The JSON of what is known without restricted reports. [P18] */
  open?: string;
  /** The JSON of what is known without other places. [P1, P23] */
  within?: string;
  /** The SQL of columns of the contract; or the name of one that is `beside` it. */
  columns: { [Name in ColumnOf<F>]?: ColumnGiven };
  /** The SQL of a column that is not among these; absent: the one of the base that is named like it. */
  column?: (name: string) => ColumnGiven;
  /** Columns that never leave the server, by the names under which they are stored. */
  own: Readonly<Record<string, OwnColumnSql>>;
  /** Columns of the view from which those beside it are made. */
  viewOnly?: Readonly<Record<string, string>>;
  beside?: readonly Beside[];
  /** The stored columns by which it is decided who sees a row. */
  visible: VisibleRecord | VisiblePerson;
  /**
   * Columns that are put together in one, because few of their combinations occur, so that rows are grouped once for
   * several charts.
   */
  packs?: Readonly<Record<string, readonly ColumnOf<F>[]>>;
  /** Every table that it reads. */
  changedBy: Readonly<Partial<Record<TableName, ChangedBy>>>;
  /** The stored column by which persons are counted; absent where rows are about none. */
  person?: string;
  /** The stored column of what several rows are one of, where its shape has a unit. */
  unit?: string;
  /** Rows of a new replica are written in the order of this day, so that ranges of days read little of it. */
  orderedBy: string;
}

/** A column as it is stored. */
export interface StoredColumn extends Instead {
  name: string;
  kind: ColumnKind;
  /** Whose questions may name it; a variant for some readers stands for its column, and nobody names it. */
  for: readonly Asker[];
  /** Its SQL in the view; absent where it is beside it. */
  sql?: string;
  beside?: Beside;
  numbers?: string;
}

/**
 * A column that is made of others of its row: by PostgreSQL when a question names it, by a replica when the row is
 * written. So it is in no view, and says nothing that the others do not.
 */
export interface MadeColumn {
  name: string;
  kind: ColumnKind;
  for: readonly Asker[];
  /** The stored columns that it is made of. */
  of: readonly string[];
  /** The SQL that both engines share, of the SQL of these columns. */
  sql: (shown: (column: string) => string) => string;
  /** Of a pack: the columns of the contract whose values its text has, in order; a text twice, as compared and as sent. */
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
  /** The stored column by which a column of the contract is compared, sorted and grouped. */
  comparedBy: Readonly<Record<string, string>>;
}

/** The column of a name. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Who may read a column in some way. */
const askersOf = (column: Column): Asker[] =>
  (['list', 'numbers'] as const).filter((by) => rights.some((right) => mayRead(column, right, by)));

const storedKinds = { id: 'id', code: 'code', flag: 'flag', day: 'day', instant: 'instant' } as const;

/** As grids compare texts: in code point order whatever the database's own collation is, as in a replica. */
const folded = (sql: string) => `app_fold(${sql}) collate "C"`;

/** What a fact is stored as. */
export function storedFact<F extends Fact>(shape: F, sql: FactSql<F>): StoredFact {
  const columns: StoredColumn[] = [];
  const comparedBy: Record<string, string> = {};
  const besideFor = new Map<string, { askers: Asker[] } & Pick<Instead, 'readers' | 'tells'>>();
  const { open, within } = sql;

  /** A column, and what it is for readers who are shown something else. */
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
    // Codes and flags are whole, so that no choice between two columns of codes becomes a text. Of the others there are few.
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
 * A made column as a replica keeps it, and the stored columns that it has there: beside what is made of columns as they
 * are, what is made of those that readers are shown from whom restricted families are hidden.
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
 * Different persons are counted without hashing them: a word stands for 62 numbers, each with a bit of its own, so that
 * `sum(bit_count(bits))` over `bit_or(person_bit) … group by person_word` is how many there are, exactly.
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

/** Whether the organization or the facility of a row is one that sees its person. */
export const [ofOrganization, ofFacility] = ['of_organization', 'of_facility'];

/** A row is searched for in a list of places once, and not in each question of a narrow reader. */
function placeColumns(visible: FactSql['visible']): MadeColumn[] {
  if ('families' in visible || !visible.person) return [];
  const { organization, facility, person } = visible;
  const made = (name: string, place: string, places: string): MadeColumn => ({
    name,
    kind: 'flag',
    for: [],
    of: [place, places],
    // Not `any`, which DuckDB makes a join of.
    sql: (shown) => `coalesce(array_position(${shown(places)}, ${shown(place)}), 0) > 0`,
  });
  return [
    made(ofOrganization, organization, person.organizations),
    made(ofFacility, facility, person.facilities),
  ];
}

/** Between the values of a pack, and before such a sign in a text. */
const [packSeparator, packEscape] = ['|', '~'];
const packPrefix = 'pack_';
/** A pack is kept as a number, with the texts in a table of its own: new ones come without a change of the others. */
export const isPack = ({ parts }: MadeColumn): boolean => parts !== undefined;
/** The table of a replica with the number and text of each value of a pack. */
export const packTable = ({ table }: StoredFact, { name }: MadeColumn): string => `${table}_${name}`;

/** What a pack is made of: its columns, joined as texts. A missing value is an empty one. */
function packsOf<F extends Fact>(
  shape: F,
  { packs = {} }: FactSql<F>,
  columns: readonly StoredColumn[],
  comparedBy: Readonly<Record<string, string>>,
): MadeColumn[] {
  const names = new Set(columns.map(({ name }) => name));
  return Object.entries<readonly string[]>(packs).map(([name, packed]) => {
    const parts = packed.flatMap((column): PackPart[] => {
      // A number alone is only how often each of its values occurs.
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

/** The SQL of several values in one text. A missing one is empty; `isFree`: it may have any signs. */
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

/** The values in the text of a pack; an empty one is missing. */
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

/**
 * The view of a fact, as it is made in the database. It has the rows and columns that PostgreSQL answers questions from
 * and that replicas copy.
 */
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

/** The stored column that a column of the contract is, for numbers that read it in a way. Throws if they may not. */
export function numbersBy(
  { shape, table, comparedBy }: StoredFact,
  name: string,
  right: Exclude<Right, 'shown' | 'sorted'>,
): string {
  if (!mayRead(shape.columns[name], right, 'numbers'))
    throw new Error(`numbers of ${table} may not read ${name}: ${right}`);
  return comparedBy[name]!;
}

/** The stored column with a text as it was sent, where it is compared in another form; else the one that is compared. */
export function sentAs(fact: StoredFact, name: string): string {
  const compared = numbersBy(fact, name, 'grouped');
  const sent = snake(name);
  return fact.columns.some((column) => column.name === sent) ? sent : compared;
}
