import type { Asker } from '@caseway/contract/fact';
import type { Scope } from '../scope.ts';
import {
  type ColumnKind,
  isPack,
  keptColumns,
  type MadeColumn,
  ofFacility,
  ofOrganization,
  packTable,
  type StoredColumn,
  type StoredFact,
  toldByOf,
  type VisiblePerson,
} from './facts.ts';
import { type CodesOf, pickedByMask, withBitsOfNumbers, withTextsOfPacks } from './picks.ts';
import type { RolledQuestion } from './roll-ups.ts';
import { asksFor, mayAskFor, storedFacts } from './stored-facts.ts';

/** A parameter value. It stays a value, because no text of a client becomes part of a query. */
export type Param = string | number | boolean | null | readonly string[];

/**
 * A query over facts in the SQL that PostgreSQL and DuckDB share. The names of facts in it mean only what its reader
 * may see, and it can reach nothing else.
 */
export interface Question {
  /** More common table expressions, `name as (…)`, separated by commas. */
  with?: string;
  select: string;
  /** Values of `$1`, `$2` … */
  params?: readonly Param[];
  /** The same question for roll-ups, if a replica has some for its reader. */
  rolled?: RolledQuestion;
}

/** Which engine a statement is for. */
type AnsweringEngine = 'duckdb' | 'postgres';

/** The parts of a statement that restrict the facts to a reader. */
export interface VisibleFacts {
  /** Common table expressions that replace each fact table with its visible rows. */
  ctes: string;
  params: Param[];
  /** For a replica: the stored code behind a column, by table and name. Absent for computed columns. */
  codes: Map<string, Map<string, string>>;
  /** For a replica: the packs that are shown as their numbers, by name, with the table of their texts. */
  packs: Map<string, string>;
}

/**
 * The facts that a question names, as a scope may see them, with parameters numbered from `first`. Equivalent to the
 * policies of the underlying tables; a test queries both and requires the same rows.
 */
export function factsIn(
  facts: readonly StoredFact[],
  scope: Scope,
  first: number,
  by: AnsweringEngine,
  question: string,
  { asks, codesOf }: { asks?: Asker | undefined; codesOf?: CodesOf | undefined } = {},
): VisibleFacts {
  const params: Param[] = [];
  const param = (value: Param) => `$${first - 1 + params.push(value)}`;
  const before = Array<Param>(first - 1).fill(null);
  const conditions = conditionsOf(scope, param, by);
  const tenant = () => `cast(${param('tenantId' in scope ? scope.tenantId : null)} as uuid)`;
  const codes: VisibleFacts['codes'] = new Map();
  const packs: VisibleFacts['packs'] = new Map();
  const named = facts.filter(({ table }) => question.includes(table));
  const ctes = named.map((fact) => {
    // Columns that the question does not name are left out. Planning them takes longer than a page of a list.
    const columns = fact.columns.filter(
      (column) =>
        (by === 'duckdb' || mayAskFor(question, column)) &&
        (asks === undefined || question.includes(column.name)),
    );
    const from = by === 'duckdb' ? fact.table : storedFacts(fact, tenant, question);
    const shownAs = shownIn(scope, fact, param);
    const asked = columns.filter((column) => asks === undefined || column.for.includes(asks));
    const selected = new Map(asked.map((column) => [column.name, shownAs(column)]));
    codes.set(fact.table, codesAmong(fact, selected));
    for (const made of fact.made) {
      if (!asksFor(question, made) || (asks !== undefined && !made.for.includes(asks))) continue;
      const kept = by === 'duckdb' ? keptAs(fact, made, shownAs) : undefined;
      // A name cannot be a number in one fact and a text in another.
      const isAlone = named.filter((other) => other.made.some(({ name }) => name === made.name)).length < 2;
      if (kept !== undefined && isPack(made) && isAlone) packs.set(made.name, packTable(fact, made));
      const isKept = kept !== undefined && (!isPack(made) || isAlone);
      selected.set(made.name, isKept ? kept : madeOf(fact, made, shownAs));
    }
    const shown = [...selected].map(([name, text]) => (text === name ? name : `${text} as ${name}`));
    const where = conditions(fact).join(' and ');
    const rows =
      by === 'duckdb' ? pickedByMask(where, [...before, ...params], codesIn(fact, codesOf)) : where;
    return `${fact.table} as not materialized (select ${['tenant_id', ...shown].join(', ')} from ${from} where ${rows})`;
  });
  return { ctes: ctes.join(', '), params, codes, packs };
}

