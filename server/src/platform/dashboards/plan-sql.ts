import { type DateRange, daysBetween } from '@caseway/contract/date-range';
import { mayRead } from '@caseway/contract/fact';
import type { Condition, CountedFact } from '@caseway/contract/measure';
import type { Ask } from '../analytics/engine.ts';
import {
  numbersBy,
  partsOfPack,
  personBit,
  personWord,
  type StoredFact,
  sentAs,
} from '../analytics/facts.ts';
import type { Param } from '../analytics/visible-facts.ts';
import { conditionSql, type Tested, testedId } from './conditions.ts';
import {
  asSent,
  type CellValue,
  type Counts,
  cellTaker,
  chosenDay,
  chosenWeek,
  daysLate,
  groupOf,
  isAdded,
  type Key,
  keyOf,
  type Source,
  sentColumn,
  termsOf,
  weeksLate,
} from './counting.ts';
import { allPersons, fourWeeksSql, type HalfSql, halfSql, type Persons } from './protect.ts';

/*
 * The counts of one fact as one statement in the SQL that PostgreSQL and DuckDB share: a part for each set of columns by
 * which cells are counted, put together by `union all`. Cells are counted seldom and added up often: what several counts
 * need is counted once by all of it. Persons and other distinct things cannot be added up, so each has a part.
 */

/** What is asked of one fact. */
export interface FactQuestion {
  stored: StoredFact;
  fact: CountedFact;
  /** The day by which its rows are counted: a column of the contract. */
  day: string;
  /** Rows that the dashboard is about, and those that the filters pick. */
  base: readonly Condition[];
  filters: readonly Condition[];
  /** The days of each source. */
  ranges: Readonly<Partial<Record<Source, DateRange>>>;
  counts: readonly Counts[];
  /** Only rows of the half are counted, beside the persons behind all of them. [P17] */
  half: boolean;
}

/** From this many days on, persons are counted in the stored facts: writing two columns more takes longer than filtering. */
const daysOfManyRows = 91;
/** From this many days on, rows that no filter picks are counted where they are stored. */
const daysOfAllRows = 182;

/** Sources whose rows are filtered once, for all of their parts. */
const shared: readonly Source[] = ['now', 'before'];

/** Something that cells are counted by. Texts and numbers are in columns of their own in the answer. */
interface Term {
  id: string;
  sql: string;
  kind: 'text' | 'number';
  /** The stored columns that it is made of. */
  from: readonly string[];
  /** What rows are grouped by; absent: its place in the answer, because its parameters make it no expression to repeat. */
  by?: string;
}

type Row = { part: number; n: number } & Persons & Record<string, CellValue>;

interface SelectedPart {
  texts: readonly string[];
  numbers: readonly string[];
  n: string;
  /** The persons behind all rows, where the half is counted; absent: nobody. */
  persons?: Pick<HalfSql, 'low' | 'high'>;
  from: string;
  /** Expressions, or the place of a number in the answer. */
  groupBy: readonly (string | number)[];
  take(row: Row): void;
  /** Once every row has been taken. */
  end?(): void;
}

/** Of a pack there are many more rows than of the columns that a count needs: they are added up by these first. */
class Sums {
  readonly cells = new Map<string, { values: readonly CellValue[]; n: number; persons?: Persons }>();
  readonly of: readonly Counts[];
  readonly #places: readonly number[];

  constructor(of: readonly Counts[], places: readonly number[]) {
    this.of = of;
    this.#places = places;
  }

  add(values: readonly CellValue[], n: number, persons?: Persons): void {
    const at = this.#places.map((place) => values[place]).join('\n');
    const cell = this.cells.get(at);
    if (!cell) this.cells.set(at, { values, n, ...(persons && { persons }) });
    else {
      cell.n += n;
      if (persons) cell.persons = allPersons(cell.persons!, persons);
    }
  }
}

