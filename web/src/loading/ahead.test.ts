import { afterEach, beforeEach, expect, test } from 'vitest';
import { storageKeys } from '../session/storage-keys.ts';
import { fetchAhead } from './ahead.ts';

const ahead = {
  files: {
    signIn: ['assets/door.js'],
    patientSignIn: ['assets/patient-door.js'],
    portal: ['assets/portal.js'],
    shell: ['assets/shell.js'],
  },
  words: {
    signIn: ['common', 'sign-in'],
    patientSignIn: ['common', 'portal'],
    portal: ['common', 'portal'],
    shell: ['common'],
  },
  languages: ['en', 'en-GB', 'es', 'ht'],
  keys: storageKeys,
};

/** What the page names at an address. */
function named(path: string): string[] {
  window.history.replaceState(null, '', path);
  fetchAhead(ahead);
  return [...document.head.querySelectorAll('link[rel=preload][as=fetch]')].map(
    (link) => link.getAttribute('href')!,
  );
}

beforeEach(() => {
  document.head.replaceChildren();
});
afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});

test.each([
  ['/', ['/assets/door.js', '/locales/en/common.json', '/locales/en/sign-in.json']],
  ['/case-reports', ['/assets/door.js', '/locales/en/common.json', '/locales/en/sign-in.json']],
  ['/patient/sign-in', ['/assets/patient-door.js', '/locales/en/common.json', '/locales/en/portal.json']],
  ['/portal', ['/assets/patient-door.js', '/locales/en/common.json', '/locales/en/portal.json']],
])('a page at %s names what follows its first script', (path, files) => {
  expect(named(path)).toEqual(files);
});

test('the words are those of the chosen language, else of the link, and of English', () => {
  const words = (language: string) => [
    `/locales/${language}/common.json`,
    `/locales/${language}/portal.json`,
  ];
  expect(named('/ht/portal')).toEqual(['/assets/patient-door.js', ...words('ht'), ...words('en')]);
  document.head.replaceChildren();
  localStorage.setItem(storageKeys.locale, 'es');
  expect(named('/ht/portal')).toEqual(['/assets/patient-door.js', ...words('es'), ...words('en')]);
  document.head.replaceChildren();
  localStorage.setItem(storageKeys.locale, '../evil');
  expect(named('/portal')).toEqual(['/assets/patient-door.js', ...words('en')]);
});

test('who is signed in gets the shell', () => {
  localStorage.setItem(storageKeys.refreshToken, 'x');
  expect(named('/case-reports')).toEqual(['/assets/shell.js', '/locales/en/common.json']);
  document.head.replaceChildren();
  expect(named('/patient/sign-in')[0]).toBe('/assets/patient-door.js');
});

test('a patient who is signed in gets the portal', () => {
  localStorage.setItem(storageKeys.patientToken, 'x');
  expect(named('/portal')[0]).toBe('/assets/portal.js');
  document.head.replaceChildren();
  expect(named('/case-reports')[0]).toBe('/assets/door.js');
});

test('it is text that runs by itself, as the build writes it into the page', () => {
  window.history.replaceState(null, '', '/portal');
  new Function(`(${fetchAhead})(${JSON.stringify(ahead)})`)();
  expect(document.head.querySelector('link')!.getAttribute('href')).toBe('/assets/patient-door.js');
});
