import { numberLocaleOf, numberLocales } from '@caseway/contract/number-locale';
import { type Language, languages } from '@caseway/contract/session';
import type { Locale } from 'date-fns/locale';
import i18next, { type FormatterModule, type i18n as I18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { browserStore } from '../session/storage.ts';
import { storageKeys } from '../session/storage-keys.ts';
import { store } from '../session/store.ts';
import { languageOfLink } from './language-of-link.ts';
import { noteMissed, noteWords, partsOf, watchWords, wordsAreLost } from './lost-words.ts';
import { wordFiles } from './word-files.ts';

/** The tag that the document carries in a language, and the words and formats of its dates. [S9.14] */
const locales: Readonly<Record<Language, { tag: string; dates?: () => Promise<Locale> }>> = {
  // The date library has American English built in.
  en: { tag: 'en-US' },
  'en-GB': {
    tag: 'en-GB',
    dates: async () => (await import('date-fns/locale/en-GB')).enGB,
  },
  es: { tag: 'es', dates: async () => (await import('date-fns/locale/es')).es },
  // French formats with Creole words. [S9.15]
  ht: { tag: 'ht', dates: async () => (await import('date-fns/locale/ht')).ht },
};

/** The languages as their speakers call them. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English (US)',
  'en-GB': 'English (UK)',
  es: 'Español',
  ht: 'Kreyòl ayisyen',
};

/** The language of ours that a tag means: itself, or its base; undefined for one we do not speak. */
export function languageOf(tag: string | null | undefined): Language | undefined {
  if (!tag) return undefined;
  const known = (wanted: string) => languages.find((one) => one.toLowerCase() === wanted.toLowerCase());
  return known(tag) ?? known(tag.split('-')[0]!);
}

/** The current language, which is sent with every request. [S7.1] */
export const language = (): Language => languageOf(i18next.language) ?? 'en';

let dateLocale: Locale | undefined;
/** The words and formats of dates in the current language. */
export const currentDateLocale = (): Locale | undefined => dateLocale;
/**
 * The short form of a day, for the date library. Here people read 06/05 as June 5 in any language, so only American
 * English, which uses this order, writes a day only in numbers; the others have the month in words.
 */
export const shortDay = (): 'P' | 'PP' => (language() === 'en' ? 'P' : 'PP');
/** The tag for `Intl` number formats in the current language. */
export const numberLocale = (): string => numberLocales[language()];
/** A count as it is written, for what comes before the formats of days have loaded: `1,234`. */
export const countText = (value: number): string => value.toLocaleString(numberLocale());

/** The tenant's words, instead of the product's own: by language, then by `namespace:path`. */
type Overrides = Readonly<Record<string, Readonly<Record<string, string>>>>;
let overrides: Overrides = {};
type Words = { [key: string]: string | Words };
/** The product's own words as they were loaded, by `language/namespace`. */
const loaded = new Map<string, Words>();

/** The words of a namespace with the tenant's in their place. */
function overlaid(language: string, namespace: string, words: Words): Words {
  const copy = structuredClone(words);
  for (const [key, text] of Object.entries(overrides[language] ?? {})) {
    if (!key.startsWith(`${namespace}:`)) continue;
    const path = key.slice(namespace.length + 1).split('.');
    const last = path.pop()!;
    let at = copy;
    for (const part of path) {
      // British English has only the branches that differ.
      const next = at[part];
      const branch: Words = typeof next === 'object' ? next : {};
      at[part] = branch;
      at = branch;
    }
    at[last] = text;
  }
  return copy;
}

/** Shows the tenant's words on every screen, including open ones; words loaded later are included. */
export async function overrideLabels(next: Overrides): Promise<void> {
  if (JSON.stringify(next) === JSON.stringify(overrides)) return;
  await started;
  overrides = next;
  for (const [name, words] of loaded) {
    const [language, namespace] = partsOf(name);
    i18next.removeResourceBundle(language, namespace);
    i18next.addResourceBundle(language, namespace, overlaid(language, namespace, words), false, true);
  }
  // The open screen changes its words.
  await i18next.changeLanguage(i18next.language);
}

const numberFormats = new Map<string, Intl.NumberFormat>();
const isNamedByNumber = (placeholder: string) => placeholder === 'lane' || /year$/i.test(placeholder);

/**
 * Writes every number inside a text as its language writes numbers, so that no caller has to think of it: 3,750 labels,
 * not 3750. A year, in a placeholder that ends so, and a lane of the audit log, are names.
 */
const numbersInWords: FormatterModule = {
  type: 'formatter',
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value: unknown, _format, lng, options) => {
    if (typeof value !== 'number' || isNamedByNumber(options?.interpolationkey ?? '')) return value as string;
    const tag = numberLocaleOf(lng ?? 'en');
    const known =
      numberFormats.get(tag) ??
      new Intl.NumberFormat(tag, { maximumFractionDigits: 2, useGrouping: 'always' });
    numberFormats.set(tag, known);
    return known.format(value);
  },
};

