import type { Param } from './visible-facts.ts';

/*
 * How a replica answers the same question differently from PostgreSQL. It finds one of several codes by a bit mask,
 * finds the text of a pack by its number, and counts the bits of a number.
 */

/** The number of each value of a stored code, by table and column; undefined if it is not known. */
export type CodesOf = (table: string, column: string) => ReadonlyMap<string, number> | undefined;

/** A bare column compared with a list parameter. */
const oneOf = /(?<![\w.@$])([a-z]\w*) = any\(\$(\d+)\)/g;
/** A bare column that equals a parameter, or does not. */
const isOne = /(?<![\w.@$])([a-z]\w*) (=|<>) \$(\d+)(?!\d)/g;
/** How many bits a mask may have: those of a smallint and of a bigint, without the sign. */
const [fewBits, manyBits] = [15, 63];

/**
 * Rewrites a question for speed. `column = any($n)` becomes a bit test, which takes DuckDB a quarter of the time;
 * `column = $n` or `<>` becomes a comparison of numbers, which takes half. `codes`: the numbers of the columns'
 * values. The parameters keep a mention, because DuckDB refuses values that no parameter names.
 */
export function pickedByMask(
  question: string,
  params: readonly Param[],
  codes: ReadonlyMap<string, ReadonlyMap<string, number>>,
): string {
  const byNumber = question.replaceAll(isOne, (text, column: string, operator: string, n: string) => {
    const value = params[Number(n) - 1];
    const number = typeof value === 'string' ? codes.get(column)?.get(value) : undefined;
    return number === undefined ? text : `(enum_code(${column}) ${operator} ${number} and $${n} is not null)`;
  });
  return byNumber.replaceAll(oneOf, (text, column: string, n: string) => {
    const [values, list] = [codes.get(column), params[Number(n) - 1]];
    if (!values || !Array.isArray(list)) return text;
    const picked = new Set<number>();
    for (const value of list as readonly string[]) {
      const number = values.get(value);
      if (number !== undefined) picked.add(number);
    }
    const inOrder = [...picked].sort((a, b) => a - b);
    const mask = maskOf(column, inOrder, values.size);
    return mask ? `(${mask} and $${n} is not null)` : text;
  });
}

/**
 * The condition that a code with `size` possible values has one of these numbers, in order. Undefined if a list is
 * as fast.
 */
function maskOf(column: string, numbers: readonly number[], size: number): string | undefined {
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined || last >= 2 * manyBits) return undefined;
  const code = `enum_code(${column})`;
  if (last - first === numbers.length - 1)
    return first === last ? `(${code} = ${first})` : `(${code} between ${first} and ${last})`;
  const bits = (from: number) =>
    numbers.reduce(
      (mask, number) =>
        number < from || number >= from + manyBits ? mask : mask | (1n << BigInt(number - from)),
      0n,
    );
  // Shifting by more bits than there are leaves none.
  if (last < fewBits && size <= 2 ** fewBits)
    return `((cast(${bits(0)} as smallint) >> cast(${code} as smallint)) & 1 = 1)`;
  const shifted = (mask: bigint, by: string) => `cast(${mask} as bigint) >> ${by}`;
  const number = `cast(${code} as bigint)`;
  if (last < manyBits) return `((${shifted(bits(0), number)}) & 1 = 1)`;
  return `(case when ${code} < ${manyBits} then ${shifted(bits(0), number)}
    else ${shifted(bits(manyBits), `(${number} - ${manyBits})`)} end & 1 = 1)`;
}

/** Replaces a pack's number with its text where a question has `cast(pack as text)`, for groups that are counted. */
export function withTextsOfPacks(question: string, packs: ReadonlyMap<string, string>): string {
  let text = question;
  for (const [name, table] of packs)
    text = text.replaceAll(
      `cast(${name} as text)`,
      `(select t.text from ${table} t where t.number = ${name})`,
    );
  return text;
}

/** Only PostgreSQL needs a cast from number to bits before counting. DuckDB would make a text of each. */
export const withBitsOfNumbers = (question: string): string =>
  question.replaceAll(/bit_count\(cast\((\w+) as bit\(64\)\)\)/g, 'bit_count($1)');
