import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Experience, experiences } from '@caseway/contract/session';
import { describe, expect, test } from 'vitest';

/*
 * The words of each experience [S1.5]. A key says "patient" and "facility"; its variant `key_EDUCATION` says
 * "student" and "school". i18next picks the variant, so this test only checks the locale files.
 */
const locales = join(import.meta.dirname, '../public/locales');
const languages = ['en', 'en-GB', 'es', 'ht'] as const;
type Language = (typeof languages)[number];

/** Experiences that use the default words, and why. */
const inDefaultWords: Partial<Record<Experience, string>> = {
  PUBLIC_HEALTH: 'the default words are its own',
  HEALTH_CARE: 'clinics and hospitals say patient, and facility for any of them',
  SYSTEM_ADMINISTRATION: 'it sets up tenants and sees nobody’s records',
};
const spoken = experiences.filter((one) => inDefaultWords[one] === undefined);

/** Namespaces without variants, and why. */
const notForStaff: Readonly<Record<string, string>> = {
  portal:
    'the patients’ own door: it says "you", and its sign-in is the same for everybody, who is not known yet',
  explanations: 'words that a clinician signs; patients read them, and they say "you"',
  'sign-in': 'nobody is known yet, so no organisation is either',
  recovery: 'nobody is signed in who asks for help, and those who decide see accounts, not records',
  system: 'shown in system administration alone',
};

/** Keys that keep the default words in every experience, and why. */
const kept: Readonly<Record<string, string>> = {
  'common:fault.identification-missing':
    'the name of a field of the sign-in request, before anybody is known',
  'common:signIn.patients': 'on the sign-in screen, before anybody is known',
  'common:label.unknown.facilities': 'it belongs to another organisation, of whatever kind',
  'places:help.experience': 'it explains what the choice does, with the words of each',
  'settings:help.experience': 'it explains what the choice does, with the words of each',
  'places:choice.facilityType.correctional': 'the name of a kind of place',
};

/** The default words for the people and places of testing, as word beginnings. */
const defaultWords: Record<Language, RegExp> = {
  en: /\bpatient|\bfacilit/i,
  'en-GB': /\bpatient|\bfacilit/i,
  es: /\bpaciente|\bestablecimiento/i,
  ht: /\bpasyan|\betablisman/i,
};
/** The people who are tested, in each experience. */
const people: Record<(typeof spoken)[number], Record<Language, RegExp>> = {
  EDUCATION: { en: /\bstudent/i, 'en-GB': /\bstudent/i, es: /\bestudiante|\balumn/i, ht: /\belèv/i },
  CORRECTIONS: { en: /\bresident/i, 'en-GB': /\bresident/i, es: /\bresidente/i, ht: /\brezidan\b/i },
  WORKPLACE: { en: /\bemployee/i, 'en-GB': /\bemployee/i, es: /\bemplead/i, ht: /\banplwaye/i },
} as never;

/** Keys that use an experience's own name for the people who are tested, and why. */
const theirOwn: Readonly<Record<string, string>> = {
  'common:identifier.EI': 'the number of a person who is tested, whoever has given it, as HL7 calls it',
};

type Words = Map<string, string>;
function wordsOf(language: Language): Words {
  const words: Words = new Map();
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') words.set(path, value);
    else
      for (const [name, inner] of Object.entries(value as object))
        walk(inner, path.endsWith(':') ? `${path}${name}` : `${path}.${name}`);
  };
  const files = readdirSync(join(locales, language), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.json')))
    walk(JSON.parse(readFileSync(join(locales, language, file), 'utf8')), `${file.replace('.json', '')}:`);
  return words;
}
const all = Object.fromEntries(languages.map((language) => [language, wordsOf(language)])) as Record<
  Language,
  Words
>;

