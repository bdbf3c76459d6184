import { addDays, daysBetween, startOfMmwrWeek, startOfMonth } from '@caseway/contract/date-range';
import type { Granularity } from '@caseway/contract/granularity';
import { missingKey } from '@caseway/contract/label';
import type { Condition, CountedFact } from '@caseway/contract/measure';
import { meets, type Tested, testedBy, testedId } from './conditions.ts';
import { sizeOf } from './measures.ts';
import { allPersons, type Counted, nobody, type Persons, startOfPeriod } from './protect.ts';

/*
 * Collects what to count before deciding how. Measures and charts ask for counts of rows, persons or values by keys.
 * The counts of one source are then read together, and a repeated one is counted once.
 */

/**
 * Rows that are counted together. `now`: of the range; `before`: of the one it is compared with; `entered`: entered
 * in the range, whatever their date.
 */
export type Source = 'now' | 'before' | 'undated' | 'entered' | 'arrivals' | 'years' | 'ever' | 'late';

/**
 * Terms to split counts by besides the columns of the fact: the chosen date and its MMWR week, days from it to the
 * entry, weeks from its week to the entry, and a text as it was sent, if it is compared in another form. A week of
 * entry ends on today's weekday, so that the current week is as complete as earlier ones.
 */
export const [chosenDay, chosenWeek, daysLate, weeksLate] = [
  '@day',
  '@week',
  '@daysLate',
  '@weeksLate',
] as const;
const sent = '@sent ';
export const asSent = (column: string): string => `${sent}${column}`;
export const sentColumn = (name: string): string | undefined =>
  name.startsWith(sent) ? name.slice(sent.length) : undefined;

/** A term to split counts by. `as`: how a value becomes a key. */
export interface Key {
  column: string;
  as: 'value' | 'flag' | Granularity | Buckets;
}
/** `before`: for a day, how many days it is before this one. */
export interface Buckets {
  from: readonly number[];
  before?: string;
}
/** The key of a number below the first limit of a series of buckets. */
export const belowFirst = 'below';

/** What is counted. `beside`: for each group, also the number of rows with each value of this column. */
export type What =
  | { of: 'rows'; beside?: string }
  | { of: 'persons' }
  /** How often each value of a number occurs. */
  | { of: 'values'; column: string }
  /** The distinct values of a code. Over several tenants they are united, not added. */
  | { of: 'codes'; column: string }
  | { of: 'latest'; column: string }
  /** The first of the chosen dates. */
  | { of: 'earliest' };
/** What is counted among the rows that meet every condition. */
export type Part = What & { where: readonly Condition[] };

interface Place {
  fact: string;
  source: Source;
  keys: readonly Key[];
}
const separator = '\n';
/** Joins the keys of a group in one text. */
export const groupOf = (keys: readonly string[]): string => keys.join(separator);
export const keysOf = (group: string): string[] => group.split(separator);

/** Counts by group. Once they are read: `n` rows or persons, and how often each value or code occurs. */
export class Counts {
  readonly place: Place;
  readonly part: Part;
  readonly n = new Map<string, number>();
  readonly values = new Map<string, Map<number, number>>();
  readonly codes = new Map<string, Set<string>>();
  readonly latest = new Map<string, number>();
  readonly beside = new Map<string, Map<string, number>>();
  /** The persons behind each group, of all rows: for readers who see only the counts of half of the rows. */
  readonly behind = new Map<string, Persons>();

  constructor(place: Place, part: Part) {
    this.place = place;
    this.part = part;
  }

  rows = (group: string): number => this.n.get(group) ?? 0;
  histogram = (group: string): ReadonlyMap<number, number> => this.values.get(group) ?? new Map();

  /** Persons that are behind a group too. */
  addBehind(group: string, persons: Persons): void {
    this.behind.set(group, allPersons(this.behind.get(group) ?? nobody, persons));
  }

  /** The count of a group, with the persons behind it. */
  counted(group: string): Counted {
    const { of } = this.part;
    // Codes and days are not a number of rows that could be too small.
    const isNumber = of === 'rows' || of === 'persons' || of === 'values';
    const n = of === 'values' ? sizeOf(this.histogram(group)) : this.rows(group);
    return { n: isNumber ? n : Number.POSITIVE_INFINITY, persons: this.behind.get(group) ?? nobody };
  }
}

const idOf = (value: unknown): string => JSON.stringify(value);

/** Everything that is asked for, by fact. */
export class Asked {
  readonly facts: Readonly<Record<string, CountedFact>>;
  readonly #counts = new Map<string, Counts>();

  constructor(facts: Readonly<Record<string, CountedFact>>) {
    this.facts = facts;
  }

  want(place: Place, part: Part): Counts {
    // Empty conditions make no difference.
    const where = part.where.filter((one) => Object.keys(one).length > 0);
    const id = idOf([place, { ...part, where }]);
    const known = this.#counts.get(id) ?? new Counts(place, { ...part, where });
    this.#counts.set(id, known);
    return known;
  }

