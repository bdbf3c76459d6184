import { daysBetween } from '@caseway/contract/date-range';
import { partsOfPack, personBit, personWord, type StoredFact } from '../analytics/facts.ts';
import { type Kept, kindOfFilter, type Split } from '../analytics/roll-ups.ts';
import { testedId } from './conditions.ts';
import {
  asSent,
  type CellValue,
  type Counts,
  cellTaker,
  chosenDay,
  chosenWeek,
  groupOf,
  isAdded,
  keyOf,
  type Source,
  sentColumn,
  termsOf,
} from './counting.ts';
import { dayNumber, type FactQuestion, PickedRows } from './picked-rows.ts';
import { allPersons, type HalfSql, halfSql, type Persons } from './protect.ts';
import {
  type Divided,
  divided,
  type KeptCounts,
  keptBy,
  rangeSources,
  splitOf,
  valuesOfCell,
} from './rolled.ts';

/*
 * The counts of one fact as one statement in the SQL that PostgreSQL and DuckDB share. It has a part for each set of
 * columns that cells are counted by, combined by `union all`. Counting cells is expensive and adding them up is
 * cheap, so counts share the cells that contain all they need. Persons and other distinct values cannot be added up,
 * so each has a part.
 */

/**
 * From this many days on, persons are counted in the stored facts: writing two more columns takes longer than
 * filtering.
 */
const daysOfManyRows = 91;
/** From this many filters on, few rows are left: finding these again takes longer than writing two more columns. */
const filtersOfFewRows = 2;

export type Row = { part: number; n: number } & Persons & Record<string, CellValue>;

interface SelectedPart {
  texts: readonly string[];
  numbers: readonly string[];
  n: string;
  /** The persons behind all rows, if half is counted; absent: no persons. */
  persons?: Pick<HalfSql, 'low' | 'high'>;
  /** Absent if there are no such rows. */
  from: string | undefined;
  /** Expressions, or the position of a number in the answer. */
  groupBy: readonly (string | number)[];
  take(row: Row): void;
  /** Called after the last row. */
  end?(): void;
}

/** A pack has many more rows than the columns that a count needs, so rows are first added up by these columns. */
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

/** What a statement reads from roll-ups; without the blocks only its parts are known. */
export interface Rolling extends KeptCounts {
  filter: { column: string; texts: readonly string[] } | null;
  kept?: Kept;
}

const isWithin = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...one].every((id) => other.has(id));

/** Picks the sets of columns to count cells by, so that each requested set is within one of them. */
export function setsToCount(
  wanted: readonly ReadonlySet<string>[],
  packs: readonly ReadonlySet<string>[] = [],
): ReadonlySet<string>[] {
  const rest = [...wanted];
  const chosen: ReadonlySet<string>[] = [];
  for (const pack of packs) {
    const inside = rest.filter((one) => isWithin(one, pack));
    // A pack has more cells than each set: it saves time only if it replaces several.
    if (new Set(inside.map((one) => [...one].sort().join())).size < 2) continue;
    chosen.push(new Set(inside.flatMap((one) => [...one])));
    for (const one of inside) rest.splice(rest.indexOf(one), 1);
  }
  for (const one of rest.sort((a, b) => b.size - a.size))
    if (!chosen.some((other) => isWithin(one, other))) chosen.push(one);
  return chosen;
}

export class FactStatement {
  readonly parts: SelectedPart[] = [];
  readonly #question: FactQuestion;
  readonly #rows: PickedRows;
  /** How half of the rows are counted; undefined if all are. */
  readonly #half: HalfSql | undefined;
  readonly #rolling: Rolling | undefined;
  /** For each source: the blocks that are read from roll-ups, and what is left to count. */
  readonly #divided = new Map<Source, Divided>();