const plural = /_(?:zero|one|two|few|many|other)$/;
const variantOf = (key: string, experience: string) => {
  const form = plural.exec(key)?.[0] ?? '';
  return `${key.slice(0, key.length - form.length)}_${experience}${form}`;
};
/** Contexts with another purpose. */
const otherContexts = ['EMAIL', 'SMS'];
/** A variant's key and experience; undefined for any other key. Codes such as `PUBLIC_HEALTH` are keys. */
function partsOf(key: string): { key: string; experience: string } | undefined {
  const form = plural.exec(key)?.[0] ?? '';
  const rest = key.slice(0, key.length - form.length);
  const found =
    new RegExp(`^(.+)_(${spoken.join('|')})$`).exec(rest) ??
    /^(.+[.:][a-z][^.]*?)_([A-Z]{2,}(?:_[A-Z]+)*)$/.exec(rest);
  if (!found || otherContexts.includes(found[2]!)) return undefined;
  return { key: `${found[1]}${form}`, experience: found[2]! };
}
const forStaff = (key: string) =>
  notForStaff[key.slice(0, key.indexOf(':'))] === undefined && kept[key] === undefined;
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{\{(\w+)/g)].map((match) => match[1]))].sort();
/** The text of a key for a reader of a language, as i18next resolves it. */
const read = (language: Language, key: string, experience: string) => {
  for (const words of language === 'en-GB' ? [all['en-GB'], all.en] : [all[language]])
    for (const one of [variantOf(key, experience), key]) if (words.has(one)) return words.get(one);
  return undefined;
};

test('[S1.5] an experience uses its own words or the default ones', () => {
  expect(spoken).toEqual(['EDUCATION', 'CORRECTIONS', 'WORKPLACE']);
});

describe.each(languages)('the words in %s', (language) => {
  const words = all[language];
  const own = [...words.keys()].flatMap((variant) => {
    const parts = partsOf(variant);
    return parts ? [{ variant, ...parts }] : [];
  });

  test.each(spoken)(
    '[S1.5] no text for staff uses the default words for people and places in %s',
    (experience) => {
      const keys = [...new Set([...words.keys(), ...(language === 'en-GB' ? all.en.keys() : [])])];
      const said = keys
        .filter((key) => forStaff(key) && partsOf(key) === undefined)
        .map((key) => `${key}: ${read(language, key, experience)}`)
        .filter((text) => defaultWords[language].test(text.slice(text.indexOf(': '))));
      expect(said).toEqual([]);
    },
  );

  // "Residents of these counties" and "residents" of a prison; "employees" for staff and for people who
  // are tested.
  test.each(spoken)('[S1.5] the word for people who are tested means no one else in %s', (experience) => {
    const mixed = [...words]
      .filter(([key]) => forStaff(key) && theirOwn[key] === undefined)
      .filter(([key]) => partsOf(key) === undefined && !words.has(variantOf(key, experience)))
      .filter(([, text]) => people[experience][language].test(text));
    expect(mixed).toEqual([]);
  });

  test('[S1.5] every variant belongs to an existing key and experience', () => {
    const lost = own.filter(
      ({ key, experience }) => !words.has(key) || !(spoken as readonly string[]).includes(experience),
    );
    expect(lost).toEqual([]);
    expect(own.length).toBeGreaterThan(language === 'en-GB' ? 10 : 330);
  });

  test('[S1.5] a key has a variant for every experience or for no experience', () => {
    const missing = own.flatMap(({ key }) =>
      spoken.map((one) => variantOf(key, one)).filter((variant) => !words.has(variant)),
    );
    expect([...new Set(missing)]).toEqual([]);
  });

  test('[S1.5] a variant has the same placeholders as its key', () => {
    for (const { variant, key } of own)
      expect(placeholders(words.get(variant)!), variant).toEqual(placeholders(words.get(key)!));
  });
});

test('[S1.5] British English has a variant wherever it has its own words for the key', () => {
  const missing = [...all['en-GB'].keys()]
    .filter((key) => partsOf(key) === undefined)
    .flatMap((key) => spoken.map((one) => variantOf(key, one)))
    .filter((variant) => all.en.has(variant) && !all['en-GB'].has(variant));
  expect(missing).toEqual([]);
});

test('[S1.5] every key that keeps the default words contains some', () => {
  for (const key of Object.keys(kept))
    expect(
      languages.some((language) => defaultWords[language].test(all[language].get(key) ?? '')),
      key,
    ).toBe(true);
});
