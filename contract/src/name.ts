import { z } from 'zod';

/**
 * Characters that a name cannot have, because it could then look like another name, reverse the text next to it, or
 * continue on a second line. Control characters, separators of lines and paragraphs, and everything without a form of
 * its own, above all what changes the direction of writing. The two joiners are how names of Persian and of the
 * languages of India are spelled; they are refused where there is nothing before them to join.
 */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}|(?<![\p{L}\p{M}\p{S}])[\u200c\u200d]/u;

/** A name that may be left empty. */
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
 * A name that someone gives to a person or a thing. Names that laboratories send are not checked: they are kept as
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
 * Marks and overrides of the direction of writing, spaces without width and tags. They make someone else's text look
 * like another one: `report\u202Efdp.exe` reads as `reportexe.pdf`. The joiners that spelling needs are not among them.
 */
const formless =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A text from another sender, without characters that have no form of their own. */
export const withoutFormless = (text: string): string => text.replace(formless, '');
