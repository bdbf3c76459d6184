import type { Param } from './visible-facts.ts';

/*
 * What a replica does otherwise than PostgreSQL in the same question: it finds one of several codes by a mask of bits, and
 * the text of a pack by its number, and counts the bits of a number.
 */

/** The number of each value of a stored code, by table and column; undefined if it is not known. */
export type CodesOf = (table: string, column: string) => ReadonlyMap<string, number> | undefined;

/** A bare column that is one of the values of a parameter. */
const oneOf = /(?<![\w.@$])([a-z]\w*) = any\(\$(\d+)\)/g;
/** A bare column that is the value of a parameter, or is not. */
const isOne = /(?<![\w.@$])([a-z]\w*) (=|<>) \$(\d+)(?!\d)/g;
/** How many bits a mask may have: of a smallint and a bigint, without the sign. */
const [fewBits, manyBits] = [15, 63];

/**
 * A question with `column = any($n)` replaced by a test of bits, which DuckDB does in a quarter of the time that a list
 * takes it, and `column = $n` or `<>` by a comparison of numbers, in half of the time. `codes`: how the values of columns are
 * numbered. The parameters are named still: DuckDB refuses values that are not.
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

/** The condition that a code of `size` values has one of these numbers, in order; undefined if a list is no slower. */
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
  // A shift by more bits than there are leaves none.
  if (last < fewBits && size <= 2 ** fewBits)
    return `((cast(${bits(0)} as smallint) >> cast(${code} as smallint)) & 1 = 1)`;
  const shifted = (mask: bigint, by: string) => `cast(${mask} as bigint) >> ${by}`;
  const number = `cast(${code} as bigint)`;
  if (last < manyBits) return `((${shifted(bits(0), number)}) & 1 = 1)`;
  return `(case when ${code} < ${manyBits} then ${shifted(bits(0), number)}
    else ${shifted(bits(manyBits), `(${number} - ${manyBits})`)} end & 1 = 1)`;
}

/** A question with the texts of packs, where a replica has numbers: `cast(pack as text)`, of groups that are counted. */
export function withTextsOfPacks(question: string, packs: ReadonlyMap<string, string>): string {
  let text = question;
  for (const [name, table] of packs)
    text = text.replaceAll(
      `cast(${name} as text)`,
      `(select t.text from ${table} t where t.number = ${name})`,
    );
  return text;
}

/** Only PostgreSQL has to make bits of a number before it counts them; DuckDB would make a text of each. */
export const withBitsOfNumbers = (question: string): string =>
  question.replaceAll(/bit_count\(cast\((\w+) as bit\(64\)\)\)/g, 'bit_count($1)');