  constructor(question: FactQuestion, rolling?: Rolling) {
    this.#question = question;
    this.#rows = new PickedRows(question);
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

  /** Makes a split of the terms with these ids. */
  split(ids: readonly string[]): Split {
    return {
      parts: ids.map((id) => {
        const sent = sentColumn(id);
        const { sql, kind } = this.#rows.term({ column: id });
        const isFree = sent !== undefined || this.#question.fact.columns[id]?.kind === 'text';
        return { id, kind, isFree, sql: id === chosenDay ? dayNumber : () => sql };
      }),
    };
  }

  /** Whether it reads roll-ups at all. */
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
    const filtered = this.#rows.filteredOnce;
    return { ...(filtered !== undefined && { with: filtered }), select, params: this.#rows.params };
  }

  /** The rows of a source that are not in roll-ups; undefined if there are none. */
  #left(source: Source, columns: readonly string[]): string | undefined {
    const { rest } = this.#divided.get(source) ?? { rest: [] };
    if (rest.length === 0) return undefined;
    return this.#rows.filtered(`${source}_left`, source, rest, columns);
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

  /** Adds the roll-up counts of a source. */
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
          where v.kind = ${kindOfFilter(rollUp.filters.indexOf(filter.column))} and v.text = any(${this.#rows.place(filter.texts)}))`
      : '';
    const numbers = rollUp.numbers.map(({ name, together }) => `${together} as ${name}`).join(', ');
    return `(select cell, ${numbers} from ${kept.counts} where (${within})${picked} group by cell) g
      join ${kept.cells} c on c.number = g.cell`;
  }

  /** `isRest`: only rows that are not in roll-ups. */
  #addCells(source: Source, counts: readonly Counts[], isRest = false): void {
    const from = (columns: readonly string[]) =>
      isRest ? this.#left(source, columns) : this.#rows.from(source, columns);
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
      const terms = [...set].map((id) => this.#rows.term(byId.get(id)!));
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
      // By days first: DuckDB counts these in an array, and then computes few weeks.
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

  /** Persons, records or codes: the engine counts each with its own groups. */
  #addDistinct(source: Source, counts: Counts): void {
    const { fact, stored, ranges, filters } = this.#question;
    const { place, part } = counts;
    const keys = place.keys.map((key) => ({ key, term: this.#rows.keyTerm(key) }));
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
      const column = this.#rows.column(name);
      const extreme = part.of === 'latest' ? `max(${column})` : `min(${column})`;
      const ms =
        fact.columns[name]!.kind === 'day'
          ? `(${extreme} - cast('1970-01-01' as date)) * 86400000.0`
          : `floor(date_part('epoch', ${extreme}) * 1000)`;
      this.parts.push({
        ...selected,
        n: half ? ms.replaceAll(column, `case when ${half.rows} then ${column} end`) : ms,
        persons: half,
        from: this.#rows.from(source, [...columns, column], part.where),
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
      const column = this.#rows.column(part.column);
      const present = [...part.where, { [part.column]: { known: true } }];
      this.parts.push({
        ...selected,
        texts: [...selected.texts, column],
        groupBy: [...selected.groupBy, column],
        n: half?.n ?? 'count(*)',
        persons: half,
        from: this.#rows.from(source, [...columns, column], present),
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
    // For persons, many share one group with a word of bits, from which they are counted exactly.
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
      ? `${this.#rows.table} where ${this.#rows.where(source)} and ${this.#rows.conditions(part.where)}`
      : this.#rows.from(source, [...columns, ...counted], part.where);
    // Grouping counts in an array; count(distinct) hashes.
    const inner = keys.map(({ term }, index) => `${term.sql} as k${index}`);
    const outer = (some: typeof keys) => some.map((one) => `k${keys.indexOf(one)}`);
    // A distinct record belongs to one person, and so is in the half or not.
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

/** How half of a fact's rows is counted. Throws if the fact does not say. */
export function halfOf({ table, columns }: StoredFact): HalfSql {
  if (!halfSql.columns.every((one) => columns.some(({ name }) => name === one)))
    throw new Error(`${table} does not say whose rows are in the half`);
  return halfSql;
}
