/** Each language by its own name, as the language menu shows it. */
export const languageNames = { en: 'English (US)', es: 'Español', ht: 'Kreyòl ayisyen' } as const;
