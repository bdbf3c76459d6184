import type { Language } from './session.ts';

/**
 * The locale for writing numbers in a language. Spanish as people here write it: they would read 9.000 as
 * nine. Haitian Creole follows French. [S9.14, S9.15]
 */
export const numberLocales: Readonly<Record<Language, string>> = {
  en: 'en-US',
  'en-GB': 'en-GB',
  es: 'es-US',
  ht: 'fr-HT',
};

/** The same for any tag: its own locale, that of its base language, or American English. */
export const numberLocaleOf = (language: string): string =>
  numberLocales[language as Language] ?? numberLocales[language.split('-')[0] as Language] ?? 'en-US';
