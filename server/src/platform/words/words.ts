import { readdirSync, readFileSync } from 'node:fs';
import { type Language, languages } from '@caseway/contract/session';

/** The words of the screens, for the few texts that the server writes itself: titles and codes of an export. */
const folder = new URL('../../../../web/public/locales/', import.meta.url);

type Words = { [key: string]: string | Words };
const loaded = new Map<string, Words>();

function load(language: string, namespace: string): Words {
  const name = `${language}/${namespace}`;
  let words = loaded.get(name);
  if (!words) {
    words = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Words;
    loaded.set(name, words);
  }
  return words;
}

function find(words: Words, key: string): string | undefined {
  let found: string | Words | undefined = words;
  for (const part of key.split('.')) found = typeof found === 'object' ? found[part] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** Plural forms; each language has its own. */
export const plural = /_(zero|one|two|few|many|other)$/;

/** The variant of a key for an experience, as i18next names it: the plural form comes last. [S1.5] */
const variantOf = (key: string, experience: string): string => {
  const form = plural.exec(key)?.[0] ?? '';
  return `${key.slice(0, key.length - form.length)}_${experience}${form}`;
};

/**
 * The text of a key (`column.caseId`) in a language, its base language or English, in the wording of the
 * organisation's experience if there is one; undefined for an unknown key. [S1.5]
 * @param overrides the tenant's own words, as `labelOverridesOf` reads them
 */
export function wordsIn(
  namespace: string,
  language: string,
  experience: string,
  overrides: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): (key: string) => string | undefined {
  const tags = [language, language.split('-')[0]!, 'en'].flatMap((tag) => {
    const known = languages.find((one) => one.toLowerCase() === tag.toLowerCase());
    return known ? [{ words: load(known, namespace), own: overrides[known] ?? {} }] : [];
  });
  return (key) => {
    for (const { words, own } of tags)
      for (const one of [variantOf(key, experience), key]) {
        const text = own[`${namespace}:${one}`] ?? find(words, one);
        if (text !== undefined) return text;
      }
    return undefined;
  };
}

const texts = new Map<Language, ReadonlyMap<string, string>>();

/** Every text of the screens in a language, by `namespace:path`; British English has only those that differ. */
export function textsIn(language: Language): ReadonlyMap<string, string> {
  let known = texts.get(language);
  if (!known) {
    const all = new Map<string, string>();
    const walk = (words: Words, path: string) => {
      for (const [name, inner] of Object.entries(words))
        if (typeof inner === 'string') all.set(`${path}${name}`, inner);
        else walk(inner, `${path}${name}.`);
    };
    const files = readdirSync(new URL(`${language}/`, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.sort()) {
      const namespace = /^(.+)\.json$/.exec(file)?.[1];
      if (namespace) walk(load(language, namespace), `${namespace}:`);
    }
    known = all;
    texts.set(language, known);
  }
  return known;
}