/** The numbers of a fact's stored codes. */
function codesIn(
  { table, columns }: StoredFact,
  codesOf: CodesOf | undefined,
): Map<string, ReadonlyMap<string, number>> {
  return new Map(
    columns.flatMap(({ name, kind }) => {
      const values = kind === 'code' ? codesOf?.(table, name) : undefined;
      return values ? [[name, values] as const] : [];
    }),
  );
}

/** The shown codes that are the same as the stored ones. */
function codesAmong({ columns }: StoredFact, selected: ReadonlyMap<string, string>): Map<string, string> {
  const codes = new Set(columns.flatMap(({ name, kind }) => (kind === 'code' ? [name] : [])));
  return new Map([...selected].filter(([, text]) => codes.has(text)));
}

type ShownAs = (column: StoredColumn) => string;

const columnOf = ({ columns }: StoredFact, name: string) => columns.find((column) => column.name === name)!;

/**
 * The replica's version of a made column for a reader: one for readers who see everything, and one for readers who
 * see all but restricted families.
 */
const keptAs = (fact: StoredFact, made: MadeColumn, shownAs: ShownAs): string | undefined =>
  keptColumns(fact).find(
    (one) =>
      one.made === made && made.of.every((column) => one.of(column) === shownAs(columnOf(fact, column))),
  )?.name;

/** Computes a made column from what its reader sees of the others. */
const madeOf = (fact: StoredFact, made: MadeColumn, shownAs: ShownAs): string =>
  made.sql((column) => `(${shownAs(columnOf(fact, column))})`);

/**
 * The columns as a scope sees them. Nothing that the tenant no longer records is shown; an organization or facility
 * sees only what it reported about a person; and readers who may not see restricted families see nothing that only
 * restricted reports say. `open_x` is column x for these readers, and `within_x` for readers who share the record.
 */
function shownIn(
  scope: Scope,
  { columns, sql: { visible } }: StoredFact,
  param: (value: Param) => string,
): ShownAs {
  const stored = ({ name }: StoredColumn) => name;
  if (scope.kind !== 'org') return stored;
  const { orgType } = scope;
  const isTold = ({ readers }: StoredColumn) =>
    readers === undefined || orgType === 'A' || readers.includes(orgType);
  const isWithin = orgType === 'O' || orgType === 'F';
  const isBlind = scope.hiddenFamilies.length > 0;
  const isWhole = orgType === 'A' || orgType === 'T';
  if (scope.genderIdentityShown && isWhole && !isBlind && columns.every(isTold)) return stored;
  const toldBy = toldByOf(visible);
  // The value becomes a parameter only if a condition needs it.
  let condition: string | undefined;
  const told = () => {
    condition ??=
      isWithin && toldBy ? `(${toldBy} is null or ${param(scope.orgId)} = any(${toldBy}))` : 'true';
    return condition;
  };
  const byName = new Map(columns.map((column) => [column.name, column]));
  const shown = (name: string) => {
    const within = byName.get(`within_${name}`);
    if (isWithin && within)
      return within.kind === 'code'
        ? within.name
        : `case when told_within then ${within.name} else ${name} end`;
    const borrowed = byName.get(name)?.borrowed;
    if (isWithin && borrowed !== undefined) return `case when ${borrowed} then null else ${name} end`;
    const open = byName.get(`open_${name}`);
    if (!isBlind || !open) return name;
    // Codes are visible to everyone: choosing between two columns of codes would make a text.
    const isWhole = open.kind === 'code' || open.kind === 'flag';
    return isWhole ? open.name : `case when told_openly then ${open.name} else ${name} end`;
  };
  return (column) => {
    const { name, kind, setting, untold, untoldWithin, ofPlace, tells = [] } = column;
    if (!isTold(column)) return 'cast(null as text)';
    if (tells.some((family) => scope.hiddenFamilies.includes(family)))
      return `cast(null as ${kind === 'flag' ? 'boolean' : kind === 'integer' ? 'integer' : 'text'})`;
    if (setting !== undefined && !scope[setting]) return 'cast(null as text)';
    const own = ofPlace?.[orgType];
    // A text is stored only where it differs.
    if (own !== undefined) return kind === 'text' ? `nullif(coalesce(${own}, ${name}), '')` : own;
    // A number from another place cannot be searched for either.
    if (isWithin && untold && untoldWithin)
      return `case when ${told()} and not told_within then ${shown(name)} else ${untold(shown)} end`;
    const value = shown(name);
    if (!isWithin || !untold) return value;
    return `case when ${told()} then ${value} else cast(${untold(shown)} as ${typeOf(kind)}) end`;
  };
}

