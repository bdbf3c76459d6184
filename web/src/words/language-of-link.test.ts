import { afterEach, describe, expect, test } from 'vitest';
import { languageOfLink } from './language-of-link.ts';

/** The language in an address, and the rest of it. */
function opened(path: string) {
  window.history.replaceState(null, '', path);
  return { language: languageOfLink(), at: window.location.href.replace(window.location.origin, '') };
}

afterEach(() => {
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});

describe('the language of a message whose link was followed', () => {
  test('is removed from the address and kept for the tab', () => {
    expect(opened('/es/sign-in/recovery?a=1#b')).toEqual({ language: 'es', at: '/sign-in/recovery?a=1#b' });
    expect(opened('/sign-in')).toEqual({ language: 'es', at: '/sign-in' });
    expect(opened('/ht')).toEqual({ language: 'ht', at: '/' });
    expect(localStorage.length).toBe(0);
  });

  test('is one of our languages or nothing', () => {
    expect(opened('/escape')).toEqual({ language: undefined, at: '/escape' });
    expect(opened('/fr/sign-in')).toEqual({ language: undefined, at: '/fr/sign-in' });
    sessionStorage.setItem('caseway.linkedLocale', 'fr');
    expect(opened('/')).toEqual({ language: undefined, at: '/' });
  });

  test('leaves an address on this origin', () => {
    expect(opened('/es//elsewhere.example/x')).toEqual({ language: 'es', at: '/elsewhere.example/x' });
  });
});