  of(fact: string): Counts[] {
    return [...this.#counts.values()].filter(({ place }) => place.fact === fact);
  }
}

/** Whether counts are added up from cells. The engine counts the others for their own keys. */
export const isAdded = (fact: CountedFact, { part }: Counts): boolean =>
  part.of === 'values' || (part.of === 'rows' && fact.counting.unit === undefined);

/** Whether a count depends on the day of the question. */
export const ages = ({ place }: Counts): boolean =>
  place.keys.some(({ as }) => typeof as === 'object' && as.before !== undefined);

/** The key for a column of the fact. */
export const keyOn = ({ columns }: CountedFact, column: string): Key => ({
  column,
  as: columns[column]?.kind === 'flag' ? 'flag' : 'value',
});

/** What cells have to be counted by for a count. */
export function termsOf(fact: CountedFact, { place, part }: Counts): Tested[] {
  const terms: Tested[] = [
    ...place.keys.map(({ column }) => ({ column })),
    ...part.where.flatMap((one) => testedBy(fact, one)),
    ...('column' in part ? [{ column: part.column }] : []),
    ...('beside' in part && part.beside !== undefined ? [{ column: part.beside }] : []),
  ];
  return [...new Map(terms.map((term) => [testedId(term), term])).values()];
}

export type CellValue = string | number | null;

export const numberOfDay = (day: string): number => daysBetween('1970-01-01', day);
const dayOfNumber = (days: number): string => addDays('1970-01-01', days);
type DayKeys = Record<Granularity, string>;
const daysKnown = new Map<number, DayKeys>();
function dayKeys(days: number): DayKeys {
  let known = daysKnown.get(days);
  if (!known) {
    const day = dayOfNumber(days);
    known = {
      day,
      week: startOfMmwrWeek(day),
      'four-weeks': startOfPeriod(day, 4),
      month: startOfMonth(day),
    };
    daysKnown.set(days, known);
  }
  return known;
}

/** The key of a value. */
export function keyOf({ as }: Key, value: CellValue): string {
  if (value === null || value === '') return missingKey;
  if (as === 'value') return String(value);
  if (as === 'flag') return value === 1 ? 'true' : 'false';
  if (typeof as === 'string') return dayKeys(value as number)[as];
  const number = as.before === undefined ? (value as number) : numberOfDay(as.before) - (value as number);
  const limit = as.from.findLast((from) => from <= number);
  return limit === undefined ? belowFirst : String(limit);
}

/**
 * Adds cells to the counts whose conditions they meet. A cell's group and conditions are computed once for all
 * counts.
 */
export function cellTaker(
  fact: CountedFact,
  counts: readonly Counts[],
): (cellOf: (id: string) => CellValue, n: number, persons?: Persons) => void {
  const conditions = new Map<string, { condition: Condition; index: number }>();
  const keySets = new Map<string, { keys: readonly Key[]; index: number }>();
  const takers = counts.map((one) => {
    const { place, part } = one;
    const keyId = JSON.stringify(place.keys);
    const keySet = keySets.get(keyId) ?? { keys: place.keys, index: keySets.size };
    keySets.set(keyId, keySet);
    const where = part.where.map((condition) => {
      const id = JSON.stringify(condition);
      const known = conditions.get(id) ?? { condition, index: conditions.size };
      conditions.set(id, known);
      return known.index;
    });
    return { one, where, group: keySet.index };
  });
  const asked = [...conditions.values()].map(({ condition }) => condition);
  const split = [...keySets.values()].map(({ keys }) => keys);
  return (cellOf, n, persons) => {
    const met = asked.map((condition) => meets(fact, condition, cellOf));
    const groups = split.map((keys) => groupOf(keys.map((key) => keyOf(key, cellOf(key.column)))));
    for (const { one, where, group } of takers)
      if (where.every((index) => met[index])) addTo(one, groups[group]!, cellOf, n, persons);
  };
}

/** Adds a cell to a group, with the persons behind it if these are counted. */
function addTo(
  counts: Counts,
  group: string,
  cellOf: (id: string) => CellValue,
  n: number,
  persons: Persons | undefined,
): void {
  const { part } = counts;
  if (part.of === 'values' && cellOf(part.column) === null) return;
  if (persons) counts.addBehind(group, persons);
  if (part.of === 'values') {
    const value = cellOf(part.column) as number;
    const histogram = counts.values.get(group) ?? new Map<number, number>();
    counts.values.set(group, histogram);
    histogram.set(value, (histogram.get(value) ?? 0) + n);
    return;
  }
  counts.n.set(group, (counts.n.get(group) ?? 0) + n);
  if (part.of === 'rows' && part.beside !== undefined) {
    const beside = counts.beside.get(group) ?? new Map<string, number>();
    counts.beside.set(group, beside);
    const other = String(cellOf(part.beside) ?? missingKey);
    beside.set(other, (beside.get(other) ?? 0) + n);
  }
}