/** The type of a column for some readers, because codes and texts can stand in for each other. */
const typeOf = (kind: ColumnKind): string =>
  ({ flag: 'boolean', day: 'date', instant: 'timestamptz', integer: 'integer', wide: 'bigint' })[
    kind as string
  ] ?? 'text';

/**
 * The conditions for the rows of a fact that a scope sees. The values are the same for all facts, and are given
 * once.
 */
function conditionsOf(
  scope: Scope,
  param: (value: Param) => string,
  by: AnsweringEngine,
): (fact: StoredFact) => string[] {
  if (scope.kind === 'identity' || scope.kind === 'system' || scope.kind === 'patient')
    return () => ['false'];
  // A replica has one tenant. The condition makes sure that the wrong replica would answer with nothing.
  const tenant = `tenant_id = cast(${param(scope.tenantId)} as uuid)`;
  if (scope.kind === 'service') return () => [tenant];
  // One by one: DuckDB compares codes with a single value four times as fast as with a list.
  const families = scope.hiddenFamilies.map((family) => param(family));
  let place = '';
  if (scope.orgType === 'O' || scope.orgType === 'F') place = param(scope.orgId);
  if (scope.orgType === 'PHJ') place = param(scope.counties);
  return ({ columns, sql: { visible } }) => {
    if ('families' in visible) return [tenant, ...personConditions(visible, scope, { families, place, by })];
    const { family, organization, facility, county, person, maybePerson } = visible;
    const others = families.map((one) => `${family} <> ${one}`);
    // A replica stores whether the place of the row may see its person.
    const isOfPerson = (places: string, kept: string) =>
      by === 'duckdb' ? kept : `${place} = any(${places})`;
    const conditions = [
      tenant,
      ...(others.length > 0 ? [`(${family} is null or ${others.join(' and ')})`] : []),
    ];
    if (maybePerson) {
      const ofPerson = personConditions(maybePerson, scope, { families, place, by });
      if (ofPerson.length > 0)
        conditions.push(`(${maybePerson.families} is null or ${ofPerson.join(' and ')})`);
    }
    // A county that only restricted reports contain is unknown to readers who may not see them.
    const openly = (column: string) =>
      others.length > 0 && columns.some(({ name }) => name === `open_${column}`) ? `open_${column}` : column;
    switch (scope.orgType) {
      case 'A':
      case 'T':
        return conditions;
      case 'O':
        conditions.push(`${organization} = ${place}`);
        if (person) conditions.push(isOfPerson(person.organizations, ofOrganization));
        return conditions;
      case 'F':
        conditions.push(`${facility} = ${place}`);
        if (person) conditions.push(isOfPerson(person.facilities, ofFacility));
        return conditions;
      case 'PHJ':
        conditions.push(`${openly(county)} = any(${place})`);
        // For persons: the address in the reports that the reader may see.
        if (person) conditions.push(`${openly(person.county)} = any(${place})`);
        return conditions;
      default:
        // A new type sees nothing until it is added here.
        return ['false'];
    }
  };
}