/** The statement for the counts of a fact. Throws where it reads what numbers may not. */
export const statementOf = (question: FactQuestion) => new FactStatement(question);

/** Reads every count of a fact, in one statement. */
export async function readCounts(ask: Ask, question: FactQuestion): Promise<void> {
  const statement = statementOf(question);
  if (statement.parts.length === 0) return;
  const { select, ...rest } = statement.sql();
  for (const row of await ask<Row>({ ...rest, select })) statement.parts[row.part]!.take(row);
  for (const { end } of statement.parts) end?.();
}

const isWithin = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...one].every((id) => other.has(id));

/** Of sets of columns, those by which cells are counted: each set that is asked for is within one of them. */
export function setsToCount(
  wanted: readonly ReadonlySet<string>[],
  packs: readonly ReadonlySet<string>[] = [],
): ReadonlySet<string>[] {
  const rest = [...wanted];
  const chosen: ReadonlySet<string>[] = [];
  for (const pack of packs) {
    const inside = rest.filter((one) => isWithin(one, pack));
    // A pack is finer than each: it saves time only where it stands for several.
    if (new Set(inside.map((one) => [...one].sort().join())).size < 2) continue;
    chosen.push(new Set(inside.flatMap((one) => [...one])));
    for (const one of inside) rest.splice(rest.indexOf(one), 1);
  }
  for (const one of rest.sort((a, b) => b.size - a.size))
    if (!chosen.some((other) => isWithin(one, other))) chosen.push(one);
  return chosen;
}

class FactStatement {
  readonly parts: SelectedPart[] = [];
  readonly #question: FactQuestion;
  readonly #params: Param[] = [];
  readonly #stored = new Map<Source, Set<string>>();
  readonly #tests = new Map<string, string>();
  /** How rows of the half are counted; undefined where all are. */
  readonly #half: HalfSql | undefined;

