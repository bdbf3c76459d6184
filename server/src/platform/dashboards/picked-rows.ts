import { type DateRange, daysBetween, startOfMmwrWeek } from '@caseway/contract/date-range';
import { mayRead } from '@caseway/contract/fact';
import type { Condition, CountedFact } from '@caseway/contract/measure';
import { numbersBy, type StoredFact, sentAs } from '../analytics/facts.ts';
import type { Param } from '../analytics/visible-facts.ts';
import { conditionSql, type Tested, testedId } from './conditions.ts';
import {
  type Counts,
  chosenDay,
  chosenWeek,
  daysLate,
  type Key,
  numberOfDay,
  type Source,
  sentColumn,
  weeksLate,
} from './counting.ts';
import { fourWeeksSql } from './protect.ts';
import { type KeptCounts, rangeSources } from './rolled.ts';

/** The question to one fact. */
export interface FactQuestion {
  stored: StoredFact;
  fact: CountedFact;
  /** The day that its rows are counted by: a column of the contract. */
  day: string;
  /** The rows that the dashboard is about, and those that the filters pick. */
  base: readonly Condition[];
  filters: readonly Condition[];
  /** The day it is. */
  today: string;
  /** The days of each source. */
  ranges: Readonly<Partial<Record<Source, DateRange>>>;
  counts: readonly Counts[];
  /** Counts only rows of the half, and the persons behind all rows. [P17] */
  half: boolean;
  /** Counts of the fact that replicas keep. */
  kept?: KeptCounts;
}

/** From this many days on, unfiltered rows are counted in the stored table. */
const daysOfAllRows = 182;

/** A term to count cells by. Texts and numbers have separate columns in the answer. */
export interface Term {
  id: string;
  sql: string;
  kind: 'text' | 'number';
  /** The stored columns that it uses. */
  from: readonly string[];
  /**
   * The expression to group rows by; absent: its position in the answer, because an expression with parameters
   * cannot be repeated.
   */
  by?: string;
}

/** The rows behind the counts of one fact, as SQL: their conditions, and the terms to count them by. */
export class PickedRows {
  readonly params: Param[] = [];
  readonly #question: FactQuestion;
  /** The rows that are filtered once, by relation name. */
  readonly #stored = new Map<
    string,
    { source: Source; columns: Set<string>; ranges: readonly (DateRange | undefined)[] }
  >();
  readonly #tests = new Map<string, string>();

  constructor(question: FactQuestion) {
    this.#question = question;
  }