/**
 * The conditions for the persons that a scope sees. `families`: parameters of the hidden ones; `place`: the reader's
 * place.
 */
function personConditions(
  visible: VisiblePerson,
  { orgType }: Extract<Scope, { kind: 'org' }>,
  { families, place, by }: { families: readonly string[]; place: string; by: AnsweringEngine },
): string[] {
  const isBlind = families.length > 0;
  const known = `string_to_array(${visible.families}, ',')`;
  const hidden = `array[${families.map((family) => `cast(${family} as text)`).join(', ')}]`;
  const among = (places: string) =>
    by === 'duckdb' ? `list_contains(${places}, ${place})` : `${place} = any(${places})`;
  // A person with only restricted records is hidden everywhere.
  const shown = isBlind ? [`(${visible.families} = '' or not ${known} <@ ${hidden})`] : [];
  const at = (places: string) => [
    ...shown,
    among(places),
    ...(isBlind ? [`(not ${known} && ${hidden} or not ${among(visible.restrictedAt)})`] : []),
  ];
  switch (orgType) {
    case 'A':
    case 'T':
      return shown;
    case 'O':
      return at(visible.organizations);
    case 'F':
      return at(visible.facilities);
    case 'PHJ':
      return [...shown, `${isBlind ? `open_${visible.county}` : visible.county} = any(${place})`];
    default:
      return ['false'];
  }
}

/**
 * The statement that answers a question for a scope. The text of the question is the same for both engines. `asks`:
 * whose columns it may read; columns that it may not read or does not name are left out. `codesOf`: the replica's
 * numbers for the values of its codes.
 */
export function statementFor(
  facts: readonly StoredFact[],
  scope: Scope,
  question: Question,
  by: AnsweringEngine,
  { asks, codesOf }: { asks?: Asker; codesOf?: CodesOf } = {},
): { text: string; params: Param[] } {
  const given = question.params ?? [];
  const further = question.with ? `, ${question.with}` : '';
  const asked = `${further} ${question.select}`;
  if (!facts.some(({ table }) => asked.includes(table)))
    return { text: `${question.with ? `with ${question.with} ` : ''}${question.select}`, params: [...given] };
  const visible = factsIn(facts, scope, given.length + 1, by, asked, { asks, codesOf });
  const params = [...given, ...visible.params];
  if (by === 'postgres') return { text: `with ${visible.ctes}${asked}`, params };
  const codes = codesNamed(facts, visible, asked, codesOf);
  const text = pickedByMask(withBitsOfNumbers(withTextsOfPacks(asked, visible.packs)), given, codes);
  return { text: `with ${visible.ctes}${text}`, params };
}

/**
 * The code values that a question may name, by column name. Only columns that are codes in exactly one of its facts.
 */
function codesNamed(
  facts: readonly StoredFact[],
  { codes }: VisibleFacts,
  question: string,
  codesOf: CodesOf | undefined,
): Map<string, ReadonlyMap<string, number>> {
  const named = new Map<string, ReadonlyMap<string, number>>();
  const inQuestion = facts.filter(({ table }) => question.includes(table));
  for (const { table, columns } of inQuestion)
    for (const { name } of columns) {
      const stored = codes.get(table)!.get(name);
      const isAlone = inQuestion.every(
        (other) => other.table === table || other.columns.every((column) => column.name !== name),
      );
      const values = stored === undefined || !isAlone ? undefined : codesOf?.(table, stored);
      if (values) named.set(name, values);
    }
  return named;
}
