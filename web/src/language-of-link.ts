import { type Language, languages } from '@caseway/contract/session';
import { tabStore } from './session/storage.ts';

const storageKey = 'caseway.linkedLocale';

/**
 * The language of the message whose link was followed into this tab. Such links begin with it (`/es/sign-in`); it is
 * taken out of the address, which is the same in every language.
 */
export function languageOfLink(): Language | undefined {
  const { pathname, search, hash } = window.location;
  const linked = languages.find((one) => pathname === `/${one}` || pathname.startsWith(`/${one}/`));
  if (linked) {
    tabStore.set(storageKey, linked);
    // One slash: two would be the beginning of another address.
    const path = pathname.slice(linked.length + 1).replace(/^\/*/, '/');
    window.history.replaceState(window.history.state, '', `${path}${search}${hash}`);
  }
  return languages.find((one) => one === tabStore.get(storageKey));
}
