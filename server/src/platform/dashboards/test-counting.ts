import type { AnyMeasure, Condition, Test } from '@caseway/contract/measure';

/*
 * For tests: computes measures and conditions row by row, in plain TypeScript that shares nothing with the engines,
 * so that faults of both engines are found.
 */

/** A row by the column names of the contract. */
export type Plain = Record<string, string | number | boolean | null>;

export const quantileOf = (values: readonly number[], at: number): number | null => {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const place = at * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return low + (high - low) * (place % 1);
};

export const hasValue = (value: Plain[string] | undefined) =>
  value !== null && value !== undefined && value !== '';

/** How many days one day is before another. */
export const daysBefore = (day: string, today: string): number =>
  (Date.parse(today) - Date.parse(day)) / 86_400_000;

/** Whether a value passes a test; days are counted back from `today`. */
export function passes(value: Plain[string] | undefined, test: Test, today = ''): boolean {
  if (typeof test === 'object' && 'daysAgo' in test)
    return hasValue(value) && passes(daysBefore(String(value), today), test.daysAgo);
  if (typeof test === 'boolean') return (value ?? false) === test;
  const key = hasValue(value) ? String(value) : 'missing';
  if (typeof test === 'string') return key === test;
  if (Array.isArray(test)) return test.includes(key);
  if ('not' in test) return !test.not.includes(key);
  if ('known' in test) return hasValue(value) === test.known;
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = test as Exclude<
    typeof test,
    readonly string[]
  > & { atLeast?: number; atMost?: number };
  return hasValue(value) && Number(value) >= atLeast && Number(value) <= atMost;
}

export const meets = (row: Plain, condition: Condition): boolean =>
  Object.entries(condition).every(([name, test]) =>
    name === 'any'
      ? (test as readonly Condition[]).some((one) => meets(row, one))
      : test === undefined || passes(row[name], test as Test, String(row.today)),
  );

/** Computes a measure row by row; undefined if it needs more than the rows. */
export function slowly({ formula, fact }: AnyMeasure, rows: readonly Plain[]): number | null | undefined {
  const of = (...conditions: Condition[]) => rows.filter((row) => conditions.every((one) => meets(row, one)));
  const persons = (some: readonly Plain[]) => new Set(some.map((row) => row.person)).size;
  const size = (some: readonly Plain[]) =>
    fact.counting.unit === undefined ? some.length : new Set(some.map((row) => row.unit)).size;
  const part = (n: number, all: number) => (all === 0 ? null : n / all);
  const numbers = (column: string, some: readonly Plain[]) =>
    some.flatMap((row) => (hasValue(row[column]) ? [Number(row[column])] : []));
  switch (formula.form) {
    case 'count':
      return size(of(formula.of));
    case 'persons':
      return persons(of(formula.of));
    case 'distinct':
      return new Set(
        of(formula.of).flatMap((row) => (hasValue(row[formula.column]) ? [row[formula.column]] : [])),
      ).size;
    case 'sum':
      return numbers(formula.column, of(formula.of)).reduce((total, one) => total + one, 0);
    case 'share':
      return part(size(of(formula.among, formula.of)), size(of(formula.among)));
    case 'shareOfPersons':
      return part(persons(of(formula.among, formula.of)), persons(of(formula.among)));
    case 'within': {
      const among = of(formula.among);
      const taken = numbers(formula.column, among);
      const all = formula.missing === 'left-out' ? taken.length : among.length;
      return part(taken.filter((days) => days <= formula.days).length, all);
    }
    case 'quantile': {
      const value = quantileOf(numbers(formula.column, of(formula.of)), formula.at);
      return value === null ? null : value / formula.scale;
    }
    case 'completeness': {
      const elements = Object.entries(formula.lacking);
      const lacking = rows.flatMap((row) =>
        elements.filter(([name, test]) => passes(row[name], test as Test)),
      );
      const all = rows.length * elements.length;
      return part(all - lacking.length, all);
    }
    case 'perPerson':
      return part(size(of(formula.of)), persons(of(formula.of)));
    case 'latest': {
      const days = of(formula.of).flatMap((row) =>
        hasValue(row[formula.column]) ? [String(row[formula.column])] : [],
      );
      return days.length === 0 ? null : Math.max(...days.map((day) => Date.parse(day)));
    }
    default:
      return undefined;
  }
}