  constructor(question: FactQuestion) {
    this.#question = question;
    this.#half = question.half ? halfOf(question.stored) : undefined;
    const bySource = Map.groupBy(question.counts, ({ place }) => place.source);
    for (const [source, counts] of bySource) {
      this.#addCells(
        source,
        counts.filter((one) => isAdded(question.fact, one)),
      );
      for (const one of counts) if (!isAdded(question.fact, one)) this.#addDistinct(source, one);
    }
  }

  sql() {
    const [texts, numbers] = [
      Math.max(0, ...this.parts.map((part) => part.texts.length)),
      Math.max(0, ...this.parts.map((part) => part.numbers.length)),
    ];
    const columns = (name: string, type: string, given: readonly string[], n: number) =>
      Array.from(
        { length: n },
        (_, index) => `cast(${given[index] ?? 'null'} as ${type}) as ${name}${index}`,
      );
    const select = this.parts
      .map(({ texts: texted, numbers: numbered, n, persons, from, groupBy }, part) => {
        const selected = [
          `${part} as part`,
          ...columns('t', 'text', texted, texts),
          ...columns('v', 'integer', numbered, numbers),
          `cast(${n} as bigint) as n`,
          ...(this.#half ? [`${persons?.low ?? '0'} as low`, `${persons?.high ?? '0'} as high`] : []),
        ];
        const by = groupBy.map((one) => (typeof one === 'string' ? one : texts + 2 + one));
        const grouped = by.length > 0 ? ` group by ${by.join(', ')}` : '';
        return `select ${selected.join(', ')} from ${from}${grouped}`;
      })
      .join(' union all ');
    const filtered = shared.flatMap((source) => {
      const stored = this.#stored.get(source);
      if (!stored) return [];
      // A relation has at least one column.
      const named = stored.size > 0 ? [...stored].join(', ') : '1 as one';
      return [
        `${source}_f as materialized (select ${named} from ${this.#table} where ${this.#where(source)})`,
      ];
    });
    return { ...(filtered.length > 0 && { with: filtered.join(', ') }), select, params: this.#params };
  }

  get #table(): string {
    return this.#question.stored.table;
  }

  #place = (value: Param): string => `$${this.#params.push(value)}`;

  /** A stored column that numbers may filter by, group by or add up; throws if they may not. */
  #column = (name: string): string => {
    const { stored } = this.#question;
    const right = (['filtered', 'grouped', 'aggregated'] as const).find((one) =>
      mayRead(stored.shape.columns[name], one, 'numbers'),
    );
    return numbersBy(stored, name, right ?? 'grouped');
  };

  #between(column: string, { start, end }: DateRange): string {
    return `${column} between cast(${this.#place(start)} as date) and cast(${this.#place(end)} as date)`;
  }

  #conditions(conditions: readonly Condition[]): string {
    const parts = conditions.map((one) => conditionSql(this.#question.fact, this.#column, one, this.#place));
    return parts.filter((part) => part !== 'true').join(' and ') || 'true';
  }

  /** The condition for the rows of a source. */
  #where(source: Source): string {
    const { fact, day, base, filters, ranges } = this.#question;
    const { counted, enteredOn } = fact.counting;
    const range = ranges[source];
    if (!range) throw new Error(`the rows of ${source} have no range`);
    const of = [...(counted === undefined ? [] : [{ [counted]: true }]), ...base];
    const [dated, entered] = [this.#column(day), this.#column(enteredOn)];
    switch (source) {
      case 'undated':
        return `${this.#conditions([...of, ...filters])} and ${dated} is null and ${this.#between(entered, range)}`;
      case 'arrivals':
        return `${this.#conditions(of)} and ${dated} is not null and ${this.#between(entered, range)}`;
      case 'ever':
        return `${this.#conditions(of)} and ${this.#between(dated, range)}`;
      default:
        return `${this.#conditions([...of, ...filters])} and ${this.#between(dated, range)}`;
    }
  }

  /** The relation of the rows of a source that has these columns, with a further condition. */
  #from(source: Source, columns: readonly string[], where: readonly Condition[] = []): string {
    const further = this.#conditions(where);
    if (!shared.includes(source) || this.#isWhole(source))
      return `${this.#table} where ${this.#where(source)}${further === 'true' ? '' : ` and ${further}`}`;
    const stored = this.#stored.get(source) ?? new Set<string>();
    this.#stored.set(source, stored);
    for (const column of [...columns, ...where.flatMap((one) => this.#columnsOf(one))]) stored.add(column);
    return `${source}_f${further === 'true' ? '' : ` where ${further}`}`;
  }

  /** Whether the rows of a source are so large a part of all that filtering them first is no use. */
  #isWhole(source: Source): boolean {
    const { filters, ranges } = this.#question;
    const range = ranges[source];
    return (
      filters.length === 0 && range !== undefined && daysBetween(range.start, range.end) >= daysOfAllRows
    );
  }

  /** The stored columns of a condition. */
  #columnsOf({ any = [], ...tests }: Condition): string[] {
    return [...Object.keys(tests).map(this.#column), ...any.flatMap((one) => this.#columnsOf(one))];
  }

  /** The expression for what cells are counted by. */
  #term({ column, test }: Tested): Term {
    const { fact, stored, day } = this.#question;
    const id = testedId({ column, test });
    const dated = this.#column(day);
    const entered = this.#column(fact.counting.enteredOn);
    const weekOf = (one: string) => `(${one} - cast(extract(dow from ${one}) as integer))`;
    if (column === chosenDay)
      return { id, sql: `${dated} - cast('1970-01-01' as date)`, kind: 'number', from: [dated], by: dated };
    if (column === chosenWeek) {
      const week = `${weekOf(dated)} - cast('1970-01-01' as date)`;
      return { id, sql: week, kind: 'number', from: [dated], by: week };
    }
    if (column === daysLate || column === weeksLate) {
      const sql =
        column === daysLate ? `${entered} - ${dated}` : `(${weekOf(entered)} - ${weekOf(dated)}) / 7`;
      return { id, sql, kind: 'number', from: [entered, dated], by: sql };
    }
    const sent = sentColumn(column);
    if (sent !== undefined) {
      const sql = sentAs(stored, sent);
      return { id, sql, kind: 'text', from: [sql], by: sql };
    }
    if (test !== undefined) {
      // The same test is the same expression, with the same parameters.
      const known =
        this.#tests.get(id) ??
        `case when ${conditionSql(fact, this.#column, { [column]: test }, this.#place)} then 1 else 0 end`;
      this.#tests.set(id, known);
      return { id, sql: known, kind: 'number', from: [this.#column(column)] };
    }
    const sql = this.#column(column);
    const { kind } = fact.columns[column]!;
    if (kind === 'flag') return { id, sql: `cast(${sql} as integer)`, kind: 'number', from: [sql], by: sql };
    return { id, sql, kind: kind === 'integer' ? 'number' : 'text', from: [sql], by: sql };
  }

  #addCells(source: Source, counts: readonly Counts[]): void {
    const question = this.#question;
    const { fact, stored } = question;
    const needs = counts.map((one) => {
      const terms = termsOf(fact, one);
      return { one, terms, ids: new Set(terms.map(testedId)) };
    });
    const byId = new Map(needs.flatMap(({ terms }) => terms.map((term) => [testedId(term), term] as const)));
    const packs = stored.made.flatMap(({ name, parts }) =>
      parts ? [{ name, ids: parts.map(({ column, sent }) => (sent ? asSent(column) : column)), parts }] : [],
    );
    const left = new Set(needs);
    for (const set of setsToCount(
      needs.map(({ ids }) => ids),
      packs.map(({ ids }) => new Set(ids)),
    )) {
      const inside = [...left].filter(({ ids }) => isWithin(ids, set));
      for (const one of inside) left.delete(one);
      const pack = set.size > 1 ? packs.find(({ ids }) => isWithin(set, new Set(ids))) : undefined;
      if (pack) {
        const place = new Map(pack.ids.map((id, index) => [id, index]));
        const isFlag = pack.parts.map(({ kind }) => kind === 'flag');
        const alike = Map.groupBy(inside, ({ ids }) => [...ids].sort().join());
        const sums = [...alike.values()].map(
          (some) =>
            new Sums(
              some.map(({ one }) => one),
              [...some[0]!.ids].map((id) => place.get(id)!),
            ),
        );
        this.parts.push({
          texts: [pack.name],
          numbers: [],
          n: this.#half?.n ?? 'count(*)',
          persons: this.#half,
          from: this.#from(source, [pack.name, ...(this.#half?.columns ?? [])]),
          groupBy: [pack.name],
          take(row) {
            const values = partsOfPack(row.t0 as string).map((value, index): CellValue => {
              if (value === '') return null;
              return isFlag[index] ? Number(value === 'true') : value;
            });
            for (const one of sums) one.add(values, row.n, question.half ? row : undefined);
          },
          end() {
            for (const { of, cells } of sums) {
              const take = cellTaker(fact, of);
              for (const { values, n, persons } of cells.values())
                take((id) => values[place.get(id)!]!, n, persons);
            }
          },
        });
        continue;
      }
      const terms = [...set].map((id) => this.#term(byId.get(id)!));
      const [texts, numbers] = [
        terms.filter(({ kind }) => kind === 'text'),
        terms.filter(({ kind }) => kind === 'number'),
      ];
      const at = new Map([
        ...texts.map(({ id }, index) => [id, `t${index}`] as const),
        ...numbers.map(({ id }, index) => [id, `v${index}`] as const),
      ]);
      const columns = [...new Set(terms.flatMap(({ from }) => from))];
      const half = this.#half;
      const n = half?.n ?? 'count(*)';
      const behind = half ? `, ${half.low} as low, ${half.high} as high` : '';
      const rows = this.#from(source, [...columns, ...(half?.columns ?? [])]);
      // By days first: DuckDB counts these in an array, and has to compute the week of few.
      const byDay = set.has(chosenWeek) && columns.join(', ');
      const take = cellTaker(
        fact,
        inside.map(({ one }) => one),
      );
      this.parts.push({
        texts: texts.map(({ sql }) => sql),
        numbers: numbers.map(({ sql }) => sql),
        n: byDay ? 'sum(n)' : n,
        persons: byDay && half ? { low: 'bit_or(low)', high: 'bit_or(high)' } : half,
        from: byDay ? `(select ${byDay}, ${n} as n${behind} from ${rows} group by ${byDay}) as g` : rows,
        groupBy: terms.map((term) => term.by ?? numbers.indexOf(term)),
        take: (row) => take((id) => row[at.get(id)!] ?? null, row.n, half ? row : undefined),
      });
    }
  }

  /** The expression of a key where groups cannot be combined later. */
  #keyTerm({ column, as }: Key): Term {
    const term = this.#term({ column });
    if (as === 'four-weeks') {
      const [dated] = term.from as [string];
      const since = `${fourWeeksSql(dated)} - cast('1970-01-01' as date)`;
      return { ...term, sql: since, by: since };
    }
    if (typeof as === 'string') return term;
    // The least number of the bucket; one less for those below the first.
    const cases = as.from.toReversed().map((from) => `when ${term.sql} >= ${from} then ${from}`);
    const bucket = `case ${cases.join(' ')} when ${term.sql} is not null then ${as.from[0]! - 1} end`;
    return { ...term, sql: bucket, by: bucket };
  }

  /** Persons, records or codes: each of its own groups, counted by the engine. */
  #addDistinct(source: Source, counts: Counts): void {
    const { fact, stored, ranges } = this.#question;
    const { place, part } = counts;
    const keys = place.keys.map((key) => ({ key, term: this.#keyTerm(key) }));
    const texts = keys.filter(({ term }) => term.kind === 'text');
    const numbers = keys.filter(({ term }) => term.kind === 'number');
    const at = new Map([
      ...texts.map((one, index) => [one, `t${index}`] as const),
      ...numbers.map((one, index) => [one, `v${index}`] as const),
    ]);
    const groupIn = (row: Row) => groupOf(keys.map((one) => keyOf(one.key, row[at.get(one)!] ?? null)));
    const selected = {
      texts: texts.map(({ term }) => term.sql),
      numbers: numbers.map(({ term }) => term.sql),
      groupBy: keys.map(({ term }) => term.by!),
    };
    const half = this.#half;
    const columns = [...keys.flatMap(({ term }) => term.from), ...(half?.columns ?? [])];
    if (part.of === 'latest' || part.of === 'earliest') {
      const name = part.of === 'latest' ? part.column : this.#question.day;
      const column = this.#column(name);
      const extreme = part.of === 'latest' ? `max(${column})` : `min(${column})`;
      const ms =
        fact.columns[name]!.kind === 'day'
          ? `(${extreme} - cast('1970-01-01' as date)) * 86400000.0`
          : `floor(date_part('epoch', ${extreme}) * 1000)`;
      this.parts.push({
        ...selected,
        n: half ? ms.replaceAll(column, `case when ${half.rows} then ${column} end`) : ms,
        persons: half,
        from: this.#from(source, [...columns, column], part.where),
        take({ n, ...row }) {
          const group = groupIn(row as Row);
          if (half) counts.addBehind(group, row as Persons);
          if (n === null) return;
          const known = counts.latest.get(group) ?? n;
          counts.latest.set(group, part.of === 'latest' ? Math.max(n, known) : Math.min(n, known));
        },
      });
      return;
    }
    if (part.of === 'codes') {
      const column = this.#column(part.column);
      const present = [...part.where, { [part.column]: { known: true } }];
      this.parts.push({
        ...selected,
        texts: [...selected.texts, column],
        groupBy: [...selected.groupBy, column],
        n: half?.n ?? 'count(*)',
        persons: half,
        from: this.#from(source, [...columns, column], present),
        take(row) {
          const group = groupIn(row);
          if (half) counts.addBehind(group, row);
          if (row.n === 0) return;
          const codes = counts.codes.get(group) ?? new Set<string>();
          counts.codes.set(group, codes.add(String(row[`t${texts.length}`])));
        },
      });
      return;
    }
    const column = part.of === 'persons' ? stored.sql.person : stored.sql.unit;
    if (column === undefined) throw new Error(`${stored.table} does not say whose its rows are`);
    // Of persons, a word of bits is one group for many, from which they are counted exactly.
    const isByWords = !half && part.of === 'persons' && stored.made.some(({ name }) => name === personWord);
    const counted = isByWords ? [personWord, personBit] : [column];
    const range = ranges[source];
    const areMany =
      keys.length === 0 &&
      shared.includes(source) &&
      range &&
      daysBetween(range.start, range.end) >= daysOfManyRows;
    const rows = areMany
      ? `${this.#table} where ${this.#where(source)} and ${this.#conditions(part.where)}`
      : this.#from(source, [...columns, ...counted], part.where);
    // Grouping counts in an array; count(distinct) hashes.
    const inner = keys.map(({ term }, index) => `${term.sql} as k${index}`);
    const outer = (some: typeof keys) => some.map((one) => `k${keys.indexOf(one)}`);
    // What is distinct has one person, and so is in the half or not.
    const distinct = [...new Set([column, ...(half?.columns ?? [])])].join(', ');
    this.parts.push({
      texts: outer(texts),
      numbers: outer(numbers),
      groupBy: outer(keys),
      n: half?.n ?? (isByWords ? 'coalesce(sum(bit_count(cast(bits as bit(64)))), 0)' : 'count(*)'),
      persons: half,
      from: half
        ? `(select ${[...inner, distinct].join(', ')} from ${rows} group by ${[...selected.groupBy, distinct].join(', ')}) as g`
        : `(select ${[...inner, isByWords ? `bit_or(${personBit}) as bits` : column].join(', ')}
        from ${rows} group by ${[...selected.groupBy, counted[0]!].join(', ')}) as g`,
      take(row) {
        const group = groupIn(row);
        if (half) counts.addBehind(group, row);
        counts.n.set(group, (counts.n.get(group) ?? 0) + row.n);
      },
    });
  }
}

/** How the half of a fact's rows is counted. Throws if it is not known of them. */
function halfOf({ table, columns }: StoredFact): HalfSql {
  if (!halfSql.columns.every((one) => columns.some(({ name }) => name === one)))
    throw new Error(`${table} does not say whose rows are in the half`);
  return halfSql;
}

/** How many rows of the range the reader sees, by when they were entered. */
export async function rowsEntered(
  ask: Ask,
  { stored, fact, base }: Pick<FactQuestion, 'stored' | 'fact' | 'base'>,
  { start, end }: DateRange,
): Promise<number> {
  const params: Param[] = [start, end];
  const { counted, enteredOn } = fact.counting;
  const of = [...(counted === undefined ? [] : [{ [counted]: true }]), ...base];
  const column = (name: string) => numbersBy(stored, name, 'filtered');
  const conditions = of.map((one) => conditionSql(fact, column, one, (value) => `$${params.push(value)}`));
  const rows = await ask<{ n: number }>({
    select: `select count(*) as n from ${stored.table} where ${[...conditions, 'true'].join(' and ')}
      and ${column(enteredOn)} between cast($1 as date) and cast($2 as date)`,
    params,
  });
  // One for each tenant.
  return rows.reduce((sum, { n }) => sum + n, 0);
}