let started: Promise<I18n> | null = null;

/**
 * Loads the locales of a start: the saved one, else that of the message that led here, else English as in the United
 * States. [S9.14] Loads the words of the first screen together with the common ones.
 */
export function startI18n(namespaces: readonly string[] = []): Promise<I18n> {
  started ??= load(namespaces);
  return started;
}

async function load(namespaces: readonly string[]): Promise<I18n> {
  i18next.on('languageChanged', (changed) => {
    const now = languageOf(changed) ?? 'en';
    document.documentElement.lang = locales[now].tag;
  });
  watchWords(i18next);
  const ofLink = languageOfLink();
  const first = languageOf(browserStore.get(storageKeys.locale)) ?? ofLink ?? 'en';
  const dates = locales[first].dates?.();
  await i18next
    .use(
      wordFiles(language, (text, one, namespace) => {
        const words = JSON.parse(text) as Words;
        loaded.set(`${one}/${namespace}`, words);
        noteWords(one, namespace);
        return overlaid(one, namespace, words);
      }),
    )
    .use(initReactI18next)
    .use(numbersInWords)
    .init({
      lng: first,
      fallbackLng: 'en',
      supportedLngs: [...languages],
      load: 'currentOnly',
      ns: ['common', ...namespaces],
      defaultNS: 'common',
      // A key is never shown instead of words that did not load. [S8.4]
      saveMissing: true,
      missingKeyHandler: (_languages: readonly string[], namespace: string) => noteMissed(namespace),
      parseMissingKeyHandler: (key: string, given?: string) => given ?? (wordsAreLost() ? '' : key),
      // The wording for an organisation's experience is a variant of the key: `patient_EDUCATION`. [S1.5]
      contextSeparator: '_',
      interpolation: { escapeValue: false, alwaysFormat: true },
      returnNull: false,
      // Five retries from 350 ms doubling, ten reads at most. [S7.9]
      maxRetries: 5,
      retryTimeout: 350,
      maxParallelReads: 10,
      react: { useSuspense: true },
    } as never);
  pluralsOfCreole(i18next);
  wordForExperience(i18next);
  dateLocale = await dates;
  return i18next;
}

/** Loads words ahead of what shows them, which says so itself where they do not come. */
export const loadWords = (namespaces: readonly string[]): Promise<void> => i18next.loadNamespaces(namespaces);

/** Switches the language in place and remembers it. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  browserStore.set(storageKeys.locale, chosen);
  await switchTo(chosen);
}

/** Uses the account's or the tenant's language if this browser has none saved. [S9.14] */
export async function adoptAccountLanguage(account: string, tenantDefault: string): Promise<void> {
  if (browserStore.get(storageKeys.locale) !== null) return;
  await started;
  const wanted = languageOf(account) ?? languageOf(tenantDefault);
  if (wanted && wanted !== language()) await switchTo(wanted);
}

async function switchTo(wanted: Language): Promise<void> {
  // The dates' words first: the change of language renders everything again.
  dateLocale = await locales[wanted].dates?.();
  await i18next.changeLanguage(wanted);
}

/**
 * The experience of the selected organisation, in whose words the screens speak; undefined while none is selected.
 * [S1.5]
 */
const experience = (): string | undefined => store.getState().authentication.selectedTenantOrg?.experience;

/**
 * Gives every text the experience of the selected organisation as its context, so that a key takes its variant for it
 * (`patient_EDUCATION`, `rows_EDUCATION_one`) if the locales have one. A caller that names a context keeps it. The
 * screen changes its words as soon as another organisation is selected.
 */
function wordForExperience(instance: I18n): void {
  // The hooks of React use it too, and a text inside a text inherits the context.
  const plain = instance.t.bind(instance) as (key: unknown, options: object) => unknown;
  instance.t = ((key: unknown, given?: object | string, more?: object) => {
    const options: { context?: unknown; defaultValue?: unknown } =
      typeof given === 'string' ? { ...more, defaultValue: given } : { ...given };
    return plain(key, { ...options, context: options.context ?? experience() });
  }) as never;
  let worded = experience();
  store.subscribe(() => {
    if (experience() === worded) return;
    worded = experience();
    void instance.changeLanguage(instance.language);
  });
}

/**
 * `Intl.PluralRules` does not have Haitian Creole and would use the machine's language. A Creole noun does not change
 * with its number ("1 ka", "5 ka"), so there is one form.
 */
function pluralsOfCreole(instance: I18n): void {
  const { pluralResolver } = instance.services as unknown as {
    pluralResolver: { getRule(code: string, options?: object): unknown };
  };
  const original = pluralResolver.getRule.bind(pluralResolver);
  const creole = { select: () => 'other', resolvedOptions: () => ({ pluralCategories: ['other'] }) };
  pluralResolver.getRule = (code, options) => (code === 'ht' ? creole : original(code, options));
}
