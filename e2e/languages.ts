/** Each language by its own name, as in the language menu. */
export const languageNames = { en: 'English (US)', es: 'Español', ht: 'Kreyòl ayisyen' } as const;
