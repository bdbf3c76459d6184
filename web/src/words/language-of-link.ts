import { type Language, languages } from '@caseway/contract/session';
import { tabStore } from '../session/storage.ts';
import { storageKeys } from '../session/storage-keys.ts';

/** The language an address begins with, and the address without it, which is the same in every language. */
export function splitLanguage(pathname: string): { language: Language | undefined; path: string } {
  const language = languages.find((one) => pathname === `/${one}` || pathname.startsWith(`/${one}/`));
  // One slash: two would start an address on another host.
  const path = language ? pathname.slice(language.length + 1).replace(/^\/*/, '/') : pathname;
  return { language, path };
}

/**
 * The language of the message whose link was followed into this tab. Such links begin with it
 * (`/es/sign-in`); it is removed from the address, which is the same in every language.
 */
export function languageOfLink(): Language | undefined {
  const { pathname, search, hash } = window.location;
  const { language, path } = splitLanguage(pathname);
  if (language) {
    tabStore.set(storageKeys.linkedLocale, language);
    window.history.replaceState(window.history.state, '', `${path}${search}${hash}`);
  }
  return languages.find((one) => one === tabStore.get(storageKeys.linkedLocale));
}
