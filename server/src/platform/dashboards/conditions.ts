import { addDays } from '@caseway/contract/date-range';
import type { Column, Fact } from '@caseway/contract/fact';
import { missingKey } from '@caseway/contract/label';
import type { Condition, Test } from '@caseway/contract/measure';
import type { Param } from '../analytics/visible-facts.ts';

/*
 * Conditions of a declaration, as SQL that PostgreSQL and DuckDB share, and as tests of counted cells. Column names
 * are program text; every value is a parameter.
 */

/** Adds a value to a statement's parameters. */
export type Place = (value: Param) => string;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a column has no value; an empty text counts as none. */
const isMissing = (column: Column, sql: string) =>
  column.kind === 'text' ? `(${sql} is null or ${sql} = '')` : `${sql} is null`;

/** Tests that a column has one of these values. `missingKey` stands for rows without a value. */
export function isAnyOf(column: Column, sql: string, values: readonly string[], place: Place): string {
  // Ids in lower case, as a replica keeps them. Any other text matches no id.
  const present =
    column.kind === 'code' && column.ids
      ? values.filter((value) => uuid.test(value)).map((value) => value.toLowerCase())
      : values.filter((value) => value !== missingKey);
  // A replica compares a code with a single value by its number, and with several by a mask.
  const parts =
    present.length > 1
      ? [`${sql} = any(${place(present)})`]
      : present.map((value) => `${sql} = ${place(value)}`);
  if (values.includes(missingKey)) parts.push(isMissing(column, sql));
  return parts.length > 0 ? `(${parts.join(' or ')})` : 'false';
}

/** A condition with "so many days ago" replaced by days. */
export function datedOn({ any, ...tests }: Condition, today: string): Condition {
  const dated = Object.entries(tests).map(([name, test]) => {
    if (typeof test !== 'object' || !('daysAgo' in test)) return [name, test] as const;
    const { atLeast, atMost } = test.daysAgo;
    const days = {
      ...(atMost !== undefined && { from: addDays(today, -atMost) }),
      ...(atLeast !== undefined && { to: addDays(today, -atLeast) }),
    };
    return [name, { days }] as const;
  });
  return { ...Object.fromEntries(dated), ...(any && { any: any.map((one) => datedOn(one, today)) }) };
}

const isList = (test: Test): test is readonly string[] => Array.isArray(test);

function testSql(column: Column, sql: string, test: Test, place: Place): string {
  if (typeof test === 'boolean') return test ? sql : `not coalesce(${sql}, false)`;
  if (typeof test === 'string') return isAnyOf(column, sql, [test], place);
  if (isList(test)) return isAnyOf(column, sql, test, place);
  if ('known' in test) return test.known ? `not (${isMissing(column, sql)})` : isMissing(column, sql);
  if ('not' in test) {
    // Null matches none of the values, and would be lost with `not in`.
    const listed = isAnyOf(column, sql, test.not, place);
    return test.not.includes(missingKey) ? `not ${listed}` : `(${sql} is null or not ${listed})`;
  }
  if ('daysAgo' in test) throw new Error('what is so many days ago has no day yet');
  if ('days' in test) {
    const { from, to } = test.days;
    const day = (limit: string) => `cast(${place(limit)} as date)`;
    const days = [
      `${sql} is not null`,
      ...(from === undefined ? [] : [`${sql} >= ${day(from)}`]),
      ...(to === undefined ? [] : [`${sql} <= ${day(to)}`]),
    ];
    return `(${days.join(' and ')})`;
  }
  const { atLeast, atMost } = test;
  const limits = [
    `${sql} is not null`,
    ...(atLeast === undefined ? [] : [`${sql} >= ${place(atLeast)}`]),
    ...(atMost === undefined ? [] : [`${sql} <= ${place(atMost)}`]),
  ];
  return `(${limits.join(' and ')})`;
}

const testsOf = ({ any, ...tests }: Condition) => ({
  any,
  tests: Object.entries(tests).filter(([, test]) => test !== undefined) as [string, Test][],
});

/** A condition as SQL. `columnOf` gives the SQL of a column, or throws if it may not be read. */
export function conditionSql(
  { columns }: Fact,
  columnOf: (name: string) => string,
  condition: Condition,
  place: Place,
): string {
  const { any, tests } = testsOf(condition);
  const parts = tests.map(([name, test]) => testSql(columns[name]!, columnOf(name), test, place));
  if (any)
    parts.push(
      `(${any.map((one) => conditionSql({ name: '', columns }, columnOf, one, place)).join(' or ') || 'false'})`,
    );
  return parts.length > 0 ? parts.join(' and ') : 'true';
}

/** What cells are counted by: a column's value, or whether it passes a test. */
export interface Tested {
  column: string;
  /** Absent: cells are counted by the value, and tests are applied later. */
  test?: Test;
}

/** Whether cells are counted by a column's values, if these are few, or by whether they pass a test. */
const byValue = ({ kind }: Column) => kind === 'code' || kind === 'text' || kind === 'flag';

/** What cells have to be counted by to decide whether they meet a condition. */
export function testedBy(fact: Fact, condition: Condition): Tested[] {
  const { any = [], tests } = testsOf(condition);
  return [
    ...tests.map(([column, test]) => (byValue(fact.columns[column]!) ? { column } : { column, test })),
    ...any.flatMap((one) => testedBy(fact, one)),
  ];
}

export const testedId = ({ column, test }: Tested): string =>
  test === undefined ? column : `${column} ${JSON.stringify(test)}`;

type CellValue = string | number | null;

/** Whether a cell meets a condition; `cellOf` gives the cell's value by the id of the term. */
export function meets(fact: Fact, condition: Condition, cellOf: (id: string) => CellValue): boolean {
  const { any, tests } = testsOf(condition);
  return (
    tests.every(([name, test]) => {
      const column = fact.columns[name]!;
      if (!byValue(column)) return cellOf(testedId({ column: name, test })) === 1;
      const value = cellOf(name);
      if (typeof test === 'boolean') return (value === 1) === test;
      const key = value === null || value === '' ? missingKey : value;
      if (typeof test === 'string') return key === test;
      if (isList(test)) return (test as readonly CellValue[]).includes(key);
      if ('known' in test) return (key !== missingKey) === test.known;
      if ('not' in test) return !(test.not as readonly CellValue[]).includes(key);
      throw new Error(`${name} is not a number`);
    }) &&
    (any === undefined || any.some((one) => meets(fact, one, cellOf)))
  );
}
