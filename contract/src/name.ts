import { z } from 'zod';

/**
 * Characters a name cannot have, because it could look like another name, reverse the text next to it, or
 * continue on a second line: control characters, line and paragraph separators, and invisible characters,
 * above all those that change the writing direction. Persian and Indian languages need the two joiners, so
 * these are refused only if there is nothing before them to join.
 */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}|(?<![\p{L}\p{M}\p{S}])[\u200c\u200d]/u;

/** A name that may be empty. */
export const nameOrNothing = (maximum: number) =>
  z
    .string()
    .trim()
    .max(maximum)
    .refine((text) => !unseen.test(text), {
      error: 'the name holds a line break or a character that cannot be seen',
      params: { code: 'unseen-character' },
    });

/**
 * A name that a user gives to a person or a thing. Names from laboratories are not checked: they are kept as
 * received. [P8]
 */
export const name = (maximum: number) => nameOrNothing(maximum).min(1);

/** A text of several lines. */
export const textOfLines = (maximum: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maximum)
    .regex(/^[^\0]*$/);

/**
 * Direction marks and overrides, zero-width spaces and tags. They make one text look like another:
 * `report\u202Efdp.exe` reads as `reportexe.pdf`. The joiners that spelling needs are not included.
 */
const formless =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A text from another sender without invisible characters. */
export const withoutFormless = (text: string): string => text.replace(formless, '');
