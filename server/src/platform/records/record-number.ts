import { randomInt } from 'node:crypto';

/** Digits and letters that nobody takes for one another, and of which no word is made. */
const signs = '23456789BCDFGHJKMNPQRSTVWXZ';

/** The last sign of a number: one that is mistyped, or two that changed places, make another one. */
export const checkSign = (of: string): string =>
  signs[
    [...of].reduce((sum, sign, place) => sum + (place + 2) * (signs.indexOf(sign) + 1), 0) % signs.length
  ]!;

/** The number of a new record: the year, and random signs, since the gaps of a counter tell of hidden records. [P24] */
export function recordNumber(prefix: string, today: string): string {
  const random = Array.from({ length: 6 }, () => signs[randomInt(signs.length)]).join('');
  return `${prefix}-${today.slice(2, 4)}-${random}${checkSign(random)}`;
}
