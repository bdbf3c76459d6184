import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { dashboards } from '@caseway/contract/dashboards/all';
import { type Feature, features } from '@caseway/contract/permission';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { beginScreen, screens } from './routes.tsx';
import { switchedOn } from './shell/screens.ts';

vi.mock('./shell/Shell.tsx', () => ({ default: () => null }));
vi.mock('./features/sign-in/SignIn.tsx', () => ({ SignIn: () => null }));

/** The screens of each feature; one that combines several is hidden with any of them. */
const pathsOf: Record<Feature, string[]> = {
  'case-report-analytics': ['/analytics/case-reports'],
  'tenant-case-report-analytics': ['/analytics/tenant-case-reports'],
  'testing-analytics': ['/analytics/testing', '/analytics/testing/records'],
  'sti-analytics': ['/analytics/sti', '/analytics/sti/treatments'],
  'hiv-analytics': ['/analytics/hiv', '/analytics/hiv/records'],
  'case-reports': [
    '/analytics/sti/treatments',
    '/case-reports',
    '/case-reports/:id',
    '/weekly-cases',
    '/work-tasks',
  ],
  patients: ['/imports/pairs', '/patients', '/patients/:id'],
  contacts: ['/case-follow-ups', '/case-follow-ups/:id', '/contacts', '/contacts/:id'],
  'partner-services': ['/partner-services', '/partner-services/:id'],
  'field-visits': ['/field-visits', '/field-visits/kept', '/field-visits/:id'],
  'incident-report-analytics': ['/analytics/incident-reports'],
  'field-visit-analytics': ['/analytics/field-visits'],
  'partner-service-analytics': ['/analytics/partner-services'],
  'telemedicine-analytics': ['/analytics/telemedicine'],
  'operations-analytics': ['/analytics/operations'],
  vaccinations: ['/vaccinations'],
  documents: ['/documents'],
  'incident-reports': ['/incident-reports', '/incident-reports/:id'],
  telemedicine: ['/telemedicine', '/telemedicine/availability', '/telemedicine/:id'],
  'sample-shipments': [
    '/sample-shipments',
    '/sample-shipments/:id',
    '/sample-shipments/custody/:id',
    '/sample-shipments/storage',
    '/sample-shipments/storage/:id',
    '/sample-shipments/unassigned',
  ],
  imports: ['/imports', '/imports/codes', '/imports/pairs', '/imports/:id'],
  'weekly-cases': ['/weekly-cases'],
};
/** What everyone has, even with every feature off. */
const always =
  /^\/($|admin\/|inbox|files|profile|sign-in\/|reporting|organizations|facilities|jurisdictions|programs|tasks|teams|locations)/;

describe('[S1.6] the screens of a feature', () => {
  test('are all routes, except those everyone has', () => {
    const known = Object.values(pathsOf).flat();
    expect(
      screens.map(({ path }) => path).filter((path) => !always.test(path) && !known.includes(path)),
      'each is in `pathsOf`, with the feature of its permission, or in `always`',
    ).toEqual([]);
  });

  test.each(features)('%s: have no menu entry and no route when it is off', (feature) => {
    const left = switchedOn(screens, new Set(features.filter((one) => one !== feature)));
    const gone = screens.filter((screen) => !left.includes(screen)).map(({ path }) => path);
    expect(gone.sort()).toEqual(pathsOf[feature].sort());
  });
});

test('[S1.4] every screen has its name and its purpose', () => {
  const english = readFileSync(path.join(import.meta.dirname, '../public/locales/en/common.json'), 'utf8');
  const words: unknown = JSON.parse(english);
  const at = (key: string) =>
    key.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], words);
  const keys = screens.flatMap(({ label, purpose = label }) => [label, purpose]);
  expect(keys.filter((key) => typeof at(key) !== 'string')).toEqual([]);
});

test('a dashboard has its screen under its id, so that the records behind a number lead back to it', () => {
  const paths = screens.map(({ path }) => path);
  expect(dashboards.filter(({ id }) => !paths.includes(`/analytics/${id}`))).toEqual([]);
});

describe('a page that opens with a screen', () => {
  const screenAt = (wanted: string) => screens.find((one) => one.path === wanted)!;
  const loaded = (wanted: string) =>
    vi.spyOn(screenAt(wanted), 'load').mockResolvedValue({ default: () => null });
  afterEach(() => vi.restoreAllMocks());

  test('[S2.3] loads it and its texts immediately, without waiting for the session', () => {
    const [list, record] = [loaded('/case-reports'), loaded('/case-reports/:id')];
    expect(beginScreen('/case-reports', { signedIn: true })).toContain('case-reports');
    expect([list.mock.calls.length, record.mock.calls.length]).toEqual([1, 0]);
    expect(beginScreen('/case-reports/42', { signedIn: true })).toContain('case-rules');
    expect([list.mock.calls.length, record.mock.calls.length]).toEqual([1, 1]);
  });

  test('loads the sign-in if no one is signed in, and no screen, nor an unknown one', () => {
    const list = loaded('/case-reports');
    expect(beginScreen('/case-reports', { signedIn: false })).toEqual(['sign-in']);
    expect(beginScreen('/no-such-screen', { signedIn: true })).toEqual([]);
    expect(list).not.toHaveBeenCalled();
  });

  test('does not report one that fails to load: it is loaded again where it is shown', async () => {
    vi.spyOn(screenAt('/case-reports'), 'load').mockRejectedValue(new TypeError('no network'));
    expect(beginScreen('/case-reports', { signedIn: true })).toContain('case-reports');
    // An unhandled rejection fails the test.
    await new Promise((resolve) => setTimeout(resolve, 0));
  });

  test.each(screens.filter(({ words }) => words))('$path: its words are there', ({ words }) => {
    for (const name of words!)
      expect(existsSync(path.resolve(import.meta.dirname, `../public/locales/en/${name}.json`)), name).toBe(
        true,
      );
  });
});
