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

/** The document's language tag, and the texts and formats of its dates. [S9.14] */
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

/** The languages in their own names. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English (US)',
  'en-GB': 'English (UK)',
  es: 'Español',
  ht: 'Kreyòl ayisyen',
};

/** Our language for a tag: itself or its base; undefined for one the product lacks. */
export function languageOf(tag: string | null | undefined): Language | undefined {
  if (!tag) return undefined;
  const known = (wanted: string) => languages.find((one) => one.toLowerCase() === wanted.toLowerCase());
  return known(tag) ?? known(tag.split('-')[0]!);
}

/** The current language, which is sent with every request. [S7.1] */
export const language = (): Language => languageOf(i18next.language) ?? 'en';

let dateLocale: Locale | undefined;
/** The date texts and formats of the current language. */
export const currentDateLocale = (): Locale | undefined => dateLocale;
/**
 * The short form of a day, for the date library. Readers here take 06/05 for June 5 in any language, so only
 * American English, which uses this order, writes a day in numbers; the others have the month in words.
 */
export const shortDay = (): 'P' | 'PP' => (language() === 'en' ? 'P' : 'PP');
/** The tag for `Intl` number formats in the current language. */
export const numberLocale = (): string => numberLocales[language()];
/** A count in writing, for use before the day formats have loaded: `1,234`. */
export const countText = (value: number): string => value.toLocaleString(numberLocale());

/** The tenant's texts in place of the product's: by language, then by `namespace:path`. */
type Overrides = Readonly<Record<string, Readonly<Record<string, string>>>>;
let overrides: Overrides = {};
type Words = { [key: string]: string | Words };
/** The product's own texts as loaded, by `language/namespace`. */
const loaded = new Map<string, Words>();

/** A namespace's texts, with the tenant's in place of the product's. */
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

/** Shows the tenant's texts on every screen, including open ones and texts loaded later. */
export async function overrideLabels(next: Overrides): Promise<void> {
  if (JSON.stringify(next) === JSON.stringify(overrides)) return;
  await started;
  overrides = next;
  for (const [name, words] of loaded) {
    const [language, namespace] = partsOf(name);
    i18next.removeResourceBundle(language, namespace);
    i18next.addResourceBundle(language, namespace, overlaid(language, namespace, words), false, true);
  }
  // Rerenders the open screen with its new texts.
  await i18next.changeLanguage(i18next.language);
}

const numberFormats = new Map<string, Intl.NumberFormat>();
const isNamedByNumber = (placeholder: string) => placeholder === 'lane' || /year$/i.test(placeholder);

/**
 * Formats every number inside a text for its language, so that callers need not: 3,750 labels, not 3750.
 * Years, in a placeholder that ends so, and audit log lanes are names.
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
 * Loads the locales at the start: the saved one, otherwise that of the message that led here, otherwise
 * American English. [S9.14] The first screen's texts load together with the common ones.
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
      // A key is never shown in place of a text that did not load. [S8.4]
      saveMissing: true,
      missingKeyHandler: (_languages: readonly string[], namespace: string) => noteMissed(namespace),
      parseMissingKeyHandler: (key: string, given?: string) => given ?? (wordsAreLost() ? '' : key),
      // The wording for an organization's experience is a variant of the key: `patient_EDUCATION`. [S1.5]
      contextSeparator: '_',
      interpolation: { escapeValue: false, alwaysFormat: true },
      returnNull: false,
      // Five retries from 350 ms doubling, at most ten reads at a time. [S7.9]
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

/** Preloads texts for something that reports by itself if they do not load. */
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
  // Date texts first, because the language change rerenders everything.
  dateLocale = await locales[wanted].dates?.();
  await i18next.changeLanguage(wanted);
}

/**
 * The selected organization's experience, which words the screens; undefined while none is selected. [S1.5]
 */
const experience = (): string | undefined => store.getState().authentication.selectedTenantOrg?.experience;

/**
 * Gives every text the selected organization's experience as its context, so that a key uses its variant
 * (`patient_EDUCATION`, `rows_EDUCATION_one`) if there is one. A context passed by the caller stays. The
 * screen changes its texts as soon as another organization is selected.
 */
function wordForExperience(instance: I18n): void {
  // React's hooks use it too, and a text inside a text inherits the context.
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
 * `Intl.PluralRules` lacks Haitian Creole and would use the machine's language. Creole nouns do not change
 * with number ("1 ka", "5 ka"), so there is one form.
 */
function pluralsOfCreole(instance: I18n): void {
  const { pluralResolver } = instance.services as unknown as {
    pluralResolver: { getRule(code: string, options?: object): unknown };
  };
  const original = pluralResolver.getRule.bind(pluralResolver);
  const creole = { select: () => 'other', resolvedOptions: () => ({ pluralCategories: ['other'] }) };
  pluralResolver.getRule = (code, options) => (code === 'ht' ? creole : original(code, options));
}
