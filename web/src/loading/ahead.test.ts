import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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
  screens: [
    { path: '/', files: [0], words: [] },
    { path: '/case-reports', files: [0, 1], words: ['case-reports', 'treatments'] },
    { path: '/case-reports/:id', files: [0, 2], words: ['case-reports'] },
    { path: '/imports/codes', files: [3], words: [] },
    { path: '/imports/:id', files: [4], words: [] },
  ],
  screenFiles: ['assets/list.js', 'assets/cases.js', 'assets/case.js', 'assets/codes.js', 'assets/import.js'],
  languages: ['en', 'en-GB', 'es', 'ht'],
  keys: storageKeys,
};

/** What the page preloads at an address. */
function named(path: string): string[] {
  window.history.replaceState(null, '', path);
  fetchAhead(ahead);
  return [...document.head.querySelectorAll('link[rel=preload][as=fetch]')].map(
    (link) => link.getAttribute('href')!,
  );
}

let dark = false;
beforeEach(() => {
  document.head.replaceChildren();
  dark = false;
  vi.stubGlobal('matchMedia', () => ({ matches: dark }));
  for (const name of ['door', 'language', 'theme']) delete document.documentElement.dataset[name];
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
])('a page at %s preloads what follows its first script', (path, files) => {
  expect(named(path)).toEqual(files);
});

test("the texts are in the chosen language, otherwise the link's, plus English", () => {
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

test('signed-in users get the shell', () => {
  localStorage.setItem(storageKeys.refreshToken, 'x');
  expect(named('/unknown')).toEqual(['/assets/shell.js', '/locales/en/common.json']);
  document.head.replaceChildren();
  expect(named('/patient/sign-in')[0]).toBe('/assets/patient-door.js');
});

const shell = ['/assets/shell.js', '/locales/en/common.json'];
const caseList = [
  '/assets/list.js',
  '/assets/cases.js',
  '/locales/en/case-reports.json',
  '/locales/en/treatments.json',
];
test.each([
  ['/', ['/assets/list.js']],
  ['/case-reports', caseList],
  ['/en/case-reports/', caseList],
  ['/case-reports/7', ['/assets/list.js', '/assets/case.js', '/locales/en/case-reports.json']],
  ['/imports/codes', ['/assets/codes.js']],
  ['/imports/7', ['/assets/import.js']],
  ['/imports/7/more', []],
])('at %s the screen comes with the shell', (path, files) => {
  localStorage.setItem(storageKeys.refreshToken, 'x');
  expect(named(path)).toEqual([...shell, ...files]);
});

test('signed-out users get no screen', () => {
  expect(named('/case-reports/7')).not.toContain('/assets/case.js');
});

test('a signed-in patient gets the portal', () => {
  localStorage.setItem(storageKeys.patientToken, 'x');
  expect(named('/portal')[0]).toBe('/assets/portal.js');
  document.head.replaceChildren();
  expect(named('/case-reports')[0]).toBe('/assets/door.js');
});

/** Which built-in form the page shows at an address, and in which language. */
function formAt(path: string): (string | undefined)[] {
  const { dataset } = document.documentElement;
  delete dataset.door;
  delete dataset.language;
  named(path);
  return [dataset.door, dataset.language];
}

test('the page shows its own form to signed-out users, in the start language', () => {
  expect(formAt('/case-reports')).toEqual(['signIn', 'en']);
  expect(formAt('/es/patient/sign-in')).toEqual(['patientSignIn', 'es']);
  expect(document.documentElement.lang).toBe('es');
  localStorage.setItem(storageKeys.locale, 'ht');
  expect(formAt('/')).toEqual(['signIn', 'ht']);
});

test('the page shows no form if another one follows, nor to signed-in users', () => {
  expect(formAt('/sign-in/recovery')).toEqual([undefined, undefined]);
  expect(formAt('/ht/sign-in/stop')).toEqual([undefined, undefined]);
  localStorage.setItem(storageKeys.refreshToken, 'x');
  expect(formAt('/')).toEqual([undefined, undefined]);
  expect(formAt('/portal')).toEqual(['patientSignIn', 'en']);
  localStorage.setItem(storageKeys.patientToken, 'x');
  expect(formAt('/portal')).toEqual([undefined, undefined]);
});

test("the page starts in the chosen theme, otherwise in the system's", () => {
  const themeAt = () => {
    named('/');
    return document.documentElement.dataset.theme;
  };
  expect(themeAt()).toBe('light');
  dark = true;
  expect(themeAt()).toBe('dark');
  localStorage.setItem(storageKeys.theme, 'light');
  expect(themeAt()).toBe('light');
  dark = false;
  localStorage.setItem(storageKeys.theme, 'dark');
  expect(themeAt()).toBe('dark');
});

test('it runs as standalone text, as the build writes it into the page', () => {
  window.history.replaceState(null, '', '/portal');
  new Function(`(${fetchAhead})(${JSON.stringify(ahead)})`)();
  expect(document.head.querySelector('link')!.getAttribute('href')).toBe('/assets/patient-door.js');
});
