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
import { type Kept, kindOfFilter, type RollUp, type Split } from '../analytics/roll-ups.ts';
import type { Param, Question } from '../analytics/visible-facts.ts';
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
import {
  type Divided,
  divided,
  type KeptCounts,
  keptBy,
  onlyFilter,
  rangeSources,
  splitOf,
  valuesOfCell,
  widest,
} from './rolled.ts';

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
  /** Counts of the fact that replicas keep. */
  kept?: KeptCounts;
}

/** From this many days on, persons are counted in the stored facts: writing two columns more takes longer than filtering. */
const daysOfManyRows = 91;
/** So many filters leave few rows: to find these again takes longer than to write two columns more. */
const filtersOfFewRows = 2;
/** From this many days on, rows that no filter picks are counted where they are stored. */
const daysOfAllRows = 182;

/** The parts of a statement that reads roll-ups have numbers from here on. */
const rolledFrom = 1000;

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
  /** Absent: there are no such rows. */
  from: string | undefined;
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

/** Reads every count of a fact, in one statement: of its rows, or as far as a replica has them of roll-ups. */
export async function readCounts(ask: Ask, question: FactQuestion): Promise<void> {
  const statement = statementOf(question);
  if (statement.parts.length === 0) return;
  const { stored, filters, kept } = question;
  const isFiltered = kept?.sources === rangeSources;
  const filter = kept && (isFiltered ? onlyFilter({ stored, rollUp: kept.rollUp }, filters) : null);
  const isKept = kept && filter !== undefined && JSON.stringify(kept.base) === JSON.stringify(question.base);
  // Who answers for another tenant, or elsewhere, has other blocks, but the same parts.
  const rolled = isKept ? new FactStatement(question, { ...kept, filter }) : undefined;
  const from = (blocks: Kept): Question | undefined => {
    const told = new FactStatement(question, { ...kept!, filter: filter!, kept: blocks });
    return told.hasBlocks ? told.sql(rolledFrom) : undefined;
  };
  const rows = await ask<Row>({
    ...statement.sql(),
    ...(rolled && {
      rolled: {
        rollUp: kept!.rollUp,
        day: kept!.day,
        ...(filter && { filter: filter.column }),
        from,
      },
    }),
  });
  for (const row of rows)
    if (row.part < rolledFrom) statement.parts[row.part]!.take(row);
    else rolled!.parts[row.part - rolledFrom]!.take(row);
  for (const { end } of statement.parts) end?.();
  for (const { end } of rolled?.parts ?? []) end?.();
}

/** What replicas keep for questions like this one of some sources, whatever its filters and its range. */
export function rollUpFor(
  question: FactQuestion,
  sources: readonly Source[],
  filters: readonly string[],
): RollUp {
  const { stored, fact, base, counts, day } = question;
  const statement = new FactStatement({ ...question, counts: [] });
  const column = (name: string) => numbersBy(stored, name, 'filtered');
  const { counted } = fact.counting;
  const of = [...(counted === undefined ? [] : [{ [counted]: true }]), ...base];
  const half = question.half ? halfOf(stored) : undefined;
  const dated = `${column(day)} is not null`;
  return {
    stored,
    rows: (place) => [...of.map((one) => conditionSql(fact, column, one, place)), dated].join(' and '),
    splits: widest(counts.flatMap((one) => keptBy(fact, one, sources) ?? [])).map((set) =>
      statement.split([...set]),
    ),
    filters: filters.map(column),
    numbers: [
      { name: 'n', sql: half?.n ?? 'count(*)', together: 'sum(n)' },
      ...(half
        ? [
            { name: 'low', sql: half.low, together: 'bit_or(low)' },
            { name: 'high', sql: half.high, together: 'bit_or(high)' },
          ]
        : []),
    ],
    numbersOf: half?.columns ?? [],
  };
}

/** What a statement reads of roll-ups; without the blocks only its parts are known. */
interface Rolling extends KeptCounts {
  filter: { column: string; texts: readonly string[] } | null;
  kept?: Kept;
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
  /** The rows that are filtered once, by the name of their relation. */
  readonly #stored = new Map<
    string,
    { source: Source; columns: Set<string>; ranges: readonly (DateRange | undefined)[] }
  >();
  readonly #tests = new Map<string, string>();
  /** How rows of the half are counted; undefined where all are. */
  readonly #half: HalfSql | undefined;
  readonly #rolling: Rolling | undefined;
  /** Of each source, the blocks that are read of roll-ups, and what is left to count. */
  readonly #divided = new Map<Source, Divided>();

