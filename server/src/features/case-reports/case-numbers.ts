import { createHmac } from 'node:crypto';
import type { Tx } from '../../platform/db/database.ts';

/** Numbers of one year: seven digits. */
const count = 10_000_000;
/** A permutation of 24 bits, in two halves. A result with more than seven digits is permuted again. */
const half = 12;
const mask = 2 ** half - 1;
const rounds = 8;

/**
 * The numbers of a tenant's cases of one year, `YYYY-NNNNNNN`. A count is permuted with a secret, so that a number
 * reveals neither how many cases there are nor other numbers. Cases of restricted families are counted from the
 * other end, so they take no number from other cases, and look like any other. [P24]
 */
export class CaseNumbers {
  readonly #year: string;
  readonly #secret: string;
  readonly #before: number;
  readonly #functions = new Map<number, number>();

  /** `before`: numbers up to this one were given in order before there was a secret, and are not reused. */
  constructor(year: string, secret: string, before: number) {
    this.#year = year;
    this.#secret = secret;
    this.#before = before;
  }

  /** The number of a case by its count, from 0. */
  open(index: number): string {
    return this.#number(this.#before + 1 + index);
  }

  /** The number of a case of a restricted family by its count, from 0. */
  restricted(index: number): string {
    return this.#number(count - 1 - index);
  }

  #number(index: number): string {
    let value = index;
    do value = this.#permute(value);
    while (value >= count || value <= this.#before);
    return `${this.#year}-${String(value).padStart(7, '0')}`;
  }

  #permute(value: number): number {
    let [left, right] = [value >> half, value & mask];
    for (let round = 0; round < rounds; round++) [left, right] = [right, left ^ this.#round(round, right)];
    return (left << half) | right;
  }

  #round(round: number, value: number): number {
    const place = (round << half) | value;
    let known = this.#functions.get(place);
    if (known === undefined) {
      known = createHmac('sha256', this.#secret).update(String(place)).digest().readUInt16BE(0) & mask;
      this.#functions.set(place, known);
    }
    return known;
  }
}

/** A case that needs a number. */
export interface NewCase {
  id: string;
  year: string;
  /** It belongs to a family that not every reader of the tenant may see. */
  isRestricted: boolean;
}

/** The next case numbers in the given order, by case id. */
export async function takeCaseNumbers(
  tx: Tx,
  tenantId: string,
  made: readonly NewCase[],
): Promise<Map<string, string>> {
  const numbers = new Map<string, string>();
  for (const [year, cases] of Map.groupBy(made, (one) => one.year)) {
    const restricted = cases.filter(({ isRestricted }) => isRestricted);
    const open = cases.filter(({ isRestricted }) => !isRestricted);
    const [row] = await tx.rows<{ last: number; restricted: number; secret: string; before: number }>(
      `insert into case_counter (tenant_id, year, last_number, restricted_number) values ($1, $2, $3, $4)
       on conflict (tenant_id, year) do update set last_number = case_counter.last_number + excluded.last_number,
         restricted_number = case_counter.restricted_number + excluded.restricted_number
       returning last_number as last, restricted_number as restricted, secret, numbered_before as before`,
      [tenantId, Number(year), open.length, restricted.length],
    );
    const numbering = new CaseNumbers(year, row!.secret, row!.before);
    for (const [at, { id }] of open.entries()) numbers.set(id, numbering.open(row!.last - open.length + at));
    for (const [at, { id }] of restricted.entries())
      numbers.set(id, numbering.restricted(row!.restricted - restricted.length + at));
  }
  return numbers;
}
