import { type Feature, features } from '@caseway/contract/permission';
import { describe, expect, test } from 'vitest';
import { screens } from './routes.tsx';
import { switchedOn } from './shell/screens.ts';

/** The screens of each feature; one that joins several is gone with each of them. */
const pathsOf: Record<Feature, string[]> = {
  'testing-analytics': ['/analytics/testing', '/analytics/testing/records'],
  'case-reports': ['/case-reports', '/case-reports/:id', '/weekly-cases'],
  patients: ['/imports/pairs'],
  imports: ['/imports', '/imports/codes', '/imports/pairs', '/imports/:id'],
  'weekly-cases': ['/weekly-cases'],
};
/** What everyone has, even with every feature off. */
const always =
  /^\/($|admin\/|profile|sign-in\/|reporting|organizations|facilities|jurisdictions|programs|tasks|locations)/;

describe('[S1.6] the screens of a feature', () => {
  test('are all there are, beside what everyone has', () => {
    const known = Object.values(pathsOf).flat();
    expect(
      screens.map(({ path }) => path).filter((path) => !always.test(path) && !known.includes(path)),
    ).toEqual([]);
  });

  test.each(features)('%s: have no menu entry and no route when it is off', (feature) => {
    const left = switchedOn(screens, new Set(features.filter((one) => one !== feature)));
    const gone = screens.filter((screen) => !left.includes(screen)).map(({ path }) => path);
    expect(gone.sort()).toEqual(pathsOf[feature].sort());
  });
});
