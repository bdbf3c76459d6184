import { z } from 'zod';

/*
 * Colleagues whom a text mentions. It is stored with their accounts, `@[<account>]`, and shown with the name that
 * each has at that time.
 */

const token = /@\[([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]/g;

/** The most colleagues whom one text can mention. */
export const mentionsLimit = 20;

export const mentionOf = (accountId: string): string => `@[${accountId}]`;

/** The accounts that a text mentions, each once. */
export const mentionedIn = (text: string): string[] => [
  ...new Set([...text.matchAll(token)].map(([, id]) => id!)),
];

/** A text in pieces: words as written, and the accounts that it mentions. */
export const piecesOf = (text: string): (string | { id: string })[] =>
  text
    .split(token)
    .map((piece, at) => (at % 2 === 1 ? { id: piece } : piece))
    .filter((piece) => piece !== '');

export const colleague = z.object({ id: z.uuid(), name: z.string() });
export type Colleague = z.infer<typeof colleague>;

/** A text as stored: the names of the chosen colleagues become mentions, longer names first. */
export function withMentions(text: string, chosen: readonly Colleague[]): string {
  const byName = new Map(chosen.map(({ id, name }) => [`@${name}`, id]));
  const names = [...byName.keys()].sort((a, b) => b.length - a.length);
  let stored = '';
  for (let at = 0; at < text.length; ) {
    const name = names.find(
      (one) => text.startsWith(one, at) && !/^[\p{L}\p{N}]/u.test(text.slice(at + one.length)),
    );
    stored += name === undefined ? text[at] : mentionOf(byName.get(name)!);
    at += name?.length ?? 1;
  }
  return stored;
}