  constructor(question: FactQuestion, rolling?: Rolling) {
    this.#question = question;
    this.#half = question.half ? halfOf(question.stored) : undefined;
    this.#rolling = rolling;
    const bySource = Map.groupBy(question.counts, ({ place }) => place.source);
    for (const [source, counts] of bySource) {
      const added = counts.filter((one) => isAdded(question.fact, one));
      const rolled = rolling ? added.filter((one) => this.#splitOf(one) >= 0) : [];
      this.#addCells(
        source,
        added.filter((one) => !rolled.includes(one)),
      );
      if (rolled.length > 0) {
        this.#divide(source);
        this.#addKept(source, rolled);
        this.#addCells(source, rolled, true);
      }
      for (const one of counts) if (!isAdded(question.fact, one)) this.#addDistinct(source, one);
    }
  }

  /** What is counted by, by its ids. */
  split(ids: readonly string[]): Split {
    return {
      parts: ids.map((id) => {
        const sent = sentColumn(id);
        const { sql, kind } = this.#term({ column: id });
        const isFree = sent !== undefined || this.#question.fact.columns[id]?.kind === 'text';
        return { id, kind, isFree, sql: id === chosenDay ? dayNumber : () => sql };
      }),
    };
  }

  /** Whether it reads anything of roll-ups. */
  get hasBlocks(): boolean {
    return [...this.#divided.values()].some(({ blocks }) => blocks.length > 0);
  }

  sql(firstPart = 0) {
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
      .flatMap(({ texts: texted, numbers: numbered, n, persons, from, groupBy }, part) => {
        if (from === undefined) return [];
        const selected = [
          `${firstPart + part} as part`,
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
    const filtered = [...this.#stored].map(([name, { source, columns, ranges }]) => {
      // A relation has at least one column.
      const named = columns.size > 0 ? [...columns].join(', ') : '1 as one';
      // Not `or`: between two ranges, what is not read would be.
      const rows = ranges.map(
        (range) => `select ${named} from ${this.#table} where ${this.#where(source, range)}`,
      );
      return `${name} as materialized (${rows.join(' union all ')})`;
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

  /** The condition for the rows of a source, or for those of a part of its range. */
  #where(source: Source, within?: DateRange): string {
    const { fact, day, base, filters, ranges } = this.#question;
    const { counted, enteredOn } = fact.counting;
    const range = within ?? ranges[source];
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
    if (!rangeSources.includes(source) || this.#isWhole(source))
      return `${this.#table} where ${this.#where(source)}${further === 'true' ? '' : ` and ${further}`}`;
    const needed = [...columns, ...where.flatMap((one) => this.#columnsOf(one))];
    return `${this.#filtered(`${source}_f`, source, [undefined], needed)}${further === 'true' ? '' : ` where ${further}`}`;
  }

  /** The relation of rows that are filtered once, with these columns among others. */
  #filtered(
    name: string,
    source: Source,
    ranges: readonly (DateRange | undefined)[],
    columns: readonly string[],
  ): string {
    const stored = this.#stored.get(name) ?? { source, ranges, columns: new Set<string>() };
    this.#stored.set(name, stored);
    for (const column of columns) stored.columns.add(column);
    return name;
  }

  /** The rows of a source that roll-ups do not have; undefined if there are none. */
  #left(source: Source, columns: readonly string[]): string | undefined {
    const { rest } = this.#divided.get(source) ?? { rest: [] };
    if (rest.length === 0) return undefined;
    return this.#filtered(`${source}_left`, source, rest, columns);
  }

  #splitOf(counts: Counts): number {
    const needed = keptBy(this.#question.fact, counts, this.#rolling!.sources);
    return needed ? splitOf(this.#rolling!.rollUp, needed) : -1;
  }

  #divide(source: Source): void {
    const { kept } = this.#rolling!;
    const range = this.#question.ranges[source];
    if (!kept || !range) return;
    this.#divided.set(source, divided(range, kept) ?? { blocks: [], rest: [range] });
  }

  /** Adds the counts of what roll-ups have of a source. */
  #addKept(source: Source, counts: readonly Counts[]): void {
    const { rollUp, filter, kept, sources } = this.#rolling!;
    const { fact, half } = this.#question;
    const sums = new Map<number, Sums[]>();
    for (const some of Map.groupBy(
      counts,
      (one) => `${this.#splitOf(one)} ${[...keptBy(fact, one, sources)!].sort()}`,
    ).values()) {
      const split = this.#splitOf(some[0]!);
      const { parts } = rollUp.splits[split]!;
      const places = [...keptBy(fact, some[0]!, sources)!].map((id) =>
        parts.findIndex((part) => part.id === id),
      );
      sums.set(split, [...(sums.get(split) ?? []), new Sums(some, places)]);
    }
    const { blocks = [] } = this.#divided.get(source) ?? {};
    this.parts.push({
      texts: ['c.text'],
      numbers: ['c.kind'],
      n: 'g.n',
      persons: half ? { low: 'g.low', high: 'g.high' } : undefined,
      from: kept && blocks.length > 0 ? this.#keptRows(kept, blocks, filter) : undefined,
      groupBy: [],
      take(row) {
        const values = partsOfPack(row.t0 as string);
        for (const one of sums.get(row.v0 as number) ?? []) one.add(values, row.n, half ? row : undefined);
      },
      end() {
        for (const [split, all] of sums)
          for (const { of, cells } of all) {
            const take = cellTaker(fact, of);
            for (const { values, n, persons } of cells.values())
              take(valuesOfCell(rollUp.splits[split]!, values as string[]), n, persons);
          }
      },
    });
  }

  #keptRows(kept: Kept, blocks: Divided['blocks'], filter: Rolling['filter']): string {
    const { rollUp } = this.#rolling!;
    const within = blocks.map(({ from, to }) => `block between ${from} and ${to}`).join(' or ');
    const picked = filter
      ? ` and filter in (select v.number from ${kept.cells} v
          where v.kind = ${kindOfFilter(rollUp.filters.indexOf(filter.column))} and v.text = any(${this.#place(filter.texts)}))`
      : '';
    const numbers = rollUp.numbers.map(({ name, together }) => `${together} as ${name}`).join(', ');
    return `(select cell, ${numbers} from ${kept.counts} where (${within})${picked} group by cell) g
      join ${kept.cells} c on c.number = g.cell`;
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
    if (column === chosenDay) return { id, sql: dayNumber(dated), kind: 'number', from: [dated], by: dated };
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

  /** `isRest`: of the rows that roll-ups do not have. */
  #addCells(source: Source, counts: readonly Counts[], isRest = false): void {
    const from = (columns: readonly string[]) =>
      isRest ? this.#left(source, columns) : this.#from(source, columns);
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
      const pack = packs.find(({ ids }) => (set.size > 1 || ids.length === 1) && isWithin(set, new Set(ids)));
      if (pack) {
        const place = new Map(pack.ids.map((id, index) => [id, index]));
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
          from: from([pack.name, ...(this.#half?.columns ?? [])]),
          groupBy: [pack.name],
          take(row) {
            const values = partsOfPack(row.t0 as string).map((value, index): CellValue => {
              const { kind } = pack.parts[index]!;
              if (value === '') return null;
              if (kind === 'flag') return Number(value === 'true');
              return kind === 'integer' ? Number(value) : value;
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
      const rows = from([...columns, ...(half?.columns ?? [])]);
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
        from:
          byDay && rows !== undefined
            ? `(select ${byDay}, ${n} as n${behind} from ${rows} group by ${byDay}) as g`
            : rows,
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
    const { fact, stored, ranges, filters } = this.#question;
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
    const isByWords = part.of === 'persons' && stored.made.some(({ name }) => name === personWord);
    const counted = isByWords ? [personWord, personBit] : [column];
    const range = ranges[source];
    const areMany =
      keys.length === 0 &&
      rangeSources.includes(source) &&
      range &&
      filters.length < filtersOfFewRows &&
      daysBetween(range.start, range.end) >= daysOfManyRows;
    const rows = areMany
      ? `${this.#table} where ${this.#where(source)} and ${this.#conditions(part.where)}`
      : this.#from(source, [...columns, ...counted], part.where);
    // Grouping counts in an array; count(distinct) hashes.
    const inner = keys.map(({ term }, index) => `${term.sql} as k${index}`);
    const outer = (some: typeof keys) => some.map((one) => `k${keys.indexOf(one)}`);
    // What is distinct has one person, and so is in the half or not.
    const distinct = [...new Set([column, ...(half?.columns ?? [])])].join(', ');
    const bits = half ? `case when ${half.rows} then ${personBit} else 0 end` : personBit;
    const behind = half ? [`${half.low} as low`, `${half.high} as high`] : [];
    const [by, selectedOf] = isByWords
      ? [personWord, [`bit_or(${bits}) as bits`, ...behind]]
      : [distinct, [distinct]];
    this.parts.push({
      texts: outer(texts),
      numbers: outer(numbers),
      groupBy: outer(keys),
      n: isByWords ? 'coalesce(sum(bit_count(cast(bits as bit(64)))), 0)' : (half?.n ?? 'count(*)'),
      persons: isByWords && half ? { low: 'bit_or(low)', high: 'bit_or(high)' } : half,
      from: `(select ${[...inner, ...selectedOf].join(', ')} from ${rows} group by ${[...selected.groupBy, by].join(', ')}) as g`,
      take(row) {
        const group = groupIn(row);
        if (half) counts.addBehind(group, row);
        counts.n.set(group, (counts.n.get(group) ?? 0) + row.n);
      },
    });
  }
}

/** A day as a number, as SQL. */
const dayNumber = (day: string) => `${day} - cast('1970-01-01' as date)`;

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
