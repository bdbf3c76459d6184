import { jaroWinkler } from '@skyra/jaro-winkler';
import { keyRange } from '../../platform/grid/search-words.ts';
import type { App } from '../../platform/http/app.ts';
import type { Call } from '../../platform/http/serve.ts';
import { foldWords } from '../../platform/text/fold.ts';
import { soundOf, soundPair, yearKey } from './matching.ts';
import { nicknames } from './nicknames.ts';

/*
 * People whose names look or sound like typed words. Their search and comparison keys find them: by a word that
 * differs by one typing error, and by the sounds of two names. Only what the reader sees of a person decides whether
 * their name is similar.
 */

/** Shorter words are similar to too many names. */
const lettersAtLeast = 4;
const lettersAtMost = 20;
const wordsAtMost = 4;
/** At most this many people are compared with the words. */
const comparedAtMost = 300;
/** At most this many people with one of several words are searched for the others. */
const halfAtMost = 2000;
/** The age of the oldest living people, in years. */
const oldest = 115;
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** The typed words, if all can be names: no numbers, no dates. */
export const typedNames = (typed: readonly string[]): string[] => {
  const words = typed.flatMap((text) => foldWords(text).split(' ')).filter(Boolean);
  const areNames = words.every((word) => /^\p{L}+$/u.test(word));
  return areNames && words.length <= wordsAtMost ? words : [];
};

/**
 * This word, and the words that differ from it by one typing error: a missing, additional or wrong letter, or two
 * swapped letters.
 */
export function mistyped(word: string): string[] {
  const found = new Set([word]);
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of letters) found.add(before + letter + after);
    if (after === '') continue;
    found.add(before + after.slice(1));
    for (const letter of letters) found.add(before + letter + after.slice(1));
    if (after.length > 1) found.add(before + after[1] + after[0] + after.slice(2));
  }
  return [...found];
}

/** How similar a typed word and a word of a name are, from 0 to 1; 0 for different words. */
function likeness(typed: string, name: string): number {
  if (typed === name) return 1;
  if (name.startsWith(typed)) return 0.95;
  const close = jaroWinkler(typed, name);
  if (close >= 0.9 || (soundOf(typed) === soundOf(name) && close >= 0.75)) return close * 0.9;
  return nicknames(typed, name) ? 0.7 : 0;
}

/** How similar typed words and a name are, from 0 to 1; 0 if one of the words is like none of the name. */
export function nameLikeness(typed: readonly string[], name: readonly (string | null)[]): number {
  const parts = name.flatMap((part) => foldWords(part ?? '').split(' ')).filter(Boolean);
  const best = typed.map((word) => Math.max(0, ...parts.map((part) => likeness(word, part))));
  return best.length === 0 || best.includes(0) ? 0 : best.reduce((sum, one) => sum + one, 0) / best.length;
}

/** People who have one of the spellings of each word among their names, as far as the reader sees these keys. */
async function misspelled(
  app: App,
  call: Pick<Call, 'scopeIn'>,
  tenantId: string,
  words: readonly string[],
): Promise<string[]> {
  // A long word is rare, so people with it are searched for the others.
  const [longest, ...others] = [...words].sort((one, other) => other.length - one.length) as [
    string,
    ...string[],
  ];
  if (longest.length < lettersAtLeast || longest.length > lettersAtMost) return [];
  const also = others.map(
    (_, index) => `and exists (select from search_key o where o.tenant_id = $1 and o.record_kind = 'patient'
        and o.record_id = found.record_id and (o.key = any ($${3 * index + 3}::text[])
          or o.key >= $${3 * index + 4} and o.key < $${3 * index + 5}))`,
  );
  const rows = await app.database.withScope(
    call.scopeIn(tenantId),
    (tx) =>
      tx.rows<{ id: string }>(
        `select found.record_id as id from (
           select k.record_id from search_key k where k.tenant_id = $1 and k.record_kind = 'patient'
             and k.key = any ($2::text[]) limit ${halfAtMost}) found
         where true ${also.join(' ')} limit ${comparedAtMost}`,
        [tenantId, mistyped(longest), ...others.flatMap((word) => [mistyped(word), ...keyRange(word)])],
      ),
    { readOnly: true },
  );
  return rows.map(({ id }) => id);
}

/** People with two names that sound like two of the words, by the comparison keys, which only the service sees. */
async function soundingAlike(
  app: App,
  tenantId: string,
  words: readonly string[],
  thisYear: number,
): Promise<string[]> {
  const sounds = [...new Set(words.map(soundOf))];
  const pairs = sounds.flatMap((one, at) => sounds.slice(at + 1).map((other) => soundPair(one, other)));
  if (pairs.length === 0) return [];
  const years = Array.from({ length: oldest }, (_, ago) => thisYear - ago);
  const keys = pairs.flatMap((pair) => years.map((year) => yearKey(year, pair)));
  const rows = await app.database.withScope(
    { kind: 'service', tenantId },
    (tx) =>
      tx.rows<{ id: string }>(
        // No limit: people whom the reader does not see would take the places of others. [P1]
        `select distinct b.patient_id as id from patient_block b where b.tenant_id = $1 and b.key = any ($2::text[])`,
        [tenantId, keys],
      ),
    { readOnly: true },
  );
  return rows.map(({ id }) => id);
}

/** Ids of people of a tenant whose names may be like the typed ones; what the reader sees of them must decide. */
export async function maybeNamed(
  app: App,
  call: Pick<Call, 'scopeIn'>,
  tenantId: string,
  words: readonly string[],
  thisYear: number,
): Promise<string[]> {
  if (words.length === 0) return [];
  const [spelled, sounded] = [
    await misspelled(app, call, tenantId, words),
    await soundingAlike(app, tenantId, words, thisYear),
  ];
  return [...new Set([...spelled, ...sounded])];
}