  /** The relations of the rows that are filtered once, as common table expressions. */
  get filteredOnce(): string | undefined {
    const filtered = [...this.#stored].map(([name, { source, columns, ranges }]) => {
      // A relation has at least one column.
      const named = columns.size > 0 ? [...columns].join(', ') : '1 as one';
      // Not `or`, which would also read the rows between two ranges.
      const rows = ranges.map(
        (range) => `select ${named} from ${this.table} where ${this.where(source, range)}`,
      );
      return `${name} as materialized (${rows.join(' union all ')})`;
    });
    return filtered.length > 0 ? filtered.join(', ') : undefined;
  }

  get table(): string {
    return this.#question.stored.table;
  }

  place = (value: Param): string => `$${this.params.push(value)}`;

  /** A stored column that numbers may filter by, group by or add up; throws for others. */
  column = (name: string): string => {
    const { stored } = this.#question;
    const right = (['filtered', 'grouped', 'aggregated'] as const).find((one) =>
      mayRead(stored.shape.columns[name], one, 'numbers'),
    );
    return numbersBy(stored, name, right ?? 'grouped');
  };

  #between(column: string, { start, end }: DateRange): string {
    return `${column} between cast(${this.place(start)} as date) and cast(${this.place(end)} as date)`;
  }

  conditions(conditions: readonly Condition[]): string {
    const parts = conditions.map((one) => conditionSql(this.#question.fact, this.column, one, this.place));
    return parts.filter((part) => part !== 'true').join(' and ') || 'true';
  }

  /** The condition for the rows of a source, or for those of a part of its range. */
  where(source: Source, within?: DateRange): string {
    const { fact, day, base, filters, ranges } = this.#question;
    const { counted, enteredOn } = fact.counting;
    const range = within ?? ranges[source];
    if (!range) throw new Error(`the rows of ${source} have no range`);
    const of = [...(counted === undefined ? [] : [{ [counted]: true }]), ...base];
    const [dated, entered] = [this.column(day), this.column(enteredOn)];
    switch (source) {
      case 'undated':
        return `${this.conditions([...of, ...filters])} and ${dated} is null and ${this.#between(entered, range)}`;
      case 'entered':
        return `${this.conditions([...of, ...filters])} and ${this.#between(entered, range)}`;
      case 'arrivals':
        return `${this.conditions(of)} and ${dated} is not null and ${this.#between(entered, range)}`;
      case 'ever':
        return `${this.conditions(of)} and ${this.#between(dated, range)}`;
      default:
        return `${this.conditions([...of, ...filters])} and ${this.#between(dated, range)}`;
    }
  }

  /** The relation with the rows of a source and these columns, with a further condition. */
  from(source: Source, columns: readonly string[], where: readonly Condition[] = []): string {
    const further = this.conditions(where);
    if (!rangeSources.includes(source) || this.#isWhole(source))
      return `${this.table} where ${this.where(source)}${further === 'true' ? '' : ` and ${further}`}`;
    const needed = [...columns, ...where.flatMap((one) => this.#columnsOf(one))];
    return `${this.filtered(`${source}_f`, source, [undefined], needed)}${further === 'true' ? '' : ` where ${further}`}`;
  }

  /** The relation with rows that are filtered once, which has at least these columns. */
  filtered(
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

  /** Whether a source has so many of all rows that filtering them first does not help. */
  #isWhole(source: Source): boolean {
    const { filters, ranges } = this.#question;
    const range = ranges[source];
    return (
      filters.length === 0 && range !== undefined && daysBetween(range.start, range.end) >= daysOfAllRows
    );
  }

  /** The stored columns of a condition. */
  #columnsOf({ any = [], ...tests }: Condition): string[] {
    return [...Object.keys(tests).map(this.column), ...any.flatMap((one) => this.#columnsOf(one))];
  }

  /** The expression for a term. */
  term({ column, test }: Tested): Term {
    const { fact, stored, day, today } = this.#question;
    const id = testedId({ column, test });
    const dated = this.column(day);
    const entered = this.column(fact.counting.enteredOn);
    const weekOf = (one: string) => `(${one} - cast(extract(dow from ${one}) as integer))`;
    if (column === chosenDay) return { id, sql: dayNumber(dated), kind: 'number', from: [dated], by: dated };
    if (column === chosenWeek) {
      const week = `${weekOf(dated)} - cast('1970-01-01' as date)`;
      return { id, sql: week, kind: 'number', from: [dated], by: week };
    }
    if (column === daysLate || column === weeksLate) {
      const sinceWeek = `(${entered} - ${weekOf(dated)} - ${weekday(today)})`;
      const sql = column === daysLate ? `${entered} - ${dated}` : `cast(ceil(${sinceWeek} / 7.0) as integer)`;
      return { id, sql, kind: 'number', from: [entered, dated], by: sql };
    }
    const sent = sentColumn(column);
    if (sent !== undefined) {
      const sql = sentAs(stored, sent);
      return { id, sql, kind: 'text', from: [sql], by: sql };
    }
    if (test !== undefined) {
      // The same test gives the same expression with the same parameters.
      const known =
        this.#tests.get(id) ??
        `case when ${conditionSql(fact, this.column, { [column]: test }, this.place)} then 1 else 0 end`;
      this.#tests.set(id, known);
      return { id, sql: known, kind: 'number', from: [this.column(column)] };
    }
    const sql = this.column(column);
    const { kind } = fact.columns[column]!;
    if (kind === 'day') return { id, sql: dayNumber(sql), kind: 'number', from: [sql], by: sql };
    if (kind === 'flag') return { id, sql: `cast(${sql} as integer)`, kind: 'number', from: [sql], by: sql };
    return { id, sql, kind: kind === 'integer' ? 'number' : 'text', from: [sql], by: sql };
  }

  /** The expression for a key whose groups cannot be combined later. */
  keyTerm({ column, as }: Key): Term {
    const term = this.term({ column });
    if (as === 'four-weeks' || as === 'month') {
      const [dated] = term.from as [string];
      const first = dayNumber(as === 'month' ? monthSql(dated) : fourWeeksSql(dated));
      return { ...term, sql: first, by: first };
    }
    if (typeof as === 'string') return term;
    // The smallest number of the bucket; one less for values below the first.
    const number = as.before === undefined ? term.sql : `(${numberOfDay(as.before)} - (${term.sql}))`;
    const cases = as.from.toReversed().map((from) => `when ${number} >= ${from} then ${from}`);
    const bucket = `case ${cases.join(' ')} when ${number} is not null then ${as.from[0]! - 1} end`;
    return { ...term, sql: bucket, by: bucket };
  }
}

/** The weekday; Sunday is 0. */
const weekday = (day: string): number => daysBetween(startOfMmwrWeek(day), day);

/** The first day of a day's month, as SQL. */
const monthSql = (day: string) => `cast(date_trunc('month', ${day}) as date)`;

/** A day as a number, as SQL. */
export const dayNumber = (day: string) => `${day} - cast('1970-01-01' as date)`;
