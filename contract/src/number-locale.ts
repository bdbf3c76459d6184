import type { Language } from './session.ts';

/**
 * The tag that a language writes numbers with. Spanish as people here write it: 9.000 would be read as nine. Haitian
 * Creole formats as French does. [S9.14, S9.15]
 */
export const numberLocales: Readonly<Record<Language, string>> = {
  en: 'en-US',
  'en-GB': 'en-GB',
  es: 'es-US',
  ht: 'fr-HT',
};

/** The same for any tag: its own, that of its base language, or American English. */
export const numberLocaleOf = (language: string): string =>
  numberLocales[language as Language] ?? numberLocales[language.split('-')[0] as Language] ?? 'en-US';
