import { randomInt } from 'node:crypto';

/** Digits and letters that look different from each other and form no words. */
const signs = '23456789BCDFGHJKMNPQRSTVWXZ';

/** The check character of a number. It changes when a character is mistyped, or two are swapped. */
export const checkSign = (of: string): string =>
  signs[
    [...of].reduce((sum, sign, place) => sum + (place + 2) * (signs.indexOf(sign) + 1), 0) % signs.length
  ]!;

/**
 * The number of a new record: the year, and random characters, because the gaps of a counter would reveal hidden
 * records. [P24]
 */
export function recordNumber(prefix: string, today: string): string {
  const random = Array.from({ length: 6 }, () => signs[randomInt(signs.length)]).join('');
  return `${prefix}-${today.slice(2, 4)}-${random}${checkSign(random)}`;
}
