import { languages } from '@caseway/contract/session';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { refreshToken } from '../test/server.ts';

/** The state of the session modules after loading a page at an address. */
async function loadedAt(path: string) {
  window.history.replaceState(null, '', path);
  vi.resetModules();
  return import('./tokens.ts');
}

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});

describe('the door that a link opens', () => {
  const links = ['', ...languages.map((language) => `/${language}`)];

  test.each(links)('%s/patient/sign-in and %s/portal belong to patients', async (start) => {
    for (const path of ['/patient/sign-in', '/portal', '/portal/results/1'])
      expect((await loadedAt(`${start}${path}`)).atPatientDoor, `${start}${path}`).toBe(true);
  });

  test.each(links)(
    'signing out at %s/portal leads to the patient sign-in, and elsewhere to the staff sign-in',
    async (start) => {
      expect((await loadedAt(`${start}/portal/me`)).doorAddress).toBe('/patient/sign-in');
      expect((await loadedAt(`${start}/case-reports`)).doorAddress).toBe('/');
    },
  );

  test.each(links)('%s/sign-in and other addresses belong to staff', async (start) => {
    for (const path of ['/sign-in', '/', '/patients', '/portals', '/case-reports'])
      expect((await loadedAt(`${start}${path}`)).atPatientDoor, `${start}${path}`).toBe(false);
  });

  test.each(links)('a signed-in patient is recognized at %s/patient/sign-in', async (start) => {
    const token = refreshToken({ patient: true });
    localStorage.setItem('patient-refresh-token', token);
    localStorage.setItem('refresh-token', refreshToken());
    const { currentRefreshToken, sharedTokenKey } = await loadedAt(`${start}/patient/sign-in`);
    expect(sharedTokenKey).toBe('patient-refresh-token');
    expect(currentRefreshToken()).toBe(token);
  });
});
